/* gate_summary: the state of workloads, and the costliest risks. */
#include "gate/scope.h"
#include "reader/snapshot_reader.h"
#include "store/gate_summary.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h> /* after check.h: both have a fail() */

static struct gate_summary summary_from(const char *items)
{
    struct str json =
        arena_printf(arena, "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[%s]}", items);
    struct snapshot_options options = {0};
    struct snapshot_error error;
    struct cluster *cluster = snapshot_read(arena, source_of(&json), &options, &error);
    assert_non_null(cluster);
    struct score_policy policy = score_policy_default();
    struct ledger *ledger = score(arena, cluster, &policy, 1764547200000);
    return gate_summary_of(arena, cluster, ledger, ledger,
                           ARENA_ARRAY(arena, ledger->risks.n, int64_t), STR(""),
                           scope_text(scope_draft(arena, cluster, ledger)));
}

#define META(more) "\"metadata\":{\"name\":\"api\",\"namespace\":\"shop\"" more "}"
#define APPS(kind, meta, x)                                                                        \
    "{\"apiVersion\":\"apps/v1\",\"kind\":\"" kind "\"," META(meta) "," x "}"

static const struct state_row {
    const char *item;
    int64_t desired, available; /* -1: not known */
    bool rolling;
} states[] = {
    {APPS("Deployment", ",\"generation\":2",
          "\"spec\":{\"replicas\":3},\"status\":{\"observedGeneration\":2,\"replicas\":3,"
          "\"updatedReplicas\":3,\"availableReplicas\":3}"),
     3, 3, false},
    /* counts that are zero are left out */
    {APPS("Deployment", ",\"generation\":2",
          "\"spec\":{\"replicas\":3},\"status\":{\"observedGeneration\":2,\"replicas\":3,"
          "\"updatedReplicas\":3}"),
     3, 0, false},
    {APPS("Deployment", ",\"generation\":1",
          "\"spec\":{\"replicas\":0},\"status\":{\"observedGeneration\":1}"),
     0, 0, false},
    /* the controller has not seen the change yet */
    {APPS("Deployment", ",\"generation\":3",
          "\"spec\":{\"replicas\":3},\"status\":{\"observedGeneration\":2,\"replicas\":3,"
          "\"updatedReplicas\":3,\"availableReplicas\":3}"),
     3, 3, true},
    /* old pods are still there */
    {APPS("Deployment", ",\"generation\":2",
          "\"spec\":{\"replicas\":3},\"status\":{\"observedGeneration\":2,\"replicas\":4,"
          "\"updatedReplicas\":3,\"availableReplicas\":3}"),
     3, 3, true},
    /* not all are new yet */
    {APPS("Deployment", ",\"generation\":2",
          "\"spec\":{\"replicas\":3},\"status\":{\"observedGeneration\":2,\"replicas\":3,"
          "\"updatedReplicas\":2,\"availableReplicas\":3}"),
     3, 3, true},
    /* a manifest has no status; replicas default to 1 */
    {APPS("Deployment", "", "\"spec\":{}"), 1, -1, false},
    {APPS("StatefulSet", "",
          "\"spec\":{\"replicas\":2},\"status\":{\"replicas\":2,\"availableReplicas\":2,"
          "\"currentRevision\":\"api-1\",\"updateRevision\":\"api-2\"}"),
     2, 2, true},
    {APPS("StatefulSet", "",
          "\"spec\":{\"replicas\":2},\"status\":{\"replicas\":2,\"availableReplicas\":1,"
          "\"currentRevision\":\"api-2\",\"updateRevision\":\"api-2\"}"),
     2, 1, false},
    /* with OnDelete the current revision is never written: the count says that it is through */
    {APPS("StatefulSet", "",
          "\"spec\":{\"replicas\":2,\"updateStrategy\":{\"type\":\"OnDelete\"}},\"status\":{"
          "\"replicas\":2,\"availableReplicas\":2,\"updatedReplicas\":2,"
          "\"currentRevision\":\"api-1\",\"updateRevision\":\"api-2\"}"),
     2, 2, false},
    {APPS("StatefulSet", "",
          "\"spec\":{\"replicas\":2,\"updateStrategy\":{\"type\":\"OnDelete\"}},\"status\":{"
          "\"replicas\":2,\"availableReplicas\":2,\"updatedReplicas\":1,"
          "\"currentRevision\":\"api-1\",\"updateRevision\":\"api-2\"}"),
     2, 2, true},
    /* a paused Deployment waits for somebody, not for time */
    {APPS("Deployment", ",\"generation\":2",
          "\"spec\":{\"replicas\":3,\"paused\":true},\"status\":{\"observedGeneration\":2,"
          "\"replicas\":3,\"updatedReplicas\":1,\"availableReplicas\":3}"),
     3, 3, false},
    {APPS("DaemonSet", "",
          "\"spec\":{},\"status\":{\"desiredNumberScheduled\":5,\"numberAvailable\":4,"
          "\"updatedNumberScheduled\":5}"),
     5, 4, false},
    {APPS("DaemonSet", "",
          "\"spec\":{},\"status\":{\"desiredNumberScheduled\":5,\"numberAvailable\":5,"
          "\"updatedNumberScheduled\":3}"),
     5, 5, true},
    {"{\"apiVersion\":\"batch/v1\",\"kind\":\"CronJob\"," META(
         "") ",\"spec\":{\"schedule\":\"@daily\"}}",
     -1, -1, false},
};

static void states_are_those_that_kubectl_tells(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
        struct gate_summary summary = summary_from(states[i].item);
        struct workload_state found;
        if (gate_summary_find(&summary, STR("shop"), STR("api"), &found) != GATE_TARGET_FOUND)
            fail_msg("row %zu: %s", i, summary.workloads.p);
        int64_t desired = states[i].desired < 0 ? NUMBER_ABSENT : states[i].desired;
        int64_t available = states[i].available < 0 ? NUMBER_ABSENT : states[i].available;
        if (found.desired != desired || found.available != available ||
            found.rolling != states[i].rolling)
            fail_msg("row %zu: %s", i, summary.workloads.p);
        arena_reset(arena);
    }
}

#define FAILING(version, kind, status)                                                             \
    ",{\"apiVersion\":\"" version "\",\"kind\":\"" kind "\",\"metadata\":{\"name\":\"x\"},"        \
    "\"status\":{" status "}}"

static size_t lines_in(struct str text)
{
    struct str line;
    size_t n = 0;
    for (; text.n; n++)
        assert_true(str_cut(text, '\n', &line, &text));
    return n;
}

static void costliest_risks_come_first_a_line_each(void **state)
{
    (void)state;
    struct gate_summary summary = summary_from(
        APPS(
            "Deployment", "",
            "\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\\nd\",\"image\":\"x\","
            "\"securityContext\":{\"privileged\":true}}]}}},\"status\":{\"replicas\":1}")
            FAILING("v1", "Node", "\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\"}]")
                FAILING("v1",
                        "PersistentVolume"
                        "Claim",
                        "\"phase\":"
                        "\"Lost\"")
                    FAILING("config.openshift.io/v1", "ClusterOperator",
                            "\"conditions\":[{\"type\":\"Degraded\",\"status\":\"True\"}]"));
    struct str line, lines = summary.risks;
    size_t n = 0;
    for (; lines.n; n++) {
        assert_true(str_cut(lines, '\n', &line, &lines));
        assert_true(str_has_prefix(line, STR("{\"id\":\"")) && str_has_suffix(line, STR("}")));
    }
    assert_in_range(n, 3, GATE_SUMMARY_RISKS_MAX);
    assert_int_equal(lines_in(summary.reasons), GATE_SUMMARY_REASONS_MAX + 1);
    assert_true(str_has(summary.reasons, STR("deployment/api in shop costs ")));
    assert_false(str_has_prefix(summary.reasons, STR("What is not down")));
    assert_true(str_has(summary.reasons, STR("\nWhat is not down costs ")));
    struct gate_summary well = summary_from(APPS("Deployment", "", "\"spec\":{}"));
    assert_int_equal(lines_in(well.reasons), 2); /* no Nodes are shown, and what is not down */
}

/* What the summary tells and what tells whether it is to be stored again must not differ. */
static void hash_covers_what_is_told_of_a_risk(void **state)
{
    (void)state;
    static const struct check paid = {.id = "paid"};
    const struct risk before = {.id = "0", .severity = SEVERITY_HIGH, .impact = 1, .count = 2};
    static const struct exemption accepted = {.owner = STR("somebody"), .expires = 1};
    struct risk risks[] = {before, before, before, before, before, before, before, before, before};
    struct cluster cluster = {0};
    memcpy(risks[0].id, "1", 2);
    risks[1].severity = SEVERITY_LOW;
    risks[2].impact = 2;
    risks[3].count = 3;
    risks[4].message = STR("m");
    risks[5].exempt_reason = STR("because");
    risks[6].absorbed_by = &paid;
    risks[7].would_cost = 3;
    risks[8].exemption = &accepted;
    struct risk one = before;
    struct str use = STR("25\tCronJob\tbatch/v1beta1\tbatch/v1\t1\tshop\tcronjob/a\t\n");
    struct ledger ledger = {.risks = LIST_SLICE(&one, 1)};
    int64_t hash = gate_summary_hash(arena, &cluster, NULL, &ledger, STR(""), 0);
    assert_int_equal(gate_summary_hash(arena, &cluster, NULL, &ledger, STR(""), 0), hash);
    assert_int_not_equal(gate_summary_hash(arena, &cluster, NULL, &ledger, use, 0), hash);
    assert_int_not_equal(gate_summary_hash(arena, &cluster, NULL, &ledger, STR(""), 1), hash);
    for (size_t i = 0; i < sizeof risks / sizeof *risks; i++) {
        one = risks[i];
        if (gate_summary_hash(arena, &cluster, NULL, &ledger, STR(""), 0) == hash)
            fail_msg("change %zu is not seen", i);
    }
}

/* Their lines, and the line of kinds that are not shown. */
static void hash_covers_what_is_told_of_workloads(void **state)
{
    (void)state;
    const struct workload_state before = {.kind = STR("Job"), .name = STR("a"), .desired = 1};
    struct workload_state after[] = {before, before, before, before, before,
                                     before, before, before, before};
    struct workload workload = {0}, *workloads[] = {&workload};
    struct cluster cluster = {.workloads = LIST_SLICE(workloads, 1)};
    const struct ledger ledger = {0};
    struct buf lines[2] = {buf_init(arena, 1000), buf_init(arena, 1000)};
    after[0].kind = STR("Pod");
    after[1].namespace = STR("a");
    after[2].name = STR("b");
    after[3].desired = NUMBER_ABSENT;
    after[4].available = 1;
    after[5].rolling = true;
    after[6].revision = STR("a");
    after[7].images = STR("a");
    after[8].stuck = true;
    int64_t hash = gate_summary_hash(arena, &cluster, &before, &ledger, STR(""), 0);
    workload_state_put(arena, &lines[0], &before);
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
        lines[1].n = 0;
        workload_state_put(arena, &lines[1], &after[i]);
        assert_false(str_eq(buf_str(&lines[0]), buf_str(&lines[1])));
        if (gate_summary_hash(arena, &cluster, &after[i], &ledger, STR(""), 0) == hash)
            fail_msg("change %zu is not seen", i);
    }
    cluster.forbidden = UINT64_C(1) << KIND_JOB;
    assert_int_not_equal(gate_summary_hash(arena, &cluster, &before, &ledger, STR(""), 0), hash);
    workload.owner = &workload; /* not topmost: it has no line */
    cluster.forbidden = 0;
    hash = gate_summary_hash(arena, &cluster, &before, &ledger, STR(""), 0);
    assert_int_equal(gate_summary_hash(arena, &cluster, after, &ledger, STR(""), 0), hash);
}

/* What is exempt costs nothing. It has places all the same. */
static void exempt_risks_have_places(void **state)
{
    (void)state;
    static const struct {
        uint32_t costly, exempt, idle, want_costly, want_exempt, want_idle;
    } rows[] = {
        {3, 2, 1, 3, 2, 1},      {200, 0, 5, 100, 0, 0}, {200, 1, 5, 99, 1, 0},
        {200, 50, 5, 80, 20, 0}, {70, 50, 5, 70, 20, 5}, {70, 20, 50, 70, 20, 10},
        {0, 0, 0, 0, 0, 0},      {0, 21, 0, 0, 20, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t n = rows[i].costly + rows[i].exempt + rows[i].idle, at = 0;
        struct risk *risks = ARENA_ARRAY(arena, n, struct risk);
        for (uint32_t k = 0; k < n; k++) {
            risks[k] = (struct risk){.check = &checks[0], .resource = STR("node/n"), .count = 1};
            risks[k].message = k < rows[i].costly ? STR("costly") : STR("idle");
            risks[k].impact = k < rows[i].costly ? n - k : 0;
            risks[k].exempt = k >= n - rows[i].exempt;
            risks[k].would_cost = risks[k].exempt ? k + 1 : 0;
            risks[k].exempt_reason = STR("why");
        }
        struct ledger ledger = {.risks = LIST_SLICE(risks, n)};
        struct cluster cluster = {0};
        int64_t *first_seen = ARENA_ARRAY(arena, n, int64_t);
        struct str line,
            lines = gate_summary_of(arena, &cluster, &ledger, &ledger, first_seen, STR(""), STR(""))
                        .risks;
        for (; lines.n; at++) {
            str_cut(lines, '\n', &line, &lines);
            bool costly = at < rows[i].want_costly;
            bool exempt = !costly && at < rows[i].want_costly + rows[i].want_exempt;
            assert_int_equal(str_has(line, STR("costly")), costly);
            assert_int_equal(str_has(line, STR("\"exempt\":\"why\"")), exempt);
        }
        assert_int_equal(at, rows[i].want_costly + rows[i].want_exempt + rows[i].want_idle);
    }
}

/* One risk that changes changes the hash of its bucket, and the order of risks does not. */
static void buckets(void **state)
{
    (void)state;
    enum { RISKS = 300 };
    static struct risk risks[RISKS];
    static int64_t contents[RISKS];
    struct risk_hashes first, then;
    struct ledger ledger = {.risks = LIST_SLICE(risks, RISKS)};
    for (unsigned i = 0; i < RISKS; i++) {
        risk_id_text((uint64_t)i * UINT64_C(0x9e3779b97f4a7c15), risks[i].id);
        contents[i] = (int64_t)i * 31;
    }
    risk_hashes_of(&ledger, contents, &first);
    for (unsigned i = 0; i < RISKS; i++) {
        contents[i]++;
        risk_hashes_of(&ledger, contents, &then);
        contents[i]--;
        for (unsigned bucket = 0; bucket < RISK_BUCKETS; bucket++)
            assert_int_equal(first.buckets[bucket] != then.buckets[bucket],
                             bucket == risk_bucket(&risks[i]));
    }
    for (unsigned i = 0; i < RISKS / 2; i++) {
        struct risk risk = risks[i];
        int64_t content = contents[i];
        risks[i] = risks[RISKS - 1 - i];
        contents[i] = contents[RISKS - 1 - i];
        risks[RISKS - 1 - i] = risk;
        contents[RISKS - 1 - i] = content;
    }
    risk_hashes_of(&ledger, contents, &then);
    assert_memory_equal(&first, &then, sizeof first);
    ledger.risks.n = 0;
    risk_hashes_of(&ledger, contents, &then);
    assert_int_equal(then.buckets[17], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckets),
        cmocka_unit_test(states_are_those_that_kubectl_tells),
        cmocka_unit_test(costliest_risks_come_first_a_line_each),
        cmocka_unit_test(hash_covers_what_is_told_of_a_risk),
        cmocka_unit_test(hash_covers_what_is_told_of_workloads),
        cmocka_unit_test(exempt_risks_have_places),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
