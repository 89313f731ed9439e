#include "codec/hundredths.h"

#include <stdio.h>

struct str hundredths_format(int64_t n, char out[HUNDREDTHS_SIZE])
{
    uint64_t size = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
    int length = snprintf(out, HUNDREDTHS_SIZE, "%s%llu.%02u", n < 0 ? "-" : "",
                          (unsigned long long)(size / 100), (unsigned)(size % 100));
    while (out[length - 1] == '0')
        length--;
    if (out[length - 1] == '.')
        length--;
    out[length] = '\0';
    return (struct str){out, (size_t)length};
}
