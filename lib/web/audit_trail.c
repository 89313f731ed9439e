#include "web/audit_trail.h"

struct audit_entry audit_entry_of(const struct request *r, enum audit_action action,
                                  struct str subject)
{
    const struct identity *who = &r->identity;
    bool person = who->user.p;
    return (struct audit_entry){.time = r->now,
                                .actor_id = person ? who->user : who->key,
                                .actor = person ? who->email : who->key_name,
                                .address = r->client,
                                .action = action,
                                .subject = subject};
}

enum error audit_done(struct request *r, enum audit_action action, struct str subject)
{
    return audit_refused(r, action, subject, ERR_OK);
}

enum error audit_refused(struct request *r, enum audit_action action, struct str subject,
                         enum error why)
{
    struct audit_entry entry = audit_entry_of(r, action, subject);
    entry.result = why;
    return audit_add(r->db, &entry);
}
