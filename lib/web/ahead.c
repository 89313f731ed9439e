#include "web/ahead.h"

#include "base/clock.h"
#include "web/push_head.h"

enum { PUSH_FRESH_MS = 1000, OPEN_BODY_MAX = 64 << 10 };

/* ---- what is noted ---- */

static bool is_question(const struct request *r, const struct route *route)
{
    return route->need == NEED_CICD && r->http.has_length && r->http.length <= AHEAD_BODY_MAX;
}

/* One that says when it was taken is also known by its content, which is not there yet. One that is
 * shed asks the database nothing. */
static bool is_push(struct request *r, const struct route *route)
{
    struct str key;
    if (route->need != NEED_AGENT || strcmp(route->program, "ingest") != 0 ||
        http_header(&r->http, "X_SNAPSHOT_TIME").n || http_shed(&r->http) != WAITING_STAYS ||
        !push_head_read_key(r, &key))
        return false;
    r->ahead.push_key = push_key_hash(r->arena, push_head_kind(r), key);
    return true;
}

/* What has no valid name or key is refused later. */
void ahead_note(struct request *r, struct route_table table)
{
    const struct route *route;
    struct str key = http_header(&r->http, "X_API_KEY");
    struct str cluster = http_header(&r->http, "X_CLUSTER_ID");
    if (route_find(table, r->http.path, r->http.method, &route) ||
        route->credential != CREDENTIAL_API_KEY || !cluster_name_is_valid(cluster) ||
        !crypt_secret_hash(CRYPT_KEY_PREFIX, key, r->ahead.key_hash))
        return;
    r->ahead.is_push = is_push(r, route);
    r->ahead.noted = r->ahead.is_push || is_question(r, route);
    r->ahead.cluster = cluster;
}

/* ---- what is read ---- */

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

/* What comes next changes what is read here, unless it is refused. A body that is long may come
 * slowly, and would keep the tables from being altered meanwhile. */
static void leave_open(const struct reading *reading, const struct request *r)
{
    if (r->http.has_length && r->http.length <= OPEN_BODY_MAX)
        db_leave_open(reading->db);
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
        if (!r->ahead.noted || r->ahead.is_push || !is_same_key(r, reading->requests[at]))
            continue;
        r->ahead.noted = false;
        now = r->now > now ? r->now : now;
        names[n] = r->ahead.cluster;
        alike[n++] = r;
    }
    leave_open(reading, alike[0]);
    enum error e = keyed_cluster_find(reading->db, reading->arena, alike[0]->ahead.key_hash, now,
                                      names, n, &found);
    if (!e)
        hand_out(&found, alike, n);
    return e;
}

static enum error read_push(const struct reading *reading, struct request *r)
{
    r->ahead.noted = false;
    r->ahead.push_read = clock_monotonic();
    leave_open(reading, r);
    return push_look_up_keyed(reading->db, reading->arena, r->ahead.key_hash, r->now,
                              r->ahead.cluster, r->ahead.push_key, r->now, &r->ahead.push);
}

static enum error read_for(const struct reading *reading, size_t at)
{
    struct request *r = reading->requests[at];
    return r->ahead.is_push ? read_push(reading, r) : read_of_key(reading, at);
}

static void read_all(void *arg)
{
    const struct reading *reading = arg;
    enum error e = ERR_OK;
    for (size_t i = 0; !e && i < reading->n; i++)
        if (reading->requests[i]->ahead.noted)
            e = read_for(reading, i);
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
    if (r->ahead.push)
        return &r->ahead.push->key;
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

/* Who looks again wants to know what has come since. */
struct push_before *ahead_push(struct request *r, struct str name, const struct push_id *id)
{
    struct keyed_push *push = r->ahead.push;
    bool fresh = push && clock_monotonic() - r->ahead.push_read <= PUSH_FRESH_MS;
    r->ahead.push = NULL;
    if (!fresh || id->by_time.n || !str_eq(id->by_key, r->ahead.push_key) ||
        !str_eq(name, r->ahead.cluster))
        return NULL;
    return &push->before;
}
