/* How the target of a change is named, and whether the snapshot has it. */
#include "reader/snapshot_reader.h"
#include "store/gate_summary.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h> /* after check.h: both have a fail() */

static struct gate_summary summary_from(struct str json)
{
    struct snapshot_options options = {0};
    struct snapshot_error error;
    struct cluster *cluster = snapshot_read(arena, source_of(&json), &options, &error);
    assert_non_null(cluster);
    struct score_policy policy = score_policy_default();
    struct ledger *ledger = score(arena, cluster, &policy, 1764547200000);
    return gate_summary_of(arena, cluster, ledger, ledger,
                           ARENA_ARRAY(arena, ledger->risks.n, int64_t), STR(""), STR(""));
}

#define ITEM(version, kind, name)                                                                  \
    "{\"apiVersion\":\"" version "\",\"kind\":\"" kind "\",\"metadata\":{\"name\":\"" name         \
    "\",\"namespace\":\"shop\"},\"spec\":{}}"
#define DEPLOYMENT ITEM("apps/v1", "Deployment", "api")
#define POD        ITEM("v1", "Pod", "odd\\tname")

static const struct name_row {
    const char *namespace, *resource;
    enum gate_target_state state;
} names[] = {
    {"shop", "deployment/api", GATE_TARGET_FOUND},
    {"shop", "Deployment/api", GATE_TARGET_FOUND},
    {"shop", "deployments/api", GATE_TARGET_FOUND},
    {"shop", "deploy/api", GATE_TARGET_FOUND},
    {"shop", "deployment.apps/api", GATE_TARGET_FOUND},
    {"shop", "deployments.v1.apps/api", GATE_TARGET_FOUND},
    {"shop", "api", GATE_TARGET_FOUND},
    {"shop", "po/odd\tname", GATE_TARGET_MISSING},
    {"shop", "statefulset/api", GATE_TARGET_MISSING},
    {"shop", "deployment/ap", GATE_TARGET_MISSING},
    {"shop", "deployment/api/x", GATE_TARGET_MISSING},
    {"shop", "deployment/", GATE_TARGET_MISSING},
    {"shop", "", GATE_TARGET_MISSING},
    {"shop", "/api", GATE_TARGET_NOT_ASKED},
    {"shop", "service/api", GATE_TARGET_NOT_ASKED},
    {"shop", " deployment /api", GATE_TARGET_NOT_ASKED},
    {"shop", "deployment deployments/api", GATE_TARGET_NOT_ASKED},
    {"default", "deployment/api", GATE_TARGET_MISSING},
    {"", "deployment/api", GATE_TARGET_MISSING},
};

static void a_workload_goes_by_many_names(void **state)
{
    (void)state;
    struct gate_summary summary = summary_from(
        STR("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[" DEPLOYMENT "," POD "]}"));
    for (size_t i = 0; i < COUNT(names); i++) {
        struct workload_state found;
        enum gate_target_state there = gate_summary_find(&summary, str_of(names[i].namespace),
                                                         str_of(names[i].resource), &found);
        if (there != names[i].state)
            fail_msg("%s in %s: %d", names[i].resource, names[i].namespace, there);
    }
}

/* ---- a kind that the snapshot does not show ---- */

#define LIST_OF(version, kind, more)                                                               \
    "{\"kind\":\"" kind "List\",\"apiVersion\":\"" version "\"," more "}"
#define WITHOUT_SETS "{\"deployments\":[" DEPLOYMENT "],\"daemonsets\":[],\"pods\":[" POD "]}"
#define ALL_USUAL    "{\"deployments\":[" DEPLOYMENT "],\"statefulsets\":[],\"daemonsets\":[]}"

static const struct hidden_row {
    const char *snapshot, *resource;
    enum gate_target_state state;
} hidden[] = {
    {WITHOUT_SETS, "statefulset/db", GATE_TARGET_HIDDEN},
    {WITHOUT_SETS, "sts/api", GATE_TARGET_HIDDEN},
    {WITHOUT_SETS, "job/db", GATE_TARGET_HIDDEN},
    {WITHOUT_SETS, "deployment/db", GATE_TARGET_MISSING},
    {WITHOUT_SETS, "deployment/api", GATE_TARGET_FOUND},
    {WITHOUT_SETS, "ds/api", GATE_TARGET_MISSING},
    {WITHOUT_SETS, "api", GATE_TARGET_FOUND},
    {WITHOUT_SETS, "db", GATE_TARGET_HIDDEN},
    {WITHOUT_SETS, "service/db", GATE_TARGET_NOT_ASKED},
    {ALL_USUAL, "statefulset/db", GATE_TARGET_MISSING},
    {ALL_USUAL, "rollout/db", GATE_TARGET_HIDDEN},
    {ALL_USUAL, "db", GATE_TARGET_MISSING},
    {ITEM("apps/v1", "Deployment", "api")
         LIST_OF("apps/v1", "StatefulSet", "\"reason\":\"Forbidden\""),
     "statefulset/db", GATE_TARGET_HIDDEN},
    {ITEM("apps/v1", "Deployment", "api")
         LIST_OF("apps/v1", "StatefulSet", "\"reason\":\"Forbidden\""),
     "daemonset/db", GATE_TARGET_MISSING},
};

/* What becomes of a change to it no later snapshot tells: whether it was there is not known. */
static void a_workload_may_be_hidden(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(hidden); i++) {
        struct gate_summary summary = summary_from(str_of(hidden[i].snapshot));
        struct str resource = str_of(hidden[i].resource);
        struct workload_state found;
        enum gate_target_state there = gate_summary_find(&summary, STR("shop"), resource, &found);
        struct str line = gate_summary_target(arena, &summary, STR("shop"), resource);
        if (there != hidden[i].state || (line.p && there == GATE_TARGET_HIDDEN) ||
            (!line.p && there == GATE_TARGET_MISSING))
            fail_msg("row %zu, %s: %d", i, hidden[i].resource, there);
        arena_reset(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_workload_goes_by_many_names),
        cmocka_unit_test(a_workload_may_be_hidden),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
