/* Two weeks of deploys, good and bad, pushed every five minutes: the timeline that comes out is the
 * one that went in, and what became of each deploy is what became of it. */
#include "gate/deploy_compare.h"
#include "gate/outcome.h"
#include "reader/snapshot_reader.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { APPS = 5, STEPS = 14 * 24 * 12, VERSIONS = 400, STATE_MAX = 4096, LINE_MAX = 512 };
#define START INT64_C(1772323200000) /* 2026-03-01 */
#define STEP  (5 * CLOCK_MINUTE)

enum deed { GOOD, QUICK, UNDONE, STUCK_UNDONE, STUCK_FIXED, SCALED, DEEDS };

/* What there is: a Deployment with the ReplicaSets of this version and of the one before. */
struct app {
    int version, before, newest; /* newest: number of versions until now */
    int number[VERSIONS];        /* revision of each */
    int revisions;
    int replicas, updated;
    bool stuck;
    enum deed deed; /* under way, */
    int since;      /* since that step; */
    int next;       /* the next one begins then */
};

/* What became of the deploy that the gate was asked about. */
struct asked {
    bool waits;
    int64_t began;
    char before[LINE_MAX], after[LINE_MAX];
    size_t before_n, after_n;
    enum outcome expected;
};

struct weeks {
    struct arena *step; /* of one snapshot */
    uint32_t random;
    struct app apps[APPS];
    struct asked asked[APPS];
    char state[STATE_MAX];
    size_t state_n;
    struct buf truth, told;
    int outcomes[OUTCOME_ROLLED_BACK + 1];
};

static uint32_t draw(struct weeks *w, uint32_t below)
{
    w->random = w->random * 1664525 + 1013904223;
    return (w->random >> 8) % below;
}

/* ---- what happens ---- */

static void event(struct weeks *w, int step, int app, const char *what)
{
    buf_printf(&w->truth, "%d app-%d %s\n", step, app, what);
}

static void put_in_force(struct app *app, int version)
{
    app->before = app->version;
    app->version = version;
    app->number[version] = ++app->revisions;
    app->updated = 0;
    app->stuck = false;
}

static void begin(struct weeks *w, int step, int i)
{
    struct app *app = &w->apps[i];
    app->deed = (enum deed)draw(w, DEEDS);
    app->since = step;
    app->next = step + 24 + (int)draw(w, 48);
    if (app->deed == SCALED) {
        app->updated = ++app->replicas;
        event(w, step, i, "changed(scale)");
        return;
    }
    put_in_force(app, ++app->newest);
    event(w, step, i, "started(image)");
    w->asked[i].waits = true;
    w->asked[i].expected = app->deed == GOOD || app->deed == QUICK ? OUTCOME_SUCCESS
                           : app->deed == UNDONE                   ? OUTCOME_ROLLED_BACK
                                                                   : OUTCOME_FAILURE;
    if (app->deed != QUICK)
        return;
    app->updated = app->replicas;
    event(w, step, i, "finished()");
}

static void finish(struct weeks *w, int step, int i)
{
    w->apps[i].updated = w->apps[i].replicas;
    event(w, step, i, "finished()");
}

static void put_back(struct weeks *w, int step, int i)
{
    put_in_force(&w->apps[i], w->apps[i].before);
    event(w, step, i, "rolled_back(image)");
}

static void go_on(struct weeks *w, int step, int i)
{
    struct app *app = &w->apps[i];
    int age = step - app->since;
    bool is_stuck = app->deed == STUCK_UNDONE || app->deed == STUCK_FIXED;
    if (app->deed == GOOD && age == 1)
        finish(w, step, i);
    if (app->deed == UNDONE && age == 1)
        put_back(w, step, i);
    if (app->deed == UNDONE && age == 2)
        finish(w, step, i);
    if (is_stuck && age == 2) {
        app->stuck = true;
        event(w, step, i, "stalled()");
    }
    if (app->deed == STUCK_UNDONE && age == 4)
        put_back(w, step, i);
    if (app->deed == STUCK_FIXED && age == 4) {
        put_in_force(app, ++app->newest);
        event(w, step, i, "started(image)");
    }
    if (is_stuck && age == 5)
        finish(w, step, i);
}

/* ---- what a snapshot shows of it ---- */

static void put_replica_set(struct buf *out, const struct app *app, int i, int version)
{
    buf_printf(out,
               ",{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"metadata\":{\"namespace\":"
               "\"shop\",\"name\":\"app-%d-%d\",\"annotations\":{\"deployment.kubernetes.io/"
               "revision\":\"%d\"},\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":"
               "\"Deployment\",\"name\":\"app-%d\",\"uid\":\"u%d\",\"controller\":true}]},"
               "\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":"
               "\"c:%d\"}]}}}}",
               i, version, app->number[version], i, i, version);
}

static void put_app(struct buf *out, const struct app *app, int i)
{
    buf_printf(out,
               "%s{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"namespace\":"
               "\"shop\",\"name\":\"app-%d\",\"uid\":\"u%d\",\"generation\":%d},\"spec\":{"
               "\"replicas\":%d,\"template\":{\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":"
               "\"c:%d\"}]}}},\"status\":{\"observedGeneration\":%d,\"replicas\":%d,"
               "\"updatedReplicas\":%d,\"availableReplicas\":%d%s}}",
               i ? "," : "", i, i, app->revisions, app->replicas, app->version, app->revisions,
               app->replicas, app->updated, app->replicas,
               app->stuck ? ",\"conditions\":[{\"type\":\"Progressing\",\"status\":\"False\","
                            "\"reason\":\"ProgressDeadlineExceeded\"}]"
                          : "");
    put_replica_set(out, app, i, app->version);
    if (app->before != app->version)
        put_replica_set(out, app, i, app->before);
}

static const struct cluster *snapshot(struct weeks *w)
{
    struct buf out = buf_init(w->step, 1 << 20);
    struct snapshot_options options = {0};
    struct snapshot_error error;
    buf_put(&out, STR("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":["));
    for (int i = 0; i < APPS; i++)
        put_app(&out, &w->apps[i], i);
    buf_put(&out, STR("]}"));
    struct str json = buf_str(&out);
    struct cluster *cluster = snapshot_read(w->step, source_of(&json), &options, &error);
    assert_non_null(cluster);
    return cluster;
}

/* ---- what is told ---- */

static void compare(struct weeks *w, const struct cluster *cluster, int step)
{
    struct deploy_scan scan = deploy_scan(w->step, cluster, workload_states(w->step, cluster));
    struct deploy_state was;
    const struct deploy_found *found;
    bool known = deploy_state_unpack(w->step, (struct str){w->state, w->state_n}, &was);
    struct deploy_compared compared = deploy_compare(
        w->step, known ? &was : NULL, &scan, START + (step - 1) * STEP, START + step * STEP);
    LIST_EACH (found, compared.found)
        buf_printf(&w->told, "%d %" STR_FMT " %" STR_FMT "(%" STR_FMT ")\n", step,
                   STR_ARG(found->name), STR_ARG(deploy_event_name(found->event)),
                   STR_ARG(deploy_changes_text(w->step, found->changes)));
    struct str packed = deploy_state_pack(w->step, &compared.state);
    assert_true(packed.n <= STATE_MAX);
    memcpy(w->state, packed.p, packed.n);
    w->state_n = packed.n;
}

static size_t line_of(struct weeks *w, const struct workload_state *state, char line[LINE_MAX])
{
    struct buf out = buf_init(w->step, LINE_MAX);
    workload_state_put(w->step, &out, state);
    assert_false(out.full);
    memcpy(line, out.p, out.n - 1);
    return out.n - 1;
}

static void ask(struct weeks *w, struct asked *asked, const struct workload_state *now, int step)
{
    int64_t taken = START + step * STEP;
    struct outcome_watch watch = {
        .decided = taken - 1,
        .before = workload_state_read((struct str){asked->before, asked->before_n}),
        .began = asked->began,
        .after = workload_state_read((struct str){asked->after, asked->after_n})};
    if (asked->began != TIME_NONE)
        watch.decided = asked->began - 1;
    struct outcome_step told = outcome_judge(&watch, now, taken);
    if (told.began) {
        asked->began = taken;
        asked->after_n = line_of(w, now, asked->after);
    }
    if (!told.over)
        return;
    if (told.outcome != asked->expected)
        fail_msg("step %d: %" STR_FMT, step, STR_ARG(outcome_name(told.outcome)));
    w->outcomes[told.outcome]++;
    asked->waits = false;
}

static void look_at_outcomes(struct weeks *w, const struct cluster *cluster, int step)
{
    for (uint32_t i = 0, at = 0; i < cluster->workloads.n; i++) {
        const struct workload *workload = cluster->workloads.items[i];
        if (workload->object.kind != KIND_DEPLOYMENT)
            continue;
        struct workload_state now = workload_state_of(w->step, workload);
        struct asked *asked = &w->asked[at++];
        if (asked->waits)
            ask(w, asked, &now, step);
        if (asked->waits)
            continue;
        asked->began = TIME_NONE;
        asked->before_n = line_of(w, &now, asked->before);
    }
}

static void two_weeks(void **state)
{
    (void)state;
    struct weeks *w = ARENA_NEW(arena, struct weeks);
    w->step = arena_new(16 << 20);
    w->random = 7;
    w->truth = buf_init(arena, 1 << 20);
    w->told = buf_init(arena, 1 << 20);
    for (int i = 0; i < APPS; i++) {
        w->apps[i] = (struct app){.replicas = 2, .updated = 2, .deed = SCALED, .next = 5 + i};
        w->asked[i].began = TIME_NONE;
    }
    for (int step = 0; step < STEPS; step++) {
        for (int i = 0; i < APPS; i++) {
            if (step == w->apps[i].next)
                begin(w, step, i);
            else
                go_on(w, step, i);
        }
        arena_reset(w->step);
        const struct cluster *cluster = snapshot(w);
        compare(w, cluster, step);
        look_at_outcomes(w, cluster, step);
    }
    arena_free(w->step);
    assert_true(w->truth.n > 10000);
    if (!str_eq(buf_str(&w->truth), buf_str(&w->told))) {
        size_t at = 0;
        while (at < w->told.n && at < w->truth.n && w->told.p[at] == w->truth.p[at])
            at++;
        at = at > 100 ? at - 100 : 0;
        fail_msg("told:\n%.300s\nhappened:\n%.300s", w->told.p + at, w->truth.p + at);
    }
    assert_true(w->outcomes[OUTCOME_SUCCESS] > 50 && w->outcomes[OUTCOME_FAILURE] > 50 &&
                w->outcomes[OUTCOME_ROLLED_BACK] > 25 && w->outcomes[OUTCOME_NONE] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_weeks)};
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
