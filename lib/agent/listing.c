#include "agent/listing.h"

enum { MIB = 1024 * 1024 };

void listing_begin(struct listing *listing, int64_t now)
{
    struct bytes next = listing->next, mark = listing->mark;
    next.n = mark.n = 0;
    *listing = (struct listing){.next = next, .mark = mark, .began = now};
}

void listing_free(struct listing *listing)
{
    bytes_free(&listing->next);
    bytes_free(&listing->mark);
}

void listing_take_bytes(struct listing *listing, size_t n)
{
    listing->bytes += n;
}

void listing_take_object(struct listing *listing)
{
    listing->objects++;
}

static void set(struct bytes *bytes, struct str text)
{
    bytes->n = 0;
    bytes_put(bytes, text);
}

/* Brent's way of finding a cycle: each token is compared with one of before, which moves up at the
 * pages 1, 2, 4, 8, ... */
static void look_for_cycle(struct listing *listing)
{
    struct str next = bytes_str(&listing->next);
    if (!next.n)
        return;
    listing->repeats |= str_eq(next, bytes_str(&listing->mark));
    if ((listing->pages & (listing->pages - 1)) == 0)
        set(&listing->mark, next);
}

void listing_end_page(struct listing *listing, struct str next)
{
    listing->pages++;
    listing->failures = 0;
    listing->fruitless = listing->objects == listing->objects_before ? listing->fruitless + 1 : 0;
    listing->objects_before = listing->objects;
    listing->long_token = next.n > LISTING_TOKEN_MAX;
    set(&listing->next, str_sub(next, 0, LISTING_TOKEN_MAX));
    look_for_cycle(listing);
}

/* Such an answer is given before anybody looks at the token. */
static bool is_blind(int status)
{
    static const int blind[] = {401, 403, 408, 429};
    for (size_t i = 0; i < sizeof blind / sizeof *blind; i++)
        if (status == blind[i])
            return true;
    return false;
}

bool listing_fail_page(struct listing *listing, int status)
{
    if (!listing->next.n || is_blind(status))
        return false;
    return ++listing->failures >= LISTING_TRIES || (status >= 400 && status < 500);
}

const char *listing_problem(const struct listing *listing, int64_t now)
{
    return listing->long_token ? "has a continue token of more than 4,096 bytes"
           : listing->repeats  ? "repeats its continue token"
           : listing->fruitless > LISTING_FRUITLESS_MAX
               ? "has more than 100 pages without an object one after another"
           : listing->pages > LISTING_PAGES_MAX               ? "has more than 4,000 pages"
           : listing->objects > LISTING_OBJECTS_MAX           ? "has more than 1,000,000 objects"
           : listing->bytes > (uint64_t)LISTING_MIB_MAX * MIB ? "has more than 2 GiB"
           : now - listing->began > LISTING_MS_MAX            ? "has not ended after 15 minutes"
                                                              : NULL;
}
