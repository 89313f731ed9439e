/* turns: whose turn it is at a worker when requests that keep it busy for long come faster than it
 * can answer. It knows of each client how long it has kept the worker busy lately. While others
 * wait, a client that had more than its share is sent away, and one that had little is served.
 * Every worker keeps its own. Time is a parameter, in milliseconds.
 */
#ifndef LOADLINE_SERVICE_TURNS_H
#define LOADLINE_SERVICE_TURNS_H

#include "base/str.h"

enum { TURNS_CLIENTS = 64 }; /* known at a time; who owes least is forgotten first */

struct turns_client {
    uint64_t name;      /* a hash of it; 0: nobody */
    int64_t debt, seen; /* debt: as of seen */
};

struct turns {
    uint64_t seed; /* secret, so that nobody shares another's share by choice */
    int64_t debt;  /* of all, as of `at` */
    int64_t at;
    struct turns_client clients[TURNS_CLIENTS];
    struct turns_client *served;
    int64_t begun;
};

/* May a request of this client begin? waiting: others wait at this moment. timeout: how long they
 * may. True begins it. A client alone may keep the worker busy for `timeout` without a break. Where
 * another one asks too, a quarter of the time is its share. */
bool turns_begin(struct turns *turns, struct str client, bool waiting, int64_t now,
                 int64_t timeout);
/* The request that has begun, if one has, is over. */
void turns_end(struct turns *turns, int64_t now);

#endif
