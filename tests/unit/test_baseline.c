/* What the score would be of what was not there then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gate/baseline.h"

#include <cmocka.h>

/* Risks are letters, A to Z; what they cost is beside them, hundredths. */
static const struct row {
    const char *name;
    const char *then; /* NULL: nothing is known of then */
    const char *now;
    uint32_t cost[4];
    int score;
    const char *fresh;
} rows[] = {
    {"nothing, then and now", "", "", {0}, 100, ""},
    {"all of it is old", "AB", "AB", {4000, 2000}, 100, ""},
    {"all of it is new", "", "AB", {4000, 2000}, 40, "AB"},
    {"nothing is known of then", NULL, "AB", {4000, 2000}, 40, "AB"},
    {"what is gone does not count", "XYZ", "A", {3000}, 70, "A"},
    {"one that is new beside nothing", "B", "AB", {3000, 0}, 70, "A"},
    /* hazards add up: of a score of 25 two equal halves are 50 each, and not 25 + 37.5 */
    {"one of two that cost the same", "B", "AB", {3750, 3750}, 50, "A"},
    {"a small one beside what is down", "B", "AB", {100, 8900}, 97, "A"},
    {"what costs nothing is not new", "", "AB", {5000, 0}, 50, "A"},
    {"all is lost, and it is new", "", "A", {10000}, 0, "A"},
    {"all is lost, and half of it is new", "B", "AB", {5000, 5000}, 1, "A"},
    {"all is lost, and it is old", "A", "A", {10000}, 100, ""},
};

static uint64_t id_of(char letter)
{
    return (uint64_t)(unsigned char)letter << 32;
}

static void name_risk(struct risk *risk, char letter)
{
    risk_id_text(id_of(letter), risk->id);
}

static void judges(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *arena = arena_new(1 << 20);
        struct impacts then;
        struct risk risks[4] = {{.check = NULL}};
        uint32_t n = 0, lost = 0;
        memset(&then, 0, sizeof then);
        for (const char *at = rows[i].then; at && *at; at++)
            LIST_ADD(arena, then.items, ((struct impact){.id = id_of(*at), .points = 1}));
        for (; rows[i].now[n]; n++) {
            name_risk(&risks[n], rows[i].now[n]);
            risks[n].impact = rows[i].cost[n];
            lost += rows[i].cost[n];
        }
        struct baseline b =
            baseline_judge(arena, rows[i].then ? &then : NULL, risks, n, SCORE_EXACT_MAX - lost);
        size_t fresh = strlen(rows[i].fresh);
        bool same = b.fresh.n == fresh;
        for (size_t k = 0; same && k < fresh; k++) {
            struct risk wanted = {.check = NULL};
            name_risk(&wanted, rows[i].fresh[k]);
            same = strcmp(wanted.id, b.fresh.items[k]->id) == 0;
        }
        if (b.score != rows[i].score || !same)
            fail_msg("%s: %d, %u new", rows[i].name, b.score, b.fresh.n);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(judges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
