/* The deployment gate, as a table: a score, its age and a change in; a decision, findings and words
 * out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "gate/gate.h" /* before cmocka.h, whose fail() would hide ours */
#include "report/report.h"

#include <cmocka.h>

#define MINUTES(n) ((n)*CLOCK_MINUTE)
#define API(state_, desired_, available_, rolling_)                                                \
    .target = {state_, STR("Deployment"), STR("api"), desired_, available_, rolling_}

/* As three objects were written for, and what Kubernetes 1.25 and 1.22 do not serve any more. */
#define BUDGETS                                                                                    \
    {                                                                                              \
        .kind = STR("PodDisruptionBudget"), .api_version = STR("policy/v1beta1"),                  \
        .replacement = STR("policy/v1"), .namespace = STR("shop"),                                 \
        .resource = STR("poddisruptionbudget/a"), .removed = 25, .objects = 3                      \
    }
#define ROLES                                                                                      \
    {                                                                                              \
        .kind = STR("ClusterRole"), .api_version = STR("rbac.authorization.k8s.io/v1beta1"),       \
        .replacement = STR("rbac.authorization.k8s.io/v1"), .resource = STR("clusterrole/r"),      \
        .removed = 22, .objects = 1                                                                \
    }
static struct gate_api in_use[] = {BUDGETS, ROLES, BUDGETS, BUDGETS, BUDGETS};
#define UPGRADE(major_, minor_, known_, count_)                                                    \
    .upgrade = {{major_, minor_}, known_, {.n = count_, .room = count_, .items = in_use}}

static const struct row {
    const char *name;
    struct gate_question question;
    int score;
    const char *decision, *found; /* "snapshot-stale change-mutable-tag" */
} rows[] = {
    {"a good score", {.score = 90}, 90, "SAFE", ""},
    {"the least that is SAFE", {.score = 70}, 70, "SAFE", ""},
    {"one point less", {.score = 69}, 69, "WARN", ""},
    {"the least that is WARN", {.score = 50}, 50, "WARN", ""},
    {"BLOCK", {.score = 49}, 49, "BLOCK", ""},
    {"nothing left", {.score = 0}, 0, "BLOCK", ""},

    {"as old as it may be", {.score = 90, .age = MINUTES(5)}, 90, "SAFE", ""},
    {"a moment older", {.score = 90, .age = MINUTES(5) + 1}, 69, "WARN", "snapshot-stale"},
    {"a bad score gets no worse", {.score = 40, .age = MINUTES(6)}, 40, "BLOCK", "snapshot-stale"},
    {"still WARN", {.score = 90, .age = MINUTES(30)}, 69, "WARN", "snapshot-stale"},
    {"too old for anything", {.score = 90, .age = MINUTES(30) + 1}, 49, "BLOCK", "snapshot-stale"},

    {"a fixed tag", {.score = 90, .change.image = STR("r.io/a:1.2.3")}, 90, "SAFE", ""},
    {"latest",
     {.score = 90, .change.image = STR("r.io/a:latest")},
     90,
     "SAFE",
     "change-mutable-tag"},
    {"no tag", {.score = 90, .change.image = STR("r.io/a")}, 90, "SAFE", "change-mutable-tag"},
    {"a digest",
     {.score = 90,
      .change.image = STR("r.io/a:latest@sha256:"
                          "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")},
     90,
     "SAFE",
     ""},

    {"a healthy target", {.score = 90, API(GATE_TARGET_FOUND, 2, 2, false)}, 90, "SAFE", ""},
    {"one replica is missing",
     {.score = 90, API(GATE_TARGET_FOUND, 2, 1, false)},
     90,
     "SAFE",
     "change-target-degraded"},
    {"scaled to zero", {.score = 90, API(GATE_TARGET_FOUND, 0, 0, false)}, 90, "SAFE", ""},
    {"nobody knows how many there are",
     {.score = 90, API(GATE_TARGET_FOUND, 2, NUMBER_ABSENT, false)},
     90,
     "SAFE",
     ""},
    {"nobody knows how many there should be",
     {.score = 90, API(GATE_TARGET_FOUND, NUMBER_ABSENT, 0, false)},
     90,
     "SAFE",
     ""},
    {"a rollout goes on",
     {.score = 90, API(GATE_TARGET_FOUND, 2, 2, true)},
     90,
     "SAFE",
     "change-rollout-in-progress"},
    {"a target that is not there",
     {.score = 90, .target.state = GATE_TARGET_MISSING},
     90,
     "SAFE",
     "change-target-not-found"},
    {"one that may be there", {.score = 90, .target.state = GATE_TARGET_HIDDEN}, 90, "SAFE", ""},
    {"it is about to be made",
     {.score = 90, .target.state = GATE_TARGET_MISSING, .change.action = STR("Create")},
     90,
     "SAFE",
     ""},
    {"no upgrade", {.score = 90, UPGRADE(0, 0, true, 2)}, 90, "SAFE", ""},
    {"an upgrade to what serves all of it", {.score = 90, UPGRADE(1, 21, true, 2)}, 90, "SAFE", ""},
    {"to the release that drops one",
     {.score = 90, UPGRADE(1, 22, true, 2)},
     90,
     "SAFE",
     "change-api-version-removed"},
    {"to the one before it drops the other",
     {.score = 90, UPGRADE(1, 24, true, 1)},
     90,
     "SAFE",
     ""},
    {"to another Kubernetes",
     {.score = 40, UPGRADE(2, 0, true, 2)},
     40,
     "BLOCK",
     "change-api-version-removed"},
    {"nobody knows what is in use", {.score = 90, UPGRADE(1, 34, false, 0)}, 90, "SAFE", ""},

    {"everything at once",
     {.score = 90,
      .age = MINUTES(60),
      .change.image = STR("a"),
      UPGRADE(1, 34, true, 2),
      API(GATE_TARGET_FOUND, 2, 0, true)},
     49,
     "BLOCK",
     "snapshot-stale change-mutable-tag change-target-degraded change-rollout-in-progress "
     "change-api-version-removed"},
};

static struct gate_answer *judge(struct arena *arena, struct gate_question question)
{
    question.cluster_name = STR("production");
    question.stale_warn = MINUTES(5);
    question.stale_block = MINUTES(30);
    return gate_judge(arena, &question);
}

static struct str found_in(struct arena *arena, const struct gate_answer *answer)
{
    struct str text = STR("");
    for (uint32_t i = 0; i < answer->findings_n; i++)
        text = arena_printf(arena, "%" STR_FMT "%s%s", STR_ARG(text), i ? " " : "",
                            answer->findings[i].risk.check->id);
    return text;
}

static void decides(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *arena = arena_new(1 << 20);
        const struct gate_answer *answer = judge(arena, rows[i].question);
        struct str found = found_in(arena, answer), decision = decision_name(answer->decision);
        if (answer->score != rows[i].score || !str_eq(decision, str_of(rows[i].decision)) ||
            !str_eq(found, str_of(rows[i].found)))
            fail_msg("%s: %d %" STR_FMT " \"%" STR_FMT "\"", rows[i].name, answer->score,
                     STR_ARG(decision), STR_ARG(found));
        arena_free(arena);
    }
}

/* What age takes away is what its finding costs, so that the points add up. */
static void the_points_of_age_add_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *arena = arena_new(1 << 20);
        const struct gate_answer *answer = judge(arena, rows[i].question);
        uint32_t cost = 0;
        for (uint32_t k = 0; k < answer->findings_n; k++) {
            cost += answer->findings[k].risk.impact;
            assert_true(answer->findings[k].of_change || answer->findings[k].risk.impact > 0 ||
                        answer->score == rows[i].question.score);
        }
        assert_int_equal(answer->score * 100 + (int)cost, rows[i].question.score * 100);
        arena_free(arena);
    }
}

static void speaks(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        struct gate_question question;
        const char *message, *last_reason;
    } said[] = {
        {"the verdict of the snapshot",
         {.score = 90, .verdict = STR("SAFE: nothing is down.")},
         "SAFE: nothing is down.",
         "The score is 90: 70 or more is SAFE."},
        {"age comes first",
         {.score = 90, .age = MINUTES(6), .verdict = STR("SAFE: nothing is down.")},
         "The snapshot is 6 min old: the score counts 69 at most (it was 90). It said: SAFE: "
         "nothing "
         "is down.",
         "The snapshot is 6 min old: the score counts 69 at most (it was 90)."},
        {"age that takes nothing away comes last",
         {.score = 34, .age = MINUTES(6), .verdict = STR("BLOCK: x.")},
         "BLOCK: x.",
         "The snapshot is 6 min old: a score would count 69 at most."},
        {"a snapshot of before verdicts",
         {.score = 60, .risks = 7},
         "Cluster production scores 60: WARN, 7 active risks.",
         "The score is 60: below 70 is WARN."},
        {"a part of the cluster",
         {.score = 40, .partial = true, .verdict = STR("BLOCK: x.")},
         "BLOCK: x. It is a score of the namespaces shown only.",
         "It is a score of the namespaces shown only."},
        {"a target that is not there",
         {.score = 90,
          .verdict = STR("SAFE: x."),
          .target.state = GATE_TARGET_MISSING,
          .change = {.resource = STR("deployment/api"), .namespace = STR("shop")}},
         "SAFE: x.",
         "deployment/api is not in namespace shop of this cluster."},
        {"an upgrade that nothing hinders",
         {.score = 90, .verdict = STR("SAFE: x."), UPGRADE(1, 21, true, 2)},
         "SAFE: x.",
         "Kubernetes 1.21 serves all API versions that the snapshot shows."},
        {"one of which nobody knows",
         {.score = 90, .verdict = STR("SAFE: x."), UPGRADE(1, 21, false, 0)},
         "SAFE: x.",
         "Whether Kubernetes 1.21 serves the API versions in use is known after the next push."},
        {"one that one object hinders",
         {.score = 90, .verdict = STR("SAFE: x."), UPGRADE(1, 22, true, 2)},
         "SAFE: x.",
         "Kubernetes 1.22 does not serve 1 API version in use: rbac.authorization.k8s.io/v1beta1 "
         "ClusterRole (1 object, as clusterrole/r)."},
        {"one that much hinders",
         {.score = 90, .verdict = STR("SAFE: x."), UPGRADE(1, 34, true, 5)},
         "SAFE: x.",
         "Kubernetes 1.34 does not serve 5 API versions in use: policy/v1beta1 PodDisruptionBudget "
         "(3 objects, as shop/poddisruptionbudget/a), rbac.authorization.k8s.io/v1beta1 "
         "ClusterRole "
         "(1 object, as clusterrole/r), policy/v1beta1 PodDisruptionBudget (3 objects, as "
         "shop/poddisruptionbudget/a) and 2 more."},
    };
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        struct arena *arena = arena_new(1 << 20);
        const struct gate_answer *answer = judge(arena, said[i].question);
        struct str last = answer->reasons.items[answer->reasons.n - 1];
        if (!str_eq(answer->message, str_of(said[i].message)) ||
            !str_eq(last, str_of(said[i].last_reason)))
            fail_msg("%s: \"%" STR_FMT "\" \"%" STR_FMT "\"", said[i].name,
                     STR_ARG(answer->message), STR_ARG(last));
        arena_free(arena);
    }
}

/* ---- overrides ---- */

#define OVERRIDE(id_, namespace_, until_)                                                          \
    {                                                                                              \
        .id = STR(id_), .namespace = STR(namespace_), .reason = STR("hotfix"),                     \
        .by = STR("ada@example.com"), .until = until_                                              \
    }

static struct override shop[] = {OVERRIDE("s", "shop", 2000)}, whole[] = {OVERRIDE("w", "", 2000)},
                       several[] = {OVERRIDE("b", "", 2000), OVERRIDE("a", "", 2000),
                                    OVERRIDE("s", "shop", 3000), OVERRIDE("o", "", 500)};
static struct str to_shop[] = {STR("shop"), STR("shop")}, to_both[] = {STR("shop"), STR("pay")},
                  to_pay[] = {STR("pay")}, to_cluster[] = {STR("shop"), {0}};

/* decisions.findings is a TEXT. */
static void all_that_is_found_can_be_kept(void **state)
{
    (void)state;
    struct arena *arena = arena_new(16 << 20);
    enum { COLUMN_MAX = 65535, FIELD_MAX = 512, LENGTH = 100000 };
    static const char bytes[] = {1, '"', '\\', '\n'};
    for (size_t i = 0; i < sizeof bytes; i++) {
        char *p = arena_bytes(arena, LENGTH);
        memset(p, bytes[i], LENGTH);
        struct str text = {p, LENGTH}, field = {p, FIELD_MAX};
        struct gate_api api = {.kind = text,
                               .api_version = text,
                               .namespace = text,
                               .resource = text,
                               .removed = 25,
                               .objects = 3};
        struct rollout_finding trouble = {text, text, text, 49};
        struct gate_question question = {
            .score = 90,
            .age = MINUTES(31),
            .change = {.resource = field, .namespace = field, .image = field},
            .target = {GATE_TARGET_FOUND, field, field, 2, 1, true},
            .upgrade = {{1, 25}, true, {.n = 1, .room = 1, .items = &api}},
            .forecast = {.asked = true, .rollout = {trouble, trouble, trouble, trouble, trouble}}};
        const struct gate_answer *answer = judge(arena, question);
        struct buf out = buf_init(arena, 1 << 20);
        struct jw jw;
        jw_init(&jw, &out);
        jw_array(&jw);
        for (uint32_t k = 0; k < answer->findings_n; k++)
            report_risk(&jw, &answer->findings[k].risk, STR("cluster"), 0);
        jw_array_end(&jw);
        assert_int_equal(answer->findings_n, GATE_CHECKS - 1); /* the target is there */
        assert_false(out.full);
        assert_true(out.n <= COLUMN_MAX);
    }
    arena_free(arena);
}

static void overrides(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        struct gate_question question;
        const char *id; /* of the one that holds */
    } held[] = {
        {"none", {.now = 1000}, ""},
        {"of the cluster", {.now = 1000, .overrides = LIST_SLICE(whole, 1)}, "w"},
        {"until then", {.now = 1999, .overrides = LIST_SLICE(whole, 1)}, "w"},
        {"and no longer", {.now = 2000, .overrides = LIST_SLICE(whole, 1)}, ""},
        {"of the cluster, for all of it",
         {.now = 1000, .overrides = LIST_SLICE(whole, 1), .namespaces = LIST_SLICE(to_both, 2)},
         "w"},
        {"of a namespace, for what is in it",
         {.now = 1000, .overrides = LIST_SLICE(shop, 1), .namespaces = LIST_SLICE(to_shop, 2)},
         "s"},
        {"of a namespace, for another",
         {.now = 1000, .overrides = LIST_SLICE(shop, 1), .namespaces = LIST_SLICE(to_pay, 1)},
         ""},
        {"of a namespace, for another as well",
         {.now = 1000, .overrides = LIST_SLICE(shop, 1), .namespaces = LIST_SLICE(to_both, 2)},
         ""},
        {"of a namespace, for what is in none",
         {.now = 1000, .overrides = LIST_SLICE(shop, 1), .namespaces = LIST_SLICE(to_cluster, 2)},
         ""},
        {"of a namespace, for nothing in particular",
         {.now = 1000, .overrides = LIST_SLICE(shop, 1)},
         ""},
        {"of several the one that lasts longest",
         {.now = 1000, .overrides = LIST_SLICE(several, 4), .namespaces = LIST_SLICE(to_shop, 1)},
         "s"},
        {"of equal ones always the same", {.now = 1000, .overrides = LIST_SLICE(several, 4)}, "a"},
    };
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        struct arena *arena = arena_new(1 << 20);
        struct gate_question question = held[i].question;
        question.score = 40;
        const struct gate_answer *answer = judge(arena, question);
        struct str id = answer->override ? answer->override->id : STR("");
        bool told = answer->reasons.n == 2;
        if (!str_eq(id, str_of(held[i].id)) || told != (id.n > 0) ||
            answer->decision != DECISION_BLOCK)
            fail_msg("%s: \"%" STR_FMT "\", %u reasons", held[i].name, STR_ARG(id),
                     answer->reasons.n);
        if (told && answer->override->namespace.n)
            assert_true(str_eq(answer->reasons.items[1],
                               STR("ada@example.com overrides the gate in shop until "
                                   "1970-01-01T00:00:02Z: hotfix (without that: BLOCK).")) ||
                        str_eq(answer->reasons.items[1],
                               STR("ada@example.com overrides the gate in shop until "
                                   "1970-01-01T00:00:03Z: hotfix (without that: BLOCK).")));
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decides),   cmocka_unit_test(the_points_of_age_add_up),
        cmocka_unit_test(speaks),    cmocka_unit_test(all_that_is_found_can_be_kept),
        cmocka_unit_test(overrides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
