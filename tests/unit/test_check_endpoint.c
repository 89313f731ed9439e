#include "live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define SERVICE                                                                                    \
    "{'apiVersion':'v1','kind':'Service','metadata':{'name':'a','namespace':'shop'},'spec':{'"     \
    "selector':{'app':'a'},'ports':[{'port':80}]}}"
#define SLICE(conditions)                                                                          \
    "{'apiVersion':'discovery.k8s.io/"                                                             \
    "v1','kind':'EndpointSlice','metadata':{'name':'a-x','namespace':'shop','labels':{'"           \
    "kubernetes.io/service-name':'a'}},'endpoints':[" conditions "]}"
#define FAMILY(n, endpoints)                                                                       \
    "{'apiVersion':'discovery.k8s.io/v1','kind':'EndpointSlice','addressType':'IPv" n              \
    "','metadata':{'name':'a-" n "','namespace':'shop','labels':{"                                 \
    "'kubernetes.io/service-name':'a'}},'endpoints':[" endpoints "]}"
#define SELECTED "'labels':{'app':'a'},"

static void services(void **state)
{
    static const struct judge_row rows[] = {
        {"none ready",
         DOCUMENT(SERVICE "," SLICE("{'conditions':{'ready':false}}") "," LIVE(
             SELECTED, "", "'phase':'Running'")),
         "service/a", "service-no-ready-endpoints=fail service-single-endpoint=none"},
        {"an empty slice",
         DOCUMENT(SERVICE "," SLICE("") "," LIVE(SELECTED, "", "'phase':'Running'")), "service/a",
         "service-no-ready-endpoints=fail"},
        {"ready not said is ready",
         DOCUMENT(SERVICE
                  "," SLICE("{'conditions':{}}") "," LIVE(SELECTED, "", "'phase':'Running'")),
         "service/a", "service-no-ready-endpoints=pass service-single-endpoint=fail"},
        {"two",
         DOCUMENT(SERVICE
                  "," SLICE("{'conditions':{'ready':true}},{'conditions':{'ready':true}}") "," LIVE(
                      SELECTED, "", "'phase':'Running'")),
         "service/a", "service-no-ready-endpoints=pass service-single-endpoint=pass"},
        {"one pod with an address of each family",
         DOCUMENT(SERVICE "," FAMILY("4", "{}") "," FAMILY("6", "{}") "," LIVE(
             SELECTED, "", "'phase':'Running'")),
         "service/a", "service-no-ready-endpoints=pass service-single-endpoint=fail"},
        {"two pods, of which one has both",
         DOCUMENT(SERVICE "," FAMILY("4", "{}") "," FAMILY("6", "{},{}") "," LIVE(
             SELECTED, "", "'phase':'Running'")),
         "service/a", "service-no-ready-endpoints=pass service-single-endpoint=pass"},
        {"only the second family",
         DOCUMENT(SERVICE "," FAMILY("6", "{}") "," LIVE(SELECTED, "", "'phase':'Running'")),
         "service/a", "service-no-ready-endpoints=pass service-single-endpoint=fail"},
        {"no pod matches", DOCUMENT(SERVICE "," SLICE("") "," LIVE("", "", "'phase':'Running'")),
         "service/a", "service-no-ready-endpoints=none"},
        {"a pod without a status",
         DOCUMENT(SERVICE "," SLICE("{'conditions':{'ready':false}}") "," LIVE(SELECTED, "", "")),
         "service/a", "service-no-ready-endpoints=fail"},
        {"a pod on its way out",
         DOCUMENT(SERVICE "," SLICE("{'conditions':{'ready':false}}") "," LIVE(
             SELECTED "'deletionTimestamp':'2026-03-17T12:00:00Z',", "", "'phase':'Running'")),
         "service/a", "service-no-ready-endpoints=none"},
        {"a pod that should have gone long ago",
         DOCUMENT(SERVICE "," SLICE("{'conditions':{'ready':false}}") "," LIVE(
             SELECTED "'deletionTimestamp':'2026-03-17T11:00:00Z',", "", "'phase':'Running'")),
         "service/a", "service-no-ready-endpoints=fail"},
        {"only pods that are done",
         DOCUMENT(SERVICE "," SLICE("") "," LIVE(SELECTED, "", "'phase':'Succeeded'")), "service/a",
         "service-no-ready-endpoints=none"},
        {"no endpoints in the snapshot",
         DOCUMENT(SERVICE "," LIVE(SELECTED, "", "'phase':'Running'")), "service/a",
         "service-no-ready-endpoints=none service-single-endpoint=none"},
        {"the old API",
         DOCUMENT(SERVICE
                  ",{'apiVersion':'v1','kind':'Endpoints','metadata':{'name':'a','namespace':'shop'"
                  "},'subsets':[{'notReadyAddresses':[{'ip':'10.0.0.1'}]}]}," LIVE(
                      SELECTED, "", "'phase':'Running'")),
         "service/a", "service-no-ready-endpoints=fail"},
    };
    (void)state;
    ROWS(rows);
}

#define CLAIM(created, class, phase)                                                               \
    "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'a','namespace':'shop'," \
    "'creationTimestamp':'2026-03-17T" created                                                     \
    "Z'},'spec':{" class "'volumeName':''},'status':{" phase "}}"
#define CLASS(mode)                                                                                \
    "{'apiVersion':'storage.k8s.io/"                                                               \
    "v1','kind':'StorageClass','metadata':{'name':'fast'},'volumeBindingMode':'" mode "'}"
#define FAST   "'storageClassName':'fast',"
#define MOUNTS "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'a'}}],"

static void claims(void **state)
{
    static const struct judge_row rows[] = {
        {"pending", DOCUMENT(CLAIM("11:54:00", FAST, "'phase':'Pending'") "," CLASS("Immediate")),
         "persistentvolumeclaim/a", "pvc-pending=fail"},
        {"young", DOCUMENT(CLAIM("11:56:00", FAST, "'phase':'Pending'") "," CLASS("Immediate")),
         "persistentvolumeclaim/a", "pvc-pending=pass"},
        {"waits for a pod",
         DOCUMENT(CLAIM("10:00:00", FAST, "'phase':'Pending'") "," CLASS("WaitForFirstConsumer")),
         "persistentvolumeclaim/a", "pvc-pending=pass"},
        {"waits though a pod is there",
         DOCUMENT(CLAIM("10:00:00", FAST, "'phase':'Pending'") "," CLASS(
             "WaitForFirstConsumer") "," LIVE("", MOUNTS, "'phase':'Pending'")),
         "persistentvolumeclaim/a", "pvc-pending=fail"},
        {"its class is not in the snapshot", CLAIM("10:00:00", FAST, "'phase':'Pending'"),
         "persistentvolumeclaim/a", "pvc-pending=none"},
        {"its class is not in the snapshot, but it names its volume",
         "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'a','namespace':"
         "'shop'},'spec':{'storageClassName':'fast','volumeName':'v'},'status':{'phase':'Pending'"
         "}}",
         "persistentvolumeclaim/a", "pvc-pending=fail"},
        {"a node was chosen for it",
         DOCUMENT("{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'a',"
                  "'namespace':'shop','annotations':{'volume.kubernetes.io/selected-node':'n'}},"
                  "'spec':{'storageClassName':'fast'},'status':{'phase':'Pending'}}," CLASS(
                      "WaitForFirstConsumer")),
         "persistentvolumeclaim/a", "pvc-pending=fail"},
        {"its class does not exist",
         DOCUMENT(CLAIM("10:00:00", "'storageClassName':'slow',",
                        "'phase':'Pending'") "," CLASS("Immediate")),
         "persistentvolumeclaim/a", "pvc-pending=fail"},
        {"no class at all", CLAIM("10:00:00", "", "'phase':'Pending'"), "persistentvolumeclaim/a",
         "pvc-pending=fail"},
        {"bound", CLAIM("10:00:00", FAST, "'phase':'Bound'"), "persistentvolumeclaim/a",
         "pvc-pending=pass pvc-lost=pass"},
        {"lost", CLAIM("10:00:00", FAST, "'phase':'Lost'"), "persistentvolumeclaim/a",
         "pvc-lost=fail"},
        {"a manifest", CLAIM("10:00:00", FAST, ""), "persistentvolumeclaim/a",
         "pvc-pending=none pvc-lost=none"},
        {"a volume that failed",
         "{'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'v'},'spec':{},'status':{"
         "'phase':'Failed'}}",
         "persistentvolume/v", "pvc-lost=fail"},
        {"a volume that was released",
         "{'apiVersion':'v1','kind':'PersistentVolume','metadata':{'name':'v'},'spec':{},'status':{"
         "'phase':'Released'}}",
         "persistentvolume/v", "pvc-lost=pass"},
    };
    (void)state;
    ROWS(rows);
}

#define METRICS(memory)                                                                            \
    "{'apiVersion':'metrics.k8s.io/"                                                               \
    "v1beta1','kind':'PodMetrics','metadata':{'name':'a','namespace':'shop'},'containers':[{'"     \
    "name':'c','usage':{'cpu':'1','memory':'" memory "'}}]}"

static void usage(void **state)
{
    static const struct judge_row rows[] = {
        {"nearly all", DOCUMENT(LIVE("", "", "'phase':'Running'") "," METRICS("235930Ki")), "pod/a",
         "container-usage-near-limit=fail"},
        {"a little less", DOCUMENT(LIVE("", "", "'phase':'Running'") "," METRICS("235929Ki")),
         "pod/a", "container-usage-near-limit=pass"},
        {"no limit",
         DOCUMENT(
             "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'shop'},'spec':{'"
             "containers':[{'name':'c'}]},'status':{'phase':'Running'}}," METRICS("9Gi")),
         "pod/a", "container-usage-near-limit=none"},
        {"no metrics", LIVE("", "", "'phase':'Running'"), "pod/a",
         "container-usage-near-limit=none"},
    };
    (void)state;
    ROWS(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(services),
        cmocka_unit_test(claims),
        cmocka_unit_test(usage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
