#include "kube/cron.h"

#include "base/clock.h"

enum { DAYS_WATCHED = 9 * 365 + 3, YEAR_WATCHED = 2024 };

/* Bit i: the value i is in the field. */
struct field {
    uint64_t bits;
    bool star; /* "*" or "?", which leaves the choice of days to the other field of days */
};

struct bounds {
    unsigned low, high;
    const char *names; /* three letters a value from `low` on, or NULL */
};

enum { FIELD_MINUTE, FIELD_HOUR, FIELD_DAY, FIELD_MONTH, FIELD_WEEKDAY, FIELDS };

static const struct bounds field_bounds[FIELDS] = {
    {0, 59, NULL},
    {0, 23, NULL},
    {1, 31, NULL},
    {1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"},
    {0, 6, "sunmontuewedthufrisat"},
};

struct schedule {
    struct field fields[FIELDS];
};

static bool read_value(struct str text, const struct bounds *bounds, unsigned *out)
{
    uint64_t number;
    if (str_to_u64(text, &number)) {
        *out = (unsigned)(number > 99 ? 99 : number);
        return true;
    }
    for (unsigned i = bounds->low; bounds->names && text.n == 3 && i <= bounds->high; i++)
        if (str_eq_nocase(text, (struct str){bounds->names + (size_t)(i - bounds->low) * 3, 3})) {
            *out = i;
            return true;
        }
    return false;
}

/* "*", "3", "3-7", each with an optional "/step"; "3/5" runs from 3 to the end. */
static bool read_range(struct str text, const struct bounds *bounds, struct field *field)
{
    struct str range, step_text, from, to;
    unsigned low, high;
    uint64_t step = 1;
    bool stepped = str_cut(text, '/', &range, &step_text);
    if (stepped && (!str_to_u64(step_text, &step) || step == 0))
        return false;
    if (str_eq(range, STR("*")) || str_eq(range, STR("?"))) {
        low = bounds->low;
        high = bounds->high;
        field->star |= step == 1;
    } else if (str_cut(range, '-', &from, &to)) {
        if (!read_value(from, bounds, &low) || !read_value(to, bounds, &high))
            return false;
    } else {
        if (!read_value(range, bounds, &low))
            return false;
        high = stepped ? bounds->high : low;
    }
    if (low < bounds->low || high > bounds->high || low > high)
        return false;
    for (uint64_t i = low; i <= high && step <= bounds->high + 1; i += step)
        field->bits |= UINT64_C(1) << i;
    field->bits |= UINT64_C(1) << low;
    return true;
}

static bool read_field(struct str text, const struct bounds *bounds, struct field *field)
{
    struct str rest = text, part;
    *field = (struct field){0};
    do {
        str_cut(rest, ',', &part, &rest);
        if (part.n && !read_range(part, bounds, field))
            return false;
    } while (rest.n);
    return field->bits != 0;
}

/* Up to the next white space, tabs too. */
static size_t word_length(struct str text)
{
    size_t n = 0;
    while (n < text.n && str_trim(str_sub(text, n, 1)).n)
        n++;
    return n;
}

static bool read_fields(struct str text, struct schedule *schedule)
{
    struct str rest = str_trim(text);
    for (int i = 0; i < FIELDS; i++) {
        struct str part = str_sub(rest, 0, word_length(rest));
        rest = str_trim(str_sub(rest, part.n, rest.n));
        if (!read_field(part, &field_bounds[i], &schedule->fields[i]))
            return false;
    }
    return rest.n == 0;
}

static bool has(const struct field *field, unsigned value)
{
    return field->bits >> value & 1;
}

/* Both fields of days must agree, but when neither is a star one of them is enough. */
static bool runs_on(const struct schedule *schedule, unsigned month, unsigned day_of_month,
                    unsigned weekday)
{
    const struct field *days = &schedule->fields[FIELD_DAY];
    const struct field *weekdays = &schedule->fields[FIELD_WEEKDAY];
    if (!has(&schedule->fields[FIELD_MONTH], month))
        return false;
    if (days->star || weekdays->star)
        return has(days, day_of_month) && has(weekdays, weekday);
    return has(days, day_of_month) || has(weekdays, weekday);
}

static bool runs_every_day(const struct schedule *schedule)
{
    for (int i = FIELD_DAY; i <= FIELD_WEEKDAY; i++)
        for (unsigned value = field_bounds[i].low; value <= field_bounds[i].high; value++)
            if (!has(&schedule->fields[i], value))
                return false;
    return true;
}

/* Days from one day with a run to the next, at the most, seen over nine years from 1 January 2024,
 * a Monday, so that two 29 Februaries are among them. 0: no day has one. */
static int64_t longest_gap_in_days(const struct schedule *schedule)
{
    static const unsigned month_days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    unsigned year = YEAR_WATCHED, month = 1, day_of_month = 1;
    int64_t last = -1, longest = 0;
    if (runs_every_day(schedule))
        return 1;
    for (int i = 0; i < DAYS_WATCHED; i++) {
        if (runs_on(schedule, month, day_of_month, (unsigned)(i + 1) % 7)) {
            if (last >= 0 && i - last > longest)
                longest = i - last;
            last = i;
        }
        bool leap_day = month == 2 && year % 4 == 0;
        if (++day_of_month > month_days[month - 1] + leap_day) {
            day_of_month = 1;
            month = month % 12 + 1;
            year += month == 1;
        }
    }
    return longest;
}

static int64_t longest_gap(const struct schedule *schedule)
{
    int64_t first = -1, last = -1, longest = 0;
    int64_t days = longest_gap_in_days(schedule);
    for (int64_t at = 0; at < CLOCK_DAY; at += CLOCK_MINUTE) {
        if (!has(&schedule->fields[FIELD_HOUR], (unsigned)(at / CLOCK_HOUR)) ||
            !has(&schedule->fields[FIELD_MINUTE], (unsigned)(at % CLOCK_HOUR / CLOCK_MINUTE)))
            continue;
        if (last >= 0 && at - last > longest)
            longest = at - last;
        first = first < 0 ? at : first;
        last = at;
    }
    int64_t overnight = days * CLOCK_DAY - last + first;
    if (days == 0)
        return CRON_NEVER;
    return overnight > longest ? overnight : longest;
}

/* "1h30m10s": whole numbers with a unit. */
static int64_t read_duration(struct str text)
{
    int64_t total = 0;
    while (text.n) {
        size_t digits = str_digits(text);
        uint64_t number;
        if (digits == text.n || !str_to_u64(str_sub(text, 0, digits), &number) ||
            number > 1000000000)
            return CRON_UNKNOWN;
        char unit = text.p[digits];
        int64_t size = unit == 'h'   ? CLOCK_HOUR
                       : unit == 'm' ? CLOCK_MINUTE
                       : unit == 's' ? CLOCK_SECOND
                                     : 0;
        if (size == 0)
            return CRON_UNKNOWN;
        total += (int64_t)number * size;
        if (total > INT64_MAX / 2)
            return CRON_UNKNOWN;
        text = str_sub(text, digits + 1, text.n);
    }
    return total ? total : CRON_UNKNOWN;
}

static int64_t read_descriptor(struct str text)
{
    static const struct {
        const char *name;
        int64_t days;
    } rows[] = {{"@yearly", 366}, {"@annually", 366}, {"@monthly", 31},
                {"@weekly", 7},   {"@daily", 1},      {"@midnight", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_eq(text, str_of(rows[i].name)))
            return rows[i].days * CLOCK_DAY;
    if (str_eq(text, STR("@hourly")))
        return CLOCK_HOUR;
    if (str_has_prefix(text, STR("@every ")))
        return read_duration(str_trim(str_sub(text, 7, text.n)));
    return CRON_UNKNOWN;
}

int64_t cron_longest_gap(struct str schedule)
{
    struct schedule parsed;
    schedule = str_trim(schedule);
    if (str_has_prefix(schedule, STR("TZ=")) || str_has_prefix(schedule, STR("CRON_TZ="))) {
        str_cut(schedule, ' ', NULL, &schedule);
        schedule = str_trim(schedule);
    }
    if (str_has_prefix(schedule, STR("@")))
        return read_descriptor(schedule);
    return read_fields(schedule, &parsed) ? longest_gap(&parsed) : CRON_UNKNOWN;
}
