/* auth: sessions of people, and their passwords. */
#include "routes.h"
#include "service/crypt.h"
#include "store/known_address.h"
#include "store/link.h"
#include "store/tenant.h"
#include "store/user.h"
#include "web/app.h"
#include "web/audit_trail.h"
#include "web/guess.h"
#include "web/page.h"
#include "web/person.h"
#include "web/rate_limit.h"
#include "web/sign_in.h"

enum { TOKEN_MAX = 128 };

static enum error answer_session(struct request *r, const struct crypt_secret *token,
                                 const struct session_start *start, struct str email,
                                 struct str tenant)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "token", str_of(token->text));
    JW_STR(&page.jw, "email", email);
    JW_STR(&page.jw, "tenantId", tenant);
    JW_TIME(&page.jw, "expiresAt", start->expires);
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

/* ---- wrong passwords ---- */

static struct str email_subject(struct request *r, struct str email)
{
    return arena_printf(r->arena, "email:%" STR_FMT, STR_ARG(email));
}

struct failure {
    struct request *r;
    struct str tenant; /* whose trail tells of it */
    const struct guess *guess;
    enum audit_action action;
};

static enum error store_failure(struct db *db, void *arg)
{
    const struct failure *s = arg;
    struct str email = s->guess->user.n ? s->guess->email : STR("an e-mail that nobody has");
    (void)db;
    enum error e = guess_wrong(s->r, s->guess);
    return e ? e : audit_refusal(s->r, s->tenant, s->action, email, ERR_BAD_LOGIN);
}

/* BAD_LOGIN, counted and audited. */
static enum error refuse_password(struct request *r, struct str tenant, const struct guess *guess,
                                  enum audit_action action)
{
    struct failure failure = {r, tenant, guess, action};
    enum error e = db_transact(r->db, store_failure, &failure);
    return e ? e : ERR_BAD_LOGIN;
}

/* ---- login ---- */

struct login {
    struct request *r;
    struct user *user;
    char password[CRYPT_MCF_SIZE]; /* of today's parameters; "": the stored one has them */
    struct crypt_secret *token;
    struct session_start start;
};

/* The password was checked outside the transaction, because that takes long: it must still be the
 * user's, or a session would be made with one that was changed meanwhile. */
static enum error lock_checked_user(struct request *r, const struct user *checked)
{
    struct user *user;
    enum error e = user_lock(r->db, r->arena, checked->id, &user);
    if (!e && (!user || !str_eq(user->password, checked->password)))
        return ERR_BAD_LOGIN;
    return e;
}

static enum error store_login(struct db *db, void *arg)
{
    struct login *s = arg;
    enum error e = lock_checked_user(s->r, s->user);
    if (!e && s->password[0])
        e = user_set_password(db, s->user->id, str_of(s->password));
    if (!e)
        e = rate_limit_count(s->r, RATE_SESSION, email_subject(s->r, s->user->email));
    if (!e)
        e = rate_limit_count(s->r, RATE_ADDRESS, s->r->client_range);
    if (!e)
        e = known_address_add(db, s->user->id, s->r->client_range, s->r->now);
    if (!e)
        e = session_create(db, s->user->id, s->token, &s->start);
    return e ? e : audit_done(s->r, AUDIT_SIGN_IN, s->user->email);
}

static enum error log_in(struct request *r, struct user *user, struct str password)
{
    struct login *s = ARENA_NEW(r->arena, struct login);
    s->r = r;
    s->user = user;
    if (crypt_password_is_weak(user->password) && !crypt_password_hash(password, s->password))
        return ERR_OUT_OF_MEMORY;
    r->identity.tenant = user->tenant;
    r->identity.user = user->id;
    r->identity.email = user->email;
    s->token = request_new_secret(r, CRYPT_TOKEN_PREFIX);
    s->start = sign_in_start(r, NULL);
    enum error e = db_transact(r->db, store_login, s);
    return e ? e : answer_session(r, s->token, &s->start, user->email, user->tenant);
}

enum error auth_login(struct request *r)
{
    struct json_object *body;
    struct guess guess = {0};
    struct str password;
    struct user *user;
    enum error e = body_object(r, &body);
    if (!e)
        e = person_email(r, body, &guess.email);
    if (!e)
        e = body_secret(r, body, "password", CRYPT_PASSWORD_MAX, &password);
    if (!e)
        e = rate_limit_check(r, RATE_SESSION, email_subject(r, guess.email));
    if (!e)
        e = rate_limit_check(r, RATE_ADDRESS, r->client_range);
    if (!e)
        e = user_by_email(r->db, r->arena, guess.email, &user);
    if (!e && user) {
        db_set_tenant(r->db, user->tenant);
        guess.user = user->id;
    }
    if (!e)
        e = guess_admit(r, &guess);
    if (e)
        return e;
    if (crypt_password_verify(password,
                              user && user->password.n ? user->password : (struct str){0}))
        return log_in(r, user, password);
    struct str tenant = user ? user->tenant : str_of(AUDIT_SERVICE);
    db_set_tenant(r->db, tenant);
    return refuse_password(r, tenant, &guess, AUDIT_SIGN_IN_FAILED);
}

/* ---- sessions ---- */

/* The session whose token is in the body; NULL when there is none. */
static enum error read_session(struct request *r, struct session **session)
{
    struct json_object *body;
    struct str token;
    unsigned char hash[CRYPT_DIGEST];
    *session = NULL;
    enum error e = body_object(r, &body);
    if (!e)
        e = body_secret(r, body, "token", TOKEN_MAX, &token);
    if (e || !crypt_secret_hash(CRYPT_TOKEN_PREFIX, token, hash))
        return e;
    e = session_find(r->db, r->arena, hash, sign_in_moment(r), session);
    if (!e && *session) {
        db_set_tenant(r->db, (*session)->tenant);
        r->identity.tenant = (*session)->tenant;
        r->identity.user = (*session)->user;
        r->identity.email = (*session)->email;
    }
    return e;
}

static enum error answer_invalid(struct request *r)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_BOOL(&page.jw, "valid", false);
    JW_STR(&page.jw, "error", error_sentence(ERR_BAD_TOKEN));
    JW_STR(&page.jw, "code", error_code(ERR_BAD_TOKEN));
    jw_object_end(&page.jw);
    page_challenge(r, ERR_BAD_TOKEN);
    return page_json(r, 401, &page);
}

enum error auth_verify(struct request *r)
{
    struct session *session;
    struct page page;
    struct str company;
    enum error e = read_session(r, &session);
    if (e || !session)
        return e ? e : answer_invalid(r);
    e = tenant_company(r->db, r->arena, &company);
    if (e)
        return e;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_BOOL(&page.jw, "valid", true);
    JW_STR(&page.jw, "email", session->email);
    JW_STR(&page.jw, "tenantId", session->tenant);
    JW_STR(&page.jw, "company", company);
    JW_STR(&page.jw, "role", session->role);
    JW_TIME(&page.jw, "expiresAt", session->expires);
    JW_TIME(&page.jw, "sessionEndsAt", sign_in_end(r, session->began));
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

struct refresh {
    struct request *r;
    struct session *old;
    struct crypt_secret *token;
    struct session_start start;
};

/* Of two that race for one token the second finds it revoked. */
static enum error store_refresh(struct db *db, void *arg)
{
    struct refresh *s = arg;
    struct user *user;
    bool was_open;
    enum error e = user_lock(db, s->r->arena, s->old->user, &user);
    if (!e)
        e = session_revoke(db, s->old->hash, s->r->now, &was_open);
    if (!e && !was_open)
        e = ERR_BAD_TOKEN;
    if (!e)
        e = session_create(db, s->old->user, s->token, &s->start);
    return e ? e : audit_done(s->r, AUDIT_SESSION_REFRESHED, s->old->email);
}

enum error auth_refresh(struct request *r)
{
    struct refresh s = {.r = r};
    enum error e = read_session(r, &s.old);
    if (e || !s.old)
        return e ? e : ERR_BAD_TOKEN;
    s.token = request_new_secret(r, CRYPT_TOKEN_PREFIX);
    s.start = sign_in_start(r, s.old);
    e = db_transact(r->db, store_refresh, &s);
    return e ? e : answer_session(r, s.token, &s.start, s.old->email, s.old->tenant);
}

static enum error store_logout(struct db *db, void *arg)
{
    struct request *r = arg;
    bool was_open;
    enum error e = session_revoke(db, r->identity.session, r->now, &was_open);
    return e || !was_open ? e : audit_done(r, AUDIT_SIGN_OUT, r->identity.email);
}

enum error auth_logout(struct request *r)
{
    enum error e = db_transact(r->db, store_logout, r);
    return e ? e : page_ok(r, 200);
}

struct password_change {
    struct request *r;
    struct user *user;
    char password[CRYPT_MCF_SIZE];
};

static enum error store_password(struct db *db, void *arg)
{
    struct password_change *s = arg;
    const struct identity *who = &s->r->identity;
    enum error e = lock_checked_user(s->r, s->user);
    if (!e)
        e = user_set_password(db, who->user, str_of(s->password));
    if (!e)
        e = session_revoke_others(db, who->user, who->session, s->r->now);
    if (!e)
        e = link_delete_of_user(db, who->user); /* who reads the mailbox is out, too */
    return e ? e : audit_done(s->r, AUDIT_PASSWORD_CHANGED, who->email);
}

enum error auth_password(struct request *r)
{
    struct password_change s = {.r = r};
    struct guess guess = {.email = r->identity.email, .user = r->identity.user, .signed_in = true};
    struct json_object *body;
    struct str current, wanted;
    enum error e = body_object(r, &body);
    if (!e)
        e = body_secret(r, body, "currentPassword", CRYPT_PASSWORD_MAX, &current);
    if (!e)
        e = person_new_password(r, body, "newPassword", r->identity.email, &wanted);
    if (!e)
        e = guess_admit(r, &guess);
    if (!e)
        e = user_by_id(r->db, r->arena, r->identity.user, &s.user);
    if (e)
        return e;
    if (!crypt_password_verify(current, s.user ? s.user->password : (struct str){0})) {
        e = refuse_password(r, r->identity.tenant, &guess, AUDIT_PASSWORD_CHANGED);
        return e == ERR_BAD_LOGIN ? refuse(r, e, "The current password is wrong.") : e;
    }
    if (str_eq(wanted, current))
        return refuse_field(r, ERR_INVALID_FIELD, "newPassword", "must not be the current one.");
    if (!crypt_password_hash(wanted, s.password))
        return ERR_OUT_OF_MEMORY;
    e = db_transact(r->db, store_password, &s);
    return e ? e : page_ok(r, 200);
}

int main(int argc, char **argv)
{
    return app_run(argc, argv, "auth", routes());
}
