#include "store/risk_row.h"

#include "codec/jw.h"
#include "score/exemption.h"

struct risk_text {
    struct str id, check, category, severity, namespace, resource, container, message;
    uint32_t places;
    struct str absorbed_by, exempt_reason;
    uint32_t would_cost;
    struct str exemption, reason, owner; /* absent: by none that is kept */
    int64_t expires, first_seen, closed;
};

#define STATEMENTS "store/risk_row.def"
#include "db/statements.inc"

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

static struct risk_rows rows_of(struct arena *arena, const struct risk_text *texts, size_t n)
{
    struct risk_rows rows = {.n = n, .items = ARENA_ARRAY(arena, n, struct risk_row)};
    for (size_t i = 0; i < n; i++)
        rows.items[i] = row_of(arena, &texts[i]);
    return rows;
}

enum error risk_list(struct db *db, struct arena *arena, struct str cluster, int64_t since,
                     struct risk_rows *rows)
{
    struct risk_text *texts;
    size_t n;
    enum error e = DB_ROWS(db, arena, &texts, &n, risk_texts, .cluster = cluster, .since = since);
    if (!e)
        *rows = rows_of(arena, texts, n);
    return e;
}

static struct str list_ids(struct arena *arena, const uint64_t *ids, size_t n)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    char text[RISK_ID_LEN + 1];
    struct jw jw;
    jw_init(&jw, &out);
    jw_array(&jw);
    for (size_t i = 0; i < n; i++) {
        risk_id_text(ids[i], text);
        jw_str(&jw, str_of(text));
    }
    jw_array_end(&jw);
    return buf_str(&out);
}

enum error risk_list_of(struct db *db, struct arena *arena, struct str cluster, const uint64_t *ids,
                        size_t n, struct risk_rows *rows)
{
    struct risk_text *texts = NULL;
    size_t found = 0;
    enum error e = ERR_OK;
    if (n)
        e = DB_ROWS(db, arena, &texts, &found, risk_texts_of, .cluster = cluster,
                    .ids = list_ids(arena, ids, n));
    if (!e)
        *rows = rows_of(arena, texts, found);
    return e;
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
