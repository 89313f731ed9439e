#include "base/hex.h"

static const char HEX[] = "0123456789abcdef";
static const char BASE64URL[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

struct str hex_encode(struct arena *arena, const void *bytes, size_t n)
{
    const unsigned char *from = bytes;
    char *p = arena_bytes(arena, n * 2 + 1);
    for (size_t i = 0; i < n; i++) {
        p[2 * i] = HEX[from[i] >> 4];
        p[2 * i + 1] = HEX[from[i] & 15];
    }
    p[2 * n] = '\0';
    return (struct str){p, n * 2};
}

int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool hex_decode(struct str text, void *out, size_t n)
{
    unsigned char *to = out;
    if (text.n % 2 || text.n / 2 != n)
        return false;
    for (size_t i = 0; i < text.n; i++)
        if (hex_digit(text.p[i]) < 0)
            return false;
    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)(hex_digit(text.p[2 * i]) << 4 | hex_digit(text.p[2 * i + 1]));
    return true;
}

struct str base64url_encode(struct arena *arena, const void *bytes, size_t n)
{
    const unsigned char *from = bytes;
    char *text = arena_bytes(arena, n / 3 * 4 + 5), *p = text;
    uint32_t bits = 0;
    unsigned count = 0;
    for (size_t i = 0; i < n; i++) {
        bits = bits << 8 | from[i];
        for (count += 8; count >= 6; count -= 6)
            *p++ = BASE64URL[bits >> (count - 6) & 63];
    }
    if (count > 0)
        *p++ = BASE64URL[bits << (6 - count) & 63];
    *p = '\0';
    return (struct str){text, (size_t)(p - text)};
}
