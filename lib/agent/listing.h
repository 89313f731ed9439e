/* listing: how far the list of one kind has come, page by page, and whether it will ever end. An
 * API server that is broken or hostile may repeat its pages, or make up new ones for ever.
 */
#ifndef LOADLINE_AGENT_LISTING_H
#define LOADLINE_AGENT_LISTING_H

#include "agent/memory.h"

enum {
    LISTING_PAGES_MAX = 4000,
    LISTING_FRUITLESS_MAX = 100, /* pages without an object, one after another */
    LISTING_OBJECTS_MAX = 1000 * 1000,
    LISTING_MIB_MAX = 2048, /* as they come; what is pushed may have half of that */
    LISTING_TOKEN_MAX = 4096,
    LISTING_TRIES = 3,              /* of a page, before its token is doubted */
    LISTING_MS_MAX = 15 * 60 * 1000 /* API servers forget a list sooner */
};

/* A zeroed one has not begun. */
struct listing {
    /* The token of the page to ask for; empty: the first, or there is no other. */
    struct bytes next;
    unsigned pages; /* that have ended */
    uint64_t objects, bytes;
    /* the rest is private */
    int64_t began;
    unsigned fruitless, failures; /* failures: of the page to ask for, in a row */
    uint64_t objects_before;      /* of the page that is under way */
    bool repeats, long_token;
    struct bytes mark; /* a token of some pages ago */
};

/* Here and below, now: clock_monotonic(). */
void listing_begin(struct listing *listing, int64_t now);
void listing_free(struct listing *listing);

void listing_take_bytes(struct listing *listing, size_t n);
void listing_take_object(struct listing *listing);
/* A page has ended; next: the token of the one after it. That a token came before is noticed, if
 * not always at once. */
void listing_end_page(struct listing *listing, struct str next);

/* The page could not be had: by the status of the answer, 0: there was none, 200: it was no page.
 * True when its token may be the reason: then only the first page helps. */
bool listing_fail_page(struct listing *listing, int status);

/* Why it must not go on, as the end of a sentence about the list; NULL while it may. */
const char *listing_problem(const struct listing *listing, int64_t now);

#endif
