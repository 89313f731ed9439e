#include "service/waiting.h"

#include "base/asserts.h"
#include "base/hash.h"

/* The list holds what can be served in a LIST_PART of the limit: what comes on top of that (the
 * request that is under way, the wait before the list) stays within the limit, too. */
enum { LIST_PART = 3, MEAN_WEIGHT = 8, LONG_REQUESTS = 2 };

void waiting_init(struct waiting *waiting, uint64_t seed, int64_t limit)
{
    assert(limit > 0);
    *waiting = (struct waiting){.seed = seed, .limit = limit};
}

/* ---- what is remembered: the newest of those that share a slot ---- */

static uint64_t recall(const struct waiting_fact *facts, size_t n, uint64_t name)
{
    const struct waiting_fact *fact = &facts[name % n];
    return fact->name == name ? fact->value : 0;
}

static void remember(struct waiting_fact *facts, size_t n, uint64_t name, uint64_t value)
{
    facts[name % n] = (struct waiting_fact){name, value};
}

/* 0 stands for nobody. */
static uint64_t name_of(uint64_t seed, struct str text)
{
    return hash_bytes(seed, text) | 1;
}

/* ---- who waits ---- */

int waiting_free(const struct waiting *waiting)
{
    for (int i = 0; i < WAITING_MAX; i++)
        if (waiting->places[i].state == PLACE_FREE)
            return i;
    return WAITING_NONE;
}

void waiting_put(struct waiting *waiting, int place, struct str credential, struct str cluster,
                 int64_t since)
{
    struct waiting_place *who = &waiting->places[place];
    uint64_t key = name_of(waiting->seed, credential);
    assert(who->state == PLACE_FREE);
    *who = (struct waiting_place){.state = PLACE_WAITS,
                                  .credential = key,
                                  .cluster = cluster.n ? name_of(key, cluster) : 0,
                                  .tenant = recall(waiting->tenants, WAITING_CLUSTERS, key),
                                  .sequence = ++waiting->sequence,
                                  .since = since};
    waiting->count++;
}

bool waiting_is_at(const struct waiting *waiting, int place)
{
    return waiting->places[place].state == PLACE_WAITS;
}

static int take(struct waiting *waiting, int place)
{
    assert(waiting_is_at(waiting, place) && waiting->count > 0);
    waiting->places[place].state = PLACE_TAKEN;
    waiting->count--;
    return place;
}

void waiting_leave(struct waiting *waiting, int place)
{
    take(waiting, place);
}

static uint64_t served_of(const struct waiting *waiting, const struct waiting_place *who)
{
    return recall(waiting->served, WAITING_CLUSTERS, who->cluster);
}

/* A tenant that has asked for nothing meanwhile has saved nothing up. */
static uint64_t had_of(const struct waiting *waiting, const struct waiting_place *who)
{
    uint64_t had = recall(waiting->had, WAITING_TENANTS, who->tenant);
    return had > waiting->clock ? had : waiting->clock;
}

/* ---- who is sent away ---- */

static bool is_crowded(const struct waiting *waiting)
{
    int64_t needed = waiting->count * waiting->mean;
    return waiting->count > 1 &&
           (waiting->count == WAITING_MAX || needed > waiting->limit * 1000 / LIST_PART);
}

/* Where requests take longer than they may wait, the next one is not to blame. */
static bool is_late(const struct waiting *waiting, const struct waiting_place *who, int64_t now)
{
    int64_t least = LONG_REQUESTS * waiting->mean / 1000;
    return now - who->since > (waiting->limit > least ? waiting->limit : least);
}

static int find_late(const struct waiting *waiting, int64_t now)
{
    for (int i = 0; i < WAITING_MAX; i++)
        if (waiting_is_at(waiting, i) && is_late(waiting, &waiting->places[i], now))
            return i;
    return WAITING_NONE;
}

static bool has_newer(const struct waiting *waiting, const struct waiting_place *who)
{
    for (int i = 0; i < WAITING_MAX; i++)
        if (waiting_is_at(waiting, i) && waiting->places[i].cluster == who->cluster &&
            waiting->places[i].sequence > who->sequence)
            return who->cluster != 0;
    return false;
}

static int find_superseded(const struct waiting *waiting)
{
    int oldest = WAITING_NONE;
    for (int i = 0; i < WAITING_MAX; i++)
        if (waiting_is_at(waiting, i) &&
            (oldest < 0 || waiting->places[i].sequence < waiting->places[oldest].sequence) &&
            has_newer(waiting, &waiting->places[i]))
            oldest = i;
    return oldest;
}

static unsigned count_of(const struct waiting *waiting, uint64_t tenant)
{
    unsigned n = 0;
    for (int i = 0; i < WAITING_MAX; i++)
        n += waiting_is_at(waiting, i) && waiting->places[i].tenant == tenant;
    return n;
}

/* Of two of the same tenant the one whose cluster was served last can wait; then the newcomer. */
static bool can_wait_rather(const struct waiting *waiting, const struct waiting_place *one,
                            const struct waiting_place *other)
{
    uint64_t one_served = served_of(waiting, one), other_served = served_of(waiting, other);
    if (one_served != other_served)
        return one_served > other_served;
    return one->sequence > other->sequence;
}

/* Of the tenant with most waiting; of two with as many, of the one that has had more. */
static bool goes_rather(const struct waiting *waiting, const struct waiting_place *one,
                        const struct waiting_place *other)
{
    if (one->tenant == other->tenant)
        return can_wait_rather(waiting, one, other);
    unsigned one_count = count_of(waiting, one->tenant);
    unsigned other_count = count_of(waiting, other->tenant);
    if (one_count != other_count)
        return one_count > other_count;
    uint64_t one_had = had_of(waiting, one), other_had = had_of(waiting, other);
    return one_had != other_had ? one_had > other_had : can_wait_rather(waiting, one, other);
}

static int find_least_urgent(const struct waiting *waiting)
{
    int chosen = WAITING_NONE;
    for (int i = 0; i < WAITING_MAX; i++)
        if (waiting_is_at(waiting, i) &&
            (chosen < 0 || goes_rather(waiting, &waiting->places[i], &waiting->places[chosen])))
            chosen = i;
    return chosen;
}

int waiting_refuse(struct waiting *waiting, int64_t now, enum waiting_shed *why)
{
    int place = find_late(waiting, now);
    *why = WAITING_LATE;
    if (place >= 0)
        return take(waiting, place);
    if (!is_crowded(waiting))
        return WAITING_NONE;
    place = find_superseded(waiting);
    *why = place >= 0 ? WAITING_SUPERSEDED : WAITING_CROWDED;
    return take(waiting, place >= 0 ? place : find_least_urgent(waiting));
}

/* ---- whose turn it is ---- */

static bool goes_first(const struct waiting *waiting, const struct waiting_place *one,
                       const struct waiting_place *other)
{
    uint64_t one_had = had_of(waiting, one), other_had = had_of(waiting, other);
    uint64_t one_served = served_of(waiting, one), other_served = served_of(waiting, other);
    if (one_had != other_had)
        return one_had < other_had;
    return one_served != other_served ? one_served < other_served : one->sequence < other->sequence;
}

int waiting_serve(struct waiting *waiting, int64_t now)
{
    int first = WAITING_NONE;
    for (int i = 0; i < WAITING_MAX; i++)
        if (waiting_is_at(waiting, i) &&
            (first < 0 || goes_first(waiting, &waiting->places[i], &waiting->places[first])))
            first = i;
    if (first < 0)
        return WAITING_NONE;
    struct waiting_place *who = &waiting->places[take(waiting, first)];
    who->begun = now;
    who->is_served = true;
    waiting->clock = had_of(waiting, who);
    remember(waiting->served, WAITING_CLUSTERS, who->cluster, ++waiting->sequence);
    return first;
}

void waiting_know(struct waiting *waiting, int place, struct str tenant)
{
    struct waiting_place *who = &waiting->places[place];
    assert(who->state == PLACE_TAKEN);
    who->is_known = true;
    remember(waiting->tenants, WAITING_CLUSTERS, who->credential, name_of(waiting->seed, tenant));
}

/* What was refused on the way, such as a wrong key, says nothing about how long others take. */
void waiting_end(struct waiting *waiting, int place, int64_t now)
{
    struct waiting_place *who = &waiting->places[place];
    int64_t took = now > who->begun ? now - who->begun : 0;
    assert(who->state == PLACE_TAKEN);
    who->state = PLACE_FREE;
    if (!who->is_served)
        return;
    remember(waiting->had, WAITING_TENANTS, who->tenant, had_of(waiting, who) + (uint64_t)took);
    if (who->is_known)
        waiting->mean += waiting->mean ? (took * 1000 - waiting->mean) / MEAN_WEIGHT : took * 1000;
}
