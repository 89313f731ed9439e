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

/* Never NULL. */
static struct db_value text(struct str s, size_t max)
{
    return db_text(s.p ? str_utf8_prefix(s, max) : STR(""));
}

enum error audit_add(struct db *db, const struct audit_entry *entry)
{
    char id[UUID_TEXT_LEN + 1];
    rand_uuid(id);
    return db_run(db, STMT_audit_insert,
                  DB_ARGS(db_time(entry->time), db_uuid(str_of(id)), db_uuid(entry->actor_id),
                          text(entry->actor, AUDIT_ACTOR_MAX),
                          text(entry->address, AUDIT_ADDRESS_MAX), db_text(names[entry->action]),
                          text(entry->subject, AUDIT_SUBJECT_MAX),
                          db_text(error_code(entry->result))),
                  NULL);
}
