/* audit: the trail of who did what, from where, and how it ended. Entries are added and read, never
 * changed.
 *
 * An entry is added inside the transaction of its action, so that both are there or neither is.
 */
#ifndef LOADLINE_STORE_AUDIT_H
#define LOADLINE_STORE_AUDIT_H

#include "db/db.h"
#include "store/keyset.h"

enum audit_action {
#define ACTION(name, text, subject) AUDIT_##name,
#include "store/actions.def"
#undef ACTION
    AUDIT_ACTIONS
};

/* The tenant whose trail has what concerns the service and no tenant: keys that nobody knows. */
#define AUDIT_SERVICE UUID_NIL

enum { AUDIT_ACTOR_MAX = 254, AUDIT_ADDRESS_MAX = 64, AUDIT_SUBJECT_MAX = 512 };

/* Texts longer than the maxima are cut. */
struct audit_entry {
    int64_t time;
    struct str actor_id; /* of a user or an API key; absent: neither */
    struct str actor;    /* e-mail, name of the key, or "loadline-admin" */
    struct str address;  /* absent: it came over no network */
    enum audit_action action;
    struct str subject; /* as actions.def says */
    enum error result;  /* ERR_OK, or why it was refused */
};

/* One more entry of the tenant. */
enum error audit_add(struct db *db, const struct audit_entry *entry);
/* So many more. */
enum error audit_add_all(struct db *db, struct arena *arena,
                         const struct audit_entry *const *entries, size_t n);

struct audit_row {
    int64_t time;
    struct str id;       /* of the entry */
    struct str actor_id; /* absent: neither a user nor a key */
    struct str actor, address, action, subject, result;
};

struct audit_rows {
    size_t n;
    struct audit_row *items;
};

struct audit_filter {
    int64_t from, to;  /* both included */
    struct str action; /* its name; absent: any */
    struct str actor;  /* its name in any case, or its id; absent: any */
    struct keyset page;
};

/* Entries of the tenant, newest first. */
enum error audit_list(struct db *db, struct arena *arena, const struct audit_filter *filter,
                      struct audit_rows *rows);
/* Forgets at most `limit` entries of all tenants that were noted at or before `before`, the oldest
 * first. For maintenance, whose account may: the programs' may only add and read. */
enum error audit_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged);
/* How many it would forget without a limit. */
enum error audit_old(struct db *db, struct arena *arena, int64_t before, int64_t *count);

struct str audit_action_name(enum audit_action action);
/* False when there is no action of that name. */
bool audit_action_find(struct str name, enum audit_action *action);

#endif
