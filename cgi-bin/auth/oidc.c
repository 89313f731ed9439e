/* Signing in by an issuer of OpenID Connect: the authorization code flow with PKCE, whose verifier
 * stays in the browser that began. */
#include "../routes.h"
#include "proof.h"
#include "store/link.h"
#include "store/oidc.h"
#include "store/tenant.h"
#include "web/audit_trail.h"
#include "web/oidc.h"
#include "web/page.h"
#include "web/person.h"
#include "web/rate_limit.h"
#include "web/sign_in.h"

enum { VERIFIER_MIN = 43, VERIFIER_MAX = 128, CODE_MAX = 2048, STATE_MAX = 64, ISSUER_MAX = 256 };

enum error auth_oidc(struct request *r)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_BOOL(&page.jw, "on", oidc_is_on(r));
    JW_STR_OR_NULL(&page.jw, "issuer", str_of(r->conf->oidc_issuer.s));
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

/* ---- away to the issuer ---- */

static bool is_base64url(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (!text.p[i] || !strchr(BASE64URL_ALPHABET, text.p[i]))
            return false;
    return true;
}

/* A browser that begins again and again fills a table. */
static struct str begun_subject(struct request *r)
{
    return arena_printf(r->arena, "oidc %" STR_FMT, STR_ARG(r->client_range));
}

struct beginning {
    struct request *r;
    struct crypt_secret *state, *nonce;
    struct str challenge;
};

static enum error store_beginning(struct db *db, void *arg)
{
    const struct beginning *s = arg;
    struct oidc_login login = {.nonce = str_of(s->nonce->text), .challenge = s->challenge};
    enum error e = rate_limit_count(s->r, RATE_ADDRESS, begun_subject(s->r));
    return e ? e : oidc_login_begin(db, s->state->hash, &login, s->r->now);
}

enum error auth_begin_oidc(struct request *r)
{
    struct beginning s = {.r = r};
    struct json_object *body;
    struct str url;
    struct page page;
    enum error e = oidc_is_on(r) ? body_object(r, &body) : ERR_NO_OIDC;
    if (!e)
        e = body_text(r, body, "challenge", BODY_REQUIRED, VERIFIER_MAX, &s.challenge);
    if (!e && (s.challenge.n != CRYPT_SECRET_TEXT || !is_base64url(s.challenge)))
        e = refuse_field(r, ERR_INVALID_FIELD, "challenge", "must be one of PKCE, S256.");
    if (!e)
        e = rate_limit_check(r, RATE_ADDRESS, begun_subject(r));
    if (e)
        return e;
    s.state = request_new_secret(r, CRYPT_STATE_PREFIX);
    s.nonce = request_new_secret(r, CRYPT_STATE_PREFIX);
    e = db_transact(r->db, store_beginning, &s);
    if (!e)
        e = oidc_address(r, str_of(s.state->text), str_of(s.nonce->text), s.challenge, &url);
    if (e)
        return e;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "url", url);
    JW_STR(&page.jw, "state", str_of(s.state->text));
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

/* ---- back from the issuer ---- */

struct finish {
    struct request *r;
    struct str state, code, verifier;
    unsigned char hash[CRYPT_DIGEST]; /* of the state */
    struct oidc_login *login;
    struct jwt_claims claims;
    struct user *user;
    bool links, joins; /* the user is not linked yet; does not exist yet */
    struct crypt_secret *token;
    struct session_start start;
    char id[UUID_TEXT_LEN + 1]; /* of a new user */
    enum error why;             /* it was refused */
};

static enum error take_login(struct db *db, void *arg)
{
    struct finish *s = arg;
    enum error e = oidc_login_end(db, s->r->arena, s->hash, s->r->now, &s->login);
    return e || s->login ? e : ERR_BAD_SIGN_IN;
}

/* Was it this browser that began? */
static bool fits_challenge(const struct finish *s)
{
    unsigned char digest[CRYPT_DIGEST];
    char text[BASE64URL_LEN(CRYPT_DIGEST) + 1];
    crypt_sha256(s->verifier, digest);
    base64url_encode(digest, sizeof digest, text);
    return s->login->challenge.n == strlen(text) &&
           crypt_equal(text, s->login->challenge.p, strlen(text));
}

/* The member iss of the address (RFC 9207) is there when an issuer sends it: it has to be ours. */
static enum error check_issuer(struct request *r, struct json_object *body)
{
    struct str issuer;
    enum error e = body_text(r, body, "iss", BODY_OPTIONAL, ISSUER_MAX, &issuer);
    return e || !issuer.p || str_eq(issuer, str_of(r->conf->oidc_issuer.s)) ? e : ERR_BAD_SIGN_IN;
}

static enum error read_finish(struct request *r, struct finish *s)
{
    struct json_object *body;
    enum error e = oidc_is_on(r) ? body_object(r, &body) : ERR_NO_OIDC;
    if (!e)
        e = body_secret(r, body, "state", STATE_MAX, &s->state);
    if (!e)
        e = body_secret(r, body, "code", CODE_MAX, &s->code);
    if (!e)
        e = body_secret(r, body, "verifier", VERIFIER_MAX, &s->verifier);
    if (!e && (s->verifier.n < VERIFIER_MIN || !is_base64url(s->verifier)))
        e = refuse_field(r, ERR_INVALID_FIELD, "verifier", "must be one of PKCE.");
    if (!e)
        e = check_issuer(r, body);
    return e || crypt_secret_hash(CRYPT_STATE_PREFIX, s->state, s->hash) ? e : ERR_BAD_SIGN_IN;
}

/* ---- who that is ---- */

static bool is_of_domains(struct str email, struct str domains)
{
    struct str local, domain, one;
    if (!domains.n)
        return true;
    if (!str_cut_last(email, '@', &local, &domain))
        return false;
    while (str_next_word(&domains, &one))
        if (str_eq_nocase(one, domain))
            return true;
    return false;
}

/* An address counts only where the issuer has verified it, and an account only where its owner has
 * shown that the address is theirs, or has not come yet: else whoever signs up first with
 * somebody's address would have them in their company. */
static enum error find_by_email(struct finish *s)
{
    struct request *r = s->r;
    const struct jwt_claims *claims = &s->claims;
    bool verified = false;
    if (!claims->email_verified || claims->email.n > USER_EMAIL_MAX ||
        !person_is_email(claims->email))
        return ERR_NOT_INVITED;
    enum error e = user_by_email(r->db, r->arena, claims->email, &s->user);
    s->links = true;
    if (e || !s->user) {
        s->joins = r->conf->oidc_join.s[0];
        return e || s->joins ? e : ERR_NOT_INVITED;
    }
    db_set_tenant(r->db, s->user->tenant);
    if (s->user->password.n)
        e = user_is_verified(r->db, r->arena, s->user->id, &verified);
    return e || !s->user->password.n || verified ? e : ERR_NOT_INVITED;
}

static enum error find_user(struct finish *s)
{
    struct request *r = s->r;
    struct str domains = str_of(r->conf->oidc_domains.s);
    if (domains.n &&
        (!s->claims.email_verified || !is_of_domains(str_or_empty(s->claims.email), domains)))
        return ERR_NOT_INVITED;
    enum error e = user_by_subject(r->db, r->arena, str_of(r->conf->oidc_issuer.s),
                                   s->claims.subject, &s->user);
    return e || s->user ? e : find_by_email(s);
}

/* ---- in ---- */

static enum error store_member(struct db *db, struct finish *s)
{
    struct request *r = s->r;
    int64_t count;
    enum error e = tenant_lock(db, r->arena);
    if (!e)
        e = user_count(db, r->arena, &count);
    if (!e && count >= USERS_MAX)
        e = refuse(r, ERR_PLAN_LIMIT, "There can be %d members; remove one first.", USERS_MAX);
    if (!e)
        e = user_create(db, s->claims.email, STR(""), STR("member"), r->now, s->id);
    if (!e)
        e = user_by_id(db, r->arena, str_of(s->id), &s->user);
    return e ? e
             : audit_done(r, AUDIT_MEMBER_ADDED,
                          arena_printf(r->arena, "%" STR_FMT " (member, by the issuer)",
                                       STR_ARG(s->claims.email)));
}

/* Whoever was invited has come: the link is of no use any more. Another subject with the address of
 * somebody who is linked is somebody else, whom the issuer has given that address later. */
static enum error store_link(struct db *db, struct finish *s)
{
    struct request *r = s->r;
    struct str user = s->user->id;
    bool linked;
    enum error e = oidc_is_linked(db, r->arena, user, &linked);
    if (!e && linked)
        return ERR_NOT_INVITED;
    if (!e)
        e = oidc_link(db, user, str_of(r->conf->oidc_issuer.s), s->claims.subject, r->now);
    if (!e && !s->user->password.n)
        e = link_delete_of_user(db, user);
    if (!e)
        e = user_set_verified(db, user, r->now);
    return e ? e : audit_done(r, AUDIT_ISSUER_LINKED, s->user->email);
}

static enum error store_finish(struct db *db, void *arg)
{
    struct finish *s = arg;
    struct request *r = s->r;
    struct user *user;
    r->identity = (struct identity){0}; /* what an attempt before has left */
    enum error e = s->joins ? store_member(db, s) : ERR_OK;
    if (!e)
        e = user_lock(db, r->arena, s->user->id, &user);
    if (e || !user)
        return e ? e : ERR_BAD_SIGN_IN;
    r->identity =
        (struct identity){.tenant = s->user->tenant, .user = s->user->id, .email = s->user->email};
    if (!e && s->links)
        e = store_link(db, s);
    if (!e)
        e = rate_limit_count(r, RATE_ADDRESS, r->client_range);
    if (!e)
        e = session_create(db, user->id, s->token, &s->start);
    return e ? e
             : audit_done(
                   r, AUDIT_SIGN_IN,
                   arena_printf(r->arena, "%" STR_FMT " (by the issuer)", STR_ARG(s->user->email)));
}

static enum error sign_in(struct finish *s)
{
    struct request *r = s->r;
    enum error e = find_user(s);
    if (e)
        return e;
    db_set_tenant(r->db, s->joins ? str_of(r->conf->oidc_join.s) : s->user->tenant);
    s->token = request_new_secret(r, CRYPT_TOKEN_PREFIX);
    s->start = sign_in_start(r, NULL);
    s->start.by_issuer = true;
    return db_transact(r->db, store_finish, s);
}

static enum error store_refusal(struct db *db, void *arg)
{
    const struct finish *s = arg;
    (void)db;
    return audit_refusal(s->r, str_of(AUDIT_SERVICE), AUDIT_SIGN_IN_FAILED,
                         STR("a sign-in by the issuer"), s->why);
}

/* Nobody knows yet whose it is: it is in the trail of the service. */
static enum error note_refusal(struct finish *s, enum error why)
{
    s->why = why;
    s->r->identity = (struct identity){0};
    db_set_tenant(s->r->db, str_of(AUDIT_SERVICE));
    enum error e = db_transact(s->r->db, store_refusal, s);
    return e ? e : why;
}

enum error auth_finish_oidc(struct request *r)
{
    struct finish *s = ARENA_NEW(r->arena, struct finish);
    s->r = r;
    enum error e = read_finish(r, s);
    if (!e)
        e = rate_limit_check(r, RATE_ADDRESS, r->client_range);
    if (!e)
        e = db_transact(r->db, take_login, s);
    if (!e && !fits_challenge(s))
        e = ERR_BAD_SIGN_IN;
    if (!e)
        e = oidc_redeem(r, s->code, s->verifier, s->login->nonce, &s->claims);
    if (!e)
        e = sign_in(s);
    if (e == ERR_BAD_SIGN_IN || e == ERR_NOT_INVITED)
        return note_refusal(s, e);
    return e ? e : sign_in_answer(r, s->token, &s->start, false);
}
