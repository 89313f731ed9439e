/* Impacts as bytes and back, and the difference of two lists: on random lists, and on bytes that
 * are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "score/difference.h" /* before cmocka.h, whose fail() would hide ours */
#include "score/score.h"

#include <cmocka.h>

enum { ROUNDS = 300, RISKS_MAX = 400 };

static uint64_t seed;

static uint32_t pick(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

/* A ledger as the scorer makes it: losses and impacts add up. Of risks few enough that two ledgers
 * share some. */
static struct ledger *make(struct arena *arena)
{
    struct ledger *ledger = ARENA_NEW(arena, struct ledger);
    uint32_t density = pick(101);
    ledger->score_exact = 10000;
    LIST_RESERVE(arena, ledger->risks, RISKS_MAX);
    for (uint32_t i = 0; i < RISKS_MAX; i++) {
        struct risk risk = {.check = &checks[i % CHECK_COUNT], .resource = STR("deployment/api")};
        uint32_t points = pick(4) ? pick(3) : pick(20);
        if (pick(100) >= density)
            continue;
        risk.namespace = arena_printf(arena, "n-%u", i);
        risk_identify(&risk);
        risk.impact = points;
        ledger->categories[risk.check->category].lost += points;
        ledger->score_exact -= points;
        LIST_PUT(ledger->risks, risk);
    }
    return ledger;
}

static void assert_same(const struct impacts *a, const struct impacts *b)
{
    assert_memory_equal(a->lost, b->lost, sizeof a->lost);
    assert_int_equal(a->items.n, b->items.n);
    for (uint32_t i = 0; i < a->items.n; i++) {
        assert_true(a->items.items[i].id == b->items.items[i].id);
        assert_int_equal(a->items.items[i].points, b->items.items[i].points);
    }
}

static void each_round(void (*test)(struct arena *arena))
{
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        struct arena *arena = arena_new(SIZE_MAX / 2);
        seed = round;
        test(arena);
        arena_free(arena);
    }
}

static void read_back(struct arena *arena)
{
    struct impacts base = impacts_of(arena, make(arena)), list = impacts_of(arena, make(arena)),
                   read;
    struct str whole = impacts_encode(arena, &list, NULL);
    struct str against = impacts_encode(arena, &list, &base);
    assert_true(impacts_decode(arena, whole, NULL, &read));
    assert_same(&read, &list);
    assert_true(impacts_decode(arena, against, &base, &read));
    assert_same(&read, &list);
    assert_false(impacts_decode(arena, whole, &base, &read));
    assert_false(impacts_decode(arena, against, NULL, &read));
    for (size_t n = 0; n < whole.n; n++)
        assert_false(impacts_decode(arena, str_sub(whole, 0, n), NULL, &read));
    char *longer = arena_bytes(arena, whole.n + 1);
    memcpy(longer, whole.p, whole.n);
    longer[whole.n] = 'x';
    assert_false(impacts_decode(arena, (struct str){longer, whole.n + 1}, NULL, &read));
}

static void lists_are_read_back(void **state)
{
    (void)state;
    each_round(read_back);
}

static void tells_nothing_of_what_is_the_same(void **state)
{
    (void)state;
    struct arena *arena = arena_new(SIZE_MAX / 2);
    seed = 7;
    struct ledger *ledger = make(arena);
    struct impacts base = impacts_of(arena, ledger);
    assert_true(base.items.n > 10);
    assert_true(impacts_encode(arena, &base, &base).n <= 12);
    struct impacts less = base;
    less.items.n--;
    assert_true(impacts_encode(arena, &less, &base).n <= 12 + 9);
    arena_free(arena);
}

static void compare(struct arena *arena)
{
    struct ledger *before = make(arena), *after = make(arena);
    struct impacts from = impacts_of(arena, before), to = impacts_of(arena, after);
    struct difference d = difference_of(arena, &from, &to);
    int64_t listed = 0, summed = 0;
    uint32_t counts[DIFFERENCE_KINDS] = {0};
    for (uint32_t i = 0; i < d.entries.n; i++) {
        const struct difference_entry *entry = &d.entries.items[i];
        listed += difference_points(entry);
        counts[entry->kind]++;
        assert_true(i == 0 || llabs(difference_points(entry)) <=
                                  llabs(difference_points(&d.entries.items[i - 1])));
    }
    for (int k = 0; k < DIFFERENCE_UNCHANGED; k++) {
        summed += d.sums[k].points;
        assert_int_equal(counts[k], d.sums[k].count);
    }
    assert_int_equal(d.change, (int64_t)after->score_exact - before->score_exact);
    assert_int_equal(listed, d.change);
    assert_int_equal(summed, d.change);
    assert_int_equal(d.sums[DIFFERENCE_UNCHANGED].points, 0);
    assert_true(d.sums[DIFFERENCE_OPENED].points <= 0);
    assert_true(d.sums[DIFFERENCE_RESOLVED].points >= 0);
    assert_int_equal(from.items.n, counts[DIFFERENCE_RESOLVED] + counts[DIFFERENCE_CHANGED] +
                                       d.sums[DIFFERENCE_UNCHANGED].count);
    assert_int_equal(to.items.n, counts[DIFFERENCE_OPENED] + counts[DIFFERENCE_CHANGED] +
                                     d.sums[DIFFERENCE_UNCHANGED].count);
    struct difference back = difference_of(arena, &to, &from);
    assert_int_equal(back.change, -d.change);
    assert_int_equal(back.sums[DIFFERENCE_OPENED].count, counts[DIFFERENCE_RESOLVED]);
}

static void points_add_up_to_the_change(void **state)
{
    (void)state;
    each_round(compare);
}

static void a_list_and_itself_do_not_differ(void **state)
{
    (void)state;
    struct arena *arena = arena_new(SIZE_MAX / 2);
    seed = 3;
    struct impacts list = impacts_of(arena, make(arena)), none = {0};
    assert_int_equal(difference_of(arena, &list, &list).entries.n, 0);
    assert_int_equal(difference_of(arena, &list, &list).change, 0);
    assert_int_equal(difference_of(arena, &none, &none).entries.n, 0);
    assert_int_equal(difference_of(arena, &none, &list).sums[DIFFERENCE_OPENED].count,
                     list.items.n);
    arena_free(arena);
}

static void hash_follows_every_part(void **state)
{
    (void)state;
    struct arena *arena = arena_new(SIZE_MAX / 2);
    seed = 5;
    struct ledger *ledger = make(arena);
    int64_t hash = impacts_hash(ledger);
    assert_true(hash == impacts_hash(ledger));
    ledger->risks.items[2].impact++;
    assert_true(hash != impacts_hash(ledger));
    ledger->risks.items[2].impact--;
    ledger->risks.items[2].message = STR("other words");
    assert_true(hash == impacts_hash(ledger));
    ledger->categories[CATEGORY_HEALTH].lost++;
    assert_true(hash != impacts_hash(ledger));
    ledger->categories[CATEGORY_HEALTH].lost--;
    ledger->risks.n--;
    assert_true(hash != impacts_hash(ledger));
    arena_free(arena);
}

static void risks_of_one_id_count_as_one(void **state)
{
    (void)state;
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct risk risks[] = {{.id = "00000000000000ff", .impact = 3},
                           {.id = "0000000000000001", .impact = 2},
                           {.id = "00000000000000ff", .impact = 4}};
    struct ledger ledger = {.risks = LIST_SLICE(risks, 3), .categories[CATEGORY_POLICY].lost = 9};
    struct impacts list = impacts_of(arena, &ledger), read;
    assert_int_equal(list.items.n, 2);
    assert_int_equal(list.items.items[0].id, 1);
    assert_int_equal(list.items.items[1].points, 7);
    assert_true(impacts_decode(arena, impacts_encode(arena, &list, NULL), NULL, &read));
    assert_int_equal(impacts_score(&read), 9991);
    arena_free(arena);
}

#define ID(c) "\0\0\0\0\0\0\0" c
static const struct {
    const char *what;
    struct str bytes;
    bool fits;
} rows[] = {
    {"nothing lost, no risk", STR("\1\0\0\0\0\0"), true},
    {"one risk", STR("\1\5\0\0\0\1" ID("a") "\5"), true},
    {"a risk that costs nothing", STR("\1\0\0\0\0\1" ID("a") "\0"), true},
    {"two", STR("\1\5\0\0\2\2" ID("a") "\5" ID("b") "\2"), true},
    {"all that there is", STR("\1\x90\x4e\0\0\0\1" ID("a") "\x90\x4e"), true},
    {"more than there is", STR("\1\x91\x4e\0\0\0\1" ID("a") "\x91\x4e"), false},
    {"no byte", STR(""), false},
    {"another kind", STR("\3\0\0\0\0\0"), false},
    {"no count", STR("\1\0\0\0\0"), false},
    {"a count without items", STR("\1\0\0\0\0\1"), false},
    {"a count beyond reason", STR("\1\0\0\0\0\xff\xff\xff\xff\x0f"), false},
    {"an endless number", STR("\1\xff\xff\xff\xff\xff\xff\xff"), false},
    {"a number beyond 32 bits", STR("\1\xff\xff\xff\xff\x1f\0\0\0\0"), false},
    {"something after it", STR("\1\0\0\0\0\0\0"), false},
    {"the same id twice", STR("\1\4\0\0\0\2" ID("a") "\2" ID("a") "\2"), false},
    {"ids out of order", STR("\1\4\0\0\0\2" ID("b") "\2" ID("a") "\2"), false},
    {"losses that no risk explains", STR("\1\5\0\0\1\1" ID("a") "\5"), false},
    {"risks that no loss explains", STR("\1\5\0\0\0\1" ID("a") "\6"), false},
};

static void only_what_adds_up_is_read(void **state)
{
    (void)state;
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct impacts read;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (impacts_decode(arena, rows[i].bytes, NULL, &read) != rows[i].fits)
            fail_msg("%s is %s", rows[i].what, rows[i].fits ? "refused" : "read");
    arena_free(arena);
}

static void ids_are_sixteen_digits(void **state)
{
    (void)state;
    char text[RISK_ID_LEN + 1];
    uint64_t id = 0;
    assert_string_equal(risk_id_text(0xfedcba9876543210u, text).p, "fedcba9876543210");
    assert_true(risk_id_parse(STR("fedcba9876543210"), &id) && id == 0xfedcba9876543210u);
    assert_true(risk_id_parse(STR("0000000000000000"), &id) && id == 0);
    static const char *const wrong[] = {"",
                                        "fedcba987654321",
                                        "fedcba98765432100",
                                        "FEDCBA9876543210",
                                        "fedcba987654321g",
                                        "-edcba9876543210"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(risk_id_parse(str_of(wrong[i]), &id));
    assert_false(risk_id_parse(STR("fedcba98\0006543210"), &id));
}

static void the_version_follows_the_policy(void **state)
{
    (void)state;
    struct score_policy policy = score_policy_default(), other = policy;
    struct str names[] = {STR("a"), STR("bc"), STR("ab"), STR("c")};
    int64_t version = score_version(&policy);
    assert_true(version == score_version(&other));
    other.allow_exemptions = true;
    assert_true(version != score_version(&other));
    other = policy;
    other.trusted_registries.items = names;
    other.trusted_registries.n = 1;
    assert_true(version != score_version(&other));
    other.system_namespaces.n--;
    policy.system_namespaces.items = names;
    policy.system_namespaces.n = 2;
    version = score_version(&policy);
    policy.system_namespaces.items = names + 2;
    assert_true(version != score_version(&policy));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_read_back),
        cmocka_unit_test(tells_nothing_of_what_is_the_same),
        cmocka_unit_test(points_add_up_to_the_change),
        cmocka_unit_test(a_list_and_itself_do_not_differ),
        cmocka_unit_test(hash_follows_every_part),
        cmocka_unit_test(risks_of_one_id_count_as_one),
        cmocka_unit_test(only_what_adds_up_is_read),
        cmocka_unit_test(ids_are_sixteen_digits),
        cmocka_unit_test(the_version_follows_the_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
