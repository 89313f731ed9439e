#include "codec/jw.h"

#include "codec/hundredths.h"

void jw_init(struct jw *w, struct buf *out)
{
    *w = (struct jw){.out = out};
}

static void comma(struct jw *w)
{
    if (w->comma)
        buf_putc(w->out, ',');
    w->comma = true;
}

static void value(struct jw *w, struct str text)
{
    comma(w);
    buf_put(w->out, text);
}

void jw_object(struct jw *w)
{
    value(w, STR("{"));
    w->comma = false;
}

void jw_object_end(struct jw *w)
{
    buf_putc(w->out, '}');
    w->comma = true;
}

void jw_array(struct jw *w)
{
    value(w, STR("["));
    w->comma = false;
}

void jw_array_end(struct jw *w)
{
    buf_putc(w->out, ']');
    w->comma = true;
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

static void escape(struct buf *out, unsigned char c)
{
    static const char SHORT[0x20] = {
        ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};
    char letter = c < 0x20 ? SHORT[c] : (char)c;
    if (letter)
        buf_put(out, (struct str){(char[]){'\\', letter}, 2});
    else
        buf_printf(out, "\\u%04x", c);
}

/* Are these eight bytes plain? It may say no of some that are. */
static bool are_plain(const char *p)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t bytes;
    memcpy(&bytes, p, sizeof bytes);
    uint64_t quote = bytes ^ ones * '"', backslash = bytes ^ ones * '\\';
    return !((bytes | (bytes - ones * 0x20) | (quote - ones) | (backslash - ones)) & ones << 7);
}

static size_t plain_prefix(struct str s)
{
    size_t n = 0;
    while (s.n - n >= 8 && are_plain(s.p + n))
        n += 8;
    while (n < s.n && is_plain((unsigned char)s.p[n]))
        n++;
    return n;
}

/* The ordinary string, in one piece. False when it has to be looked at more closely. */
static bool quoted_plain(struct buf *out, struct str s)
{
    char *p = plain_prefix(s) == s.n ? buf_reserve(out, s.n + 2) : NULL;
    if (!p)
        return false;
    p[0] = '"';
    if (s.n)
        memcpy(p + 1, s.p, s.n);
    p[s.n + 1] = '"';
    buf_commit(out, s.n + 2);
    return true;
}

static void quoted(struct buf *out, struct str s)
{
    if (quoted_plain(out, s))
        return;
    buf_putc(out, '"');
    while (s.n > 0) {
        size_t n = plain_prefix(s);
        buf_put(out, str_sub(s, 0, n));
        s = str_sub(s, n, s.n);
        if (s.n == 0)
            break;
        n = 1;
        if ((unsigned char)s.p[0] < 0x80) {
            escape(out, (unsigned char)s.p[0]);
        } else if (str_utf8_length(s) > 0) {
            n = str_utf8_length(s);
            buf_put(out, str_sub(s, 0, n));
        } else {
            buf_put(out, STR("\xEF\xBF\xBD"));
        }
        s = str_sub(s, n, s.n);
    }
    buf_putc(out, '"');
}

/* The ordinary key, in one piece, as quoted_plain(). */
static bool key_plain(struct jw *w, struct str key)
{
    char *p = plain_prefix(key) == key.n ? buf_reserve(w->out, key.n + 4) : NULL;
    if (!p)
        return false;
    if (w->comma)
        *p++ = ',';
    *p++ = '"';
    if (key.n)
        memcpy(p, key.p, key.n);
    memcpy(p + key.n, "\":", 2);
    buf_commit(w->out, key.n + 3 + w->comma);
    return true;
}

void jw_key(struct jw *w, struct str key)
{
    if (!key_plain(w, key)) {
        comma(w);
        quoted(w->out, key);
        buf_putc(w->out, ':');
    }
    w->comma = false;
}

void jw_str(struct jw *w, struct str s)
{
    comma(w);
    quoted(w->out, s);
}

void jw_int(struct jw *w, int64_t n)
{
    comma(w);
    buf_put_int(w->out, n);
}

void jw_bool(struct jw *w, bool b)
{
    value(w, b ? STR("true") : STR("false"));
}

void jw_null(struct jw *w)
{
    value(w, STR("null"));
}

void jw_str_or_null(struct jw *w, struct str s)
{
    if (s.n)
        jw_str(w, s);
    else
        jw_null(w);
}

void jw_int_or_null(struct jw *w, int64_t n)
{
    if (n)
        jw_int(w, n);
    else
        jw_null(w);
}

void jw_hundredths(struct jw *w, int64_t n)
{
    char text[HUNDREDTHS_SIZE];
    value(w, hundredths_format(n, text));
}

void jw_ten_thousandths(struct jw *w, int64_t n)
{
    char text[HUNDREDTHS_SIZE];
    value(w, hundredths_format_fine(n, text));
}

/* Nothing of a time wants an escape. */
void jw_time(struct jw *w, int64_t ms)
{
    struct str time = clock_format_next(ms, &w->time);
    if (!time.n) {
        jw_null(w);
        return;
    }
    comma(w);
    char *p = buf_reserve(w->out, time.n + 2);
    if (!p)
        return;
    p[0] = '"';
    memcpy(p + 1, time.p, time.n);
    p[time.n + 1] = '"';
    buf_commit(w->out, time.n + 2);
}

void jw_raw(struct jw *w, struct str json)
{
    value(w, json);
}
