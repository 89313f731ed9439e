#include "store/risk.h"

#include "base/hash.h"
#include "score/exemption.h"
#include "store/quota.h"

enum {
    NAMESPACE_MAX = 255,
    RESOURCE_MAX = 512,
    CONTAINER_MAX = 255,
    MESSAGE_MAX = 2000,
    CHECK_MAX = 64,
    REASON_MAX = 512,
    AGES_MS = 5 * 60 * 1000
};

struct open_risk {
    struct str id;
    int64_t content, first_seen;
};
struct risk_text {
    struct str id, check, category, severity, namespace, resource, container, message;
    uint32_t places;
    struct str absorbed_by, exempt_reason;
    uint32_t would_cost;
    struct str exemption, reason, owner; /* absent: by none that is kept */
    int64_t expires, first_seen, closed;
};

#define STATEMENTS "store/risk.def"
#include "db/statements.inc"

struct merge {
    struct arena *arena;
    const struct cluster_row *row;
    const struct risk **sorted; /* the ledger's, by id */
    size_t n;
    const struct ledger *ledger;
    int64_t *first_seen;
    struct risk_put_args *puts;
    struct risk_close_args *closes;
    size_t put_count, close_count;
};

/* ---- the open ones ---- */

static int by_id(const void *a, const void *b)
{
    const struct risk *const *x = a, *const *y = b;
    return strcmp((*x)->id, (*y)->id);
}

/* As clock_format_age() writes them. */
static bool is_age_unit(struct str rest)
{
    size_t n = str_has_prefix(rest, STR(" s")) ? 2 : str_has_prefix(rest, STR(" min")) ? 4 : 0;
    char next = n && rest.n > n ? rest.p[n] : '.';
    return n && (next < 'a' || next > 'z');
}

/* A message without what moves on by itself: the number of an age below an hour ("45 s", "12 min").
 */
static uint64_t hash_words(uint64_t hash, struct str message, bool *has_age)
{
    size_t from = 0;
    *has_age = false;
    for (size_t i = 0; i < message.n; i++) {
        size_t digits = str_digits(str_sub(message, i, message.n));
        if (digits && is_age_unit(str_sub(message, i + digits, message.n))) {
            hash = hash_bytes(hash, str_sub(message, from, i - from));
            from = i + digits;
            *has_age = true;
        }
        i += digits;
    }
    return hash_bytes(hash, str_sub(message, from, message.n));
}

static uint64_t hash_exemption(uint64_t hash, const struct risk *risk)
{
    hash = hash_bytes(hash, (struct str){(const char *)&risk->would_cost, sizeof risk->would_cost});
    return risk->exemption ? hash_bytes(hash, risk->exemption->id) : hash;
}

/* Of all that risk_put stores and that can change while the id stays. Ages count once in five
 * minutes, each risk's at another moment. */
static int64_t content_of(const struct risk *risk, int64_t time)
{
    bool has_age;
    uint64_t numbers[] = {risk->severity, risk->check->category, risk->count, risk->exempt};
    uint64_t hash = hash_bytes(0, (struct str){(const char *)numbers, sizeof numbers});
    hash = hash_words(hash, risk->message, &has_age);
    hash = hash_bytes(hash, risk->exempt_reason);
    if (risk->exempt || risk->exemption)
        hash = hash_exemption(hash, risk);
    hash = hash_bytes(hash, str_of(risk->absorbed_by ? risk->absorbed_by->id : ""));
    if (!has_age)
        return (int64_t)hash;
    uint64_t offset = hash_bytes(0, str_of(risk->id)) % AGES_MS;
    return (int64_t)(hash ^ ((uint64_t)time + offset) / AGES_MS);
}

static struct str cut(struct str s, size_t max)
{
    return str_or_empty(str_utf8_prefix(s, max));
}

/* The parameters of risk_put and of risk_note. */
#define RISK_ARGS(stmt, row, risk, since, closed)                                                  \
    STMT_ARGS(                                                                                     \
        stmt, .cluster = (row)->id, .risk_id = str_of((risk)->id),                                 \
        .check_id = str_of((risk)->check->id), .category = category_name((risk)->check->category), \
        .severity = severity_name((risk)->severity),                                               \
        .namespace = cut((risk)->namespace, NAMESPACE_MAX),                                        \
        .resource = cut((risk)->resource, RESOURCE_MAX),                                           \
        .container = cut((risk)->container, CONTAINER_MAX),                                        \
        .message = cut((risk)->message, MESSAGE_MAX), .places = (risk)->count,                     \
        .absorbed_by = absorber_of(risk), .exempt_reason = reason_of(risk),                        \
        .would_cost = (risk)->would_cost, .exemption_id = exemption_of(risk),                      \
        .content = content_of((risk), (row)->taken), .first_seen = (since), .closed_at = (closed))

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
    m->closes[m->close_count++] =
        STMT_ARGS(risk_close, .cluster = m->row->id, .risk_id = id, .closed_at = m->row->newest);
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
        if (!known || open->content != content_of(risk, m->row->taken))
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

enum error risk_replace(struct db *db, struct arena *arena, struct cluster_row *row,
                        const struct ledger *ledger, int64_t **first_seen)
{
    struct open_risk *open;
    size_t n = ledger->risks.n, open_count;
    enum error e = DB_ROWS(db, arena, &open, &open_count, risk_open, .cluster = row->id);
    if (e)
        return e;
    struct merge m = {.arena = arena,
                      .row = row,
                      .sorted = ARENA_ARRAY(arena, n, const struct risk *),
                      .n = n,
                      .ledger = ledger,
                      .first_seen = ARENA_ARRAY(arena, n, int64_t),
                      .puts = ARENA_ARRAY(arena, n, struct risk_put_args),
                      .closes = ARENA_ARRAY(arena, open_count, struct risk_close_args)};
    for (size_t i = 0; i < n; i++)
        m.sorted[i] = &ledger->risks.items[i];
    if (n)
        qsort(m.sorted, n, sizeof(struct risk *), by_id);
    merge(&m, open, open_count);
    *first_seen = m.first_seen;
    uint64_t affected = 0;
    e = DB_RUN_MANY_COUNT(db, arena, &affected, risk_put, m.puts, m.put_count);
    count_new(row, m.put_count, affected);
    return e ? e : DB_RUN_MANY(db, arena, risk_close, m.closes, m.close_count);
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

enum error risk_note(struct db *db, struct arena *arena, struct cluster_row *row,
                     const struct ledger *ledger)
{
    uint64_t affected = 0;
    size_t n = ledger->risks.n;
    struct risk_note_args *args = ARENA_ARRAY(arena, n, struct risk_note_args);
    for (size_t i = 0; i < n; i++)
        args[i] = RISK_ARGS(risk_note, row, &ledger->risks.items[i], row->taken, row->newest);
    enum error e = DB_RUN_MANY_COUNT(db, arena, &affected, risk_note, args, n);
    count_new(row, affected, affected);
    return e;
}

/* ---- reading ---- */

static enum severity severity_of(struct str name)
{
    for (int s = 0; s < SEVERITY_COUNT; s++)
        if (str_eq(name, severity_name((enum severity)s)))
            return (enum severity)s;
    return SEVERITY_LOW;
}

static enum category category_of(struct str name)
{
    for (int c = 0; c < CATEGORY_COUNT; c++)
        if (str_eq(name, category_name((enum category)c)))
            return (enum category)c;
    return CATEGORY_POLICY;
}

/* A check that an older release had is known by its id alone. */
static const struct check *check_of(struct arena *arena, struct str id, struct str category)
{
    const struct check *check = check_find(id);
    if (check || id.n == 0)
        return check;
    struct check *former = ARENA_NEW(arena, struct check);
    *former = (struct check){.id = arena_str(arena, id).p,
                             .category = category_of(category),
                             .title = "",
                             .recommendation = "",
                             .frameworks = ""};
    return former;
}

/* NULL when it is none of those that are kept. */
static const struct exemption *exemption_in(struct arena *arena, const struct risk_text *text)
{
    if (!text->exemption.p)
        return NULL;
    struct exemption *exemption = ARENA_NEW(arena, struct exemption);
    *exemption = (struct exemption){.id = text->exemption,
                                    .reason = text->reason,
                                    .owner = text->owner,
                                    .expires = text->expires};
    return exemption;
}

static struct risk_row row_of(struct arena *arena, const struct risk_text *text)
{
    struct risk_row row = {.first_seen = text->first_seen, .closed = text->closed};
    row.risk = (struct risk){.check = check_of(arena, text->check, text->category),
                             .severity = severity_of(text->severity),
                             .namespace = text->namespace,
                             .resource = text->resource,
                             .container = text->container,
                             .message = text->message,
                             .count = text->places,
                             .absorbed_by = check_of(arena, text->absorbed_by, text->category),
                             .exempt = text->exempt_reason.p != NULL,
                             .exempt_reason = text->exempt_reason,
                             .exemption = exemption_in(arena, text),
                             .would_cost = text->would_cost};
    if (risk_id_parse(text->id, &row.id))
        risk_id_text(row.id, row.risk.id);
    return row;
}

enum error risk_list(struct db *db, struct arena *arena, struct str cluster, int64_t since,
                     struct risk_rows *rows)
{
    struct risk_text *texts;
    size_t n;
    enum error e = DB_ROWS(db, arena, &texts, &n, risk_texts, .cluster = cluster, .since = since);
    if (e)
        return e;
    rows->n = n;
    rows->items = ARENA_ARRAY(arena, n, struct risk_row);
    for (size_t i = 0; i < n; i++)
        rows->items[i] = row_of(arena, &texts[i]);
    return ERR_OK;
}

static int compare_id(const void *key, const void *item)
{
    const uint64_t *id = key;
    const struct risk_row *row = item;
    return (*id > row->id) - (*id < row->id);
}

struct risk_row risk_find(const struct risk_rows *rows, uint64_t id)
{
    static const struct check forgotten = {.id = "", .recommendation = "", .frameworks = ""};
    const struct risk_row *row =
        rows->n ? bsearch(&id, rows->items, rows->n, sizeof *rows->items, compare_id) : NULL;
    struct risk_row unknown = {.id = id,
                               .risk = {.check = &forgotten, .severity = SEVERITY_LOW, .count = 1},
                               .first_seen = TIME_NONE,
                               .closed = TIME_NONE};
    risk_id_text(id, unknown.risk.id);
    return row ? *row : unknown;
}
