#include "codec/decompress.h"

#include <stdlib.h>

#include "base/asserts.h"
#include "codec/zstd.h"

struct decompress {
    struct inflate *gzip; /* one of the two */
    struct zstd_reader *zstd;
};

enum compression compression_of(struct str start)
{
    if (inflate_is_gzip(start))
        return COMPRESSION_GZIP;
    return zstd_is_start(start) ? COMPRESSION_ZSTD : COMPRESSION_NONE;
}

struct str compression_name(enum compression compression)
{
    static const char *const names[] = {
        [COMPRESSION_NONE] = "identity", [COMPRESSION_GZIP] = "gzip", [COMPRESSION_ZSTD] = "zstd"};
    return str_of(names[compression]);
}

struct decompress *decompress_open(enum compression compression, struct source from, uint64_t max)
{
    assert(compression != COMPRESSION_NONE);
    struct decompress *in = malloc(sizeof *in);
    if (!in)
        return NULL;
    bool gzip = compression == COMPRESSION_GZIP;
    in->gzip = gzip ? inflate_open(from, max) : NULL;
    in->zstd = gzip ? NULL : zstd_reader_open(from, max);
    if (in->gzip || in->zstd)
        return in;
    free(in);
    return NULL;
}

void decompress_free(struct decompress *in)
{
    if (!in)
        return;
    inflate_free(in->gzip);
    zstd_reader_free(in->zstd);
    free(in);
}

enum compression decompress_compression(const struct decompress *in)
{
    return in->gzip ? COMPRESSION_GZIP : COMPRESSION_ZSTD;
}

struct source decompress_source(struct decompress *in)
{
    return in->gzip ? inflate_source(in->gzip) : zstd_reader_source(in->zstd);
}

enum inflate_code decompress_error(const struct decompress *in)
{
    return in->gzip ? inflate_error(in->gzip) : zstd_reader_error(in->zstd);
}
