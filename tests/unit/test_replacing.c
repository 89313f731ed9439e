/* What becomes of the pods of a workload that gets another template. */
#include "gate/replacing.h"
#include "reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define META "'metadata':{'namespace':'n','uid':'u',"
#define WORKLOAD(kind, more, template)                                                             \
    "{'kind':'List','apiVersion':'v1','items':[{'apiVersion':'apps/v1','kind':'" kind "'," META    \
    "'name':'w'},'spec':{" more "'template':{" template "}}},"
#define POD(metadata, spec)                                                                        \
    "{'apiVersion':'v1','kind':'Pod'," META                                                        \
    "'name':'p','ownerReferences':[{'apiVersion':'apps/v1',"                                       \
    "'kind':'%s','name':'w','uid':'u','controller':true}]," metadata "},'spec':{" spec             \
    "},'status':{'phase':'Running'}}]}"

#define A            "{'name':'a','image':'a:1'}"
#define A_CPU(cpu)   "{'name':'a','image':'a:1','resources':{'requests':{'cpu':'" cpu "'}}}"
#define A_PORT(name) "{'name':'a','image':'a:1','ports':[{'containerPort':80,'name':'" name "'}]}"
#define A_WITH(map)                                                                                \
    "{'name':'a','image':'a:1','ports':[{'containerPort':80,'name':'web'}],'envFrom':[{"           \
    "'configMapRef':{'name':'" map "'}}]}"
#define B           "{'name':'b','image':'b:1'}"
#define MESH        "{'name':'mesh','image':'m:1'}"
#define SPEC(list)  "'spec':{'containers':[" list "]}"
#define LABELS(map) "'metadata':{'labels':{" map "}},"

/* "a 500 web, mesh; app=w": containers with their request of CPU and port, and labels. */
static struct str said_of(struct arena *arena, const struct pod *pod)
{
    struct buf out = buf_init(arena, 4096);
    const struct container *container;
    const struct container_port *port;
    const struct pair *label;
    LIST_EACH (container, pod->spec->containers) {
        buf_printf(&out, "%s%" STR_FMT, out.n ? ", " : "", STR_ARG(container->name));
        if (container->resources)
            buf_printf(&out, " %lld", (long long)container->resources->requests.cpu);
        LIST_EACH (port, container->ports)
            buf_printf(&out, " %" STR_FMT, STR_ARG(port->name));
        if (container->env_from.n)
            buf_printf(&out, " with %" STR_FMT, STR_ARG(container->env_from.items[0].name));
    }
    buf_printf(&out, ";");
    LIST_EACH (label, pod->object.meta.labels)
        buf_printf(&out, " %" STR_FMT "=%" STR_FMT, STR_ARG(label->key), STR_ARG(label->value));
    return buf_str(&out);
}

static void pods_are_replaced(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *more, *old, *template, *labels, *pod, *expected;
    } table[] = {
        {"Deployment", "", SPEC(A), SPEC(A), "", A, "a;"},
        {"Deployment", "", SPEC(A), SPEC(A "," B), "", A, "a, b;"},
        {"Deployment", "", SPEC(A "," B), SPEC(A), "", A "," B, "a;"},
        {"Deployment", "", SPEC(A), SPEC(B), "", A "," MESH, "b, mesh;"},
        {"Deployment", "", SPEC(A), SPEC(A_CPU("500m")), "", A, "a 500;"},
        {"Deployment", "", SPEC(A_CPU("500m")), SPEC(A), "", A_CPU("500m"), "a;"},
        {"Deployment", "", SPEC(A_PORT("http")), SPEC(A_PORT("web")), "", A_PORT("http"), "a web;"},
        /* what admission gave stays where the template asks for what it asked for */
        {"Deployment", "", SPEC(A), SPEC(A "," B), "", A_CPU("50m"), "a 50, b;"},
        /* nothing else is asked for: a pod of an older template stays, too */
        {"Deployment", "", SPEC(A), SPEC(A), "", A_CPU("50m") "," B, "a 50, b;"},
        /* a pod that runs proves that what it was made with is there, and nothing else */
        {"Deployment", "", SPEC(A), SPEC(A_WITH("m") "," B), "", A, "a web, b;"},
        {"Deployment", "", SPEC(A_WITH("m")), SPEC(A), "", A_WITH("m"), "a with m;"},
        {"StatefulSet", "", SPEC(A), SPEC(B), "", A, "b;"},
        {"DaemonSet", "", SPEC(A), SPEC(B), "", A, "b;"},
        /* whose controller replaces nothing */
        {"DaemonSet", "'updateStrategy':{'type':'OnDelete'},", SPEC(A), SPEC(B), "", A, "a;"},
        {"Deployment", "'paused':true,", SPEC(A), SPEC(B), "", A, "a;"},
        {"ReplicaSet", "", SPEC(A), SPEC(B), "", A, "a;"},
        /* labels */
        {"Deployment", "", LABELS("'x':'1','y':'1'") SPEC(A), LABELS("'x':'2','z':'3'") SPEC(A),
         "'x':'1','y':'1','hash':'h'", A, "a; x=2 z=3 hash=h"},
        {"Deployment", "", LABELS("'x':'1'") SPEC(A), LABELS("'x':'1'") SPEC(B), "'x':'0'", A,
         "b; x=0"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char documents[2][2048];
        const char *templates[2] = {table[i].old, table[i].template};
        for (int k = 0; k < 2; k++)
            snprintf(documents[k], sizeof documents[k],
                     WORKLOAD("%s", "%s", "%s") POD("'labels':{%s}", "'containers':[%s]"),
                     table[i].kind, table[i].more, templates[k], table[i].kind, table[i].labels,
                     table[i].pod);
        struct reading before = reading_open(documents[0], READING_PLAIN, 0);
        struct reading after = reading_open(documents[1], READING_PLAIN, 0);
        replace_pods(after.arena, after.cluster, before.cluster->workloads.items[0],
                     after.cluster->workloads.items[0]);
        assert_int_equal(after.cluster->pods.n, 1);
        assert_text(said_of(after.arena, after.cluster->pods.items[0]), table[i].expected);
        reading_close(&before);
        reading_close(&after);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pods_are_replaced)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
