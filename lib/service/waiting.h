/* waiting: requests that a worker has taken from its socket and not begun yet: whose turn it is,
 * and who is sent away because not all can be served in time. It knows each by its credential, by
 * the cluster that it is about, if it says so, and by the time since when it waits, and it holds no
 * connection: a place in here is a number. Every worker keeps its own. Time is a parameter, in
 * milliseconds.
 *
 * Tenants have equal shares of the worker's time, and of a tenant's clusters that one goes first
 * which has not been served for the longest time. Which tenant a credential belongs to is learned
 * from requests that were admitted. Those that are not known share what is one tenant's.
 */
#ifndef LOADLINE_SERVICE_WAITING_H
#define LOADLINE_SERVICE_WAITING_H

#include "base/str.h"

enum { WAITING_MAX = 128, WAITING_CLUSTERS = 1024, WAITING_TENANTS = 256, WAITING_NONE = -1 };

/* Why a request is sent away. */
enum waiting_shed {
    WAITING_STAYS,
    WAITING_SUPERSEDED, /* a newer one of its cluster waits, and there is no room for both */
    WAITING_CROWDED,    /* more wait than can be served within a third of the limit */
    WAITING_LATE,       /* it has waited for longer than the limit */
    WAITING_LEFT,       /* its client has gone away */
};

struct waiting_place {
    enum { PLACE_FREE, PLACE_WAITS, PLACE_TAKEN } state;
    uint64_t credential,
        cluster; /* hashes; tenant: 0 for all that are not known; cluster: of none */
    uint64_t tenant, sequence;
    int64_t since, begun;
    bool is_served; /* taken to be served, not to be sent away */
    bool is_known;  /* it was admitted */
};

struct waiting_fact {
    uint64_t name;
    uint64_t value;
};

struct waiting {
    uint64_t seed;  /* secret, so that nobody shares another's place by choice */
    int64_t limit;  /* how long a request may wait; more than 0 */
    int64_t mean;   /* of what a request takes, in microseconds; 0: not known */
    unsigned count; /* of those that wait */
    uint64_t sequence;
    uint64_t clock; /* what the tenant that is served has had of the worker's time */
    struct waiting_place places[WAITING_MAX];
    struct waiting_fact served[WAITING_CLUSTERS]; /* by cluster: when, as a sequence */
    struct waiting_fact had[WAITING_TENANTS];     /* by tenant: milliseconds of the worker's time */
    struct waiting_fact tenants[WAITING_CLUSTERS]; /* by credential */
};

/* Nobody waits. */
void waiting_init(struct waiting *waiting, uint64_t seed, int64_t limit);
/* A place that is free, or WAITING_NONE. */
int waiting_free(const struct waiting *waiting);
/* Somebody waits at a free place, since then. cluster: absent when it is about none: then nothing
 * newer takes its place. */
void waiting_put(struct waiting *waiting, int place, struct str credential, struct str cluster,
                 int64_t since);
/* Takes one that is to be sent away; WAITING_NONE when all may stay. */
int waiting_refuse(struct waiting *waiting, int64_t now, enum waiting_shed *why);
/* Takes the one whose turn it is; WAITING_NONE when nobody waits. */
int waiting_serve(struct waiting *waiting, int64_t now);
/* Takes one that waits there, because its client has left. */
void waiting_leave(struct waiting *waiting, int place);
bool waiting_is_at(const struct waiting *waiting, int place);
/* The one that was taken from there has been admitted, as this tenant's. */
void waiting_know(struct waiting *waiting, int place, struct str tenant);
/* What was taken from there is answered, and the place is free. */
void waiting_end(struct waiting *waiting, int place, int64_t now);

#endif
