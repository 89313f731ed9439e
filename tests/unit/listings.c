#include "listings.h"

#include "base/buf.h"
#include "scratch.h"

unsigned as_they_are(const struct listing *listing, unsigned i)
{
    (void)listing;
    return i;
}
unsigned backwards(const struct listing *listing, unsigned i)
{
    return listing->n - 1 - i;
}
unsigned shuffled(const struct listing *listing, unsigned i)
{
    return (unsigned)((uint64_t)i * 7919 % listing->n); /* a prime that does not divide n */
}
unsigned doubled(const struct listing *listing, unsigned i)
{
    (void)listing;
    return i / 2;
}
unsigned all_one(const struct listing *listing, unsigned i)
{
    (void)listing;
    (void)i;
    return 1;
}

struct str list_of(struct listing listing)
{
    struct buf out = buf_init(arena, SIZE_MAX / 2);
    buf_put(&out, STR("{\"items\":["));
    for (unsigned i = 0; i < listing.n; i++) {
        unsigned object = listing.order(&listing, i);
        uint64_t chosen = str_hash(object, STR("chosen")) + listing.round * 7919u;
        bool other = listing.round && chosen % 1000 < listing.changed;
        buf_printf(&out, "%s{\"name\":\"pod-%u\",\"round\":%u,\"spec\":\"", i ? "," : "", object,
                   other ? listing.round : 0);
        for (unsigned n = 0; n + 16 <= listing.size; n += 16)
            buf_printf(&out, "%016llx",
                       (unsigned long long)str_hash(object % 97 * 1000 + n, STR("spec")));
        buf_put(&out, STR("\"}"));
    }
    buf_put(&out, STR("]}\n"));
    return buf_str(&out);
}
