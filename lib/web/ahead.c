#include "web/ahead.h"

/* What has no valid name or key is refused later. */
void ahead_note(struct request *r, struct route_table table)
{
    const struct route *route;
    struct str key = http_header(&r->http, "X_API_KEY");
    struct str cluster = http_header(&r->http, "X_CLUSTER_ID");
    if (route_find(table, r->http.path, r->http.method, &route) ||
        route->credential != CREDENTIAL_API_KEY || route->need != NEED_CICD)
        return;
    r->ahead.noted = r->http.has_length && r->http.length <= AHEAD_BODY_MAX &&
                     cluster_name_is_valid(cluster) &&
                     crypt_secret_hash(CRYPT_KEY_PREFIX, key, r->ahead.key_hash);
    r->ahead.cluster = cluster;
}

struct reading {
    struct db *db;
    struct arena *arena;
    struct request *const *requests;
    size_t n;
};

static bool is_same_key(const struct request *one, const struct request *other)
{
    return memcmp(one->ahead.key_hash, other->ahead.key_hash, CRYPT_DIGEST) == 0;
}

static void hand_out(const struct keyed_clusters *found, struct request *const *requests, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < found->n; k++)
            if (str_eq(found->items[k].cluster.name, requests[i]->ahead.cluster))
                requests[i]->ahead.read = &found->items[k];
}

/* For the request at that place and those behind it that have the same key. */
static enum error read_of_key(const struct reading *reading, size_t at)
{
    struct request *alike[KEYED_CLUSTERS_MAX];
    struct str names[KEYED_CLUSTERS_MAX];
    struct keyed_clusters found;
    int64_t now = 0;
    size_t n = 0;
    for (size_t i = at; i < reading->n && n < KEYED_CLUSTERS_MAX; i++) {
        struct request *r = reading->requests[i];
        if (!r->ahead.noted || !is_same_key(r, reading->requests[at]))
            continue;
        r->ahead.noted = false;
        now = r->now > now ? r->now : now;
        names[n] = r->ahead.cluster;
        alike[n++] = r;
    }
    enum error e = keyed_cluster_find(reading->db, reading->arena, alike[0]->ahead.key_hash, now,
                                      names, n, &found);
    if (!e)
        hand_out(&found, alike, n);
    return e;
}

static void read_all(void *arg)
{
    const struct reading *reading = arg;
    enum error e = ERR_OK;
    for (size_t i = 0; !e && i < reading->n; i++)
        if (reading->requests[i]->ahead.noted)
            e = read_of_key(reading, i);
    for (size_t i = 0; e && i < reading->n; i++)
        reading->requests[i]->ahead.error = e;
}

void ahead_read(struct db *db, struct arena *arena, struct request *const *requests, size_t n)
{
    struct reading reading = {db, arena, requests, n};
    arena_guard(arena, read_all, &reading);
    db_reset(db);
}

const struct apikey *ahead_key(const struct request *r)
{
    return r->ahead.read ? &r->ahead.read->key : NULL;
}

enum error ahead_cause(const struct request *r, enum error e)
{
    return e == ERR_DATABASE_BUSY && r->ahead.error ? r->ahead.error : e;
}

/* A copy, because who has it may change it. */
struct cluster_row *ahead_cluster(const struct request *r, struct str name)
{
    const struct keyed_cluster *read = r->ahead.read;
    if (!read || !str_eq(read->cluster.name, name))
        return NULL;
    return arena_copy(r->arena, &read->cluster, sizeof read->cluster);
}
