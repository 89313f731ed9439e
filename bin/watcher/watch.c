#include "watch.h"

#include "base/log.h"
#include "codec/deflate.h"
#include "intake.h"
#include "pause.h"
#include "watch_url.h"

enum {
    PAGE = 500,
    LISTS_MOST = 3, /* at the same time */
    SILENCE_S = 30,
    LIST_MOST_MS = 10 * 60 * 1000,
    WATCH_LEAST_S = 30,
    WATCH_MOST_S = 45,
    WATCH_GRACE_S = 10,    /* a watch that does not end by itself hangs */
    SHORT_MS = 1000,       /* a watch that ends sooner has failed */
    STEADY_MS = 20 * 1000, /* one that lasts so long works */
    PAUSE_MOST_MS = 30 * 1000,
    FORBIDDEN_MS = 5 * 60 * 1000,
    ENDLESS_MOST_MS = 5 * 60 * 1000,
    FORBIDDEN_FIRST = 3,     /* as if so many tries had failed: 4 s */
    BELIEVED_MS = 30 * 1000, /* an API server that starts forbids everything for a moment */
    POLL_MS = 60 * 1000,
    POLLS = 5, /* before a watch that is forbidden is tried again */
    STALE_MS = 60 * 1000,
    ERROR_TEXT_MAX = 2048,
    TRIES = 3 /* from the same version */
};

enum step { STEP_LIST, STEP_WATCH };

struct watch {
    struct api_source *source;
    struct watched kind;
    struct store_list *list;
    char *api_version; /* NULL: not served */
    bool can_watch;
    enum step step;
    struct transfer *transfer;
    int64_t due, started;
    int64_t synced;              /* when the list was known to be right */
    unsigned failures, refusals; /* refusals: how often in a row it was forbidden */
    unsigned given_up;           /* how often in a row its list would not end */
    unsigned restarts;           /* how often a watch could not go on since one worked */
    unsigned unwatched;          /* how often in a row a watch was forbidden */
    unsigned polls;              /* so many lists come before the next watch */
    bool listed, forbidden, open;
    bool whole;         /* the next list comes in one piece: its pages were gone too soon */
    struct bytes error; /* what an answer that is not 200 says */
    struct intake intake;
};

struct watch *watch_new(struct api_source *source, const struct watched *kind)
{
    struct watch *watch = MEMORY_NEW(struct watch);
    watch->source = source;
    watch->kind = *kind;
    watch->list = store_add_list(source->store, kind_name(kind->kind), kind->quiet);
    intake_init(&watch->intake, source, &watch->kind, watch->list);
    return watch;
}

static void stop(struct watch *watch)
{
    if (!watch->transfer)
        return;
    transfer_stop(watch->source->transfers, watch->transfer);
    watch->transfer = NULL;
    watch->open = false;
    if (watch->step == STEP_LIST)
        watch->source->listing--;
}

void watch_end(struct watch *watch)
{
    stop(watch);
    free(watch->api_version);
    watch->api_version = NULL;
    watch->listed = watch->forbidden = watch->whole = false;
    watch->failures = watch->refusals = watch->given_up = 0;
    watch->restarts = watch->unwatched = watch->polls = 0;
    store_clear(watch->list);
}

void watch_free(struct watch *watch)
{
    if (!watch)
        return;
    watch_end(watch);
    intake_free(&watch->intake);
    bytes_free(&watch->error);
    free(watch);
}

static void list_anew(struct watch *watch, int64_t due)
{
    watch->step = STEP_LIST;
    watch->intake.listing.next.n = 0;
    watch->due = due;
}

void watch_serve(struct watch *watch, struct str api_version, bool can_watch, int64_t now)
{
    bool same = watch->api_version && str_eq(str_of(watch->api_version), api_version);
    watch->can_watch = can_watch;
    if (same)
        return;
    watch_end(watch);
    watch->api_version = memory_text(api_version);
    store_set_version(watch->list, api_version);
    list_anew(watch, now);
}

static bool take_bytes(void *context, int status, struct str bytes)
{
    struct watch *watch = context;
    if (status != 200) {
        if (watch->error.n < ERROR_TEXT_MAX)
            bytes_put(&watch->error, bytes);
        return true;
    }
    watch->open = watch->step == STEP_WATCH;
    return intake_put(&watch->intake, bytes);
}

/* ---- what went wrong ---- */

static void tell(const struct watch *watch, const struct transfer_result *result)
{
    if (watch->failures > 1 && watch->failures % 10)
        return;
    log_warn("%s %" STR_FMT " failed kind=%" STR_FMT " status=%d error=%s answer=%s",
             watch->step == STEP_LIST ? "listing" : "watching", STR_ARG(watch->kind.resource),
             STR_ARG(kind_name(watch->kind.kind)), result->status, log_quote(str_of(result->error)),
             log_quote(bytes_str(&watch->error)));
}

static void forbid(struct watch *watch, int64_t now)
{
    if (!watch->forbidden)
        log_warn("may not list, so it is left out kind=%" STR_FMT " answer=%s",
                 STR_ARG(kind_name(watch->kind.kind)), log_quote(bytes_str(&watch->error)));
    watch->forbidden = true;
    watch->listed = false;
    watch->failures = 0;
    store_clear(watch->list);
    list_anew(watch, now + pause_ms(FORBIDDEN_FIRST + watch->refusals++, FORBIDDEN_MS, 0));
}

/* A watch cannot go on from where it was. That it never can is no reason to list all the time. */
static void start_over(struct watch *watch, int64_t due, int64_t now)
{
    int64_t wait = watch->restarts ? pause_ms(watch->restarts, PAUSE_MOST_MS, 0)
                                   : pause_between(0, CLOCK_SECOND);
    watch->restarts++;
    list_anew(watch, now + wait > due ? now + wait : due);
}

static void retry(struct watch *watch, const struct transfer_result *result, int64_t now)
{
    watch->failures++;
    watch->source->counts.errors++;
    tell(watch, result);
    watch->due = now + pause_ms(watch->failures, PAUSE_MOST_MS, result->retry_after_ms);
    if (watch->step == STEP_WATCH && watch->failures >= TRIES)
        start_over(watch, watch->due, now);
    if (watch->step == STEP_LIST && listing_fail_page(&watch->intake.listing, result->status))
        list_anew(watch, watch->due);
}

/* The role lets the agent list it, and not watch it. */
static void only_list(struct watch *watch, int64_t now)
{
    if (watch->unwatched == TRIES + 1)
        log_warn("may not watch, so it is listed every minute kind=%" STR_FMT " answer=%s",
                 STR_ARG(kind_name(watch->kind.kind)), log_quote(bytes_str(&watch->error)));
    watch->polls = POLLS;
    list_anew(watch, now + POLL_MS);
}

/* What could be listed until now is not forbidden because the API server says so once: it does
 * while it has not read its roles yet. */
static bool is_doubtful(const struct watch *watch, int64_t now)
{
    return watch->listed && now - watch->synced < BELIEVED_MS;
}

/* An answer that is not 200. */
static void refused(struct watch *watch, const struct transfer_result *result, int64_t now)
{
    bool lists = watch->step == STEP_LIST;
    if (result->status == 403 && lists && !is_doubtful(watch, now)) {
        forbid(watch, now);
    } else if (result->status == 403 && !lists && ++watch->unwatched > TRIES) {
        only_list(watch, now);
    } else if (result->status == 410 && !lists) {
        start_over(watch, now, now);
    } else if (result->status == 410 && !watch->whole) {
        watch->whole = true;
        list_anew(watch, now + pause_between(0, CLOCK_SECOND));
    } else {
        if (result->status == 404)
            watch->source->discover = true;
        retry(watch, result, now);
        if (result->status == 404)
            list_anew(watch, watch->due);
    }
}

/* ---- a list ---- */

static void finish_list(struct watch *watch, int64_t now)
{
    store_settle(watch->list);
    watch->synced = now;
    watch->listed = true;
    watch->forbidden = watch->whole = false;
    watch->failures = watch->refusals = watch->given_up = 0;
    bool watches = watch->can_watch && (!watch->polls || !--watch->polls);
    watch->step = watches ? STEP_WATCH : STEP_LIST;
    watch->due = watches ? now : now + POLL_MS;
}

/* What has come is kept no longer: it is no list of what there is. */
static void give_up(struct watch *watch, const char *problem, int64_t now)
{
    const struct listing *listing = &watch->intake.listing;
    int64_t wait = pause_ms(++watch->given_up, ENDLESS_MOST_MS, 0);
    watch->failures++;
    watch->source->counts.errors++;
    log_warn("the list of %" STR_FMT " %s, and is given up pages=%u objects=%llu bytes=%llu "
             "again_in_ms=%lld",
             STR_ARG(watch->kind.resource), problem, listing->pages,
             (unsigned long long)listing->objects, (unsigned long long)listing->bytes,
             (long long)wait);
    watch->listed = watch->whole = false;
    store_clear(watch->list);
    list_anew(watch, now + wait);
}

static void end_list(void *context, const struct transfer_result *result)
{
    static const struct transfer_result no_list = {.status = 200, .error = "this is no list"};
    struct watch *watch = context;
    int64_t now = clock_monotonic();
    struct listing *listing = &watch->intake.listing;
    const char *problem;
    watch->transfer = NULL;
    watch->source->listing--;
    bool whole = result->status == 200 && result->whole && intake_end_page(&watch->intake);
    if ((problem = listing_problem(listing, now)) != NULL)
        give_up(watch, problem, now);
    else if (result->status != 200 && result->status)
        refused(watch, result, now);
    else if (!whole)
        retry(watch, result->whole ? &no_list : result, now);
    else if (listing->next.n)
        watch->due = now;
    else
        finish_list(watch, now);
}

/* ---- a watch ---- */

static void end_watch(void *context, const struct transfer_result *result)
{
    struct watch *watch = context;
    int64_t now = clock_monotonic();
    bool lasted = watch->open && now - watch->started >= SHORT_MS;
    if (watch->open)
        watch->synced = now;
    if (watch->open && now - watch->started >= STEADY_MS)
        watch->restarts = 0;
    if (result->status == 200)
        watch->unwatched = 0;
    watch->transfer = NULL;
    watch->open = false;
    watch->due = now;
    if (result->status != 200 && result->status) {
        refused(watch, result, now);
    } else if (!intake_is_sound(&watch->intake)) {
        watch->source->counts.errors++;
        watch->failures += watch->intake.failed;
        start_over(watch, watch->failures ? now + pause_ms(watch->failures, PAUSE_MOST_MS, 0) : now,
                   now);
    } else if (lasted) {
        watch->failures = watch->restarts = 0;
    } else {
        retry(watch, result, now);
    }
}

/* ---- requests ---- */

static void start(struct watch *watch, int64_t now)
{
    bool lists = watch->step == STEP_LIST;
    int64_t seconds = pause_between(WATCH_LEAST_S, WATCH_MOST_S);
    struct bytes url = {0};
    watch_url_put_path(&url, watch->source->access->server, watch->api_version, &watch->kind);
    if (!lists)
        watch_url_put_watch(&url, bytes_str(&watch->intake.version), seconds);
    else if (!watch->whole)
        watch_url_put_page(&url, bytes_str(&watch->intake.listing.next), PAGE);
    bytes_putc(&url, 0);
    struct transfer_request request = {
        .access = watch->source->access,
        .url = url.p,
        .headers = {"Accept: application/json"},
        .limit_ms = (long)(lists ? LIST_MOST_MS : (seconds + WATCH_GRACE_S) * CLOCK_SECOND),
        .silence_s = lists ? SILENCE_S : 0,
        .take = take_bytes,
        .done = lists ? end_list : end_watch,
        .context = watch};
    intake_begin(&watch->intake, lists ? SPLIT_ITEMS : SPLIT_VALUES);
    watch->error.n = 0;
    watch->open = false;
    watch->started = now;
    watch->transfer = transfer_start(watch->source->transfers, &request);
    bytes_free(&url);
}

static void count_start(struct watch *watch, int64_t now)
{
    if (watch->step == STEP_LIST) {
        watch->source->listing++;
        watch->source->counts.lists++;
        if (!watch->intake.listing.next.n) {
            listing_begin(&watch->intake.listing, now);
            store_begin(watch->list);
        }
    } else {
        watch->source->counts.watches++;
    }
}

void watch_tick(struct watch *watch, int64_t now)
{
    if (watch->open)
        watch->synced = now;
    if (!watch->api_version || watch->transfer || now < watch->due ||
        (watch->step == STEP_LIST && watch->source->listing >= LISTS_MOST))
        return;
    start(watch, now);
    if (watch->transfer)
        count_start(watch, now);
    else
        retry(watch, &(struct transfer_result){.error = "the account's token cannot be read"}, now);
}

/* ---- what is known ---- */

const struct watched *watch_kind(const struct watch *watch)
{
    return &watch->kind;
}

struct store_list *watch_list(const struct watch *watch)
{
    return watch->list;
}

enum watch_state watch_state(const struct watch *watch, int64_t now)
{
    int64_t most = watch->can_watch && !watch->polls ? STALE_MS : STALE_MS + 2 * POLL_MS;
    return !watch->api_version          ? WATCH_NOT_SERVED
           : watch->forbidden           ? WATCH_FORBIDDEN
           : !watch->listed             ? WATCH_BEGINNING
           : now - watch->synced > most ? WATCH_STALE
                                        : WATCH_FRESH;
}

bool watch_struggles(const struct watch *watch)
{
    return !watch->listed && watch->failures >= TRIES;
}

void watch_pack_forbidden(const struct watch *watch, struct bytes *out)
{
    struct str front = store_front(watch->list), items = STR("\"items\":[");
    struct deflate *deflate = deflate_open((struct sink){bytes_sink, out}, 1);
    if (!deflate || !deflate_put(deflate, str_sub(front, 0, front.n - items.n)) ||
        !deflate_put(deflate, STR("\"reason\":\"Forbidden\"}")) || !deflate_finish(deflate))
        memory_exhausted();
    deflate_free(deflate);
}
