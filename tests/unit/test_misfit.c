/* Values of another type than the API has in their place: whoever reads is told of each. */
#include "pieces.h"
#include "reader/snapshot_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { CEILING = 64 * 1024 * 1024 };

struct telling {
    struct str document;
    struct buf *out;
};

static void tell_object(void *context, const struct snapshot_object *object)
{
    const struct telling *telling = context;
    buf_printf(telling->out, "%" STR_FMT ".\n", STR_ARG(object->name));
}

static void tell_misfit(void *context, const struct snapshot_misfit *misfit)
{
    const struct telling *telling = context;
    buf_printf(telling->out, "%c: %" STR_FMT " is %s, not %s\n", telling->document.p[misfit->at],
               STR_ARG(misfit->field), misfit->is, misfit->wanted);
}

/* The document has ' in the place of ". */
static void check(const char *text, size_t piece, const char *expected)
{
    struct arena *arena = arena_new(CEILING);
    struct str document = arena_str(arena, str_of(text));
    struct pieces from = {document, piece};
    struct buf out = buf_init(arena, CEILING);
    struct telling telling = {document, &out};
    struct snapshot_visitor told = {tell_object, tell_misfit, &telling};
    struct snapshot_options options = {.told = &told};
    struct snapshot_error error;
    for (size_t i = 0; i < document.n; i++)
        if (document.p[i] == '\'')
            ((char *)document.p)[i] = '"';
    if (!snapshot_read(arena, pieces_source(&from), &options, &error) ||
        !str_eq(buf_str(&out), str_of(expected)))
        fail_msg("%s\ngives, in pieces of %zu:\n%" STR_FMT "and not:\n%s", text, piece,
                 STR_ARG(buf_str(&out)), expected);
    arena_free(arena);
}

#define POD(members)     "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'}," members "}"
#define OBJECTS(objects) "{'kind':'List','apiVersion':'v1','items':[" objects "]}"
#define SPEC(members)    POD("'spec':{'containers':[{'name':'c'," members "}]}")

static void values(void **state)
{
    static const struct {
        const char *document, *told;
    } rows[] = {
        {POD("'spec':{'containers':[{'name':'c','image':'i'}],'hostNetwork':true}"), "p.\n"},
        {POD("'spec':null,'status':null"), "p.\n"},
        {POD("'spec':{'containers':null,'hostNetwork':null}"), "p.\n"},
        {POD("'spec':{'containers':{}}"), "{: spec.containers is an object, not a list\np.\n"},
        {POD("'spec':{'containers':[{'name':'c'},null,'c']}"),
         "\": spec.containers[2] is a string, not an object\np.\n"},
        {POD("'spec':'x'"), "\": spec is a string, not an object\np.\n"},
        {POD("'spec':[]"), "[: spec is a list, not an object\np.\n"},
        {POD("'spec':{'hostNetwork':'true'}"),
         "\": spec.hostNetwork is a string, not true or false\np.\n"},
        {POD("'spec':{'nodeName':5,'volumes':true}"),
         "5: spec.nodeName is a number, not a string\nt: spec.volumes is true, not a list\np.\n"},
        {SPEC("'env':[{'name':'A','value':1},{'name':'B','value':null}]"),
         "1: spec.containers[0].env[0].value is a number, not a string\np.\n"},
        {SPEC("'args':['a',1],'command':['a',false]"),
         "1: spec.containers[0].args[1] is a number, not a string\n"
         "f: spec.containers[0].command[1] is false, not a string\np.\n"},
        {SPEC("'livenessProbe':{'exec':{'command':[7]}}"),
         "7: spec.containers[0].livenessProbe.exec.command[0] is a number, not a string\np.\n"},
        {SPEC("'securityContext':{'runAsUser':'me','runAsGroup':'7','fsGroup':1.5}"),
         "\": spec.containers[0].securityContext.runAsUser is \"me\", not a whole number\n"
         "1: spec.containers[0].securityContext.fsGroup is \"1.5\", not a whole number\np.\n"},
        {SPEC("'securityContext':{'runAsUser':[0]}"),
         "[: spec.containers[0].securityContext.runAsUser is a list, not a number\np.\n"},
        {SPEC("'resources':{'limits':{'cpu':2,'memory':'lots'}}"),
         "\": spec.containers[0].resources.limits.memory is \"lots\", not an amount\np.\n"},
        {SPEC("'livenessProbe':{'httpGet':{'port':true}}"),
         "t: spec.containers[0].livenessProbe.httpGet.port is true, not a string or a number\n"
         "p.\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        check(rows[i].document, 0, rows[i].told);
        check(rows[i].document, 1, rows[i].told);
    }
}

static void metadata(void **state)
{
    static const struct {
        const char *document, *told;
    } rows[] = {
        {"{'apiVersion':'v1','kind':'Pod','metadata':null}", ".\n"},
        {"{'apiVersion':'v1','kind':'Pod','metadata':['p']}",
         "[: metadata is a list, not an object\n.\n"},
        {"{'apiVersion':'v1','kind':'Pod','metadata':{'name':7}}",
         "7: metadata.name is a number, not a string\n.\n"},
        {"{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','labels':{'version':1.0,"
         "'app.kubernetes.io/name':true},'annotations':{'a':2}}}",
         "1: metadata.labels.version is a number, not a string\n"
         "t: metadata.labels[app.kubernetes.io/name] is true, not a string\n"
         "2: metadata.annotations.a is a number, not a string\np.\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        check(rows[i].document, 0, rows[i].told);
}

/* Items that are equal to the byte are recalled; each is told of. */
static void places(void **state)
{
    (void)state;
    check(
        OBJECTS(SPEC("'env':[{'name':'A','value':1}]") "," SPEC("'env':[{'name':'A','value':1}]")),
        0,
        "1: spec.containers[0].env[0].value is a number, not a string\np.\n"
        "1: spec.containers[0].env[0].value is a number, not a string\np.\n");
    check(POD("'spec':5") POD("'spec':6"), 0,
          "5: spec is a number, not an object\np.\n6: spec is a number, not an object\np.\n");
    check("{'pods':[" POD("'spec':5") "],'nodes':{'items':[{'metadata':{'name':'n'},'spec':6}]}}",
          0, "5: spec is a number, not an object\np.\n6: spec is a number, not an object\nn.\n");
    check(
        "{'metadata':{'name':'p','labels':1},'spec':5,'apiVersion':'v1','kind':'Pod'}", 0,
        "1: metadata.labels is a number, not an object\n5: spec is a number, not an object\np.\n");
}

/* Items of other agents have members of their own. */
static void summaries(void **state)
{
    (void)state;
    check("{'pods':[{'name':'p','status':'Running','ready':true}]}", 0, "p.\n");
    check("{'pods':[{'name':'p','labels':7,'status':'Running','ready':'2/3'}]}", 0,
          "7: labels is a number, not an object\np.\n");
    check("{'apiVersion':'networking.k8s.io/v1','kind':'Ingress','metadata':{'name':'i'},"
          "'status':{'loadBalancer':{}}}",
          0, "i.\n");
    check(POD("'status':7"), 0, "7: status is a number, not an object\np.\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(metadata),
        cmocka_unit_test(places),
        cmocka_unit_test(summaries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
