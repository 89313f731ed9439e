#include "store/audit.h"

#define STATEMENTS "store/audit.def"
#include "db/statements.inc"

static const struct str names[AUDIT_ACTIONS] = {
#define ACTION(name, text, subject) [AUDIT_##name] = {text, sizeof(text) - 1},
#include "store/actions.def"
#undef ACTION
};

struct str audit_action_name(enum audit_action action)
{
    return names[action];
}

bool audit_action_find(struct str name, enum audit_action *action)
{
    for (int i = 0; i < AUDIT_ACTIONS; i++)
        if (str_eq(names[i], name)) {
            *action = (enum audit_action)i;
            return true;
        }
    return false;
}

static struct str cut(struct str s, size_t max)
{
    return str_or_empty(str_utf8_prefix(s, max));
}

enum { ID_SIZE = UUID_TEXT_LEN + 1 };

static struct audit_insert_args args_of(const struct audit_entry *entry, char id[ID_SIZE])
{
    rand_uuid(id);
    return STMT_ARGS(
        audit_insert, .at = entry->time, .audit_id = str_of(id), .actor_id = entry->actor_id,
        .actor = cut(entry->actor, AUDIT_ACTOR_MAX),
        .address = cut(entry->address, AUDIT_ADDRESS_MAX), .action = names[entry->action],
        .subject = cut(entry->subject, AUDIT_SUBJECT_MAX), .result = error_code(entry->result));
}

enum error audit_add(struct db *db, const struct audit_entry *entry)
{
    char id[ID_SIZE];
    struct audit_insert_args args = args_of(entry, id);
    return db_execute(db, &audit_insert_stmt, &args, NULL);
}

enum error audit_add_all(struct db *db, struct arena *arena,
                         const struct audit_entry *const *entries, size_t n)
{
    struct audit_insert_args *all = ARENA_ARRAY(arena, n, struct audit_insert_args);
    for (size_t i = 0; i < n; i++)
        all[i] = args_of(entries[i], arena_bytes(arena, ID_SIZE));
    return DB_RUN_MANY(db, arena, audit_insert, all, n);
}

/* Entries of somebody, by name or id. */
static enum error list_of_actor(struct db *db, struct arena *arena, const struct audit_filter *f,
                                int64_t to, struct audit_rows *rows)
{
    const struct keyset *page = &f->page;
    struct str actor_id = str_is_uuid(f->actor) ? f->actor : (struct str){0};
    if (f->action.n)
        return DB_ROWS(db, arena, &rows->items, &rows->n, audit_list_actor_action, .from = f->from,
                       .to = to, .before = page->before, .before_id = page->before_id,
                       .action = f->action, .actor = f->actor, .actor_id = actor_id,
                       .limit = page->limit);
    return DB_ROWS(db, arena, &rows->items, &rows->n, audit_list_actor, .from = f->from, .to = to,
                   .before = page->before, .before_id = page->before_id, .actor = f->actor,
                   .actor_id = actor_id, .limit = page->limit);
}

enum error audit_list(struct db *db, struct arena *arena, const struct audit_filter *f,
                      struct audit_rows *rows)
{
    const struct keyset *page = &f->page;
    int64_t to = f->to < page->before ? f->to : page->before;
    if (f->actor.n)
        return list_of_actor(db, arena, f, to, rows);
    if (f->action.n)
        return DB_ROWS(db, arena, &rows->items, &rows->n, audit_list_action, .from = f->from,
                       .to = to, .before = page->before, .before_id = page->before_id,
                       .action = f->action, .limit = page->limit);
    return DB_ROWS(db, arena, &rows->items, &rows->n, audit_list, .from = f->from, .to = to,
                   .before = page->before, .before_id = page->before_id, .limit = page->limit);
}

enum error audit_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged)
{
    return DB_RUN_COUNT(db, purged, audit_purge, .before = before, .limit = limit);
}

enum error audit_old(struct db *db, struct arena *arena, int64_t before, int64_t *count)
{
    return DB_NUMBER(db, arena, count, audit_old, .before = before);
}
