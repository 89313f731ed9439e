#include "offline/unpack.h"

static enum content look(struct unpack *unpack, struct peek *peek)
{
    unpack->source = peek_source(peek);
    return sniff(peek_start(peek));
}

bool unpack_open(struct unpack *unpack, struct source from, uint64_t max)
{
    unpack->compressed = NULL;
    if (!peek_open(&unpack->packed, from))
        return false;
    unpack->content = look(unpack, &unpack->packed);
    enum compression compression = compression_of(peek_start(&unpack->packed));
    if (compression == COMPRESSION_NONE)
        return true;
    unpack->compressed = decompress_open(compression, unpack->source, max);
    if (!unpack->compressed || !peek_open(&unpack->plain, decompress_source(unpack->compressed)))
        return false;
    unpack->content = look(unpack, &unpack->plain);
    return true;
}

void unpack_close(struct unpack *unpack)
{
    decompress_free(unpack->compressed);
    unpack->compressed = NULL;
}

const char *unpack_error(const struct unpack *unpack)
{
    if (!unpack->compressed)
        return NULL;
    bool gzip = decompress_compression(unpack->compressed) == COMPRESSION_GZIP;
    switch (decompress_error(unpack->compressed)) {
    case INFLATE_E_CORRUPT:
        return gzip ? "the gzip stream is corrupt" : "the zstd stream is corrupt";
    case INFLATE_E_TRUNCATED:
        return gzip ? "the gzip stream is cut: its end is missing"
                    : "the zstd stream is cut: its end is missing";
    case INFLATE_E_TOTAL:
        return gzip ? "the gzip stream inflates to more than 4 GiB"
                    : "the zstd stream inflates to more than 4 GiB";
    case INFLATE_E_WINDOW:
        return "the zstd stream wants a window of more than 8 MiB";
    case INFLATE_E_MEMORY:
        return "no memory left";
    case INFLATE_E_SOURCE:
    case INFLATE_OK:
        break;
    }
    return NULL;
}
