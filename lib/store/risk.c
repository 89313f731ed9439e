#include "store/risk.h"

#include "base/hash.h"

enum {
    NAMESPACE_MAX = 255,
    RESOURCE_MAX = 512,
    CONTAINER_MAX = 255,
    MESSAGE_MAX = 2000,
    CHECK_MAX = 64,
    REASON_MAX = 512,
    PUT_ARGS = 15,
    CLOSED_ARG = 14, /* the last of them */
    CLOSE_ARGS = 3,
    AGES_MS = 5 * 60 * 1000
};

struct merge {
    struct arena *arena;
    const struct cluster_row *row;
    const struct risk **sorted; /* the ledger's, by id */
    size_t n;
    const struct ledger *ledger;
    int64_t *first_seen;
    struct db_value *puts, *closes; /* arguments of risk_put and risk_close */
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

/* Of all that risk_put stores and that can change while the id stays. Ages count once in five
 * minutes, each risk's at another moment. */
static int64_t content_of(const struct risk *risk, int64_t time)
{
    bool has_age;
    uint64_t numbers[] = {risk->severity, risk->check->category, risk->count, risk->exempt};
    uint64_t hash = hash_bytes(0, (struct str){(const char *)numbers, sizeof numbers});
    hash = hash_words(hash, risk->message, &has_age);
    hash = hash_bytes(hash, risk->exempt_reason);
    hash = hash_bytes(hash, str_of(risk->absorbed_by ? risk->absorbed_by->id : ""));
    if (!has_age)
        return (int64_t)hash;
    uint64_t offset = hash_bytes(0, str_of(risk->id)) % AGES_MS;
    return (int64_t)(hash ^ ((uint64_t)time + offset) / AGES_MS);
}

static struct db_value cut(struct str s, size_t max)
{
    return db_text_or_empty(str_utf8_prefix(s, max));
}

static void fill_args(struct db_value *args, const struct cluster_row *row, const struct risk *risk,
                      int64_t first_seen)
{
    args[0] = db_uuid(row->id);
    args[1] = db_text(str_of(risk->id));
    args[2] = db_text(str_of(risk->check->id));
    args[3] = db_text(category_name(risk->check->category));
    args[4] = db_text(severity_name(risk->severity));
    args[5] = cut(risk->namespace, NAMESPACE_MAX);
    args[6] = cut(risk->resource, RESOURCE_MAX);
    args[7] = cut(risk->container, CONTAINER_MAX);
    args[8] = cut(risk->message, MESSAGE_MAX);
    args[9] = db_int(risk->count);
    args[10] = cut(risk->absorbed_by ? str_of(risk->absorbed_by->id) : STR(""), CHECK_MAX);
    args[11] = risk->exempt ? cut(risk->exempt_reason, REASON_MAX) : db_text((struct str){0});
    args[12] = db_int(content_of(risk, row->taken));
    args[13] = db_time(first_seen);
    args[14] = db_time(TIME_NONE);
}

static void close_risk(struct merge *m, struct str id)
{
    struct db_value *args = m->closes + m->close_count++ * CLOSE_ARGS;
    args[0] = db_time(m->row->newest);
    args[1] = db_uuid(m->row->id);
    args[2] = db_text(id);
}

/* Both lists are in the order of ids. open: rows of risk_open. */
static void merge(struct merge *m, const struct db_rows *open)
{
    size_t o = 0;
    for (size_t i = 0; i < m->n; i++) {
        const struct risk *risk = m->sorted[i];
        struct str id = str_of(risk->id);
        int64_t *first_seen = &m->first_seen[risk - m->ledger->risks.items];
        while (o < open->n && str_cmp(open->items[o][0].s, id) < 0)
            close_risk(m, open->items[o++][0].s);
        bool known = o < open->n && str_eq(open->items[o][0].s, id);
        const struct db_value *row = known ? open->items[o] : NULL;
        *first_seen = known ? row[2].i : m->row->taken;
        if (!known || row[1].i != content_of(risk, m->row->taken))
            fill_args(m->puts + m->put_count++ * PUT_ARGS, m->row, risk, *first_seen);
        o += known;
    }
    for (; o < open->n; o++)
        close_risk(m, open->items[o][0].s);
}

enum error risk_replace(struct db *db, struct arena *arena, const struct cluster_row *row,
                        const struct ledger *ledger, int64_t **first_seen)
{
    struct db_rows open;
    size_t n = ledger->risks.n;
    enum error e = db_rows(db, arena, STMT_risk_open, DB_ARGS(db_uuid(row->id)), &open);
    if (e)
        return e;
    struct merge m = {.arena = arena,
                      .row = row,
                      .sorted = ARENA_ARRAY(arena, n, const struct risk *),
                      .n = n,
                      .ledger = ledger,
                      .first_seen = ARENA_ARRAY(arena, n, int64_t),
                      .puts = ARENA_ARRAY(arena, n * PUT_ARGS, struct db_value),
                      .closes = ARENA_ARRAY(arena, open.n * CLOSE_ARGS, struct db_value)};
    for (size_t i = 0; i < n; i++)
        m.sorted[i] = &ledger->risks.items[i];
    if (n)
        qsort(m.sorted, n, sizeof(struct risk *), by_id);
    merge(&m, &open);
    *first_seen = m.first_seen;
    e = db_run_many(db, arena, STMT_risk_put, m.puts, m.put_count);
    return e ? e : db_run_many(db, arena, STMT_risk_close, m.closes, m.close_count);
}

enum error risk_note(struct db *db, struct arena *arena, const struct cluster_row *row,
                     const struct ledger *ledger)
{
    size_t n = ledger->risks.n;
    struct db_value *args = ARENA_ARRAY(arena, n * PUT_ARGS, struct db_value);
    for (size_t i = 0; i < n; i++) {
        fill_args(args + i * PUT_ARGS, row, &ledger->risks.items[i], row->taken);
        args[i * PUT_ARGS + CLOSED_ARG] = db_time(row->newest);
    }
    return db_run_many(db, arena, STMT_risk_note, args, n);
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

static struct risk_row row_of(struct arena *arena, const struct db_value *v)
{
    struct risk_row row = {.first_seen = v[11].i, .closed = v[12].i};
    row.risk = (struct risk){.check = check_of(arena, v[1].s, v[2].s),
                             .severity = severity_of(v[3].s),
                             .namespace = v[4].s,
                             .resource = v[5].s,
                             .container = v[6].s,
                             .message = v[7].s,
                             .count = (uint32_t)v[8].i,
                             .absorbed_by = check_of(arena, v[9].s, v[2].s),
                             .exempt = !v[10].null,
                             .exempt_reason = v[10].s};
    if (risk_id_parse(v[0].s, &row.id))
        risk_id_text(row.id, row.risk.id);
    return row;
}

enum error risk_list(struct db *db, struct arena *arena, struct str cluster, int64_t since,
                     struct risk_rows *rows)
{
    struct db_rows result;
    enum error e =
        db_rows(db, arena, STMT_risk_texts, DB_ARGS(db_uuid(cluster), db_time(since)), &result);
    if (e)
        return e;
    rows->n = result.n;
    rows->items = ARENA_ARRAY(arena, result.n, struct risk_row);
    for (size_t i = 0; i < result.n; i++)
        rows->items[i] = row_of(arena, result.items[i]);
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
