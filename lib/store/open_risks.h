/* open_risks: the risks of a cluster's latest score, all of them, as they are stored. */
#ifndef LOADLINE_STORE_OPEN_RISKS_H
#define LOADLINE_STORE_OPEN_RISKS_H

#include "score/score.h"
#include "service/db.h"

struct open_risks {
    struct risk *items;  /* costliest first, as in a ledger */
    int64_t *first_seen; /* one a risk */
    uint32_t n;
};

/* In the arena. A risk whose check this release does not know any more has one without words. */
enum error open_risks_fetch(struct db *db, struct arena *arena, struct str cluster,
                            struct open_risks *risks);

#endif
