/* Where the objects of a document stand, in each of its forms. */
#include "reader/object_locations.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "base/buf.h"
#include "kube/kinds.h"
#include "scratch.h"

/* "Pod {...} {...}; Node {...}": each object as it is shown, quotes as '. Repeated ones are left
 * out. */
static struct str shown(struct str document)
{
    struct snapshot_error error;
    struct str rest = document;
    struct buf out = buf_init(arena, SIZE_MAX);
    struct object_locations *locations = object_locations_read(arena, source_of(&rest), &error);
    assert_non_null(locations);
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++) {
        const struct object_location *item;
        if (locations->kinds[kind].n)
            buf_printf(&out, "%s%s", out.n ? "; " : "", kind_name(kind).p);
        LIST_EACH (item, locations->kinds[kind]) {
            const struct snapshot_object *object = &item->object;
            struct str type = object_location_type(arena, item);
            if (item->repeated)
                continue;
            assert_true(object->to <= document.n && document.p[object->to - 1] == '}');
            buf_putc(&out, ' ');
            buf_put(&out, str_sub(document, object->from, object->to - 1 - object->from));
            buf_put(&out, type);
            buf_putc(&out, '}');
        }
    }
    for (size_t i = 0; i < out.n; i++)
        if (out.p[i] == '"')
            out.p[i] = '\'';
    return buf_str(&out);
}

#define POD(name)  "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name "'}}"
#define BARE(name) "{'metadata':{'name':'" name "'}"

static void every_form(void **state)
{
    (void)state;
    static const struct {
        const char *document, *shown;
    } table[] = {
        {"{'kind':'List','items':[" POD("a") " , " POD("b") "]}", "Pod " POD("a") " " POD("b")},
        {POD("a") POD("b"), "Pod " POD("a") " " POD("b")},
        {"[" POD("a") ",null,1,{}]", "Pod " POD("a")},
        {"{'pods':[" BARE("a") "}," BARE("b") "}]}",
         "Pod " BARE("a") ",'kind':'Pod'} " BARE("b") ",'kind':'Pod'}"},
        {"{'pods':{'kind':'PodList','apiVersion':'v1','items':[" BARE("a") "}]}}",
         "Pod " BARE("a") ",'apiVersion':'v1','kind':'Pod'}"},
        {"{'kind':'DeploymentList','apiVersion':'apps/v1','items':[" BARE("a") "}]}",
         "Deployment " BARE("a") ",'apiVersion':'apps/v1','kind':'Deployment'}"},
        {"{'items':[" BARE("a") "}],'kind':'PodList','apiVersion':'v1'}",
         "Pod " BARE("a") ",'apiVersion':'v1','kind':'Pod'}"},
        {"{'kind':'PodList','apiVersion':'v1','items':[" POD("a") "," BARE("b") "}]}",
         "Pod " POD("a") " " BARE("b") ",'apiVersion':'v1','kind':'Pod'}"},
        {"{'clusteroperators':[" BARE(
             "o") "}],'machineConfigPools':{'kind':'MachineConfigPoolList',"
                  "'apiVersion':'machineconfiguration.openshift.io/v1','items':[" BARE("p") "}]}}",
         "ClusterOperator " BARE("o") ",'kind':'ClusterOperator'}; MachineConfigPool " BARE(
             "p") ",'apiVersion':'machineconfiguration.openshift.io/"
                  "v1','kind':'MachineConfigPool'}"},
        /* List is of v1, its items need not be */
        {"{'kind':'List','apiVersion':'v1','items':[{'kind':'Deployment','metadata':{'name':'d'}}]"
         "}",
         "Deployment {'kind':'Deployment','metadata':{'name':'d'}}"},
        {"{'deployments':{'kind':'List','apiVersion':'v1','items':[" BARE("d") "}]}}",
         "Deployment " BARE("d") ",'kind':'Deployment'}"},
        /* a list's version ends with the list */
        {"{'kind':'List','items':[{'kind':'PodList','apiVersion':'v1','items':[" BARE(
             "a") "}]},{'kind':'Node','metadata':{'name':'n'}}]}",
         "Pod " BARE("a") ",'apiVersion':'v1','kind':'Pod'}; Node {'kind':'Node','metadata':{'name'"
                          ":'n'}}"},
        /* summaries, and kinds that say null */
        {"{'pods':[{'name':'a','status':'Running'}]}",
         "Pod {'name':'a','status':'Running','kind':'Pod'}"},
        {"{'pods':[{'kind':null,'apiVersion':null,'metadata':{'name':'a'}}]}",
         "Pod {'kind':null,'apiVersion':null,'metadata':{'name':'a'},'kind':'Pod'}"},
        /* interleaved, with what is kept out between */
        {"{'items':[" POD("a") ",{'kind':'Node','metadata':{'name':'n'}},null,{'kind':'Widget',"
                               "'metadata':{'name':'w'}}," POD("b") "]}",
         "Pod " POD("a") " " POD("b") "; Node {'kind':'Node','metadata':{'name':'n'}}"},
        {"{'pods':[" BARE("a") "}],'widgets':[" BARE("w") "}],'nodes':[]}",
         "Pod " BARE("a") ",'kind':'Pod'}"},
        /* white space and everything that may stand in a string */
        {" {\n 'items' : [ { 'kind' : 'Pod' , 'metadata' : { 'name' : 'a]}\\'{[' } }\n ] } ",
         "Pod { 'kind' : 'Pod' , 'metadata' : { 'name' : 'a]}\\'{[' } }"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct str got = shown(json_of(table[i].document));
        if (!str_eq(got, str_of(table[i].shown)))
            fail_msg("%s\n     got: %" STR_FMT "\nexpected: %s", table[i].document, STR_ARG(got),
                     table[i].shown);
    }
}

#define NAMED(namespace, name, rest)                                                               \
    "{'kind':'Pod','metadata':{'name':'" name "','namespace':'" namespace "'}" rest "}"

#define VERSION(version, n)                                                                        \
    "{'kind':'Pod','metadata':{'name':'v','resourceVersion':'" version "'},'n':" n "}"

static void of_repeated_objects_the_newest_counts(void **state)
{
    (void)state;
    struct str newest = shown(json_of(VERSION("9", "1") VERSION("10", "2") VERSION("8", "3")));
    assert_true(str_eq(newest, STR("Pod " VERSION("10", "2"))));
    struct str got = shown(
        json_of(NAMED("x", "a", ",'n':1") NAMED("y", "a", ",'n':2") NAMED("x", "b", ",'n':3")
                    NAMED("x", "a", ",'n':4") "{'kind':'Pod'}{'kind':'Pod'}" NAMED("x", "a", "")));
    const char *expected = "Pod " NAMED("y", "a", ",'n':2") " " NAMED(
        "x", "b", ",'n':3") " {'kind':'Pod'} {'kind':'Pod'} " NAMED("x", "a", "");
    if (!str_eq(got, str_of(expected)))
        fail_msg("     got: %" STR_FMT "\nexpected: %s", STR_ARG(got), expected);
}

static void thousands_of_objects(void **state)
{
    (void)state;
    struct buf document = buf_init(arena, SIZE_MAX);
    struct snapshot_error error;
    enum { N = 20000 };
    for (int i = 0; i < N; i++)
        buf_printf(&document, "{\"kind\":\"%s\",\"metadata\":{\"name\":\"n-%d\"}}\n",
                   i % 2 ? "Pod" : "Node", i % 15000);
    struct str rest = buf_str(&document);
    struct object_locations *locations = object_locations_read(arena, source_of(&rest), &error);
    assert_non_null(locations);
    assert_int_equal(locations->kinds[KIND_POD].n, N / 2);
    for (uint32_t i = 0; i < N / 2; i++) {
        const struct object_location *item = &locations->kinds[KIND_POD].items[i];
        assert_int_equal(item->repeated, i < 2500);
        struct str text =
            str_sub(buf_str(&document), item->object.from, item->object.to - item->object.from);
        assert_true(str_has_prefix(text, STR("{\"kind\":\"Pod\"")));
        assert_true(str_has_suffix(text, STR("\"}}")));
    }
}

static void what_is_no_document(void **state)
{
    (void)state;
    static const char *const table[] = {"{'pods':[", "{'pods':[}", "nonsense", "[" POD("a")};
    for (size_t i = 0; i < COUNT(table); i++) {
        struct snapshot_error error;
        struct str json = json_of(table[i]);
        assert_null(object_locations_read(arena, source_of(&json), &error));
        assert_int_equal(error.code, SNAPSHOT_E_JSON);
    }
    struct str nothing = STR("");
    struct snapshot_error error;
    assert_non_null(object_locations_read(arena, source_of(&nothing), &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form),
        cmocka_unit_test(of_repeated_objects_the_newest_counts),
        cmocka_unit_test(thousands_of_objects),
        cmocka_unit_test(what_is_no_document),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
