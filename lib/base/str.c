#include "base/str.h"

#include <string.h>

#include "base/hex.h"

bool str_eq_nocase(struct str a, struct str b)
{
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++)
        if (str_lower(a.p[i]) != str_lower(b.p[i]))
            return false;
    return true;
}

int str_cmp(struct str a, struct str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n ? memcmp(a.p, b.p, n) : 0;
    if (order)
        return order;
    return (a.n > b.n) - (a.n < b.n);
}

int str_order(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

bool str_in(struct str s, const char *const *words)
{
    char first = s.n ? s.p[0] : '\0';
    for (; *words; words++)
        if ((*words)[0] == first && str_eq(s, str_of(*words)))
            return true;
    return false;
}

bool str_has(struct str s, struct str needle)
{
    if (needle.n == 0)
        return true;
    return s.n >= needle.n && memmem(s.p, s.n, needle.p, needle.n);
}

static bool cut_at(struct str s, size_t at, struct str *head, struct str *tail)
{
    bool found = at < s.n;
    if (head)
        *head = (struct str){s.p, found ? at : s.n};
    if (tail)
        *tail = found ? (struct str){s.p + at + 1, s.n - at - 1} : (struct str){NULL, 0};
    return found;
}

bool str_cut(struct str s, char sep, struct str *head, struct str *tail)
{
    const char *found = s.n ? memchr(s.p, sep, s.n) : NULL;
    return cut_at(s, found ? (size_t)(found - s.p) : s.n, head, tail);
}

bool str_cut_last(struct str s, char sep, struct str *head, struct str *tail)
{
    size_t at = s.n;
    while (at > 0 && s.p[at - 1] != sep)
        at--;
    return cut_at(s, at ? at - 1 : s.n, head, tail);
}

bool str_next_word(struct str *rest, struct str *word)
{
    do
        str_cut(*rest, ' ', word, rest);
    while (word->n == 0 && rest->n > 0);
    return word->n > 0;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

struct str str_trim(struct str s)
{
    while (s.n && is_space(s.p[0])) {
        s.p++;
        s.n--;
    }
    while (s.n && is_space(s.p[s.n - 1]))
        s.n--;
    return s;
}

struct str str_sub(struct str s, size_t from, size_t n)
{
    if (from > s.n)
        from = s.n;
    if (n > s.n - from)
        n = s.n - from;
    return (struct str){s.p ? s.p + from : NULL, n};
}

size_t str_digits(struct str s)
{
    size_t n = 0;
    while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
        n++;
    return n;
}

bool str_to_u64(struct str s, uint64_t *out)
{
    uint64_t value = 0;
    if (s.n == 0)
        return false;
    for (size_t i = 0; i < s.n; i++) {
        unsigned digit = (unsigned char)s.p[i] - (unsigned)'0';
        if (digit > 9 || value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool str_to_i64(struct str s, int64_t *out)
{
    bool negative = s.n && s.p[0] == '-';
    uint64_t magnitude;
    if (!str_to_u64(str_sub(s, negative, s.n), &magnitude))
        return false;
    if (magnitude > (uint64_t)INT64_MAX + negative)
        return false;
    *out = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

bool str_to_i64_saturated(struct str s, int64_t *out)
{
    bool negative = s.n && s.p[0] == '-';
    struct str digits = str_sub(s, negative, s.n);
    if (!digits.n || str_digits(digits) < digits.n)
        return false;
    if (!str_to_i64(s, out) || *out == INT64_MIN)
        *out = negative ? -INT64_MAX : INT64_MAX;
    return true;
}

bool str_is_uuid(struct str s)
{
    static const char shape[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    if (s.n != sizeof shape - 1)
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (shape[i] == '-' ? s.p[i] != '-' : hex_digit(s.p[i]) < 0)
            return false;
    return true;
}

size_t str_utf8_length(struct str s)
{
    const unsigned char *p = (const unsigned char *)s.p;
    if (s.n == 0 || p[0] < 0x80)
        return s.n > 0;
    size_t length = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
    if (p[0] < 0xC2 || p[0] > 0xF4 || length > s.n)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    bool overlong = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xF0 && p[1] < 0x90);
    bool outside = (p[0] == 0xED && p[1] > 0x9F) || (p[0] == 0xF4 && p[1] > 0x8F);
    return overlong || outside ? 0 : length;
}

static uint32_t code_point(struct str character)
{
    static const unsigned char LEAD_BITS[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = (unsigned char)character.p[0] & LEAD_BITS[character.n];
    for (size_t i = 1; i < character.n; i++)
        code = code << 6 | ((unsigned char)character.p[i] & 0x3F);
    return code;
}

/* C0 and C1, and what has no width, breaks lines or turns the direction of what follows; and what
 * no XML may hold (XML 1.0, 2.2). */
static bool is_hidden(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } RANGES[] = {{0, 0x1F},        {0x7F, 0x9F},     {0xAD, 0xAD},     {0x61C, 0x61C},
                  {0x180E, 0x180E}, {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},
                  {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF}, {0xE0000, 0xE0FFF}};
    for (size_t i = 0; i < sizeof RANGES / sizeof RANGES[0]; i++)
        if (code >= RANGES[i].first && code <= RANGES[i].last)
            return true;
    return false;
}

size_t str_visible_length(struct str s)
{
    size_t n = str_utf8_length(s);
    return n && is_hidden(code_point(str_sub(s, 0, n))) ? 0 : n;
}

bool str_is_utf8(struct str s)
{
    for (size_t length; s.n > 0; s = str_sub(s, length, s.n))
        if ((length = str_utf8_length(s)) == 0)
            return false;
    return true;
}

size_t str_utf8_count(struct str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++)
        n += ((unsigned char)s.p[i] & 0xC0) != 0x80;
    return n;
}

struct str str_utf8_prefix(struct str s, size_t n)
{
    if (n >= s.n)
        return s;
    while (n > 0 && ((unsigned char)s.p[n] & 0xC0) == 0x80)
        n--;
    return (struct str){s.p, n};
}

uint64_t str_hash(uint64_t seed, struct str s)
{
    uint64_t hash = seed ? seed : 0xcbf29ce484222325u;
    for (size_t i = 0; i < s.n; i++)
        hash = (hash ^ (unsigned char)s.p[i]) * 0x100000001b3u;
    return hash;
}
