#include "offline/unpack.h"

static enum content look(struct unpack *unpack, struct peek *peek)
{
    unpack->source = peek_source(peek);
    return sniff(peek_start(peek));
}

bool unpack_open(struct unpack *unpack, struct source from, uint64_t max)
{
    unpack->inflate = NULL;
    if (!peek_open(&unpack->packed, from))
        return false;
    unpack->content = look(unpack, &unpack->packed);
    if (unpack->content != CONTENT_GZIP)
        return true;
    unpack->inflate = inflate_open(unpack->source, max);
    if (!unpack->inflate || !peek_open(&unpack->plain, inflate_source(unpack->inflate)))
        return false;
    unpack->content = look(unpack, &unpack->plain);
    return true;
}

void unpack_close(struct unpack *unpack)
{
    inflate_free(unpack->inflate);
    unpack->inflate = NULL;
}

const char *unpack_error(const struct unpack *unpack)
{
    switch (unpack->inflate ? inflate_error(unpack->inflate) : INFLATE_OK) {
    case INFLATE_E_CORRUPT:
        return "the gzip stream is corrupt";
    case INFLATE_E_TRUNCATED:
        return "the gzip stream is cut: its end is missing";
    case INFLATE_E_TOTAL:
        return "the gzip stream inflates to more than 4 GiB";
    case INFLATE_E_SOURCE:
    case INFLATE_OK:
        break;
    }
    return NULL;
}
