#include "kube/quantity.h"

#include "base/buf.h"

__extension__ typedef unsigned __int128 u128;

/* Digits beyond these cannot change a result that fits: see to_thousandths(). */
enum { FRACTION_DIGITS = 17, EXPONENT_MAX = 1000 };

enum { MEMORY_TEXT_MAX = 32 };

struct decimal {
    u128 digits;  /* as one number, the point left out */
    int fraction; /* how many of them stand after the point */
    bool negative;
    bool inexact; /* digits other than 0 were dropped */
    bool beyond;  /* more than fits in `digits` */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void add_digit(struct decimal *number, char c)
{
    u128 digit = (u128)(c - '0');
    if (__builtin_mul_overflow(number->digits, (u128)10, &number->digits) ||
        __builtin_add_overflow(number->digits, digit, &number->digits))
        number->beyond = true;
}

/* Reads "[+-]digits[.digits]" from the start of *text. */
static bool read_decimal(struct str *text, struct decimal *number)
{
    struct str s = *text;
    bool any = false, point = false;
    *number = (struct decimal){0};
    if (s.n && (s.p[0] == '+' || s.p[0] == '-')) {
        number->negative = s.p[0] == '-';
        s = str_sub(s, 1, s.n);
    }
    for (; s.n && (is_digit(s.p[0]) || (s.p[0] == '.' && !point)); s = str_sub(s, 1, s.n)) {
        if (s.p[0] == '.') {
            point = true;
            continue;
        }
        any = true;
        if (number->fraction == FRACTION_DIGITS) {
            number->inexact |= s.p[0] != '0';
            continue;
        }
        add_digit(number, s.p[0]);
        number->fraction += point;
    }
    *text = s;
    return any;
}

/* What follows the number: a power of ten or of two. */
static bool read_suffix(struct str s, int *ten, int *two)
{
    static const struct {
        char text[3];
        int ten, two;
    } suffixes[] = {
        {"", 0, 0},    {"m", -3, 0},  {"k", 3, 0},   {"M", 6, 0},   {"G", 9, 0},   {"T", 12, 0},
        {"P", 15, 0},  {"E", 18, 0},  {"Ki", 0, 10}, {"Mi", 0, 20}, {"Gi", 0, 30}, {"Ti", 0, 40},
        {"Pi", 0, 50}, {"Ei", 0, 60}, {"u", -6, 0},  {"n", -9, 0},
    };
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (str_eq(s, str_of(suffixes[i].text))) {
            *ten = suffixes[i].ten;
            *two = suffixes[i].two;
            return true;
        }
    struct str power = str_sub(s, 1, s.n);
    int64_t exponent;
    if (s.n < 2 || (s.p[0] != 'e' && s.p[0] != 'E'))
        return false;
    if (str_has_prefix(power, STR("+")) && !str_has_prefix(power, STR("+-")))
        power = str_sub(power, 1, power.n);
    if (!str_to_i64(power, &exponent))
        return false;
    exponent = exponent > EXPONENT_MAX ? EXPONENT_MAX : exponent;
    *ten = (int)(exponent < -EXPONENT_MAX ? -EXPONENT_MAX : exponent);
    *two = 0;
    return true;
}

/* number * 10^ten * 2^two * 1000, rounded up. With at most FRACTION_DIGITS after the point a
 * product that overflows 128 bits is far above INT64_MAX, so saturation is exact. */
static int64_t to_thousandths(struct decimal number, int ten, int two)
{
    u128 value = number.digits;
    bool beyond = number.beyond, inexact = number.inexact;
    if (value == 0 && !beyond)
        return inexact;
    for (ten += 3 - (two ? 0 : number.fraction); ten > 0 && !beyond; ten--)
        beyond = __builtin_mul_overflow(value, (u128)10, &value);
    beyond = beyond || __builtin_mul_overflow(value, (u128)1 << two, &value);
    for (int drop = two ? number.fraction : -ten; drop > 0 && !beyond; drop--) {
        inexact |= value % 10 != 0;
        value /= 10;
    }
    value += inexact;
    return beyond || value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

bool quantity_parse(struct str text, int64_t *out)
{
    struct decimal number;
    int ten, two;
    if (!read_decimal(&text, &number) || !read_suffix(text, &ten, &two))
        return false;
    int64_t thousandths = to_thousandths(number, ten, two);
    *out = number.negative ? -thousandths : thousandths;
    return true;
}

struct str quantity_cpu_text(struct arena *arena, int64_t thousandths)
{
    const char *sign = thousandths < 0 ? "-" : "";
    uint64_t n = thousandths < 0 ? 0 - (uint64_t)thousandths : (uint64_t)thousandths;
    uint64_t fraction = n % 1000;
    int digits = 3;
    if (n < 1000 && n)
        return arena_printf(arena, "%s%um", sign, (unsigned)n);
    if (fraction == 0)
        return arena_printf(arena, "%s%llu", sign, (unsigned long long)(n / 1000));
    for (; fraction % 10 == 0; digits--)
        fraction /= 10;
    return arena_printf(arena, "%s%llu.%0*u", sign, (unsigned long long)(n / 1000), digits,
                        (unsigned)fraction);
}

struct str quantity_memory_text(struct arena *arena, int64_t thousandths)
{
    static const char *const units[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    uint64_t n = thousandths < 0 ? 0 - (uint64_t)thousandths : (uint64_t)thousandths;
    uint64_t bytes = n / 1000 + (n % 1000 != 0), unit = 1;
    size_t i = 0;
    /* The next unit as soon as one decimal would round up to it. */
    for (; i + 1 < sizeof units / sizeof *units && bytes >= unit * 1024 - (i ? unit / 20 : 0); i++)
        unit *= 1024;
    uint64_t whole = bytes / unit;
    uint64_t tenth = (uint64_t)(((u128)(bytes % unit) * 10 + unit / 2) / unit);
    if (tenth == 10) {
        whole++;
        tenth = 0;
    }
    struct buf text = buf_init(arena, MEMORY_TEXT_MAX);
    buf_put(&text, str_of(thousandths < 0 ? "-" : ""));
    buf_put_int(&text, (int64_t)whole);
    if (tenth) {
        buf_putc(&text, '.');
        buf_put_int(&text, (int64_t)tenth);
    }
    buf_put(&text, str_of(units[i]));
    return arena_str(arena, buf_str(&text));
}

int quantity_percent(int64_t used, int64_t whole)
{
    enum { PERCENT_MAX = 99999 };
    double percent = 100.0 * (double)used / (double)whole;
    return percent < 0 ? 0 : percent > PERCENT_MAX ? PERCENT_MAX : (int)percent;
}

bool int_or_percent(struct str text, int64_t total, bool round_up, int64_t *out)
{
    int64_t n;
    bool percent = str_has_suffix(text, STR("%"));
    if (!str_to_i64(percent ? str_sub(text, 0, text.n - 1) : text, &n))
        return false;
    if (percent) {
        int64_t product;
        if (__builtin_mul_overflow(n, total, &product))
            return false;
        n = product / 100 + (round_up && product > 0 && product % 100 ? 1 : 0);
    }
    *out = n;
    return true;
}
