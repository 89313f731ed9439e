/* channel: where a tenant's alerts go. */
#ifndef LOADLINE_STORE_CHANNEL_H
#define LOADLINE_STORE_CHANNEL_H

#include "db/db.h"
#include "service/seal.h"

enum {
    CHANNELS_MAX = 50, /* of a tenant */
    CHANNEL_NAME_MAX = 200,
    CHANNEL_ERROR_MAX = 500,
    CHANNEL_SECRET_OVERLAP_MS = 24 * 3600 * 1000 /* the old secret signs on after a rotation */
};

/* What may be shown of a channel. */
struct channel {
    struct str id, type; /* type: a name of alert/channel_types.def */
    struct str name;
    struct str url_masked;
    bool enabled;
    struct str disabled_reason; /* of the notifier; empty: a person did it */
    int64_t created;
    /* health; times are TIME_NONE when it did not happen */
    int64_t last_attempt, last_success;
    int64_t failing_since; /* the first failure after the last success */
    int64_t last_status;   /* HTTP status of the last attempt; 0: it got no answer */
    struct str last_error; /* of the last attempt; empty: it succeeded */
};

struct channels {
    size_t n;
    struct channel *items;
};

/* What posting to it takes. */
struct channel_target {
    struct str type;
    bool enabled;
    struct str url;             /* absent: no key of channel_keys opens it */
    struct str url_kept;        /* as it is kept: it differs whenever the URL was set anew */
    struct str secret;          /* whsec_...; absent unless the type is signed, or as the URL */
    struct str secret_previous; /* absent unless a rotation is under way */
};

/* All of the tenant, newest first. */
enum error channel_list(struct db *db, struct arena *arena, struct channels *channels);
/* NULL when the tenant has none of that id. */
enum error channel_find(struct db *db, struct arena *arena, struct str id,
                        struct channel **channel);
/* The same inside a transaction: nobody else changes it until its end. */
enum error channel_lock(struct db *db, struct arena *arena, struct str id,
                        struct channel **channel);
/* The same as channel_find(). Wipe its URL and secrets after use. */
enum error channel_target(struct db *db, struct arena *arena, const struct seal_keys *keys,
                          struct str id, int64_t now, struct channel_target **target);

struct channel_draft {
    struct str type, name;
    struct str url, url_masked;
    struct str secret; /* absent unless the type is signed */
    bool enabled;      /* of a new one */
};
/* A new one; in the arena. */
enum error channel_create(struct db *db, struct arena *arena, const struct seal_keys *keys,
                          const struct channel_draft *draft, int64_t now, struct channel **channel);
/* The following are for a channel that is locked, and change *channel too. */

/* Name and enabled become those of *channel. One that is disabled now loses what it has queued; one
 * that is enabled now begins with no health. was_enabled: until now. */
enum error channel_update(struct db *db, struct channel *channel, bool was_enabled);
/* Forgets its health, and tries at once what waits because the old URL failed. */
enum error channel_set_url(struct db *db, struct arena *arena, const struct seal_keys *keys,
                           struct channel *channel, struct str url, struct str url_masked,
                           int64_t now);
/* What was its secret until now signs along for CHANNEL_SECRET_OVERLAP_MS; an older one no more. */
enum error channel_rotate(struct db *db, struct arena *arena, const struct seal_keys *keys,
                          const struct channel *channel, struct str secret, int64_t now);
/* With what it has queued, and out of all rules: one that named no other channel names none. */
enum error channel_delete(struct db *db, const struct channel *channel);

#endif
