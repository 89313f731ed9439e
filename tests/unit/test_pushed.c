/* What the agent says has changed is what the server makes of it. */
#include "agent/answer.h"
#include "agent/pushed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/buf.h"
#include "codec/inflate.h"
#include "reader/changes.h"
#include "scratch.h"

struct agent {
    struct store *store;
    struct store_list *pods, *nodes;
    struct pushed *pushed;
};

static struct agent agent_open(void)
{
    struct agent agent = {.store = store_new(), .pushed = pushed_new()};
    agent.pods = store_add_list(agent.store, STR("Pod"), false);
    agent.nodes = store_add_list(agent.store, STR("Node"), false);
    store_set_version(agent.pods, STR("v1"));
    store_set_version(agent.nodes, STR("v1"));
    return agent;
}

static void agent_close(struct agent *agent)
{
    pushed_free(agent->pushed);
    store_free(agent->store);
}

/* number: of its content. */
static void put(struct store_list *list, const char *name, unsigned number)
{
    struct str text = arena_printf(
        arena, "{\"metadata\":{\"name\":\"%s\",\"namespace\":\"shop\",\"uid\":\"%0600u\"}}", name,
        number);
    store_put(list, STR("shop"), str_of(name), STR(""), text);
}

/* A name that JSON has to escape. */
#define AWKWARD STR("quote\"\\\x01")

static void put_awkward(struct store_list *list, unsigned number)
{
    struct str text = arena_printf(arena,
                                   "{\"metadata\":{\"name\":\"quote\\\"\\\\\\u0001\","
                                   "\"namespace\":\"shop\",\"uid\":\"%u\"}}",
                                   number);
    store_put(list, STR("shop"), AWKWARD, STR(""), text);
}

static void put_some(struct store_list *list, unsigned n, unsigned number)
{
    for (unsigned i = 0; i < n; i++)
        put(list, arena_printf(arena, "a-%u", i).p, number);
}

static void gather(struct agent *agent)
{
    pushed_begin(agent->pushed);
    pushed_add_list(agent->pushed, agent->pods);
    pushed_add_list(agent->pushed, agent->nodes);
}

/* The whole document, as it would be pushed. */
static struct document_index *whole(struct agent *agent)
{
    struct bytes packed = {0};
    struct buf text = buf_init(arena, SIZE_MAX / 2);
    struct document_index *index = ARENA_NEW(arena, struct document_index);
    struct snapshot_error error;
    ptrdiff_t n = 1;
    store_pack(agent->pods, &packed);
    store_pack(agent->nodes, &packed);
    struct str rest = bytes_str(&packed);
    struct inflate *inflate = inflate_open(source_of(&rest), SIZE_MAX);
    struct source source = inflate_source(inflate);
    while (n > 0) {
        n = source.read(source.context, buf_reserve(&text, 4096), 4096);
        if (n > 0)
            buf_commit(&text, (size_t)n);
    }
    assert_int_equal(n, 0);
    inflate_free(inflate);
    bytes_free(&packed);
    assert_true(document_index_read(arena, buf_str(&text), index, &error));
    return index;
}

/* What the server has, after the changes. Their digest is the right one. */
static const struct document_index *told(struct agent *agent, const struct document_index *old,
                                         unsigned objects, unsigned removed)
{
    struct bytes list = {0};
    struct changes changes;
    struct changes_error error;
    unsigned char digest[SHA256], expected[SHA256];
    const char *why;
    assert_true(pushed_can_tell_changes(agent->pushed));
    pushed_put_changes(agent->pushed, &list);
    struct str text = arena_str(arena, bytes_str(&list));
    bytes_free(&list);
    assert_true(changes_read(arena, text, &changes, &error));
    assert_true(str_eq(changes.base, STR("r")));
    assert_int_equal(changes.objects.objects.n, objects);
    assert_int_equal(changes.removed.n, removed);
    const struct document_index *now = changes_apply(arena, old, &changes, SIZE_MAX, digest, &why);
    assert_non_null(now);
    assert_memory_equal(digest, changes.digest, SHA256);
    document_index_digest(arena, whole(agent), expected);
    assert_memory_equal(digest, expected, SHA256);
    return now;
}

static void what_has_changed_is_told(void **state)
{
    (void)state;
    struct agent agent = agent_open();
    put_some(agent.pods, 400, 1); /* several pages, of which one is open */
    put_some(agent.nodes, 5, 1);
    const struct document_index *server = whole(&agent);
    gather(&agent);
    assert_false(pushed_can_tell_changes(agent.pushed));
    pushed_take(agent.pushed, STR("r"));
    gather(&agent);
    server = told(&agent, server, 0, 0);
    for (unsigned round = 2; round < 12; round++) {
        put(agent.pods, "a-0", round);
        put(agent.pods, arena_printf(arena, "a-%u", 200 + round).p, round);
        put(agent.nodes, "a-3", round);
        put(agent.pods, arena_printf(arena, "b-%u", round).p, round);
        put_awkward(agent.pods, round);
        store_remove(agent.pods, STR("shop"), arena_printf(arena, "a-%u", 300 + round));
        if (round % 3 == 0)
            store_remove(agent.pods, STR("shop"), AWKWARD);
        gather(&agent);
        server = told(&agent, server, round % 3 ? 5 : 4, round % 3 ? 1 : 2);
        pushed_take(agent.pushed, STR("r"));
    }
    agent_close(&agent);
}

/* What changes while a push is under way is in the next one; a push that got lost is told again. */
static void nothing_is_forgotten(void **state)
{
    (void)state;
    struct agent agent = agent_open();
    put_some(agent.pods, 50, 1);
    put_some(agent.nodes, 2, 1);
    const struct document_index *first = whole(&agent), *second;
    gather(&agent);
    pushed_take(agent.pushed, STR("r"));
    put(agent.pods, "a-1", 2);
    gather(&agent);
    told(&agent, first, 1, 0); /* gets lost */
    put(agent.pods, "a-2", 2);
    gather(&agent);
    second = told(&agent, first, 2, 0);
    put(agent.pods, "a-1", 3);
    store_remove(agent.pods, STR("shop"), STR("a-2"));
    pushed_take(agent.pushed, STR("r"));
    gather(&agent);
    told(&agent, second, 1, 1);
    agent_close(&agent);
}

static void all_is_told_when_changes_would_not_do(void **state)
{
    (void)state;
    struct agent agent = agent_open();
    put_some(agent.pods, 40, 1);
    gather(&agent);
    pushed_take(agent.pushed, (struct str){NULL, 0}); /* a server of before */
    gather(&agent);
    assert_false(pushed_can_tell_changes(agent.pushed));
    pushed_take(agent.pushed, STR("r"));
    gather(&agent);
    assert_true(pushed_can_tell_changes(agent.pushed));
    put_some(agent.pods, 11, 2);
    gather(&agent);
    assert_false(pushed_can_tell_changes(agent.pushed)); /* more than a quarter */
    put_some(agent.pods, 10, 1);
    gather(&agent);
    assert_true(pushed_can_tell_changes(agent.pushed));
    put(agent.nodes, "first", 1);
    gather(&agent);
    assert_false(pushed_can_tell_changes(agent.pushed)); /* the first of its list */
    store_remove(agent.nodes, STR("shop"), STR("first"));
    gather(&agent);
    assert_true(pushed_can_tell_changes(agent.pushed));
    pushed_add_text(agent.pushed, STR("a list that is forbidden now"));
    assert_false(pushed_can_tell_changes(agent.pushed));
    gather(&agent);
    pushed_forget(agent.pushed);
    assert_false(pushed_can_tell_changes(agent.pushed));
    agent_close(&agent);
}

static void an_answer_tells_the_revision(void **state)
{
    (void)state;
    static const struct {
        const char *answer, *revision;
    } table[] = {
        {"{\"status\":\"ok\",\"revision\":\"9f\",\"x\":{\"revision\":\"1\"}}\n", "9f"},
        {"{\"status\":\"ok\"}", NULL},
        {"{\"revision\":1}", NULL},
        {"{\"revision\":null}", NULL},
        {"{\"revision\":\"9f\"", NULL},
        {"{\"revision\":\"9f\"}x", NULL},
        {"[\"revision\"]", NULL},
        {"", NULL},
    };
    char text[PUSHED_REVISION_MAX];
    for (size_t i = 0; i < COUNT(table); i++) {
        struct str revision = pushed_revision(str_of(table[i].answer), text);
        assert_true(str_eq(revision, str_of(table[i].revision)));
    }
    for (int n = PUSHED_REVISION_MAX; n <= PUSHED_REVISION_MAX + 1; n++) {
        struct str answer = arena_printf(arena, "{\"revision\":\"%0*d\"}", n, 0);
        assert_int_equal(pushed_revision(answer, text).n, n <= PUSHED_REVISION_MAX ? n : 0);
    }
}

static void an_answer_that_is_somebody_elses_is_known(void **state)
{
    (void)state;
    static const struct {
        const char *answer;
        bool has;
    } table[] = {
        {"{\"status\":\"ok\",\"csc_score\":73,\"decision\":\"SAFE\"}\n", true},
        {"{\"csc_score\":0,\"not_read\":{\"kinds\":[{\"kind\":\"cut off he", true},
        {"<!DOCTYPE html><title>Sign in</title>\"csc_score\":73", false},
        {"{\"error\":\"sign in\",\"see\":{\"csc_score\":73}}", false},
        {"[{\"csc_score\":73}]", false},
        {"\"csc_score\"", false},
        {"ok", false},
        {"{}", false},
        {"", false},
    };
    for (size_t i = 0; i < COUNT(table); i++)
        if (answer_has(str_of(table[i].answer), STR("csc_score")) != table[i].has)
            fail_msg("%s", table[i].answer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_changed_is_told),
        cmocka_unit_test(nothing_is_forgotten),
        cmocka_unit_test(all_is_told_when_changes_would_not_do),
        cmocka_unit_test(an_answer_tells_the_revision),
        cmocka_unit_test(an_answer_that_is_somebody_elses_is_known),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
