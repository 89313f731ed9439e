#include "reader/json_text.h"

#include "base/hex.h"

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

size_t json_text_skip(struct str text, size_t at)
{
    while (at < text.n && is_space(text.p[at]))
        at++;
    return at;
}

/* How many backslashes stand before a byte. */
static size_t slashes_before(struct str text, size_t at, size_t least)
{
    size_t n = 0;
    while (at - n > least && text.p[at - n - 1] == '\\')
        n++;
    return n;
}

size_t json_text_close(struct str text, size_t open)
{
    for (size_t at = open + 1; at < text.n; at++) {
        const char *quote = memchr(text.p + at, '"', text.n - at);
        if (!quote)
            return text.n;
        at = (size_t)(quote - text.p);
        if (slashes_before(text, at, open + 1) % 2 == 0)
            return at;
    }
    return text.n;
}

size_t json_text_open(struct str text, size_t at, size_t least)
{
    for (size_t end = at + 1; end > least;) {
        const char *quote = memrchr(text.p + least, '"', end - least);
        if (!quote)
            break;
        end = (size_t)(quote - text.p);
        if (slashes_before(text, end, least) % 2 == 0)
            return end;
    }
    return SIZE_MAX;
}

/* ---- escapes ---- */

static unsigned hex4(const char *p)
{
    unsigned value = 0;
    for (int i = 0; i < 4; i++)
        value = value << 4 | ((unsigned)hex_digit(p[i]) & 15);
    return value;
}

static size_t put_utf8(char out[4], unsigned code)
{
    static const unsigned char first[] = {0, 0, 0xC0, 0xE0, 0xF0};
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (n == 1) {
        out[0] = (char)code;
        return n;
    }
    for (size_t i = n; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(first[n] | code);
    return n;
}

/* One character, or byte of one: its raw length; *n: of the decoded one. */
static size_t decode_one(struct str raw, size_t at, char out[4], size_t *n)
{
    static const char PLAIN[] = "\"\\/bfnrt", MEANT[] = "\"\\/\b\f\n\r\t";
    *n = 1;
    out[0] = raw.p[at];
    if (raw.p[at] != '\\' || at + 1 >= raw.n)
        return 1;
    char c = raw.p[at + 1];
    if (c != 'u') {
        const char *known = c ? strchr(PLAIN, c) : NULL;
        out[0] = known ? MEANT[known - PLAIN] : c;
        return 2;
    }
    if (at + 6 > raw.n)
        return 1;
    unsigned code = hex4(raw.p + at + 2);
    if (code < 0xD800 || code >= 0xDC00 || at + 12 > raw.n) {
        *n = put_utf8(out, code);
        return 6;
    }
    *n = put_utf8(out,
                  0x10000 + ((code - 0xD800) << 10) + ((hex4(raw.p + at + 8) - 0xDC00) & 0x3FF));
    return 12;
}

struct str json_text_decode(struct str raw, struct buf *decoded)
{
    const char *escape = raw.n ? memchr(raw.p, '\\', raw.n) : NULL;
    if (!escape)
        return raw;
    decoded->n = 0;
    char *to = buf_reserve(decoded, raw.n + 4);
    size_t at = (size_t)(escape - raw.p), used = at;
    memcpy(to, raw.p, at);
    while (at < raw.n) {
        size_t n;
        at += decode_one(raw, at, to + used, &n);
        used += n;
    }
    buf_commit(decoded, used);
    return buf_str(decoded);
}

static bool step(struct json_text_walk *walk, size_t decoded, bool whole)
{
    char out[4];
    size_t n, raw = decode_one(walk->raw, walk->at, out, &n);
    if (!whole && walk->decoded + n > decoded)
        return false;
    walk->at += raw;
    walk->decoded += n;
    return true;
}

size_t json_text_from(struct json_text_walk *walk, size_t decoded)
{
    while (walk->at < walk->raw.n && walk->decoded < decoded && step(walk, decoded, false))
        ;
    return walk->at;
}

size_t json_text_to(struct json_text_walk *walk, size_t decoded)
{
    while (walk->at < walk->raw.n && walk->decoded < decoded)
        step(walk, decoded, true);
    return walk->at;
}
