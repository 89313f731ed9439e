#include "web/audit_trail.h"

#include "store/rate.h"

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

static enum error add(struct request *r, enum audit_action action, struct str subject,
                      enum error result)
{
    struct audit_entry entry = audit_entry_of(r, action, subject);
    entry.result = result;
    return audit_add(r->db, &entry);
}

enum error audit_done(struct request *r, enum audit_action action, struct str subject)
{
    return add(r, action, subject, ERR_OK);
}

enum { HOUR_MS = 60 * 60 * 1000 };

bool audit_refusal_counts(int64_t n)
{
    if (n <= AUDIT_REFUSALS_EACH)
        return true;
    while (n % 10 == 0)
        n /= 10;
    return n == 1;
}

/* *n: how many there were in the hour, with this one. */
static enum error count(struct request *r, struct str subject, int64_t *n)
{
    int64_t since;
    enum error e = rate_fetch(r->db, r->arena, STR("refusal"), subject, r->now, HOUR_MS, &since, n);
    ++*n;
    return e ? e : rate_add(r->db, STR("refusal"), subject, r->now, HOUR_MS);
}

enum error audit_refusal(struct request *r, struct str tenant, enum audit_action action,
                         struct str subject, enum error why)
{
    struct str name = audit_action_name(action);
    int64_t n, all;
    enum error e = count(r,
                         arena_printf(r->arena, "%" STR_FMT " %" STR_FMT " %" STR_FMT,
                                      STR_ARG(tenant), STR_ARG(name), STR_ARG(r->client_range)),
                         &n);
    if (e || !audit_refusal_counts(n))
        return e;
    e = count(r, tenant, &all);
    if (e || all > AUDIT_REFUSALS_MAX)
        return e;
    if (n > AUDIT_REFUSALS_EACH)
        subject = arena_printf(r->arena, "%" STR_FMT " (the %lldth within an hour)",
                               STR_ARG(subject), (long long)n);
    return add(r, action, subject, why);
}
