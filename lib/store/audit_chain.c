#include "store/audit_chain.h"

#include "base/asserts.h"
#include "base/buf.h"
#include "store/audit.h"

enum { PAGE = 1000, LINK_MAX = 4096, REST = 2 /* times as long as the work */ };

/* An entry as it is hashed. time is TIME_NONE when a link has none any more. */
struct chained {
    int64_t noted, time;
    struct str id, actor_id, actor, address, action, subject, result;
};
struct chain_entry {
    struct chained entry;
};
struct chain_link {
    int64_t position;
    struct str mac;
    struct chained entry;
};
struct chain_end {
    int64_t position, noted;
    struct str mac, id;
};
struct chain_tenant {
    struct str tenant;
};
struct chain_extra {
    struct str id;
    int64_t noted;
};

#define STATEMENTS "store/audit_chain.def"
#include "db/statements.inc"

static const struct str nobody = {AUDIT_SERVICE, UUID_TEXT_LEN};

/* ---- tenants ---- */

/* The tenant that follows *tenant, whose room is reused; the db is bound to it. False at the end,
 * or with an error. */
static bool next_tenant(struct db *db, struct arena *arena, char tenant[UUID_TEXT_LEN + 1],
                        enum error *e)
{
    struct chain_tenant *next = NULL;
    arena_reset(arena);
    *e = DB_ROW(db, arena, &next, chain_next_tenant, .after = str_of(tenant));
    if (*e || !next)
        return false;
    memcpy(tenant, next->tenant.p, UUID_TEXT_LEN);
    db_set_tenant(db, str_of(tenant));
    return true;
}

/* Before the first: the trail of the service has the lowest id, and is as good as any. */
static void before_all(char tenant[UUID_TEXT_LEN + 1])
{
    memcpy(tenant, nobody.p, UUID_TEXT_LEN + 1);
}

/* ---- a link ---- */

/* With its length before it, so that no two lists of texts are the same bytes. */
static void put_text(struct buf *out, struct str text)
{
    buf_printf(out, "%zu:", text.n);
    buf_put(out, text);
}

static void make_mac(struct arena *arena, const unsigned char key[SEAL_KEY], const char *tenant,
                     const unsigned char before[CRYPT_DIGEST], const struct chain_link *link,
                     unsigned char mac[CRYPT_DIGEST])
{
    const struct chained *entry = &link->entry;
    const struct str texts[] = {entry->id,     entry->actor_id, entry->actor, entry->address,
                                entry->action, entry->subject,  entry->result};
    struct buf out = buf_init(arena, LINK_MAX);
    buf_printf(&out, "%s %lld %lld %lld ", tenant, (long long)link->position,
               (long long)entry->noted, (long long)entry->time);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        put_text(&out, texts[i]);
    assert(!out.full);
    const struct str parts[] = {{(const char *)before, CRYPT_DIGEST}, buf_str(&out)};
    crypt_hmac_sha256((struct str){(const char *)key, SEAL_KEY}, parts, 2, mac);
}

/* ---- making links ---- */

static enum error fetch_end(struct db *db, struct arena *arena, struct chain_end *end)
{
    static const unsigned char none[CRYPT_DIGEST];
    struct chain_end *found;
    enum error e = DB_ROW(db, arena, &found, chain_last);
    *end = !e && found
               ? *found
               : (struct chain_end){.id = nobody, .mac = {(const char *)none, CRYPT_DIGEST}};
    return e;
}

/* Up to PAGE more links; *n: how many. */
static enum error extend_once(struct db *db, struct arena *arena, const unsigned char *key,
                              int64_t before, struct audit_head *head, size_t *n)
{
    struct chain_end end;
    struct chain_entry *entries;
    *n = 0;
    enum error e = fetch_end(db, arena, &end);
    if (!e)
        e = DB_ROWS(db, arena, &entries, n, chain_entries, .after = end.noted, .after_id = end.id,
                    .before = before, .limit = PAGE);
    if (e || *n == 0)
        return e;
    struct chain_insert_args *args = ARENA_ARRAY(arena, *n, struct chain_insert_args);
    unsigned char(*macs)[CRYPT_DIGEST] = arena_alloc(arena, *n * CRYPT_DIGEST);
    const unsigned char *last = (const unsigned char *)end.mac.p;
    for (size_t i = 0; i < *n; i++) {
        struct chain_link link = {.position = end.position + 1 + (int64_t)i,
                                  .entry = entries[i].entry};
        make_mac(arena, key, head->tenant.p, last, &link, macs[i]);
        last = macs[i];
        args[i] = STMT_ARGS(chain_insert, .position = link.position, .noted_at = link.entry.noted,
                            .audit_id = link.entry.id,
                            .mac = ((struct str){(const char *)last, CRYPT_DIGEST}));
    }
    head->position = end.position + (int64_t)*n;
    memcpy(head->mac, last, CRYPT_DIGEST);
    return DB_RUN_MANY(db, arena, chain_insert, args, *n);
}

enum error audit_chain_extend(struct db *db, struct arena *arena, const struct seal_keys *keys,
                              int64_t before, struct throttle *throttle, audit_head_tell *tell,
                              void *context)
{
    char tenant[UUID_TEXT_LEN + 1];
    enum error e = ERR_OK;
    assert(keys->n);
    before_all(tenant);
    do {
        struct audit_head head = {.tenant = str_of(tenant)};
        size_t n = PAGE;
        db_set_tenant(db, str_of(tenant));
        while (!e && n == PAGE && !*throttle->stop) {
            throttle_rest(throttle, REST);
            arena_reset(arena);
            e = extend_once(db, arena, keys->key[0], before, &head, &n);
        }
        if (!e && head.position)
            tell(context, &head);
    } while (!e && !*throttle->stop && next_tenant(db, arena, tenant, &e));
    return e;
}

static enum error trim(struct db *db, struct arena *arena, int64_t before)
{
    int64_t anchor;
    uint64_t removed = PAGE;
    enum error e = DB_NUMBER(db, arena, &anchor, chain_anchor, .before = before);
    while (!e && anchor > 1 && removed == PAGE)
        e = DB_RUN_COUNT(db, &removed, chain_trim, .position = anchor, .limit = PAGE);
    return e;
}

enum error audit_chain_trim(struct db *db, struct arena *arena, int64_t before)
{
    char tenant[UUID_TEXT_LEN + 1];
    enum error e = ERR_OK;
    before_all(tenant);
    do {
        db_set_tenant(db, str_of(tenant));
        e = trim(db, arena, before);
    } while (!e && next_tenant(db, arena, tenant, &e));
    return e;
}

/* ---- checking ---- */

struct checking {
    const struct seal_keys *keys;
    const char *tenant;
    int64_t oldest; /* what was noted before may be gone */
    int64_t first;  /* position; 0: no link was seen yet */
    int64_t noted;  /* of the last link */
    char id[UUID_TEXT_LEN + 1];
    struct audit_report report;
};

/* The first counts. */
static void find(struct checking *c, const char *problem, int64_t position, struct str id,
                 int64_t noted)
{
    if (!c->report.finding.problem)
        c->report.finding = (struct audit_finding){problem, position, id, noted};
}

static bool fits(struct arena *arena, const struct checking *c, const struct chain_link *link)
{
    unsigned char mac[CRYPT_DIGEST];
    for (size_t i = 0; i < c->keys->n; i++) {
        make_mac(arena, c->keys->key[i], c->tenant, c->report.head.mac, link, mac);
        if (link->mac.n == CRYPT_DIGEST && crypt_equal(mac, link->mac.p, CRYPT_DIGEST))
            return true;
    }
    return false;
}

/* What is wrong with the link, as it follows those before it; NULL: nothing. *is_gone: its entry
 * is, and may be. Links go after their entries, and maintenance may be between the two, or was
 * killed there: so there can be several, and not only one to begin with. */
static const char *judge(struct arena *arena, const struct checking *c,
                         const struct chain_link *link, bool *is_gone)
{
    bool begins = !c->first, gone = link->entry.time == TIME_NONE;
    *is_gone = gone && link->entry.noted < c->oldest;
    if (!begins && link->position != c->report.head.position + 1)
        return "links before it are gone";
    if (*is_gone)
        return NULL;
    if (begins && (gone || link->position != 1))
        return "entries before it were removed before their time (audit_days)";
    if (gone)
        return "its entry is gone";
    return fits(arena, c, link) ? NULL : "its entry was changed, or its link is of another key";
}

static void check_link(struct arena *arena, struct checking *c, const struct chain_link *link)
{
    bool is_gone;
    const char *problem = judge(arena, c, link, &is_gone);
    if (problem)
        find(c, problem, link->position, arena_str(arena, link->entry.id), link->entry.noted);
    else if (!is_gone)
        c->report.checked++;
    if (!c->first)
        c->first = link->position;
    c->noted = link->entry.noted;
    memcpy(c->id, link->entry.id.p, UUID_TEXT_LEN);
    c->report.head.position = link->position;
    memcpy(c->report.head.mac, link->mac.p, CRYPT_DIGEST);
}

static enum error check_links(struct db *db, struct arena *arena, struct checking *c)
{
    struct chain_link *links;
    size_t n = PAGE;
    enum error e = ERR_OK;
    while (!e && n == PAGE && !c->report.finding.problem) {
        arena_reset(arena);
        e = DB_ROWS(db, arena, &links, &n, chain_links, .after = c->report.head.position,
                    .limit = PAGE);
        for (size_t i = 0; !e && i < n && !c->report.finding.problem; i++)
            check_link(arena, c, &links[i]);
    }
    return e;
}

/* Entries that are in no link. */
static enum error check_others(struct db *db, struct arena *arena, struct checking *c, int64_t now)
{
    struct chain_extra *extra = NULL;
    struct chain_entry *waiting = NULL;
    enum error e =
        DB_ROW(db, arena, &extra, chain_extra, .before = c->noted, .before_id = str_of(c->id));
    if (!e && extra)
        find(c, "it was added later", 0, extra->id, extra->noted);
    if (!e)
        e = DB_NUMBER(db, arena, &c->report.waiting, chain_waiting, .after = c->noted,
                      .after_id = str_of(c->id));
    if (!e)
        e = DB_ROW(db, arena, &waiting, chain_entries, .after = c->noted, .after_id = str_of(c->id),
                   .before = now - AUDIT_OVERDUE_MS, .limit = 1);
    if (!e && waiting)
        find(c, "it has not been chained for a day: does loadline-maintain run, with audit_keys?",
             0, waiting->entry.id, waiting->entry.noted);
    return e;
}

enum error audit_chain_verify(struct db *db, struct arena *arena, const struct seal_keys *keys,
                              int64_t now, int64_t days, audit_report_tell *tell, void *context)
{
    char tenant[UUID_TEXT_LEN + 1];
    enum error e = ERR_OK;
    before_all(tenant);
    do {
        struct checking c = {.keys = keys,
                             .tenant = tenant,
                             .oldest = days ? now - days * CLOCK_DAY : INT64_MIN,
                             .report.head.tenant = str_of(tenant)};
        memcpy(c.id, nobody.p, sizeof c.id);
        db_set_tenant(db, str_of(tenant));
        e = check_links(db, arena, &c);
        if (!e && !c.report.finding.problem)
            e = check_others(db, arena, &c, now);
        if (!e)
            tell(context, &c.report);
    } while (!e && next_tenant(db, arena, tenant, &e));
    return e;
}
