#include "store/cluster.h"

#include "base/log.h"
#include "service/metrics.h"

#define STATEMENTS "store/cluster.def"
#include "db/statements.inc"

enum { CONNECTED_MS = 60 * 1000, STALE_MS = 15 * 60 * 1000 };

bool cluster_name_is_valid(struct str name)
{
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        bool alphanumeric =
            (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (!alphanumeric && (!c || !strchr("._:/-", c)))
            return false;
    }
    return name.n >= 1 && name.n <= CLUSTER_NAME_MAX;
}

enum error cluster_find(struct db *db, struct arena *arena, struct str name,
                        struct cluster_row **row)
{
    return DB_ROW(db, arena, row, cluster_by_name, .name = name);
}

enum error cluster_lock(struct db *db, struct arena *arena, struct str name,
                        struct cluster_row **row)
{
    return DB_ROW(db, arena, row, cluster_lock, .name = name);
}

enum error cluster_lock_free(struct db *db, struct arena *arena, struct str name,
                             struct cluster_row **row)
{
    return DB_ROW(db, arena, row, cluster_lock_free, .name = name);
}

enum error cluster_list(struct db *db, struct arena *arena, struct cluster_rows *rows)
{
    return DB_ROWS(db, arena, &rows->items, &rows->n, cluster_list);
}

enum error cluster_create(struct db *db, struct arena *arena, struct str name, int64_t now,
                          struct cluster_row **row)
{
    char id[UUID_TEXT_LEN + 1];
    rand_uuid(id);
    *row = ARENA_NEW(arena, struct cluster_row);
    **row = (struct cluster_row){.id = arena_str(arena, str_of(id)),
                                 .name = name,
                                 .received = TIME_NONE,
                                 .taken = TIME_NONE,
                                 .newest = TIME_NONE,
                                 .ledger_base = TIME_NONE,
                                 .overridden = TIME_NONE,
                                 .deploys_due = TIME_NONE,
                                 .packed = TIME_NONE,
                                 .rolled = TIME_NONE};
    return DB_RUN(db, cluster_insert, .cluster = (*row)->id, .name = name, .created_at = now);
}

#define SCORE_ARGS(row)                                                                            \
    .cluster = (row)->id, .provider = (row)->provider, .region = (row)->region,                    \
    .received_at = (row)->received, .taken_at = (row)->taken, .score = (row)->score,               \
    .score_exact = (row)->score_exact, .nodes = (row)->nodes, .pods = (row)->pods,                 \
    .risks = (row)->risks, .categories = (row)->categories,                                        \
    .brief_hash = (row)->gate_summary_hash, .newest_at = (row)->newest,                            \
    .ledger_base = (row)->ledger_base, .ledger_hash = (row)->ledger_hash,                          \
    .shown = str_or_empty((row)->shown), .risk_rows = (row)->risk_rows,                            \
    .snapshot_bytes = (row)->snapshot_bytes, .kept_bytes = (row)->kept_bytes,                      \
    .verdict = str_or_empty((row)->verdict), .snapshot_hash = (row)->snapshot_hash,                \
    .deploys_hash = (row)->deploys_hash, .deploys_due = (row)->deploys_due,                        \
    .calm = (row)->calm != 0

enum error cluster_put_score(struct db *db, const struct cluster_row *row)
{
    return DB_RUN(db, cluster_put_score, SCORE_ARGS(row));
}

enum error cluster_put_score_alone(struct db *db, const struct cluster_row *row, bool *put)
{
    uint64_t affected = 0;
    enum error e = DB_RUN_COUNT(db, &affected, cluster_put_score_alone, SCORE_ARGS(row));
    *put = affected > 0;
    return e;
}

enum error cluster_distrust(struct db *db, const struct cluster_row *row)
{
    metrics_add(METRIC_SNAPSHOT_DAMAGED, 1);
    return DB_RUN(db, cluster_distrust, .cluster = row->id);
}

enum error cluster_set_partial(struct db *db, struct cluster_row *row, bool partial)
{
    row->partial = partial;
    return DB_RUN(db, cluster_set_partial, .cluster = row->id, .partial = partial);
}

enum error cluster_put_newest(struct db *db, const struct cluster_row *row)
{
    return DB_RUN(db, cluster_put_newest, .cluster = row->id, .newest_at = row->newest,
                  .ledger_base = row->ledger_base, .ledger_hash = row->ledger_hash,
                  .risk_rows = row->risk_rows, .kept_bytes = row->kept_bytes);
}

bool cluster_is_ahead(int64_t taken, int64_t now)
{
    return taken != TIME_NONE && taken > now + CLUSTER_CLOCKS_DIFFER_MS;
}

int64_t cluster_age(int64_t taken, int64_t now, int64_t unknown)
{
    if (cluster_is_ahead(taken, now))
        return unknown;
    return now > taken ? now - taken : 0;
}

enum error cluster_disbelieve(struct db *db, struct cluster_row *row, int64_t now, int64_t unknown)
{
    log_warn("cluster=%s problem=\"its latest snapshot is of a time that has not come: a clock was "
             "wrong\"",
             log_quote(row->name));
    row->taken = now - unknown;
    row->received = row->received < now ? row->received : now;
    return DB_RUN(db, cluster_disbelieve, .cluster = row->id, .taken_at = row->taken, .now = now,
                  .ahead = now + CLUSTER_CLOCKS_DIFFER_MS);
}

enum error cluster_disbelieve_all(struct db *db, int64_t now, int64_t unknown)
{
    return DB_RUN(db, cluster_disbelieve_all, .taken_at = now - unknown, .now = now,
                  .ahead = now + CLUSTER_CLOCKS_DIFFER_MS);
}

enum cluster_status cluster_status(const struct cluster_row *row, int64_t now)
{
    int64_t age = cluster_age(row->received, now, STALE_MS);
    if (row->received == TIME_NONE || age >= STALE_MS)
        return CLUSTER_DISCONNECTED;
    return age < CONNECTED_MS ? CLUSTER_CONNECTED : CLUSTER_STALE;
}

struct str cluster_status_name(enum cluster_status status)
{
    static const char *const names[] = {[CLUSTER_CONNECTED] = "connected",
                                        [CLUSTER_STALE] = "stale",
                                        [CLUSTER_DISCONNECTED] = "disconnected"};
    return str_of(names[status]);
}
