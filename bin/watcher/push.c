#include "push.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/rand.h"
#include "agent/answer.h"
#include "agent/pushed.h"
#include "codec/deflate.h"
#include "pause.h"
#include "post.h"

enum {
    WHOLE_MS = 60 * 60 * 1000, /* so often all of it is pushed */
    DOUBT_MS = 60 * 1000,      /* and so long after a first list of changes that was refused */
    LEVEL = 6,
    UNCHANGED_MS = 60 * 1000,
    SETTLE_MS = 1000, /* what belongs together mostly comes within this */
    BEGIN_MOST_MS = 30 * 1000,
    ANSWER_MOST_MS = 120 * 1000,
    PAUSE_MOST_MS = 60 * 1000,
    ANSWER_MAX = 4096,
    KEPT_ROOM = 1024 * 1024
};

#define JSON_TYPE     "Content-Type: application/json"
#define CHANGES_TYPE  "Content-Type: application/vnd.loadline.changes+json"
#define WANT_REVISION "X-Want-Revision: 1"

struct push {
    const struct options *options;
    struct api_source *source;
    struct watch *const *watches;
    size_t n;
    struct transfer *transfer;
    struct bytes body, answer;
    struct str body_text; /* of the transfer */
    uint64_t packed;      /* store_changes() that the last body has */
    uint64_t noticed;     /* of the last look, and when it changed since the last body */
    int64_t changed, began, last, not_before;
    unsigned failures;
    uint64_t left_out; /* bits of the kinds that the last push was without */
    bool empty;        /* there was nothing to push, and it was said */
    struct pushed *pushed;
    bool has_changes;    /* the body is a list of changes */
    int64_t whole_until; /* changes are told from then on; 0: at once */
    int64_t whole;       /* when the last whole one was taken */
    unsigned doubts;     /* lists of changes that were refused since one was taken */
    struct push_counts counts;
};

struct push *push_new(const struct options *options, struct api_source *source,
                      struct watch *const *watches, size_t n)
{
    struct push *push = MEMORY_NEW(struct push);
    *push = (struct push){.options = options, .source = source, .watches = watches, .n = n};
    push->began = clock_monotonic();
    push->pushed = pushed_new();
    return push;
}

void push_free(struct push *push)
{
    if (!push)
        return;
    transfer_stop(push->source->transfers, push->transfer);
    bytes_free(&push->body);
    bytes_free(&push->answer);
    pushed_free(push->pushed);
    free(push);
}

const struct push_counts *push_counts(const struct push *push)
{
    return &push->counts;
}

bool push_is_ready(const struct push *push, bool discovered, int64_t now)
{
    if (!discovered)
        return false;
    for (size_t i = 0; i < push->n; i++)
        if (watch_state(push->watches[i], now) == WATCH_BEGINNING &&
            !watch_struggles(push->watches[i]))
            return now - push->began >= BEGIN_MOST_MS;
    return true;
}

/* ---- the body ---- */

/* Says so when it is not the same as last time. */
static void tell_left_out(struct push *push, uint64_t left_out)
{
    struct bytes names = {0};
    if (left_out == push->left_out)
        return;
    for (int kind = 0; kind < KIND_COUNT; kind++)
        if (left_out >> kind & 1) {
            bytes_put(&names, names.n ? STR(" ") : STR(""));
            bytes_put(&names, kind_plural((enum kind)kind));
        }
    if (left_out)
        log_warn("the API server does not tell, so it is left out kinds=%s",
                 log_quote(bytes_str(&names)));
    else
        log_info("nothing is left out any more");
    push->left_out = left_out;
    bytes_free(&names);
}

/* What is pushed of a kind, told apart from what is not. */
static void gather(struct push *push, const struct watch *watch, int64_t now)
{
    struct bytes text = {0};
    switch (watch_state(watch, now)) {
    case WATCH_FRESH:
        pushed_add_list(push->pushed, watch_list(watch));
        break;
    case WATCH_FORBIDDEN:
        watch_pack_forbidden(watch, &text);
        pushed_add_text(push->pushed, bytes_str(&text));
        break;
    case WATCH_BEGINNING:
    case WATCH_STALE:
    case WATCH_NOT_SERVED:
        break;
    }
    bytes_free(&text);
}

/* Can changes be told, and will the server take them? */
static bool may_tell_changes(struct push *push, int64_t now)
{
    if (!push->options->changes)
        return false;
    pushed_begin(push->pushed);
    for (size_t i = 0; i < push->n; i++)
        gather(push, push->watches[i], now);
    return pushed_can_tell_changes(push->pushed) && now >= push->whole_until &&
           now - push->whole < WHOLE_MS;
}

static void pack_changes(struct push *push, struct bytes *out)
{
    struct bytes list = {0};
    struct deflate *deflate = deflate_open((struct sink){bytes_sink, out}, LEVEL);
    pushed_put_changes(push->pushed, &list);
    out->n = 0;
    if (!deflate || !deflate_put(deflate, bytes_str(&list)) || !deflate_finish(deflate))
        memory_exhausted();
    deflate_free(deflate);
    bytes_free(&list);
}

bool push_pack(struct push *push, int64_t now, struct bytes *out)
{
    uint64_t left_out = 0;
    bool any = false;
    out->n = 0;
    for (size_t i = 0; i < push->n; i++) {
        const struct watch *watch = push->watches[i];
        switch (watch_state(watch, now)) {
        case WATCH_FRESH:
            any |= store_count(watch_list(watch)) > 0;
            store_pack(watch_list(watch), out);
            break;
        case WATCH_FORBIDDEN:
            watch_pack_forbidden(watch, out);
            break;
        case WATCH_BEGINNING:
        case WATCH_STALE:
            left_out |= UINT64_C(1) << watch_kind(watch)->kind;
            break;
        case WATCH_NOT_SERVED:
            break;
        }
    }
    tell_left_out(push, left_out);
    return any;
}

/* ---- the answer ---- */

static bool take_answer(void *context, int status, struct str bytes)
{
    struct push *push = context;
    (void)status;
    if (push->answer.n < ANSWER_MAX)
        bytes_put(&push->answer, str_sub(bytes, 0, ANSWER_MAX));
    return true;
}

static void tell(const struct push *push, const struct transfer_result *result, bool taken)
{
    const char *answer = log_quote(str_sub(bytes_str(&push->answer), 0, 300));
    const char *error = result->status == 200 ? POST_NOT_LOADLINE : result->error;
    if (taken && (push->failures || push->counts.taken == 1))
        log_info("pushed bytes=%llu answer=%s", (unsigned long long)push->counts.bytes, answer);
    else if (taken)
        log_debug("pushed bytes=%llu answer=%s", (unsigned long long)push->counts.bytes, answer);
    else if (push->failures == 1 || push->failures % 10 == 0)
        log_error("a push was not taken url=%s status=%d error=%s answer=%s",
                  transfer_shown(push->options->url), result->status, log_quote(str_of(error)),
                  answer);
}

/* Will the same be taken later? 200: somebody else has answered in Loadline's place. */
static bool may_pass(int status)
{
    return !status || status == 200 || status == 408 || status == 429 || status >= 500;
}

/* How long all of it is pushed then: not at all after the first time, then minutes, then an hour.
 */
static int64_t doubt_ms(unsigned doubts)
{
    int64_t wait = doubts > 1 ? DOUBT_MS : 0;
    for (; doubts > 2 && wait < WHOLE_MS; doubts--)
        wait *= 2;
    return wait < WHOLE_MS ? wait : WHOLE_MS;
}

/* Changes are of what the server has; when it says otherwise, it gets all of it. One that says so
 * again and again is not asked each time. */
static void note_answer(struct push *push, bool taken, int64_t now)
{
    char text[PUSHED_REVISION_MAX];
    if (taken) {
        pushed_take(push->pushed, pushed_revision(bytes_str(&push->answer), text));
        push->doubts = push->has_changes ? 0 : push->doubts;
        push->whole = push->has_changes ? push->whole : now;
        return;
    }
    pushed_forget(push->pushed);
    if (!push->has_changes)
        return;
    push->doubts++;
    push->whole_until = now + doubt_ms(push->doubts);
}

static void end_push(void *context, const struct transfer_result *result)
{
    struct push *push = context;
    int64_t now = clock_monotonic();
    push->transfer = NULL;
    bool taken = result->status == 200 && answer_has(bytes_str(&push->answer), STR("csc_score"));
    push->counts.status = result->status;
    push->counts.taken += taken;
    push->counts.refused += result->status && !taken;
    push->counts.failed += !result->status;
    push->counts.as_changes += taken && push->has_changes;
    bool refused =
        push->has_changes && !taken && (result->status == 500 || !may_pass(result->status));
    if (push->options->changes && (taken || refused || !push->has_changes))
        note_answer(push, taken, now);
    if (refused) {
        log_debug("a list of changes was not taken, all of it is pushed status=%d answer=%s",
                  result->status, log_quote(str_sub(bytes_str(&push->answer), 0, 300)));
        push->last = push->not_before = 0; /* now */
    } else if (taken) {
        tell(push, result, true);
        push->failures = 0;
        push->counts.taken_at = clock_now();
        push->counts.taken_tick = now;
        push->not_before = result->retry_after_ms > 0 ? now + result->retry_after_ms : now;
    } else {
        push->failures++;
        tell(push, result, false);
        push->not_before =
            now + (may_pass(result->status)
                       ? pause_ms(push->failures, PAUSE_MOST_MS, result->retry_after_ms)
                       : pause_between(PAUSE_MOST_MS / 2, PAUSE_MOST_MS));
    }
    bytes_clear(&push->body, KEPT_ROOM);
}

/* ---- a push ---- */

static bool start(struct push *push, struct transfer_result *failed)
{
    char id[64] = "Idempotency-Key: ";
    rand_uuid(id + strlen(id));
    push->body_text = bytes_str(&push->body);
    push->answer.n = 0;
    struct post post = {.path = "/ingest",
                        .headers = {id, push->has_changes ? CHANGES_TYPE : JSON_TYPE,
                                    "Content-Encoding: gzip",
                                    push->options->changes ? WANT_REVISION : NULL},
                        .body = &push->body_text,
                        .limit_ms = ANSWER_MOST_MS,
                        .take = take_answer,
                        .done = end_push,
                        .context = push};
    push->transfer = post_start(push->source->transfers, push->options, &post, failed);
    return push->transfer != NULL;
}

static bool is_due(struct push *push, int64_t now)
{
    int64_t interval = push->options->interval * CLOCK_SECOND;
    uint64_t changes = store_changes(push->source->store);
    if (changes != push->noticed && push->noticed == push->packed)
        push->changed = now;
    push->noticed = changes;
    if (push->transfer || now < push->not_before)
        return false;
    if (!push->last || push->failures)
        return true;
    bool changed = changes != push->packed && now - push->changed >= SETTLE_MS;
    return now - push->last >= (changed ? interval : UNCHANGED_MS);
}

void push_tick(struct push *push, int64_t now)
{
    if (!is_due(push, now))
        return;
    if (!push_pack(push, now, &push->body)) {
        if (!push->empty)
            log_error("the API server tells of nothing, so nothing is pushed");
        push->empty = true;
        push->counts.failed++;
        push->not_before = now + push->options->interval * CLOCK_SECOND;
        return;
    }
    push->empty = false;
    push->has_changes = may_tell_changes(push, now);
    if (push->has_changes)
        pack_changes(push, &push->body);
    push->packed = push->noticed = store_changes(push->source->store);
    push->last = now;
    push->counts.bytes = push->body.n;
    struct transfer_result failed;
    if (!start(push, &failed))
        end_push(push, &failed);
}
