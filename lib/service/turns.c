#include "service/turns.h"

#include "base/asserts.h"
#include "base/hash.h"

/* A debt grows by so many times what was spent and falls with time: who asks all the time gets half
 * of the worker, and a quarter where there are others. */
enum { ALL_TIMES = 2, CLIENT_TIMES = 4 };

static int64_t fallen(int64_t debt, int64_t elapsed)
{
    int64_t left = debt - (elapsed > 0 ? elapsed : 0);
    return left > 0 ? left : 0;
}

/* Its slot; a client that is not known takes that of who owes least, or was seen longest ago. */
static struct turns_client *find(struct turns *turns, uint64_t name, int64_t now)
{
    struct turns_client *least = &turns->clients[0];
    for (size_t i = 0; i < TURNS_CLIENTS; i++) {
        struct turns_client *client = &turns->clients[i];
        if (client->name == name)
            return client;
        int64_t owes = fallen(client->debt, now - client->seen);
        int64_t least_owes = fallen(least->debt, now - least->seen);
        if (owes < least_owes || (owes == least_owes && client->seen < least->seen))
            least = client;
    }
    *least = (struct turns_client){.name = name, .seen = now};
    return least;
}

static bool is_alone(const struct turns *turns, const struct turns_client *client, int64_t since)
{
    for (size_t i = 0; i < TURNS_CLIENTS; i++)
        if (&turns->clients[i] != client && turns->clients[i].name &&
            turns->clients[i].seen >= since)
            return false;
    return true;
}

static bool may(const struct turns *turns, const struct turns_client *client, bool alone,
                int64_t timeout)
{
    if (client->debt < timeout / 2)
        return turns->debt < 2 * timeout;
    return alone && turns->debt < timeout;
}

bool turns_begin(struct turns *turns, struct str client, bool waiting, int64_t now, int64_t timeout)
{
    assert(timeout > 0 && !turns->served);
    struct turns_client *who = find(turns, hash_bytes(turns->seed, client) | 1, now);
    bool alone = is_alone(turns, who, now - timeout);
    turns->debt = waiting ? fallen(turns->debt, now - turns->at) : 0;
    turns->at = now;
    who->debt = fallen(who->debt, now - who->seen);
    who->seen = now;
    if (waiting && !may(turns, who, alone, timeout))
        return false;
    turns->served = who;
    turns->begun = now;
    return true;
}

void turns_end(struct turns *turns, int64_t now)
{
    if (!turns->served)
        return;
    int64_t took = now > turns->begun ? now - turns->begun : 0;
    turns->served->debt += CLIENT_TIMES * took;
    turns->debt += ALL_TIMES * took;
    turns->served = NULL;
}
