/* The rows of hazards.def fit the checks that they are about, and what a finding weighs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "score/hardening.h"
#include "score/hazard.h" /* before cmocka.h, whose fail() would hide ours */

#include <cmocka.h>

static const struct row {
    const char *function;
    const struct check *check;
    enum hazard_part part;
    uint32_t thousandths;
} rows[] = {
#define HAZARD(check, part, thousandths, least)                                                    \
    {#check, &checks[CHECK_##check], PART_##part, thousandths},
#include "score/hazards.def"
#undef HAZARD
};

enum { ROWS = sizeof rows / sizeof *rows };

static bool is_of_workloads(const struct check *check)
{
    return check->subject == SUBJECT_workload || check->subject == SUBJECT_object;
}

/* What outage.c, pillar.c and evidence.c take the ordinals of findings for. */
static bool fits(const struct check *check, enum hazard_part part)
{
    switch (part) {
    case PART_WORKLOAD:
        return is_of_workloads(check);
    case PART_MASS:
        return check->subject != SUBJECT_workload && check->subject != SUBJECT_cluster;
    case PART_NODE:
        return check->subject == SUBJECT_node;
    case PART_DNS:
    case PART_INGRESS:
        return check->subject == SUBJECT_workload || check->subject == SUBJECT_service;
    case PART_NETWORK:
        return check->subject == SUBJECT_workload;
    case PART_CONTROL:
        return check != &checks[CHECK_control_plane_down] || check->subject == SUBJECT_workload;
    case PART_EVIDENCE:
        return check->subject == SUBJECT_evidence || check->subject == SUBJECT_cluster;
    case PART_POSTURE:
        break;
    }
    return false;
}

static void rows_fit_their_checks(void **state)
{
    (void)state;
    assert_int_equal(checks[CHECK_service_no_ready_endpoints].subject, SUBJECT_service);
    for (uint32_t i = 0; i < ROWS; i++) {
        const struct row *row = &rows[i];
        if (!fits(row->check, row->part))
            fail_msg("%s is of another subject than its part", row->function);
        if (row->check->cause != CAUSE_none)
            fail_msg("%s is in an outage and has a cause of posture", row->function);
        if (hazard_of(row->check)->rank != i + 1 || hazard_of(row->check)->part != row->part)
            fail_msg("%s has two rows", row->function);
        for (uint32_t j = i + 1; j < ROWS; j++)
            assert_ptr_not_equal(row->check, rows[j].check);
    }
}

static void amounts_are_within_bounds(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ROWS; i++) {
        uint32_t most = rows[i].part == PART_CONTROL ? 2000 : 1000;
        bool by_replicas = rows[i].part == PART_DNS || rows[i].part == PART_NETWORK ||
                           rows[i].part == PART_INGRESS || rows[i].part == PART_EVIDENCE;
        if (rows[i].thousandths > most || (by_replicas && rows[i].thousandths))
            fail_msg("%s weighs %u", rows[i].function, rows[i].thousandths);
    }
}

/* What is down now is runtime, history or health: policy is posture, evidence aside. */
static void policy_is_posture(void **state)
{
    (void)state;
    for (int c = 0; c < CHECK_COUNT; c++) {
        enum hazard_part part = hazard_of(&checks[c])->part;
        if (checks[c].category == CATEGORY_POLICY && part != PART_POSTURE && part != PART_EVIDENCE)
            fail_msg("%s is policy, and an outage", checks[c].id);
    }
    assert_int_equal(hazard_of(check_find(STR("privileged-container")))->part, PART_POSTURE);
    assert_int_equal(hazard_of(check_find(STR("cluster-headroom-low")))->part, PART_POSTURE);
}

static void a_finding_weighs(void **state)
{
    (void)state;
    static const struct {
        const char *check;
        enum severity severity;
        bool exempt;
        uint32_t thousandths;
    } table[] = {
        {"container-crash-loop", SEVERITY_CRITICAL, false, 200},
        {"container-crash-loop", SEVERITY_LOW, false, 200},
        {"container-crash-loop", SEVERITY_CRITICAL, true, 0},
        {"rollback-detected", SEVERITY_HIGH, false, 50},
        {"rollback-detected", SEVERITY_MEDIUM, false, 50},
        {"rollback-detected", SEVERITY_LOW, false, 0},
        {"pod-failed", SEVERITY_MEDIUM, false, 50},
        {"pod-failed", SEVERITY_LOW, false, 0},
        {"cronjob-not-running", SEVERITY_LOW, false, 0},
        {"job-failed", SEVERITY_LOW, false, 1000},
        {"recent-scale-change", SEVERITY_LOW, false, 5},
        {"control-plane-down", SEVERITY_CRITICAL, false, 2000},
        {"cluster-dns-down", SEVERITY_CRITICAL, false, 0},
        {"privileged-container", SEVERITY_CRITICAL, false, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct finding finding = {.check = check_find(str_of(table[i].check)),
                                  .severity = table[i].severity,
                                  .exempt = table[i].exempt};
        assert_non_null(finding.check);
        if ((uint32_t)(hazard_amount(&finding) * 1000 + 0.5) != table[i].thousandths)
            fail_msg("%s at %d weighs %f", table[i].check, (int)table[i].severity,
                     hazard_amount(&finding));
    }
}

/* Of the findings of a workload that lacks replicas, the first here explains the later ones. */
static void what_explains_more_stands_first(void **state)
{
    (void)state;
    static const char *const order[] = {
        "image-pull-failure",
        "container-config-error",
        "volume-mount-failure",
        "container-oom-killed",
        "pod-unschedulable",
        "init-container-failing",
        "controller-create-failure",
        "container-crash-loop",
        "rollout-stalled",
        "controller-selects-nothing",
        "pod-status-unknown",
        "pod-pending",
        "container-restarts-high",
        "probe-failing",
        "log-error-burst",
        "pod-failed",
        "job-failed",
        "cronjob-not-running",
        "pod-not-ready",
        "pod-stuck-terminating",
        "system-workload-unhealthy",
        "deployment-unavailable",
    };
    for (size_t i = 1; i < sizeof order / sizeof *order; i++)
        if (hazard_of(check_find(str_of(order[i - 1])))->rank >=
            hazard_of(check_find(str_of(order[i])))->rank)
            fail_msg("%s does not stand before %s", order[i - 1], order[i]);
}

/* However bad posture is, it alone never blocks. */
static void posture_has_a_bound(void **state)
{
    (void)state;
    double before = -1;
    assert_true(hardening_hazard(0) == 0);
    for (double x = 0; x < 1000; x += 7) {
        assert_true(hardening_hazard(x) >= before && hardening_hazard(x) <= 0.62);
        before = hardening_hazard(x);
    }
    for (int s = SEVERITY_CRITICAL; s < SEVERITY_LOW; s++)
        assert_true(hardening_cost((enum severity)s) > hardening_cost((enum severity)(s + 1)));
    assert_true(hardening_cost(SEVERITY_LOW) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_fit_their_checks),
        cmocka_unit_test(amounts_are_within_bounds),
        cmocka_unit_test(policy_is_posture),
        cmocka_unit_test(a_finding_weighs),
        cmocka_unit_test(what_explains_more_stands_first),
        cmocka_unit_test(posture_has_a_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
