/* What became of a decision, by the snapshots that follow it; and the line in which a workload is
 * remembered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "gate/outcome.h"

#include <cmocka.h>

#define MINUTES(n) ((n)*CLOCK_MINUTE)

/* A workload of a few letters: its revision ("a"; "." none is shown), its images ("1"), and '-'
 * well,
 * '<' not all available, '~' rolling, '!' stuck, '?' well, but perhaps not with that template, '0'
 * scaled to none; "": it is not there. */
static bool state_of(const char *text, struct workload_state *state)
{
    struct str revision = {text, 1}, images = {text + 1, 1};
    if (!*text)
        return false;
    *state = (struct workload_state){.kind = STR("Deployment"),
                                     .namespace = STR("shop"),
                                     .name = STR("api"),
                                     .desired = text[2] == '0' ? 0 : 3,
                                     .available = text[2] == '0'   ? 0
                                                  : text[2] == '<' ? 2
                                                                   : 3,
                                     .rolling = text[2] == '~',
                                     .revision = text[0] == '.' ? STR("") : revision,
                                     .images = text[1] == '.' ? STR("") : images,
                                     .stuck = text[2] == '!',
                                     .unsure = text[2] == '?'};
    return true;
}

static const struct row {
    const char *name;
    const char *before, *after; /* after: when it began, MINUTES(5); "": it has not */
    const char *now;
    int64_t taken;
    const char *said; /* "", "began", "over", or an outcome */
} rows[] = {
    {"nothing has changed", "a1-", "", "a1-", MINUTES(10), ""},
    {"nor for an hour", "a1-", "", "a1-", MINUTES(60), ""},
    {"nor later: nobody deployed", "a1-", "", "a1-", MINUTES(60) + 1, "over"},
    {"what changes then is another change", "a1-", "", "b2-", MINUTES(60) + 1, "over"},
    {"a snapshot of before", "a1-", "", "b2-", 0, ""},
    {"only the numbers have changed", "a1-", "", "a1<", MINUTES(1), ""},
    {"another template", "a1-", "", "b2~", MINUTES(1), "began"},
    {"with the same images", "a1-", "", "b1~", MINUTES(1), "began"},
    {"the same template again under another number", "a1-", "", "a1~", MINUTES(1), ""},
    {"other images, of which no revision is shown", ".1-", "", ".2~", MINUTES(1), "began"},
    {"a revision that was not shown before", ".1-", "", "b1-", MINUTES(1), ""},
    {"but its images were", ".1-", "", "b2-", MINUTES(1), "began"},
    {"images that are not shown now", ".1-", "", "b.-", MINUTES(1), ""},
    {"it is not shown", "a1-", "", "", MINUTES(1), ""},
    {"a new workload is there", "..-", "", "a1~", MINUTES(1), "began"},
    {"it is not yet", "..-", "", "", MINUTES(1), ""},
    {"it is, and nobody knows which", "..-", "", "..-", MINUTES(1), ""},

    {"a rollout goes on", "a1-", "b2~", "b2~", MINUTES(6), ""},
    {"it is through: does it hold?", "a1-", "b2~", "b2-", MINUTES(15) - 1, ""},
    {"it does", "a1-", "b2~", "b2-", MINUTES(15), "success"},
    {"it is not: replicas are missing", "a1-", "b2~", "b2<", MINUTES(15), ""},
    {"for an hour", "a1-", "b2~", "b2<", MINUTES(65), ""},
    {"and longer", "a1-", "b2~", "b2<", MINUTES(65) + 1, "failure"},
    {"a rollout that goes on for longer than an hour", "a1-", "b2~", "b2~", MINUTES(65) + 1,
     "failure"},
    {"all is well, but perhaps with the earlier template", "a1-", "b2~", "b2?", MINUTES(15), ""},
    {"for an hour", "a1-", "b2~", "b2?", MINUTES(65), ""},
    {"and longer: nobody knows", "a1-", "b2~", "b2?", MINUTES(65) + 1, "over"},
    {"nothing runs: nothing shows that it would", "a1-", "b2~", "b20", MINUTES(15), ""},
    {"for an hour: nobody knows", "a1-", "b2~", "b20", MINUTES(65) + 1, "over"},
    {"a new one of which nothing runs", "..-", "a10", "a10", MINUTES(15), ""},
    {"nothing runs, as before", "a10", "b2~", "a10", MINUTES(6), "rolled_back"},
    {"its controller has given up", "a1-", "b2~", "b2!", MINUTES(6), "failure"},
    {"it is as it was before", "a1-", "b2~", "a1~", MINUTES(6), "rolled_back"},
    {"also when it was through", "a1-", "b2-", "a1-", MINUTES(12), "rolled_back"},
    {"by its images, where no revision is shown", ".1-", ".2-", ".1-", MINUTES(12), "rolled_back"},
    {"a third template: nobody knows", "a1-", "b2~", "c3-", MINUTES(6), "over"},
    {"it is gone", "a1-", "b2~", "", MINUTES(6), "over"},
    {"a new workload works", "..-", "a1~", "a1-", MINUTES(15), "success"},
    {"a new workload never does", "..-", "a1~", "a1!", MINUTES(6), "failure"},
    {"a new workload gets another template", "..-", "a1~", "b2-", MINUTES(6), "over"},
    {"the agent was away meanwhile", "a1-", "b2~", "b2-", MINUTES(600), "success"},
};

static void is_told_by_snapshots(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct outcome_watch watch = {.decided = 0, .began = TIME_NONE};
        struct workload_state now;
        state_of(rows[i].before, &watch.before);
        if (state_of(rows[i].after, &watch.after))
            watch.began = MINUTES(5);
        bool there = state_of(rows[i].now, &now);
        struct outcome_step step = outcome_judge(&watch, there ? &now : NULL, rows[i].taken);
        struct str said = step.outcome ? outcome_name(step.outcome)
                          : step.over  ? STR("over")
                          : step.began ? STR("began")
                                       : STR("");
        if (!str_eq(said, str_of(rows[i].said)) || (step.outcome && !step.over))
            fail_msg("%s: \"%" STR_FMT "\"", rows[i].name, STR_ARG(said));
    }
}

/* ---- a kind that is not shown ---- */

#define BIT(kind) ((uint64_t)1 << KIND_##kind)

static const struct hidden_row {
    const char *name, *before, *after; /* kinds; after: seen since it began */
    struct cluster snapshot;
    bool hidden;
} hidden_rows[] = {
    {"it is shown", "Deployment", "", {.names_kinds = true, .seen = BIT(DEPLOYMENT)}, false},
    {"others are", "Deployment", "", {.names_kinds = true, .seen = BIT(STATEFULSET)}, true},
    {"a list of anything has none", "Deployment", "", {.seen = BIT(STATEFULSET)}, false},
    {"it may not be listed", "Deployment", "", {.forbidden = BIT(DEPLOYMENT)}, true},
    {"another one may not", "Deployment", "", {.forbidden = BIT(STATEFULSET)}, false},
    {"it may not, and is there", "Job", "", {.seen = BIT(JOB), .forbidden = BIT(JOB)}, false},
    {"nobody knows which it is", "", "", {.names_kinds = true}, false},
    {"it was not told, but has been seen", "", "Job", {.names_kinds = true}, true},
    {"it is no kind", "Spaceship", "", {.names_kinds = true}, false},
};

static void is_hidden(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hidden_rows / sizeof *hidden_rows; i++) {
        const struct hidden_row *row = &hidden_rows[i];
        struct outcome_watch watch = {.before.kind = str_of(row->before),
                                      .after.kind = str_of(row->after)};
        if (outcome_is_hidden(&watch, &row->snapshot) != row->hidden)
            fail_msg("%s", row->name);
    }
}

static void is_looked_for_on(void **state)
{
    (void)state;
    struct outcome_watch waits = {.decided = 0, .began = TIME_NONE};
    struct outcome_watch began = {.decided = 0, .began = MINUTES(5)};
    state_of("a1-", &waits.before);
    state_of("b2-", &began.after);
    assert_false(outcome_judge_hidden(&waits, OUTCOME_START_MS).over);
    assert_true(outcome_judge_hidden(&waits, OUTCOME_START_MS + 1).over);
    assert_false(outcome_judge_hidden(&began, MINUTES(5) + OUTCOME_HIDDEN_MS).over);
    struct outcome_step step = outcome_judge_hidden(&began, MINUTES(5) + OUTCOME_HIDDEN_MS + 1);
    assert_true(step.over && step.outcome == OUTCOME_NONE);
}

static void names(void **state)
{
    (void)state;
    assert_int_equal(outcome_find(STR("success")), OUTCOME_SUCCESS);
    assert_int_equal(outcome_find(STR("rolled_back")), OUTCOME_ROLLED_BACK);
    assert_int_equal(outcome_find(STR("")), OUTCOME_NONE);
    assert_int_equal(outcome_find(STR("Success")), OUTCOME_NONE);
    assert_true(str_eq(outcome_name(OUTCOME_FAILURE), STR("failure")));
}

static struct outcome_watch watch_of(const char *kind, const char *namespace, const char *name,
                                     int64_t began)
{
    return (struct outcome_watch){
        .before = {.kind = str_of(kind), .namespace = str_of(namespace), .name = str_of(name)},
        .began = began};
}

/* Of several that wait for the same workload only the last one does. */
static void the_last_one_waits(void **state)
{
    (void)state;
    const struct outcome_watch api = watch_of("Deployment", "shop", "api", TIME_NONE),
                               begun = watch_of("Deployment", "shop", "api", 5),
                               named = watch_of("", "shop", "api", TIME_NONE),
                               set = watch_of("StatefulSet", "shop", "api", TIME_NONE),
                               pay = watch_of("Deployment", "pay", "api", TIME_NONE);
    assert_true(outcome_is_superseded(&api, &api));
    assert_true(outcome_is_superseded(&named, &api));
    assert_false(outcome_is_superseded(&begun, &api));
    assert_false(outcome_is_superseded(&api, &begun));
    assert_false(outcome_is_superseded(&api, &set));
    assert_false(outcome_is_superseded(&api, &pay));
}

static void lines(void **state)
{
    (void)state;
    struct arena *arena = arena_new(1 << 20);
    struct workload_state api, read;
    struct buf out = buf_init(arena, 4096);
    state_of("a1!", &api);
    workload_state_put(arena, &out, &api);
    assert_true(str_eq(buf_str(&out), STR("Deployment\tshop\tapi\t3\t3\t-\ta\t1\tstuck\n")));
    read = workload_state_read(STR("Deployment\tshop\tapi\t3\t3\t-\ta\t1\tstuck"));
    assert_false(workload_state_differs(&api, &read));
    assert_true(read.stuck && !read.rolling && read.desired == 3);
    /* one of before revisions were kept */
    read = workload_state_read(STR("Deployment\tshop\tapi\t-\t0\trolling"));
    assert_true(read.rolling && !read.stuck && read.desired == NUMBER_ABSENT);
    assert_false(workload_state_is_known(&read));
    assert_false(workload_state_differs(&api, &read));
    read = workload_state_read(STR(""));
    assert_false(workload_state_is_known(&read));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_told_by_snapshots), cmocka_unit_test(is_hidden),
        cmocka_unit_test(is_looked_for_on),     cmocka_unit_test(names),
        cmocka_unit_test(the_last_one_waits),   cmocka_unit_test(lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
