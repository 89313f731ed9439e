#include "store/cluster.h"

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

static struct cluster_row row_of(const struct db_value *v)
{
    return (struct cluster_row){.id = v[0].s,
                                .name = v[1].s,
                                .provider = v[2].s,
                                .region = v[3].s,
                                .received = v[4].i,
                                .taken = v[5].i,
                                .score = v[6].i,
                                .score_exact = v[7].i,
                                .nodes = v[8].i,
                                .pods = v[9].i,
                                .risks = v[10].i,
                                .categories = v[11].s,
                                .brief_hash = v[12].i,
                                .newest = v[13].i,
                                .ledger_base = v[14].i,
                                .ledger_hash = v[15].i};
}

static enum error find(struct db *db, struct arena *arena, enum old_stmt stmt, struct str name,
                       struct cluster_row **row)
{
    struct db_value *values;
    enum error e = db_row(db, arena, stmt, DB_ARGS(db_text(name)), &values);
    *row = NULL;
    if (e || !values)
        return e;
    *row = ARENA_NEW(arena, struct cluster_row);
    **row = row_of(values);
    return ERR_OK;
}

enum error cluster_find(struct db *db, struct arena *arena, struct str name,
                        struct cluster_row **row)
{
    return find(db, arena, STMT_cluster_by_name, name, row);
}

enum error cluster_lock(struct db *db, struct arena *arena, struct str name,
                        struct cluster_row **row)
{
    return find(db, arena, STMT_cluster_lock, name, row);
}

enum error cluster_list(struct db *db, struct arena *arena, struct cluster_rows *rows)
{
    struct db_rows result;
    enum error e = db_rows(db, arena, STMT_cluster_list, DB_NO_ARGS, &result);
    if (e)
        return e;
    rows->n = result.n;
    rows->items = ARENA_ARRAY(arena, result.n, struct cluster_row);
    for (size_t i = 0; i < result.n; i++)
        rows->items[i] = row_of(result.items[i]);
    return ERR_OK;
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
                                 .ledger_base = TIME_NONE};
    return db_run(db, STMT_cluster_insert,
                  DB_ARGS(db_uuid((*row)->id), db_text(name), db_time(now)), NULL);
}

enum error cluster_put_score(struct db *db, const struct cluster_row *row)
{
    return db_run(db, STMT_cluster_put_score,
                  DB_ARGS(db_text(row->provider), db_text(row->region), db_time(row->received),
                          db_time(row->taken), db_int(row->score), db_int(row->score_exact),
                          db_int(row->nodes), db_int(row->pods), db_int(row->risks),
                          db_text(row->categories), db_int(row->brief_hash), db_time(row->newest),
                          db_time(row->ledger_base), db_int(row->ledger_hash), db_uuid(row->id)),
                  NULL);
}

enum error cluster_put_newest(struct db *db, const struct cluster_row *row)
{
    return db_run(db, STMT_cluster_put_newest,
                  DB_ARGS(db_time(row->newest), db_time(row->ledger_base), db_int(row->ledger_hash),
                          db_uuid(row->id)),
                  NULL);
}

enum cluster_status cluster_status(const struct cluster_row *row, int64_t now)
{
    if (row->received == TIME_NONE || now - row->received >= STALE_MS)
        return CLUSTER_DISCONNECTED;
    return now - row->received < CONNECTED_MS ? CLUSTER_CONNECTED : CLUSTER_STALE;
}

struct str cluster_status_name(enum cluster_status status)
{
    static const char *const names[] = {[CLUSTER_CONNECTED] = "connected",
                                        [CLUSTER_STALE] = "stale",
                                        [CLUSTER_DISCONNECTED] = "disconnected"};
    return str_of(names[status]);
}
