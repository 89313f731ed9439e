/* The agent: cutting a stream into objects, redacting them, and what is kept of them. */
#include "agent/api.h"
#include "agent/clean.h"
#include "agent/split.h"
#include "base/buf.h"
#include "agent/store.h"
#include "codec/inflate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* ---- split ---- */

static void keep_object(void *context, struct str text)
{
    bytes_put(context, text);
    bytes_putc(context, '\n');
}

struct cut {
    const char *name;
    enum split_form form;
    const char *text, *objects, *head; /* head: NULL of what is not whole */
};

static const struct cut cuts[] = {
    {"nothing", SPLIT_VALUES, "", "", ""},
    {"two", SPLIT_VALUES, "{\"a\":1}\n{\"b\":[{}]}\n", "{\"a\":1}\n{\"b\":[{}]}\n", ""},
    {"brackets in a string", SPLIT_VALUES, "{\"a\":\"}]{\\\"}\"}", "{\"a\":\"}]{\\\"}\"}\n", ""},
    {"the last is cut", SPLIT_VALUES, "{}{\"a\":", "{}\n", NULL},
    {"a list is no object", SPLIT_VALUES, "{}[1]", "{}\n", NULL},
    {"a text is none", SPLIT_VALUES, "gone", "", NULL},
    {"one bracket too many", SPLIT_VALUES, "{}}", "{}\n", NULL},
    {"a list", SPLIT_ITEMS, "{\"metadata\":{},\"items\":[{\"a\":1},{\"b\":2}]}",
     "{\"a\":1}\n{\"b\":2}\n", "{\"metadata\":{},\"items\":[]}"},
    {"what stands behind", SPLIT_ITEMS,
     "{ \"items\" : [ {\"x\":[{}]} ] , \"metadata\":{\"continue\":\"x\"}}", "{\"x\":[{}]}\n",
     "{ \"items\" : [] , \"metadata\":{\"continue\":\"x\"}}"},
    {"an empty list", SPLIT_ITEMS, "{\"items\":[]}", "", "{\"items\":[]}"},
    {"none", SPLIT_ITEMS, "{\"items\":null}", "", "{\"items\":null}"},
    {"null for what was left out", SPLIT_ITEMS, "{\"items\":[null,{}]}", "{}\n", "{\"items\":[]}"},
    {"items of something else", SPLIT_ITEMS,
     "{\"metadata\":{\"items\":[{}]},\"items\":[{\"a\":1}]}", "{\"a\":1}\n",
     "{\"metadata\":{\"items\":[{}]},\"items\":[]}"},
    {"a key that ends with it", SPLIT_ITEMS, "{\"x\\\"items\":[{}],\"xitems\":[{}]}", "",
     "{\"x\\\"items\":[{}],\"xitems\":[{}]}"},
    {"a text that is it", SPLIT_ITEMS, "{\"a\":\"\\\"items\\\":[\",\"items\":[{}]}", "{}\n",
     "{\"a\":\"\\\"items\\\":[\",\"items\":[]}"},
    {"items of an item", SPLIT_ITEMS, "{\"items\":[{\"items\":[{},{}]}]}", "{\"items\":[{},{}]}\n",
     "{\"items\":[]}"},
    {"an item that is none", SPLIT_ITEMS, "{\"items\":[[]]}", "", NULL},
    {"it is cut in an item", SPLIT_ITEMS, "{\"items\":[{},{\"a\"", "{}\n", NULL},
    {"it is cut between items", SPLIT_ITEMS, "{\"items\":[{},", "{}\n", NULL},
    {"nothing where a list belongs", SPLIT_ITEMS, "", "", NULL},
};

static void expect_cut(const struct cut *cut, size_t piece)
{
    struct bytes objects = {0};
    struct split split = {.object = keep_object, .context = &objects};
    struct str rest = str_of(cut->text);
    split_begin(&split, cut->form);
    for (; rest.n; rest = str_sub(rest, piece, SIZE_MAX))
        split_put(&split, str_sub(rest, 0, piece));
    if (!str_eq(bytes_str(&objects), str_of(cut->objects)) ||
        split_is_whole(&split) != (cut->head != NULL) ||
        (cut->head && !str_eq(split_head(&split), str_of(cut->head))))
        fail_msg("%s, %zu at a time: %" STR_FMT " head %" STR_FMT, cut->name, piece,
                 STR_ARG(bytes_str(&objects)), STR_ARG(split_head(&split)));
    split_free(&split);
    bytes_free(&objects);
}

static void streams_are_cut_into_objects(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
        for (size_t piece = 1; piece < 8; piece++)
            expect_cut(&cuts[i], piece == 7 ? SIZE_MAX / 2 : piece);
}

static void ignore_object(void *context, struct str text)
{
    *(size_t *)context = text.n;
}

/* {"":"xxx"} of so many bytes. */
static enum split_result put_large(size_t n, size_t *taken)
{
    struct split split = {.object = ignore_object, .context = taken};
    char *text = memory_new(n);
    memset(text, 'x', n);
    memcpy(text, "{\"\":\"", 5);
    memcpy(text + n - 2, "\"}", 2);
    split_begin(&split, SPLIT_VALUES);
    enum split_result result = split_put(&split, (struct str){text, n});
    split_free(&split);
    free(text);
    return result;
}

static void an_object_has_a_largest_size(void **state)
{
    (void)state;
    size_t taken = 0;
    assert_int_equal(put_large(SPLIT_OBJECT_MAX, &taken), SPLIT_FINE);
    assert_int_equal(taken, SPLIT_OBJECT_MAX);
    taken = 0;
    assert_int_equal(put_large(SPLIT_OBJECT_MAX + 1, &taken), SPLIT_TOO_LARGE);
    assert_int_equal(taken, 0);
}

static void keep_beginning(void *context, struct str text)
{
    assert_true(text.n <= SPLIT_OBJECT_MAX);
    keep_object(context, str_sub(text, 0, 6));
}

/* What follows the item, and the head of the list, are as if it were not there. */
static void an_item_that_is_too_large_is_told_by_its_beginning(void **state)
{
    (void)state;
    struct bytes text = {0}, told = {0};
    char *much = memory_new(SPLIT_OBJECT_MAX);
    memset(much, '{', SPLIT_OBJECT_MAX);
    bytes_put(&text, STR("{\"items\":[{\"a\":1},{\"b\":\""));
    bytes_put(&text, (struct str){much, SPLIT_OBJECT_MAX});
    bytes_put(&text, STR("\",\"c\":[{}]},{\"d\":2}],\"metadata\":{}}"));
    for (size_t piece = 1000; piece < text.n * 2; piece *= 1000) {
        struct split split = {.object = keep_object, .large = keep_beginning, .context = &told};
        struct str rest = bytes_str(&text);
        told.n = 0;
        split_begin(&split, SPLIT_ITEMS);
        for (; rest.n; rest = str_sub(rest, piece, SIZE_MAX))
            split_put(&split, str_sub(rest, 0, piece));
        assert_true(split_is_whole(&split));
        assert_true(str_eq(split_head(&split), STR("{\"items\":[],\"metadata\":{}}")));
        assert_true(str_eq(bytes_str(&told), STR("{\"a\":1}\n{\"b\":\"\n{\"d\":2}\n")));
        split_free(&split);
    }
    free(much);
    bytes_free(&text);
    bytes_free(&told);
}

/* ---- clean ---- */

#define FRONT "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":["

static void objects_are_redacted(void **state)
{
    static const struct {
        const char *object, *redacted; /* NULL: it must not leave */
    } rows[] = {
        {"{\"metadata\":{\"name\":\"a\",\"managedFields\":[{\"x\":1}]}}",
         "{\"metadata\":{\"name\":\"a\",\"managedFields\":[]}}"},
        {"{\"metadata\":{\"name\":\"a\"},\"spec\":{\"containers\":[{\"env\":[{\"name\":\"T\","
         "\"value\":\"s\"}]}]}}",
         "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"containers\":[{\"env\":[{\"name\":\"T\","
         "\"value\":\"[redacted]\"}]}]}}"},
        {"{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"}}",
         "{\"metadata\":{\"name\":\"a\"}}"},
        {"{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}}",
         "{\"metadata\":{\"name\":\"a\"}}"},
        {"{\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"kind\":\"Pod\"}",
         "{\"metadata\":{\"name\":\"a\"},\"kind\":\"Pod\"}"},
        {"{\"kind\":\"Pod\",\"apiVersion\":\"v\",\"metadata\":{\"name\":\"a\"}}",
         "{\"apiVersion\":\"v\",\"metadata\":{\"name\":\"a\"}}"},
        {"{\"kind\":\"Pod\",\"apiVersion\":\"\",\"metadata\":{\"name\":\"a\"}}",
         "{\"apiVersion\":\"\",\"metadata\":{\"name\":\"a\"}}"},
        {"{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"data\":{\"k\":"
         "\"s\"}}",
         "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"},\"data\":{}}"},
        {"{\"metadata\":{\"name\":\"a\"}", NULL},
        {"{\"metadata\":{\"name\":\"a\"}},{\"metadata\":{\"name\":\"b\"}}", NULL},
        {"{\"metadata\":{\"name\":\"a\"}}]} "
         "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[{\"metadata\":{\"name\":\"b\"}}",
         NULL},
        {"{\"metadata\":{\"name\":\"\xff\"}}", NULL},
        {"", NULL},
    };
    struct cleaner *cleaner = cleaner_new();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str got = clean_object(cleaner, STR(FRONT), str_of(rows[i].object));
        if (!got.p != !rows[i].redacted || (got.p && !str_eq(got, str_of(rows[i].redacted))))
            fail_msg("%s: %" STR_FMT, rows[i].object, STR_ARG(got));
    }
    cleaner_free(cleaner);
}

/* An Ingress that is little as text, and as much in memory as somebody wants it to be. */
static bool cleans_rules(struct cleaner *cleaner, size_t n)
{
    struct bytes text = {0};
    bytes_put(&text, STR("{\"metadata\":{\"name\":\"a\"},\"spec\":{\"rules\":[{}"));
    for (size_t i = 1; i < n; i++)
        bytes_put(&text, STR(",{}"));
    bytes_put(&text, STR("]}}"));
    struct str clean = clean_object(
        cleaner,
        STR("{\"kind\":\"IngressList\",\"apiVersion\":\"networking.k8s.io/v1\",\"items\":["),
        bytes_str(&text));
    assert_true(!clean.p || str_eq(clean, bytes_str(&text)));
    bytes_free(&text);
    return clean.p != NULL;
}

static void an_object_takes_no_more_memory_than_there_is(void **state)
{
    struct cleaner *cleaner = cleaner_new();
    (void)state;
    assert_true(cleans_rules(cleaner, 100 * 1000));
    assert_false(cleans_rules(cleaner, 700 * 1000)); /* 2.1 MB; etcd takes no more */
    assert_true(cleans_rules(cleaner, 100 * 1000));
    cleaner_free(cleaner);
}

static void events_and_heads_are_read(void **state)
{
    struct cleaner *cleaner = cleaner_new();
    struct clean_watch watch;
    struct clean_identity identity;
    struct clean_head head;
    (void)state;
    assert_true(clean_watch(
        cleaner,
        STR("{\"object\":{\"metadata\":{\"resourceVersion\":\"7\",\"namespace\":\"n\",\"name\":"
            "\"a\",\"ownerReferences\":[{\"name\":\"b\"}]}} ,\"type\":\"DELETED\"}\n"),
        &watch));
    assert_int_equal(watch.event, CLEAN_DELETED);
    assert_true(clean_identify(cleaner, watch.object, &identity));
    assert_true(str_eq(identity.name, STR("a")) && str_eq(identity.namespace, STR("n")) &&
                str_eq(identity.version, STR("7")));
    assert_true(
        clean_watch(cleaner, STR("{\"type\":\"ERROR\",\"object\":{\"code\":410}}"), &watch));
    assert_true(watch.event == CLEAN_ERROR && watch.error_code == 410);
    assert_true(clean_watch(cleaner, STR("{\"type\":\"LATER\",\"object\":{}}"), &watch));
    assert_int_equal(watch.event, CLEAN_UNKNOWN);
    assert_false(clean_watch(cleaner, STR("{\"type\":\"ADDED\"}"), &watch));
    assert_false(clean_watch(cleaner, STR("{\"type\":\"ADDED\",\"object\":{}"), &watch));
    assert_false(clean_identify(cleaner, STR("{\"spec\":{}}"), &identity));
    assert_true(clean_head(
        cleaner, STR("{\"metadata\":{\"continue\":\"c\",\"resourceVersion\":\"9\"},\"items\":[]}"),
        &head));
    assert_true(str_eq(head.next, STR("c")) && str_eq(head.version, STR("9")));
    assert_true(clean_head(cleaner, STR("{\"items\":null}"), &head));
    cleaner_free(cleaner);
}

/* As a proxy may answer in the API server's place. */
static void what_is_no_list_is_no_empty_one(void **state)
{
    static const char *const texts[] = {
        "[]",
        "{}",
        "{\"kind\":\"Status\",\"metadata\":{},\"status\":\"Success\"}",
        "{\"metadata\":{\"items\":[]}}",
        "{\"items\":{}}",
        "\"items\"",
    };
    struct cleaner *cleaner = cleaner_new();
    struct clean_head head;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (clean_head(cleaner, str_of(texts[i]), &head))
            fail_msg("%s", texts[i]);
    cleaner_free(cleaner);
}

static bool identifies(struct cleaner *cleaner, unsigned depth, const char *front,
                       struct clean_identity *identity)
{
    struct bytes text = {0};
    bytes_put(&text, str_of(front));
    for (unsigned i = 2; i < depth; i++)
        bytes_put(&text, STR("{\"a\":"));
    bytes_put(&text, STR("{}"));
    for (unsigned i = 2; i < depth; i++)
        bytes_putc(&text, '}');
    bytes_putc(&text, '}');
    bool good = clean_identify(cleaner, bytes_str(&text), identity);
    bytes_free(&text);
    return good;
}

static void what_is_too_deep_is_told_from_what_is_wrong(void **state)
{
    const char *front = "{\"metadata\":{\"namespace\":\"n\",\"name\":\"a\"},\"data\":";
    struct cleaner *cleaner = cleaner_new();
    struct clean_identity identity;
    (void)state;
    assert_true(identifies(cleaner, 64, front, &identity));
    assert_false(clean_is_too_deep(cleaner));
    assert_false(identifies(cleaner, 65, front, &identity));
    assert_true(clean_is_too_deep(cleaner));
    assert_true(str_eq(identity.namespace, STR("n")) && str_eq(identity.name, STR("a")));
    assert_false(identifies(cleaner, 65, "{\"data\":", &identity));
    assert_true(clean_is_too_deep(cleaner) && !identity.name.n);
    assert_false(clean_identify(cleaner, STR("{\"metadata\":{\"name\":\"a\"}"), &identity));
    assert_false(clean_is_too_deep(cleaner));
    cleaner_free(cleaner);
}

/* ---- store ---- */

static struct bytes unpacked(struct store_list *list)
{
    struct bytes packed = {0}, text = {0};
    char piece[4096];
    ptrdiff_t n;
    store_pack(list, &packed);
    struct str rest = bytes_str(&packed);
    struct inflate *inflate = inflate_open(source_of(&rest), SIZE_MAX);
    struct source source = inflate_source(inflate);
    while ((n = source.read(source.context, piece, sizeof piece)) > 0)
        bytes_put(&text, (struct str){piece, (size_t)n});
    assert_int_equal(n, 0);
    inflate_free(inflate);
    bytes_free(&packed);
    return text;
}

static void expect_packed(struct store_list *list, const char *expected)
{
    struct bytes text = unpacked(list);
    if (!str_eq(bytes_str(&text), str_of(expected)))
        fail_msg("%" STR_FMT " should be %s", STR_ARG(bytes_str(&text)), expected);
    bytes_free(&text);
}

#define PUT(list, name, version, text)                                                             \
    store_put((list), STR("n"), STR(name), STR(version), STR(text))

static void a_list_has_what_was_put_last(void **state)
{
    struct store *store = store_new();
    struct store_list *list = store_add_list(store, STR("Pod"), false);
    (void)state;
    store_set_version(list, STR("v1"));
    expect_packed(list, FRONT "]}");
    PUT(list, "a", "1", "{1}");
    PUT(list, "b", "1", "{2}");
    expect_packed(list, FRONT "{1},{2}]}");
    uint64_t changes = store_changes(store);
    assert_true(store_keep(list, STR("n"), STR("a"), STR("1")));
    assert_false(store_keep(list, STR("n"), STR("a"), STR("2")));
    assert_false(store_keep(list, STR("m"), STR("a"), STR("1")));
    assert_int_equal(store_changes(store), changes);
    PUT(list, "a", "2", "{3}");
    expect_packed(list, FRONT "{2},{3}]}");
    assert_true(store_changes(store) > changes);
    store_remove(list, STR("n"), STR("b"));
    store_remove(list, STR("n"), STR("unknown"));
    expect_packed(list, FRONT "{3}]}");
    store_begin(list);
    assert_true(store_keep(list, STR("n"), STR("a"), STR("2")));
    PUT(list, "c", "", "{4}");
    store_settle(list);
    expect_packed(list, FRONT "{3},{4}]}");
    store_begin(list);
    PUT(list, "c", "", "{5}");
    store_settle(list);
    expect_packed(list, FRONT "{5}]}");
    store_set_version(list, STR("v1"));
    assert_int_equal(store_count(list), 1);
    store_set_version(list, STR("v2"));
    assert_int_equal(store_count(list), 0);
    store_free(store);
}

static void note_gone(void *context, struct str kind, struct str namespace, struct str name)
{
    struct bytes *gone = context;
    bytes_put(gone, kind);
    bytes_putc(gone, ' ');
    bytes_put(gone, namespace);
    bytes_putc(gone, '/');
    bytes_put(gone, name);
    bytes_putc(gone, '\n');
}

static void what_goes_is_told(void **state)
{
    struct store *store = store_new();
    struct store_list *list = store_add_list(store, STR("Pod"), false);
    struct bytes gone = {0};
    (void)state;
    store_set_version(list, STR("v1"));
    store_tell_gone(store, note_gone, &gone);
    PUT(list, "a", "1", "{1}");
    PUT(list, "b", "1", "{2}");
    PUT(list, "c", "1", "{3}");
    PUT(list, "a", "2", "{4}");
    store_remove(list, STR("n"), STR("unknown"));
    assert_int_equal(gone.n, 0);
    store_remove(list, STR("n"), STR("b"));
    store_begin(list);
    assert_true(store_keep(list, STR("n"), STR("a"), STR("2")));
    store_settle(list);
    store_clear(list);
    assert_true(str_eq(bytes_str(&gone), STR("Pod n/b\nPod n/c\nPod n/a\n")));
    PUT(list, "a", "1", "{1}");
    store_tell_gone(store, NULL, NULL);
    gone.n = 0;
    store_clear(list);
    assert_int_equal(gone.n, 0);
    bytes_free(&gone);
    store_free(store);
}

static void quiet_lists_are_no_reason(void **state)
{
    struct store *store = store_new();
    struct store_list *list = store_add_list(store, STR("Lease"), true);
    (void)state;
    store_set_version(list, STR("v1"));
    PUT(list, "a", "1", "{1}");
    store_remove(list, STR("n"), STR("a"));
    assert_int_equal(store_changes(store), 0);
    store_free(store);
}

enum { MANY = 3000, ROUNDS = 40000 };

/* Against a plain array: whatever is put and removed over many pages, the list has each object
 * once, as it was put last. */
static void pages_lose_nothing(void **state)
{
    struct store *store = store_new();
    struct store_list *list = store_add_list(store, STR("Pod"), false);
    static unsigned there[MANY]; /* its round; 0: it is not there */
    unsigned chance = 12345, living = 0, seen = 0;
    (void)state;
    store_set_version(list, STR("v1"));
    for (unsigned round = 1; round <= ROUNDS; round++) {
        char name[16], text[256];
        chance = chance * 1103515245 + 12345;
        unsigned which = (chance >> 8) % MANY;
        snprintf(name, sizeof name, "%u", which);
        bool remove = chance >> 28 == 0;
        if (remove)
            store_remove(list, STR(""), str_of(name));
        else
            store_put(
                list, STR(""), str_of(name), STR(""),
                (struct str){text, (size_t)snprintf(text, sizeof text, "{\"%u\":%u,\"x\":\"%*d\"}",
                                                    which, round, (int)(chance % 200), 1)});
        there[which] = remove ? 0 : round;
        if (round % 9000 == 0) {
            struct bytes packed = {0};
            store_pack(list, &packed);
            bytes_free(&packed);
        }
    }
    struct bytes text = unpacked(list);
    bytes_putc(&text, 0);
    for (unsigned i = 0; i < MANY; i++)
        living += there[i] > 0;
    for (const char *at = text.p; (at = strstr(at, "{\"")) != NULL; at += 2) {
        unsigned which, round;
        if (sscanf(at, "{\"%u\":%u,", &which, &round) != 2)
            continue;
        assert_int_equal(there[which], round);
        there[which] = 0;
        seen++;
    }
    assert_int_equal(seen, living);
    assert_int_equal(store_count(list), living);
    bytes_free(&text);
    store_free(store);
}

/* ---- what is served ---- */

static void discovery_is_read(void **state)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    api_group_list groups = {0};
    api_resource_list resources = {0}, none = {0};
    (void)state;
    assert_true(api_read_groups(
        arena,
        STR("{\"groups\":[{\"name\":\"batch\",\"versions\":[{\"version\":\"v1beta1\"},{\"version\":"
            "\"v1\"}],"
            "\"preferredVersion\":{\"version\":\"v1\"}}],\"kind\":\"APIGroupList\"}"),
        &groups));
    assert_int_equal(groups.n, 1);
    assert_true(groups.items[0].versions_n == 2 && str_eq(groups.items[0].versions[0], STR("v1")));
    assert_true(api_read_resources(arena,
                                   STR("{\"resources\":[{\"name\":\"jobs\",\"kind\":\"Job\","
                                       "\"verbs\":[\"list\",\"watch\"]},{\"name\":"
                                       "\"jobs/status\",\"kind\":\"Job\",\"verbs\":[\"get\"]}]}"),
                                   &resources));
    assert_true(resources.n == 2 && resources.items[0].list && resources.items[0].watch &&
                !resources.items[1].list);
    assert_false(api_read_resources(arena, STR("{\"resources\":[{\"name\":\"jobs\"}"), &none));
    assert_false(api_read_resources(arena, STR("gone"), &none));
    arena_free(arena);
}

static void groups_are_bounded(void **state)
{
    struct arena *arena = arena_new(64 << 20);
    struct buf text = buf_init(arena, SIZE_MAX);
    api_group_list groups = {0};
    (void)state;
    buf_put(&text, STR("{\"groups\":[{\"name\":\"apps\"},{\"name\":\"apps\"}"));
    for (int i = 0; i < API_GROUPS_MAX; i++)
        buf_printf(&text, ",{\"name\":\"g%d\"},{\"name\":\"apps\"}", i);
    buf_put(&text, STR("]}"));
    assert_true(api_read_groups(arena, buf_str(&text), &groups));
    assert_int_equal(groups.n, API_GROUPS_MAX);
    assert_true(str_eq(groups.items[0].name, STR("apps")));
    assert_true(str_eq(groups.items[1].name, STR("g0")));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_bounded),
        cmocka_unit_test(streams_are_cut_into_objects),
        cmocka_unit_test(an_object_has_a_largest_size),
        cmocka_unit_test(an_item_that_is_too_large_is_told_by_its_beginning),
        cmocka_unit_test(objects_are_redacted),
        cmocka_unit_test(an_object_takes_no_more_memory_than_there_is),
        cmocka_unit_test(events_and_heads_are_read),
        cmocka_unit_test(what_is_no_list_is_no_empty_one),
        cmocka_unit_test(what_is_too_deep_is_told_from_what_is_wrong),
        cmocka_unit_test(a_list_has_what_was_put_last),
        cmocka_unit_test(quiet_lists_are_no_reason),
        cmocka_unit_test(pages_lose_nothing),
        cmocka_unit_test(discovery_is_read),
        cmocka_unit_test(what_goes_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
