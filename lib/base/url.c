#include "base/url.h"

#include "base/hex.h"

void url_split(struct str target, struct str *path, struct str *query)
{
    str_cut(target, '#', &target, NULL);
    str_cut(target, '?', path, query);
}

bool url_decode(struct arena *arena, struct str s, bool plus, struct str *out)
{
    char *text = arena_bytes(arena, s.n + 1), *p = text;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '+' && plus) {
            c = ' ';
        } else if (c == '%') {
            int high = i + 2 < s.n ? hex_digit(s.p[i + 1]) : -1;
            int low = i + 2 < s.n ? hex_digit(s.p[i + 2]) : -1;
            if (high < 0 || low < 0 || (high | low) == 0)
                return false;
            c = (char)(high << 4 | low);
            i += 2;
        }
        *p++ = c;
    }
    *p = '\0';
    *out = (struct str){text, (size_t)(p - text)};
    return true;
}

struct str url_encode(struct arena *arena, struct str s)
{
    static const char digits[] = "0123456789ABCDEF", plain[] = "-._~";
    char *out = arena_bytes(arena, 3 * s.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        char lower = str_lower(s.p[i]);
        if ((lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || (c && strchr(plain, c))) {
            out[n++] = s.p[i];
        } else {
            out[n++] = '%';
            out[n++] = digits[c >> 4];
            out[n++] = digits[c & 15];
        }
    }
    out[n] = '\0';
    return (struct str){out, n};
}

bool url_param(struct arena *arena, struct str query, struct str name, struct str *out)
{
    for (int i = 0; i < URL_PARAMS_MAX && query.n > 0; i++) {
        struct str pair, key, value;
        str_cut(query, '&', &pair, &query);
        str_cut(pair, '=', &key, &value);
        if (url_decode(arena, key, true, &key) && str_eq(key, name))
            return url_decode(arena, value, true, out);
    }
    return false;
}

bool url_must_encode(unsigned char c)
{
    return c <= ' ' || c >= 0x7f || c == '<' || c == '>' || c == '"';
}

size_t url_encoded_length(struct str s)
{
    size_t n = s.n;
    for (size_t i = 0; i < s.n; i++)
        n += url_must_encode((unsigned char)s.p[i]) ? 2 : 0;
    return n;
}
