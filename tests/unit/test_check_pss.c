/* The Pod Security Standards, control by control, as their text says; each container-level control
 * in containers, initContainers and ephemeralContainers, in a Pod and in a Deployment's template.
 */
#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- controls of containers ---- */

#define SECURITY(fields) "'securityContext':{" fields "}"
#define GOOD_FIELDS                                                                                \
    "'allowPrivilegeEscalation':false,'runAsNonRoot':true,'runAsUser':10001,"                      \
    "'runAsGroup':10001,'readOnlyRootFilesystem':true,"                                            \
    "'seccompProfile':{'type':'RuntimeDefault'}"
#define GOOD SECURITY(GOOD_FIELDS ",'capabilities':{'drop':['ALL']}")

struct control_row {
    const char *name;
    const char *container; /* members of the container under test */
    const char *expected;
    const char *pod; /* further members of the pod spec, ended by a comma */
};

#define OS(operator, values)                                                                       \
    "{'matchExpressions':[{'key':'kubernetes.io/os','operator':'" operator"','values':[" values    \
                                                                          "]}]}"
#define REQUIRED(terms)                                                                            \
    "'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{"               \
    "'nodeSelectorTerms':[" terms "]}}},"

static const struct control_row controls[] = {
    {"all good", GOOD,
     "privileged-container=pass capabilities-dangerous=pass capabilities-beyond-baseline=pass "
     "capabilities-not-dropped=pass capabilities-added=pass net-raw-capability=pass "
     "privilege-escalation-allowed=pass run-as-user-zero=pass run-as-root-allowed=pass "
     "run-as-non-root-unenforced=pass root-group=pass seccomp-unconfined=pass "
     "seccomp-profile-unset=pass apparmor-disabled=pass selinux-custom-options=pass "
     "proc-mount-unmasked=pass windows-host-process=pass host-port=pass unsafe-sysctl=pass "
     "probe-host-override=pass host-pid=pass host-ipc=pass host-network=pass "
     "host-path-volume=pass restricted-volume-type=pass share-process-namespace=pass",
     ""},
    {"nothing said", "'image':'a'",
     "privileged-container=pass capabilities-beyond-baseline=pass capabilities-not-dropped=fail "
     "capabilities-added=pass net-raw-capability=fail privilege-escalation-allowed=fail "
     "run-as-user-zero=pass run-as-root-allowed=fail run-as-non-root-unenforced=fail "
     "seccomp-unconfined=pass seccomp-profile-unset=fail apparmor-disabled=pass",
     ""},
    {"null is absent", "'securityContext':null",
     "privileged-container=pass capabilities-not-dropped=fail privilege-escalation-allowed=fail "
     "run-as-root-allowed=fail seccomp-profile-unset=fail",
     ""},
    {"null fields",
     SECURITY("'privileged':null,'capabilities':null,'seccompProfile':null,'procMount':null,"
              "'seLinuxOptions':null,'runAsUser':null,'runAsNonRoot':null"),
     "privileged-container=pass capabilities-not-dropped=fail run-as-root-allowed=fail "
     "seccomp-unconfined=pass seccomp-profile-unset=fail proc-mount-unmasked=pass "
     "selinux-custom-options=pass",
     ""},
    /* privileged */
    {"privileged", SECURITY("'privileged':true"), "privileged-container=fail", ""},
    {"not privileged", SECURITY("'privileged':false"), "privileged-container=pass", ""},
    /* capabilities */
    {"adds a baseline capability",
     SECURITY(GOOD_FIELDS ",'capabilities':{'drop':['ALL'],'add':['CHOWN']}"),
     "capabilities-beyond-baseline=pass capabilities-added=fail capabilities-not-dropped=pass "
     "capabilities-dangerous=pass net-raw-capability=pass",
     ""},
    {"adds all of baseline",
     SECURITY("'capabilities':{'add':['AUDIT_WRITE','CHOWN','DAC_OVERRIDE','FOWNER','FSETID',"
              "'KILL','MKNOD','NET_BIND_SERVICE','SETFCAP','SETGID','SETPCAP','SETUID',"
              "'SYS_CHROOT']}"),
     "capabilities-beyond-baseline=pass capabilities-dangerous=pass", ""},
    {"adds NET_BIND_SERVICE",
     SECURITY("'capabilities':{'drop':['ALL'],'add':['NET_BIND_SERVICE']}"),
     "capabilities-added=pass capabilities-not-dropped=pass", ""},
    {"adds NET_RAW", SECURITY("'capabilities':{'drop':['ALL'],'add':['NET_RAW']}"),
     "capabilities-beyond-baseline=fail capabilities-added=fail net-raw-capability=fail "
     "capabilities-dangerous=pass",
     ""},
    {"lower case is none of the names", SECURITY("'capabilities':{'add':['chown']}"),
     "capabilities-beyond-baseline=fail capabilities-added=fail", ""},
    {"a prefix is none of the names", SECURITY("'capabilities':{'add':['CAP_CHOWN']}"),
     "capabilities-beyond-baseline=fail capabilities-added=fail", ""},
    {"harm is harm in any spelling", SECURITY("'capabilities':{'add':['cap_sys_admin']}"),
     "capabilities-dangerous=fail capabilities-beyond-baseline=fail", ""},
    {"adds ALL", SECURITY("'capabilities':{'add':['ALL']}"),
     "capabilities-dangerous=fail net-raw-capability=fail", ""},
    {"drops all in lower case", SECURITY("'capabilities':{'drop':['all']}"),
     "capabilities-not-dropped=fail net-raw-capability=pass", ""},
    {"drops CAP_NET_RAW", SECURITY("'capabilities':{'drop':['CAP_NET_RAW']}"),
     "net-raw-capability=fail", ""},
    {"drops NET_RAW only", SECURITY("'capabilities':{'drop':['NET_RAW']}"),
     "net-raw-capability=pass capabilities-not-dropped=fail", ""},
    {"empty lists", SECURITY("'capabilities':{'drop':[],'add':[]}"),
     "capabilities-not-dropped=fail capabilities-added=pass", ""},
    {"Windows has no capabilities", "'image':'a'",
     "capabilities-not-dropped=pass capabilities-added=pass net-raw-capability=pass "
     "privilege-escalation-allowed=pass seccomp-profile-unset=pass run-as-root-allowed=pass "
     "run-as-non-root-unenforced=fail",
     "'os':{'name':'windows'},"},
    /* privilege escalation */
    {"escalation allowed", SECURITY("'allowPrivilegeEscalation':true"),
     "privilege-escalation-allowed=fail", ""},
    {"escalation refused", SECURITY("'allowPrivilegeEscalation':false"),
     "privilege-escalation-allowed=pass", ""},
    {"escalation refused in vain: privileged",
     SECURITY("'allowPrivilegeEscalation':false,'privileged':true"),
     "privilege-escalation-allowed=fail", ""},
    {"escalation refused in vain: SYS_ADMIN",
     SECURITY("'allowPrivilegeEscalation':false,'capabilities':{'add':['SYS_ADMIN']}"),
     "privilege-escalation-allowed=fail", ""},
    {"escalation refused in vain: SYS_ADMIN in another spelling",
     SECURITY("'allowPrivilegeEscalation':false,'capabilities':{'add':['cap_sys_admin']}"),
     "privilege-escalation-allowed=fail", ""},
    {"escalation refused in vain: ALL holds SYS_ADMIN",
     SECURITY("'allowPrivilegeEscalation':false,'capabilities':{'add':['ALL']}"),
     "privilege-escalation-allowed=fail", ""},
    {"escalation refused, another capability",
     SECURITY("'allowPrivilegeEscalation':false,'capabilities':{'add':['NET_ADMIN']}"),
     "privilege-escalation-allowed=pass", ""},
    {"Windows has no escalation", "'image':'a'", "privilege-escalation-allowed=pass",
     "'os':{'name':'windows'},"},
    {"on Windows nodes by nodeSelector", "'image':'a'",
     "privilege-escalation-allowed=pass seccomp-profile-unset=pass",
     "'nodeSelector':{'kubernetes.io/os':'windows'},"},
    {"on Windows nodes by affinity", "'image':'a'", "privilege-escalation-allowed=pass",
     REQUIRED(OS("In", "'windows'"))},
    {"one of the terms allows others", "'image':'a'", "privilege-escalation-allowed=fail",
     REQUIRED(OS("In", "'windows'") "," OS("In", "'linux'"))},
    {"one of the systems is another", "'image':'a'", "privilege-escalation-allowed=fail",
     REQUIRED(OS("In", "'windows','linux'"))},
    {"anything but Windows", "'image':'a'", "privilege-escalation-allowed=fail",
     REQUIRED(OS("NotIn", "'windows'"))},
    {"Linux says spec.os, whatever the nodes", "'image':'a'", "privilege-escalation-allowed=fail",
     "'os':{'name':'linux'},'nodeSelector':{'kubernetes.io/os':'windows'},"},
    /* users */
    {"root", SECURITY("'runAsUser':0"),
     "run-as-user-zero=fail run-as-root-allowed=fail run-as-non-root-unenforced=fail", ""},
    {"a user of its own", SECURITY("'runAsUser':1000"),
     "run-as-user-zero=pass run-as-root-allowed=pass run-as-non-root-unenforced=fail", ""},
    {"non-root", SECURITY("'runAsNonRoot':true"),
     "run-as-user-zero=pass run-as-root-allowed=pass run-as-non-root-unenforced=pass", ""},
    {"root and non-root contradict each other", SECURITY("'runAsNonRoot':true,'runAsUser':0"),
     "run-as-user-zero=fail run-as-root-allowed=fail run-as-non-root-unenforced=pass", ""},
    {"pod says non-root", "'image':'a'", "run-as-root-allowed=pass run-as-non-root-unenforced=pass",
     SECURITY("'runAsNonRoot':true") ","},
    {"container takes back what the pod says", SECURITY("'runAsNonRoot':false"),
     "run-as-root-allowed=fail run-as-non-root-unenforced=fail",
     SECURITY("'runAsNonRoot':true") ","},
    {"the pod's false counts even when containers say true", GOOD,
     "run-as-non-root-unenforced=fail run-as-root-allowed=pass",
     SECURITY("'runAsNonRoot':false") ","},
    {"pod is root, container is not", SECURITY("'runAsUser':1000"), "run-as-user-zero=fail",
     SECURITY("'runAsUser':0") ","},
    {"users of its own", SECURITY("'runAsUser':0,'runAsNonRoot':false"),
     "run-as-user-zero=pass run-as-root-allowed=pass run-as-non-root-unenforced=pass",
     "'hostUsers':false,"},
    {"users of the host", SECURITY("'runAsUser':0"), "run-as-user-zero=fail", "'hostUsers':true,"},
    {"group root", SECURITY("'runAsGroup':0"), "root-group=fail", ""},
    {"group root of the pod", SECURITY("'runAsUser':5"), "root-group=fail",
     SECURITY("'runAsGroup':0") ","},
    {"a group instead of the pod's", SECURITY("'runAsGroup':5"), "root-group=pass",
     SECURITY("'supplementalGroups':[5]") ","},
    {"volumes of group root", GOOD, "root-group=fail", SECURITY("'fsGroup':0") ","},
    {"further group root", GOOD, "root-group=fail", SECURITY("'supplementalGroups':[5,0]") ","},
    {"further group root as text", GOOD, "root-group=fail",
     SECURITY("'supplementalGroups':['5','0']") ","},
    {"further groups that are no numbers", GOOD, "root-group=pass",
     SECURITY("'supplementalGroups':[null,'','x',0.5,true,[0]]") ","},
    /* seccomp */
    {"unconfined", SECURITY("'seccompProfile':{'type':'Unconfined'}"),
     "seccomp-unconfined=fail seccomp-profile-unset=fail", ""},
    {"unknown profile", SECURITY("'seccompProfile':{'type':'runtime/default'}"),
     "seccomp-unconfined=fail seccomp-profile-unset=fail", ""},
    {"local profile", SECURITY("'seccompProfile':{'type':'Localhost','localhostProfile':'a.json'}"),
     "seccomp-unconfined=pass seccomp-profile-unset=pass", ""},
    {"profile of the pod", "'image':'a'", "seccomp-profile-unset=pass",
     SECURITY("'seccompProfile':{'type':'RuntimeDefault'}") ","},
    {"the pod's profile is the worse one, and overridden", GOOD,
     "seccomp-unconfined=fail seccomp-profile-unset=pass",
     SECURITY("'seccompProfile':{'type':'Unconfined'}") ","},
    {"the pod's profile is the worse one, and inherited", "'image':'a'",
     "seccomp-unconfined=fail seccomp-profile-unset=fail",
     SECURITY("'seccompProfile':{'type':'Unconfined'}") ","},
    /* AppArmor */
    {"AppArmor off", SECURITY("'appArmorProfile':{'type':'Unconfined'}"), "apparmor-disabled=fail",
     ""},
    {"AppArmor local", SECURITY("'appArmorProfile':{'type':'Localhost','localhostProfile':'a'}"),
     "apparmor-disabled=pass", ""},
    {"AppArmor off for the pod", GOOD, "apparmor-disabled=fail",
     SECURITY("'appArmorProfile':{'type':'Unconfined'}") ","},
    /* SELinux */
    {"SELinux type", SECURITY("'seLinuxOptions':{'type':'spc_t'}"), "selinux-custom-options=fail",
     ""},
    {"SELinux engine", SECURITY("'seLinuxOptions':{'type':'container_engine_t','level':'s0'}"),
     "selinux-custom-options=pass", ""},
    {"SELinux kvm", SECURITY("'seLinuxOptions':{'type':'container_kvm_t'}"),
     "selinux-custom-options=pass", ""},
    {"SELinux empty", SECURITY("'seLinuxOptions':{'type':'','user':'','role':''}"),
     "selinux-custom-options=pass", ""},
    {"SELinux user", SECURITY("'seLinuxOptions':{'user':'system_u'}"),
     "selinux-custom-options=fail", ""},
    {"SELinux role", SECURITY("'seLinuxOptions':{'role':'system_r'}"),
     "selinux-custom-options=fail", ""},
    {"SELinux of the pod", GOOD, "selinux-custom-options=fail",
     SECURITY("'seLinuxOptions':{'type':'spc_t'}") ","},
    /* /proc */
    {"unmasked", SECURITY("'procMount':'Unmasked'"), "proc-mount-unmasked=fail", ""},
    {"masked", SECURITY("'procMount':'Default'"), "proc-mount-unmasked=pass", ""},
    {"unmasked in a user namespace", SECURITY("'procMount':'Unmasked'"), "proc-mount-unmasked=fail",
     "'hostUsers':false,"},
    /* host process */
    {"host process", SECURITY("'windowsOptions':{'hostProcess':true}"), "windows-host-process=fail",
     ""},
    {"no host process", SECURITY("'windowsOptions':{'hostProcess':false}"),
     "windows-host-process=pass", ""},
    {"host process of the pod", GOOD, "windows-host-process=fail",
     SECURITY("'windowsOptions':{'hostProcess':true}") ","},
    /* host ports */
    {"host port", "'ports':[{'containerPort':80,'hostPort':80}]", "host-port=fail", ""},
    {"host port 0", "'ports':[{'containerPort':80,'hostPort':0}]", "host-port=pass", ""},
    {"no host port", "'ports':[{'containerPort':80}]", "host-port=pass", ""},
    {"host port of the host network", "'ports':[{'containerPort':80,'hostPort':80}]",
     "host-network=fail host-port=pass", "'hostNetwork':true,"},
    {"host port, host network refused", "'ports':[{'containerPort':80,'hostPort':80}]",
     "host-network=pass host-port=fail", "'hostNetwork':false,"},
    /* the pod itself */
    {"host network", GOOD, "host-network=fail host-pid=pass", "'hostNetwork':true,"},
    {"host PID", GOOD, "host-pid=fail host-ipc=pass", "'hostPID':true,"},
    {"host IPC", GOOD, "host-ipc=fail host-network=pass", "'hostIPC':true,"},
    {"host namespaces refused", GOOD, "host-ipc=pass host-pid=pass host-network=pass",
     "'hostIPC':false,'hostPID':false,'hostNetwork':false,"},
    {"shared processes", GOOD, "share-process-namespace=fail", "'shareProcessNamespace':true,"},
    {"safe sysctl", GOOD, "unsafe-sysctl=pass",
     SECURITY("'sysctls':[{'name':'kernel.shm_rmid_forced','value':'0'},"
              "{'name':'net.ipv4.tcp_rmem','value':'4096'}]") ","},
    {"unsafe sysctl", GOOD, "unsafe-sysctl=fail",
     SECURITY("'sysctls':[{'name':'net.ipv4.tcp_syncookies','value':'1'},"
              "{'name':'kernel.msgmax','value':'1'}]") ","},
};

/* The three lists a container can stand in; the others hold good ones. */
static const char *const lists[] = {
    "'containers':[{'name':'bad',%s}],'initContainers':[{'name':'i'," GOOD "}]",
    "'containers':[{'name':'c'," GOOD "}],'initContainers':[{'name':'bad',%s},{'name':'i'," GOOD
    "}]",
    "'containers':[{'name':'c'," GOOD "}],'initContainers':[{'name':'bad','restartPolicy':'Always',"
    "%s}]",
    "'containers':[{'name':'c'," GOOD "}],'ephemeralContainers':[{'name':'bad',%s}]",
};

static const struct {
    const char *frame, *resource;
} frames[] = {
    {POD("%s%s"), "pod/a"},
    {DEPLOYMENT("%s%s"), "deployment/a"},
};

static void expect_control(struct arena *arena, const struct control_row *row, const char *list,
                           const char *frame, const char *resource)
{
    struct str containers = arena_printf(arena, list, row->container);
    struct str document = arena_printf(arena, frame, row->pod, containers.p);
    const struct judge_row one = {row->name, document.p, resource, row->expected};
    judge_rows(&one, 1);
}

static void every_control_in_every_list(void **state)
{
    (void)state;
    struct arena *arena = arena_new(1 << 20);
    for (size_t r = 0; r < COUNT(controls); r++)
        for (size_t l = 0; l < COUNT(lists); l++)
            for (size_t f = 0; f < COUNT(frames); f++) {
                expect_control(arena, &controls[r], lists[l], frames[f].frame, frames[f].resource);
                arena_reset(arena);
            }
    arena_free(arena);
}

/* ---- controls that ephemeral containers lack, and those of the pod ---- */

#define MAIN(fields) "'containers':[{'name':'c','image':'a'," fields "}]"
#define INIT(fields) "'containers':[{'name':'c'}],'initContainers':[{'name':'i'," fields "}]"

static const struct judge_row other_rows[] = {
    {"liveness asks a host", POD(MAIN("'livenessProbe':{'httpGet':{'host':'a.b','port':80}}")),
     "pod/a", "probe-host-override=fail"},
    {"readiness asks a host", POD(MAIN("'readinessProbe':{'tcpSocket':{'host':'a.b','port':80}}")),
     "pod/a", "probe-host-override=fail"},
    {"startup asks itself by address",
     POD(MAIN("'startupProbe':{'httpGet':{'host':'127.0.0.1','port':80}}")), "pod/a",
     "probe-host-override=fail"},
    {"postStart asks a host",
     POD(MAIN("'lifecycle':{'postStart':{'httpGet':{'host':'a.b','port':80}}}")), "pod/a",
     "probe-host-override=fail"},
    {"preStop asks a host",
     POD(MAIN("'lifecycle':{'preStop':{'tcpSocket':{'host':'a.b','port':80}}}")), "pod/a",
     "probe-host-override=fail"},
    {"sidecar asks a host",
     POD(INIT("'restartPolicy':'Always','livenessProbe':{'httpGet':{'host':'a.b','port':80}}")),
     "pod/a", "probe-host-override=fail"},
    {"empty host", POD(MAIN("'livenessProbe':{'httpGet':{'host':'','port':80}}")), "pod/a",
     "probe-host-override=pass"},
    {"AppArmor annotation",
     OBJECT("v1", "Pod",
            ",'annotations':{'container.apparmor.security.beta.kubernetes.io/c':'unconfined'}",
            ",'spec':{" MAIN(GOOD) "}"),
     "pod/a", "apparmor-disabled=fail"},
    {"AppArmor annotation allowed",
     OBJECT("v1", "Pod",
            ",'annotations':{'container.apparmor.security.beta.kubernetes.io/c':'localhost/x',"
            "'container.apparmor.security.beta.kubernetes.io/d':'runtime/default',"
            "'container.apparmor.security.beta.kubernetes.io/e':''}",
            ",'spec':{" MAIN(GOOD) "}"),
     "pod/a", "apparmor-disabled=pass"},
    {"AppArmor annotation of a template",
     OBJECT("apps/v1", "Deployment", "",
            ",'spec':{'template':{'metadata':{'annotations':{'container.apparmor.security.beta."
            "kubernetes.io/c':'unconfined'}},'spec':{" MAIN(GOOD) "}}}"),
     "deployment/a", "apparmor-disabled=fail"},
    {"seccomp annotations have no effect",
     OBJECT("v1", "Pod",
            ",'annotations':{'seccomp.security.alpha.kubernetes.io/pod':'runtime/default'}",
            ",'spec':{" MAIN("'ports':[]") "}"),
     "pod/a", "seccomp-profile-unset=fail seccomp-unconfined=pass"},
    {"writable root", POD(MAIN("'ports':[]")), "pod/a", "writable-root-filesystem=fail"},
    {"read-only root", POD(MAIN(GOOD)), "pod/a", "writable-root-filesystem=pass"},
    {"read-only root at pod level does not exist",
     POD(SECURITY("'readOnlyRootFilesystem':true") "," MAIN("'ports':[]")), "pod/a",
     "writable-root-filesystem=fail"},
    {"init containers write too", POD(INIT("'image':'a'")), "pod/a",
     "writable-root-filesystem=fail"},
    {"ephemeral containers may write", POD(MAIN(GOOD) ",'ephemeralContainers':[{'name':'e'}]"),
     "pod/a", "writable-root-filesystem=pass"},
    {"ids from 10000", POD(MAIN(SECURITY("'runAsUser':10000,'runAsGroup':10000"))), "pod/a",
     "low-uid-gid=pass"},
    {"user 9999", POD(MAIN(SECURITY("'runAsUser':9999,'runAsGroup':10000"))), "pod/a",
     "low-uid-gid=fail"},
    {"no group", POD(MAIN(SECURITY("'runAsUser':20000"))), "pod/a", "low-uid-gid=fail"},
    {"no containers", POD("'containers':[]"), "pod/a",
     "privileged-container=none host-pid=pass capabilities-not-dropped=none"},
    {"no spec", OBJECT("v1", "Pod", "", ""), "pod/a",
     "privileged-container=none host-pid=none seccomp-unconfined=none host-path-volume=none"},
    {"a name only", "{'pods':[{'name':'a','namespace':'shop','status':'Running'}]}", "pod/a",
     "privileged-container=none host-pid=none naked-pod=none"},
};

static void other_controls(void **state)
{
    (void)state;
    judge_rows(other_rows, COUNT(other_rows));
}

/* ---- who is blamed ---- */

#define OWNED(name, spec)                                                                          \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name                                    \
    "','namespace':'shop','ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':"  \
    "'a-1','uid':'2','controller':true}]},'spec':{" spec "}}"
#define REPLICA_SET                                                                                \
    "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{'name':'a-1','namespace':'shop',"     \
    "'uid':'2','ownerReferences':[{'apiVersion':'apps/v1','kind':'Deployment','name':'a','uid':"   \
    "'1','controller':true}]},'spec':{'template':{'spec':{" MAIN(GOOD) "}}}}"
#define PRIVILEGED(name) "{'name':'" name "','image':'x','securityContext':{'privileged':true}}"

static const struct judge_row blame_rows[] = {
    {"an ephemeral container of a live pod",
     DOCUMENT(DEPLOYMENT(MAIN(GOOD)) "," REPLICA_SET "," OWNED(
         "a-1-x", MAIN(GOOD) ",'ephemeralContainers':[" PRIVILEGED("debug") "]")),
     "deployment/a", "privileged-container=fail"},
    {"a container that something injected",
     DOCUMENT(DEPLOYMENT(MAIN(GOOD)) "," REPLICA_SET "," OWNED(
         "a-1-x", "'containers':[{'name':'c'," GOOD "}," PRIVILEGED("agent") "]")),
     "deployment/a", "privileged-container=fail"},
    {"a mesh's sidecar is not the application's fault",
     DOCUMENT(DEPLOYMENT(MAIN(GOOD)) "," REPLICA_SET "," OWNED(
         "a-1-x", "'containers':[{'name':'c'," GOOD "}," PRIVILEGED("istio-proxy") "]")),
     "deployment/a", "privileged-container=pass"},
    {"unless the template itself has it",
     DEPLOYMENT("'containers':[" PRIVILEGED("istio-proxy") "]"), "deployment/a",
     "privileged-container=fail"},
    {"nor that of an owner known from pods only",
     DOCUMENT(OWNED("a-1-x", "'containers':[{'name':'c'," GOOD "}," PRIVILEGED("istio-init") "]")),
     "replicaset/a-1", "privileged-container=pass"},
    {"nor that of a live pod on its own",
     DOCUMENT(OBJECT("v1", "Pod", ",'uid':'1','creationTimestamp':'2026-03-01T00:00:00Z'",
                     ",'spec':{'containers':[{'name':'c'," GOOD
                     "}," PRIVILEGED("istio-proxy") "]}")),
     "pod/a", "privileged-container=pass"},
    {"its author put it into the manifest of a pod",
     POD("'containers':[" PRIVILEGED("istio-proxy") "]"), "pod/a", "privileged-container=fail"},
    {"an owner known from pods only",
     DOCUMENT(OWNED("a-1-x", "'containers':[" PRIVILEGED("c") "]")), "replicaset/a-1",
     "privileged-container=fail"},
    {"owned objects are not judged again",
     DOCUMENT(DEPLOYMENT(MAIN(SECURITY("'privileged':true"))) "," REPLICA_SET "," OWNED(
         "a-1-x", MAIN(SECURITY("'privileged':true")))),
     "deployment/a", "privileged-container=fail"},
};

static void blame(void **state)
{
    (void)state;
    judge_rows(blame_rows, COUNT(blame_rows));
    struct judgement judgement = judgement_open(blame_rows[COUNT(blame_rows) - 1].document, NULL);
    assert_null(judgement_risk(&judgement, "privileged-container", "pod/a-1-x"));
    assert_null(judgement_risk(&judgement, "privileged-container", "replicaset/a-1"));
    judgement_close(&judgement);
}

/* ---- severities and sentences ---- */

static void escalation_is_graver_when_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *context;
        enum severity severity;
    } rows[] = {
        {"'runAsUser':1", SEVERITY_MEDIUM},
        {"'allowPrivilegeEscalation':true", SEVERITY_HIGH},
        {"'privileged':true", SEVERITY_HIGH},
        {"'capabilities':{'add':['SYS_ADMIN']}", SEVERITY_HIGH},
        {"'allowPrivilegeEscalation':false,'privileged':true", SEVERITY_HIGH},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct arena *arena = arena_new(1 << 16);
        struct str document = arena_printf(arena, POD(MAIN(SECURITY("%s"))), rows[i].context);
        struct judgement judgement = judgement_open(document.p, NULL);
        const struct risk *risk =
            judgement_risk(&judgement, "privilege-escalation-allowed", "pod/a");
        assert_non_null(risk);
        assert_int_equal(risk->severity, rows[i].severity);
        judgement_close(&judgement);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_control_in_every_list),
        cmocka_unit_test(other_controls),
        cmocka_unit_test(blame),
        cmocka_unit_test(escalation_is_graver_when_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
