#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define COUNT(array)    (sizeof(array) / sizeof *(array))
#define VOLUME(source)  POD("'containers':[{'name':'c'}],'volumes':[{'name':'v'," source "}]")
#define HOST_PATH(path) VOLUME("'hostPath':{'path':'" path "'}")
#define MOUNTED(list, mount)                                                                       \
    POD("'" list "':[{'name':'m','volumeMounts':[{'name':'v','mountPath':'/m'" mount               \
        "}]}],'volumes':[{'name':'v','hostPath':{'path':'/srv'}}]")

static const struct judge_row rows[] = {
    /* restricted volume types: the standard's list, and what is left */
    {"no source is an emptyDir", POD("'containers':[{'name':'c'}],'volumes':[{'name':'v'}]"),
     "pod/a", "restricted-volume-type=pass host-path-volume=pass"},
    {"configMap", VOLUME("'configMap':{'name':'x'}"), "pod/a", "restricted-volume-type=pass"},
    {"csi", VOLUME("'csi':{'driver':'x'}"), "pod/a", "restricted-volume-type=pass"},
    {"downwardAPI", VOLUME("'downwardAPI':{'items':[]}"), "pod/a", "restricted-volume-type=pass"},
    {"emptyDir", VOLUME("'emptyDir':{}"), "pod/a", "restricted-volume-type=pass"},
    {"ephemeral", VOLUME("'ephemeral':{'volumeClaimTemplate':{}}"), "pod/a",
     "restricted-volume-type=pass"},
    {"image", VOLUME("'image':{'reference':'x'}"), "pod/a", "restricted-volume-type=pass"},
    {"persistentVolumeClaim", VOLUME("'persistentVolumeClaim':{'claimName':'x'}"), "pod/a",
     "restricted-volume-type=pass"},
    {"projected", VOLUME("'projected':{'sources':[]}"), "pod/a", "restricted-volume-type=pass"},
    {"secret", VOLUME("'secret':{'secretName':'x'}"), "pod/a", "restricted-volume-type=pass"},
    {"hostPath", HOST_PATH("/srv"), "pod/a", "restricted-volume-type=fail host-path-volume=fail"},
    {"nfs", VOLUME("'nfs':{'server':'x','path':'/'}"), "pod/a",
     "restricted-volume-type=fail host-path-volume=pass"},
    {"gitRepo", VOLUME("'gitRepo':{'repository':'x'}"), "pod/a", "restricted-volume-type=fail"},
    {"rbd", VOLUME("'rbd':{}"), "pod/a", "restricted-volume-type=fail"},
    {"a source of tomorrow", VOLUME("'hologram':{}"), "pod/a", "restricted-volume-type=fail"},
    {"null source", VOLUME("'hostPath':null,'emptyDir':{}"), "pod/a",
     "restricted-volume-type=pass host-path-volume=pass"},

    /* paths of the node */
    {"root", HOST_PATH("/"), "pod/a", "host-path-sensitive=fail"},
    {"root by another name", HOST_PATH("/srv/.."), "pod/a", "host-path-sensitive=fail"},
    {"below /etc", HOST_PATH("/etc/ssl/certs"), "pod/a", "host-path-sensitive=fail"},
    {"/etc with slashes", HOST_PATH("//etc//"), "pod/a", "host-path-sensitive=fail"},
    {"beside /etc", HOST_PATH("/etcetera"), "pod/a", "host-path-sensitive=pass"},
    {"/var", HOST_PATH("/var/"), "pod/a", "host-path-sensitive=fail"},
    {"below /var", HOST_PATH("/var/log"), "pod/a", "host-path-sensitive=pass"},
    {"out of /var/log", HOST_PATH("/var/log/../lib/kubelet/pods"), "pod/a",
     "host-path-sensitive=fail"},
    {"/run", HOST_PATH("/run"), "pod/a", "host-path-sensitive=fail"},
    {"where a socket is", HOST_PATH("/var/run/crio/"), "pod/a",
     "host-path-sensitive=fail container-runtime-socket=pass"},
    {"where k3s has its socket", HOST_PATH("/run/k3s/containerd"), "pod/a",
     "host-path-sensitive=fail"},
    {"where k3s has the rest", HOST_PATH("/run/k3s"), "pod/a", "host-path-sensitive=pass"},
    {"beside it", HOST_PATH("/run/crio-logs"), "pod/a", "host-path-sensitive=pass"},
    {"below it", HOST_PATH("/run/containerd/io"), "pod/a", "host-path-sensitive=pass"},
    {"docker socket", HOST_PATH("/var/run/docker.sock"), "pod/a",
     "container-runtime-socket=fail host-path-sensitive=pass"},
    {"containerd socket", HOST_PATH("/run/k3s/containerd/containerd.sock"), "pod/a",
     "container-runtime-socket=fail"},
    {"another socket", HOST_PATH("/run/app.sock"), "pod/a", "container-runtime-socket=pass"},

    /* mounts */
    {"mounted for writing", MOUNTED("containers", ""), "pod/a", "host-path-writable=fail"},
    {"mounted read-only", MOUNTED("containers", ",'readOnly':true"), "pod/a",
     "host-path-writable=pass"},
    {"explicitly writable", MOUNTED("containers", ",'readOnly':false"), "pod/a",
     "host-path-writable=fail"},
    {"init container writes", MOUNTED("initContainers", ""), "pod/a", "host-path-writable=fail"},
    {"ephemeral container writes", MOUNTED("ephemeralContainers", ""), "pod/a",
     "host-path-writable=fail"},
    {"not mounted at all", HOST_PATH("/srv"), "pod/a", "host-path-writable=pass"},

    /* memory */
    {"memory without end", VOLUME("'emptyDir':{'medium':'Memory'}"), "pod/a",
     "memory-emptydir-unbounded=fail"},
    {"memory with a limit", VOLUME("'emptyDir':{'medium':'Memory','sizeLimit':'64Mi'}"), "pod/a",
     "memory-emptydir-unbounded=pass"},
    {"a disk", VOLUME("'emptyDir':{}"), "pod/a", "memory-emptydir-unbounded=pass"},
};

static void volumes(void **state)
{
    (void)state;
    judge_rows(rows, COUNT(rows));
}

/* One mistake, four findings, one payer. */
static void one_socket_is_paid_once(void **state)
{
    (void)state;
    struct judgement judgement = judgement_open(
        POD("'containers':[{'name':'c','volumeMounts':[{'name':'v','mountPath':'/m'}]}],"
            "'volumes':[{'name':'v','hostPath':{'path':'/var/run/docker.sock'}}]"),
        NULL);
    const char *const absorbed[] = {"host-path-volume", "host-path-writable",
                                    "restricted-volume-type"};
    const struct risk *payer = judgement_risk(&judgement, "container-runtime-socket", "pod/a");
    assert_true(payer && payer->impact > 0 && !payer->absorbed_by);
    for (size_t i = 0; i < COUNT(absorbed); i++) {
        const struct risk *risk = judgement_risk(&judgement, absorbed[i], "pod/a");
        assert_non_null(risk);
        assert_int_equal(risk->impact, 0);
        assert_ptr_equal(risk->absorbed_by, payer->check);
    }
    judgement_close(&judgement);
}

/* No API server takes such a volume, but a manifest may hold it. */
static void no_path_is_a_directory(void **state)
{
    static const struct {
        const char *check, *message;
    } said[] = {
        {"host-path-volume", "Volume v is a directory of the node."},
        {"host-path-writable", "Container c may write to a directory of the node (volume v)."},
    };
    (void)state;
    struct judgement judgement = judgement_open(
        POD("'containers':[{'name':'c','volumeMounts':[{'name':'v','mountPath':'/m'}]}],"
            "'volumes':[{'name':'v','hostPath':{}}]"),
        NULL);
    for (size_t i = 0; i < COUNT(said); i++) {
        const struct risk *risk = judgement_risk(&judgement, said[i].check, "pod/a");
        assert_non_null(risk);
        assert_true(str_eq(risk->message, str_of(said[i].message)));
    }
    judgement_close(&judgement);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes),
        cmocka_unit_test(one_socket_is_paid_once),
        cmocka_unit_test(no_path_is_a_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
