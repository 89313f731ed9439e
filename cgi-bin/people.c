/* people: how people get an account: they sign up, are invited, or get back in by a link. */
#include "routes.h"
#include "service/crypt.h"
#include "store/apikey.h"
#include "store/known_address.h"
#include "store/link.h"
#include "store/rate.h"
#include "store/tenant.h"
#include "store/user.h"
#include "web/app.h"
#include "web/audit_trail.h"
#include "web/page.h"
#include "web/person.h"
#include "web/rate_limit.h"
#include "web/sign_in.h"

enum { COMPANY_MAX = 200, TOKEN_MAX = 128, RESETS_MAX = 3 /* links of a user at a time */ };

static bool has_mail(const struct request *r)
{
    return r->conf->mail_program.s[0] != '\0';
}

/* The link whose token is the member of the body; NULL when there is none. */
static enum error read_link(struct request *r, struct json_object *body, const char *member,
                            struct link **link)
{
    struct str token;
    unsigned char hash[CRYPT_DIGEST];
    *link = NULL;
    enum error e = body_secret(r, body, member, TOKEN_MAX, &token);
    if (e || !crypt_secret_hash(CRYPT_LINK_PREFIX, token, hash))
        return e;
    return link_find(r->db, r->arena, hash, r->now, link);
}

static enum error take_link(struct db *db, const struct link *link)
{
    bool taken;
    enum error e = link_use(db, link, &taken);
    return e || taken ? e : ERR_UNKNOWN_LINK;
}

/* ---- signup ---- */

struct signup {
    struct request *r;
    const struct plan *plan;
    struct str company, email;
    struct link *link; /* NULL: none is needed */
    bool first;        /* there may be no account yet */
    char password[CRYPT_MCF_SIZE];
    struct crypt_secret *key, *token;
    char tenant[UUID_TEXT_LEN + 1], user[UUID_TEXT_LEN + 1];
    struct session_start start;
};

/* Of several that would make the first account one waits here for the other, and then sees it. */
static enum error stay_first(struct db *db, struct request *r)
{
    bool any;
    enum error e = rate_add(db, STR("first"), STR("account"), r->now, 1000);
    if (!e)
        e = tenant_any(db, r->arena, &any);
    return e || !any ? e : ERR_SIGNUP_CLOSED;
}

static enum error store_account(struct db *db, struct signup *s)
{
    struct request *r = s->r;
    struct apikey_row *key;
    int64_t now = r->now;
    enum error e = tenant_create(db, s->company, s->plan, now, s->tenant);
    if (!e)
        e = user_create(db, s->email, str_of(s->password), STR("admin"), now, s->user);
    if (!e)
        e = apikey_create(db, r->arena, s->key, STR("signup"), STR("full"), now, TIME_NONE,
                          &(struct apikey_bounds){0}, &key);
    if (!e)
        e = known_address_add(db, str_of(s->user), r->client_range, now);
    if (!e && has_mail(r))
        e = link_queue(db, LINK_EMAIL, str_of(s->user), now);
    if (!e)
        e = session_create(db, str_of(s->user), s->token, &s->start);
    return e;
}

static enum error store_signup(struct db *db, void *arg)
{
    struct signup *s = arg;
    struct request *r = s->r;
    enum error e = s->first ? stay_first(db, r) : s->link ? take_link(db, s->link) : ERR_OK;
    if (!e)
        e = store_account(db, s);
    if (e)
        return e;
    r->identity =
        (struct identity){.tenant = str_of(s->tenant), .user = str_of(s->user), .email = s->email};
    return audit_done(r, AUDIT_SIGNUP, s->company);
}

static enum error answer_signup(struct request *r, const struct signup *s)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "status", STR("created"));
    JW_STR(&page.jw, "tenantId", str_of(s->tenant));
    JW_STR(&page.jw, "email", s->email);
    JW_STR(&page.jw, "plan", s->plan->name);
    JW_STR(&page.jw, "apiKey", str_of(s->key->text));
    JW_STR(&page.jw, "token", str_of(s->token->text));
    JW_TIME(&page.jw, "expiresAt", s->start.expires);
    JW_STR(&page.jw, "message",
           STR("Welcome to Loadline. Keep the API key: it is shown this once. "
               "Push a snapshot to POST /ingest with it to see your first score."));
    jw_object_end(&page.jw);
    return page_json(r, 201, &page);
}

/* "open" for everybody: it is, or there is no account yet, so *first. */
static enum error find_mode(struct request *r, struct str *mode, bool *first)
{
    bool any = true;
    *mode = str_of(r->conf->signup.s);
    enum error e = str_eq(*mode, STR("open")) ? ERR_OK : tenant_any(r->db, r->arena, &any);
    *first = !e && !any;
    if (*first)
        *mode = STR("open");
    return e;
}

enum error people_signup_mode(struct request *r)
{
    struct str mode;
    bool first;
    struct page page;
    enum error e = find_mode(r, &mode, &first);
    if (e)
        return e;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "signup", mode);
    JW_BOOL(&page.jw, "mail", has_mail(r));
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

/* SIGNUP_CLOSED unless this one may. */
static enum error admit_signup(struct request *r, struct json_object *body, struct signup *s)
{
    struct str mode, unused;
    enum error e = find_mode(r, &mode, &s->first);
    if (!e && str_eq(mode, STR("open")) && body_gives(body, "invitation"))
        e = body_secret(r, body, "invitation", TOKEN_MAX, &unused);
    if (e || str_eq(mode, STR("open")))
        return e;
    if (!str_eq(mode, STR("invite")) || !body_gives(body, "invitation"))
        return ERR_SIGNUP_CLOSED;
    e = read_link(r, body, "invitation", &s->link);
    return e || (s->link && link_is(s->link, LINK_SIGNUP)) ? e : ERR_UNKNOWN_LINK;
}

enum error people_signup(struct request *r)
{
    struct signup *s = ARENA_NEW(r->arena, struct signup);
    struct json_object *body;
    struct str password;
    s->r = r;
    s->plan = plan_at_signup(str_eq(str_of(r->conf->signup.s), STR("open")));
    s->start = sign_in_start(r, NULL);
    enum error e = body_object(r, &body);
    if (!e)
        e = admit_signup(r, body, s);
    if (!e)
        e = body_name(r, body, "company", BODY_REQUIRED, COMPANY_MAX, &s->company);
    if (!e)
        e = person_email(r, body, &s->email);
    if (!e)
        e = person_new_password(r, body, "password", s->email, &password);
    if (!e)
        e = rate_limit_count(r, RATE_SIGNUP, r->client_range);
    if (e)
        return e;
    if (!crypt_password_hash(password, r->conf->password_cost, s->password))
        return ERR_OUT_OF_MEMORY;
    s->key = request_new_secret(r, CRYPT_KEY_PREFIX);
    s->token = request_new_secret(r, CRYPT_TOKEN_PREFIX);
    e = db_transact(r->db, store_signup, s);
    return e ? e : answer_signup(r, s);
}

/* ---- links ---- */

enum error people_link(struct request *r)
{
    struct json_object *body;
    struct link *link;
    struct page page;
    enum error e = body_object(r, &body);
    if (!e)
        e = read_link(r, body, "token", &link);
    if (e || !link)
        return e ? e : ERR_UNKNOWN_LINK;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "kind", link->kind);
    JW_STR_OR_NULL(&page.jw, "email", link->email);
    JW_STR_OR_NULL(&page.jw, "company", link->company);
    JW_TIME(&page.jw, "expiresAt", link->expires);
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

struct acceptance {
    struct request *r;
    struct link *link;
    char password[CRYPT_MCF_SIZE]; /* "": it stays */
};

/* A new password ends all sessions and all other links: whoever may have had them is out. */
static enum error store_password(struct db *db, const struct acceptance *s)
{
    struct str user = s->link->user;
    enum error e = user_set_password(db, user, str_of(s->password));
    if (!e)
        e = session_delete_of_user(db, user);
    if (!e)
        e = link_delete_of_user(db, user);
    if (!e)
        e = known_address_add(db, user, s->r->client_range, s->r->now);
    bool invited = link_is(s->link, LINK_INVITATION);
    return e ? e
             : audit_done(s->r, invited ? AUDIT_INVITATION_ACCEPTED : AUDIT_PASSWORD_RESET,
                          s->link->email);
}

static enum error store_acceptance(struct db *db, void *arg)
{
    struct acceptance *s = arg;
    struct user *user;
    enum error e = user_lock(db, s->r->arena, s->link->user, &user);
    if (!e)
        e = user ? take_link(db, s->link) : ERR_UNKNOWN_LINK;
    if (!e && s->password[0])
        e = store_password(db, s);
    if (e || !s->link->tries)
        return e;
    e = user_set_verified(db, s->link->user, s->r->now);
    return e ? e : audit_done(s->r, AUDIT_EMAIL_VERIFIED, s->link->email);
}

static enum error answer_email(struct request *r, struct str email)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "status", STR("ok"));
    JW_STR(&page.jw, "email", email);
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

static enum error choose_password(struct request *r, struct json_object *body, struct acceptance *s)
{
    struct str password;
    struct user *user;
    int64_t cost = r->conf->password_cost;
    enum error e = person_new_password(r, body, "password", s->link->email, &password);
    if (!e)
        e = user_by_id(r->db, r->arena, s->link->user, &user);
    if (e)
        return e;
    if (user && user->password.n && crypt_password_verify(password, user->password, cost))
        return refuse_field(r, ERR_INVALID_FIELD, "password", "must not be the one that it was.");
    return crypt_password_hash(password, cost, s->password) ? ERR_OK : ERR_OUT_OF_MEMORY;
}

/* It makes no session: whoever has the link still signs in, with all that this takes. */
enum error people_accept(struct request *r)
{
    struct acceptance *s = ARENA_NEW(r->arena, struct acceptance);
    struct json_object *body;
    s->r = r;
    enum error e = body_object(r, &body);
    if (!e)
        e = read_link(r, body, "token", &s->link);
    if (!e && (!s->link || !s->link->email.n))
        e = ERR_UNKNOWN_LINK;
    if (e)
        return e;
    r->identity = (struct identity){
        .tenant = s->link->tenant, .user = s->link->user, .email = s->link->email};
    db_set_tenant(r->db, s->link->tenant);
    if (!link_is(s->link, LINK_EMAIL))
        e = choose_password(r, body, s);
    if (!e)
        e = db_transact(r->db, store_acceptance, s);
    return e ? e : answer_email(r, s->link->email);
}

/* ---- a new password by mail ---- */

struct reset {
    struct request *r;
    struct str email;
};

static enum error store_reset(struct db *db, void *arg)
{
    const struct reset *s = arg;
    struct request *r = s->r;
    struct user *user;
    int64_t open;
    enum error e = rate_limit_count(
        r, RATE_SIGNUP, arena_printf(r->arena, "reset:%" STR_FMT, STR_ARG(r->client_range)));
    if (!e)
        e = user_by_email(db, r->arena, s->email, &user);
    if (e || !user)
        return e;
    db_set_tenant(db, user->tenant);
    e = link_count(db, r->arena, LINK_PASSWORD, user->id, r->now, &open);
    return e || open >= RESETS_MAX ? e : link_queue(db, LINK_PASSWORD, user->id, r->now);
}

/* The same answer whether or not there is such an account. */
enum error people_reset(struct request *r)
{
    struct reset s = {.r = r};
    struct json_object *body;
    enum error e = has_mail(r) ? body_object(r, &body) : ERR_NO_MAIL;
    if (!e)
        e = person_email(r, body, &s.email);
    if (!e)
        e = rate_limit_check(r, RATE_SIGNUP,
                             arena_printf(r->arena, "reset:%" STR_FMT, STR_ARG(r->client_range)));
    if (!e)
        e = db_transact(r->db, store_reset, &s);
    return e ? e : page_ok(r, 202);
}

int main(int argc, char **argv)
{
    return app_run(argc, argv, "people", routes());
}
