#include "logs.h"

#include "agent/answer.h"
#include "agent/failing.h"
#include "agent/log_pick.h"
#include "base/log.h"
#include "kube/kinds.h"
#include "log_url.h"
#include "pause.h"
#include "post.h"

enum {
    ROUND_INTERVALS = 6, /* a round begins after so many, or after a minute */
    ROUND_LOGS = 20,
    ROUND_BYTES = 2 * 1024 * 1024, /* as they come */
    ROUND_MOST_MS = 45 * 1000,
    LINES = 200,
    LINES_FEW = 20, /* where so many are too long */
    ASK_MOST_MS = 10 * 1000,
    POST_MOST_MS = 30 * 1000,
    PAUSE_MOST_MS = 5 * 60 * 1000,
    FORBIDDEN_MS = 10 * 60 * 1000,
    AGAIN = 7, /* as if so many tries had failed: a minute */
    ANSWER_MAX = 1024,
    KEPT_ROOM = 64 * 1024,
    WORK_MAX = 32 * 1024 * 1024
};

struct logs {
    const struct options *options;
    struct api_source *source;
    struct failing_table failing;
    struct arena *arena;
    struct transfer *transfer;
    struct bytes text, answer; /* what the API server says, and Loadline */
    uint64_t id;               /* of the failure whose log is under way */
    struct failing_run run;    /* of it, when it was asked for */
    int tail;                  /* for so many lines */
    struct log_picked picked;
    int64_t not_before, round; /* round: when it began; 0: none is under way */
    size_t at, visited;        /* in the table */
    unsigned asked;            /* in this round */
    size_t bytes;
    unsigned failures; /* of Loadline, in a row */
    bool told_forbidden;
    struct logs_counts counts;
};

static void take_pod(void *context, const struct pod *pod)
{
    struct logs *logs = context;
    failing_note(&logs->failing, pod);
}

static void take_gone(void *context, struct str kind, struct str namespace, struct str name)
{
    struct logs *logs = context;
    if (str_eq(kind, kind_name(KIND_POD)))
        failing_forget(&logs->failing, namespace, name);
}

struct logs *logs_new(const struct options *options, struct api_source *source)
{
    struct logs *logs = MEMORY_NEW(struct logs);
    logs->options = options;
    logs->source = source;
    logs->arena = arena_new(WORK_MAX);
    if (!logs->arena)
        memory_exhausted();
    cleaner_tell_pods(source->cleaner, take_pod, logs);
    store_tell_gone(source->store, take_gone, logs);
    return logs;
}

void logs_free(struct logs *logs)
{
    if (!logs)
        return;
    cleaner_tell_pods(logs->source->cleaner, NULL, NULL);
    store_tell_gone(logs->source->store, NULL, NULL);
    transfer_stop(logs->source->transfers, logs->transfer);
    failing_free(&logs->failing);
    bytes_free(&logs->text);
    bytes_free(&logs->answer);
    arena_free(logs->arena);
    free(logs);
}

const struct logs_counts *logs_counts(const struct logs *logs)
{
    return &logs->counts;
}

/* The container that is under way, unless it has failed anew or fails no more. */
static struct failing *current(struct logs *logs)
{
    struct failing *one = failing_find(&logs->failing, logs->id);
    return one && failing_is_same_run(one->run, logs->run) ? one : NULL;
}

/* ---- Loadline ---- */

static bool take_answer(void *context, int status, struct str bytes)
{
    struct logs *logs = context;
    (void)status;
    if (logs->answer.n < ANSWER_MAX)
        bytes_put(&logs->answer, str_sub(bytes, 0, ANSWER_MAX));
    return true;
}

static void note_told(struct logs *logs)
{
    struct failing *one = current(logs);
    if (!one)
        return;
    one->told = true;
    if (logs->picked.newest != TIME_NONE)
        one->newest = logs->picked.newest;
}

/* What was not taken is asked for again in a later round: nothing is kept until then. */
static void end_post(void *context, const struct transfer_result *result)
{
    struct logs *logs = context;
    int64_t now = clock_monotonic();
    bool answered = result->status == 200;
    logs->transfer = NULL;
    if (answered && answer_has(bytes_str(&logs->answer), STR("accepted"))) {
        logs->failures = 0;
        logs->counts.lines += logs->picked.lines;
        note_told(logs);
        return;
    }
    logs->failures++;
    logs->counts.errors++;
    logs->round = 0;
    logs->not_before = now + pause_ms(logs->failures, PAUSE_MOST_MS, result->retry_after_ms);
    if (logs->failures == 1 || logs->failures % 10 == 0)
        log_error("lines of a log were not taken url=%s status=%d error=%s answer=%s",
                  transfer_shown(logs->options->url), result->status,
                  log_quote(str_of(answered ? POST_NOT_LOADLINE : result->error)),
                  log_quote(str_sub(bytes_str(&logs->answer), 0, 300)));
}

static void start_post(struct logs *logs)
{
    struct post post = {.path = "/ingest/logs",
                        .headers = {"Content-Type: application/json"},
                        .body = &logs->picked.document,
                        .limit_ms = POST_MOST_MS,
                        .take = take_answer,
                        .done = end_post,
                        .context = logs};
    logs->answer.n = 0;
    struct transfer_result failed;
    logs->transfer = post_start(logs->source->transfers, logs->options, &post, &failed);
    if (!logs->transfer)
        end_post(logs, &failed);
}

/* ---- the API server ---- */

/* It may send more than it was asked for. */
static bool take_text(void *context, int status, struct str bytes)
{
    struct logs *logs = context;
    size_t most = status == 200 ? LOG_PICK_TEXT_MAX : ANSWER_MAX;
    bytes_put(&logs->text, str_sub(bytes, 0, most - logs->text.n));
    return logs->text.n < most;
}

static void pick(void *context)
{
    struct logs *logs = context;
    const struct failing *one = current(logs);
    logs->picked =
        log_pick(logs->arena, str_of(one->namespace), str_of(one->pod), str_of(one->container),
                 one->ended, bytes_str(&logs->text), clock_now());
}

static void take_log(struct logs *logs)
{
    arena_reset(logs->arena);
    if (!current(logs) || !arena_guard(logs->arena, pick, logs))
        return;
    if (logs->picked.document.p)
        start_post(logs);
    else
        note_told(logs);
}

/* answer: nothing of a log, which may hold secrets. */
static void postpone(struct logs *logs, struct failing *one, const struct transfer_result *result,
                     const char *answer)
{
    logs->counts.errors++;
    one->not_before = clock_monotonic() + pause_ms(AGAIN, PAUSE_MOST_MS, result->retry_after_ms);
    log_debug("a log was not told status=%d error=%s answer=%s", result->status,
              log_quote(str_of(result->error)), answer);
}

/* An answer that is not 200. */
static void refused(struct logs *logs, struct failing *one, const struct transfer_result *result)
{
    const char *answer = log_quote(str_sub(bytes_str(&logs->text), 0, 300));
    if (result->status == 404) {
        failing_remove(&logs->failing, one);
    } else if (result->status == 403) {
        one->not_before = clock_monotonic() + FORBIDDEN_MS;
        if (!logs->told_forbidden)
            log_warn("may not read logs, so they are left out namespace=%s answer=%s",
                     log_quote(str_of(one->namespace)), answer);
        logs->told_forbidden = true;
    } else if (result->status == 400) {
        note_told(logs); /* there is none */
    } else {
        postpone(logs, one, result, answer);
    }
}

/* The answer ended too soon, and not because there was enough of it. */
static bool is_cut(const struct logs *logs, const struct transfer_result *result)
{
    return result->status == 200 && !result->whole && logs->text.n < LOG_PICK_TEXT_MAX;
}

/* Of a run that has ended the end is missing, which says why. Of one that goes on the lines that
 * are whole are taken: the next round asks from there. */
static void take_cut(struct logs *logs, struct failing *one, const struct transfer_result *result)
{
    postpone(logs, one, result, "");
    if (one->ended)
        return;
    while (logs->text.n && logs->text.p[logs->text.n - 1] != '\n')
        logs->text.n--;
    take_log(logs);
}

static void end_log(void *context, const struct transfer_result *result);

static void start_log(struct logs *logs, struct failing *one, int tail, int64_t now)
{
    struct bytes url = {0};
    logs->id = one->id;
    logs->run = one->run;
    logs->tail = tail;
    logs->picked = (struct log_picked){.newest = TIME_NONE};
    logs->text.n = 0;
    logs->asked++;
    logs->counts.asked++;
    if (log_url_put(&url, logs->source->access->server, one, tail)) {
        struct transfer_request request = {.access = logs->source->access,
                                           .url = url.p,
                                           .headers = {"Accept: */*"},
                                           .limit_ms = ASK_MOST_MS,
                                           .take = take_text,
                                           .done = end_log,
                                           .context = logs};
        logs->transfer = transfer_start(logs->source->transfers, &request);
    }
    if (!logs->transfer)
        one->not_before = now + FORBIDDEN_MS;
    bytes_free(&url);
}

/* The API server stops after so many bytes, and then the end is missing, which says why a run has
 * failed. */
static bool lacks_its_end(const struct logs *logs, const struct failing *one)
{
    return one && one->ended && logs->text.n >= LOG_PICK_TEXT_MAX && logs->tail > LINES_FEW;
}

static void end_log(void *context, const struct transfer_result *result)
{
    struct logs *logs = context;
    struct failing *one = current(logs);
    logs->transfer = NULL;
    logs->bytes += logs->text.n;
    if (one && is_cut(logs, result)) {
        take_cut(logs, one, result);
    } else if (result->status == 200 && lacks_its_end(logs, one)) {
        start_log(logs, one, LINES_FEW, clock_monotonic());
    } else if (result->status == 200) {
        take_log(logs);
    } else if (one) {
        refused(logs, one, result);
    }
    bytes_clear(&logs->text, KEPT_ROOM);
}

/* ---- a round ---- */

static int64_t round_interval(const struct logs *logs)
{
    int64_t wait = logs->options->interval * ROUND_INTERVALS * CLOCK_SECOND;
    return wait < CLOCK_MINUTE ? wait : CLOCK_MINUTE;
}

static void begin_round(struct logs *logs, int64_t now)
{
    logs->round = now;
    logs->not_before = now + round_interval(logs);
    logs->visited = 0;
    logs->asked = 0;
    logs->bytes = 0;
}

static bool goes_on(const struct logs *logs, int64_t now)
{
    return logs->visited < logs->failing.n && logs->asked < ROUND_LOGS &&
           logs->bytes < ROUND_BYTES && now - logs->round < ROUND_MOST_MS;
}

void logs_tick(struct logs *logs, int64_t now)
{
    if (logs->transfer)
        return;
    if (!logs->round && now >= logs->not_before)
        begin_round(logs, now);
    while (logs->round && !logs->transfer && goes_on(logs, now)) {
        struct failing *one = &logs->failing.items[logs->at++ % logs->failing.n];
        logs->visited++;
        if (failing_is_due(one, clock_now(), now))
            start_log(logs, one, LINES, now);
    }
    if (!logs->transfer)
        logs->round = 0;
}
