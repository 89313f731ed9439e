/* gate_memory: what is remembered is the present summary or nothing. */
#include "store/gate_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define ONE "11111111-1111-4111-8111-111111111111"
#define TWO "22222222-2222-4222-8222-222222222222"

enum { HERE = 3, NOW = 1000000 };

static struct gate_summary made(int64_t hash, bool kept)
{
    return (struct gate_summary){.reasons = STR("reason\n"),
                                 .risks = STR("{}\n{}\n"),
                                 .risks_hash = 77,
                                 .risks_kept = kept,
                                 .hash = hash,
                                 .workloads = STR(""),
                                 .scope = STR("scope")};
}

static bool finds(const char *id, int64_t hash, uint64_t connection, int64_t now,
                  struct gate_summary *summary)
{
    struct cluster_row cluster = {.id = str_of(id), .gate_summary_hash = hash};
    struct gate_memory *memory = gate_memory_find(&cluster, connection, now, summary);
    if (memory)
        gate_memory_release(memory);
    return memory != NULL;
}

static void keep(const char *id, int64_t hash, bool kept)
{
    struct gate_summary summary = made(hash, kept);
    gate_memory_keep(str_of(id), HERE, NOW, &summary);
}

static void only_what_the_cluster_names(void **state)
{
    (void)state;
    struct gate_summary found;
    assert_false(finds(ONE, 5, HERE, NOW, &found));
    keep(ONE, 5, false);
    assert_true(finds(ONE, 5, HERE, NOW, &found));
    assert_true(str_eq(found.risks, STR("{}\n{}\n")) && str_eq(found.reasons, STR("reason\n")));
    assert_true(str_eq(found.scope, STR("scope")));
    assert_true(found.workloads.p && found.workloads.n == 0);
    assert_null(found.api_use.p);
    assert_int_equal(found.risks_hash, 77);
    assert_false(finds(ONE, 6, HERE, NOW, &found));
    assert_false(finds(TWO, 5, HERE, NOW, &found));
    keep(ONE, 6, false);
    assert_true(finds(ONE, 6, HERE, NOW, &found));
    assert_false(finds(ONE, 5, HERE, NOW, &found));
}

/* What was seen in one server for a while says nothing about another one, or about later. */
static void that_risks_are_kept_is_known_for_a_while(void **state)
{
    (void)state;
    struct gate_summary found;
    keep(ONE, 5, true);
    assert_true(finds(ONE, 5, HERE, NOW + GATE_MEMORY_KEPT_MS, &found) && found.risks_kept);
    assert_false(finds(ONE, 5, HERE, NOW + GATE_MEMORY_KEPT_MS + 1, &found));
    assert_false(finds(ONE, 5, HERE + 1, NOW, &found));
    keep(ONE, 5, false);
    assert_true(finds(ONE, 5, HERE + 1, NOW + GATE_MEMORY_KEPT_MS + 1, &found) &&
                !found.risks_kept);
    gate_memory_kept(str_of(ONE), HERE, NOW, 78);
    assert_true(finds(ONE, 5, HERE, NOW, &found) && !found.risks_kept);
    gate_memory_kept(str_of(ONE), HERE, NOW, 77);
    assert_true(finds(ONE, 5, HERE, NOW, &found) && found.risks_kept);
    assert_false(finds(ONE, 5, HERE + 1, NOW, &found));
}

#define RISK   "00000000000004d2"
#define BESIDE "0000000000000cd2" /* the same place as RISK */

static void when_risks_were_first_seen(void **state)
{
    (void)state;
    struct cluster_row cluster = {.id = STR(TWO), .gate_summary_hash = 5};
    struct gate_summary found;
    int64_t since = 0;
    keep(TWO, 5, false);
    size_t before = gate_memory_bytes();
    struct gate_memory *memory = gate_memory_find(&cluster, HERE, NOW, &found);
    assert_false(gate_memory_first_seen(memory, STR(RISK), &since));
    gate_memory_note_first_seen(memory, STR(RISK), TIME_NONE);
    assert_int_equal(gate_memory_bytes(), before);
    gate_memory_note_first_seen(memory, STR("no id"), 7);
    assert_int_equal(gate_memory_bytes(), before);
    gate_memory_note_first_seen(memory, STR(RISK), 7);
    assert_true(gate_memory_bytes() > before);
    assert_false(gate_memory_first_seen(memory, STR(BESIDE), &since));
    gate_memory_note_first_seen(memory, STR(BESIDE), 8);
    assert_true(gate_memory_first_seen(memory, STR(RISK), &since) && since == 7);
    assert_true(gate_memory_first_seen(memory, STR(BESIDE), &since) && since == 8);
    assert_false(gate_memory_first_seen(memory, STR("00000000000004d3"), &since));
    gate_memory_release(memory);
    keep(TWO, 6, false);
    assert_int_equal(gate_memory_bytes(), before);
    cluster.gate_summary_hash = 6;
    memory = gate_memory_find(&cluster, HERE, NOW, &found);
    assert_false(gate_memory_first_seen(memory, STR(RISK), &since));
    keep(TWO, 7, false); /* the one that is held is dropped: it takes nothing any more */
    gate_memory_note_first_seen(memory, STR(RISK), 9);
    assert_false(gate_memory_first_seen(memory, STR(RISK), &since));
    gate_memory_release(memory);
}

/* More risks than there are places: what is told is right or nothing. */
static void of_many_risks_some_are_forgotten(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    struct cluster_row cluster = {.id = STR(TWO), .gate_summary_hash = 5};
    struct gate_summary found;
    char id[RISK_ID_LEN + 1];
    int64_t since, known = 0;
    keep(TWO, 5, false);
    struct gate_memory *memory = gate_memory_find(&cluster, HERE, NOW, &found);
    for (uint64_t i = 1; i <= MANY; i++)
        gate_memory_note_first_seen(memory, risk_id_text(i * 3, id), (int64_t)i);
    for (uint64_t i = 1; i <= MANY; i++)
        if (gate_memory_first_seen(memory, risk_id_text(i * 3, id), &since)) {
            known++;
            assert_int_equal(since, i);
        }
    assert_true(known >= 500 && known < MANY);
    gate_memory_release(memory);
}

static void what_nobody_asks_for_goes(void **state)
{
    (void)state;
    struct gate_summary summary = made(5, false), found;
    int64_t late = NOW + GATE_MEMORY_UNUSED_MS + 1;
    keep(ONE, 5, false);
    keep(TWO, 5, false);
    size_t before = gate_memory_bytes();
    assert_true(finds(TWO, 5, HERE, NOW + 2, &found));
    for (int i = 0; i < 1000; i++) /* each looks at the age of a few */
        gate_memory_keep(STR("33333333-3333-4333-8333-333333333333"), HERE, late, &summary);
    assert_false(finds(ONE, 5, HERE, late, &found));
    assert_true(finds(TWO, 5, HERE, late, &found));
    assert_int_equal(gate_memory_bytes(), before);
}

static void what_is_held_stays(void **state)
{
    (void)state;
    struct gate_summary held, found;
    struct cluster_row cluster = {.id = STR(ONE), .gate_summary_hash = 5};
    keep(ONE, 5, false);
    struct gate_memory *memory = gate_memory_find(&cluster, HERE, NOW, &held);
    assert_non_null(memory);
    assert_true(gate_memory_find(&cluster, HERE, NOW, &found) == memory);
    keep(ONE, 6, false);
    assert_true(str_eq(held.scope, STR("scope")));
    gate_memory_release(memory);
    assert_true(str_eq(held.scope, STR("scope")));
    gate_memory_release(memory);
    assert_true(finds(ONE, 6, HERE, NOW, &found));
}

static void there_is_a_limit(void **state)
{
    (void)state;
    static char large[GATE_MEMORY_BYTES / 4 + 1];
    struct gate_summary found, summary = made(9, false);
    char id[UUID_TEXT_LEN + 1];
    summary.workloads = (struct str){large, sizeof large};
    gate_memory_keep(STR(TWO), HERE, NOW, &summary);
    assert_false(finds(TWO, 9, HERE, NOW, &found));
    summary.workloads.n = 1 << 20;
    for (int i = 0; i < 100; i++) {
        rand_uuid(id);
        gate_memory_keep(str_of(id), HERE, NOW, &summary);
        assert_true(finds(id, 9, HERE, NOW, &found));
        assert_true(gate_memory_bytes() <= GATE_MEMORY_BYTES);
    }
    assert_true(gate_memory_bytes() > GATE_MEMORY_BYTES / 2);
}

/* ---- what is told of targets ---- */

static struct gate_told told_as(const char *state)
{
    return (struct gate_told){.state = str_of(state),
                              .risks = STR("{},{}"),
                              .shown = 2,
                              .total = 7,
                              .points = 900,
                              .shown_points = 400};
}

static struct gate_memory *held(const char *id, int64_t hash)
{
    struct gate_summary summary;
    struct cluster_row cluster = {.id = str_of(id), .gate_summary_hash = hash};
    struct gate_memory *memory = gate_memory_find(&cluster, HERE, NOW, &summary);
    assert_non_null(memory);
    return memory;
}

static void a_target_is_told_by_its_summary(void **state)
{
    (void)state;
    struct gate_told told = told_as("well"), other = told_as("other"), found;
    keep(ONE, 5, false);
    struct gate_memory *memory = held(ONE, 5);
    assert_false(gate_memory_told(memory, STR("shop"), STR("deployment/cart"), &found));
    gate_memory_note_told(memory, STR("shop"), STR("deployment/cart"), &told);
    assert_true(gate_memory_told(memory, STR("shop"), STR("deployment/cart"), &found));
    assert_true(str_eq(found.state, STR("well")) && str_eq(found.risks, STR("{},{}")));
    assert_true(found.shown == 2 && found.total == 7 && found.points == 900);
    assert_int_equal(found.shown_points, 400);
    assert_false(gate_memory_told(memory, STR("shopd"), STR("eployment/cart"), &found));
    assert_false(gate_memory_told(memory, STR("shop"), STR("deployment/carts"), &found));
    assert_false(gate_memory_told(memory, STR("shop"), (struct str){0}, &found));
    gate_memory_note_told(memory, STR("shop"), (struct str){0}, &other);
    assert_true(gate_memory_told(memory, STR("shop"), STR(""), &found));
    assert_true(str_eq(found.state, STR("other")));
    gate_memory_release(memory);
    keep(ONE, 6, false); /* another summary */
    memory = held(ONE, 6);
    assert_false(gate_memory_told(memory, STR("shop"), (struct str){0}, &found));
    gate_memory_release(memory);
    keep(TWO, 6, false); /* another cluster, whose summary has the same name */
    memory = held(TWO, 6);
    assert_false(gate_memory_told(memory, STR("shop"), (struct str){0}, &found));
    gate_memory_release(memory);
}

/* A question that began before holds a summary that has gone. */
static void a_summary_that_has_gone_is_told_nothing(void **state)
{
    (void)state;
    struct gate_told told = told_as("well"), found;
    keep(ONE, 5, false);
    struct gate_memory *memory = held(ONE, 5);
    gate_memory_note_told(memory, STR("a"), STR("b"), &told);
    size_t bytes = gate_memory_bytes();
    keep(ONE, 6, false);
    assert_true(gate_memory_bytes() < bytes);
    bytes = gate_memory_bytes();
    assert_true(gate_memory_told(memory, STR("a"), STR("b"), &found));
    gate_memory_note_told(memory, STR("a"), STR("b"), &told);
    assert_false(gate_memory_told(memory, STR("a"), STR("b"), &found));
    assert_int_equal(gate_memory_bytes(), bytes);
    gate_memory_release(memory);
}

static void targets_have_a_part_of_the_bytes(void **state)
{
    (void)state;
    static char large[1 << 20];
    struct gate_told told = told_as("well"), found;
    char id[UUID_TEXT_LEN + 1];
    size_t noted = 0;
    keep(ONE, 1, false);
    size_t before = gate_memory_bytes();
    told.risks = (struct str){large, sizeof large};
    for (int i = 0; i < 20; i++) {
        rand_uuid(id);
        keep(id, 5, false);
        struct gate_memory *memory = held(id, 5);
        gate_memory_note_told(memory, STR("shop"), STR(""), &told);
        noted += gate_memory_told(memory, STR("shop"), STR(""), &found);
        gate_memory_release(memory);
    }
    assert_true(noted >= 1 && noted <= GATE_MEMORY_BYTES / 4 / sizeof large);
    assert_true(gate_memory_bytes() - before <= GATE_MEMORY_BYTES / 4 + (64 << 10));
}

/* The same again, with something else in between, has another name; nothing else has. */
static void names(void **state)
{
    (void)state;
    const int64_t a = 0x123456789abc0000, b = -0x7edcba9876540000;
    int64_t first = gate_summary_name(0, a);
    assert_int_equal(gate_summary_name(first, a), first);
    assert_int_equal(gate_summary_name(first, a + 0xffff), first);
    int64_t second = gate_summary_name(first, b), third = gate_summary_name(second, a);
    assert_int_not_equal(second, first);
    assert_int_not_equal(third, first);
    assert_int_equal(gate_summary_name(third, a), third);
    assert_int_equal(gate_summary_name(a + 0xffff, b), b);       /* the count begins anew */
    assert_int_equal(gate_summary_name(a + 77, a + 78), a + 77); /* of a version before */
}

/* As many as a machine carries. */
static void hundreds_of_clusters_do_not_displace_one_another(void **state)
{
    (void)state;
    enum { MANY = 600 };
    char ids[MANY][UUID_TEXT_LEN + 1];
    struct gate_summary found;
    for (int i = 0; i < MANY; i++) {
        snprintf(ids[i], sizeof ids[i], "44444444-4444-4444-8444-%012x", i * 7919);
        keep(ids[i], i + 1, false);
    }
    for (int i = 0; i < MANY; i++)
        assert_true(finds(ids[i], i + 1, HERE, NOW, &found));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_the_cluster_names),
        cmocka_unit_test(that_risks_are_kept_is_known_for_a_while),
        cmocka_unit_test(when_risks_were_first_seen),
        cmocka_unit_test(of_many_risks_some_are_forgotten),
        cmocka_unit_test(what_nobody_asks_for_goes),
        cmocka_unit_test(what_is_held_stays),
        cmocka_unit_test(a_target_is_told_by_its_summary),
        cmocka_unit_test(a_summary_that_has_gone_is_told_nothing),
        cmocka_unit_test(targets_have_a_part_of_the_bytes),
        cmocka_unit_test(there_is_a_limit),
        cmocka_unit_test(names),
        cmocka_unit_test(hundreds_of_clusters_do_not_displace_one_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
