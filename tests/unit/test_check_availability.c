#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define C            "'containers':[{'name':'c','image':'x:1'}]"
#define ITEM(version, kind, name, rest)                                                            \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'name':'" name                      \
    "','namespace':'shop'}" rest "}"
#define SERVICE(selector)                                                                          \
    ITEM("v1", "Service", "s", ",'spec':{'clusterIP':'None','selector':{" selector "}}")
#define CONTROLLER(kind, spec, pod)                                                                \
    OBJECT("apps/v1", kind, "",                                                                    \
           ",'spec':{" spec                                                                        \
           "'selector':{'matchLabels':{'app':'a'}},'template':{'metadata':{'labels':{'app':'a'}}," \
           "'spec':{" pod "}}}")
#define HPA(minimum)                                                                               \
    ITEM("autoscaling/v2", "HorizontalPodAutoscaler", "h",                                         \
         ",'spec':{'scaleTargetRef':{'apiVersion':'apps/"                                          \
         "v1','kind':'Deployment','name':'a'}" minimum "}")
#define KEDA(minimum)                                                                              \
    ITEM("keda.sh/v1alpha1", "ScaledObject", "h",                                                  \
         ",'spec':{'scaleTargetRef':{'name':'a'}" minimum "}")

/* ---- probes ---- */

#define FIFTY          "01234567890123456789012345678901234567890123456789"
#define LONG           FIFTY FIFTY FIFTY FIFTY FIFTY FIFTY
#define PROBED(fields) POD("'containers':[{'name':'c'," fields "}]")
#define HTTP(path)     "{'httpGet':{'path':'" path "','port':80}}"

static const struct judge_row probe_rows[] = {
    {"none", POD(C), "pod/a",
     "readiness-probe-missing=fail liveness-probe-missing=fail probes-identical=pass "
     "probe-port-undeclared=pass"},
    {"both", PROBED("'livenessProbe':" HTTP("/l") ",'readinessProbe':" HTTP("/r")), "pod/a",
     "readiness-probe-missing=pass liveness-probe-missing=pass probes-identical=pass"},
    {"null", PROBED("'livenessProbe':null,'readinessProbe':null"), "pod/a",
     "readiness-probe-missing=fail liveness-probe-missing=fail"},
    {"one of two containers",
     POD("'containers':[{'name':'c','readinessProbe':" HTTP("/") "},{'name':'d'}]"), "pod/a",
     "readiness-probe-missing=fail"},
    {"init containers need none",
     POD("'containers':[{'name':'c','readinessProbe':" HTTP("/") "}],'initContainers':[{'name':"
                                                                 "'i'}]"),
     "pod/a", "readiness-probe-missing=pass"},
    {"it ends anyway", POD("'restartPolicy':'Never'," C), "pod/a",
     "readiness-probe-missing=none liveness-probe-missing=none"},
    {"a Job",
     OBJECT("batch/v1", "Job", "", ",'spec':{'template':{'spec':{'restartPolicy':'Never'," C "}}}"),
     "job/a", "readiness-probe-missing=none liveness-probe-missing=none job-ttl-missing=fail"},
    {"identical", PROBED("'livenessProbe':" HTTP("/") ",'readinessProbe':" HTTP("/")), "pod/a",
     "probes-identical=fail"},
    {"identical but for thresholds",
     PROBED("'livenessProbe':{'httpGet':{'path':'/','port':80},'failureThreshold':9},"
            "'readinessProbe':" HTTP("/")),
     "pod/a", "probes-identical=fail"},
    {"identical once the defaults are filled in",
     PROBED("'livenessProbe':{'httpGet':{'port':80}},"
            "'readinessProbe':{'httpGet':{'path':'/','port':80,'scheme':'HTTP'}}"),
     "pod/a", "probes-identical=fail"},
    {"told apart by the scheme",
     PROBED("'livenessProbe':" HTTP("/") ",'readinessProbe':{'httpGet':{'path':'/','port':80,"
                                         "'scheme':'HTTPS'}}"),
     "pod/a", "probes-identical=pass"},
    {"one path, told apart by a header",
     PROBED("'livenessProbe':{'httpGet':{'path':'/','port':80,'httpHeaders':[{'name':'Cookie',"
            "'value':'l'}]}},'readinessProbe':{'httpGet':{'path':'/','port':80,'httpHeaders':[{"
            "'name':'Cookie','value':'r'}]}}"),
     "pod/a", "probes-identical=pass"},
    {"one path, a header in one",
     PROBED("'livenessProbe':{'httpGet':{'path':'/','port':80,'httpHeaders':[{'name':'Cookie',"
            "'value':'l'}]}},'readinessProbe':" HTTP("/")),
     "pod/a", "probes-identical=pass"},
    {"one path, the same header",
     PROBED("'livenessProbe':{'httpGet':{'path':'/','port':80,'httpHeaders':[{'name':'Cookie',"
            "'value':'l'}]}},'readinessProbe':{'httpGet':{'path':'/','port':80,'httpHeaders':[{"
            "'name':'Cookie','value':'l'}]}}"),
     "pod/a", "probes-identical=fail"},
    {"other paths", PROBED("'livenessProbe':" HTTP("/l") ",'readinessProbe':" HTTP("/r")), "pod/a",
     "probes-identical=pass"},
    {"other commands",
     PROBED("'livenessProbe':{'exec':{'command':['a']}},'readinessProbe':{'exec':{'command':"
            "['b']}}"),
     "pod/a", "probes-identical=pass"},
    {"same command",
     PROBED("'livenessProbe':{'exec':{'command':['a']}},'readinessProbe':{'exec':{'command':"
            "['a']}}"),
     "pod/a", "probes-identical=fail"},
    {"commands whose arguments are cut elsewhere",
     PROBED("'livenessProbe':{'exec':{'command':['a b']}},'readinessProbe':{'exec':{'command':"
            "['a','b']}}"),
     "pod/a", "probes-identical=pass"},
    {"commands that differ at the end of a long argument",
     PROBED("'livenessProbe':{'exec':{'command':['sh','-c','" LONG
            "a']}},'readinessProbe':{'exec':{'command':['sh','-c','" LONG "b']}}"),
     "pod/a", "probes-identical=pass"},
    {"the same long command",
     PROBED("'livenessProbe':{'exec':{'command':['sh','-c','" LONG
            "a']}},'readinessProbe':{'exec':{'command':['sh','-c','" LONG "a']}}"),
     "pod/a", "probes-identical=fail"},
    {"other services of gRPC",
     PROBED("'livenessProbe':{'grpc':{'port':1,'service':'a'}},"
            "'readinessProbe':{'grpc':{'port':1}}"),
     "pod/a", "probes-identical=pass"},
    {"declared number", PROBED("'ports':[{'containerPort':80}],'livenessProbe':" HTTP("/")),
     "pod/a", "probe-port-undeclared=pass"},
    {"undeclared number", PROBED("'ports':[{'containerPort':81}],'livenessProbe':" HTTP("/")),
     "pod/a", "probe-port-undeclared=fail"},
    {"declared name",
     PROBED("'ports':[{'name':'web','containerPort':80}],'livenessProbe':{'httpGet':{'port':"
            "'web'}}"),
     "pod/a", "probe-port-undeclared=pass"},
    {"undeclared name",
     PROBED("'ports':[{'name':'web','containerPort':80}],'livenessProbe':{'httpGet':{'port':"
            "'admin'}}"),
     "pod/a", "probe-port-undeclared=fail"},
    {"a name of UDP",
     PROBED("'ports':[{'name':'web','containerPort':80,'protocol':'UDP'}],'startupProbe':"
            "{'tcpSocket':{'port':'web'}}"),
     "pod/a", "probe-port-undeclared=fail"},
    {"no port at all", PROBED("'livenessProbe':{'exec':{'command':['a']}}"), "pod/a",
     "probe-port-undeclared=pass"},
};

static void probes(void **state)
{
    (void)state;
    judge_rows(probe_rows, COUNT(probe_rows));
}

static void readiness_matters_more_behind_a_service(void **state)
{
    (void)state;
    struct judgement alone = judgement_open(CONTROLLER("Deployment", "", C), NULL);
    struct judgement served =
        judgement_open(DOCUMENT(CONTROLLER("Deployment", "", C) "," SERVICE("'app':'a'")), NULL);
    const char *check = "readiness-probe-missing", *resource = "deployment/a";
    assert_int_equal(judgement_risk(&alone, check, resource)->severity, SEVERITY_MEDIUM);
    assert_int_equal(judgement_risk(&served, check, resource)->severity, SEVERITY_HIGH);
    judgement_close(&alone);
    judgement_close(&served);
}

/* ---- replicas ---- */

#define DEPLOYED(spec) CONTROLLER("Deployment", spec, C)
#define ANTI_AFFINITY(key, value)                                                                  \
    ",'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"          \
    "'topologyKey':'" key "','labelSelector':{'matchLabels':{'app':'" value "'}}}]}}"
#define ELSEWHERE(namespaces)                                                                      \
    ",'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"          \
    "'topologyKey':'kubernetes.io/hostname'," namespaces                                           \
    "'labelSelector':{'matchLabels':{'app':'a'}}}]}}"
#define SHOP           "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'shop'}}"
#define SPREAD(fields) ",'topologySpreadConstraints':[{" fields "}]"
#define GOOD_SPREAD                                                                                \
    "'topologyKey':'topology.kubernetes.io/zone','maxSkew':1,'whenUnsatisfiable':'ScheduleAnyway'"
#define OWNED_POD(labels)                                                                          \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'shop','labels':{" labels  \
    "},'ownerReferences':[{'apiVersion':'apps/v1','kind':'Deployment','name':'a','controller':"    \
    "true}]},'spec':{" C "}}"
#define SELECT(value) ",'labelSelector':{'matchLabels':{'app':'" value "'}}"

#define SPREAD_JOB(name)                                                                           \
    ITEM("batch/v1", "Job", "a",                                                                   \
         ",'spec':{'template':{'spec':{" C SPREAD(                                                 \
             GOOD_SPREAD ",'labelSelector':{'matchLabels':{'job-name':'" name "'}}") "}}}")

static const struct judge_row replica_rows[] = {
    {"a pod on its own", POD(C), "pod/a", "naked-pod=fail single-replica=none"},
    {"a mirror pod",
     OBJECT("v1", "Pod", ",'annotations':{'kubernetes.io/config.mirror':'x'}", ",'spec':{" C "}"),
     "pod/a", "naked-pod=pass"},
    {"a static pod that names its node",
     OBJECT("v1", "Pod", ",'ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'n'}]",
            ",'spec':{" C "}"),
     "pod/a", "naked-pod=pass"},
    {"a pod that has done its work",
     OBJECT("v1", "Pod", "", ",'spec':{" C "},'status':{'phase':'Succeeded'}"), "pod/a",
     "naked-pod=none"},
    {"an owner that is no controller",
     OBJECT("v1", "Pod",
            ",'ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'m','uid':'1'}]",
            ",'spec':{" C "}"),
     "pod/a", "naked-pod=fail"},
    {"absent is one", DEPLOYED(""), "deployment/a",
     "single-replica=fail scaled-to-zero=pass no-pod-spread=none"},
    {"one", DEPLOYED("'replicas':1,"), "deployment/a", "single-replica=fail"},
    {"two", DEPLOYED("'replicas':2,"), "deployment/a", "single-replica=pass no-pod-spread=fail"},
    {"one, and no template yet", OBJECT("apps/v1", "Deployment", "", ",'spec':{'replicas':1}"),
     "deployment/a", "single-replica=fail scaled-to-zero=pass"},
    {"two, and no template yet", OBJECT("apps/v1", "Deployment", "", ",'spec':{'replicas':2}"),
     "deployment/a", "single-replica=pass no-pod-spread=none"},
    {"a selector, and no template yet",
     OBJECT("apps/v1", "StatefulSet", "", ",'spec':{'selector':{'matchLabels':{'app':'a'}}}"),
     "statefulset/a", "single-replica=fail statefulset-service-missing=fail"},
    {"no history, and no template yet",
     OBJECT("apps/v1", "Deployment", "", ",'spec':{'revisionHistoryLimit':0}"), "deployment/a",
     "revision-history-disabled=fail"},
    {"a schedule, and no template yet",
     OBJECT("batch/v1", "CronJob", "", ",'spec':{'schedule':'0 * * * *'}"), "cronjob/a",
     "cronjob-deadline-missing=fail"},
    {"nothing yet", OBJECT("apps/v1", "Deployment", "", ",'spec':{}"), "deployment/a",
     "single-replica=none"},
    {"live, without its template: a part",
     OBJECT("apps/v1", "Deployment", ",'uid':'u'",
            ",'spec':{'selector':{'matchLabels':{'app':'a'}}}"),
     "deployment/a", "single-replica=none"},
    {"zero", DEPLOYED("'replicas':0,"), "deployment/a", "single-replica=none scaled-to-zero=fail"},
    {"an autoscaler from two", DOCUMENT(DEPLOYED("'replicas':1,") "," HPA(",'minReplicas':2")),
     "deployment/a", "single-replica=pass no-pod-spread=fail"},
    {"an autoscaler from one", DOCUMENT(DEPLOYED("'replicas':1,") "," HPA("")), "deployment/a",
     "single-replica=fail"},
    {"zero and an autoscaler", DOCUMENT(DEPLOYED("'replicas':0,") "," HPA("")), "deployment/a",
     "scaled-to-zero=fail"},
    {"zero, which switches the autoscaler off",
     DOCUMENT(DEPLOYED("'replicas':0,") "," HPA(",'minReplicas':3")), "deployment/a",
     "scaled-to-zero=fail no-pod-spread=none"},
    {"zero by KEDA", DOCUMENT(DEPLOYED("'replicas':0,") "," KEDA("")), "deployment/a",
     "scaled-to-zero=none"},
    {"KEDA from two", DOCUMENT(DEPLOYED("'replicas':1,") "," KEDA(",'minReplicaCount':2")),
     "deployment/a", "single-replica=pass"},
    {"a DaemonSet has no replicas", CONTROLLER("DaemonSet", "", C), "daemonset/a",
     "single-replica=none scaled-to-zero=none no-pod-spread=none"},
    {"kept apart by host",
     CONTROLLER("Deployment", "'replicas':2,", C ANTI_AFFINITY("kubernetes.io/hostname", "a")),
     "deployment/a", "no-pod-spread=pass"},
    {"kept apart from others only",
     CONTROLLER("Deployment", "'replicas':2,", C ANTI_AFFINITY("kubernetes.io/hostname", "b")),
     "deployment/a", "no-pod-spread=fail"},
    {"kept apart from pods of another namespace only",
     CONTROLLER("Deployment", "'replicas':2,", C ELSEWHERE("'namespaces':['other'],")),
     "deployment/a", "no-pod-spread=fail"},
    {"kept apart from its own namespace too",
     CONTROLLER("Deployment", "'replicas':2,", C ELSEWHERE("'namespaces':['other','shop'],")),
     "deployment/a", "no-pod-spread=pass"},
    {"kept apart from every namespace",
     DOCUMENT(CONTROLLER("Deployment", "'replicas':2,",
                         C ELSEWHERE("'namespaceSelector':{},")) "," SHOP),
     "deployment/a", "no-pod-spread=pass"},
    {"kept apart from namespaces with a label that its own lacks",
     DOCUMENT(CONTROLLER("Deployment", "'replicas':2,",
                         C ELSEWHERE("'namespaceSelector':{'matchLabels':{'t':'x'}},")) "," SHOP),
     "deployment/a", "no-pod-spread=fail"},
    {"with a label that its own may have",
     CONTROLLER("Deployment", "'replicas':2,",
                C ELSEWHERE("'namespaceSelector':{'matchLabels':{'t':'x'}},")),
     "deployment/a", "no-pod-spread=pass"},
    {"kept apart by a label that the pods give themselves",
     DOCUMENT(
         CONTROLLER("Deployment", "'replicas':2,",
                    C ANTI_AFFINITY("kubernetes.io/hostname", "b")) "," OWNED_POD("'app':'b'")),
     "deployment/a", "no-pod-spread=pass"},
    {"kept apart by something else",
     CONTROLLER("Deployment", "'replicas':2,", C ANTI_AFFINITY("disk", "a")), "deployment/a",
     "no-pod-spread=fail"},
    {"spread over zones",
     CONTROLLER("Deployment", "'replicas':2,", C SPREAD(GOOD_SPREAD SELECT("a"))), "deployment/a",
     "no-pod-spread=pass topology-spread-invalid=pass"},
    {"spread without a selector", CONTROLLER("Deployment", "'replicas':2,", C SPREAD(GOOD_SPREAD)),
     "deployment/a", "topology-spread-invalid=fail"},
    {"spread of others", CONTROLLER("Deployment", "", C SPREAD(GOOD_SPREAD SELECT("b"))),
     "deployment/a", "topology-spread-invalid=fail"},
    {"spread of a Job's own pods, by its name", SPREAD_JOB("a"), "job/a",
     "topology-spread-invalid=pass"},
    {"spread of another Job's pods", SPREAD_JOB("b"), "job/a", "topology-spread-invalid=fail"},
    {"spread of all", CONTROLLER("Deployment", "", C SPREAD(GOOD_SPREAD ",'labelSelector':{}")),
     "deployment/a", "topology-spread-invalid=pass"},
    {"spread without a key",
     CONTROLLER("Deployment", "",
                C SPREAD("'maxSkew':1,'whenUnsatisfiable':'DoNotSchedule'" SELECT("a"))),
     "deployment/a", "topology-spread-invalid=fail"},
    {"spread with skew 0",
     CONTROLLER(
         "Deployment", "",
         C SPREAD("'topologyKey':'z','maxSkew':0,'whenUnsatisfiable':'DoNotSchedule'" SELECT("a"))),
     "deployment/a", "topology-spread-invalid=fail"},
    {"spread over no domain",
     CONTROLLER("Deployment", "", C SPREAD(GOOD_SPREAD ",'minDomains':0" SELECT("a"))),
     "deployment/a", "topology-spread-invalid=fail"},
    {"spread over two domains",
     CONTROLLER("Deployment", "", C SPREAD(GOOD_SPREAD ",'minDomains':2" SELECT("a"))),
     "deployment/a", "topology-spread-invalid=pass"},
    {"spread with a misspelt word",
     CONTROLLER("Deployment", "",
                C SPREAD("'topologyKey':'z','maxSkew':1,'whenUnsatisfiable':'Maybe'" SELECT("a"))),
     "deployment/a", "topology-spread-invalid=fail"},
};

static void replicas(void **state)
{
    (void)state;
    judge_rows(replica_rows, COUNT(replica_rows));
}

/* ---- updates, selectors, services ---- */

#define RECREATE "'strategy':{'type':'Recreate'},"
#define ROLLING(unavailable)                                                                       \
    "'strategy':{'type':'RollingUpdate','rollingUpdate':{'maxUnavailable':" unavailable "}},"
#define OTHER_SERVICE    ITEM("v1", "Service", "o", ",'spec':{'selector':{'app':'o'}}")
#define STATEFUL(fields) CONTROLLER("StatefulSet", fields, C)
#define LIVE(kind, spec)                                                                           \
    OBJECT("apps/v1", kind, ",'uid':'1','creationTimestamp':'2026-03-01T00:00:00Z'",               \
           ",'spec':{" spec "'selector':{'matchLabels':{'app':'a'}},'template':{'metadata':{"      \
           "'labels':{'app':'a'}},'spec':{" C "}}}")
#define COUNTED(kind, replicas)                                                                    \
    OBJECT("apps/v1", kind, ",'uid':'1','creationTimestamp':'2026-03-01T00:00:00Z'",               \
           ",'spec':{'replicas':3,'selector':{'matchLabels':{'app':'a'}},'template':{'metadata':{" \
           "'labels':{'app':'a'}},'spec':{" C "}}},'status':{'replicas':" #replicas "}")
#define POD_OF(app)                                                                                \
    "{'metadata':{'name':'p','namespace':'shop','labels':{'app':'" app "'}},'spec':{" C "}}"

static const struct judge_row controller_rows[] = {
    {"recreate behind a service", DOCUMENT(DEPLOYED(RECREATE) "," SERVICE("'app':'a'")),
     "deployment/a", "update-strategy-unsafe=fail"},
    {"recreate behind a name for another place",
     DOCUMENT(DEPLOYED(RECREATE) "," ITEM("v1", "Service", "s",
                                          ",'spec':{'type':'ExternalName','externalName':'a.test',"
                                          "'selector':{'app':'a'}}")),
     "deployment/a", "update-strategy-unsafe=pass"},
    {"recreate behind none", DOCUMENT(DEPLOYED(RECREATE) "," OTHER_SERVICE), "deployment/a",
     "update-strategy-unsafe=pass"},
    {"recreate in a manifest without services", DEPLOYED(RECREATE), "deployment/a",
     "update-strategy-unsafe=pass"},
    {"recreate, services unknown", "{'deployments':[" LIVE("Deployment", RECREATE) "]}",
     "deployment/a", "update-strategy-unsafe=none"},
    {"rolling, all at once", DEPLOYED("'replicas':4," ROLLING("'100%'")), "deployment/a",
     "update-strategy-unsafe=fail"},
    {"rolling, all four at once", DEPLOYED("'replicas':4," ROLLING("4")), "deployment/a",
     "update-strategy-unsafe=fail"},
    {"rolling, two of at least six",
     DOCUMENT(DEPLOYED("'replicas':2," ROLLING("2")) "," HPA(",'minReplicas':6")), "deployment/a",
     "update-strategy-unsafe=pass"},
    {"rolling, six of at least six",
     DOCUMENT(DEPLOYED("'replicas':2," ROLLING("6")) "," HPA(",'minReplicas':6")), "deployment/a",
     "update-strategy-unsafe=fail"},
    {"rolling, one of one", DEPLOYED("'replicas':1," ROLLING("1")), "deployment/a",
     "update-strategy-unsafe=pass"},
    {"rolling, a quarter", DEPLOYED("'replicas':4," ROLLING("'25%'")), "deployment/a",
     "update-strategy-unsafe=pass"},
    {"a strategy that nobody knows", DEPLOYED("'strategy':{'type':'Swift'},"), "deployment/a",
     "update-strategy-unsafe=fail"},
    {"of a Deployment without a template",
     OBJECT("apps/v1", "Deployment", "", ",'spec':{'strategy':{'type':'RollingUpdate'}}"),
     "deployment/a", "update-strategy-unsafe=pass"},
    {"OnDelete", STATEFUL("'updateStrategy':{'type':'OnDelete'},"), "statefulset/a",
     "update-strategy-unsafe=fail"},
    {"selector and template agree", DEPLOYED(""), "deployment/a",
     "selector-template-mismatch=pass"},
    {"selector and template differ",
     OBJECT("apps/v1", "Deployment", "",
            ",'spec':{'selector':{'matchLabels':{'app':'b'}},'template':{'metadata':{'labels':{"
            "'app':'a'}},'spec':{" C "}}}"),
     "deployment/a", "selector-template-mismatch=fail"},
    {"no selector", DEPLOYMENT(C), "deployment/a", "selector-template-mismatch=none"},
    {"governing service", DOCUMENT(STATEFUL("'serviceName':'s',") "," SERVICE("'app':'a'")),
     "statefulset/a", "statefulset-service-missing=pass"},
    {"governing service with clusterIPs only",
     DOCUMENT(STATEFUL("'serviceName':'s',") "," ITEM(
         "v1", "Service", "s", ",'spec':{'clusterIPs':['None'],'selector':{'app':'a'}}")),
     "statefulset/a", "statefulset-service-missing=pass"},
    {"a service with addresses only",
     DOCUMENT(STATEFUL("'serviceName':'s',") "," ITEM(
         "v1", "Service", "s", ",'spec':{'clusterIPs':['10.0.0.1','::1'],'selector':{'app':'a'}}")),
     "statefulset/a", "statefulset-service-missing=fail"},
    {"governing service of others",
     DOCUMENT(STATEFUL("'serviceName':'s',") "," SERVICE("'app':'b'")), "statefulset/a",
     "statefulset-service-missing=fail"},
    {"no such service", DOCUMENT(STATEFUL("'serviceName':'x',") "," SERVICE("'app':'a'")),
     "statefulset/a", "statefulset-service-missing=fail"},
    {"not headless", DOCUMENT(STATEFUL("'serviceName':'o',") "," OTHER_SERVICE), "statefulset/a",
     "statefulset-service-missing=fail"},
    {"a manifest without services", STATEFUL("'serviceName':'x',"), "statefulset/a",
     "statefulset-service-missing=fail"},
    {"a manifest that names none", STATEFUL(""), "statefulset/a",
     "statefulset-service-missing=fail"},
    {"services were not collected",
     "{'statefulsets':[" LIVE("StatefulSet", "'serviceName':'x',") "]}", "statefulset/a",
     "statefulset-service-missing=none"},
    {"nothing comes of it", "{'deployments':[" LIVE("Deployment", "") "],'pods':[]}",
     "deployment/a", "controller-selects-nothing=fail"},
    {"only other pods", "{'deployments':[" LIVE("Deployment", "") "],'pods':[" POD_OF("b") "]}",
     "deployment/a", "controller-selects-nothing=fail"},
    {"a pod matches", "{'deployments':[" LIVE("Deployment", "") "],'pods':[" POD_OF("a") "]}",
     "deployment/a", "controller-selects-nothing=pass"},
    {"its status counts pods that the snapshot lacks",
     "{'deployments':[" COUNTED("Deployment", 3) "],'pods':[" POD_OF("b") "]}", "deployment/a",
     "controller-selects-nothing=none"},
    {"its status counts none",
     "{'deployments':[" COUNTED("Deployment", 0) "],'pods':[" POD_OF("b") "]}", "deployment/a",
     "controller-selects-nothing=fail"},
    {"its status counts none, and nothing tells when it was made",
     "{'deployments':[" OBJECT("apps/v1", "Deployment", "",
                               ",'spec':{'replicas':3,'selector':{'matchLabels':{'app':'a'}},"
                               "'template':{'metadata':{'labels':{'app':'a'}},'spec':{" C "}}},"
                               "'status':{'observedGeneration':1}") "],'pods':[" POD_OF("b") "]}",
     "deployment/a", "controller-selects-nothing=fail"},
    {"made just now",
     "{'deployments':[" OBJECT(
         "apps/v1", "Deployment", ",'uid':'1','creationTimestamp':'2026-03-17T11:59:00Z'",
         ",'spec':{'replicas':3,'selector':{'matchLabels':{'app':'a'}},"
         "'template':{'metadata':{'labels':{'app':'a'}},'spec':{" C "}}}") "],'pods':[]}",
     "deployment/a", "controller-selects-nothing=none"},
    {"none wanted", "{'deployments':[" LIVE("Deployment", "'replicas':0,") "],'pods':[]}",
     "deployment/a", "controller-selects-nothing=none"},
    {"pods were not collected", LIVE("Deployment", ""), "deployment/a",
     "controller-selects-nothing=none"},
    {"a manifest has no pods yet", "{'deployments':[" DEPLOYED("") "],'pods':[]}", "deployment/a",
     "controller-selects-nothing=none"},
};

static void controllers(void **state)
{
    (void)state;
    judge_rows(controller_rows, COUNT(controller_rows));
}

/* ---- the rest ---- */

#define CRON(spec)                                                                                 \
    OBJECT("batch/v1", "CronJob", "",                                                              \
           ",'spec':{'schedule':'@daily'," spec "'jobTemplate':{'spec':{'template':{'spec':{" C    \
           "}}}}}")
#define NODE(version)                                                                              \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n','uid':'n'},'status':{'nodeInfo':{"    \
    "'kubeletVersion':'" version "'}}}"
static const struct judge_row other_rows[] = {
    {"no priority", POD(C), "pod/a", "priority-class-missing=fail"},
    {"a priority", POD(C ",'priorityClassName':'high'"), "pod/a", "priority-class-missing=pass"},
    {"a default priority",
     DOCUMENT(POD(C) ",{'apiVersion':'scheduling.k8s.io/v1','kind':'PriorityClass','metadata':{"
                     "'name':'p'},'globalDefault':true}"),
     "pod/a", "priority-class-missing=pass"},
    {"a priority that is no default",
     DOCUMENT(POD(C) ",{'apiVersion':'scheduling.k8s.io/v1','kind':'PriorityClass','metadata':{"
                     "'name':'p'}}"),
     "pod/a", "priority-class-missing=fail"},
    {"no labels", DEPLOYMENT(C), "deployment/a", "recommended-labels-missing=fail"},
    {"label app", DEPLOYED(""), "deployment/a", "recommended-labels-missing=pass"},
    {"label of a pod", OBJECT("v1", "Pod", ",'labels':{'k8s-app':'x'}", ",'spec':{" C "}"), "pod/a",
     "recommended-labels-missing=pass"},
    {"SSH", POD("'containers':[{'name':'c','ports':[{'containerPort':22}]}]"), "pod/a",
     "ssh-port-exposed=fail"},
    {"22 of UDP",
     POD("'containers':[{'name':'c','ports':[{'containerPort':22,'protocol':'UDP'}]}]"), "pod/a",
     "ssh-port-exposed=pass"},
    {"no deadline", CRON(""), "cronjob/a", "cronjob-deadline-missing=fail job-ttl-missing=none"},
    {"a deadline", CRON("'startingDeadlineSeconds':60,"), "cronjob/a",
     "cronjob-deadline-missing=pass"},
    {"deadline 0 is one", CRON("'startingDeadlineSeconds':0,"), "cronjob/a",
     "cronjob-deadline-missing=pass"},
    {"a Job that goes away",
     OBJECT("batch/v1", "Job", "",
            ",'spec':{'ttlSecondsAfterFinished':0,'template':{'spec':{" C "}}}"),
     "job/a", "job-ttl-missing=pass"},
};

static void others(void **state)
{
    (void)state;
    judge_rows(other_rows, COUNT(other_rows));
}

/* The safe sysctls grew with the releases. */
static void sysctls_of_a_release(void **state)
{
    (void)state;
    static const struct judge_row rows[] = {
        {"1.31",
         DOCUMENT(POD("'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_rmem'}]}," C) "," NODE(
             "v1.31.0")),
         "pod/a", "unsafe-sysctl=fail"},
        {"1.32",
         DOCUMENT(POD("'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_rmem'}]}," C) "," NODE(
             "v1.32.0")),
         "pod/a", "unsafe-sysctl=pass"},
    };
    judge_rows(rows, COUNT(rows));
}

/* Of manifests nobody knows the cluster but who says which release is to take them. */
static void sysctls_of_the_release_asked_for(void **state)
{
    static const struct {
        const char *document;
        struct release target;
        bool fails;
    } rows[] = {
        {POD("'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_rmem'}]}," C), {1, 31}, true},
        {POD("'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_rmem'}]}," C), {1, 32}, false},
        {POD("'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_rmem'}]}," C), {0, 0}, false},
        {DOCUMENT(POD("'securityContext':{'sysctls':[{'name':'net.ipv4.tcp_rmem'}]}," C) "," NODE(
             "v1.32.0")),
         {1, 31},
         false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct score_policy policy = score_policy_default();
        policy.target = rows[i].target;
        struct judgement judgement = judgement_open(rows[i].document, &policy);
        assert_int_equal(judgement_risk(&judgement, "unsafe-sysctl", "pod/a") != NULL,
                         rows[i].fails);
        judgement_close(&judgement);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probes),
        cmocka_unit_test(readiness_matters_more_behind_a_service),
        cmocka_unit_test(replicas),
        cmocka_unit_test(controllers),
        cmocka_unit_test(others),
        cmocka_unit_test(sysctls_of_a_release),
        cmocka_unit_test(sysctls_of_the_release_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
