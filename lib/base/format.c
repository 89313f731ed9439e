#include "base/format.h"

#include <stdint.h>
#include <string.h>

enum { DIGITS_MAX = 20 };

struct text {
    char *p, *end;
    bool full;
};

/* What a conversion is followed by. */
enum length { PLAIN, SIZE, LONG_LONG };

static void put(struct text *text, const char *p, size_t n)
{
    if (n > (size_t)(text->end - text->p)) {
        text->full = true;
        return;
    }
    memcpy(text->p, p, n);
    text->p += n;
}

static void put_number(struct text *text, uint64_t n, bool negative)
{
    char digits[DIGITS_MAX + 1];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + n % 10);
    while (n /= 10);
    if (negative)
        digits[--at] = '-';
    put(text, digits + at, sizeof digits - at);
}

static void put_signed(struct text *text, int64_t n)
{
    put_number(text, n < 0 ? 0 - (uint64_t)n : (uint64_t)n, n < 0);
}

static enum length take_length(const char **format)
{
    const char *p = *format;
    enum length length = p[0] == 'z' ? SIZE : p[0] == 'l' && p[1] == 'l' ? LONG_LONG : PLAIN;
    *format += length;
    return length;
}

/* The conversion behind a '%'. */
static bool convert(struct text *text, const char **format, va_list *args)
{
    if (strncmp(*format, ".*s", 3) == 0) {
        int most = va_arg(*args, int);
        const char *p = va_arg(*args, const char *);
        *format += 3;
        if (p && most >= 0)
            put(text, p, strnlen(p, (size_t)most));
        return p && most >= 0;
    }
    enum length length = take_length(format);
    char type = *(*format)++;
    if (type == 's' && length == PLAIN) {
        const char *p = va_arg(*args, const char *);
        if (p)
            put(text, p, strlen(p));
        return p;
    }
    if (type == 'u' && length == PLAIN)
        put_number(text, va_arg(*args, unsigned), false);
    else if (type == 'u' && length == SIZE)
        put_number(text, va_arg(*args, size_t), false);
    else if (type == 'u')
        put_number(text, va_arg(*args, unsigned long long), false);
    else if (type == 'd' && length == PLAIN)
        put_signed(text, va_arg(*args, int));
    else if (type == 'd' && length == LONG_LONG)
        put_signed(text, va_arg(*args, long long));
    else if (type == '%' && length == PLAIN)
        put(text, "%", 1);
    else
        return false;
    return true;
}

bool format_plain(char *to, size_t room, size_t *n, const char *format, va_list args)
{
    struct text text = {to, to + room, false};
    bool known = true;
    va_list left;
    va_copy(left, args);
    while (known && !text.full && *format) {
        const char *next = strchrnul(format, '%');
        put(&text, format, (size_t)(next - format));
        format = next;
        if (*next) {
            format++;
            known = convert(&text, &format, &left);
        }
    }
    va_end(left);
    *n = (size_t)(text.p - to);
    return known && !text.full;
}
