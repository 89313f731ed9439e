/* rule: when a tenant wants to be alerted, beyond the catch-all. */
#ifndef LOADLINE_STORE_RULE_H
#define LOADLINE_STORE_RULE_H

#include "alert/alert.h"
#include "db/db.h"

enum { RULES_MAX = 100 /* of a tenant */, RULE_CHANNELS_MAX = 50 };

struct rule {
    struct str id;
    enum alert_kind kind;
    int64_t threshold;       /* of a score_drop, else 0 */
    struct str cluster_name; /* absent: all clusters */
    struct str channels;     /* ids, separated by blanks; absent: all channels */
    bool enabled;
    int64_t created;
};

struct rules {
    size_t n;
    struct rule *items;
};

/* All of the tenant, newest first. */
enum error rule_list(struct db *db, struct arena *arena, struct rules *rules);
enum error rule_count(struct db *db, struct arena *arena, int64_t *count);
/* Inside a transaction: nobody else changes it until its end. NULL when the tenant has none of that
 * id. */
enum error rule_lock(struct db *db, struct arena *arena, struct str id, struct rule **rule);
/* Sets id and time. */
enum error rule_create(struct db *db, struct arena *arena, struct rule *rule, int64_t now);
/* Everything but id, kind and time of creation. What it has fired ends unheard when it does not
 * concern the cluster any more. */
enum error rule_update(struct db *db, const struct rule *rule);
enum error rule_delete(struct db *db, struct str id);
/* No rule names this channel any more. */
enum error rule_forget_channel(struct db *db, struct str channel);

#endif
