/* What is remembered of a cluster changes nothing but time: sequences of pushes, each read warm and
 * cold (warm.h). */
#include "warm.h"

#include "base/buf.h"
#include "objects.h"
#include "reader/remembered.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MAX = 64 << 20 };

#define META(name) "'metadata':{'name':'" name "','namespace':'shop','uid':'u-" name "'}"
#define POD(name)  "{'apiVersion':'v1','kind':'Pod'," META(name) ",'spec':{'nodeName':'n'}}"
#define ENV(name, value)                                                                           \
    "{'apiVersion':'v1','kind':'Pod'," META(                                                       \
        name) ",'spec':{'containers':[{'name':'c','image':"                                        \
              "'shop/api:1','env':[{'name':'MODE','value':'" value                                 \
              "'},{'name':'B','value':''}]}]},"                                                    \
              "'status':{'phase':'Running'}}"
#define SECRET "{'apiVersion':'v1','kind':'Secret'," META("s") ",'data':{'a':'aHVzaA=='}}"
/* Long enough that the filter lets it pass by itself. */
#define LONG_POD(name)                                                                             \
    "{'apiVersion':'v1','kind':'Pod'," META(name) ",'spec':{'nodeName':'a-node-in-the-cellar'}}"
/* The filter for secrets cuts something of it. */
#define CUT                                                                                        \
    "{'apiVersion':'v1','kind':'Pod'," META("cut") ",'spec':{'containers':[{'name':'c','args':"    \
                                                   "['--password=correct-horse-battery-9']}]}}"
#define LIST_(...) "{'apiVersion':'v1','kind':'List','items':[" __VA_ARGS__ "]}"

/* Pushes of one cluster, one after another; NULL ends them. */
static const char *const sequences[][8] = {
    /* the same, changed, and back again */
    {LIST_(POD("a") "," POD("b")), LIST_(POD("a") "," ENV("b", "x")), LIST_(POD("a") "," POD("b"))},
    /* another order, one more, one less, twice */
    {LIST_(POD("a") "," POD("b") "," POD("c")), LIST_(POD("c") "," POD("a") "," POD("b")),
     LIST_(POD("c") "," POD("b")), LIST_(POD("c") "," POD("d") "," POD("b")),
     LIST_(POD("c") "," POD("c") "," POD("b") "," POD("b")), LIST_(POD("b"))},
    /* the same bytes under another kind of list, or another version, or none */
    {"{'kind':'PodList','apiVersion':'v1','items':[{" META("a") ",'spec':{}}]}",
     "{'kind':'ServiceList','apiVersion':'v1','items':[{" META("a") ",'spec':{}}]}",
     "{'kind':'PodList','apiVersion':'v2','items':[{" META("a") ",'spec':{}}]}",
     "{'kind':'SecretList','apiVersion':'v1','items':[{" META("a") ",'spec':{}}]}",
     "{'kind':'List','apiVersion':'v1','items':[{" META("a") ",'spec':{}}]}",
     "{'pods':[{" META("a") ",'spec':{}}]}", "{'deployments':[{" META("a") ",'spec':{}}]}"},
    {"{'secrets':[{" META("a") ",'data':{'k':'aHVzaA=='}}]}",
     "{'pods':[{" META("a") ",'data':{'k':'aHVzaA=='}}]}",
     "{'configmaps':[{" META("a") ",'data':{'k':'aHVzaA=='}}]}"},
    {"{'kind':'DeploymentList','apiVersion':'apps/v1','items':[{" META("a") "}]}",
     "{'items':[{" META("a") "}],'kind':'PodList','apiVersion':'v1'}",
     "{'items':[{" META("a") "}],'kind':'DeploymentList','apiVersion':'apps/v1'}"},
    /* what stands between */
    {LIST_(POD("a") "," POD("b")), LIST_("  " POD("a") " \n,\t" POD("b") "  "),
     LIST_(POD("a") ",\r\n   " POD("b")), LIST_("null," POD("a") ",null," POD("b"))},
    /* what is known ends, and the text does not, or otherwise */
    {LIST_(POD("a") "," POD("b")), LIST_(POD("a") "x," POD("b")), LIST_(POD("a") POD("b")),
     LIST_(POD("a") ",,"), LIST_(POD("a") "}"), LIST_(POD("a") "," POD("b") ","),
     LIST_(POD("a") ":" POD("b"))},
    {LIST_(POD("a") "," POD("b")), "{'kind':'List','items':[" POD("a") "," POD("b"),
     "{'kind':'List','items':[" POD("a"), "{'kind':'List','items':[" POD("a") ",",
     LIST_(POD("a") ",\x01" POD("b")), LIST_(POD("a") "," POD("b"))},
    /* one text is the beginning of another */
    {"{'a':1}" POD("a"), "{'a':1}x", "{'a':1}" POD("a"), POD("a") "x", POD("a") POD("a"),
     POD("a") "," POD("b")},
    /* an object in an object, a list in a list */
    {LIST_(POD("a")), LIST_("{'kind':'List','items':[" POD("a") "]}"),
     LIST_("{'spec':" POD("a") ",'kind':'Pod'," META("x") "}"), "[" POD("a") "]",
     "[[" POD("a") "]]", "{'pods':{'items':[" POD("a") "]}}"},
    /* what is redacted, and what is cut */
    {LIST_(ENV("a", "x") "," SECRET "," CUT "," POD("b")),
     LIST_(ENV("a", "y") "," SECRET "," CUT "," POD("b")),
     LIST_(ENV("a", "hunter2-hunter2") "," SECRET "," CUT "," CUT), LIST_(CUT "," ENV("a", "x")),
     LIST_(SECRET "," ENV("a", "x"))},
    /* kinds that are not read, or no longer */
    {LIST_("{'apiVersion':'x/v1','kind':'Widget'," META("w") "}," POD("a")),
     LIST_("{'apiVersion':'policy/v1beta1','kind':'PodSecurityPolicy'," META("w") "}," POD("a")),
     LIST_("{'apiVersion':'cilium.io/v2','kind':'CiliumNetworkPolicy'}," POD("a"))},
    /* kinds that are told late, twice, or not as expected */
    {LIST_("{" META("a") ",'kind':'Pod','apiVersion':'v1'}"),
     "{'kind':'ServiceList','apiVersion':'v1','items':[{" META(
         "a") ",'kind':'Pod','apiVersion':'v1'}]}",
     LIST_("{'kind':'Pod'," META("a") ",'kind':'Node','apiVersion':'v1'}"),
     LIST_("{" META("a") ",'kind':'Pod','apiVersion':'v1'}")},
    /* no kind, no name, no metadata */
    {"{'pods':[{'name':'a','status':'Running','restarts':3},{'name':'b'}]}",
     "{'pods':[{'name':'a','status':'Failed','restarts':3},{'name':'b'},{}]}",
     "{'pods':[{},{}],'nodes':[{'name':'a'}]}", LIST_("{},{'kind':'Pod'},{'kind':'Pod'}")},
};

static struct str json_of(struct arena *arena, const char *document)
{
    struct str json = arena_str(arena, str_of(document));
    char *text = (char *)json.p;
    for (size_t i = 0; i < json.n; i++)
        if (text[i] == '\'')
            text[i] = '"';
    return json;
}

static void same(struct warm *warm, struct str document, enum warm_mode mode, size_t piece)
{
    const char *what = warm_push(warm, document, mode, piece);
    if (what)
        fail_msg("%s, in pieces of %zu, %s:\n%" STR_FMT, what, piece,
                 mode == WARM_FIND    ? "finding"
                 : mode == WARM_PARTS ? "in parts"
                 : mode == WARM_RUNS  ? "in runs"
                                      : "redacting",
                 STR_ARG(str_sub(document, 0, 2000)));
}

/* Each document as often as makes it known before the next comes; and once only. */
static void push_all(const char *const *documents, unsigned times, enum warm_mode mode,
                     size_t piece)
{
    struct arena *arena = arena_new(MAX);
    struct warm *warm = warm_new(MAX);
    for (unsigned round = 0; round < 3; round++)
        for (size_t i = 0; i < 8 && documents[i]; i++)
            for (unsigned time = 0; time < times; time++)
                same(warm, json_of(arena, documents[i]), mode, piece);
    warm_free(warm);
    arena_free(arena);
}

static void warm_equals_cold(void **state)
{
    static const size_t pieces[] = {0, 1, 7, 64};
    (void)state;
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
        for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++)
            for (unsigned times = 1; times < 4; times++) {
                push_all(sequences[i], times, WARM_REDACT, pieces[p]);
                push_all(sequences[i], times, WARM_FIND, pieces[p]);
                push_all(sequences[i], times, WARM_PARTS, pieces[p]);
                push_all(sequences[i], times, WARM_RUNS, pieces[p]);
            }
}

/* A sequence, in both modes by turns: what is known of one is not taken for the other. */
static void modes_by_turns(void **state)
{
    struct arena *arena = arena_new(MAX);
    struct warm *warm = warm_new(MAX);
    (void)state;
    struct str document = json_of(arena, LIST_(POD("a") "," POD("b")));
    for (unsigned i = 0; i < 24; i++)
        same(warm, document, (enum warm_mode)(i / 3 % WARM_MODES), 0);
    warm_free(warm);
    arena_free(arena);
}

static struct object_memory_use use_after(struct warm *warm, struct str document)
{
    same(warm, document, WARM_REDACT, 0);
    return warm_use(warm);
}

/* It is known from the third time on, and what changes costs itself. */
static void what_is_known(void **state)
{
    struct arena *arena = arena_new(MAX);
    struct warm *warm = warm_new(MAX);
    struct str three = json_of(arena, LIST_(POD("a") "," ENV("b", "x") "," POD("c")));
    struct str changed = json_of(arena, LIST_(POD("a") "," ENV("b", "y") "," POD("c")));
    struct str again = json_of(arena, LIST_(POD("a") "," ENV("b", "z") "," POD("c")));
    struct str inserted =
        json_of(arena, LIST_(POD("a") "," POD("n") "," ENV("b", "y") "," POD("c")));
    struct str secret = json_of(arena, LIST_(CUT "," POD("a")));
    struct str blanks = json_of(arena, LIST_(POD("a") " ,\n " ENV("b", "x") "," POD("c")));
    (void)state;
    assert_int_equal(use_after(warm, three).known, 0);
    assert_int_equal(use_after(warm, three).known, 0);
    assert_int_equal(use_after(warm, three).known, 3);
    assert_int_equal(use_after(warm, blanks).known, 3);
    assert_int_equal(use_after(warm, changed).known, 2);
    assert_int_equal(use_after(warm, inserted).known, 3); /* b had stayed: it was kept at once */
    assert_int_equal(use_after(warm, inserted).known, 3); /* n is met the second time */
    assert_int_equal(use_after(warm, inserted).read, 0);
    assert_int_equal(use_after(warm, again).known, 2);
    assert_int_equal(use_after(warm, changed).known, 2); /* b has not stayed since */
    assert_int_equal(use_after(warm, changed).known, 2);
    assert_int_equal(use_after(warm, changed).known, 3);
    for (int i = 0; i < 4; i++)
        use_after(warm, secret);
    assert_int_equal(warm_use(warm).known, 1); /* what something is cut of is always read */
    warm_free(warm);
    arena_free(arena);
}

/* Of what is redacted or cut nothing is kept; what stands beside it is. */
static void no_secret_is_kept(void **state)
{
    struct arena *arena = arena_new(MAX);
    struct warm *warm = warm_new(MAX);
    struct str document =
        json_of(arena, LIST_(ENV("a", "hushhushhush") "," SECRET "," CUT "," ENV("b", "x")));
    (void)state;
    for (int i = 0; i < 4; i++)
        same(warm, document, WARM_REDACT, 0);
    const struct arena *kept = warm_memory(warm)->arena;
    assert_true(arena_holds(kept, STR("shop/api:1")));
    assert_false(arena_holds(kept, STR("hushhushhush")));
    assert_false(arena_holds(kept, STR("aHVzaA==")));
    assert_false(arena_holds(kept, STR("correct-horse")));
    warm_free(warm);
    arena_free(arena);
}

/* ---- churn ---- */

static struct objects objects_many(struct arena *arena, unsigned n)
{
    struct objects objects = {0};
    for (unsigned i = 0; i < n; i++)
        objects_add(
            arena, &objects,
            json_of(arena, arena_printf(arena,
                                        "{'apiVersion':'v1','kind':'%s','metadata':{'name':'x-%u',"
                                        "'namespace':'shop','resourceVersion':'%u'},'spec':{"
                                        "'containers':[{'name':'c','image':'i:%u','env':[{'name':"
                                        "'A','value':'v%u'}]}]}}",
                                        i % 5 ? "Pod" : "Service", i, 1000 + i, i % 7, i)
                               .p));
    return objects;
}

/* One thing that happens to a cluster between two pushes. */
static void change(struct arena *arena, struct objects *objects, uint64_t *seed)
{
    uint32_t at = objects_throw(seed, objects->n), other = objects_throw(seed, objects->n);
    struct str *text = &objects->items[at];
    switch (objects_throw(seed, 6)) {
    case 0:
        objects_shuffle(objects, *seed);
        break;
    case 1:
        *text = (struct str){NULL, 0}; /* gone */
        break;
    case 2:
        objects_add(arena, objects, objects->items[other]); /* twice, or back again */
        break;
    case 3:
        objects->items[at] = objects->items[other];
        break;
    default:
        if (text->n) {
            char *changed = (char *)(*text = arena_str(arena, *text)).p;
            char *digit = memmem(changed, text->n, "\"10", 3);
            if (digit)
                digit[2] = (char)('1' + objects_throw(seed, 8));
        }
    }
}

static void churn(void **state)
{
    static const enum warm_mode modes[] = {WARM_REDACT, WARM_PARTS, WARM_RUNS, WARM_RUNS};
    (void)state;
    for (uint64_t first = 1; first < 9; first++) {
        struct arena *arena = arena_new(MAX);
        struct warm *warm = warm_new(first % 2 ? MAX : 128 * 1024);
        struct objects objects = objects_many(arena, 60);
        uint64_t seed = first;
        for (int push = 0; push < 60; push++) {
            for (uint32_t n = objects_throw(&seed, 4); n > 0; n--)
                change(arena, &objects, &seed);
            same(warm, objects_list(arena, &objects), modes[first % 4], first % 3 ? 0 : 1000);
        }
        warm_free(warm);
        arena_free(arena);
    }
}

/* What no push needs any more is given back, and what is kept stays within its limit. */
static void garbage(void **state)
{
    struct arena *arena = arena_new((size_t)1 << 30);
    struct warm *warm = warm_new(MAX);
    size_t most = 0, first = 0;
    (void)state;
    for (unsigned push = 0; push < 60; push++) {
        struct objects objects = {0};
        for (unsigned i = 0; i < 20; i++) {
            struct buf text = buf_init(arena, SIZE_MAX);
            buf_printf(&text,
                       "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"p%u\","
                       "\"labels\":{\"a\":\"",
                       i);
            for (unsigned k = 0; k < 2000; k++)
                buf_printf(&text, "value-%u-%u-%u-", i, push / 3, k);
            buf_put(&text, STR("\"}}}"));
            objects_add(arena, &objects, buf_str(&text));
        }
        same(warm, objects_list(arena, &objects), WARM_REDACT, 0);
        size_t bytes = object_memory_bytes(warm_memory(warm));
        most = bytes > most ? bytes : most;
        first = push == 2 ? bytes : first;
    }
    assert_true(first > 0 && most < 8 * first);
    warm_free(warm);
    arena_free(arena);
}

/* ---- a reading that does not end ---- */

struct interrupted {
    struct arena *arena;
    struct object_memory *memory;
    struct str document;
};

static ptrdiff_t read_and_unwind(void *context, char *to, size_t cap)
{
    struct interrupted *it = context;
    if (!it->document.n)
        arena_exhaust(it->arena);
    return source_of(&it->document).read(&it->document, to, cap);
}

static void read_interrupted(void *context)
{
    struct interrupted *it = context;
    struct snapshot_error error;
    struct buf out = buf_init(it->arena, SIZE_MAX);
    struct snapshot_options options = {.stop_at_sensitive = true, .memory = it->memory};
    (void)out;
    snapshot_read(it->arena, (struct source){read_and_unwind, it}, &options, &error);
}

static void unwound(void **state)
{
    struct arena *arena = arena_new(MAX);
    struct warm *warm = warm_new(MAX);
    struct str document = json_of(arena, LIST_(POD("a") "," POD("b")));
    (void)state;
    for (unsigned at = 0; at < 12; at++) {
        struct interrupted it = {arena_new(MAX), warm_memory(warm), str_sub(document, 0, at * 12)};
        assert_false(arena_guard(it.arena, read_interrupted, &it));
        arena_free(it.arena);
        for (unsigned i = 0; i < at % 4; i++)
            same(warm, document, WARM_FIND, 0);
    }
    warm_free(warm);
    arena_free(arena);
}

/* Of what the document before had as well, the source gives the first byte. */
static void what_the_source_knows_is_not_read(void **state)
{
    struct arena *arena = arena_new(MAX);
    struct warm *warm = warm_new(MAX);
    struct str pods = json_of(arena, LIST_(POD("a") "," POD("b") "," POD("c") "," POD("d")));
    struct str less = json_of(arena, LIST_(POD("a") "," POD("b") "," POD("d")));
    struct str typed = json_of(arena, "{'apiVersion':'v1','kind':'PodList','items':[" POD(
                                          "a") "," POD("b") "," POD("c") "," POD("d") "]}");
    size_t object = json_of(arena, POD("a")).n;
    (void)state;
    for (int i = 0; i < 2; i++) {
        same(warm, pods, WARM_PARTS, 0);
        assert_int_equal(warm_given(warm), pods.n);
    }
    same(warm, pods, WARM_PARTS, 0);
    /* the first one: whether the items say what they are is looked up there */
    assert_int_equal(warm_use(warm).known, 4);
    assert_int_equal(warm_given(warm), pods.n - 3 * (object - 1));
    same(warm, less, WARM_PARTS, 0);
    assert_int_equal(warm_given(warm), less.n - (object - 1)); /* behind a gap one is read */
    same(warm, less, WARM_PARTS, 0);
    same(warm, less, WARM_PARTS, 0);
    assert_int_equal(warm_given(warm), less.n - 2 * (object - 1));
    /* the same pieces, but what they are read under is another list */
    for (int i = 0; i < 4; i++)
        same(warm, typed, WARM_PARTS, 0);
    assert_true(warm_given(warm) < typed.n - 3 * (object - 1) + 1);
    same(warm, pods, WARM_PARTS, 0);
    assert_int_equal(warm_given(warm), pods.n);
    warm_free(warm);
    arena_free(arena);
}

/* Those that stand in a row are not read at all. */
static void a_run_is_not_read(void **state)
{
    struct arena *arena = arena_new(MAX);
    struct warm *warm = warm_new(MAX);
    struct objects objects = {0};
    for (unsigned i = 0; i < 60; i++)
        objects_add(arena, &objects, json_of(arena, arena_printf(arena, LONG_POD("p-%u"), i, i).p));
    struct str list = objects_list(arena, &objects);
    size_t first = objects.items[0].n, all = 0;
    (void)state;
    for (uint32_t i = 0; i < objects.n; i++)
        all += objects.items[i].n;
    for (int i = 0; i < 4; i++)
        same(warm, list, WARM_RUNS, 0);
    assert_int_equal(warm_use(warm).known, 60);
    /* the first is looked at: what comes behind the second, whose first byte is, is one run */
    assert_int_equal(warm_given(warm), list.n - (all + objects.n - 1) + first + 2);
    /* one that has changed ends it, and behind the next one another one begins */
    objects.items[30] = json_of(arena, LONG_POD("p-30-that-has-changed"));
    list = objects_list(arena, &objects);
    same(warm, list, WARM_RUNS, 0);
    assert_int_equal(warm_use(warm).known, 58); /* another name: the one behind it is read, too */
    assert_true(warm_given(warm) < 2000);
    warm_free(warm);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_secret_is_kept), /* first: memory that was freed may hold anything */
        cmocka_unit_test(warm_equals_cold),
        cmocka_unit_test(modes_by_turns),
        cmocka_unit_test(what_is_known),
        cmocka_unit_test(churn),
        cmocka_unit_test(garbage),
        cmocka_unit_test(unwound),
        cmocka_unit_test(what_the_source_knows_is_not_read),
        cmocka_unit_test(a_run_is_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
