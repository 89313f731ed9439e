/* Command lines of the control plane's static pods, against the CIS benchmark. */
#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define STATIC(name, namespace, containers)                                                        \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name                                    \
    "-m1','namespace':'" namespace "'},'spec':{'nodeName':'m1','containers':[" containers "]}}"
#define RUNS(name, words) "{'name':'" name "','command':['" name "'" words "]}"
#define PART(name, words) STATIC(name, "kube-system", RUNS(name, words))
#define SERVER(words)     PART("kube-apiserver", words)
#define MANAGER(words)    PART("kube-controller-manager", words)
#define SCHEDULER(words)  PART("kube-scheduler", words)
#define ETCD(words)       PART("etcd", words)

#define GOOD_ACCESS                                                                                \
    ",'--anonymous-auth=false','--authorization-mode=Node,RBAC','--client-ca-file=/ca'"            \
    ",'--profiling=false'"
#define ACCESS(expected) "pod/kube-apiserver-m1", "api-server-access=" expected

static void access(void **state)
{
    static const struct judge_row rows[] = {
        {"as it should be", SERVER(GOOD_ACCESS), ACCESS("pass")},
        {"nothing said", SERVER(""), ACCESS("fail")},
        {"everybody may do everything",
         SERVER(",'--anonymous-auth=false','--profiling=false','--client-ca-file=/ca',"
                "'--authorization-mode=AlwaysAllow'"),
         ACCESS("fail")},
        {"without Node",
         SERVER(",'--anonymous-auth=false','--profiling=false','--client-ca-file=/ca',"
                "'--authorization-mode=RBAC,Webhook'"),
         ACCESS("fail")},
        {"tokens in a file", SERVER(GOOD_ACCESS ",'--token-auth-file=/t'"), ACCESS("fail")},
        {"files say who is let in, and what they may",
         SERVER(",'--authentication-config=/a','--authorization-config=/b','--client-ca-file=/ca',"
                "'--profiling=false'"),
         ACCESS("pass")},
        {"of two the last counts",
         SERVER(GOOD_ACCESS ",'--anonymous-auth=true','--anonymous-auth=false'"), ACCESS("pass")},
        {"the last one is wrong", SERVER(GOOD_ACCESS ",'--anonymous-auth=true'"), ACCESS("fail")},
        {"a value that was taken out",
         SERVER(",'--anonymous-auth=***HIDDEN***','--authorization-mode=Node,RBAC',"
                "'--client-ca-file=/ca','--profiling=false'"),
         ACCESS("pass")},
        {"its arguments stand apart",
         STATIC("kube-apiserver", "kube-system",
                "{'name':'kube-apiserver','command':['/usr/local/bin/kube-apiserver'],'args':["
                "'--anonymous-auth=false','--authorization-mode=Node,RBAC','--client-ca-file=/ca',"
                "'--profiling=false']}"),
         ACCESS("pass")},
        {"a script runs it",
         STATIC("kube-apiserver", "kube-system",
                "{'name':'kube-apiserver','command':['/bin/bash','-ec'],'args':['exec x']}"),
         ACCESS("none")},
        {"a pod of that name elsewhere",
         STATIC("kube-apiserver", "shop", RUNS("kube-apiserver", "")), ACCESS("none")},
        {"another program in it", STATIC("kube-apiserver", "kube-system", RUNS("konnectivity", "")),
         ACCESS("none")},
    };
    (void)state;
    ROWS(rows);
}

static void the_api_server(void **state)
{
#define SAYS(expected) "pod/kube-apiserver-m1", expected
    static const struct judge_row rows[] = {
        {"nothing said", SERVER(""),
         SAYS("api-server-admission=fail api-server-audit=fail secrets-not-encrypted=fail "
              "api-server-tls=fail controller-manager-flags=none scheduler-flags=none "
              "etcd-tls=none")},
        {"admission as it should be",
         SERVER(",'--enable-admission-plugins=NodeRestriction,DenyServiceExternalIPs,"
                "EventRateLimit'"),
         SAYS("api-server-admission=pass")},
        {"everything admitted",
         SERVER(",'--enable-admission-plugins=NodeRestriction,DenyServiceExternalIPs,"
                "EventRateLimit,AlwaysAdmit'"),
         SAYS("api-server-admission=fail")},
        {"accounts not looked after",
         SERVER(",'--enable-admission-plugins=NodeRestriction,DenyServiceExternalIPs,"
                "EventRateLimit','--disable-admission-plugins=PodSecurity,ServiceAccount'"),
         SAYS("api-server-admission=fail")},
        {"an audit log that is kept",
         SERVER(",'--audit-policy-file=/p','--audit-log-path=/var/log/a','--audit-log-maxage=30',"
                "'--audit-log-maxbackup=10','--audit-log-maxsize=100'"),
         SAYS("api-server-audit=pass")},
        {"an audit log without a policy: nothing is written",
         SERVER(",'--audit-log-path=/var/log/a','--audit-log-maxage=30','--audit-log-maxbackup=10',"
                "'--audit-log-maxsize=100'"),
         SAYS("api-server-audit=fail")},
        {"a policy of no name",
         SERVER(",'--audit-policy-file=','--audit-log-path=/var/log/a','--audit-log-maxage=30',"
                "'--audit-log-maxbackup=10','--audit-log-maxsize=100'"),
         SAYS("api-server-audit=fail")},
        {"a policy, and no log", SERVER(",'--audit-policy-file=/p'"),
         SAYS("api-server-audit=fail")},
        {"one that is not kept long",
         SERVER(",'--audit-policy-file=/p','--audit-log-path=/var/log/a','--audit-log-maxage=7',"
                "'--audit-log-maxbackup=10','--audit-log-maxsize=100'"),
         SAYS("api-server-audit=fail")},
        {"one that goes elsewhere",
         SERVER(",'--audit-policy-file=/p','--audit-webhook-config-file=/w'"),
         SAYS("api-server-audit=pass")},
        {"one that goes elsewhere, without a policy", SERVER(",'--audit-webhook-config-file=/w'"),
         SAYS("api-server-audit=fail")},
        {"encrypted", SERVER(",'--encryption-provider-config=/e'"),
         SAYS("secrets-not-encrypted=pass")},
        {"encrypted by a file of no name", SERVER(",'--encryption-provider-config='"),
         SAYS("secrets-not-encrypted=fail")},
        {"certificates",
         SERVER(",'--kubelet-client-certificate=/c','--kubelet-client-key=/k',"
                "'--kubelet-certificate-authority=/a','--service-account-key-file=/s',"
                "'--etcd-certfile=/c','--etcd-keyfile=/k','--etcd-cafile=/a','--tls-cert-file=/c',"
                "'--tls-private-key-file=/k'"),
         SAYS("api-server-tls=pass")},
        {"a script runs it",
         STATIC("kube-apiserver", "kube-system", "{'name':'c','command':['/bin/bash']}"),
         SAYS("api-server-admission=none api-server-audit=none secrets-not-encrypted=none "
              "api-server-tls=none")},
    };
#undef SAYS
    (void)state;
    ROWS(rows);
}

static void the_others(void **state)
{
    static const struct judge_row rows[] = {
        {"a manager as it should be",
         MANAGER(",'--terminated-pod-gc-threshold=10','--profiling=false','--root-ca-file=/a',"
                 "'--use-service-account-credentials','--bind-address=127.0.0.1',"
                 "'--service-account-private-key-file=/k'"),
         "pod/kube-controller-manager-m1", "controller-manager-flags=pass scheduler-flags=none"},
        {"a manager of which nothing is said", MANAGER(""), "pod/kube-controller-manager-m1",
         "controller-manager-flags=fail"},
        {"certificates of kubelets not rotated",
         MANAGER(",'--terminated-pod-gc-threshold=10','--profiling=false','--root-ca-file=/a',"
                 "'--use-service-account-credentials=true','--bind-address=127.0.0.1',"
                 "'--service-account-private-key-file=/k',"
                 "'--feature-gates=A=true,RotateKubeletServerCertificate=false'"),
         "pod/kube-controller-manager-m1", "controller-manager-flags=fail"},
        {"a scheduler as it should be",
         SCHEDULER(",'--profiling=false','--bind-address=127.0.0.1'"), "pod/kube-scheduler-m1",
         "scheduler-flags=pass controller-manager-flags=none"},
        {"a scheduler that listens to all", SCHEDULER(",'--profiling=false','--bind-address=::'"),
         "pod/kube-scheduler-m1", "scheduler-flags=fail"},
        {"a scheduler with a file", SCHEDULER(",'--config=/etc/s.yaml','--bind-address=127.0.0.1'"),
         "pod/kube-scheduler-m1", "scheduler-flags=pass"},
        {"etcd as it should be",
         ETCD(",'--cert-file=/c','--key-file=/k','--client-cert-auth=true','--peer-cert-file=/c',"
              "'--peer-key-file=/k','--peer-client-cert-auth=true'"),
         "pod/etcd-m1", "etcd-tls=pass"},
        {"etcd that makes its own certificates",
         ETCD(",'--cert-file=/c','--key-file=/k','--client-cert-auth=true','--peer-cert-file=/c',"
              "'--peer-key-file=/k','--peer-client-cert-auth=true','--auto-tls'"),
         "pod/etcd-m1", "etcd-tls=fail"},
        {"etcd that lets in everybody", ETCD(",'--cert-file=/c','--key-file=/k'"), "pod/etcd-m1",
         "etcd-tls=fail"},
        {"etcd with a file", ETCD(",'--config-file=/etc/etcd.yaml'"), "pod/etcd-m1",
         "etcd-tls=none"},
    };
    (void)state;
    ROWS(rows);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    struct judgement judgement = judgement_open(
        ETCD(",'--cert-file=/c','--key-file=/k','--peer-cert-file=/c','--peer-key-file=/k',"
             "'--peer-client-cert-auth=true','--auto-tls=true'"),
        NULL);
    const struct risk *risk = judgement_risk(&judgement, "etcd-tls", "pod/etcd-m1");
    assert_non_null(risk);
    assert_true(str_eq(risk->message, STR("Of etcd, --client-cert-auth is not true (CIS 2.2), "
                                          "--auto-tls is true (CIS 2.3).")));
    assert_int_equal(risk->severity, SEVERITY_HIGH);
    judgement_close(&judgement);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(access),
        cmocka_unit_test(the_api_server),
        cmocka_unit_test(the_others),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
