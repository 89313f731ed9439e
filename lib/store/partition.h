/* partition: the days of the tables in partitions.def.
 *
 * A row belongs to the day of its time; what lies beyond the last day that was split off is in
 * p_future. To split days off p_future is cheap while it is empty and copies every row that it has
 * while pushes wait (some six seconds a million), so days are split off two weeks ahead, and a
 * p_future that has filled up is left alone until somebody asks for it (its rows go with time all
 * the same, see retention.h). To drop a day costs little, however many rows it has. Files are made
 * or removed either way, and pushes wait meanwhile: so it is one day at a time, and then a rest.
 *
 * Whoever changes a table waits for those who are using it, for a second at most, and meanwhile
 * others wait behind him; then he gives up, and tries again.
 */
#ifndef LOADLINE_STORE_PARTITION_H
#define LOADLINE_STORE_PARTITION_H

#include "db/db.h"
#include "store/throttle.h"

enum partition_change { PARTITION_SPLIT, PARTITION_DROPPED };

struct partition_report {
    const char *table;
    enum partition_change change;
    size_t days;
    int64_t first, last; /* times, the starts of these days */
};

struct partition_work {
    struct db *db; /* of an account that may change tables; holds a lock until it is freed:
                    * others find nothing to do meanwhile */
    struct arena *arena;
    int64_t now;
    int64_t plan_days, logs_days; /* how long rows are kept */
    bool only_show;               /* changes nothing */
    int64_t split_max;            /* rows that p_future may have to be split */
    struct throttle *throttle;
    void (*tell)(void *context, const struct partition_report *report); /* of what was done */
    void *context;
};

/* Splits off days to come and drops days that are over. *complete: nothing is left to do. Several
 * may run at once: one of them does it. */
enum error partition_maintain(const struct partition_work *work, bool *complete);

#endif
