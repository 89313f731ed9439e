/* cron: how often a CronJob's schedule comes round, as github.com/robfig/cron/v3 reads it. */
#ifndef LOADLINE_KUBE_CRON_H
#define LOADLINE_KUBE_CRON_H

#include "base/str.h"

#define CRON_UNKNOWN INT64_MIN
#define CRON_NEVER   INT64_MAX

/* The longest time, in milliseconds, that can pass between two runs: a day for "0 3 * * *", three
 * for "0 9 * * 1-5". Five fields, @daily and its like, "@every 1h30m"; a TZ= prefix is ignored, and
 * so is daylight saving. CRON_UNKNOWN when it is no schedule, CRON_NEVER when it never comes. */
int64_t cron_longest_gap(struct str schedule);

#endif
