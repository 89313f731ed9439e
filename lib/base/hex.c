#include "base/hex.h"

#include <endian.h>
#include <string.h>

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

/* The digits of 32 bits, a byte each, the first in the most significant one. */
static uint64_t digits_of(uint32_t number)
{
    const uint64_t each = 0x0101010101010101;
    uint64_t digits = number;
    digits = (digits | digits << 16) & 0x0000ffff0000ffff;
    digits = (digits | digits << 8) & 0x00ff00ff00ff00ff;
    digits = (digits | digits << 4) & 0x0f0f0f0f0f0f0f0f;
    uint64_t letters = (digits + 6 * each) >> 4 & each; /* 1 where the digit is 10 or more */
    return digits + '0' * each + ('a' - '0' - 10) * letters;
}

void hex_number(uint64_t number, char *out)
{
    const uint64_t halves[] = {htobe64(digits_of((uint32_t)(number >> 32))),
                               htobe64(digits_of((uint32_t)number))};
    memcpy(out, halves, sizeof halves);
    out[sizeof halves] = '\0';
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
