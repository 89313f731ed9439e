/* clock: time as milliseconds since 1970-01-01T00:00:00Z (int64_t), and its RFC 3339 text.
 *
 * Only programs, deliver, service, web and log.h ask clock_now(); everything else takes the time as
 * a parameter. TIME_NONE stands for "no time".
 */
#ifndef LOADLINE_BASE_CLOCK_H
#define LOADLINE_BASE_CLOCK_H

#include "base/str.h"

#define TIME_NONE    INT64_MIN
#define CLOCK_SECOND INT64_C(1000)
#define CLOCK_MINUTE (60 * CLOCK_SECOND)
#define CLOCK_HOUR   (60 * CLOCK_MINUTE)
#define CLOCK_DAY    (24 * CLOCK_HOUR)
enum { CLOCK_TEXT_SIZE = 32 };

int64_t clock_now(void);       /* wall clock */
int64_t clock_monotonic(void); /* for measuring, never goes back */

/* The same moment by the calendar; month and day from 1. */
struct clock_parts {
    int year, month, day, hour, minute, second, millisecond;
};
int64_t clock_join(const struct clock_parts *parts);
/* False, with *parts of no meaning, for TIME_NONE and outside the years 0001 to 9999. */
bool clock_split(int64_t ms, struct clock_parts *parts);

/* RFC 3339: YYYY-MM-DDThh:mm:ss[.fraction](Z|+hh:mm|-hh:mm), T and Z in either case; fractions
 * beyond milliseconds are cut. TIME_NONE when it is not one, and outside the years 0001 to 9999 of
 * UTC. No locale, no time zone database. */
int64_t clock_parse(struct str text);
/* The same; *nanos (0 to 999999) is what the milliseconds cut off, of at most nine digits. */
int64_t clock_parse_nanos(struct str text, int *nanos);
/* "2026-03-17T12:14:19.000Z" (always three decimals) into out; returns out as a slice. Years 0001
 * to 9999; anything else becomes "". */
struct str clock_format(int64_t ms, char out[CLOCK_TEXT_SIZE]);
/* The same, and quicker for a time of the same day as the last one. last is zeroed before the
 * first; the slice is of its text. */
struct clock_text {
    int64_t day; /* when it began */
    char text[CLOCK_TEXT_SIZE];
};
struct str clock_format_next(int64_t ms, struct clock_text *last);
/* The same with nine decimals, unless nanos is 0. */
struct str clock_format_nanos(int64_t ms, int nanos, char out[CLOCK_TEXT_SIZE]);
/* The same without decimals when they are zero, as Kubernetes prints. */
struct str clock_format_short(int64_t ms, char out[CLOCK_TEXT_SIZE]);
/* A duration for people: "45 s", "12 min", "3 h", "4 d" (the largest unit of which there is at
 * least one; negative counts as 0). */
struct str clock_format_age(int64_t ms, char out[CLOCK_TEXT_SIZE]);
/* The unit in which it is told, in ms: the text stays the same until one more of them has passed.
 */
int64_t clock_age_unit(int64_t ms);

#endif
