#include "web/audit.h"

enum error audit_done(struct request *r, enum audit_action action, struct str subject)
{
    return audit_refused(r, action, subject, ERR_OK);
}

enum error audit_refused(struct request *r, enum audit_action action, struct str subject,
                         enum error why)
{
    const struct identity *who = &r->identity;
    bool person = who->user.p;
    struct audit_entry entry = {.time = r->now,
                                .actor_id = person ? who->user : who->key,
                                .actor = person ? who->email : who->key_name,
                                .address = r->client,
                                .action = action,
                                .subject = subject,
                                .result = why};
    return audit_add(r->db, &entry);
}
