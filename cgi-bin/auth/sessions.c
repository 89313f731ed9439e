/* Where a person is signed in, and how that ends. */
#include "../routes.h"
#include "store/user.h"
#include "web/audit_trail.h"
#include "web/body.h"
#include "web/page.h"
#include "web/paging.h"
#include "web/sign_in.h"

static void write_session(struct request *r, struct jw *w, const struct session_row *session)
{
    int64_t end = sign_in_end(r, session->began);
    jw_object(w);
    JW_STR(w, "id", session->id);
    JW_TIME(w, "createdAt", session->began);
    JW_TIME(w, "lastUsedAt", session->last_used);
    JW_STR(w, "address", session->address);
    JW_STR(w, "userAgent", session->user_agent);
    JW_TIME(w, "endsAt", end);
    JW_BOOL(w, "current", session->current);
    jw_object_end(w);
}

enum error auth_sessions(struct request *r)
{
    const struct identity *who = &r->identity;
    struct keyset wanted;
    struct session_rows sessions;
    struct page page;
    enum error e = paging_read(r, &wanted);
    if (!e)
        e = session_list(r->db, r->arena, who->user, who->session, sign_in_moment(r), &wanted,
                         &sessions);
    if (e)
        return e;
    if (paging_has_more(&wanted, &sessions.n))
        paging_next(r, sessions.items[sessions.n - 1].began, sessions.items[sessions.n - 1].id);
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < sessions.n; i++)
        write_session(r, &page.jw, &sessions.items[i]);
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

/* ---- ending ---- */

struct ending {
    struct request *r;
    struct str id; /* of a session, or of a member */
};

static enum error note(struct request *r, struct str email, const char *which)
{
    return audit_done(r, AUDIT_SESSIONS_ENDED,
                      arena_printf(r->arena, "%" STR_FMT " (%s)", STR_ARG(email), which));
}

/* With the user locked: a refresh that is under way has made its token, or will find the session
 * ended. */
static enum error store_end(struct db *db, void *arg)
{
    const struct ending *s = arg;
    const struct identity *who = &s->r->identity;
    struct user *user;
    bool was_open = false;
    enum error e = user_lock(db, s->r->arena, who->user, &user);
    if (!e)
        e = session_end(db, who->user, s->id, s->r->now, &was_open);
    if (!e && !was_open)
        return ERR_UNKNOWN_SESSION;
    return e ? e : note(s->r, who->email, "one");
}

enum error auth_end_session(struct request *r)
{
    struct ending s = {.r = r};
    enum error e = body_only_id(r, &s.id);
    if (!e)
        e = db_transact(r->db, store_end, &s);
    return e ? e : page_deleted(r, s.id);
}

static enum error store_end_others(struct db *db, void *arg)
{
    struct request *r = arg;
    const struct identity *who = &r->identity;
    struct user *user;
    uint64_t ended = 0;
    enum error e = user_lock(db, r->arena, who->user, &user);
    if (!e)
        e = session_revoke_others(db, who->user, who->session, r->now, &ended);
    return e || ended == 0 ? e : note(r, who->email, "all others");
}

enum error auth_end_others(struct request *r)
{
    enum error e = db_transact(r->db, store_end_others, r);
    return e ? e : page_ok(r, 200);
}

static enum error store_end_member(struct db *db, void *arg)
{
    const struct ending *s = arg;
    struct user *member;
    uint64_t ended = 0;
    enum error e = user_lock(db, s->r->arena, s->id, &member);
    if (!e && !member)
        return ERR_UNKNOWN_MEMBER;
    if (!e)
        e = session_revoke_others(db, s->id, (struct str){0}, s->r->now, &ended);
    return e || ended == 0 ? e : note(s->r, member->email, "all");
}

enum error auth_end_member(struct request *r)
{
    struct ending s = {.r = r};
    enum error e = body_only_id(r, &s.id);
    if (!e)
        e = db_transact(r->db, store_end_member, &s);
    return e ? e : page_ok(r, 200);
}
