/* Changes of a document: what they lead to, and which are refused. */
#include "reader/changes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/hex.h"
#include "reader/document_memory.h"
#include "scratch.h"

#define POD(name)     "{'metadata':{'name':'" name "'}}"
#define OTHER(name)   "{'metadata':{'name':'" name "','uid':'2'}}"
#define TYPED(name)   "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name "'}}"
#define ALONE         "{'pods':[],'apiVersion':'v1','kind':'Pod','metadata':{'name':'a'}}"
#define NAMED(k, n)   "{'kind':'" k "','apiVersion':'v1','name':'" n "'}"
#define PODS(items)   "{'kind':'PodList','apiVersion':'v1','items':[" items "]}"
#define BETAS(items)  "{'kind':'PodList','apiVersion':'v1beta1','items':[" items "]}"
#define MIXED(items)  "{'kind':'List','apiVersion':'v1','items':[" items "]}"
#define NODES(items)  "{'kind':'NodeList','apiVersion':'v1','items':[" items "]}"
#define GONE(names)   "],'removed':[" names
#define ZEROS         "00000000000000000000000000000000"
#define DIGEST        "'digest':'" ZEROS ZEROS "'"
#define LIST_OF(both) "{'base':'r'," DIGEST ",'objects':[" both "]}"

static const char *text_of(struct str json)
{
    struct str text = arena_str(arena, json);
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '"')
            ((char *)text.p)[i] = '\'';
    return text.p;
}

static const struct document_index *index_of(struct str text)
{
    struct document_index *index = ARENA_NEW(arena, struct document_index);
    struct snapshot_error error;
    assert_true(document_index_read(arena, text, index, &error));
    return index;
}

static struct str text_of_index(const struct document_index *index)
{
    struct document_cursor cursor = {.index = index};
    struct source source = document_source(&cursor);
    struct buf text = buf_init(arena, SIZE_MAX / 2);
    for (ptrdiff_t n = 1; n > 0;) { /* in pieces */
        n = source.read(source.context, buf_reserve(&text, 7), 7);
        buf_commit(&text, (size_t)n);
    }
    assert_int_equal(text.n, document_index_length(index));
    return buf_str(&text);
}

static void assert_same_index(const struct document_index *a, const struct document_index *b)
{
    assert_true(str_eq(a->tail, b->tail));
    assert_int_equal(a->objects.n, b->objects.n);
    for (uint32_t i = 0; i < a->objects.n; i++) {
        struct document_object *x = &a->objects.items[i], *y = &b->objects.items[i];
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->has_kind, y->has_kind);
        assert_int_equal(x->has_api_version, y->has_api_version);
        assert_true(str_eq(x->api_version, y->api_version));
        assert_true(str_eq(x->namespace, y->namespace) && str_eq(x->name, y->name));
        assert_true(str_eq(x->lead, y->lead));
        assert_true(str_eq(document_object_text(x), document_object_text(y)));
        assert_memory_equal(x->digest, y->digest, SHA256);
    }
}

/* ---- what they lead to ---- */

/* The document that they make, or why there is none. What is known of it is what reading it tells.
 */
static const char *applied(const char *document, const char *list)
{
    unsigned char digest[SHA256], expected[SHA256];
    struct changes changes;
    struct changes_error error;
    const char *why;
    assert_true(changes_read(arena, json_of(list), &changes, &error));
    const struct document_index *now =
        changes_apply(arena, index_of(json_of(document)), &changes, SIZE_MAX, digest, &why);
    if (!now)
        return why;
    struct str text = text_of_index(now);
    assert_same_index(now, index_of(text));
    document_index_digest(arena, now, expected);
    assert_memory_equal(digest, expected, SHA256);
    return text_of(text);
}

static void changes_lead_to_a_document(void **state)
{
    (void)state;
    static const struct {
        const char *document, *list, *result;
    } table[] = {
        {PODS(POD("a")), LIST_OF(GONE("")), PODS(POD("a"))},
        /* changed: in its place */
        {PODS(POD("a") "," POD("b") "," POD("c")), LIST_OF(PODS(OTHER("b")) GONE("")),
         PODS(POD("a") "," OTHER("b") "," POD("c"))},
        {PODS(POD("a")) NODES(POD("a")), LIST_OF(NODES(OTHER("a")) GONE("")),
         PODS(POD("a")) NODES(OTHER("a"))},
        /* an object that says itself what it is may stand where its list says so */
        {PODS(POD("a")), LIST_OF(TYPED("a") GONE("")), PODS(TYPED("a"))},
        {"{'pods':[" TYPED("a") "]}", LIST_OF(TYPED("b") GONE("")),
         "{'pods':[" TYPED("a") "," TYPED("b") "]}"},
        /* new: behind the last of its kind, in the order of the list */
        {PODS(POD("a")) NODES(POD("n")), LIST_OF(PODS(POD("z") "," POD("b")) GONE("")),
         PODS(POD("a") "," POD("z") "," POD("b")) NODES(POD("n"))},
        {PODS(POD("a")) PODS(POD("b") " ") PODS(""), LIST_OF(PODS(POD("c")) GONE("")),
         PODS(POD("a")) PODS(POD("b") "," POD("c") " ") PODS("")},
        {PODS(POD("a")) BETAS(POD("b")), LIST_OF(PODS(POD("c")) GONE("")),
         PODS(POD("a") "," POD("c")) BETAS(POD("b"))},
        {MIXED(TYPED("a") ",null"), LIST_OF(TYPED("b") GONE("")),
         MIXED(TYPED("a") "," TYPED("b") ",null")},
        /* behind the last that stays */
        {PODS(POD("a") "," POD("b")), LIST_OF(PODS(POD("c")) GONE(NAMED("Pod", "b"))),
         PODS(POD("a") "," POD("c"))},
        {PODS(POD("a")), LIST_OF(PODS(POD("c") "," OTHER("a")) GONE("")),
         PODS(OTHER("a") "," POD("c"))},
        /* gone: with a comma */
        {PODS(POD("a") "," POD("b") "," POD("c")), LIST_OF(GONE(NAMED("Pod", "a"))),
         PODS(POD("b") "," POD("c"))},
        {PODS(POD("a") "," POD("b") "," POD("c")), LIST_OF(GONE(NAMED("Pod", "b"))),
         PODS(POD("a") "," POD("c"))},
        {PODS(POD("a") " ,\n" POD("b") "\t,\r" POD("c") " "), LIST_OF(GONE(NAMED("Pod", "c"))),
         PODS(POD("a") " ,\n" POD("b") "\t ")},
        {PODS(POD("a") " ,\n" POD("b") "\t,\r" POD("c") " "),
         LIST_OF(GONE(NAMED("Pod", "b") "," NAMED("Pod", "a"))), PODS("\r" POD("c") " ")},
        {PODS(POD("a") "," POD("b") "," POD("c")),
         LIST_OF(GONE(NAMED("Pod", "c") "," NAMED("Pod", "b"))), PODS(POD("a"))},
        {PODS(POD("a") "," POD("b")) NODES(POD("n")),
         LIST_OF(GONE(NAMED("Pod", "a") "," NAMED("Pod", "b"))), PODS("") NODES(POD("n"))},
        {PODS(POD("a")) NODES(POD("n")), LIST_OF(GONE(NAMED("Pod", "a") "," NAMED("Node", "n"))),
         PODS("") NODES("")},
        {TYPED("a") TYPED("b") "\n" TYPED("c"), LIST_OF(GONE(NAMED("Pod", "b"))),
         TYPED("a") "\n" TYPED("c")},
        {MIXED("null," TYPED("a") ",null," TYPED("b") ",null"),
         LIST_OF(GONE(NAMED("Pod", "a") "," NAMED("Pod", "b"))), MIXED("null,null,null")},
        {MIXED(TYPED("a") ",null," TYPED("b")),
         LIST_OF(GONE(NAMED("Pod", "a") "," NAMED("Pod", "b"))), MIXED("null")},
        /* the same name in another namespace, of another kind */
        {PODS("{'metadata':{'name':'a','namespace':'x'}}," POD("a")),
         LIST_OF(GONE("{'kind':'Pod','apiVersion':'v1','namespace':'x','name':'a'}")),
         PODS(POD("a"))},
        /* what touches nothing may be there twice, and what is no object stays */
        {PODS(POD("a") "," POD("b") "," POD("b")), LIST_OF(GONE(NAMED("Pod", "a"))),
         PODS(POD("b") "," POD("b"))},
        {"{'kind':'SecretList','apiVersion':'v1','reason':'Forbidden'}" PODS(POD("a")),
         LIST_OF(PODS(OTHER("a")) GONE("")),
         "{'kind':'SecretList','apiVersion':'v1','reason':'Forbidden'}" PODS(OTHER("a"))},
    };
    for (size_t i = 0; i < COUNT(table); i++)
        assert_string_equal(applied(table[i].document, table[i].list), table[i].result);
}

static void changes_of_another_document_lead_nowhere(void **state)
{
    (void)state;
    static const struct {
        const char *document, *list, *why;
    } table[] = {
        {PODS(POD("a")), LIST_OF(GONE(NAMED("Pod", "b"))),
         "an object is removed that is not there"},
        {PODS(POD("a")), LIST_OF(GONE(NAMED("Node", "a"))),
         "an object is removed that is not there"},
        {PODS(POD("a")),
         LIST_OF(GONE("{'kind':'Pod','apiVersion':'v1','namespace':'x','name':'a'}")),
         "an object is removed that is not there"},
        {PODS(POD("a") "," POD("a")), LIST_OF(GONE(NAMED("Pod", "a"))),
         "an object that is changed is there twice"},
        {PODS(POD("a")) PODS(POD("a")), LIST_OF(PODS(OTHER("a")) GONE("")),
         "an object that is changed is there twice"},
        {BETAS(POD("a")), LIST_OF(PODS(OTHER("a")) GONE("")),
         "an object stands in a list of another API version"},
        {MIXED(TYPED("a")), LIST_OF(PODS(OTHER("a")) GONE("")),
         "an object stands in a list of another API version"},
        {PODS(POD("a")), LIST_OF(NODES(POD("n")) GONE("")), "a new object has no list to stand in"},
        {PODS(POD("a")) NODES(""), LIST_OF(NODES(POD("n")) GONE("")),
         "a new object has no list to stand in"},
        {PODS(POD("a")), LIST_OF(PODS(POD("b")) GONE(NAMED("Pod", "a"))),
         "a new object has no list to stand in"},
        {PODS(POD("a")), LIST_OF(BETAS(POD("b")) GONE("")), "a new object has no list to stand in"},
        {TYPED("a"), LIST_OF(TYPED("b") GONE("")), "a new object has no list to stand in"},
        {MIXED(TYPED("a")), LIST_OF(PODS(POD("b")) GONE("")),
         "a new object has no list to stand in"},
        {"", LIST_OF(GONE(NAMED("Pod", "a"))), "an object is removed that is not there"},
        {TYPED("a") TYPED("b"), LIST_OF(TYPED("b") GONE("")),
         "an object that is changed is in no list"},
        /* in no list it would be an object of collections */
        {TYPED("a"), LIST_OF(ALONE GONE("")), "an object that is changed is in no list"},
    };
    for (size_t i = 0; i < COUNT(table); i++)
        assert_string_equal(applied(table[i].document, table[i].list), table[i].why);
}

static void what_they_make_has_a_limit(void **state)
{
    (void)state;
    unsigned char digest[SHA256];
    struct changes changes;
    struct changes_error error;
    const char *why;
    struct str list = json_of(LIST_OF(PODS(OTHER("a")) GONE("")));
    const struct document_index *old = index_of(json_of(PODS(POD("a"))));
    assert_true(changes_read(arena, list, &changes, &error));
    size_t room = sizeof PODS(OTHER("a")) - 1;
    assert_non_null(changes_apply(arena, old, &changes, room, digest, &why));
    assert_null(changes_apply(arena, old, &changes, room - 1, digest, &why));
    assert_string_equal(why, "there is too much to put together");
}

/* ---- lists ---- */

static void a_list_that_is_none_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *list, *field; /* field: NULL, it is no JSON */
    } table[] = {
        {"", "base"},
        {"[]", "base"},
        {"'base'", "base"},
        {LIST_OF(GONE("")) "{}", "base"},
        {LIST_OF(GONE("")) "x", NULL},
        {"{" DIGEST ",'objects':[],'removed':[]}", "base"},
        {"{'base':''," DIGEST ",'objects':[],'removed':[]}", "base"},
        {"{'base':1," DIGEST ",'objects':[],'removed':[]}", "base"},
        {"{'base':'" ZEROS ZEROS "0'," DIGEST ",'objects':[],'removed':[]}", "base"},
        {"{'base':'r','objects':[],'removed':[]}", "digest"},
        {"{'base':'r','digest':'" ZEROS "','objects':[],'removed':[]}", "digest"},
        {"{'base':'r','digest':'" ZEROS ZEROS "0','objects':[],'removed':[]}", "digest"},
        {"{'base':'r','digest':'g0" ZEROS
         "000000000000000000000000000000','objects':[],'removed':[]}",
         "digest"},
        {"{'base':'r','digest':null,'objects':[],'removed':[]}", "digest"},
        {"{'base':'r'," DIGEST ",'removed':[]}", "objects"},
        {"{'base':'r'," DIGEST ",'objects':[]}", "removed"},
        {"{'base':'r'," DIGEST ",'objects':{},'removed':[]}", "objects"},
        {"{'base':'r'," DIGEST ",'objects':[],'removed':{}}", "removed"},
        {LIST_OF("1" GONE("")), "objects"},
        {LIST_OF("null" GONE("")), "objects"},
        {LIST_OF(PODS("null") GONE("")), "objects"},
        {LIST_OF(PODS("1") GONE("")), "objects"},
        {LIST_OF(GONE("1")), "removed"},
        {LIST_OF(GONE("{}")), "removed"},
        {LIST_OF(GONE("{'apiVersion':'v1','name':'a'}")), "removed"},
        {LIST_OF(GONE("{'kind':'Pod','name':'a'}")), "removed"},
        {LIST_OF(GONE("{'kind':'Pod','apiVersion':'v1'}")), "removed"},
        {LIST_OF(GONE("{'kind':'Pod','apiVersion':'v1','name':''}")), "removed"},
        {LIST_OF(GONE("{'kind':'Pod','apiVersion':'v1','name':1}")), "removed"},
        {LIST_OF(GONE("{'kind':'Pod','apiVersion':'v1','name':'a','namespace':null}")), "removed"},
        {LIST_OF(GONE(NAMED("Unread", "a"))), "removed"},
        {LIST_OF(GONE("{'kind':'Pod','apiVersion':'apps/v1','name':'a'}")), "removed"},
        {LIST_OF(PODS("{'metadata':{}}") GONE("")), "objects"},
        {LIST_OF(PODS("{'metadata':{'namespace':'x'}}") GONE("")), "objects"},
        /* twice the same */
        {LIST_OF(PODS(POD("a") "," POD("a")) GONE("")), "objects"},
        {LIST_OF(PODS(POD("a")) "," PODS(OTHER("a")) GONE("")), "objects"},
        {LIST_OF(PODS(POD("a")) GONE(NAMED("Pod", "a"))), "objects"},
        {LIST_OF(GONE(NAMED("Pod", "a") "," NAMED("Pod", "a"))), "objects"},
        {LIST_OF(
             GONE(NAMED("Pod", "a") ",{'kind':'Pod','apiVersion':'v1','name':'a','namespace':''}")),
         "objects"},
        /* no JSON */
        {"{", NULL},
        {"{'base':'r'," DIGEST ",'objects':[],'removed':[]", NULL},
        {"{'base':'r'," DIGEST ",'objects':[{'a':01}],'removed':[]}", NULL},
        {LIST_OF(PODS("{'metadata':{'name':'\xff'}}") GONE("")), NULL},
        {LIST_OF(PODS("{'metadata':{'name':'a'},}") GONE("")), NULL},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct changes changes;
        struct changes_error error;
        assert_false(changes_read(arena, json_of(table[i].list), &changes, &error));
        if (table[i].field)
            assert_string_equal(error.field ? error.field : "none", table[i].field);
        else
            assert_true(!error.field && error.json.code != JR_OK);
    }
}

/* What stands between lists is taken over once, however many objects go. */
static void many_lists_become_empty(void **state)
{
    (void)state;
    enum { LISTS = 5000 };
    struct buf document = buf_init(arena, SIZE_MAX / 2), list = buf_init(arena, SIZE_MAX / 2),
               result = buf_init(arena, SIZE_MAX / 2);
    buf_put(&list, STR("{'base':'r'," DIGEST ",'objects':[],'removed':["));
    for (int i = 0; i < LISTS; i++) {
        buf_printf(&document, PODS("{'metadata':{'name':'p%d'}}"), i);
        buf_printf(&list, "%s{'kind':'Pod','apiVersion':'v1','name':'p%d'}", i ? "," : "", i);
        buf_put(&result, STR(PODS("")));
    }
    buf_put(&document, STR(PODS(POD("last"))));
    buf_put(&result, STR(PODS(POD("last"))));
    buf_put(&list, STR("]}"));
    buf_putc(&document, '\0');
    buf_putc(&list, '\0');
    buf_putc(&result, '\0');
    size_t before = arena_used(arena);
    assert_string_equal(applied(document.p, list.p), result.p);
    assert_true(arena_used(arena) - before < 100 * document.n);
}

static void of_equal_members_the_last_counts(void **state)
{
    (void)state;
    assert_string_equal(
        applied(PODS(POD("a") "," POD("b")),
                "{'base':'q','base':'r'," DIGEST
                ",'later':[{}],'objects':[" PODS(OTHER("b")) "],'removed':[" NAMED(
                    "Pod", "b") "],'objects':[" PODS(OTHER("a")) "],'removed':[" NAMED("Pod",
                                                                                       "b") "]}"),
        PODS(OTHER("a")));
}

/* ---- digests ---- */

static const char *digest_of(const char *document)
{
    unsigned char digest[SHA256];
    char *text = arena_bytes(arena, 2 * SHA256 + 1);
    document_index_digest(arena, index_of(json_of(document)), digest);
    hex_encode(digest, SHA256, text);
    return text;
}

static void the_digest_is_of_the_objects(void **state)
{
    (void)state;
    const char *two = digest_of(PODS(POD("a") "," POD("b")));
    assert_string_equal(two, digest_of(PODS(POD("b")) "\n" PODS(POD("a")) NODES("")));
    assert_string_not_equal(two, digest_of(PODS(POD("a"))));
    assert_string_not_equal(two, digest_of(PODS(POD("a") "," POD("b") "," POD("b"))));
    assert_string_not_equal(two, digest_of(PODS(POD("a") "," OTHER("b"))));
    assert_string_not_equal(two, digest_of(BETAS(POD("a") "," POD("b"))));
    assert_string_not_equal(two, digest_of(NODES(POD("a") "," POD("b"))));
    /* printf 'Node\nv1\n{"metadata":{"name":"n"}}' | sha256sum | xxd -r -p | sha256sum; the digest
     * of nothing is that of no bytes */
    assert_string_equal(digest_of(NODES(POD("n"))),
                        "c8b4d82a1a0e131019f9cf9973431436a2624825491b784a908c641e574b69d5");
    assert_string_equal(digest_of(""),
                        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

/* ---- what is remembered ---- */

static void a_document_is_remembered_by_its_revision(void **state)
{
    (void)state;
    const struct document_index *index =
        index_of(json_of(PODS("{'metadata':{'name':'a','namespace':'x'}}," POD("b"))));
    struct document_memory *memory = document_memory_new(1 << 20, 0);
    assert_null(document_memory_find(memory, arena, STR("")));
    document_memory_keep(memory, STR("one"), index, (text_part_list){0});
    assert_null(document_memory_find(memory, arena, STR("on")));
    assert_null(document_memory_find(memory, arena, STR("two")));
    assert_same_index(document_memory_find(memory, arena, STR("one")), index);
    assert_true(document_memory_bytes(memory) > document_index_length(index));
    /* its own, under another name */
    document_memory_keep(memory, STR("two"), document_memory_find(memory, arena, STR("one")),
                         (text_part_list){0});
    assert_null(document_memory_find(memory, arena, STR("one")));
    assert_same_index(document_memory_find(memory, arena, STR("two")), index);
    document_memory_keep(memory, STR(""), index, (text_part_list){0});
    assert_null(document_memory_find(memory, arena, STR("")));
    assert_null(document_memory_find(memory, arena, STR("two")));
    document_memory_free(memory);
    document_memory_free(NULL);
}

static void too_large_a_document_is_not_remembered(void **state)
{
    (void)state;
    const struct document_index *index = index_of(json_of(PODS(POD("a"))));
    struct document_memory *memory = document_memory_new(1 << 20, 0);
    document_memory_keep(memory, STR("one"), index, (text_part_list){0});
    size_t bytes = document_memory_bytes(memory);
    document_memory_free(memory);
    memory = document_memory_new(bytes / 2, 0);
    document_memory_keep(memory, STR("one"), index, (text_part_list){0});
    assert_null(document_memory_find(memory, arena, STR("one")));
    document_memory_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_lead_to_a_document),
        cmocka_unit_test(changes_of_another_document_lead_nowhere),
        cmocka_unit_test(what_they_make_has_a_limit),
        cmocka_unit_test(a_list_that_is_none_is_refused),
        cmocka_unit_test(many_lists_become_empty),
        cmocka_unit_test(of_equal_members_the_last_counts),
        cmocka_unit_test(the_digest_is_of_the_objects),
        cmocka_unit_test(a_document_is_remembered_by_its_revision),
        cmocka_unit_test(too_large_a_document_is_not_remembered),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
