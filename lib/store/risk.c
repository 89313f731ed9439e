#include "store/risk.h"

#include "codec/jw.h"
#include "score/exemption.h"
#include "store/quota.h"

enum {
    NAMESPACE_MAX = 255,
    RESOURCE_MAX = 512,
    CONTAINER_MAX = 255,
    MESSAGE_MAX = 2000,
    CHECK_MAX = 64,
    REASON_MAX = 512
};

/* Of buckets that have changed: read at once, and when there are more, all risks are. */
enum { RANGES = 8, BUCKETS_READ_MAX = 4 * RANGES };

struct open_risk {
    struct str id;
    int64_t content, first_seen;
};
struct seen_risk {
    struct str id;
    int64_t first_seen;
};
struct hashes_row {
    struct str hashes;
};

#define STATEMENTS "store/risk.def"
#include "db/statements.inc"

struct merge {
    struct arena *arena;
    const struct cluster_row *row;
    const struct risk **sorted; /* the ledger's, by id */
    size_t n;
    const struct ledger *ledger;
    const int64_t *contents; /* one a risk of the ledger */
    int64_t *first_seen;
    struct risk_put_args *puts;
    struct str *closes; /* ids */
    size_t put_count, close_count;
};

/* ---- the open ones ---- */

static int by_id(const void *a, const void *b)
{
    const struct risk *const *x = a, *const *y = b;
    return strcmp((*x)->id, (*y)->id);
}

static struct str cut(struct str s, size_t max)
{
    return str_or_empty(str_utf8_prefix(s, max));
}

/* The parameters of risk_put and of risk_note. */
#define RISK_ARGS(stmt, row, risk, since, closed)                                                  \
    STMT_ARGS(stmt, .cluster = (row)->id, .risk_id = str_of((risk)->id),                           \
              .check_id = str_of((risk)->check->id),                                               \
              .category = category_name((risk)->check->category),                                  \
              .severity = severity_name((risk)->severity),                                         \
              .namespace = cut((risk)->namespace, NAMESPACE_MAX),                                  \
              .resource = cut((risk)->resource, RESOURCE_MAX),                                     \
              .container = cut((risk)->container, CONTAINER_MAX),                                  \
              .message = cut((risk)->message, MESSAGE_MAX), .places = (risk)->count,               \
              .absorbed_by = absorber_of(risk), .exempt_reason = reason_of(risk),                  \
              .would_cost = (risk)->would_cost, .exemption_id = exemption_of(risk),                \
              .content = risk_content((risk), (row)->taken), .first_seen = (since),                \
              .closed_at = (closed))

static struct str absorber_of(const struct risk *risk)
{
    return cut(risk->absorbed_by ? str_of(risk->absorbed_by->id) : STR(""), CHECK_MAX);
}

/* Absent without one, or of a file's. */
static struct str exemption_of(const struct risk *risk)
{
    return risk->exemption && risk->exemption->id.n ? risk->exemption->id : (struct str){0};
}

/* Absent without one. */
static struct str reason_of(const struct risk *risk)
{
    return risk->exempt ? cut(risk->exempt_reason, REASON_MAX) : (struct str){0};
}

static void close_risk(struct merge *m, struct str id)
{
    m->closes[m->close_count++] = id;
}

/* Both lists are in the order of ids. */
static void merge(struct merge *m, const struct open_risk *open, size_t open_count)
{
    const struct open_risk *end = open + open_count;
    for (size_t i = 0; i < m->n; i++) {
        const struct risk *risk = m->sorted[i];
        struct str id = str_of(risk->id);
        int64_t *first_seen = &m->first_seen[risk - m->ledger->risks.items];
        while (open < end && str_cmp(open->id, id) < 0)
            close_risk(m, open++->id);
        bool known = open < end && str_eq(open->id, id);
        *first_seen = known ? open->first_seen : m->row->taken;
        if (!known || open->content != m->contents[risk - m->ledger->risks.items])
            m->puts[m->put_count++] = RISK_ARGS(risk_put, m->row, risk, *first_seen, TIME_NONE);
        open += known;
    }
    while (open < end)
        close_risk(m, open++->id);
    assert(m->put_count <= m->n && m->close_count <= open_count);
}

/* An update counts twice among the rows that were affected, so what is missing was inserted. */
static void count_new(struct cluster_row *row, uint64_t put, uint64_t affected)
{
    uint64_t added = affected < 2 * put ? 2 * put - affected : 0;
    if (added > put)
        added = put;
    row->risk_rows += (int64_t)added;
    row->kept_bytes += (int64_t)added * QUOTA_RISK_BYTES;
}

/* ---- which of them are looked at ---- */

/* Buckets whose risks may not be those that are open. */
struct changes {
    bool changed[RISK_BUCKETS];
    unsigned n;
};

static int64_t *contents_of(struct arena *arena, const struct cluster_row *row,
                            const struct ledger *ledger)
{
    int64_t *contents = ARENA_ARRAY(arena, ledger->risks.n, int64_t);
    for (uint32_t i = 0; i < ledger->risks.n; i++)
        contents[i] = risk_content(&ledger->risks.items[i], row->taken);
    return contents;
}

static void mark_all(struct changes *changes)
{
    memset(changes->changed, true, sizeof changes->changed);
    changes->n = RISK_BUCKETS;
}

static enum error find_changes(struct db *db, struct arena *arena, const struct cluster_row *row,
                               const struct risk_hashes *now, struct changes *changes)
{
    struct hashes_row *stored;
    struct risk_hashes before;
    enum error e = DB_ROW(db, arena, &stored, risk_hashes, .cluster = row->id);
    *changes = (struct changes){.n = 0};
    if (e)
        return e;
    bool good = stored && stored->hashes.n == sizeof before;
    if (good)
        memcpy(&before, stored->hashes.p, sizeof before);
    if (!good || before.summary != row->gate_summary_hash) {
        mark_all(changes);
        return ERR_OK;
    }
    for (unsigned i = 0; i < RISK_BUCKETS; i++) {
        changes->changed[i] = before.buckets[i] != now->buckets[i];
        changes->n += changes->changed[i];
    }
    return ERR_OK;
}

typedef LIST(struct open_risk) open_list;

/* The least and the greatest id of a bucket; of none, two that nothing is between. */
static struct str bound(struct arena *arena, int bucket, bool least)
{
    if (bucket < 0)
        return STR("");
    return arena_printf(arena, "%02x%s", (unsigned)bucket, least ? "" : "ffffffffffffff");
}

/* The open risks of some buckets, which are in order; the rest of them is -1. */
static enum error read_buckets(struct db *db, struct arena *arena, struct str cluster,
                               const int buckets[RANGES], open_list *open)
{
    struct open_risk *items;
    size_t n;
#define RANGE(name, i)                                                                             \
    .from_##name = bound(arena, buckets[i], true), .to_##name = bound(arena, buckets[i], false)
    enum error e = DB_ROWS(db, arena, &items, &n, risk_open_between, .cluster = cluster,
                           RANGE(a, 0), RANGE(b, 1), RANGE(c, 2), RANGE(d, 3), RANGE(e, 4),
                           RANGE(f, 5), RANGE(g, 6), RANGE(h, 7));
#undef RANGE
    for (size_t i = 0; !e && i < n; i++)
        LIST_ADD(arena, *open, items[i]);
    return e;
}

/* In the order of their ids. */
static enum error read_open(struct db *db, struct arena *arena, struct str cluster,
                            const struct changes *changes, open_list *open)
{
    size_t n;
    enum error e = ERR_OK;
    *open = (open_list){0};
    if (changes->n == RISK_BUCKETS) {
        e = DB_ROWS(db, arena, &open->items, &n, risk_open, .cluster = cluster);
        open->n = e ? 0 : (uint32_t)n;
        return e;
    }
    for (int bucket = 0; !e && bucket < RISK_BUCKETS;) {
        int buckets[RANGES], found = 0;
        for (; bucket < RISK_BUCKETS && found < RANGES; bucket++)
            if (changes->changed[bucket])
                buckets[found++] = bucket;
        bool any = found > 0;
        while (found < RANGES)
            buckets[found++] = -1;
        e = any ? read_buckets(db, arena, cluster, buckets, open) : ERR_OK;
    }
    return e;
}

static void sort_changed(struct merge *m, const struct changes *changes)
{
    m->sorted = ARENA_ARRAY(m->arena, m->ledger->risks.n, const struct risk *);
    for (uint32_t i = 0; i < m->ledger->risks.n; i++) {
        const struct risk *risk = &m->ledger->risks.items[i];
        m->first_seen[i] = TIME_NONE;
        if (changes->changed[risk_bucket(risk)])
            m->sorted[m->n++] = risk;
    }
    if (m->n)
        qsort(m->sorted, m->n, sizeof(struct risk *), by_id);
}

/* ["0123456789abcdef", ...] */
static struct str list_ids(struct arena *arena, const struct str *ids, size_t n)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    struct jw jw;
    jw_init(&jw, &out);
    jw_array(&jw);
    for (size_t i = 0; i < n; i++)
        jw_str(&jw, ids[i]);
    jw_array_end(&jw);
    return buf_str(&out);
}

static enum error write_changes(struct db *db, struct merge *m, struct cluster_row *row)
{
    uint64_t affected = 0;
    enum error e = DB_RUN_MANY_COUNT(db, m->arena, &affected, risk_put, m->puts, m->put_count);
    count_new(row, m->put_count, affected);
    if (e || m->close_count == 0)
        return e;
    return DB_RUN(db, risk_close, .cluster = row->id, .closed_at = row->newest,
                  .ids = list_ids(m->arena, m->closes, m->close_count));
}

enum error risk_replace(struct db *db, struct arena *arena, struct cluster_row *row,
                        const struct ledger *ledger, struct risk_hashes *hashes,
                        int64_t **first_seen)
{
    size_t n = ledger->risks.n;
    int64_t *contents = contents_of(arena, row, ledger);
    struct changes changes;
    open_list open;
    risk_hashes_of(ledger, contents, hashes);
    enum error e = find_changes(db, arena, row, hashes, &changes);
    if (!e && changes.n > BUCKETS_READ_MAX)
        mark_all(&changes);
    if (!e)
        e = read_open(db, arena, row->id, &changes, &open);
    if (e)
        return e;
    struct merge m = {.arena = arena,
                      .row = row,
                      .ledger = ledger,
                      .contents = contents,
                      .first_seen = ARENA_ARRAY(arena, n, int64_t),
                      .puts = ARENA_ARRAY(arena, n, struct risk_put_args),
                      .closes = ARENA_ARRAY(arena, open.n, struct str)};
    sort_changed(&m, &changes);
    merge(&m, open.items, open.n);
    *first_seen = m.first_seen;
    return write_changes(db, &m, row);
}

static const struct seen_risk *find_seen(const struct seen_risk *seen, size_t n, struct str id)
{
    for (size_t i = 0; i < n; i++)
        if (str_eq(seen[i].id, id))
            return &seen[i];
    return NULL;
}

enum error risk_first_seen(struct db *db, struct arena *arena, const struct cluster_row *row,
                           const struct ledger *ledger, const uint32_t *which, size_t n,
                           int64_t *first_seen)
{
    struct str *ids = ARENA_ARRAY(arena, n, struct str);
    struct seen_risk *seen;
    size_t missing = 0, found;
    for (size_t i = 0; i < n; i++)
        if (first_seen[which[i]] == TIME_NONE)
            ids[missing++] = str_of(ledger->risks.items[which[i]].id);
    if (missing == 0)
        return ERR_OK;
    enum error e = DB_ROWS(db, arena, &seen, &found, risk_seen, .cluster = row->id,
                           .ids = list_ids(arena, ids, missing));
    for (size_t i = 0; !e && i < n; i++) {
        const struct seen_risk *one =
            find_seen(seen, found, str_of(ledger->risks.items[which[i]].id));
        if (first_seen[which[i]] == TIME_NONE)
            first_seen[which[i]] = one ? one->first_seen : row->taken;
    }
    return e;
}

enum error risk_first_seen_of(struct db *db, struct arena *arena, struct str cluster,
                              const struct str *ids, size_t n, int64_t *first_seen)
{
    struct seen_risk *seen = NULL;
    size_t found = 0;
    enum error e = ERR_OK;
    if (n)
        e = DB_ROWS(db, arena, &seen, &found, risk_seen, .cluster = cluster,
                    .ids = list_ids(arena, ids, n));
    for (size_t i = 0; !e && i < n; i++) {
        const struct seen_risk *one = find_seen(seen, found, ids[i]);
        first_seen[i] = one ? one->first_seen : TIME_NONE;
    }
    return e;
}

enum error risk_trim(struct db *db, struct arena *arena, struct cluster_row *row, int64_t most)
{
    if (row->risk_rows <= most)
        return ERR_OK;
    enum error e = DB_NUMBER(db, arena, &row->risk_rows, risk_rows, .cluster = row->id);
    if (e || row->risk_rows <= most)
        return e;
    int64_t removed = row->risk_rows - most + most / 4; /* not again with the next push */
    row->risk_rows -= removed;
    return DB_RUN(db, risk_forget, .cluster = row->id, .removed = removed);
}

/* A risk of a bucket that is as the stored one is open, so it was seen. */
enum error risk_note(struct db *db, struct arena *arena, struct cluster_row *row,
                     const struct ledger *ledger)
{
    uint64_t affected = 0;
    size_t n = 0;
    struct risk_note_args *args = ARENA_ARRAY(arena, ledger->risks.n, struct risk_note_args);
    struct risk_hashes now;
    struct changes changes;
    risk_hashes_of(ledger, contents_of(arena, row, ledger), &now);
    enum error e = find_changes(db, arena, row, &now, &changes);
    for (uint32_t i = 0; !e && i < ledger->risks.n; i++) {
        const struct risk *risk = &ledger->risks.items[i];
        if (changes.changed[risk_bucket(risk)])
            args[n++] = RISK_ARGS(risk_note, row, risk, row->taken, row->newest);
    }
    if (!e)
        e = DB_RUN_MANY_COUNT(db, arena, &affected, risk_note, args, n);
    count_new(row, affected, affected);
    return e;
}
