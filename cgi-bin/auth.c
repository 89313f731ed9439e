/* auth: accounts and sessions of people. */
#include "routes.h"
#include "service/crypt.h"
#include "store/apikey.h"
#include "store/session.h"
#include "store/tenant.h"
#include "store/user.h"
#include "web/app.h"
#include "web/body.h"
#include "web/page.h"
#include "web/rate.h"

enum { COMPANY_MAX = 200, EMAIL_MAX = 254, PASSWORD_MIN = 8, TOKEN_MAX = 128 };

/* One '@' with something on both sides, no white space or control characters. Whether mail arrives
 * is not for us to say. */
static bool is_email(struct str text)
{
    struct str local, domain;
    if (!str_cut(text, '@', &local, &domain) || local.n == 0 || domain.n == 0)
        return false;
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] <= ' ' || text.p[i] == 0x7f)
            return false;
    return !memchr(domain.p, '@', domain.n) && domain.p[0] != '.' && domain.p[domain.n - 1] != '.';
}

static size_t characters(struct str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += ((unsigned char)text.p[i] & 0xC0) != 0x80;
    return n;
}

static enum error read_email(struct request *r, struct json_object *body, struct str *email)
{
    enum error e = body_text(r, body, "email", BODY_REQUIRED, EMAIL_MAX, email);
    if (e)
        return e;
    return is_email(*email)
               ? ERR_OK
               : refuse_field(r, ERR_INVALID_FIELD, "email", "is not an e-mail address.");
}

static enum error read_new_password(struct request *r, struct json_object *body, const char *name,
                                    struct str *password)
{
    enum error e = body_secret(r, body, name, CRYPT_PASSWORD_MAX, password);
    if (e)
        return e;
    if (characters(*password) < PASSWORD_MIN)
        return refuse_field(r, ERR_INVALID_FIELD, name, "must have at least %d characters.",
                            PASSWORD_MIN);
    return ERR_OK;
}

/* In the arena, and wiped there when the request is over, as is the answer that shows it. */
static struct crypt_secret *new_secret(struct request *r, const char *prefix)
{
    struct crypt_secret *secret = ARENA_NEW(r->arena, struct crypt_secret);
    crypt_secret_new(prefix, secret);
    request_wipe_later(r, (struct str){secret->text, sizeof secret->text});
    r->response.secret = true;
    return secret;
}

static enum error answer_session(struct request *r, const struct crypt_secret *token,
                                 struct str email, struct str tenant, int64_t expires)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "token", str_of(token->text));
    JW_STR(&page.jw, "email", email);
    JW_STR(&page.jw, "tenantId", tenant);
    JW_TIME(&page.jw, "expiresAt", expires);
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

/* ---- signup ---- */

struct signup {
    struct request *r;
    struct str company, email;
    char password[CRYPT_MCF_SIZE];
    struct crypt_secret *key, *token;
    char tenant[UUID_TEXT_LEN + 1], user[UUID_TEXT_LEN + 1];
    int64_t expires;
};

static enum error store_signup(struct db *db, void *arg)
{
    struct signup *s = arg;
    int64_t now = s->r->now;
    enum error e = tenant_create(db, s->company, now, s->tenant);
    if (!e)
        e = user_create(db, s->email, str_of(s->password), STR("admin"), now, s->user);
    if (!e)
        e = apikey_create(db, s->key, STR("signup"), STR("full"), now, TIME_NONE);
    if (!e)
        e = session_create(db, str_of(s->user), s->token, now, &s->expires);
    return e;
}

static enum error answer_signup(struct request *r, const struct signup *s)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "status", STR("created"));
    JW_STR(&page.jw, "tenantId", str_of(s->tenant));
    JW_STR(&page.jw, "email", s->email);
    JW_STR(&page.jw, "plan", STR("trial"));
    JW_STR(&page.jw, "apiKey", str_of(s->key->text));
    JW_STR(&page.jw, "token", str_of(s->token->text));
    JW_TIME(&page.jw, "expiresAt", s->expires);
    JW_STR(&page.jw, "message",
           STR("Welcome to Loadline. Keep the API key: it is shown this once. "
               "Push a snapshot to POST /ingest with it to see your first score."));
    jw_object_end(&page.jw);
    return page_json(r, 201, &page);
}

enum error auth_signup(struct request *r)
{
    struct signup *s = ARENA_NEW(r->arena, struct signup);
    struct json_object *body;
    struct str password;
    s->r = r;
    enum error e = body_object(r, &body);
    if (!e)
        e = body_text(r, body, "company", BODY_REQUIRED, COMPANY_MAX, &s->company);
    if (!e)
        e = read_email(r, body, &s->email);
    if (!e)
        e = read_new_password(r, body, "password", &password);
    if (!e)
        e = rate_count(r, RATE_SIGNUP, r->client);
    if (e)
        return e;
    if (!crypt_password_hash(password, s->password))
        return ERR_OUT_OF_MEMORY;
    s->key = new_secret(r, CRYPT_KEY_PREFIX);
    s->token = new_secret(r, CRYPT_TOKEN_PREFIX);
    e = db_transact(r->db, store_signup, s);
    return e ? e : answer_signup(r, s);
}

/* ---- login ---- */

static enum error refuse_login(struct request *r, struct str subject)
{
    enum error e = rate_count(r, RATE_LOGIN, r->client);
    if (!e)
        e = rate_count(r, RATE_LOGIN, subject);
    return e ? e : ERR_BAD_LOGIN;
}

enum error auth_login(struct request *r)
{
    struct json_object *body;
    struct str email, password, subject;
    struct user *user;
    int64_t expires;
    enum error e = body_object(r, &body);
    if (!e)
        e = read_email(r, body, &email);
    if (!e)
        e = body_secret(r, body, "password", CRYPT_PASSWORD_MAX, &password);
    if (e)
        return e;
    subject = arena_printf(r->arena, "email:%" STR_FMT, STR_ARG(email));
    e = rate_check(r, RATE_LOGIN, subject);
    if (!e)
        e = user_by_email(r->db, r->arena, email, &user);
    if (e)
        return e;
    if (!crypt_password_verify(password, user ? user->password : (struct str){0}))
        return refuse_login(r, subject);
    db_set_tenant(r->db, user->tenant);
    r->identity.tenant = user->tenant;
    struct crypt_secret *token = new_secret(r, CRYPT_TOKEN_PREFIX);
    e = session_create(r->db, user->id, token, r->now, &expires);
    return e ? e : answer_session(r, token, user->email, user->tenant, expires);
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
    e = session_find(r->db, r->arena, hash, r->now, session);
    if (!e && *session) {
        db_set_tenant(r->db, (*session)->tenant);
        r->identity.tenant = (*session)->tenant;
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
    enum error e = read_session(r, &session);
    if (e || !session)
        return e ? e : answer_invalid(r);
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_BOOL(&page.jw, "valid", true);
    JW_STR(&page.jw, "email", session->email);
    JW_STR(&page.jw, "tenantId", session->tenant);
    JW_STR(&page.jw, "role", session->role);
    JW_TIME(&page.jw, "expiresAt", session->expires);
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

struct refresh {
    struct request *r;
    struct session *old;
    struct crypt_secret *token;
    int64_t expires;
};

/* Of two that race for one token the second finds it revoked. */
static enum error store_refresh(struct db *db, void *arg)
{
    struct refresh *s = arg;
    bool was_open;
    enum error e = session_revoke(db, s->old->hash, s->r->now, &was_open);
    if (!e && !was_open)
        e = ERR_BAD_TOKEN;
    return e ? e : session_create(db, s->old->user, s->token, s->r->now, &s->expires);
}

enum error auth_refresh(struct request *r)
{
    struct refresh s = {.r = r};
    enum error e = read_session(r, &s.old);
    if (e || !s.old)
        return e ? e : ERR_BAD_TOKEN;
    s.token = new_secret(r, CRYPT_TOKEN_PREFIX);
    e = db_transact(r->db, store_refresh, &s);
    return e ? e : answer_session(r, s.token, s.old->email, s.old->tenant, s.expires);
}

static enum error answer_ok(struct request *r)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "status", STR("ok"));
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

enum error auth_logout(struct request *r)
{
    bool was_open;
    enum error e = session_revoke(r->db, r->identity.session, r->now, &was_open);
    return e ? e : answer_ok(r);
}

struct password_change {
    struct request *r;
    char password[CRYPT_MCF_SIZE];
};

static enum error store_password(struct db *db, void *arg)
{
    struct password_change *s = arg;
    const struct identity *who = &s->r->identity;
    enum error e = user_set_password(db, who->user, str_of(s->password));
    return e ? e : session_revoke_others(db, who->user, who->session, s->r->now);
}

enum error auth_password(struct request *r)
{
    struct password_change s = {.r = r};
    struct json_object *body;
    struct str current, wanted;
    struct user *user;
    enum error e = body_object(r, &body);
    if (!e)
        e = body_secret(r, body, "currentPassword", CRYPT_PASSWORD_MAX, &current);
    if (!e)
        e = read_new_password(r, body, "newPassword", &wanted);
    if (!e)
        e = user_by_id(r->db, r->arena, r->identity.user, &user);
    if (e)
        return e;
    if (!crypt_password_verify(current, user ? user->password : (struct str){0})) {
        r->sentence = STR("The current password is wrong.");
        return refuse_login(r,
                            arena_printf(r->arena, "email:%" STR_FMT, STR_ARG(r->identity.email)));
    }
    if (!crypt_password_hash(wanted, s.password))
        return ERR_OUT_OF_MEMORY;
    e = db_transact(r->db, store_password, &s);
    return e ? e : answer_ok(r);
}

int main(void)
{
    return app_run("auth", routes());
}
