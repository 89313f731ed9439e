/* The fixtures of tests/fixtures/checks: awkward objects, and what Kubernetes itself says of them.
 * Each is read as a push is, with redaction, and judged by all checks. */
#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "live.h"

enum { ENOUGH = 6 };

struct fixture {
    enum check_id check;
    const char *awkward, *want, *phrase, *source, *document;
};

#define FIXTURE(check, awkward, want, phrase, source, document)                                    \
    {CHECK_##check, awkward, want, phrase, source, document},
static const struct fixture fixtures[] = {
#include "../fixtures/checks/health_control_plane.def"
#include "../fixtures/checks/health_nodes.def"
#include "../fixtures/checks/health_services.def"
#include "../fixtures/checks/history.def"
#include "../fixtures/checks/policy_access.def"
#include "../fixtures/checks/policy_network.def"
#include "../fixtures/checks/policy_pods.def"
#include "../fixtures/checks/runtime_controllers.def"
#include "../fixtures/checks/runtime_pods.def"
};
#undef FIXTURE

enum { FIXTURES = sizeof fixtures / sizeof *fixtures };

/* The checks that were tried on other tools' own test cases (docs/peers.md). log-error-burst goes
 * by lines of logs, which stand in no document: test_check_log.c. */
static const char tried_elsewhere[] =
    "log-error-burst "
    "privileged-container host-pid host-ipc host-network host-port host-path-volume "
    "host-path-sensitive host-path-writable container-runtime-socket windows-host-process "
    "capabilities-dangerous capabilities-beyond-baseline capabilities-not-dropped "
    "capabilities-added net-raw-capability privilege-escalation-allowed run-as-user-zero "
    "run-as-root-allowed run-as-non-root-unenforced low-uid-gid writable-root-filesystem "
    "seccomp-unconfined seccomp-profile-unset apparmor-disabled selinux-custom-options "
    "proc-mount-unmasked unsafe-sysctl restricted-volume-type probe-host-override "
    "service-account-automount-enabled service-account-missing secret-in-env "
    "duplicate-env-var default-namespace image-tag-mutable image-not-pinned "
    "image-pull-policy-stale image-pull-policy-not-always cpu-request-missing "
    "memory-request-missing memory-limit-missing cpu-limit-missing readiness-probe-missing "
    "liveness-probe-missing probes-identical naked-pod topology-spread-invalid "
    "update-strategy-unsafe selector-template-mismatch statefulset-service-missing "
    "priority-class-missing cronjob-deadline-missing api-version-removed "
    "pod-ingress-not-isolated pod-egress-not-isolated networkpolicy-selects-nothing "
    "service-node-port service-external-ips ingress-backend-missing "
    "ingress-backend-port-missing ingress-no-tls ingress-wildcard-host pdb-missing "
    "pdb-blocks-eviction pdb-no-budget pdb-exceeds-hpa-minimum hpa-target-missing "
    "hpa-min-replicas-low hpa-replicas-conflict rbac-wildcard rbac-secret-access "
    "rbac-workload-create rbac-pod-exec rbac-node-proxy rbac-csr-approve "
    "rbac-webhook-write rbac-pv-create rbac-system-masters "
    "rbac-default-sa-bound";

/* ---- what a row wants ---- */

struct wanted {
    enum verdict verdict;
    bool any_severity;
    enum severity severity;
    struct str resources; /* that fail, separated by blanks */
};

/* "trusted=ghcr.io" and "partial=yes" at the beginning are an owner's settings. */
static struct str set_up(struct str want, struct score_policy *policy, struct arena *arena)
{
    struct str word, name, value, rest = want;
    policy->all_namespaces = true;
    while (str_cut(rest, ' ', &word, &rest) && str_cut(word, '=', &name, &value)) {
        want = rest;
        policy->partial |= str_eq(name, STR("partial"));
        if (str_eq(name, STR("trusted")))
            LIST_ADD(arena, policy->trusted_registries, value);
    }
    return want;
}

static struct wanted wanted_of(const struct fixture *fixture, struct str want)
{
    struct wanted wanted = {.any_severity = true};
    struct str word;
    str_cut(want, ' ', &word, &wanted.resources);
    if (str_eq(word, STR("none")) || str_eq(word, STR("pass"))) {
        wanted.verdict = str_eq(word, STR("pass")) ? PASSED : NOT_EVALUATED;
        return wanted;
    }
    wanted.verdict = FAILED;
    for (int severity = 0; severity < SEVERITY_COUNT; severity++)
        if (str_eq(word, severity_name((enum severity)severity))) {
            wanted.any_severity = false;
            wanted.severity = (enum severity)severity;
        }
    if (wanted.any_severity && !str_eq(word, STR("fail")))
        fail_msg("%s: what does \"%s\" want?", fixture->awkward, fixture->want);
    return wanted;
}

static bool is_named(struct str resources, struct str resource)
{
    struct str word;
    while (resources.n) {
        str_cut(resources, ' ', &word, &resources);
        if (str_eq(word, resource))
            return true;
    }
    return false;
}

/* ---- what it gets ---- */

static const char *differs_as_risk(const struct risk *risk, const struct fixture *fixture,
                                   const struct wanted *wanted)
{
    if (!is_named(wanted->resources, risk->resource))
        return "fails too";
    if (!wanted->any_severity && risk->severity != wanted->severity)
        return "has another severity";
    if (!str_has(risk->message, str_of(fixture->phrase)))
        return "is told in other words";
    return NULL;
}

static uint32_t words_in(struct str text)
{
    uint32_t n = 0;
    while (text.n) {
        n++;
        str_cut(text, ' ', NULL, &text);
    }
    return n;
}

static void complain(const struct fixture *fixture, const char *what, const struct risk *risk)
{
    print_message("%s, %s: %s", checks[fixture->check].id, fixture->awkward, what);
    if (risk)
        print_message(": %.*s, %s: %.*s", STR_ARG(risk->resource), severity_name(risk->severity).p,
                      STR_ARG(risk->message));
    print_message("\n");
}

/* How many complaints there are. */
static int judge_fixture(const struct fixture *fixture)
{
    static const char *const words[] = {"is not evaluated", "passes", "fails"};
    struct score_policy policy = score_policy_default();
    struct arena *arena = arena_new(1024 * 1024);
    struct wanted wanted = wanted_of(fixture, set_up(str_of(fixture->want), &policy, arena));
    struct judgement judgement = judgement_open(fixture->document, &policy);
    uint32_t failed = 0;
    int complaints = 0;
    const struct risk *risk;
    LIST_EACH (risk, judgement.ledger->risks) {
        if (risk->check != &checks[fixture->check])
            continue;
        const char *differs = differs_as_risk(risk, fixture, &wanted);
        failed++;
        if (differs) {
            complain(fixture, differs, risk);
            complaints++;
        }
    }
    bool evaluated = judgement.ledger->checks[fixture->check].evaluated > 0;
    enum verdict verdict = failed ? FAILED : evaluated ? PASSED : NOT_EVALUATED;
    if (verdict != wanted.verdict || (verdict == FAILED && failed != words_in(wanted.resources))) {
        complain(fixture, words[verdict], NULL);
        complaints++;
    }
    judgement_close(&judgement);
    arena_free(arena);
    return complaints;
}

static void every_fixture_is_judged_as_kubernetes_means_it(void **state)
{
    int complaints = 0;
    (void)state;
    for (int i = 0; i < FIXTURES; i++)
        complaints += judge_fixture(&fixtures[i]);
    assert_int_equal(complaints, 0);
}

/* ---- the table itself ---- */

static void every_check_has_enough_of_them(void **state)
{
    int n[CHECK_COUNT] = {0}, missing = 0;
    (void)state;
    for (int i = 0; i < FIXTURES; i++)
        n[fixtures[i].check]++;
    for (int i = 0; i < CHECK_COUNT; i++) {
        bool elsewhere = is_named(str_of(tried_elsewhere), str_of(checks[i].id));
        if (n[i] >= ENOUGH || (!n[i] && elsewhere))
            continue;
        print_message("%s has %d fixtures, and wants %d\n", checks[i].id, n[i], ENOUGH);
        missing++;
    }
    assert_int_equal(missing, 0);
}

static void what_was_tried_elsewhere_is_a_check_without_fixtures(void **state)
{
    struct str word, rest = str_of(tried_elsewhere);
    (void)state;
    while (rest.n) {
        str_cut(rest, ' ', &word, &rest);
        const struct check *check = check_find(word);
        if (!check)
            fail_msg("there is no check %.*s", STR_ARG(word));
        for (int i = 0; i < FIXTURES; i++)
            if (&checks[fixtures[i].check] == check)
                fail_msg("%s has fixtures: it need not stand in the list", check->id);
    }
}

static void every_fixture_names_its_source(void **state)
{
    (void)state;
    for (int i = 0; i < FIXTURES; i++)
        if (!str_has(str_of(fixtures[i].source), STR("/")) || !fixtures[i].awkward[0])
            fail_msg("%s: where does \"%s\" stand?", checks[fixtures[i].check].id,
                     fixtures[i].source);
}

static void no_fixture_is_there_twice(void **state)
{
    (void)state;
    for (int i = 0; i < FIXTURES; i++)
        for (int k = 0; k < i; k++)
            if (fixtures[i].check == fixtures[k].check &&
                ((!strcmp(fixtures[i].document, fixtures[k].document) &&
                  !strcmp(fixtures[i].want, fixtures[k].want)) ||
                 !strcmp(fixtures[i].awkward, fixtures[k].awkward)))
                fail_msg("%s, %s: is there twice", checks[fixtures[i].check].id,
                         fixtures[i].awkward);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fixture_is_judged_as_kubernetes_means_it),
        cmocka_unit_test(every_check_has_enough_of_them),
        cmocka_unit_test(what_was_tried_elsewhere_is_a_check_without_fixtures),
        cmocka_unit_test(every_fixture_names_its_source),
        cmocka_unit_test(no_fixture_is_there_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
