#include "codec/jr_reader.h"

#include <string.h>

#include "base/hex.h"

/* A scalar as far as it was looked at. */
struct scan {
    const char *stop;  /* the first byte that does not belong to it */
    enum jr_type type; /* JR_ERROR: what is before `stop` is not a whole scalar */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *p)
{
    while (is_digit(*p))
        p++;
    return p;
}

static struct scan scan_number(const char *p)
{
    p += *p == '-';
    if (!is_digit(*p))
        return (struct scan){p, JR_ERROR};
    p = *p == '0' ? p + 1 : skip_digits(p);
    if (*p == '.') {
        if (!is_digit(*++p))
            return (struct scan){p, JR_ERROR};
        p = skip_digits(p);
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        p += *p == '+' || *p == '-';
        if (!is_digit(*p))
            return (struct scan){p, JR_ERROR};
        p = skip_digits(p);
    }
    return (struct scan){p, JR_NUMBER};
}

static struct scan scan_word(const char *p, struct str word, enum jr_type type)
{
    size_t n = 0;
    while (n < word.n && p[n] == word.p[n])
        n++;
    return (struct scan){p + n, n == word.n ? type : JR_ERROR};
}

static struct scan scan(const char *p)
{
    switch (*p) {
    case 't':
        return scan_word(p, STR("true"), JR_TRUE);
    case 'f':
        return scan_word(p, STR("false"), JR_FALSE);
    case 'n':
        return scan_word(p, STR("null"), JR_NULL);
    default:
        return scan_number(p);
    }
}

static bool ends_scalar(char c)
{
    switch (c) {
    case ' ':
    case '\t':
    case '\n':
    case '\r':
    case '{':
    case '}':
    case '[':
    case ']':
    case ':':
    case ',':
    case '"':
        return true;
    default:
        return false;
    }
}

/* Scans the scalar at r->hold, reading on while it may go beyond the window. */
static struct scan scan_whole(struct jr *r)
{
    struct scan s = scan(r->window + r->hold);
    while (s.stop == r->window + r->end && r->end - r->hold <= JR_NUMBER_MAX && jr_step(r))
        s = scan(r->window + r->hold);
    return s;
}

static enum jr_type wrong(struct jr *r, struct scan s, const char *start)
{
    uint64_t offset = r->base + (uint64_t)(s.stop - r->window);
    bool mark = offset == 0 && r->end >= 3 && memcmp(start, "\xEF\xBB\xBF", 3) == 0;
    if (s.stop == r->window + r->end && r->final)
        jr_fail_token(r, NULL);
    else if (mark)
        jr_fail(r, JR_E_SYNTAX, offset, "a byte order mark is not JSON");
    else
        jr_fail(r, JR_E_SYNTAX, offset,
                *start == '-' || is_digit(*start) ? "not a number" : "not a value");
    return JR_ERROR;
}

enum jr_type jr_scalar(struct jr *r)
{
    const char *start = r->window + *r->next;
    struct scan s = scan(start);
    r->hold = *r->next++;
    if (JR_RARE(s.stop == r->window + r->end)) {
        s = scan_whole(r);
        start = r->window + r->hold;
    }
    r->hold = SIZE_MAX;
    r->text = (struct str){start, (size_t)(s.stop - start)};
    r->after = r->base + (uint64_t)(s.stop - r->window);
    if (r->text.n > JR_NUMBER_MAX) {
        jr_fail(r, JR_E_STRING, r->after, "a number of more than 1,024 characters");
        return JR_ERROR;
    }
    bool cut = s.stop == r->window + r->end && r->final_code != JR_OK;
    if (s.type == JR_ERROR || cut || !ends_scalar(*s.stop))
        return wrong(r, s, start);
    return s.type;
}

static unsigned take_hex4(const char *p)
{
    unsigned value = 0;
    for (int i = 0; i < 4; i++)
        value = value << 4 | (unsigned)hex_digit(p[i]);
    return value;
}

static char *put_utf8(char *to, unsigned code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *to++ = (char)(0xE0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    } else {
        *to++ = (char)(0xF0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3F));
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    }
    return to;
}

/* Decodes the escape at *from, which moves behind it. */
static char *unescape_one(char *to, const char **from)
{
    static const char PLAIN[] = "\"\\/bfnrt", MEANT[] = "\"\\/\b\f\n\r\t";
    const char *p = *from + 1;
    *from += 2;
    if (*p != 'u') {
        *to++ = MEANT[strchr(PLAIN, *p) - PLAIN];
        return to;
    }
    unsigned code = take_hex4(p + 1);
    *from += 4;
    if (code >= 0xD800 && code < 0xDC00) {
        code = 0x10000 + ((code - 0xD800) << 10) + (take_hex4(p + 7) - 0xDC00);
        *from += 6;
    }
    return put_utf8(to, code);
}

size_t jr_unescape(char *to, struct str from)
{
    const char *p = from.p, *end = p + from.n;
    char *begin = to;
    while (p < end) {
        const char *escape = memchr(p, '\\', (size_t)(end - p));
        size_t n = (size_t)((escape ? escape : end) - p);
        memmove(to, p, n);
        to += n;
        p += n;
        if (escape)
            to = unescape_one(to, &p);
    }
    return (size_t)(to - begin);
}
