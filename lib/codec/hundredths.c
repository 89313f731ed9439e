#include "codec/hundredths.h"

#include <stdio.h>

#include "base/asserts.h"

static struct str format(int64_t n, int decimals, unsigned unit, char out[HUNDREDTHS_SIZE])
{
    uint64_t size = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    int length = snprintf(out, HUNDREDTHS_SIZE, "%s%llu.%0*u", n < 0 ? "-" : "",
                          (unsigned long long)(size / unit), decimals, (unsigned)(size % unit));
    assert(length > 0 && length < HUNDREDTHS_SIZE);
    while (out[length - 1] == '0')
        length--;
    if (out[length - 1] == '.')
        length--;
    out[length] = '\0';
    return (struct str){out, (size_t)length};
}

struct str hundredths_format(int64_t n, char out[HUNDREDTHS_SIZE])
{
    return format(n, 2, 100, out);
}

struct str hundredths_format_fine(int64_t n, char out[HUNDREDTHS_SIZE])
{
    return format(n, 4, 10000, out);
}
