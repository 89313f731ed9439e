/* account: a tenant's members and cluster slots; its API keys are in account/keys.c. */
#include "routes.h"
#include "service/crypt.h"
#include "store/link.h"
#include "store/quota.h"
#include "store/tenant.h"
#include "store/user.h"
#include "web/app.h"
#include "web/audit_trail.h"
#include "web/page.h"
#include "web/paging.h"
#include "web/param.h"
#include "web/person.h"
#include "web/rate_limit.h"

enum { ROLE_NAME_MAX = 16 };

struct by_id {
    struct request *r;
    struct str id;
};

/* ---- members ---- */

static enum error read_role(struct request *r, struct json_object *body, struct str *role)
{
    enum error e = body_text(r, body, "role", BODY_REQUIRED, ROLE_NAME_MAX, role);
    if (!e && request_role(*role) == ROLE_NONE)
        return refuse_field(r, ERR_INVALID_FIELD, "role", "must be admin, operator or member.");
    return e;
}

enum error account_members(struct request *r)
{
    struct keyset wanted;
    struct members members;
    struct page page;
    enum error e = paging_read(r, &wanted);
    if (!e)
        e = user_list(r->db, r->arena, &wanted, &members);
    if (e)
        return e;
    if (paging_has_more(&wanted, &members.n))
        paging_next(r, members.items[members.n - 1].created, members.items[members.n - 1].id);
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < members.n; i++) {
        jw_object(&page.jw);
        JW_STR(&page.jw, "id", members.items[i].id);
        JW_STR(&page.jw, "email", members.items[i].email);
        JW_STR(&page.jw, "role", members.items[i].role);
        JW_TIME(&page.jw, "createdAt", members.items[i].created);
        if (members.items[i].invited)
            JW_BOOL(&page.jw, "invited", true);
        JW_BOOL(&page.jw, "secondFactor", members.items[i].second_factor);
        jw_object_end(&page.jw);
    }
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

/* link: of who is invited; NULL: nobody is. */
static enum error answer_member(struct request *r, int status, const struct user *member,
                                const struct crypt_secret *link, int64_t expires)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "id", member->id);
    JW_STR(&page.jw, "email", member->email);
    JW_STR(&page.jw, "role", member->role);
    if (link) {
        JW_BOOL(&page.jw, "invited", true);
        JW_STR(&page.jw, "invitation", str_of(link->text));
        JW_TIME(&page.jw, "expiresAt", expires);
    }
    jw_object_end(&page.jw);
    return page_json(r, status, &page);
}

/* Whoever may sign up could have mail sent to anybody. */
static struct str mails_subject(struct request *r)
{
    return arena_printf(r->arena, "mails:%" STR_FMT, STR_ARG(r->identity.tenant));
}

struct new_member {
    struct request *r;
    struct str email, role;
    char password[CRYPT_MCF_SIZE]; /* "": who is invited chooses it */
    struct crypt_secret *link;     /* of who is invited, else NULL */
    int64_t expires;               /* of the link */
    char id[UUID_TEXT_LEN + 1];
};

/* A link that the admin is shown, and one by mail: whichever is used first counts. */
static enum error store_invitation(struct db *db, struct new_member *s)
{
    enum error e = link_create(db, LINK_INVITATION, str_of(s->id), s->link, s->r->now, &s->expires);
    if (e || !s->r->conf->mail_program.s[0])
        return e;
    e = rate_limit_count(s->r, RATE_SIGNUP, mails_subject(s->r));
    return e ? e : link_queue(db, LINK_INVITATION, str_of(s->id), s->r->now);
}

static enum error store_new_member(struct db *db, void *arg)
{
    struct new_member *s = arg;
    struct request *r = s->r;
    int64_t count;
    enum error e = tenant_lock(db, r->arena);
    if (!e)
        e = user_count(db, r->arena, &count);
    if (!e && count >= USERS_MAX)
        e = refuse(r, ERR_PLAN_LIMIT, "There can be %d members; remove one first.", USERS_MAX);
    if (!e)
        e = user_create(db, s->email, str_of(s->password), s->role, r->now, s->id);
    if (!e && s->link)
        e = store_invitation(db, s);
    if (e)
        return e;
    return audit_done(
        r, s->link ? AUDIT_MEMBER_INVITED : AUDIT_MEMBER_ADDED,
        arena_printf(r->arena, "%" STR_FMT " (%" STR_FMT ")", STR_ARG(s->email), STR_ARG(s->role)));
}

/* Who adds e-mails that are taken learns who has an account elsewhere: a tenant may try as many of
 * them as an address may sign up. */
static struct str tries_subject(struct request *r)
{
    return arena_printf(r->arena, "tenant:%" STR_FMT, STR_ARG(r->identity.tenant));
}

static enum error read_password(struct request *r, struct json_object *body, struct new_member *s)
{
    struct str password;
    if (!body_gives(body, "password")) {
        s->link = request_new_secret(r, CRYPT_LINK_PREFIX);
        return r->conf->mail_program.s[0] ? rate_limit_check(r, RATE_SIGNUP, mails_subject(r))
                                          : ERR_OK;
    }
    enum error e = person_new_password(r, body, "password", s->email, &password);
    return e || crypt_password_hash(password, r->conf->password_cost, s->password)
               ? e
               : ERR_OUT_OF_MEMORY;
}

static enum error refuse_taken(struct request *r)
{
    enum error e = rate_limit_count(r, RATE_SIGNUP, tries_subject(r));
    return e ? e : ERR_EMAIL_TAKEN;
}

enum error account_add_member(struct request *r)
{
    struct new_member *s = ARENA_NEW(r->arena, struct new_member);
    struct json_object *body;
    s->r = r;
    enum error e = body_object(r, &body);
    if (!e)
        e = person_email(r, body, &s->email);
    if (!e)
        e = read_role(r, body, &s->role);
    if (!e)
        e = rate_limit_check(r, RATE_SIGNUP, tries_subject(r));
    if (!e)
        e = read_password(r, body, s);
    if (!e)
        e = db_transact(r->db, store_new_member, s);
    if (e == ERR_EMAIL_TAKEN)
        e = refuse_taken(r);
    struct user member = {.id = str_of(s->id), .email = s->email, .role = s->role};
    return e ? e : answer_member(r, 201, &member, s->link, s->expires);
}

/* Locks the tenant, then the member. demoted: the member will be an admin no more, so somebody else
 * has to be one. */
static enum error lock_member(struct request *r, struct str id, bool demoted, struct user **member)
{
    bool other = true;
    enum error e = tenant_lock(r->db, r->arena);
    if (!e)
        e = user_lock(r->db, r->arena, id, member);
    if (!e && !*member)
        return ERR_UNKNOWN_MEMBER;
    if (!e && demoted && request_role((*member)->role) == ROLE_ADMIN)
        e = user_has_other_admin(r->db, r->arena, id, &other);
    return e || other ? e : ERR_LAST_ADMIN;
}

struct role_change {
    struct request *r;
    struct str id, role;
    struct user *member;
};

static enum error store_role(struct db *db, void *arg)
{
    struct role_change *s = arg;
    struct request *r = s->r;
    enum error e = lock_member(r, s->id, request_role(s->role) != ROLE_ADMIN, &s->member);
    if (e || str_eq(s->member->role, s->role))
        return e;
    e = user_set_role(db, s->id, s->role);
    if (e)
        return e;
    return audit_done(r, AUDIT_MEMBER_ROLE_CHANGED,
                      arena_printf(r->arena, "%" STR_FMT " (%" STR_FMT " to %" STR_FMT ")",
                                   STR_ARG(s->member->email), STR_ARG(s->member->role),
                                   STR_ARG(s->role)));
}

enum error account_change_role(struct request *r)
{
    struct role_change s = {.r = r};
    struct json_object *body;
    enum error e = body_object(r, &body);
    if (!e)
        e = body_or_param_id(r, body, &s.id);
    if (!e)
        e = read_role(r, body, &s.role);
    if (!e)
        e = db_transact(r->db, store_role, &s);
    if (e)
        return e;
    s.member->role = s.role;
    return answer_member(r, 200, s.member, NULL, TIME_NONE);
}

static enum error store_removal(struct db *db, void *arg)
{
    const struct by_id *s = arg;
    struct user *member;
    enum error e = lock_member(s->r, s->id, true, &member);
    if (!e)
        e = user_delete(db, s->id);
    return e ? e : audit_done(s->r, AUDIT_MEMBER_REMOVED, member->email);
}

enum error account_remove_member(struct request *r)
{
    struct by_id s = {.r = r};
    enum error e = body_only_id(r, &s.id);
    if (!e)
        e = db_transact(r->db, store_removal, &s);
    return e ? e : page_deleted(r, s.id);
}

/* ---- plan ---- */

enum error account_slots(struct request *r)
{
    const struct plan *plan;
    struct quota quota;
    int64_t used;
    struct page page;
    enum error e = tenant_slots(r->db, r->arena, &plan, &used);
    if (!e)
        e = quota_fetch(r->db, r->arena, &quota);
    if (e)
        return e;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_INT(&page.jw, "used", used);
    JW_INT(&page.jw, "max", plan->clusters);
    JW_STR(&page.jw, "plan", plan->name);
    JW_INT(&page.jw, "objectsMax", plan->objects);
    JW_INT(&page.jw, "bytesUsed", quota.bytes);
    JW_INT(&page.jw, "bytesMax", plan->bytes);
    JW_INT(&page.jw, "risksNamed", r->conf->risks_named);
    jw_object_end(&page.jw);
    return page_json_tagged(r, &page);
}

int main(int argc, char **argv)
{
    return app_run(argc, argv, "account", routes());
}
