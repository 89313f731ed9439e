#include "base/hex.h"

#include <stdint.h>

static const char HEX[] = "0123456789abcdef";

void hex_encode(const void *bytes, size_t n, char *out)
{
    const unsigned char *from = bytes;
    for (size_t i = 0; i < n; i++) {
        *out++ = HEX[from[i] >> 4];
        *out++ = HEX[from[i] & 15];
    }
    *out = '\0';
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

void base64url_encode(const void *bytes, size_t n, char *out)
{
    const unsigned char *from = bytes;
    uint32_t bits = 0;
    unsigned count = 0;
    for (size_t i = 0; i < n; i++) {
        bits = bits << 8 | from[i];
        for (count += 8; count >= 6; count -= 6)
            *out++ = BASE64URL_ALPHABET[bits >> (count - 6) & 63];
    }
    if (count > 0)
        *out++ = BASE64URL_ALPHABET[bits << (6 - count) & 63];
    *out = '\0';
}
