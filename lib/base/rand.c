#include "base/rand.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/hex.h"

void rand_bytes(void *out, size_t n)
{
    unsigned char *p = out;
    while (n > 0) {
        ssize_t got = getrandom(p, n, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            abort();
        p += got;
        n -= (size_t)got;
    }
}

void rand_uuid(char out[UUID_TEXT_LEN + 1])
{
    unsigned char bytes[16];
    rand_bytes(bytes, sizeof bytes);
    bytes[6] = (unsigned char)((bytes[6] & 0x0F) | 0x40);
    bytes[8] = (unsigned char)((bytes[8] & 0x3F) | 0x80);
    hex_encode(bytes, 4, out);
    hex_encode(bytes + 4, 2, out + 9);
    hex_encode(bytes + 6, 2, out + 14);
    hex_encode(bytes + 8, 2, out + 19);
    hex_encode(bytes + 10, 6, out + 24);
    out[8] = out[13] = out[18] = out[23] = '-';
}
