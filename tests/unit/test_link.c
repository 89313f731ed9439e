/* Owners, services and nodes: what belongs to what, whatever the order of the snapshot. */
#include "reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define OWNER(version, kind, name)                                                                 \
    "'ownerReferences':[{'apiVersion':'" version "','kind':'" kind "','name':'" name               \
    "','uid':'u','controller':true}]"
#define OBJECT(version, kind, name, meta)                                                          \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'namespace':'shop','name':'" name   \
    "'" meta "}"
#define POD(name, meta)        OBJECT("v1", "Pod", name, meta) "}"
#define DEPLOYMENT(name, meta) OBJECT("apps/v1", "Deployment", name, meta) "}"
#define REPLICASET(name, meta) OBJECT("apps/v1", "ReplicaSet", name, meta) "}"
#define JOB(name, meta)        OBJECT("batch/v1", "Job", name, meta) "}"
#define OF_RS(name)            "," OWNER("apps/v1", "ReplicaSet", name)
#define OF_DEPLOYMENT(name)    "," OWNER("apps/v1", "Deployment", name)
#define OF_POD(name)           "," OWNER("v1", "Pod", name)
#define OF_JOB(name)           "," OWNER("batch/v1", "Job", name)
#define MADE(time)             ",'creationTimestamp':'" time "'"
#define HASH(hash)             ",'labels':{'pod-template-hash':'" hash "'}"

struct roots_row {
    const char *document, *roots;
};

static void check_roots(const struct roots_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct reading reading = reading_open(rows[i].document, READING_PLAIN, 0);
        assert_text(reading_roots(&reading), rows[i].roots);
        reading_close(&reading);
    }
}

static void owners(void **state)
{
    static const struct roots_row rows[] = {
        {POD("a-1-x", OF_RS("a-1")) POD("a-1-y", OF_RS("a-1")) REPLICASET("a-1", OF_DEPLOYMENT("a"))
             DEPLOYMENT("a", ""),
         "shop/Deployment/a: a-1-x a-1-y < ReplicaSet/a-1\n"},
        /* a ReplicaSet of its own; one of two ReplicaSets is old */
        {REPLICASET("r", "") POD("r-x", OF_RS("r")), "shop/ReplicaSet/r: r-x\n"},
        {DEPLOYMENT("a", "") REPLICASET("a-2", OF_DEPLOYMENT("a"))
             REPLICASET("a-1", OF_DEPLOYMENT("a")) POD("a-2-x", OF_RS("a-2")),
         "shop/Deployment/a: a-2-x < ReplicaSet/a-1 < ReplicaSet/a-2\n"},
        /* owners that are not in the snapshot (*) */
        {POD("a-1-y", HASH("1") OF_RS("a-1")) POD("a-2-x", HASH("2") OF_RS("a-2")),
         "shop/Deployment/a*: a-1-y a-2-x\n"},
        {POD("a-1-y", HASH("1") OF_RS("a-1")) DEPLOYMENT("a", ""), "shop/Deployment/a: a-1-y\n"},
        {POD("a-1-y", HASH("2") OF_RS("a-1")), "shop/ReplicaSet/a-1*: a-1-y\n"},
        {POD("a-1-y", HASH("") OF_RS("a-1")), "shop/ReplicaSet/a-1*: a-1-y\n"},
        {POD("-1-y", HASH("1") OF_RS("-1")), "shop/ReplicaSet/-1*: -1-y\n"},
        {REPLICASET("a-1", OF_DEPLOYMENT("a")) POD("a-1-x", OF_RS("a-1")),
         "shop/Deployment/a*: a-1-x < ReplicaSet/a-1\n"},
        {POD("w-1", "," OWNER("argoproj.io/v1alpha1", "Workflow", "w"))
             POD("w-2", "," OWNER("argoproj.io/v1alpha1", "Workflow", "w"))
                 POD("w-3", "," OWNER("example.com/v1", "Widget", "w")),
         "shop/Widget/w*: w-3\nshop/Workflow/w*: w-1 w-2\n"},
        /* what an operator makes stands for itself */
        {OBJECT("apps/v1", "StatefulSet", "db",
                "," OWNER("example.com/v1", "Database",
                          "db")) "}" POD("db-0", "," OWNER("apps/v1", "StatefulSet", "db")),
         "shop/StatefulSet/db: db-0\n"},
        /* jobs */
        {JOB("j", "") POD("j-x", OF_JOB("j")), "shop/Job/j: j-x\n"},
        {OBJECT("batch/v1", "CronJob", "c", "") "}" JOB("c-28491840",
                                                        "," OWNER("batch/v1", "CronJob", "c"))
             POD("c-28491840-x", OF_JOB("c-28491840")) POD("c-28491841-x", OF_JOB("c-28491841")),
         "shop/CronJob/c: c-28491840-x c-28491841-x < Job/c-28491840\n"},
        {POD("c-28491840-x", OF_JOB("c-28491840")), "shop/Job/c-28491840*: c-28491840-x\n"},
        {OBJECT("batch/v1", "CronJob", "c", "") "}" POD("c-1-x", OF_JOB("c-1")),
         "shop/CronJob/c:\nshop/Job/c-1*: c-1-x\n"},
        /* pods of their own */
        {POD("p", ""), "shop/Pod/p: p\n"},
        {POD("p", ",'annotations':{'kubernetes.io/config.mirror':'x'}," OWNER("v1", "Node", "n")),
         "shop/Pod/p: p\n"},
        {POD("p", "," OWNER("v1", "Node", "n")), "shop/Pod/p: p\n"},
        {POD("p", ",'ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'c'}]"),
         "shop/Pod/p: p\n"},
        {POD("p", ",'ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'r',"
                  "'controller':false}]"),
         "shop/Pod/p: p\n"},
        {POD("p", ",'ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'r'}]"),
         "shop/ReplicaSet/r*: p\n"},
        {POD("p", ",'ownerReferences':[{'kind':'ReplicaSet','controller':true}]"),
         "shop/Pod/p: p\n"},
        /* pods made by a pod belong to what it belongs to */
        {POD("driver", "") POD("a-1", OF_POD("driver")) POD("z-1", OF_POD("driver")),
         "shop/Pod/driver: a-1 driver z-1\n"},
        {POD("driver", OF_JOB("j")) POD("a", OF_POD("driver")) POD("b", OF_POD("a")) JOB("j", ""),
         "shop/Job/j: a b driver\n"},
        {JOB("j", OF_POD("driver")) POD("driver", "") POD("j-x", OF_JOB("j")),
         "shop/Pod/driver: driver j-x < Job/j\n"},
        {POD("a-1", OF_POD("gone")) POD("a-2", OF_POD("gone")), "shop/Pod/gone*: a-1 a-2\n"},
        /* the same names elsewhere are other objects */
        {"{'kind':'Pod','metadata':{'name':'x','namespace':'other'," OWNER(
             "apps/v1", "ReplicaSet", "r") "}}" REPLICASET("r", ""),
         "other/ReplicaSet/r*: x\nshop/ReplicaSet/r:\n"},
        {POD("p", OF_JOB("r")) REPLICASET("r", ""), "shop/ReplicaSet/r:\nshop/Job/r*: p\n"},
        /* circles end */
        {REPLICASET("a", OF_RS("b")) REPLICASET("b", OF_RS("a")) POD("p", OF_RS("b")),
         "shop/ReplicaSet/a: p < ReplicaSet/b\n"},
        {REPLICASET("a", OF_RS("a")) POD("p", OF_RS("a")), "shop/ReplicaSet/a: p\n"},
        {POD("p", OF_POD("p")), "shop/Pod/p: p\n"},
        {POD("p", OF_POD("q")) POD("q", OF_POD("p")), "shop/Pod/p: p q\n"},
        {JOB("j", OF_POD("p")) POD("p", OF_JOB("j")), "shop/Job/j: p\n"},
    };
    (void)state;
    check_roots(rows, COUNT(rows));
}

/* What Argo and OpenShift have in the place of a Deployment. */
static void owners_of_extensions(void **state)
{
    static const struct roots_row rows[] = {
        {REPLICASET("a-1", "," OWNER("argoproj.io/v1alpha1", "Rollout", "a")),
         "shop/Rollout/a*: < ReplicaSet/a-1\n"},
        {POD("a-5d-x", ",'labels':{'rollouts-pod-template-hash':'5d'}" OF_RS("a-5d")),
         "shop/Rollout/a*: a-5d-x\n"},
        {POD("a-3-x",
             ",'labels':{'deploymentconfig':'a'}," OWNER("v1", "ReplicationController", "a-3"))
             OBJECT("apps.openshift.io/v1", "DeploymentConfig", "a", "") "}",
         "shop/DeploymentConfig/a: a-3-x\n"},
        {POD("a-3-x",
             ",'labels':{'deploymentconfig':'b'}," OWNER("v1", "ReplicationController", "a-3")),
         "shop/ReplicationController/a-3*: a-3-x\n"},
    };
    (void)state;
    check_roots(rows, COUNT(rows));
}

/* The Job's name tells when it was due. */
static void pods_of_a_cron_job(void **state)
{
    static const struct roots_row rows[] = {
        /* 28491840 minutes are 2024-03-04T00:00:00Z, 1709510400 seconds too */
        {POD("c-28491840-x", MADE("2024-03-04T00:00:01Z") OF_JOB("c-28491840"))
             POD("c-28491841-x", MADE("2024-03-04T23:59:59Z") OF_JOB("c-28491841")),
         "shop/CronJob/c*: c-28491840-x c-28491841-x\n"},
        {POD("c-1709510400-x", MADE("2024-03-04T00:00:01Z") OF_JOB("c-1709510400")),
         "shop/CronJob/c*: c-1709510400-x\n"},
        {POD("c-28491840-x", MADE("2024-03-05T00:00:00Z") OF_JOB("c-28491840")),
         "shop/Job/c-28491840*: c-28491840-x\n"},
        {POD("c-28491840-x", MADE("2024-03-03T23:58:59Z") OF_JOB("c-28491840")),
         "shop/Job/c-28491840*: c-28491840-x\n"},
        {POD("c-20240304-x", MADE("2024-03-04T00:00:01Z") OF_JOB("c-20240304")),
         "shop/Job/c-20240304*: c-20240304-x\n"},
        {POD("-28491840-x", MADE("2024-03-04T00:00:01Z") OF_JOB("-28491840")),
         "shop/Job/-28491840*: -28491840-x\n"},
    };
    (void)state;
    check_roots(rows, COUNT(rows));
}

/* The objects of a document, in every order. */
static const char *const objects[] = {
    DEPLOYMENT("web", ""),
    REPLICASET("web-1", OF_DEPLOYMENT("web")),
    POD("web-1-a", HASH("1") OF_RS("web-1")),
    POD("web-1-b", HASH("1") OF_RS("web-1")),
    POD("gone-7-c", HASH("7") OF_RS("gone-7")),
    POD("gone-7-d", HASH("7") OF_RS("gone-7")),
};

static void order_does_not_matter(void **state)
{
    (void)state;
    for (unsigned shift = 0; shift < COUNT(objects); shift++) {
        for (unsigned step = 1; step < COUNT(objects); step += 4) {
            char document[4096];
            size_t n = 0;
            for (unsigned i = 0; i < COUNT(objects); i++)
                n += (size_t)snprintf(document + n, sizeof document - n, "%s",
                                      objects[(shift + i * step) % COUNT(objects)]);
            struct reading reading = reading_open(document, READING_PLAIN, 0);
            assert_text(reading_roots(&reading),
                        "shop/Deployment/gone*: gone-7-c gone-7-d\n"
                        "shop/Deployment/web: web-1-a web-1-b < ReplicaSet/web-1\n");
            reading_close(&reading);
        }
    }
}

static void templates_of_absent_owners(void **state)
{
    (void)state;
    struct reading reading = reading_open(
        "{'kind':'Pod','metadata':{'namespace':'shop','name':'b','labels':{'x':'2'}," OWNER(
            "apps/v1", "StatefulSet",
            "s") "},'spec':{'nodeName':'two'}}"
                 "{'kind':'Pod','metadata':{'namespace':'shop','name':'a','labels':{'x':'1'}"
                 "," OWNER("apps/v1", "StatefulSet",
                           "s") "},'spec':{'restartPolicy':'one'}}" REPLICASET("r-1",
                                                                               "," OWNER("x/v1",
                                                                                         "X", "r"))
                     OBJECT("apps/v1", "ReplicaSet", "r-2",
                            ",'annotations':{'deployment.kubernetes.io/revision':'2'}," OWNER(
                                "x/v1", "X",
                                "r")) ",'spec':{'template':{'spec':{'restartPolicy':'three'}}}}",
        READING_PLAIN, 0);
    assert_int_equal(reading.cluster->roots.n, 2);
    const struct workload *r = reading.cluster->roots.items[0];
    const struct workload *s = reading.cluster->roots.items[1];
    assert_text(s->object.kind_name, "StatefulSet");
    assert_text(s->spec->restart_policy, "one");
    assert_text(s->template_labels.items[0].value, "1");
    assert_true(s->replicas == NUMBER_ABSENT && s->object.meta.created == TIME_NONE);
    assert_text(r->spec->restart_policy, "three");
    reading_close(&reading);
}

#define SERVICE(name, selector)                                                                    \
    OBJECT("v1", "Service", name, "") ",'spec':{'selector':{" selector "}}}"
#define LABELS(labels) ",'labels':{" labels "}"

/* "a: pods p q; workloads Deployment/d; endpoints 2" */
static struct str services_text(struct reading *reading)
{
    struct buf out = buf_init(reading->arena, SIZE_MAX);
    struct service **service;
    struct pod **pod;
    struct workload **workload;
    LIST_EACH (service, reading->cluster->services) {
        buf_printf(&out, "%" STR_FMT ": pods", STR_ARG((*service)->object.meta.name));
        LIST_EACH (pod, (*service)->pods)
            buf_printf(&out, " %" STR_FMT, STR_ARG((*pod)->object.meta.name));
        buf_put(&out, STR("; workloads"));
        LIST_EACH (workload, (*service)->workloads)
            buf_printf(&out, " %" STR_FMT "/%" STR_FMT, STR_ARG((*workload)->object.kind_name),
                       STR_ARG((*workload)->object.meta.name));
        if ((*service)->endpoints_known)
            buf_printf(&out, "; endpoints %u", (*service)->ready_endpoints);
        buf_putc(&out, '\n');
    }
    return buf_str(&out);
}

static void services(void **state)
{
    static const struct {
        const char *document, *services;
    } rows[] = {
        {SERVICE("a", "'app':'x'") POD("p", LABELS("'app':'x'")) POD("q", LABELS("'app':'y'")),
         "a: pods p; workloads Pod/p\n"},
        {SERVICE("a", "'app':'x','tier':'1'") POD("p", LABELS("'app':'x'"))
             POD("q", LABELS("'app':'x','tier':'1','z':''")),
         "a: pods q; workloads Pod/q\n"},
        {SERVICE("a", "") POD("p", LABELS("'app':'x'")), "a: pods; workloads\n"},
        {SERVICE("a", "'app':'x'") "{'kind':'Pod','metadata':{'name':'p','namespace':'other',"
                                   "'labels':{'app':'x'}}}",
         "a: pods; workloads\n"},
        {SERVICE("a", "'app':'x'") SERVICE("b", "'app':'x'") SERVICE("c", "'app':'x','t':'2'")
             POD("p", LABELS("'app':'x','t':'2'")) POD("q", LABELS("'app':'x'")),
         "a: pods p q; workloads Pod/p Pod/q\nb: pods p q; workloads Pod/p Pod/q\n"
         "c: pods p; workloads Pod/p\n"},
        /* templates count too: scaled to zero; pods count for their owner, once */
        {SERVICE("a", "'app':'x'") OBJECT("apps/v1", "Deployment", "d", "") ",'spec':{'template':{"
                                                                            "'metadata':{'labels':{"
                                                                            "'app':'x'}}}}}",
         "a: pods; workloads Deployment/d\n"},
        {SERVICE("a", "'app':'x'") REPLICASET("r", "") POD("p", LABELS("'app':'x'") OF_RS("r"))
             POD("q", LABELS("'app':'x'") OF_RS("r")),
         "a: pods p q; workloads ReplicaSet/r\n"},
        /* endpoints: slices win, nil is ready */
        {SERVICE("a", "'app':'x'") OBJECT("v1", "Endpoints", "a", "") ",'subsets':[{'addresses':["
                                                                      "{},{}],'notReadyAddresses':"
                                                                      "[{}]},{'addresses':[{}]}]}",
         "a: pods; workloads; endpoints 3\n"},
        {SERVICE("a", "'app':'x'") OBJECT(
             "v1", "Endpoints", "a",
             "") ",'subsets':[{'addresses':["
                 "{}]}]}" OBJECT(
                     "discovery.k8s.io/v1", "EndpointSlice", "a-1",
                     LABELS(
                         "'kubernetes.io/service-name':'a'")) ",'endpoints':[{'conditions':{'ready'"
                                                              ":true}"
                                                              "},{},{'conditions':{'ready':false}},"
                                                              "{'conditions':{'ready':null}}]"
                                                              "}" OBJECT("discovery.k8s.io/v1",
                                                                         "EndpointSlice", "a-2",
                                                                         LABELS("'kubernetes.io/"
                                                                                "service-name':'"
                                                                                "a'")) ",'"
                                                                                       "endpoints':"
                                                                                       "[{}]}",
         "a: pods; workloads; endpoints 4\n"},
        {SERVICE("a", "'app':'x'") OBJECT("v1", "Endpoints", "a", "") "}",
         "a: pods; workloads; endpoints 0\n"},
        {SERVICE("a", "'app':'x'") OBJECT("v1", "Endpoints", "b", "") "}", "a: pods; workloads\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct reading reading = reading_open(rows[i].document, READING_PLAIN, 0);
        assert_text(services_text(&reading), rows[i].services);
        reading_close(&reading);
    }
}

static void nodes(void **state)
{
    (void)state;
    struct reading reading = reading_open(
        "{'kind':'Pod','metadata':{'name':'b'},'spec':{'nodeName':'n'},'status':{'phase':'Running'}"
        "}"
        "{'kind':'Pod','metadata':{'name':'a'},'spec':{'nodeName':'n'}}"
        "{'kind':'Pod','metadata':{'name':'c'},'spec':{'nodeName':'n'},'status':{'phase':'Failed'}}"
        "{'kind':'Pod','metadata':{'name':'d'},'spec':{'nodeName':'other'}}"
        "{'kind':'Lease','metadata':{'name':'n','namespace':'kube-node-lease'},"
        "'spec':{'renewTime':'2026-01-01T00:00:00.123456Z'}}"
        "{'kind':'Lease','metadata':{'name':'m','namespace':'kube-system'}}"
        "{'kind':'Node','metadata':{'name':'n'},'status':{'nodeInfo':{'kubeletVersion':'v1.9.11'}}}"
        "{'kind':'Node','metadata':{'name':'m'},'status':{'nodeInfo':{'kubeletVersion':"
        "'v1.33.2-gke.1'}}}"
        "{'kind':'Node','metadata':{'name':'o'},'status':{'nodeInfo':{'kubeletVersion':'v1.33.1'}}"
        "}",
        READING_PLAIN, 0);
    const struct cluster *cluster = reading.cluster;
    const struct node *m = cluster->nodes.items[0], *n = cluster->nodes.items[1];
    assert_text(n->object.meta.name, "n");
    assert_int_equal(n->pods.n, 2);
    assert_text(n->pods.items[0]->object.meta.name, "a");
    assert_ptr_equal(cluster->pods.items[2]->node, n);
    assert_null(cluster->pods.items[3]->node);
    assert_true(n->lease && n->lease->renew_time == clock_parse(STR("2026-01-01T00:00:00.123Z")));
    assert_null(m->lease);
    assert_text(cluster->server_version, "v1.33.2-gke.1");
    reading_close(&reading);
}

static void revisions(void **state)
{
    (void)state;
#define REVISION(name, number)                                                                     \
    OBJECT("apps/v1", "ControllerRevision", name, "," OWNER("apps/v1", "DaemonSet", "d"))          \
    ",'revision':" number                                                                          \
    ",'data':{'spec':{'template':{'spec':{'containers':[{'name':'c','image':"                      \
    "'i:" number "'}]}}}}}"
    struct reading reading =
        reading_open(OBJECT("apps/v1", "DaemonSet", "d", "") "}" REVISION("a", "10")
                         REVISION("b", "9") REVISION("c", "1"),
                     READING_PLAIN, 0);
    const struct workload *d = reading.cluster->roots.items[0];
    assert_int_equal(d->revisions.n, 3);
    assert_int_equal(d->revisions.items[0]->revision, 1);
    assert_int_equal(d->revisions.items[2]->revision, 10);
    assert_text(d->revisions.items[2]->images.items[0].image, "i:10");
    reading_close(&reading);
}

/* A spec is that of all pods of an owner; what each has of its own is beside it. */
static void shared_specs(void **state)
{
#define ON(name, node, volume, more)                                                               \
    OBJECT("v1", "Pod", name, "")                                                                  \
    ",'spec':{'nodeName':'" node "','containers':[{'name':'c'}],'volumes':[{'name':"               \
    "'kube-api-access-" volume "','projected':{}}]" more "}}"
    struct reading reading =
        reading_open(ON("a", "one", "x7k2p", "") ON("b", "two", "9zzzz", "")
                         ON("c", "two", "9zzzz", ",'hostPID':true") POD("d", "")
                             OBJECT("v1", "Pod", "e", "") ",'spec':{'nodeName':'one'},'spec':{}}",
                     READING_PLAIN, 0);
    struct pod *const *pods = reading.cluster->pods.items;
    (void)state;
    assert_int_equal(reading.cluster->pods.n, 5);
    assert_ptr_equal(pods[0]->spec, pods[1]->spec);
    assert_text(pods[0]->node_name, "one");
    assert_text(pods[1]->node_name, "two");
    assert_ptr_not_equal(pods[1]->spec, pods[2]->spec);
    assert_null(pods[3]->spec);
    assert_text(pods[3]->node_name, "");
    assert_non_null(pods[4]->spec); /* of two members of one name the later counts */
    assert_text(pods[4]->node_name, "");
    reading_close(&reading);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owners),
        cmocka_unit_test(owners_of_extensions),
        cmocka_unit_test(pods_of_a_cron_job),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(templates_of_absent_owners),
        cmocka_unit_test(services),
        cmocka_unit_test(nodes),
        cmocka_unit_test(revisions),
        cmocka_unit_test(shared_specs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
