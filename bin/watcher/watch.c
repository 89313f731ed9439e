#include "watch.h"

#include "agent/split.h"
#include "base/log.h"
#include "codec/deflate.h"
#include "pause.h"
#include "watch_url.h"

enum {
    PAGE = 500,
    LISTS_MOST = 3, /* at the same time */
    SILENCE_S = 30,
    LIST_MOST_MS = 10 * 60 * 1000,
    WATCH_LEAST_S = 30,
    WATCH_MOST_S = 45,
    WATCH_GRACE_S = 10, /* a watch that does not end by itself hangs */
    SHORT_MS = 1000,    /* a watch that ends sooner has failed */
    PAUSE_MOST_MS = 30 * 1000,
    FORBIDDEN_MS = 5 * 60 * 1000,
    FORBIDDEN_FIRST = 3,     /* as if so many tries had failed: 4 s */
    BELIEVED_MS = 30 * 1000, /* an API server that starts forbids everything for a moment */
    POLL_MS = 60 * 1000,
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
    bool listed, forbidden, open, relist;
    bool whole; /* the next list comes in one piece: its pages were gone too soon */
    struct bytes version, next, error;
    struct split split;
};

static void take_object(void *context, struct str text);

struct watch *watch_new(struct api_source *source, const struct watched *kind)
{
    struct watch *watch = MEMORY_NEW(struct watch);
    watch->source = source;
    watch->kind = *kind;
    watch->list = store_add_list(source->store, kind_name(kind->kind), kind->quiet);
    watch->split.object = take_object;
    watch->split.context = watch;
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
    watch->failures = watch->refusals = 0;
    store_clear(watch->list);
}

void watch_free(struct watch *watch)
{
    if (!watch)
        return;
    watch_end(watch);
    split_free(&watch->split);
    bytes_free(&watch->version);
    bytes_free(&watch->next);
    bytes_free(&watch->error);
    free(watch);
}

static void list_anew(struct watch *watch, int64_t due)
{
    watch->step = STEP_LIST;
    watch->next.n = 0;
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

/* ---- objects ---- */

static void drop(struct watch *watch, const struct clean_identity *identity)
{
    watch->source->counts.dropped++;
    log_error("an object cannot be redacted and is left out kind=%" STR_FMT " namespace=%s name=%s",
              STR_ARG(kind_name(watch->kind.kind)), log_quote(identity->namespace),
              log_quote(identity->name));
    store_remove(watch->list, identity->namespace, identity->name);
}

static void put(struct watch *watch, struct str object, const struct clean_identity *identity)
{
    struct store_list *list = watch->list;
    if (!identity->name.n ||
        store_keep(list, identity->namespace, identity->name, identity->version))
        return;
    struct str text = clean_object(watch->source->cleaner, store_front(list), object);
    if (text.p)
        store_put(list, identity->namespace, identity->name, identity->version, text);
    else
        drop(watch, identity);
}

static void set(struct bytes *bytes, struct str text)
{
    bytes->n = 0;
    bytes_put(bytes, text);
}

/* An error in the stream: the version that it began with is too old, mostly. */
static void take_error(struct watch *watch, const struct clean_watch *event)
{
    watch->relist = true;
    if (event->error_code != 410)
        watch->failures++;
}

static void take_event(struct watch *watch, struct str text)
{
    struct cleaner *cleaner = watch->source->cleaner;
    struct clean_watch event;
    struct clean_identity identity;
    if (!clean_watch(cleaner, text, &event) ||
        (event.event != CLEAN_ERROR && !clean_identify(cleaner, event.object, &identity))) {
        watch->relist = true;
        return;
    }
    if (event.event == CLEAN_ERROR) {
        take_error(watch, &event);
        return;
    }
    set(&watch->version, identity.version);
    if (event.event == CLEAN_PUT)
        put(watch, event.object, &identity);
    else if (event.event == CLEAN_DELETED)
        store_remove(watch->list, identity.namespace, identity.name);
}

static void take_object(void *context, struct str text)
{
    struct watch *watch = context;
    struct clean_identity identity;
    if (watch->step == STEP_WATCH)
        take_event(watch, text);
    else if (clean_identify(watch->source->cleaner, text, &identity))
        put(watch, text, &identity);
    else
        watch->relist = true;
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
    return split_put(&watch->split, bytes) == SPLIT_FINE && !watch->relist;
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

static void retry(struct watch *watch, const struct transfer_result *result, int64_t now)
{
    watch->failures++;
    watch->source->counts.errors++;
    tell(watch, result);
    watch->due = now + pause_ms(watch->failures, PAUSE_MOST_MS, result->retry_after_ms);
    if (watch->step == STEP_WATCH && watch->failures >= TRIES)
        list_anew(watch, watch->due);
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
    if (result->status == 403 && !is_doubtful(watch, now)) {
        forbid(watch, now);
    } else if (result->status == 410) {
        watch->whole = watch->step == STEP_LIST;
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
    watch->failures = watch->refusals = 0;
    watch->step = watch->can_watch ? STEP_WATCH : STEP_LIST;
    watch->due = watch->can_watch ? now : now + POLL_MS;
    watch->next.n = 0;
}

static void end_list(void *context, const struct transfer_result *result)
{
    struct watch *watch = context;
    int64_t now = clock_monotonic();
    struct clean_head head;
    watch->transfer = NULL;
    watch->source->listing--;
    if (result->status != 200 && result->status) {
        refused(watch, result, now);
    } else if (!result->status || !result->whole || watch->relist ||
               !split_is_whole(&watch->split) ||
               !clean_head(watch->source->cleaner, split_head(&watch->split), &head)) {
        retry(watch, result, now);
    } else {
        set(&watch->version, head.version);
        set(&watch->next, head.next);
        watch->due = now;
        if (!watch->next.n)
            finish_list(watch, now);
    }
}

/* ---- a watch ---- */

static void end_watch(void *context, const struct transfer_result *result)
{
    struct watch *watch = context;
    int64_t now = clock_monotonic();
    bool lasted = watch->open && now - watch->started >= SHORT_MS;
    if (watch->open)
        watch->synced = now;
    watch->transfer = NULL;
    watch->open = false;
    watch->due = now;
    if (result->status != 200 && result->status) {
        refused(watch, result, now);
    } else if (watch->relist || watch->split.result != SPLIT_FINE) {
        watch->source->counts.errors++;
        list_anew(watch, watch->failures ? now + pause_ms(watch->failures, PAUSE_MOST_MS, 0)
                                         : now + pause_between(0, CLOCK_SECOND));
    } else if (lasted) {
        watch->failures = 0;
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
        watch_url_put_watch(&url, bytes_str(&watch->version), seconds);
    else if (!watch->whole)
        watch_url_put_page(&url, bytes_str(&watch->next), PAGE);
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
    split_begin(&watch->split, lists ? SPLIT_ITEMS : SPLIT_VALUES);
    watch->error.n = 0;
    watch->relist = watch->open = false;
    watch->started = now;
    watch->transfer = transfer_start(watch->source->transfers, &request);
    bytes_free(&url);
}

static void count_start(struct watch *watch)
{
    if (watch->step == STEP_LIST) {
        watch->source->listing++;
        watch->source->counts.lists++;
        if (!watch->next.n)
            store_begin(watch->list);
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
        count_start(watch);
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
    int64_t most = watch->can_watch ? STALE_MS : STALE_MS + 2 * POLL_MS;
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
