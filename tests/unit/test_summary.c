/* Summary items: what they say is read where it stands, nothing else is made up. */
#include "reading.h"

#include "kube/status.h"

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
        {"'status':'Evicted','ready':7,'restarts':'x'", "Failed", "Evicted", "", "", TRI_ABSENT,
         NUMBER_ABSENT},
        {"'status':'Init:ErrImagePull','ready':0", "Pending", "Init:ErrImagePull", "ErrImagePull",
         "", TRI_FALSE, NUMBER_ABSENT},
        {"'status':'Error','reason':'gone'", "", "Error", "", "Error", TRI_ABSENT, NUMBER_ABSENT},
        {"'status':'Terminating','reason':'gone'", "", "Terminating", "", "", TRI_ABSENT,
         NUMBER_ABSENT},
        {"'status':'NotReady','phase':'Unknown'", "Unknown", "NotReady", "", "", TRI_FALSE,
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
        assert_text(pod->node_name, "n");
        assert_text(pod->spec->containers.items[0].image, "i");
        assert_text(pod->phase, rows[i].phase);
        assert_text(pod->reason, rows[i].reason);
        assert_int_equal(pod->summary_ready, rows[i].ready);
        assert_true(pod->summary_restarts == rows[i].restarts);
        bool told = rows[i].waiting[0] || rows[i].terminated[0];
        assert_int_equal(pod->containers.n, told);
        if (told) {
            assert_text(waiting_reason(container), rows[i].waiting);
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
        "{'name':'c'}],'daemonsets':[{'name':'d','replicas':4}],"
        "'namespaces':[{'name':'n','status':'Terminating'}],'services':[{'name':'s'}]}",
        READING_PLAIN, 0);
    assert_text(reading_counts(&reading), "Deployment 3, DaemonSet 1, Service 1, Namespace 1");
    const struct cluster *cluster = reading.cluster;
    const struct workload *a = cluster->roots.items[0], *b = cluster->roots.items[1];
    const struct workload *c = cluster->roots.items[2], *d = cluster->roots.items[3];
    assert_true(a->replicas == 3 && a->ready_replicas == 2 && a->available_replicas == 1);
    assert_text(a->conditions.items[0].status, "False");
    assert_true(b->replicas == 2 && b->ready_replicas == 1 &&
                b->available_replicas == NUMBER_ABSENT);
    assert_true(c->replicas == NUMBER_ABSENT && c->spec->partial && c->spec->containers.n == 0);
    assert_true(d->desired_scheduled == 4 && d->replicas == NUMBER_ABSENT);
    assert_text(cluster->namespaces.items[0]->phase, "Terminating");
    reading_close(&reading);
}

/* ready: the status of Ready, "-" when there is no such condition; conditions: how many there are.
 */
static void nodes(void **state)
{
    static const struct {
        const char *members, *ready;
        uint32_t conditions;
        enum tri unschedulable;
    } rows[] = {
        {"", "-", 0, TRI_ABSENT},
        {"'status':'Ready'", "True", 1, TRI_ABSENT},
        {"'status':'ready'", "True", 1, TRI_ABSENT},
        {"'status':'Ready,SchedulingDisabled'", "True", 1, TRI_TRUE},
        {"'status':'NotReady,SchedulingDisabled'", "False", 1, TRI_TRUE},
        {"'status':'Unknown,SchedulingDisabled'", "Unknown", 1, TRI_TRUE},
        {"'status':'NotReady'", "False", 1, TRI_ABSENT},
        {"'status':'notready'", "False", 1, TRI_ABSENT},
        {"'phase':'NOTREADY'", "False", 1, TRI_ABSENT},
        {"'status':'Unknown'", "Unknown", 1, TRI_ABSENT},
        {"'status':'fine','phase':'Running'", "-", 0, TRI_ABSENT},
        {"'ready':true", "True", 1, TRI_ABSENT},
        {"'ready':false", "False", 1, TRI_ABSENT},
        {"'ready':1", "True", 1, TRI_ABSENT},
        {"'ready':0", "False", 1, TRI_ABSENT},
        {"'ready':'0'", "False", 1, TRI_ABSENT},
        {"'ready':-1", "-", 0, TRI_ABSENT},
        {"'ready':7", "-", 0, TRI_ABSENT},
        {"'ready':'unknown'", "Unknown", 1, TRI_ABSENT},
        {"'ready':'yes'", "-", 0, TRI_ABSENT},
        {"'ready':null", "-", 0, TRI_ABSENT},
        {"'ready':false,'status':'Ready'", "False", 1, TRI_ABSENT},
        {"'ready':true,'status':'NotReady'", "False", 1, TRI_ABSENT},
        {"'ready':true,'status':'Unknown'", "Unknown", 1, TRI_ABSENT},
        {"'conditions':{'Ready':'True','DiskPressure':'False'}", "True", 2, TRI_ABSENT},
        {"'conditions':{'Ready':false,'DiskPressure':true}", "False", 2, TRI_ABSENT},
        {"'conditions':{'Ready':true}", "True", 1, TRI_ABSENT},
        {"'conditions':{'Ready':'true'}", "True", 1, TRI_ABSENT},
        {"'conditions':{'Ready':'true','Ready':false}", "False", 1, TRI_ABSENT},
        {"'conditions':{'Ready':'well'}", "-", 0, TRI_ABSENT},
        {"'conditions':{'Ready':null,'PIDPressure':1}", "-", 0, TRI_ABSENT},
        {"'conditions':[{'type':'Ready','status':false}]", "False", 1, TRI_ABSENT},
        {"'conditions':[{'type':'Ready','status':true}]", "True", 1, TRI_ABSENT},
        {"'conditions':[{'type':'Ready'},{'type':'DiskPressure','status':'True'}]", "-", 1,
         TRI_ABSENT},
        {"'status':'NotReady','conditions':{'DiskPressure':'False'}", "False", 2, TRI_ABSENT},
        {"'ready':false,'conditions':[{'type':'DiskPressure','status':'False'}]", "False", 2,
         TRI_ABSENT},
        {"'status':'NotReady','conditions':{'Ready':'True'}", "True", 1, TRI_ABSENT},
        {"'status':'NotReady','conditions':[]", "False", 1, TRI_ABSENT},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char document[256];
        snprintf(document, sizeof document, "{'nodes':[{'name':'n'%s%s}]}",
                 rows[i].members[0] ? "," : "", rows[i].members);
        struct reading reading = reading_open(document, READING_PLAIN, 2);
        const struct node *node = reading.cluster->nodes.items[0];
        const struct condition *ready = condition_find(node->conditions, STR("Ready"));
        assert_text(ready ? ready->status : STR("-"), rows[i].ready);
        assert_int_equal(node->conditions.n, rows[i].conditions);
        assert_int_equal(node->unschedulable, rows[i].unschedulable);
        assert_int_equal(node_ready(node) == TRI_FALSE,
                         rows[i].ready[0] == 'F' || rows[i].ready[0] == 'U');
        reading_close(&reading);
    }
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
        cmocka_unit_test(nodes),
        cmocka_unit_test(native),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
