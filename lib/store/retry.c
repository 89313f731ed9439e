#include "store/retry.h"

#include "base/log.h"

enum { REST = 2 /* times as long as the work */, BUSY_TRIES = 5 };

enum error retry_when_free(struct throttle *throttle, enum error (*work)(void *arg), void *arg)
{
    enum error e = ERR_DATABASE_BUSY;
    for (int i = 0; e == ERR_DATABASE_BUSY && i < BUSY_TRIES && !*throttle->stop; i++) {
        e = work(arg);
        throttle_rest(throttle, REST);
    }
    if (e == ERR_DATABASE_BUSY && !*throttle->stop)
        log_warn("problem=\"others have locked some rows: they are left for the next run\"");
    return e;
}
