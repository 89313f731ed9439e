/* audit_chain: makes the audit trail a chain, and finds where it was cut or changed.
 *
 * Entries are added by many workers on many hosts at once, so none can hold the hash of the one
 * before it. Maintenance chains them when they have settled: in the order in which the database
 * noted them, each gets an HMAC of itself and of the HMAC before it, with a key that the database
 * does not hold. Each tenant has a chain of its own, so that it can be purged; so has the service
 * (AUDIT_SERVICE). What retention removes leaves its last link, by which the next one is checked.
 *
 * Two that chain at once make the same links. Who can write to the database but has no key can take
 * away the end of a chain, links and entries: compare heads with an earlier report, or with the log
 * of loadline-maintain.
 */
#ifndef LOADLINE_STORE_AUDIT_CHAIN_H
#define LOADLINE_STORE_AUDIT_CHAIN_H

#include "db/db.h"
#include "service/crypt.h"
#include "service/seal.h"
#include "store/throttle.h"

enum {
    AUDIT_SETTLED_MS = 10 * 60 * 1000,     /* longer than a transaction lasts, and clocks differ */
    AUDIT_OVERDUE_MS = 24 * 60 * 60 * 1000 /* what is older and not chained is a finding */
};

struct audit_head {
    struct str tenant;
    int64_t position;                /* of the last link; 0: there is none */
    unsigned char mac[CRYPT_DIGEST]; /* of the last link */
};

typedef void audit_head_tell(void *context, const struct audit_head *head);

/* Chains what was noted at or before `before`, of all tenants. keys: the first is taken; there is
 * one at least. tell: of each chain that got longer. The arena is reset meanwhile. It may be
 * stopped: the next call goes on. */
enum error audit_chain_extend(struct db *db, struct arena *arena, const struct seal_keys *keys,
                              int64_t before, struct throttle *throttle, audit_head_tell *tell,
                              void *context);
/* Takes away the links of entries that were noted at or before `before` and are gone, but for the
 * last one of each chain. */
enum error audit_chain_trim(struct db *db, struct arena *arena, int64_t before);

struct audit_finding {
    const char *problem; /* a sentence; NULL: none */
    int64_t position;    /* of the link that is broken; 0: the entry is in none */
    struct str id;       /* of the entry; absent: not known */
    int64_t noted;       /* TIME_NONE: not known */
};

struct audit_report {
    struct audit_head head;
    int64_t checked;              /* entries that are what they were */
    int64_t waiting;              /* entries that are not chained yet */
    struct audit_finding finding; /* the first one */
};

typedef void audit_report_tell(void *context, const struct audit_report *report);

/* Checks the chains of all tenants. days: as long as entries are kept, 0 for ever. The arena is
 * reset meanwhile. */
enum error audit_chain_verify(struct db *db, struct arena *arena, const struct seal_keys *keys,
                              int64_t now, int64_t days, audit_report_tell *tell, void *context);

#endif
