#include "store/audit.h"

static const struct str names[AUDIT_ACTIONS] = {
#define ACTION(name, text, subject) [AUDIT_##name] = {text, sizeof(text) - 1},
#include "store/audit.def"
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

static struct db_value cut(struct str s, size_t max)
{
    return db_text_or_empty(str_utf8_prefix(s, max));
}

enum error audit_add(struct db *db, const struct audit_entry *entry)
{
    char id[UUID_TEXT_LEN + 1];
    rand_uuid(id);
    return db_run(db, STMT_audit_insert,
                  DB_ARGS(db_time(entry->time), db_uuid(str_of(id)), db_uuid(entry->actor_id),
                          cut(entry->actor, AUDIT_ACTOR_MAX),
                          cut(entry->address, AUDIT_ADDRESS_MAX), db_text(names[entry->action]),
                          cut(entry->subject, AUDIT_SUBJECT_MAX),
                          db_text(error_code(entry->result))),
                  NULL);
}

static struct audit_row row_of(const struct db_value *v)
{
    return (struct audit_row){.time = v[0].i,
                              .id = v[1].s,
                              .actor_id = v[2].s,
                              .actor = v[3].s,
                              .address = v[4].s,
                              .action = v[5].s,
                              .subject = v[6].s,
                              .result = v[7].s};
}

enum error audit_list(struct db *db, struct arena *arena, const struct audit_filter *filter,
                      struct audit_rows *rows)
{
    struct db_rows result;
    const struct keyset *page = &filter->page;
    struct str actor_id = str_is_uuid(filter->actor) ? filter->actor : (struct str){0};
    int64_t to = filter->to < page->before ? filter->to : page->before;
    struct db_value action = db_text_or_empty(filter->action),
                    actor = db_text_or_empty(filter->actor);
    enum error e = db_rows(db, arena, STMT_audit_list,
                           DB_ARGS(db_time(filter->from), db_time(to), db_time(page->before),
                                   db_uuid(page->before_id), action, action, actor, actor,
                                   db_uuid(actor_id), db_int(page->limit)),
                           &result);
    if (e)
        return e;
    rows->n = result.n;
    rows->items = ARENA_ARRAY(arena, result.n, struct audit_row);
    for (size_t i = 0; i < result.n; i++)
        rows->items[i] = row_of(result.items[i]);
    return ERR_OK;
}

enum error audit_purge(struct db *db, int64_t before, int64_t limit, uint64_t *purged)
{
    return db_run(db, STMT_audit_purge, DB_ARGS(db_time(before), db_int(limit)), purged);
}
