#include "deliver/stale.h"

/* That of the message; else the one that was looked at longest ago, which is forgotten. */
static struct stale_lease *place_of(struct stale *stale, struct str id)
{
    struct stale_lease *oldest = stale->leases;
    for (size_t i = 0; i < STALE_MAX; i++) {
        if (str_eq(str_of(stale->leases[i].id), id))
            return &stale->leases[i];
        if (stale->leases[i].looked < oldest->looked)
            oldest = &stale->leases[i];
    }
    return oldest;
}

static void keep(char text[UUID_TEXT_LEN + 1], struct str uuid)
{
    snprintf(text, UUID_TEXT_LEN + 1, "%" STR_FMT, STR_ARG(uuid));
}

bool stale_look(struct stale *stale, struct str id, struct str owner, int64_t until, int64_t now)
{
    struct stale_lease *found = place_of(stale, id);
    bool same = str_eq(str_of(found->id), id) && str_eq(str_of(found->owner), owner) &&
                found->until == until;
    if (!same) {
        *found = (struct stale_lease){.until = until};
        keep(found->id, id);
        keep(found->owner, owner);
    }
    if (!same || now - found->looked >= STALE_APART_MS) {
        found->looks++;
        found->looked = now;
    }
    return found->looks >= STALE_LOOKS;
}
