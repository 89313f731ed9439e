#include "codec/hundredths.h"

#include <stdio.h>

#include "base/asserts.h"

static struct str padded(int64_t n, int decimals, unsigned unit, char out[HUNDREDTHS_SIZE])
{
    uint64_t size = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    int length = snprintf(out, HUNDREDTHS_SIZE, "%s%llu.%0*u", n < 0 ? "-" : "",
                          (unsigned long long)(size / unit), decimals, (unsigned)(size % unit));
    assert(length > 0 && length < HUNDREDTHS_SIZE);
    return (struct str){out, (size_t)length};
}

static struct str format(int64_t n, int decimals, unsigned unit, char out[HUNDREDTHS_SIZE])
{
    size_t length = padded(n, decimals, unit, out).n;
    while (out[length - 1] == '0')
        length--;
    if (out[length - 1] == '.')
        length--;
    out[length] = '\0';
    return (struct str){out, length};
}

struct str hundredths_format(int64_t n, char out[HUNDREDTHS_SIZE])
{
    return format(n, 2, 100, out);
}

struct str hundredths_format_padded(int64_t n, char out[HUNDREDTHS_SIZE])
{
    return padded(n, 2, 100, out);
}

struct str hundredths_format_fine(int64_t n, char out[HUNDREDTHS_SIZE])
{
    return format(n, 4, 10000, out);
}
