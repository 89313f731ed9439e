/* auth: sessions of people, and their passwords. */
#include "auth/proof.h"
#include "routes.h"
#include "service/crypt.h"
#include "store/known_address.h"
#include "store/link.h"
#include "store/tenant.h"
#include "store/user.h"
#include "web/app.h"
#include "web/audit_trail.h"
#include "web/page.h"
#include "web/person.h"
#include "web/rate_limit.h"
#include "web/sealing.h"
#include "web/sign_in.h"

enum { TOKEN_MAX = 128 };

static struct str email_subject(struct request *r, struct str email)
{
    return arena_printf(r->arena, "email:%" STR_FMT, STR_ARG(email));
}

/* ---- login ---- */

struct login {
    struct request *r;
    struct user *user;
    char password[CRYPT_MCF_SIZE]; /* of today's parameters; "": the stored one has them */
    struct second_step step;
    bool setup; /* a second factor is required, and there is none */
    struct crypt_secret *token;
    struct session_start start;
};

/* As many right passwords as there may be, whether or not a code comes with them. */
static enum error count_right(struct request *r, struct str email)
{
    enum error e = rate_limit_count(r, RATE_SESSION, email_subject(r, email));
    return e ? e : rate_limit_count(r, RATE_ADDRESS, r->client_range);
}

static enum error store_session(struct db *db, struct login *s)
{
    struct request *r = s->r;
    struct str user = s->user->id;
    enum error e = s->password[0] ? user_set_password(db, user, str_of(s->password)) : ERR_OK;
    if (!e)
        e = count_right(r, s->user->email);
    if (!e)
        e = known_address_add(db, user, r->client_range, r->now);
    if (!e)
        e = session_create(db, user, s->token, &s->start);
    return e ? e : audit_done(r, AUDIT_SIGN_IN, s->user->email);
}

static enum error store_login(struct db *db, void *arg)
{
    struct login *s = arg;
    bool required = false;
    enum error e = proof_lock(s->r, s->user);
    if (!e)
        e = proof_code(&s->step, s->user->email);
    if (!e && !s->step.has)
        e = second_factor_required(db, s->r->arena, &required);
    s->setup = required;
    return e ? e : store_session(db, s);
}

static enum error store_half(struct db *db, void *arg)
{
    struct request *r = arg;
    (void)db;
    enum error e = count_right(r, r->identity.email);
    return e ? e
             : audit_refusal(r, r->identity.tenant, AUDIT_CODE_WANTED, r->identity.email,
                             ERR_CODE_WANTED);
}

/* The password was right, and no more. */
static enum error want_code(struct request *r)
{
    enum error e = db_transact(r->db, store_half, r);
    return e ? e : ERR_CODE_WANTED;
}

static enum error log_in(struct request *r, struct user *user, struct guess *guess,
                         struct str password, struct str code)
{
    struct login *s = ARENA_NEW(r->arena, struct login);
    int64_t cost = r->conf->password_cost;
    s->r = r;
    s->user = user;
    if (crypt_password_is_weak(user->password, cost) &&
        !crypt_password_hash(password, cost, s->password))
        return ERR_OUT_OF_MEMORY;
    r->identity.tenant = user->tenant;
    r->identity.user = user->id;
    r->identity.email = user->email;
    enum error e = code.p ? guess_admit_code(r, user->id) : ERR_OK;
    if (e)
        return e;
    s->step = (struct second_step){
        .r = r, .user = user->id, .code = code, .keys = sealing_keys_or_none(r)};
    s->token = request_new_secret(r, CRYPT_TOKEN_PREFIX);
    s->start = sign_in_start(r, NULL);
    e = db_transact(r->db, store_login, s);
    if (e == ERR_CODE_WANTED)
        return want_code(r);
    guess->right = true;
    if (e == ERR_BAD_CODE)
        return proof_refuse(r, user->tenant, guess, AUDIT_SIGN_IN_FAILED, e);
    return e ? e : sign_in_answer(r, s->token, &s->start, s->setup);
}

enum error auth_login(struct request *r)
{
    struct json_object *body;
    struct guess guess = {0};
    struct str password, code;
    struct user *user;
    enum error e = body_object(r, &body);
    if (!e)
        e = person_email(r, body, &guess.email);
    if (!e)
        e = body_secret(r, body, "password", CRYPT_PASSWORD_MAX, &password);
    if (!e)
        e = second_step_code(r, body, BODY_OPTIONAL, &code);
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
    struct str stored = user && user->password.n ? user->password : (struct str){0};
    if (crypt_password_verify(password, stored, r->conf->password_cost))
        return log_in(r, user, &guess, password, code);
    struct str tenant = user ? user->tenant : str_of(AUDIT_SERVICE);
    db_set_tenant(r->db, tenant);
    return proof_refuse(r, tenant, &guess, AUDIT_SIGN_IN_FAILED, ERR_BAD_LOGIN);
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
    if (session->setup)
        JW_BOOL(&page.jw, "secondFactorRequired", true);
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

struct refresh {
    struct request *r;
    struct session *old;
    struct crypt_secret *token;
    struct session_start start;
};

/* Each leaves a session and an entry in the audit trail. There may be as many as logins. */
static struct str refresh_subject(struct request *r, const struct session *session)
{
    return arena_printf(r->arena, "refresh:%" STR_FMT, STR_ARG(session->user));
}

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
        e = rate_limit_count(s->r, RATE_SESSION, refresh_subject(s->r, s->old));
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
    e = rate_limit_check(r, RATE_SESSION, refresh_subject(r, s.old));
    if (e)
        return e;
    s.token = request_new_secret(r, CRYPT_TOKEN_PREFIX);
    s.start = sign_in_start(r, s.old);
    e = db_transact(r->db, store_refresh, &s);
    return e ? e : sign_in_answer(r, s.token, &s.start, s.old->setup);
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
    uint64_t ended;
    enum error e = proof_lock(s->r, s->user);
    if (!e)
        e = user_set_password(db, who->user, str_of(s->password));
    if (!e)
        e = session_revoke_others(db, who->user, who->session, s->r->now, &ended);
    if (!e)
        e = link_delete_of_user(db, who->user); /* who reads the mailbox is out, too */
    return e ? e : audit_done(s->r, AUDIT_PASSWORD_CHANGED, who->email);
}

enum error auth_password(struct request *r)
{
    struct password_change s = {.r = r};
    struct json_object *body;
    struct str current, wanted;
    enum error e = body_object(r, &body);
    if (!e)
        e = body_secret(r, body, "currentPassword", CRYPT_PASSWORD_MAX, &current);
    if (!e)
        e = person_new_password(r, body, "newPassword", r->identity.email, &wanted);
    if (!e)
        e = proof_password(r, current, AUDIT_PASSWORD_CHANGED, &s.user);
    if (e)
        return e;
    if (str_eq(wanted, current))
        return refuse_field(r, ERR_INVALID_FIELD, "newPassword", "must not be the current one.");
    if (!crypt_password_hash(wanted, r->conf->password_cost, s.password))
        return ERR_OUT_OF_MEMORY;
    e = db_transact(r->db, store_password, &s);
    return e ? e : page_ok(r, 200);
}

int main(int argc, char **argv)
{
    return app_run(argc, argv, "auth", routes());
}
