/* Summary items: what they say is read where it stands, nothing else is made up. */
#include "reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void pods(void **state)
{
    static const struct {
        const char *members, *phase, *reason, *waiting, *terminated;
        enum tri ready;
        int64_t restarts;
    } rows[] = {
        {"", "", "", "", "", TRI_ABSENT, NUMBER_ABSENT},
        {"'status':'Running','ready':true,'restarts':3", "Running", "", "", "", TRI_TRUE, 3},
        {"'status':'Running','phase':'Pending'", "Pending", "", "", "", TRI_ABSENT, NUMBER_ABSENT},
        {"'status':'CrashLoopBackOff','restartCount':9,'ready':'0/1'", "", "CrashLoopBackOff",
         "CrashLoopBackOff", "", TRI_FALSE, 9},
        {"'phase':'Pending','reason':'ImagePullBackOff'", "Pending", "ImagePullBackOff",
         "ImagePullBackOff", "", TRI_ABSENT, NUMBER_ABSENT},
        {"'phase':'Pending','reason':'CreateContainerConfigError'", "Pending",
         "CreateContainerConfigError", "CreateContainerConfigError", "", TRI_ABSENT, NUMBER_ABSENT},
        {"'status':'OOMKilled','ready':'False'", "", "OOMKilled", "", "OOMKilled", TRI_FALSE,
         NUMBER_ABSENT},
        {"'status':'Completed','ready':'1/1'", "", "Completed", "", "", TRI_TRUE, NUMBER_ABSENT},
        {"'status':'Evicted','ready':7,'restarts':'x'", "", "Evicted", "", "", TRI_ABSENT,
         NUMBER_ABSENT},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char document[512];
        snprintf(
            document, sizeof document,
            "{'pods':[{'name':'p','namespace':'s','labels':{'a':'b'},'node':'n','image':'i'%s%s}]}",
            rows[i].members[0] ? "," : "", rows[i].members);
        struct reading reading = reading_open(document, READING_PLAIN, 2);
        assert_text(reading_counts(&reading), "Pod 1");
        const struct pod *pod = reading.cluster->pods.items[0];
        const struct container_status *container = pod->containers.items;
        assert_true(pod->object.summary && pod->spec->partial);
        assert_text(pod->object.meta.name, "p");
        assert_text(pod->object.meta.namespace, "s");
        assert_int_equal(pod->object.meta.labels.n, 1);
        assert_true(pod->object.meta.created == TIME_NONE);
        assert_text(pod->spec->node_name, "n");
        assert_text(pod->spec->containers.items[0].image, "i");
        assert_text(pod->phase, rows[i].phase);
        assert_text(pod->reason, rows[i].reason);
        assert_int_equal(pod->summary_ready, rows[i].ready);
        assert_true(pod->summary_restarts == rows[i].restarts);
        bool told = rows[i].waiting[0] || rows[i].terminated[0];
        assert_int_equal(pod->containers.n, told);
        if (told) {
            assert_text(container->waiting_reason, rows[i].waiting);
            assert_int_equal(container->terminated != NULL, rows[i].terminated[0] != 0);
        }
        reading_close(&reading);
    }
}

static void others(void **state)
{
    (void)state;
    struct reading reading = reading_open(
        "{'deployments':[{'name':'a','replicas':3,'readyReplicas':2,'availableReplicas':1,"
        "'conditions':[{'type':'Available','status':'False'}]},{'name':'b','ready':'1/2'},"
        "{'name':'c'}],'nodes':[{'name':'a','status':'Ready,SchedulingDisabled'},{'name':'b',"
        "'status':'NotReady'},{'name':'c','ready':false},{'name':'d','conditions':{'Ready':'True',"
        "'DiskPressure':'False'}},{'name':'e'}],'daemonsets':[{'name':'d','replicas':4}],"
        "'namespaces':[{'name':'n','status':'Terminating'}],'services':[{'name':'s'}]}",
        READING_PLAIN, 0);
    assert_text(reading_counts(&reading),
                "Deployment 3, DaemonSet 1, Service 1, Namespace 1, Node 5");
    const struct cluster *cluster = reading.cluster;
    const struct workload *a = cluster->roots.items[0], *b = cluster->roots.items[1];
    const struct workload *c = cluster->roots.items[2], *d = cluster->roots.items[3];
    assert_true(a->replicas == 3 && a->ready_replicas == 2 && a->available_replicas == 1);
    assert_text(a->conditions.items[0].status, "False");
    assert_true(b->replicas == 2 && b->ready_replicas == 1 &&
                b->available_replicas == NUMBER_ABSENT);
    assert_true(c->replicas == NUMBER_ABSENT && c->spec->partial && c->spec->containers.n == 0);
    assert_true(d->desired_scheduled == 4 && d->replicas == NUMBER_ABSENT);
    static const char *const ready[] = {"True", "False", "False", "", ""};
    for (int i = 0; i < 5; i++)
        if (ready[i][0])
            assert_text(cluster->nodes.items[i]->conditions.items[0].status, ready[i]);
    assert_int_equal(cluster->nodes.items[0]->unschedulable, TRI_TRUE);
    assert_int_equal(cluster->nodes.items[3]->conditions.n, 2);
    assert_int_equal(cluster->nodes.items[4]->conditions.n, 0);
    assert_text(cluster->namespaces.items[0]->phase, "Terminating");
    reading_close(&reading);
}

/* With metadata it is a native object, whatever else stands there. */
static void native(void **state)
{
    (void)state;
    struct reading reading = reading_open("{'pods':[{'name':'x','status':'Running','metadata':"
                                          "{'name':'p'},'restarts':3}]}",
                                          READING_PLAIN, 0);
    const struct pod *pod = reading.cluster->pods.items[0];
    assert_false(pod->object.summary);
    assert_text(pod->object.meta.name, "p");
    assert_text(pod->phase, "");
    assert_true(pod->summary_restarts == NUMBER_ABSENT && pod->summary_ready == TRI_ABSENT);
    assert_null(pod->spec);
    reading_close(&reading);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pods),
        cmocka_unit_test(others),
        cmocka_unit_test(native),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
