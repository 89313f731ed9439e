#include "web/allowance.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "base/rand.h"
#include "service/http.h"
#include "store/rate.h"
#include "web/rate_limit.h"

/* A subject has WAYS places, so that busy ones seldom drive each other out. */
enum { WAYS = 4, TALLIES = 1024 };

/* What this worker knows of one subject's window. */
struct tally {
    char subject[UUID_TEXT_LEN]; /* the first byte 0: of nobody */
    enum rate_class class;
    int64_t since;
    int64_t told;  /* that the database has counted */
    int64_t fresh; /* counted here since */
};

/* Of each worker; plain CGI has no time to gather anything. */
static struct tally tallies[TALLIES];

struct taking {
    struct request *r;
    enum rate_class class;
    struct str subject;
    int64_t limit, window, step;
    struct tally *tally;
};

static bool is_of(const struct tally *tally, const struct taking *t)
{
    return tally->class == t->class &&
           str_eq((struct str){tally->subject, UUID_TEXT_LEN}, t->subject);
}

static int64_t window_of(const struct taking *t, const struct tally *tally)
{
    return rate_limit_of(t->r->conf, tally->class).seconds * 1000;
}

static enum error tell(const struct taking *t, const struct tally *tally)
{
    return rate_add_many(t->r->db, rate_limit_name(tally->class),
                         (struct str){tally->subject, UUID_TEXT_LEN}, t->r->now,
                         window_of(t, tally), tally->fresh);
}

static bool is_over(const struct taking *t, const struct tally *tally)
{
    int64_t now = t->r->now, window = window_of(t, tally);
    return tally->subject[0] == '\0' || now >= tally->since + window ||
           tally->since >= now + window;
}

/* Its own place; else one of nobody, or of whoever counted the least here since it last told. */
static struct tally *place_of(const struct taking *t)
{
    static uint64_t seed;
    if (seed == 0)
        rand_bytes(&seed, sizeof seed);
    struct tally *set = &tallies[hash_bytes(seed, t->subject) % (TALLIES / WAYS) * WAYS];
    struct tally *best = set;
    for (size_t i = 0; i < WAYS; i++) {
        if (is_of(&set[i], t))
            return &set[i];
        if (!is_over(t, best) && (is_over(t, &set[i]) || set[i].fresh < best->fresh))
            best = &set[i];
    }
    return best;
}

/* Whoever had the place is told to the database as far as it is not yet. */
static enum error find(struct taking *t)
{
    struct tally *tally = place_of(t);
    bool over = is_over(t, tally);
    enum error e = ERR_OK;
    t->tally = tally;
    if (is_of(tally, t) && !over)
        return e;
    if (!over && tally->fresh)
        e = tell(t, tally);
    *tally = (struct tally){.class = t->class, .since = t->r->now};
    memcpy(tally->subject, t->subject.p, UUID_TEXT_LEN);
    return e;
}

/* What all workers have counted, with what is fresh here. */
static enum error settle(const struct taking *t)
{
    struct request *r = t->r;
    struct tally *tally = t->tally;
    enum error e = tell(t, tally);
    tally->fresh = 0;
    return e ? e
             : rate_fetch(r->db, r->arena, rate_limit_name(t->class), t->subject, r->now, t->window,
                          &tally->since, &tally->told);
}

static enum error limited(const struct taking *t)
{
    int64_t left = (t->tally->since + t->window - t->r->now + 999) / 1000;
    t->r->retry_after = left < 1 ? 1 : left;
    return ERR_RATE_LIMITED;
}

static enum error take(struct request *r, enum rate_class class, struct str subject, int64_t times)
{
    struct conf_rate rate = rate_limit_of(r->conf, class);
    struct taking t = {.r = r,
                       .class = class,
                       .subject = subject,
                       .limit = rate.count * times,
                       .window = rate.seconds * 1000,
                       .step = 1};
    if (t.limit == 0)
        return ERR_OK;
    assert(subject.n == UUID_TEXT_LEN);
    if (class == RATE_GATE && !http_is_cgi() && t.limit >= 2 * ALLOWANCE_PARTS)
        t.step = t.limit / ALLOWANCE_PARTS;
    enum error e = find(&t);
    if (e)
        return e;
    struct tally *tally = t.tally;
    if (tally->told >= t.limit)
        return limited(&t);
    tally->fresh++;
    if (tally->fresh >= t.step || tally->told + tally->fresh >= t.limit)
        e = settle(&t);
    return !e && tally->told > t.limit ? limited(&t) : e;
}

enum error allowance_take(struct request *r, enum rate_class class)
{
    const struct identity *who = &r->identity;
    assert(route_is_limited(r->route));
    enum error e = take(r, class, who->user.p ? who->user : who->key, 1);
    return e ? e : take(r, class, who->tenant, ALLOWANCE_OF_TENANT);
}
