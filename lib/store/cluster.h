/* cluster: a tenant's clusters and their latest scores. */
#ifndef LOADLINE_STORE_CLUSTER_H
#define LOADLINE_STORE_CLUSTER_H

#include "db/db.h"

enum { CLUSTER_NAME_MAX = 128 };
/* How far clocks of hosts may differ. What is further ahead a wrong clock has told. */
enum { CLUSTER_CLOCKS_DIFFER_MS = 5 * 60 * 1000 };

struct cluster_row {
    struct str id;   /* our own */
    struct str name; /* the client's: X-Cluster-Id */
    struct str provider, region;
    int64_t received, taken;    /* of the latest snapshot; TIME_NONE: never scored */
    int64_t score, score_exact; /* score_exact in hundredths */
    int64_t nodes, pods, risks;
    struct str categories; /* JSON */
    int64_t gate_summary_hash;
    int64_t newest;                   /* time of the history's newest point; TIME_NONE: none */
    int64_t ledger_base, ledger_hash; /* store/stored_ledger.c's */
    bool partial;                     /* its owner says: the snapshots show some namespaces only */
    struct str shown;                 /* kinds that its snapshots have shown: store/shown.h */
    int64_t risk_rows;                /* about: store/risk.c's */
    int64_t snapshot_bytes, kept_bytes; /* store/quota.h */
    struct str verdict;    /* of the latest snapshot, a sentence; empty: of before there were any */
    int64_t snapshot_hash; /* snapshot_hash() of the stored copy */
    int64_t overridden;    /* until then an override may hold; TIME_NONE: there was none */
    int64_t deploys_hash, deploys_due; /* store/stored_deploy.c's */
    int64_t packed; /* up to there maintenance has packed the history (store/history_pack.h);
                       TIME_NONE: nowhere */
    int64_t rolled; /* up to there score_rollup has all steps (store/history_rollup.h);
                       TIME_NONE: everywhere */
    int64_t calm;   /* of a locked row: the tenant's revision (store/alert_memory.h) when the push
                       before left nothing firing, else 0. To be put: not 0 for such a push */
};

struct cluster_rows {
    size_t n;
    struct cluster_row *items;
};

/* 1 to CLUSTER_NAME_MAX of A-Z a-z 0-9 . _ : / - */
bool cluster_name_is_valid(struct str name);

/* NULL when the tenant has none of that name. */
enum error cluster_find(struct db *db, struct arena *arena, struct str name,
                        struct cluster_row **row);
/* The same inside a transaction; until its end nobody else gets past this point with this cluster.
 */
enum error cluster_lock(struct db *db, struct arena *arena, struct str name,
                        struct cluster_row **row);
/* The same without waiting: NULL as well when somebody else has locked it. */
enum error cluster_lock_free(struct db *db, struct arena *arena, struct str name,
                             struct cluster_row **row);
/* All of the tenant, by name. */
enum error cluster_list(struct db *db, struct arena *arena, struct cluster_rows *rows);
/* A new one, never scored, in the arena. */
enum error cluster_create(struct db *db, struct arena *arena, struct str name, int64_t now,
                          struct cluster_row **row);
/* All members but id, name, partial, overridden, packed and rolled replace the stored ones. */
enum error cluster_put_score(struct db *db, const struct cluster_row *row);
/* The same of a push whose snapshot is stored already: that gets the new times as well. *put:
 * false, and nothing has changed, when there is no snapshot. */
enum error cluster_put_score_alone(struct db *db, const struct cluster_row *row, bool *put);
/* Its stored copy cannot be read: that is counted, and the next push stores it whole, also with the
 * same bytes. */
enum error cluster_distrust(struct db *db, const struct cluster_row *row);
/* Sets partial: it counts for the snapshots that follow. */
enum error cluster_set_partial(struct db *db, struct cluster_row *row, bool partial);
/* Only what the history's newest point has changed does: for a push that is not the latest. */
enum error cluster_put_newest(struct db *db, const struct cluster_row *row);

/* Is that time so far ahead that only a wrong clock can have told it? */
bool cluster_is_ahead(int64_t taken, int64_t now);
/* How old a snapshot is, never negative; `unknown` when its time is so far ahead. */
int64_t cluster_age(int64_t taken, int64_t now, int64_t unknown);
/* A latest snapshot that is so far ahead counts as `unknown` old from now on, so that it is not
 * taken for a new one when its time has come. Changes the row too. */
enum error cluster_disbelieve(struct db *db, struct cluster_row *row, int64_t now, int64_t unknown);
/* The same for all clusters of all tenants, for maintenance. */
enum error cluster_disbelieve_all(struct db *db, int64_t now, int64_t unknown);

enum cluster_status { CLUSTER_CONNECTED, CLUSTER_STALE, CLUSTER_DISCONNECTED };
/* By the age of the latest snapshot: under 60 s, under 15 min, else. */
enum cluster_status cluster_status(const struct cluster_row *row, int64_t now);
struct str cluster_status_name(enum cluster_status status);

#endif
