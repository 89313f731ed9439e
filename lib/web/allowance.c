#include "web/allowance.h"

#include <string.h>

#include "base/hash.h"
#include "base/rand.h"
#include "service/http.h"
#include "store/rate.h"
#include "web/rate_limit.h"

enum { TALLIES = 1024 };

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

static enum error tell(const struct taking *t, const struct tally *tally)
{
    return rate_add_many(t->r->db, rate_limit_name(tally->class),
                         (struct str){tally->subject, UUID_TEXT_LEN}, t->r->now, t->window,
                         tally->fresh);
}

static bool is_over(const struct taking *t, int64_t since)
{
    return t->r->now >= since + t->window || since >= t->r->now + t->window;
}

/* Whoever had the place is told to the database as far as it is not yet. */
static enum error find(struct taking *t)
{
    static uint64_t seed;
    if (seed == 0)
        rand_bytes(&seed, sizeof seed);
    struct tally *tally = &tallies[hash_bytes(seed, t->subject) % TALLIES];
    bool same = is_of(tally, t), over = is_over(t, tally->since);
    enum error e = !same && !over && tally->fresh ? tell(t, tally) : ERR_OK;
    t->tally = tally;
    if (same && !over)
        return e;
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
    if (class == RATE_GATE && !http_is_cgi() && t.limit >= ALLOWANCE_STEP * 100)
        t.step = ALLOWANCE_STEP;
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
    enum error e = take(r, class, who->user.p ? who->user : who->key, 1);
    return e ? e : take(r, class, who->tenant, ALLOWANCE_OF_TENANT);
}
