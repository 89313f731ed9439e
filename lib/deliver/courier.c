#include "deliver/courier.h"

#include "alert/channel_type.h"
#include "base/log.h"
#include "deliver/lease.h"
#include "deliver/post.h"
#include "deliver/schedule.h"
#include "service/metrics.h"
#include "service/webhook.h"
#include "store/channel.h"

enum {
    JOBS_MAX = 256,
    JOB_MEMORY = 1024 * 1024,
    POLL_MS = 1000,       /* between two polls of the outbox */
    TIMEOUT_MS = 10000,   /* of one attempt; post.h may give it twice that */
    CLAIM_MS = 5000,      /* for the claim */
    BEGIN_MS = 25000,     /* since the claim: who wakes up later must not send any more */
    ANSWER_SECONDS = 10,  /* of the database: a connection that hangs must not cost the lease */
    OVERTIME_MS = 600000, /* after its time, for what cannot be recorded */
    LINGER_MS = 30000,    /* after the end, for what is under way */
    WAIT_MS = 200         /* for something to happen, while something is under way */
};

/* One message, from its claim to its record. */
struct job {
    struct job *next; /* of all */
    struct courier *courier;
    struct arena *arena;
    int64_t began; /* its claim, as clock_monotonic() */
    struct delivery *delivery;
    struct str url_kept; /* of its channel, once that was read */
    struct delivery_outcome outcome;
    struct str cause; /* for the log instead of the outcome's error; absent: that error */
    bool ended;       /* the outcome is to be recorded */
};

struct courier {
    struct db *db;
    struct arena *arena; /* of one poll */
    struct seal_keys keys;
    struct post_policy policy;
    struct poster *poster;
    char ready[JOBS_MAX][UUID_TEXT_LEN + 1]; /* the ready queue: messages to claim next */
    size_t ready_count, job_count;
    struct job *jobs;
    bool found_none, poll_failed; /* at the last poll */
    bool unrecorded;              /* an outcome could not be */
    struct leases leases;
    struct courier_counts counts;
};

static bool load_keys(struct courier *courier, const struct conf *conf)
{
    char error[SEAL_ERROR_SIZE];
    bool good = seal_keys_load(conf->channel_keys.s, &courier->keys, error);
    if (!good)
        log_error("problem=%s", log_quote(str_of(error)));
    return good;
}

struct courier *courier_new(struct program *program)
{
    const struct conf *conf = &program->conf;
    struct courier *courier = calloc(1, sizeof *courier);
    if (!courier)
        return NULL;
    courier->db = program->db;
    db_set_limit(courier->db, ANSWER_SECONDS);
    courier->arena = program->arena;
    courier->policy = (struct post_policy){.allow = str_of(conf->webhook_allow.s),
                                           .allow_http = conf->webhook_allow_http != 0,
                                           .ca_file = conf->webhook_ca.s,
                                           .timeout_ms = TIMEOUT_MS};
    lease_init(&courier->leases, courier->db);
    if (load_keys(courier, conf))
        courier->poster = poster_new(&courier->policy);
    if (courier->poster)
        return courier;
    courier_free(courier);
    return NULL;
}

void courier_free(struct courier *courier)
{
    if (!courier)
        return;
    poster_free(courier->poster);
    crypt_wipe(&courier->keys, sizeof courier->keys);
    free(courier);
}

struct courier_counts courier_counts(const struct courier *courier)
{
    return courier->counts;
}

/* Of all that is under way, or cannot be recorded yet. */
static void keep_leases(struct courier *courier)
{
    const struct delivery *held[JOBS_MAX];
    size_t n = 0;
    bool due = lease_is_keeping_due(&courier->leases);
    for (const struct job *job = courier->jobs; due && job && n < JOBS_MAX; job = job->next)
        if (job->delivery && courier->leases.kept - job->began >= LEASE_KEEP_MS)
            held[n++] = job->delivery;
    if (n > 0)
        lease_keep(&courier->leases, courier->arena, held, n);
}

/* ---- the end of a job ---- */

static void end_job(struct job *job)
{
    struct job **at = &job->courier->jobs;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
    job->courier->job_count--;
    arena_free(job->arena);
}

static void count(struct job *job, bool again)
{
    const struct delivery_outcome *o = &job->outcome;
    struct courier_counts *counts = &job->courier->counts;
    if (!o->unmade)
        metrics_add(o->error.n ? METRIC_DELIVERY_FAILED : METRIC_DELIVERY_SENT, 1);
    ++*(!o->error.n ? &counts->sent : again ? &counts->failed : &counts->gave_up);
    log_info("delivery=%" STR_FMT " channel=%" STR_FMT " attempt=%lld status=%lld result=%s%s%s",
             STR_ARG(job->delivery->id), STR_ARG(job->delivery->channel),
             (long long)job->delivery->attempts + !o->unmade, (long long)o->status,
             !o->error.n          ? "sent"
             : again && o->unmade ? "waits"
             : again              ? "again"
                                  : "gave_up",
             o->error.n ? " error=" : "",
             o->error.n ? log_quote(job->cause.n ? job->cause : o->error) : "");
}

static void add_ready(struct courier *courier, struct str id)
{
    if (courier->ready_count < JOBS_MAX && id.n == UUID_TEXT_LEN)
        memcpy(courier->ready[courier->ready_count++], id.p, UUID_TEXT_LEN + 1);
}

/* Without the database the outcome is kept and recorded later. */
static void record(struct job *job)
{
    struct courier *courier = job->courier;
    struct delivery_record recorded;
    keep_leases(courier);
    enum error e = delivery_close(courier->db, job->arena, job->delivery,
                                  str_of(courier->leases.owner), &job->outcome, &recorded);
    db_reset(courier->db);
    job->ended = true;
    courier->unrecorded |= e != ERR_OK;
    if (e)
        return;
    if (recorded.alone)
        log_warn("channel=%" STR_FMT " problem=\"its health could not be recorded\"",
                 STR_ARG(job->delivery->channel));
    if (recorded.ours)
        count(job, recorded.again);
    else
        log_warn("delivery=%" STR_FMT " problem=\"no longer ours when it ended\" error=%s",
                 STR_ARG(job->delivery->id), log_quote(job->outcome.error));
    add_ready(courier, recorded.next);
    end_job(job);
}

static void record_again(struct courier *courier)
{
    courier->unrecorded = false;
    for (struct job *job = courier->jobs, *next; job; job = next) {
        next = job->next;
        if (job->ended)
            record(job);
    }
}

/* ---- an attempt ---- */

static void plan_next(struct job *job, int64_t retry_after_ms)
{
    uint32_t random;
    rand_bytes(&random, sizeof random);
    struct delivery_outcome *o = &job->outcome;
    int64_t delay = o->unmade ? schedule_unmade_delay_ms(o->time - job->delivery->queued)
                              : schedule_delay_ms(job->delivery->attempts + 1, (int)o->status,
                                                  retry_after_ms, random);
    if (delay != SCHEDULE_GIVE_UP)
        o->next_attempt = o->time + delay;
}

static void close_job(struct job *job, const struct post_result *result, bool unmade)
{
    job->outcome = (struct delivery_outcome){.time = clock_now(),
                                             .status = result->status,
                                             .error = arena_str(job->arena, str_of(result->error)),
                                             .next_attempt = TIME_NONE,
                                             .unmade = unmade,
                                             .gone = result->status == 410,
                                             .url_kept = job->url_kept};
    job->cause = arena_str(job->arena, str_of(result->cause));
    if (*result->error)
        plan_next(job, result->retry_after_ms);
    record(job);
}

static void on_result(void *context, const struct post_result *result)
{
    close_job(context, result, result->outcome == POST_LATE);
}

/* It could not even be posted. */
static void fail(struct job *job, const char *why)
{
    struct post_result result = {.outcome = POST_FAILED};
    snprintf(result.error, sizeof result.error, "%s", why);
    close_job(job, &result, true);
}

static void add_signature(struct job *job, const struct channel_target *target, struct post *post)
{
    struct arena *arena = job->arena;
    struct webhook_message message = {job->delivery->id, clock_now(), post->body};
    struct str secrets[] = {target->secret, target->secret_previous};
    char signatures[WEBHOOK_SIGNATURE_SIZE];
    webhook_sign(&message, secrets, signatures);
    post->headers[1] = arena_printf(arena, "webhook-id: %" STR_FMT, STR_ARG(message.id)).p;
    post->headers[2] =
        arena_printf(arena, "webhook-timestamp: %lld", (long long)(message.time / 1000)).p;
    post->headers[3] = arena_printf(arena, "webhook-signature: %s", signatures).p;
}

static void post(struct job *job, const struct channel_type *type, struct channel_target *target)
{
    struct channel_post to = {target->url, job->delivery->body};
    const char *problem = type->route(job->arena, &to);
    struct post post = {.url = arena_str(job->arena, to.url).p,
                        .body = to.body,
                        .headers = {"Content-Type: application/json"},
                        .begin_by = job->began + BEGIN_MS,
                        .context = job};
    if (problem) {
        fail(job, arena_printf(job->arena, "The URL %s.", problem).p);
        return;
    }
    if (target->secret.n)
        add_signature(job, target, &post);
    if (!poster_add(job->courier->poster, &post))
        fail(job, "There was not enough memory.");
}

/* It was queued by who had read the channels before this one was deleted. */
static void give_back(struct job *job)
{
    struct db *db = job->courier->db;
    if (!delivery_cancel(db, job->delivery)) /* else its lease runs out */
        log_info("channel=%" STR_FMT " problem=\"deleted: what was queued is cancelled\"",
                 STR_ARG(job->delivery->channel));
    db_reset(db);
    end_job(job);
}

static void attempt(struct job *job)
{
    struct courier *courier = job->courier;
    struct channel_target *target;
    const struct channel_type *type;
    enum error e = channel_target(courier->db, job->arena, &courier->keys, job->delivery->channel,
                                  clock_now(), &target);
    db_reset(courier->db);
    if (target)
        job->url_kept = target->url_kept;
    if (e || clock_monotonic() - job->began > CLAIM_MS)
        end_job(job); /* its lease runs out, and could before the attempt is over */
    else if (!target)
        give_back(job);
    else if (!target->enabled)
        fail(job, "The channel is disabled.");
    else if (!target->url.p)
        fail(job, "The URL cannot be read: its key is not in channel_keys.");
    else if (!(type = channel_type_find(target->type)))
        fail(job, "The type of the channel is not known to this version of Loadline.");
    else if (type->is_signed && !target->secret.p)
        fail(job, "The signing secret cannot be read: its key is not in channel_keys.");
    else
        post(job, type, target);
}

/* Its lease may be over all the same: what was sent could not be recorded, or nobody looked after
 * it for a while. Nobody knows better than this one what becomes of it. */
static bool is_ours(const struct courier *courier, struct str id)
{
    const struct job *job = courier->jobs;
    while (job && !str_eq(job->delivery->id, id))
        job = job->next;
    return job != NULL;
}

static void claim(struct courier *courier, struct str id)
{
    struct arena *arena = is_ours(courier, id) ? NULL : arena_new(JOB_MEMORY);
    if (!arena)
        return;
    struct job *job = ARENA_NEW(arena, struct job);
    keep_leases(courier);
    *job = (struct job){
        .next = courier->jobs, .courier = courier, .arena = arena, .began = clock_monotonic()};
    courier->jobs = job;
    courier->job_count++;
    enum error e = lease_take(&courier->leases, arena, arena_str(arena, id), &job->delivery);
    if (e || !job->delivery) {
        db_reset(courier->db);
        end_job(job);
    } else {
        attempt(job);
    }
}

/* Those that come meanwhile have their turn after the next look at the outbox. */
static void claim_ready(struct courier *courier)
{
    char ready[JOBS_MAX][UUID_TEXT_LEN + 1];
    size_t n = courier->ready_count;
    memcpy(ready, courier->ready, n * sizeof *ready);
    courier->ready_count = 0;
    for (size_t i = 0; i < n; i++) {
        claim(courier, str_of(ready[i]));
        poster_run(courier->poster, 0, on_result); /* it leaves before the next one is claimed */
    }
}

/* ---- the outbox ---- */

/* What was ready is due, too: among all, those that have waited longest are claimed next. */
static void poll_outbox(struct courier *courier)
{
    struct delivery_ids due;
    int64_t room = JOBS_MAX - (int64_t)courier->job_count;
    courier->ready_count = 0;
    enum error e = delivery_due(courier->db, courier->arena, clock_now(), room, &due);
    courier->poll_failed = e != ERR_OK;
    courier->found_none = !e && due.n == 0;
    for (size_t i = 0; !e && i < due.n; i++)
        add_ready(courier, due.items[i].id);
    db_reset(courier->db);
    arena_reset(courier->arena);
}

static bool is_over(const struct courier *courier, int64_t until)
{
    if (until)
        return clock_monotonic() >= until + (courier->unrecorded ? OVERTIME_MS : 0);
    bool no_more = courier->found_none || courier->poll_failed;
    return no_more && !courier->job_count && !courier->ready_count;
}

/* What is under way ends, and is recorded when the database is there. */
static void linger(struct courier *courier)
{
    int64_t end = clock_monotonic() + LINGER_MS;
    while (courier->job_count > 0 && clock_monotonic() < end) {
        poster_run(courier->poster, WAIT_MS, on_result);
        record_again(courier);
        keep_leases(courier);
    }
    courier->ready_count = 0;
}

static void work(struct courier *courier, int64_t until, const volatile sig_atomic_t *stop)
{
    int64_t next_poll = 0;
    while (!*stop && !is_over(courier, until)) {
        bool idle = !courier->job_count && !until; /* then nothing but a poll can end it */
        if (idle || clock_monotonic() >= next_poll) {
            record_again(courier);
            poll_outbox(courier);
            next_poll = clock_monotonic() + POLL_MS;
        }
        keep_leases(courier);
        claim_ready(courier);
        poster_run(courier->poster, courier->ready_count ? 0 : WAIT_MS, on_result);
    }
}

bool courier_run(struct courier *courier, int64_t until, const volatile sig_atomic_t *stop)
{
    courier->found_none = courier->poll_failed = false;
    do {
        work(courier, until, stop);
        linger(courier);
    } while (!*stop && !is_over(courier, until));
    if (courier->job_count > 0)
        log_error("problem=\"ended without recording what was sent\" deliveries=%zu",
                  courier->job_count);
    return !courier->poll_failed;
}
