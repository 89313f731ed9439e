#include "deliver/courier.h"

#include "alert/channel_type.h"
#include "base/log.h"
#include "deliver/post.h"
#include "deliver/schedule.h"
#include "service/metrics.h"
#include "service/webhook.h"
#include "store/channel.h"
#include "store/delivery.h"

enum {
    JOBS_MAX = 256,
    JOB_MEMORY = 1024 * 1024,
    POLL_MS = 1000,     /* between two polls of the outbox */
    TIMEOUT_MS = 10000, /* of one attempt; post.h may give it twice that */
    LEASE_MS = 30000,   /* the claim, an attempt, and the time to record it */
    CLAIM_MS = 5000,    /* of that, for the claim */
    AWAY_MS = 5000,  /* a claim, an attempt, and the database away for so long: no lease is left */
    FIRST_MS = 3000, /* then, for those who have something to record */
    LINGER_MS = 30000, /* after the end, for what is under way */
    WAIT_MS = 200      /* for something to happen, while something is under way */
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
    const struct conf *conf;
    struct db *db;
    struct arena *arena; /* of one poll */
    struct seal_keys keys;
    struct post_policy policy;
    struct poster *poster;
    char owner[UUID_TEXT_LEN + 1];
    char ready[JOBS_MAX][UUID_TEXT_LEN + 1]; /* the ready queue: messages to claim next */
    size_t ready_count, job_count;
    struct job *jobs;
    bool found_none, poll_failed; /* at the last poll */
    int64_t away_since;           /* no poll was answered; 0: the last one was */
    int64_t not_before;           /* nothing is claimed */
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
    courier->conf = conf;
    courier->db = program->db;
    courier->arena = program->arena;
    courier->policy = (struct post_policy){.allow = str_of(conf->webhook_allow.s),
                                           .allow_http = conf->webhook_allow_http != 0,
                                           .ca_file = conf->webhook_ca.s,
                                           .timeout_ms = TIMEOUT_MS};
    rand_uuid(courier->owner);
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
    enum error e = delivery_close(courier->db, job->arena, job->delivery, str_of(courier->owner),
                                  &job->outcome, &recorded);
    db_reset(courier->db);
    job->ended = true;
    if (e)
        return;
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
    close_job(context, result, false);
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
    int64_t now = clock_now();
    struct delivery_lease lease = {str_of(courier->owner), now, now + LEASE_MS};
    *job = (struct job){
        .next = courier->jobs, .courier = courier, .arena = arena, .began = clock_monotonic()};
    courier->jobs = job;
    courier->job_count++;
    enum error e = delivery_claim(courier->db, arena, arena_str(arena, id), &lease, &job->delivery);
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
    size_t n = clock_monotonic() < courier->not_before ? 0 : courier->ready_count;
    memcpy(ready, courier->ready, n * sizeof *ready);
    courier->ready_count = 0;
    for (size_t i = 0; i < n; i++) {
        claim(courier, str_of(ready[i]));
        poster_run(courier->poster, 0, on_result); /* it leaves before the next one is claimed */
    }
}

/* ---- the outbox ---- */

/* While the database was away, or stood still, leases have run out of what was sent and could not
 * be recorded: whoever has sent it records it first. Where it is always as slow, that is not waited
 * for each time. */
static void note_poll(struct courier *courier, int64_t began, bool answered)
{
    int64_t now = clock_monotonic();
    if (!courier->away_since)
        courier->away_since = began;
    if (!answered)
        return;
    if (now - courier->away_since > AWAY_MS && now > courier->not_before + LEASE_MS)
        courier->not_before = now + FIRST_MS;
    courier->away_since = 0;
}

/* What was ready is due, too: among all, those that have waited longest are claimed next. */
static void poll_outbox(struct courier *courier)
{
    struct delivery_ids due;
    int64_t room = JOBS_MAX - (int64_t)courier->job_count, began = clock_monotonic();
    courier->ready_count = 0;
    enum error e = delivery_due(courier->db, courier->arena, clock_now(), room, &due);
    note_poll(courier, began, !e);
    courier->poll_failed = e != ERR_OK;
    courier->found_none = !e && due.n == 0;
    for (size_t i = 0; !e && i < due.n; i++)
        add_ready(courier, due.items[i].id);
    db_reset(courier->db);
    arena_reset(courier->arena);
}

static bool is_over(const struct courier *courier, int64_t until)
{
    bool no_more = courier->found_none || courier->poll_failed;
    size_t left = courier->job_count + courier->ready_count;
    return until ? clock_monotonic() >= until : no_more && !left;
}

/* What is under way ends, and is recorded when the database is there. */
static void linger(struct courier *courier)
{
    int64_t end = clock_monotonic() + LINGER_MS;
    courier->ready_count = 0;
    while (courier->job_count > 0 && clock_monotonic() < end) {
        poster_run(courier->poster, WAIT_MS, on_result);
        record_again(courier);
        courier->ready_count = 0;
    }
    if (courier->job_count > 0)
        log_error("problem=\"ended without recording what was sent\" deliveries=%zu",
                  courier->job_count);
}

bool courier_run(struct courier *courier, int64_t until, const volatile sig_atomic_t *stop)
{
    int64_t next_poll = 0;
    courier->found_none = courier->poll_failed = false;
    while (!*stop && !is_over(courier, until)) {
        bool idle = !courier->job_count && !until; /* then nothing but a poll can end it */
        if (idle || clock_monotonic() >= next_poll) {
            record_again(courier);
            poll_outbox(courier);
            next_poll = clock_monotonic() + POLL_MS;
        }
        claim_ready(courier);
        poster_run(courier->poster, courier->ready_count ? 0 : WAIT_MS, on_result);
    }
    linger(courier);
    return !courier->poll_failed;
}
