/* A ledger in a few lines: outages first, a line a check; what is not down is one line. */
#include "score/exemption.h"
#include "score/reasons.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "scratch.h"

enum { RISKS_MAX = 6 };

static struct str lines_of(const struct risk *risks, uint32_t n, uint32_t most)
{
    struct ledger ledger = {.risks = LIST_SLICE((struct risk *)risks, n)};
    str_list lines = ledger_reasons(arena, &ledger, most);
    struct str text = {0}, *line;
    LIST_EACH (line, lines)
        text = arena_printf(arena, "%" STR_FMT "%s%" STR_FMT, STR_ARG(text), text.n ? "\n" : "",
                            STR_ARG(*line));
    return text;
}

#define RISK(id, where, what, points, ...)                                                         \
    {                                                                                              \
        .check = &checks[CHECK_##id], .namespace = STR(where), .resource = STR(what),              \
        .impact = points, .message = STR("It is so."), .count = 1, __VA_ARGS__                     \
    }
#define LOOP(what, points)     RISK(container_crash_loop, "shop", what, points, )
#define DEAD(points)           RISK(node_not_ready, "", "node/n", points, )
#define PRIVILEGED(what, cost) RISK(privileged_container, "shop", what, cost, )

static void a_line_each(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t most, n;
        struct risk risks[RISKS_MAX];
        const char *lines;
    } rows[] = {
        {"no risks", 3, 0, {DEAD(0)}, ""},
        {"one", 3, 1, {LOOP("deployment/a", 1219)}, "deployment/a in shop costs 12.19: It is so."},
        {"one that is in no namespace", 3, 1, {DEAD(5)}, "node/n costs 0.05: It is so."},
        {"several of a check",
         3,
         2,
         {LOOP("deployment/a", 1000), LOOP("deployment/b", 201)},
         "container-crash-loop costs 12.01 on 2 objects, among them deployment/a in shop: It is "
         "so."},
        {"checks, costliest first: together, not one by one",
         3,
         3,
         {DEAD(1100), LOOP("deployment/a", 1000), LOOP("deployment/b", 201)},
         "container-crash-loop costs 12.01 on 2 objects, among them deployment/a in shop: It is "
         "so.\nnode/n costs 11.00: It is so."},
        {"what others pay for is not told",
         3,
         2,
         {DEAD(100), LOOP("deployment/a", 0)},
         "node/n costs 1.00: It is so."},
        {"what is not down is one line",
         3,
         4,
         {PRIVILEGED("pod/a", 300), PRIVILEGED("pod/b", 300),
          RISK(host_pid, "shop", "pod/a", 500, ), LOOP("pod/c", 1)},
         "pod/c in shop costs 0.01: It is so.\nWhat is not down costs 11.00 in all; "
         "privileged-container "
         "costs most of it, 6.00 on 2 objects."},
        {"... of one object",
         3,
         1,
         {PRIVILEGED("pod/a", 7)},
         "What is not down costs 0.07 in all; privileged-container costs most of it, 0.07 on 1 "
         "object."},
        {"no more lines than asked for, and the one about what is not down",
         1,
         3,
         {DEAD(100), LOOP("deployment/a", 50), PRIVILEGED("pod/a", 7)},
         "node/n costs 1.00: It is so.\nWhat is not down costs 0.07 in all; privileged-container "
         "costs "
         "most of it, 0.07 on 1 object."},
        {"none but that",
         0,
         2,
         {DEAD(100), PRIVILEGED("pod/a", 7)},
         "What is not down costs 0.07 in all; privileged-container costs most of it, 0.07 on 1 "
         "object."},
        {"what is not shown is not down",
         3,
         1,
         {RISK(evidence_missing, "", "cluster/roles", 7, )},
         "What is not down costs 0.07 in all; evidence-missing costs most of it, 0.07 on 1 "
         "object."},
        {"... but not what keeps a cluster from being SAFE",
         1,
         2,
         {RISK(insufficient_evidence, "", "cluster/cluster", 2000, ), PRIVILEGED("pod/a", 7)},
         "cluster/cluster costs 20.00: It is so.\nWhat is not down costs 0.07 in all; "
         "privileged-container costs most of it, 0.07 on 1 object."},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct str got = lines_of(rows[i].risks, rows[i].n, rows[i].most);
        if (!str_eq(got, str_of(rows[i].lines)))
            fail_msg("%s\n     got: %" STR_FMT "\nexpected: %s", rows[i].name, STR_ARG(got),
                     rows[i].lines);
    }
}

static void exemptions_come_last(void **state)
{
    (void)state;
    static const struct exemption accepted = {.owner = STR("somebody")};
    static const struct {
        const char *name;
        uint32_t most, n;
        struct risk risks[RISKS_MAX];
        const char *lines;
    } rows[] = {
        {"what is exempt, last",
         3,
         2,
         {LOOP("deployment/a", 1219),
          RISK(host_pid, "shop", "deployment/b", 0, .exempt = true, .would_cost = 250)},
         "deployment/a in shop costs 12.19: It is so.\n1 risk is exempt; without that it would "
         "cost "
         "2.50."},
        {"exempt, and not any more",
         0,
         4,
         {RISK(host_pid, "shop", "deployment/a", 5, .exemption = &accepted),
          RISK(host_pid, "shop", "deployment/b", 4, .exemption = &accepted),
          RISK(host_pid, "shop", "deployment/c", 0, .exempt = true, .would_cost = 150),
          RISK(host_pid, "shop", "deployment/d", 0, .exempt = true, .would_cost = 50,
               .exemption = &accepted)},
         "What is not down costs 0.09 in all; host-pid costs most of it, 0.09 on 2 objects.\n2 "
         "risks are "
         "exempt; without that they would cost 2.00.\nThe exemptions of 2 risks have expired: they "
         "cost 0.09 again."},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct str got = lines_of(rows[i].risks, rows[i].n, rows[i].most);
        if (!str_eq(got, str_of(rows[i].lines)))
            fail_msg("%s\n     got: %" STR_FMT "\nexpected: %s", rows[i].name, STR_ARG(got),
                     rows[i].lines);
    }
}

/* A line is a line, and not without end. */
static void hostile_texts(void **state)
{
    (void)state;
    struct risk risks[] = {RISK(container_crash_loop, "shop", "", 5, )};
    struct str got;
    risks[0].resource = STR("pod/a\r\nSAFE: \033[1A\xC2\x9B\x7F%s");
    risks[0].message = STR("One\nTwo\xE2\x80\xAE\xFF.");
    got = lines_of(risks, 1, 1);
    if (!str_eq(got, STR("pod/a  SAFE:  [1A  %s in shop costs 0.05: One Two  .")))
        fail_msg("%" STR_FMT, STR_ARG(got));
    char *long_text = arena_bytes(arena, 2000);
    memset(long_text, 'x', 2000);
    memcpy(long_text + 598 - 25, "\xE2\x82\xAC", 3);
    risks[0].resource = STR("pod/a");
    risks[0].message = (struct str){long_text, 2000};
    got = lines_of(risks, 1, 1);
    assert_in_range(got.n, 590, 600);
    assert_true(str_is_utf8(got));
}

static void which_risks_are_outages(void **state)
{
    (void)state;
    static const struct {
        const char *check;
        bool outage;
    } rows[] = {
        {"container-crash-loop", true},  {"pvc-lost", true},
        {"node-cordoned", true},         {"cluster-dns-down", true},
        {"cluster-network-down", true},  {"cluster-ingress-down", true},
        {"control-plane-down", true},    {"cluster-operator-degraded", true},
        {"evidence-missing", false},     {"insufficient-evidence", false},
        {"privileged-container", false}, {"single-zone-or-node", false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct risk risk = {.check = check_find(str_of(rows[i].check))};
        assert_non_null(risk.check);
        if (risk_is_outage(&risk) != rows[i].outage)
            fail_msg("%s", rows[i].check);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_each),
        cmocka_unit_test(exemptions_come_last),
        cmocka_unit_test(hostile_texts),
        cmocka_unit_test(which_risks_are_outages),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
