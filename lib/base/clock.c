#include "base/clock.h"

#include <stdio.h>
#include <time.h>

/* The years 0001 to 9999: from, and before. */
static const int64_t YEAR_1 = INT64_C(-62135596800000), YEAR_10000 = INT64_C(253402300800000);

static int64_t ask(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * CLOCK_SECOND + now.tv_nsec / 1000000;
}

int64_t clock_now(void)
{
    return ask(CLOCK_REALTIME);
}

int64_t clock_monotonic(void)
{
    return ask(CLOCK_MONOTONIC);
}

/* Days from 1970-01-01 in the proleptic Gregorian calendar, and back. The year is counted from
 * March, so that the leap day is its last; eras of 400 years repeat. */
static int64_t days_of(int64_t year, int month, int day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

static void date_of(int64_t days, int *year, int *month, int *day)
{
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t day_of_era = days - era * 146097;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t shifted = (5 * day_of_year + 2) / 153;
    *day = (int)(day_of_year - (153 * shifted + 2) / 5 + 1);
    *month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
    *year = (int)(year_of_era + era * 400 + (*month <= 2));
}

/* Takes exactly n digits from the start of *text, in a range. */
static bool take_number(struct str *text, size_t n, int min, int max, int *out)
{
    int value = 0;
    if (text->n < n)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (text->p[i] < '0' || text->p[i] > '9')
            return false;
        value = value * 10 + (text->p[i] - '0');
    }
    *text = str_sub(*text, n, text->n);
    *out = value;
    return value >= min && value <= max;
}

static bool take_char(struct str *text, char c)
{
    bool there = text->n && (text->p[0] == c || (c >= 'A' && text->p[0] == c + ('a' - 'A')));
    if (there)
        *text = str_sub(*text, 1, text->n);
    return there;
}

static bool take_date(struct str *text, int64_t *days)
{
    static const int LENGTH[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day;
    if (!take_number(text, 4, 1, 9999, &year) || !take_char(text, '-') ||
        !take_number(text, 2, 1, 12, &month) || !take_char(text, '-') ||
        !take_number(text, 2, 1, 31, &day))
        return false;
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    *days = days_of(year, month, day);
    return day <= LENGTH[month - 1] + (month == 2 && leap);
}

/* Digits after a point, as nanoseconds. */
static bool take_fraction(struct str *text, int *nanos)
{
    int digit;
    *nanos = 0;
    if (!take_char(text, '.'))
        return true;
    if (!text->n || *text->p < '0' || *text->p > '9')
        return false;
    for (int unit = 100000000; take_number(text, 1, 0, 9, &digit); unit /= 10)
        *nanos += digit * unit;
    return true;
}

/* A leap second (60) is read as the first moment of the next minute. */
static bool take_time(struct str *text, int64_t *ms, int *nanos)
{
    int hour, minute, second;
    if (!take_number(text, 2, 0, 23, &hour) || !take_char(text, ':') ||
        !take_number(text, 2, 0, 59, &minute) || !take_char(text, ':') ||
        !take_number(text, 2, 0, 60, &second) || !take_fraction(text, nanos))
        return false;
    *ms = (int64_t)hour * CLOCK_HOUR + (int64_t)minute * CLOCK_MINUTE + second * CLOCK_SECOND +
          *nanos / 1000000;
    *nanos %= 1000000;
    return true;
}

static bool take_offset(struct str *text, int64_t *ms)
{
    int hour, minute;
    *ms = 0;
    if (take_char(text, 'Z'))
        return true;
    bool west = take_char(text, '-');
    if ((!west && !take_char(text, '+')) || !take_number(text, 2, 0, 23, &hour) ||
        !take_char(text, ':') || !take_number(text, 2, 0, 59, &minute))
        return false;
    *ms = (int64_t)hour * CLOCK_HOUR + (int64_t)minute * CLOCK_MINUTE;
    if (west)
        *ms = -*ms;
    return true;
}

int64_t clock_parse_nanos(struct str text, int *nanos)
{
    int64_t days, time, offset;
    if (!take_date(&text, &days) || !take_char(&text, 'T') || !take_time(&text, &time, nanos) ||
        !take_offset(&text, &offset) || text.n != 0)
        return TIME_NONE;
    int64_t ms = days * CLOCK_DAY + time - offset;
    return ms >= YEAR_1 && ms < YEAR_10000 ? ms : TIME_NONE;
}

int64_t clock_parse(struct str text)
{
    int nanos;
    return clock_parse_nanos(text, &nanos);
}

int64_t clock_join(const struct clock_parts *t)
{
    return days_of(t->year, t->month, t->day) * CLOCK_DAY + (int64_t)t->hour * CLOCK_HOUR +
           (int64_t)t->minute * CLOCK_MINUTE + t->second * CLOCK_SECOND + t->millisecond;
}

bool clock_split(int64_t ms, struct clock_parts *t)
{
    if (ms < YEAR_1 || ms >= YEAR_10000)
        return false;
    int64_t days = ms / CLOCK_DAY - (ms % CLOCK_DAY < 0);
    int time = (int)(ms - days * CLOCK_DAY);
    date_of(days, &t->year, &t->month, &t->day);
    t->hour = time / CLOCK_HOUR;
    t->minute = time / CLOCK_MINUTE % 60;
    t->second = time / CLOCK_SECOND % 60;
    t->millisecond = time % CLOCK_SECOND;
    return true;
}

static char *put_number(char *out, int value, int digits)
{
    for (int i = digits; i-- > 0; value /= 10)
        out[i] = (char)('0' + value % 10);
    return out + digits;
}

enum decimals { DECIMALS_0 = 0, DECIMALS_3 = 3, DECIMALS_9 = 9 };

/* By hand: an answer may hold thousands, and printf is several times as slow. */
static struct str format(int64_t ms, int nanos, char out[CLOCK_TEXT_SIZE], enum decimals decimals)
{
    struct clock_parts t;
    char *p = out;
    if (clock_split(ms, &t)) {
        p = put_number(p, t.year, 4);
        *p++ = '-';
        p = put_number(p, t.month, 2);
        *p++ = '-';
        p = put_number(p, t.day, 2);
        *p++ = 'T';
        p = put_number(p, t.hour, 2);
        *p++ = ':';
        p = put_number(p, t.minute, 2);
        *p++ = ':';
        p = put_number(p, t.second, 2);
        if (decimals) {
            *p++ = '.';
            p = put_number(p, t.millisecond, 3);
        }
        if (decimals == DECIMALS_9)
            p = put_number(p, nanos, 6);
        *p++ = 'Z';
    }
    *p = '\0';
    return (struct str){out, (size_t)(p - out)};
}

struct str clock_format(int64_t ms, char out[CLOCK_TEXT_SIZE])
{
    return format(ms, 0, out, DECIMALS_3);
}

struct str clock_format_next(int64_t ms, struct clock_text *last)
{
    enum { TIME_AT = 11, LENGTH = 24 }; /* of YYYY-MM-DDThh:mm:ss.mmmZ */
    if (!last->text[0] || ms < last->day || ms >= last->day + CLOCK_DAY) {
        struct str text = clock_format(ms, last->text);
        last->day = text.n ? ms - (ms % CLOCK_DAY + CLOCK_DAY) % CLOCK_DAY : 0;
        return text;
    }
    int time = (int)(ms - last->day), seconds = time / 1000, minutes = seconds / 60;
    char *p = put_number(last->text + TIME_AT, minutes / 60, 2) + 1;
    p = put_number(p, minutes % 60, 2) + 1;
    p = put_number(p, seconds % 60, 2) + 1;
    put_number(p, time % 1000, 3);
    return (struct str){last->text, LENGTH};
}

struct str clock_format_nanos(int64_t ms, int nanos, char out[CLOCK_TEXT_SIZE])
{
    return format(ms, nanos, out, nanos ? DECIMALS_9 : DECIMALS_3);
}

struct str clock_format_short(int64_t ms, char out[CLOCK_TEXT_SIZE])
{
    return format(ms, 0, out, ms % CLOCK_SECOND != 0 ? DECIMALS_3 : DECIMALS_0);
}

static const struct {
    int64_t ms;
    const char *name;
} AGE_UNITS[] = {{CLOCK_DAY, "d"}, {CLOCK_HOUR, "h"}, {CLOCK_MINUTE, "min"}, {CLOCK_SECOND, "s"}};

static size_t age_unit(int64_t ms)
{
    size_t i = 0;
    while (i + 1 < sizeof AGE_UNITS / sizeof *AGE_UNITS && ms < AGE_UNITS[i].ms)
        i++;
    return i;
}

int64_t clock_age_unit(int64_t ms)
{
    return AGE_UNITS[age_unit(ms)].ms;
}

struct str clock_format_age(int64_t ms, char out[CLOCK_TEXT_SIZE])
{
    size_t unit = age_unit(ms);
    int64_t count = ms < 0 ? 0 : ms / AGE_UNITS[unit].ms;
    int n = snprintf(out, CLOCK_TEXT_SIZE, "%lld %s", (long long)count, AGE_UNITS[unit].name);
    return (struct str){out, (size_t)n};
}
