#include "store/retention_moment.h"

#include "codec/point_chunk.h"
#include "store/history_rollup.h"

enum {
    LEDGER_MARGIN_DAYS =
        2, /* the ledger of a moment, and the whole one that it is a difference from */
    TEXT_MARGIN_DAYS = 3
};

static int64_t days_ago(const struct retention_terms *terms, int64_t days)
{
    return terms->now - days * CLOCK_DAY;
}

/* Not in the middle of a step, which is told instead. */
static int64_t oldest_point(const struct retention_terms *terms)
{
    int64_t days = terms->conf->history_days;
    return history_rollup_step(days_ago(terms, days < terms->plan_days ? days : terms->plan_days));
}

/* Points stay until a step tells them. What the plan does not keep goes all the same. */
static int64_t oldest_row(const struct retention_terms *terms)
{
    int64_t first = oldest_point(terms);
    int64_t plan = history_rollup_step(days_ago(terms, terms->plan_days));
    if (terms->rolled == TIME_NONE || terms->rolled >= first)
        return first;
    return terms->rolled > plan ? terms->rolled : plan;
}

static int64_t oldest_ledger(const struct retention_terms *terms)
{
    int64_t oldest = days_ago(terms, terms->plan_days + LEDGER_MARGIN_DAYS);
    return terms->ledger_base != TIME_NONE && terms->ledger_base < oldest ? terms->ledger_base
                                                                          : oldest;
}

int64_t retention_moment(const struct retention_terms *terms, enum kept kept)
{
    switch (kept) {
    case KEPT_PLAN:
        break;
    case KEPT_POINTS:
        return oldest_row(terms);
    case KEPT_CHUNK:
        return oldest_point(terms) - POINT_CHUNK_MS;
    case KEPT_LEDGER:
        return oldest_ledger(terms);
    case KEPT_TEXT:
        return days_ago(terms, terms->plan_days + TEXT_MARGIN_DAYS);
    case KEPT_LOGS:
        return days_ago(terms, terms->conf->log_retention_days);
    case KEPT_DAY:
        return days_ago(terms, 1);
    }
    return days_ago(terms, terms->plan_days);
}
