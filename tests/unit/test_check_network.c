/* Network policies, services and ingresses: what fails, what passes, what cannot be said. */
#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define IN(namespace, name) "'metadata':{'name':'" name "','namespace':'" namespace "'}"
#define POLICY(spec)                                                                               \
    "{'apiVersion':'networking.k8s.io/v1','kind':'NetworkPolicy'," IN("shop",                      \
                                                                      "p") ",'spec':{" spec "}}"
/* A Deployment "web" of the namespace whose template has labels app=web, tier=front. */
#define WEB_IN(namespace, spec)                                                                    \
    "{'apiVersion':'apps/v1','kind':'Deployment'," IN(                                             \
        namespace,                                                                                 \
        "web") ",'spec':{'replicas':2,'template':{'metadata':{'labels':{'app':'web','tier':'"      \
               "front'}},"                                                                         \
               "'spec':{" spec "'containers':[{'name':'c','image':'a:1','ports':[{'name':'http',"  \
               "'containerPort':8080},{'name':'dns','containerPort':53,'protocol':'UDP'}]}]}}}}"
#define WEB WEB_IN("shop", "")
#define LABELLED_POD(labels)                                                                       \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'shop','labels':{" labels  \
    "}},'spec':{'containers':[{'name':'c','image':'a:1'}]}}"
#define SERVICE(spec) "{'apiVersion':'v1','kind':'Service'," IN("shop", "s") ",'spec':{" spec "}}"
#define SELECTS_WEB   "'selector':{'app':'web'}"
#define PORTS(port)   SERVICE(SELECTS_WEB ",'ports':[{" port "}]")

#define BOTH "pod-ingress-not-isolated=fail pod-egress-not-isolated=fail"
#define NONE "pod-ingress-not-isolated=pass pod-egress-not-isolated=pass"

static const struct judge_row isolation[] = {
    {"no policy at all", DOCUMENT(WEB), "deployment/web", BOTH},
    {"empty selector: every pod; types absent: ingress",
     DOCUMENT(WEB "," POLICY("'podSelector':{}")), "deployment/web",
     "pod-ingress-not-isolated=pass pod-egress-not-isolated=fail"},
    {"types absent with an egress key: both",
     DOCUMENT(WEB "," POLICY("'podSelector':{},'egress':[]")), "deployment/web", NONE},
    {"types win over the egress key",
     DOCUMENT(WEB "," POLICY("'podSelector':{},'policyTypes':['Ingress'],'egress':[{}]")),
     "deployment/web", "pod-ingress-not-isolated=pass pod-egress-not-isolated=fail"},
    {"no podSelector is an empty one",
     DOCUMENT(WEB "," POLICY("'policyTypes':['Ingress','Egress']")), "deployment/web", NONE},
    {"one label of two differs",
     DOCUMENT(WEB "," POLICY("'podSelector':{'matchLabels':{'app':'web','tier':'back'}}")),
     "deployment/web", BOTH},
    {"labels match, an expression does not",
     DOCUMENT(WEB "," POLICY("'podSelector':{'matchLabels':{'app':'web'},'matchExpressions':["
                             "{'key':'tier','operator':'NotIn','values':['front']}]}")),
     "deployment/web", BOTH},
    {"expressions only",
     DOCUMENT(WEB "," POLICY("'podSelector':{'matchExpressions':[{'key':'tier','operator':'In',"
                             "'values':['back','front']}]},'policyTypes':['Ingress','Egress']")),
     "deployment/web", NONE},
    {"a Pod alone",
     DOCUMENT("{'apiVersion':'v1','kind':'Pod'," IN("shop", "a") ",'spec':{'containers':[{'name':"
                                                                 "'c','image':'a:1'}]}}"),
     "pod/a", BOTH},
    {"a Pod alone, of a cluster: it has a node",
     DOCUMENT("{'apiVersion':'v1','kind':'Pod'," IN("shop", "a") ",'spec':{'nodeName':'n',"
                                                                 "'containers':[{'name':'c'}]}}"),
     "pod/a", "pod-ingress-not-isolated=none pod-egress-not-isolated=none"},
    {"the manifest of a Job alone",
     DOCUMENT("{'apiVersion':'batch/v1','kind':'Job'," IN(
         "shop", "a") ",'spec':{'template':{'spec':{'containers':[{'name':'c','image':'a:1'}]}}}}"),
     "job/a", BOTH},
    {"a summary does not say whom it governs",
     "{'deployments':[" WEB "],'networkpolicies':[{'name':'p','namespace':'shop'}]}",
     "deployment/web", "pod-ingress-not-isolated=none pod-egress-not-isolated=none"},
    {"a summary of another namespace",
     "{'deployments':[" WEB "],'networkpolicies':[{'name':'p','namespace':'other'}]}",
     "deployment/web", BOTH},
    {"two policies, one direction each",
     DOCUMENT(WEB "," POLICY(
         "'podSelector':{'matchLabels':{'app':'web'}}") ",{'apiVersion':'networking.k8s."
                                                        "io/"
                                                        "v1','kind':'NetworkPolicy'," IN(
                                                            "shop", "q") ",'spec':{'podSelector'"
                                                                         ":{},'policyTypes':['"
                                                                         "Egress']}}"),
     "deployment/web", NONE},
    {"the policy is in another namespace",
     DOCUMENT(WEB_IN("other", "") "," POLICY("'podSelector':{}")), "deployment/web", BOTH},
    {"the host's network is out of reach", DOCUMENT(WEB_IN("shop", "'hostNetwork':true,")),
     "deployment/web", "pod-ingress-not-isolated=none pod-egress-not-isolated=none"},
    {"a pod of its own, by its own labels",
     DOCUMENT(LABELLED_POD("'app':'web'") "," POLICY("'podSelector':{'matchLabels':{'app':'web'}},"
                                                     "'policyTypes':['Ingress','Egress']")),
     "pod/a", NONE},
    {"pods of a cluster alone do not say that there are no policies",
     DOCUMENT("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'shop','labels':{"
              "'app':'web'}},'spec':{'containers':[{'name':'c'}]},'status':{'phase':'Running'}}"),
     "pod/a", "pod-ingress-not-isolated=none pod-egress-not-isolated=none"},
    {"an empty collection says so",
     "{'pods':[" LABELLED_POD("'app':'web'") "],'networkpolicies':[]}", "pod/a", BOTH},
    {"collections say nothing of what they leave out",
     "{'deployments':[" WEB "],'pods':[],'services':[]}", "deployment/web",
     "pod-ingress-not-isolated=none pod-egress-not-isolated=none"},
};

#define UNLABELLED(version, kind, name)                                                            \
    "{'apiVersion':'" version "','kind':'" kind "'," IN("shop", name) ",'spec':{" UNLABELLED_PODS
#define UNLABELLED_PODS "'template':{'spec':{'containers':[{'name':'c'}]}}}}"

static const struct judge_row policies[] = {
    {"selects nothing", DOCUMENT(POLICY("'podSelector':{'matchLabels':{'app':'db'}}") "," WEB),
     "networkpolicy/p", "networkpolicy-selects-nothing=fail"},
    {"nothing there at all", DOCUMENT(POLICY("'podSelector':{'matchLabels':{'app':'db'}}")),
     "networkpolicy/p", "networkpolicy-selects-nothing=fail"},
    {"the empty selector is never reported", DOCUMENT(POLICY("'podSelector':{'matchLabels':{}}")),
     "networkpolicy/p", "networkpolicy-selects-nothing=pass"},
    {"a template is enough",
     DOCUMENT(POLICY("'podSelector':{'matchLabels':{'tier':'front'}}") "," WEB), "networkpolicy/p",
     "networkpolicy-selects-nothing=pass"},
    {"a label that only the pod has",
     DOCUMENT(POLICY("'podSelector':{'matchLabels':{'role':'primary'}}") "," LABELLED_POD(
         "'app':'web','role':'primary'")),
     "networkpolicy/p", "networkpolicy-selects-nothing=pass"},
    {"one pod of a StatefulSet, by the name that it will have",
     DOCUMENT(POLICY("'podSelector':{'matchLabels':{'statefulset.kubernetes.io/pod-name':"
                     "'db-0'}}") "," UNLABELLED("apps/v1", "StatefulSet", "db")),
     "networkpolicy/p", "networkpolicy-selects-nothing=pass"},
    {"the pods of a Job, by its name",
     DOCUMENT(POLICY("'podSelector':{'matchExpressions':[{'key':'job-name','operator':'In',"
                     "'values':['j']}]}") "," UNLABELLED("batch/v1", "Job", "j")),
     "networkpolicy/p", "networkpolicy-selects-nothing=pass"},
    {"unknown operator",
     DOCUMENT(POLICY("'podSelector':{'matchExpressions':[{'key':'app',"
                     "'operator':'Equals','values':['web']}]}") "," WEB),
     "networkpolicy/p", "networkpolicy-selects-nothing=fail"},
    {"no pods collection",
     "{'networkpolicies':[" POLICY("'podSelector':{'matchLabels':{'a':'b'}}") "],'services':[]}",
     "networkpolicy/p", "networkpolicy-selects-nothing=none"},
    {"peer of the namespace that nothing matches",
     DOCUMENT(WEB "," POLICY("'podSelector':{},'ingress':[{'from':[{'podSelector':{'matchLabels':"
                             "{'app':'gone'}}}]}]")),
     "networkpolicy/p", "networkpolicy-peer-selects-nothing=fail networkpolicy-allow-all=pass"},
    {"peer of the namespace, empty: every pod",
     DOCUMENT(WEB "," POLICY("'podSelector':{},'ingress':[{'from':[{'podSelector':{}}]}]")),
     "networkpolicy/p", "networkpolicy-peer-selects-nothing=pass networkpolicy-allow-all=pass"},
    {"peer of other namespaces",
     DOCUMENT(WEB "," POLICY("'podSelector':{},'ingress':[{'from':[{'namespaceSelector':{},"
                             "'podSelector':{'matchLabels':{'app':'gone'}}}]}]")),
     "networkpolicy/p", "networkpolicy-peer-selects-nothing=pass"},
    {"second peer of an egress rule",
     DOCUMENT(WEB "," POLICY("'podSelector':{},'policyTypes':['Egress'],'ingress':[{'from':["
                             "{'podSelector':{'matchLabels':{'app':'web'}}}]}],'egress':[{'to':["
                             "{'podSelector':{'matchLabels':{'app':'web'}}},"
                             "{'podSelector':{'matchLabels':{'app':'gone'}}}]}]")),
     "networkpolicy/p", "networkpolicy-peer-selects-nothing=fail"},
    {"a rule without from", DOCUMENT(WEB "," POLICY("'podSelector':{},'ingress':[{}]")),
     "networkpolicy/p", "networkpolicy-allow-all=fail networkpolicy-peer-selects-nothing=none"},
    {"an empty from means the same",
     DOCUMENT(WEB "," POLICY("'podSelector':{},'ingress':[{'from':[]}]")), "networkpolicy/p",
     "networkpolicy-allow-all=fail"},
    {"deny everything: no rules", DOCUMENT(WEB "," POLICY("'podSelector':{},'ingress':[]")),
     "networkpolicy/p", "networkpolicy-allow-all=pass"},
    {"egress rules without effect",
     DOCUMENT(WEB "," POLICY("'podSelector':{},'policyTypes':['Ingress'],'egress':[{}]")),
     "networkpolicy/p", "networkpolicy-allow-all=pass"},
    {"every IPv6 address",
     DOCUMENT(WEB
              "," POLICY("'podSelector':{},'ingress':[{'from':[{'ipBlock':{'cidr':'::/0'}}]}]")),
     "networkpolicy/p", "networkpolicy-allow-all=fail"},
    {"every IPv6 address, spelled otherwise",
     DOCUMENT(WEB
              "," POLICY("'podSelector':{},'ingress':[{'from':[{'ipBlock':{'cidr':'0::/0'}}]}]")),
     "networkpolicy/p", "networkpolicy-allow-all=fail"},
    {"a network whose length ends in 0",
     DOCUMENT(WEB "," POLICY("'podSelector':{},'ingress':[{'from':[{'ipBlock':{'cidr':"
                             "'10.0.0.0/10'}}]}]")),
     "networkpolicy/p", "networkpolicy-allow-all=pass"},
    {"every address but some",
     DOCUMENT(WEB "," POLICY("'podSelector':{},'ingress':[{'from':[{'ipBlock':{'cidr':'0.0.0.0/0',"
                             "'except':['10.0.0.0/8']}}]}]")),
     "networkpolicy/p", "networkpolicy-allow-all=pass"},
};

#define NAMESPACE "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'shop'}}"

#define CRONJOB(suspend)                                                                           \
    "{'apiVersion':'batch/v1','kind':'CronJob'," IN(                                               \
        "shop",                                                                                    \
        "c") ",'spec':{'suspend':" suspend                                                         \
             ",'jobTemplate':{'spec':{'template':{'spec':{'containers':[{'name':'c'}]}}}}}}"
#define FOREIGN(version, kind, namespace)                                                          \
    "{'apiVersion':'" version "','kind':'" kind "'," IN(namespace, "f") ",'spec':{}}"

static const struct judge_row namespaces[] = {
    {"pods and no policy", DOCUMENT(NAMESPACE "," WEB), "namespace/shop",
     "namespace-without-networkpolicy=fail"},
    {"a policy, whatever it says", DOCUMENT(NAMESPACE "," WEB "," POLICY("'podSelector':{}")),
     "namespace/shop", "namespace-without-networkpolicy=pass"},
    {"a Pod's manifest and no policy", DOCUMENT(NAMESPACE "," POD("'containers':[{'name':'c'}]")),
     "namespace/shop", "namespace-without-networkpolicy=fail"},
    {"a Pod of a list of pods, reduced",
     DOCUMENT(NAMESPACE ",{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':"
                        "'shop'},'spec':{'containers':[{'name':'c'}]},'status':{'phase':"
                        "'Running'}}"),
     "namespace/shop", "namespace-without-networkpolicy=none"},
    {"nothing runs there", DOCUMENT(NAMESPACE "," WEB_IN("other", "")), "namespace/shop",
     "namespace-without-networkpolicy=none"},
    {"all on the host's network", DOCUMENT(NAMESPACE "," WEB_IN("shop", "'hostNetwork':true,")),
     "namespace/shop", "namespace-without-networkpolicy=none"},
    {"scaled to zero, no pod",
     DOCUMENT(NAMESPACE ",{'apiVersion':'apps/v1','kind':'Deployment'," IN(
         "shop", "web") ",'spec':{'replicas':0,'template':{'spec':{'containers':[]}}}}"),
     "namespace/shop", "namespace-without-networkpolicy=none"},
    {"a suspended CronJob, no pod", DOCUMENT(NAMESPACE "," CRONJOB("true")), "namespace/shop",
     "namespace-without-networkpolicy=none"},
    {"a CronJob, no pod yet", DOCUMENT(NAMESPACE "," CRONJOB("false")), "namespace/shop",
     "namespace-without-networkpolicy=fail"},
    {"a DaemonSet",
     DOCUMENT(NAMESPACE ",{'apiVersion':'apps/v1','kind':'DaemonSet'," IN(
         "shop", "web") ",'spec':{'template':{'spec':{'containers':[{'name':'c'}]}}}}"),
     "namespace/shop", "namespace-without-networkpolicy=fail"},
    {"Cilium's in the namespace",
     DOCUMENT(NAMESPACE "," WEB "," FOREIGN("cilium.io/v2", "CiliumNetworkPolicy", "shop")),
     "namespace/shop", "namespace-without-networkpolicy=none"},
    {"Cilium's in another namespace",
     DOCUMENT(NAMESPACE "," WEB "," FOREIGN("cilium.io/v2", "CiliumNetworkPolicy", "other")),
     "namespace/shop", "namespace-without-networkpolicy=fail"},
    {"Calico's in the namespace, behind another's",
     DOCUMENT(FOREIGN("crd.projectcalico.org/v1", "NetworkPolicy",
                      "a") "," NAMESPACE "," WEB
                           "," FOREIGN("crd.projectcalico.org/v1", "NetworkPolicy", "shop")),
     "namespace/shop", "namespace-without-networkpolicy=none"},
    {"Cilium's for the cluster",
     DOCUMENT(NAMESPACE "," WEB ",{'apiVersion':'cilium.io/v2',"
                        "'kind':'CiliumClusterwideNetworkPolicy','metadata':{'name':'f'}}"),
     "namespace/shop", "namespace-without-networkpolicy=none"},
    {"an administrator's",
     DOCUMENT(NAMESPACE "," WEB ",{'apiVersion':'policy.networking.k8s.io/v1alpha1',"
                        "'kind':'AdminNetworkPolicy','metadata':{'name':'f'}}"),
     "namespace/shop", "namespace-without-networkpolicy=none"},
};

static const struct judge_row services[] = {
    {"no pod has all pairs", DOCUMENT(WEB "," SERVICE("'selector':{'app':'web','tier':'back'}")),
     "service/s", "service-selects-no-pods=fail service-target-port-unmatched=none"},
    {"a template has all pairs",
     DOCUMENT(WEB "," SERVICE("'selector':{'app':'web','tier':'front'}")), "service/s",
     "service-selects-no-pods=pass"},
    {"pods of another namespace", DOCUMENT(WEB_IN("other", "") "," SERVICE(SELECTS_WEB)),
     "service/s", "service-selects-no-pods=fail"},
    {"no selector: endpoints by hand", DOCUMENT(WEB "," SERVICE("'clusterIP':'None'")), "service/s",
     "service-selects-no-pods=none"},
    {"an empty selector selects nothing and is legal", DOCUMENT(WEB "," SERVICE("'selector':{}")),
     "service/s", "service-selects-no-pods=none"},
    {"ExternalName ignores its selector",
     DOCUMENT(WEB "," SERVICE("'type':'ExternalName','selector':{'app':'gone'}")), "service/s",
     "service-selects-no-pods=none"},
    {"no pods collection", "{'services':[" SERVICE(SELECTS_WEB) "],'nodes':[]}", "service/s",
     "service-selects-no-pods=none"},
    {"named port that a container has", DOCUMENT(WEB "," PORTS("'port':80,'targetPort':'http'")),
     "service/s", "service-target-port-unmatched=pass service-port-invalid=pass"},
    {"named port of another protocol", DOCUMENT(WEB "," PORTS("'port':53,'targetPort':'dns'")),
     "service/s", "service-target-port-unmatched=fail"},
    {"named port of its protocol",
     DOCUMENT(WEB "," PORTS("'port':53,'targetPort':'dns','protocol':'UDP'")), "service/s",
     "service-target-port-unmatched=pass"},
    {"no container has the name", DOCUMENT(WEB "," PORTS("'port':80,'targetPort':'web'")),
     "service/s", "service-target-port-unmatched=fail"},
    {"a number needs no declaration", DOCUMENT(WEB "," PORTS("'port':80,'targetPort':9999")),
     "service/s", "service-target-port-unmatched=none"},
    {"a sidecar serves, an init container does not",
     DOCUMENT(SERVICE(
         SELECTS_WEB
         ",'ports':[{'port':1,'targetPort':'side'}]") ","
                                                      "{'apiVersion':'v1','kind':'Pod','metadata':{"
                                                      "'name':'a','namespace':'shop','labels':"
                                                      "{'app':'web'}},'spec':{'initContainers':[{'"
                                                      "name':'i','image':'a:1','restartPolicy':"
                                                      "'Always','ports':[{'name':'side','"
                                                      "containerPort':1}]}],'containers':[{'name':'"
                                                      "c',"
                                                      "'image':'a:1'}]}}"),
     "service/s", "service-target-port-unmatched=pass"},
    {"an init container serves nothing",
     DOCUMENT(SERVICE(
         SELECTS_WEB
         ",'ports':[{'port':1,'targetPort':'side'}]") ","
                                                      "{'apiVersion':'v1','kind':'Pod','metadata':{"
                                                      "'name':'a','namespace':'shop','labels':"
                                                      "{'app':'web'}},'spec':{'initContainers':[{'"
                                                      "name':'i','image':'a:1',"
                                                      "'ports':[{'name':'side','containerPort':1}]}"
                                                      "],'containers':[{'name':'c',"
                                                      "'image':'a:1'}]}}"),
     "service/s", "service-target-port-unmatched=fail"},
    {"port 0", DOCUMENT(PORTS("'port':0")), "service/s", "service-port-invalid=fail"},
    {"port 65535", DOCUMENT(PORTS("'port':65535,'targetPort':1")), "service/s",
     "service-port-invalid=pass"},
    {"port 65536", DOCUMENT(PORTS("'port':65536")), "service/s", "service-port-invalid=fail"},
    {"a port of twenty digits", DOCUMENT(PORTS("'port':99999999999999999999")), "service/s",
     "service-port-invalid=fail"},
    {"a targetPort of twenty digits", DOCUMENT(PORTS("'port':1,'targetPort':99999999999999999999")),
     "service/s", "service-port-invalid=fail"},
    {"nodePort 0 is none", DOCUMENT(PORTS("'port':1,'nodePort':0")), "service/s",
     "service-port-invalid=pass"},
    {"nodePort 65535", DOCUMENT(PORTS("'port':1,'nodePort':65535")), "service/s",
     "service-port-invalid=pass"},
    {"nodePort 65536", DOCUMENT(PORTS("'port':1,'nodePort':65536")), "service/s",
     "service-port-invalid=fail"},
    {"targetPort of 15 characters", DOCUMENT(PORTS("'port':1,'targetPort':'a23456789012345'")),
     "service/s", "service-port-invalid=pass"},
    {"targetPort of 16 characters", DOCUMENT(PORTS("'port':1,'targetPort':'a234567890123456'")),
     "service/s", "service-port-invalid=fail"},
    {"the name of a Service port may be long",
     DOCUMENT(PORTS("'port':1,'name':'http-metrics-internal'")), "service/s",
     "service-port-invalid=pass"},
    {"container port name without a letter",
     DOCUMENT(POD("'containers':[{'name':'c','image':'a:1','ports':[{'name':'8-0',"
                  "'containerPort':80}]}]")),
     "pod/a", "service-port-invalid=fail"},
    {"hostPort 0 is none",
     DOCUMENT(POD("'containers':[{'name':'c','image':'a:1','ports':[{'hostPort':0,"
                  "'containerPort':80}]}]")),
     "pod/a", "service-port-invalid=pass"},
    {"NodePort", DOCUMENT(SERVICE("'type':'NodePort','ports':[{'port':80,'nodePort':30080}]")),
     "service/s", "service-node-port=fail service-load-balancer-open=pass"},
    {"a node port does not make a NodePort",
     DOCUMENT(SERVICE("'type':'ClusterIP','ports':[{'port':80,'nodePort':30080}]")), "service/s",
     "service-node-port=pass"},
    {"LoadBalancer", DOCUMENT(SERVICE("'type':'LoadBalancer'")), "service/s",
     "service-node-port=pass service-load-balancer-open=fail"},
    {"limited",
     DOCUMENT(SERVICE("'type':'LoadBalancer','loadBalancerSourceRanges':['10.0.0.0/8']")),
     "service/s", "service-load-balancer-open=pass"},
    {"limited to everything",
     DOCUMENT(SERVICE("'type':'LoadBalancer','loadBalancerSourceRanges':['0.0.0.0/0']")),
     "service/s", "service-load-balancer-open=fail"},
    {"internal by annotation",
     DOCUMENT("{'apiVersion':'v1','kind':'Service','metadata':{'name':'s','namespace':'shop',"
              "'annotations':{'service.beta.kubernetes.io/azure-load-balancer-internal':'true'}},"
              "'spec':{'type':'LoadBalancer'}}"),
     "service/s", "service-load-balancer-open=pass"},
    {"the annotation says no",
     DOCUMENT("{'apiVersion':'v1','kind':'Service','metadata':{'name':'s','namespace':'shop',"
              "'annotations':{'service.beta.kubernetes.io/aws-load-balancer-internal':'false'}},"
              "'spec':{'type':'LoadBalancer'}}"),
     "service/s", "service-load-balancer-open=fail"},
    {"external IPs", DOCUMENT(SERVICE("'externalIPs':['192.0.2.1']")), "service/s",
     "service-external-ips=fail"},
    {"no external IPs", DOCUMENT(SERVICE("'externalIPs':[]")), "service/s",
     "service-external-ips=pass"},
};

#define INGRESS_OF(name, meta, spec)                                                               \
    "{'apiVersion':'networking.k8s.io/v1','kind':'Ingress','metadata':{'name':'" name "',"         \
    "'namespace':'shop'" meta "},'spec':{" spec "}}"
#define INGRESS(spec)      INGRESS_OF("i", "", spec)
#define PATHS(host, paths) "'rules':[{'host':'" host "','http':{'paths':[" paths "]}}]"
#define TO(service, port)                                                                          \
    "{'path':'/','pathType':'Prefix','backend':{'service':{'name':'" service "','port':{" port     \
    "}}}}"
#define S80            SERVICE("'ports':[{'name':'http','port':80,'targetPort':8080}]")
#define BACKENDS(a, b) "ingress-backend-missing=" a " ingress-backend-port-missing=" b

static const struct judge_row ingresses[] = {
    {"service and port number", DOCUMENT(S80 "," INGRESS(PATHS("a.test", TO("s", "'number':80")))),
     "ingress/i", BACKENDS("pass", "pass") " ingress-wildcard-host=pass ingress-no-tls=fail"},
    {"port name", DOCUMENT(S80 "," INGRESS(PATHS("a.test", TO("s", "'name':'http'")))), "ingress/i",
     BACKENDS("pass", "pass")},
    {"port name, and a number that is none",
     DOCUMENT(S80 "," INGRESS(PATHS("a.test", TO("s", "'name':'http','number':0")))), "ingress/i",
     BACKENDS("pass", "pass")},
    {"a number that is none, and a port name",
     DOCUMENT(S80 "," INGRESS(PATHS("a.test", TO("s", "'number':0,'name':'dns'")))), "ingress/i",
     BACKENDS("pass", "fail")},
    {"port number, and a name that is none",
     DOCUMENT(S80 "," INGRESS(PATHS("a.test", TO("s", "'number':82,'name':''")))), "ingress/i",
     BACKENDS("pass", "fail")},
    {"a name that is none, and port number",
     DOCUMENT(S80 "," INGRESS(PATHS("a.test", TO("s", "'name':'','number':80")))), "ingress/i",
     BACKENDS("pass", "pass")},
    {"the target port is not a port",
     DOCUMENT(S80 "," INGRESS(PATHS("a.test", TO("s", "'number':8080")))), "ingress/i",
     BACKENDS("pass", "fail")},
    {"no such service", DOCUMENT(S80 "," INGRESS(PATHS("a.test", TO("t", "'number':80")))),
     "ingress/i", BACKENDS("fail", "none")},
    {"service of another namespace",
     DOCUMENT("{'apiVersion':'v1','kind':'Service'," IN(
         "other", "s") ",'spec':{'ports':[{'port':80}]"
                       "}}," INGRESS(PATHS("a.test", TO("s", "'number':80")))),
     "ingress/i", BACKENDS("fail", "none")},
    {"default backend counts",
     DOCUMENT(S80 "," INGRESS("'defaultBackend':{'service':{'name':'t','port':{'number':80}}}")),
     "ingress/i", BACKENDS("fail", "none") " ingress-wildcard-host=none"},
    {"resource backend",
     DOCUMENT(S80 "," INGRESS(PATHS("a.test", "{'path':'/','backend':{'resource':{'kind':'Bucket',"
                                              "'name':'t'}}}"))),
     "ingress/i", BACKENDS("none", "none")},
    {"ExternalName has no ports to speak of",
     DOCUMENT(SERVICE("'type':'ExternalName','externalName':'a.test'") "," INGRESS(
         PATHS("a.test", TO("s", "'number':443")))),
     "ingress/i", BACKENDS("pass", "none")},
    {"v1beta1, port as a number",
     DOCUMENT(S80 ",{'apiVersion':'extensions/v1beta1','kind':'Ingress'," IN(
         "shop",
         "i") ",'spec':{'rules':[{'http':{'paths':[{'backend':{'serviceName':'s','servicePort':80}}"
              "]}}]}}"),
     "ingress/i", BACKENDS("pass", "pass") " ingress-wildcard-host=fail"},
    {"v1beta1, port as text, and the old default backend",
     DOCUMENT(S80 ",{'apiVersion':'networking.k8s.io/v1beta1','kind':'Ingress'," IN(
         "shop", "i") ",'spec':{'backend':{'serviceName':'s','servicePort':'https'}}}"),
     "ingress/i", BACKENDS("pass", "fail")},
    {"an action of the AWS controller is no service",
     DOCUMENT(S80 "," INGRESS(PATHS("a.test", TO("ssl-redirect", "'name':'use-annotation'")))),
     "ingress/i", BACKENDS("none", "none")},
    {"no services collection",
     "{'ingresses':[" INGRESS(PATHS("a.test", TO("s", "'number':80"))) "],'pods':[]}", "ingress/i",
     BACKENDS("none", "none")},
    {"tls", DOCUMENT(INGRESS("'tls':[{'hosts':['a.test'],'secretName':'cert'}]")), "ingress/i",
     "ingress-no-tls=pass ingress-tls-secret-missing=none"},
    {"empty tls", DOCUMENT(INGRESS("'tls':[]")), "ingress/i", "ingress-no-tls=fail"},
    {"certificate by annotation",
     DOCUMENT(INGRESS_OF("i", ",'annotations':{'networking.gke.io/managed-certificates':'c'}", "")),
     "ingress/i", "ingress-no-tls=pass"},
    {"wildcard host", DOCUMENT(INGRESS(PATHS("*.test", TO("s", "'number':80")))), "ingress/i",
     "ingress-wildcard-host=fail"},
};

#define SECRET(name, type)                                                                         \
    "{'apiVersion':'v1','kind':'Secret','metadata':{'name':'" name "','namespace':'shop'},"        \
    "'type':'" type "','data':{'x':'eA=='}}"
#define TLS "'tls':[{'hosts':['a.test'],'secretName':'cert'}]"

static const struct judge_row certificates[] = {
    {"there", DOCUMENT(INGRESS(TLS) "," SECRET("cert", "kubernetes.io/tls")), "ingress/i",
     "ingress-tls-secret-missing=pass"},
    {"not there", DOCUMENT(INGRESS(TLS) "," SECRET("other", "kubernetes.io/tls")), "ingress/i",
     "ingress-tls-secret-missing=fail"},
    {"of another type", DOCUMENT(INGRESS(TLS) "," SECRET("cert", "Opaque")), "ingress/i",
     "ingress-tls-secret-missing=fail"},
    {"of another type but with what it takes",
     DOCUMENT(INGRESS(TLS) ",{'apiVersion':'v1','kind':'Secret'," IN(
         "shop", "cert") ",'type':'Opaque','data':{'tls.crt':'eA==','tls.key':'eA=='}}"),
     "ingress/i", "ingress-tls-secret-missing=pass"},
    {"of no type, which is Opaque",
     DOCUMENT(INGRESS(TLS) ",{'apiVersion':'v1','kind':'Secret'," IN("shop", "cert") ",'data':{'x':"
                                                                                     "'eA=='}}"),
     "ingress/i", "ingress-tls-secret-missing=fail"},
    {"of no type and with nothing in it: nobody knows",
     DOCUMENT(INGRESS(TLS) ",{'apiVersion':'v1','kind':'Secret'," IN("shop", "cert") "}"),
     "ingress/i", "ingress-tls-secret-missing=pass"},
    {"cert-manager is told of its name",
     DOCUMENT(INGRESS_OF("i", ",'annotations':{'cert-manager.io/common-name':'a.test'}",
                         TLS) "," SECRET("other", "Opaque")),
     "ingress/i", "ingress-tls-secret-missing=none"},
    {"cert-manager is told how to prove it",
     DOCUMENT(INGRESS_OF("i", ",'annotations':{'acme.cert-manager.io/http01-edit-in-place':'true'}",
                         TLS) "," SECRET("other", "Opaque")),
     "ingress/i", "ingress-tls-secret-missing=none"},
    {"cert-manager makes it",
     DOCUMENT(INGRESS_OF("i", ",'annotations':{'cert-manager.io/cluster-issuer':'le'}",
                         TLS) "," SECRET("other", "Opaque")),
     "ingress/i", "ingress-tls-secret-missing=none"},
    {"the controller's own certificate",
     DOCUMENT(INGRESS("'tls':[{'hosts':['a.test']}]") "," SECRET("other", "Opaque")), "ingress/i",
     "ingress-tls-secret-missing=none"},
};

#define RIVAL(meta, spec) INGRESS_OF("j", meta, spec)
#define CLAIM             PATHS("a.test", TO("s", "'number':80"))
#define EXACT                                                                                      \
    PATHS("a.test", "{'path':'/','pathType':'Exact','backend':{'service':{'name':'s','port':{"     \
                    "'number':80}}}}")

static const struct judge_row conflicts[] = {
    {"the same host and path", DOCUMENT(INGRESS(CLAIM) "," RIVAL("", CLAIM)), "ingress/i",
     "ingress-host-conflict=fail"},
    {"both are told", DOCUMENT(INGRESS(CLAIM) "," RIVAL("", CLAIM)), "ingress/j",
     "ingress-host-conflict=fail"},
    {"twice in one ingress", DOCUMENT(INGRESS(PATHS("a.test", TO("s", "") "," TO("t", "")))),
     "ingress/i", "ingress-host-conflict=pass"},
    {"of different classes",
     DOCUMENT(INGRESS("'ingressClassName':'inner'," CLAIM) "," RIVAL("", CLAIM)), "ingress/i",
     "ingress-host-conflict=pass"},
    {"the class by field and by annotation",
     DOCUMENT(INGRESS("'ingressClassName':'nginx'," CLAIM) "," RIVAL(
         ",'annotations':{'kubernetes.io/ingress.class':'nginx'}", CLAIM)),
     "ingress/i", "ingress-host-conflict=fail"},
    {"exact and prefix do not meet", DOCUMENT(INGRESS(CLAIM) "," RIVAL("", EXACT)), "ingress/i",
     "ingress-host-conflict=pass"},
    {"a canary shares on purpose",
     DOCUMENT(INGRESS(CLAIM) "," RIVAL(
         ",'annotations':{'nginx.ingress.kubernetes.io/canary':'true'}", CLAIM)),
     "ingress/i", "ingress-host-conflict=pass"},
    {"no path is /",
     DOCUMENT(INGRESS(CLAIM) "," RIVAL(
         "", PATHS("a.test", "{'backend':{'service':{'name':'s','port':{}}}}"))),
     "ingress/i", "ingress-host-conflict=fail"},
    {"another path",
     DOCUMENT(INGRESS(CLAIM) "," RIVAL(
         "", PATHS("a.test", "{'path':'/x','backend':{'service':{'name':'s'}}}"))),
     "ingress/i", "ingress-host-conflict=pass"},
};

#define ROWS(table)                                                                                \
    static void table##_rows(void **state)                                                         \
    {                                                                                              \
        (void)state;                                                                               \
        judge_rows(table, sizeof table / sizeof *table);                                           \
    }

ROWS(isolation)
ROWS(policies)
ROWS(namespaces)
ROWS(services)
ROWS(ingresses)
ROWS(certificates)
ROWS(conflicts)

/* A rule that names ports, and policies of a kind that is not read, make a finding lesser. */
static void lesser_findings(void **state)
{
    (void)state;
    struct judgement judgement = judgement_open(
        DOCUMENT(WEB "," POLICY("'podSelector':{},'ingress':[{'ports':[{'port':80}]}]")), NULL);
    const struct risk *risk =
        judgement_risk(&judgement, "networkpolicy-allow-all", "networkpolicy/p");
    assert_non_null(risk);
    assert_int_equal(risk->severity, SEVERITY_LOW);
    judgement_close(&judgement);
    judgement = judgement_open(
        DOCUMENT(WEB ",{'apiVersion':'cilium.io/v2','kind':'CiliumNetworkPolicy'," IN(
            "shop", "c") ",'spec':{}}"),
        NULL);
    risk = judgement_risk(&judgement, "pod-ingress-not-isolated", "deployment/web");
    assert_non_null(risk);
    assert_int_equal(risk->severity, SEVERITY_LOW);
    judgement_close(&judgement);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(isolation_rows),  cmocka_unit_test(policies_rows),
        cmocka_unit_test(namespaces_rows), cmocka_unit_test(services_rows),
        cmocka_unit_test(ingresses_rows),  cmocka_unit_test(certificates_rows),
        cmocka_unit_test(conflicts_rows),  cmocka_unit_test(lesser_findings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
