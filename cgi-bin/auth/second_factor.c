/* A person's second factor: begun, confirmed, turned off; and whether everybody has to have one. */
#include "../routes.h"
#include "proof.h"
#include "service/qr.h"
#include "service/totp.h"
#include "store/session.h"
#include "store/tenant.h"
#include "web/audit_trail.h"
#include "web/page.h"
#include "web/sealing.h"

/* ---- what there is ---- */

struct state {
    struct second_factor *factor;
    int64_t codes;
    bool required;
};

static enum error read_state(struct request *r, struct state *s)
{
    struct str user = r->identity.user;
    enum error e = second_factor_find(r->db, r->arena, NULL, user, &s->factor);
    if (!e)
        e = second_factor_count_recovery(r->db, r->arena, user, &s->codes);
    return e ? e : second_factor_required(r->db, r->arena, &s->required);
}

enum error auth_second_factor(struct request *r)
{
    struct state s;
    struct page page;
    enum error e = read_state(r, &s);
    if (e)
        return e;
    int64_t since = s.factor ? s.factor->confirmed : TIME_NONE;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_BOOL(&page.jw, "on", since != TIME_NONE);
    JW_TIME(&page.jw, "since", since);
    JW_INT(&page.jw, "recoveryCodes", s.codes);
    JW_BOOL(&page.jw, "required", s.required);
    jw_object_end(&page.jw);
    return page_json_tagged(r, &page);
}

/* ---- a change ---- */

struct change {
    struct request *r;
    struct user *user;
    struct seal_keys *keys;
    struct second_step step;
    struct str secret; /* a new one */
    struct recovery *recovery;
    bool required;
};

/* Who asks knows the password: a session alone, that somebody has found open, does not do it. */
static enum error begin_change(struct change *c, struct json_object *body, enum audit_action action)
{
    struct request *r = c->r;
    struct str password;
    enum error e = body_secret(r, body, "password", CRYPT_PASSWORD_MAX, &password);
    return e ? e : proof_password(r, password, action, &c->user);
}

/* The second step as well: code and password. */
static enum error begin_proven_change(struct change *c, enum audit_action action)
{
    struct request *r = c->r;
    struct json_object *body;
    c->step =
        (struct second_step){.r = r, .user = r->identity.user, .keys = sealing_keys_or_none(r)};
    enum error e = body_object(r, &body);
    if (!e)
        e = second_step_code(r, body, BODY_REQUIRED, &c->step.code);
    if (!e)
        e = guess_admit_code(r, r->identity.user);
    return e ? e : begin_change(c, body, action);
}

static enum error take_code(struct change *c)
{
    enum error e = proof_lock(c->r, c->user);
    if (!e)
        e = proof_code(&c->step, c->user->email);
    return e || c->step.has ? e : ERR_NO_SECOND_FACTOR;
}

/* ---- on ---- */

static enum error store_begin(struct db *db, void *arg)
{
    struct change *c = arg;
    struct request *r = c->r;
    struct second_factor *factor;
    enum error e = proof_lock(r, c->user);
    if (!e)
        e = second_factor_find(db, r->arena, NULL, c->user->id, &factor);
    if (!e && factor && factor->confirmed != TIME_NONE)
        return ERR_SECOND_FACTOR_ON;
    return e ? e : second_factor_begin(db, r->arena, c->keys, c->user->id, c->secret, r->now);
}

/* A row of the code is a text of its digits. */
static void write_qr(struct request *r, struct jw *w, struct str text)
{
    size_t side;
    struct str modules = qr_modules(r->arena, text, &side);
    request_wipe_later(r, modules);
    jw_key(w, STR("qr"));
    jw_array(w);
    for (size_t at = 0; at < modules.n; at += side)
        jw_str(w, str_sub(modules, at, side));
    jw_array_end(w);
}

static enum error answer_secret(struct request *r, struct str secret, struct str email)
{
    struct page page;
    struct str text = totp_text(r->arena, secret), uri = totp_uri(r->arena, email, text);
    request_wipe_later(r, text);
    request_wipe_later(r, uri);
    r->response.secret = true;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "secret", text);
    JW_STR(&page.jw, "uri", uri);
    write_qr(r, &page.jw, uri);
    jw_object_end(&page.jw);
    return page_json(r, 201, &page);
}

enum error auth_begin_second_factor(struct request *r)
{
    struct change c = {.r = r};
    struct json_object *body;
    enum error e = body_object(r, &body);
    if (!e)
        e = sealing_keys(r, &c.keys);
    if (!e)
        e = begin_change(&c, body, AUDIT_SECOND_FACTOR_ON);
    if (e)
        return e;
    c.secret = totp_secret(r->arena);
    request_wipe_later(r, c.secret);
    e = db_transact(r->db, store_begin, &c);
    return e ? e : answer_secret(r, c.secret, c.user->email);
}

/* From now on a password alone does not do: what was signed in with one is ended, but for this
 * session. */
static enum error store_confirm(struct db *db, void *arg)
{
    struct change *c = arg;
    struct request *r = c->r;
    const struct identity *who = &r->identity;
    struct user *user;
    uint64_t ended;
    enum error e = user_lock(db, r->arena, who->user, &user);
    if (!e && !user)
        return ERR_BAD_TOKEN;
    if (!e)
        e = second_step_take_first(&c->step);
    if (!e)
        e = second_factor_confirm(db, who->user, r->now);
    if (!e)
        e = second_factor_set_recovery(db, who->user, c->recovery->hash);
    if (!e)
        e = session_revoke_others(db, who->user, who->session, r->now, &ended);
    return e ? e : audit_done(r, AUDIT_SECOND_FACTOR_ON, who->email);
}

static enum error answer_recovery(struct request *r, const struct recovery *recovery)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    jw_key(&page.jw, STR("recoveryCodes"));
    jw_array(&page.jw);
    for (size_t i = 0; i < RECOVERY_CODES; i++)
        jw_str(&page.jw, recovery->text[i]);
    jw_array_end(&page.jw);
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

static void new_recovery(struct change *c)
{
    c->recovery = ARENA_NEW(c->r->arena, struct recovery);
    second_step_new_recovery(c->r, c->r->identity.user, c->recovery);
}

enum error auth_confirm_second_factor(struct request *r)
{
    struct change c = {.r = r, .step = {.r = r, .user = r->identity.user}};
    struct json_object *body;
    enum error e = body_object(r, &body);
    if (!e)
        e = second_step_code(r, body, BODY_REQUIRED, &c.step.code);
    if (!e)
        e = proof_admit_code(r);
    if (!e)
        e = sealing_keys(r, &c.keys);
    if (e)
        return e;
    c.step.keys = c.keys;
    new_recovery(&c);
    e = db_transact(r->db, store_confirm, &c);
    if (e == ERR_BAD_CODE)
        return proof_refuse_code(r, AUDIT_SECOND_FACTOR_ON, false);
    return e ? e : answer_recovery(r, c.recovery);
}

/* ---- off, and new recovery codes ---- */

static enum error store_off(struct db *db, void *arg)
{
    struct change *c = arg;
    enum error e = take_code(c);
    if (!e)
        e = second_factor_delete(db, c->user->id);
    return e ? e : audit_done(c->r, AUDIT_SECOND_FACTOR_OFF, c->user->email);
}

enum error auth_end_second_factor(struct request *r)
{
    struct change c = {.r = r};
    enum error e = begin_proven_change(&c, AUDIT_SECOND_FACTOR_OFF);
    if (!e)
        e = db_transact(r->db, store_off, &c);
    if (e == ERR_BAD_CODE)
        return proof_refuse_code(r, AUDIT_SECOND_FACTOR_OFF, true);
    return e ? e : page_ok(r, 200);
}

static enum error store_recovery(struct db *db, void *arg)
{
    struct change *c = arg;
    enum error e = take_code(c);
    if (!e)
        e = second_factor_set_recovery(db, c->user->id, c->recovery->hash);
    return e ? e : audit_done(c->r, AUDIT_RECOVERY_CODES_MADE, c->user->email);
}

enum error auth_new_recovery_codes(struct request *r)
{
    struct change c = {.r = r};
    enum error e = begin_proven_change(&c, AUDIT_RECOVERY_CODES_MADE);
    if (e)
        return e;
    new_recovery(&c);
    e = db_transact(r->db, store_recovery, &c);
    if (e == ERR_BAD_CODE)
        return proof_refuse_code(r, AUDIT_RECOVERY_CODES_MADE, true);
    return e ? e : answer_recovery(r, c.recovery);
}

/* ---- everybody ---- */

/* An admin who has none would shut the door on themselves. */
static enum error store_rule(struct db *db, void *arg)
{
    const struct change *c = arg;
    struct request *r = c->r;
    struct second_factor *factor;
    enum error e = tenant_lock(db, r->arena);
    if (!e)
        e = second_factor_find(db, r->arena, NULL, r->identity.user, &factor);
    if (!e && c->required && (!factor || factor->confirmed == TIME_NONE))
        return refuse(r, ERR_NO_SECOND_FACTOR, "Turn on your own second factor first.");
    if (!e)
        e = second_factor_require(db, c->required);
    return e ? e
             : audit_done(r, AUDIT_SECOND_FACTOR_RULE,
                          c->required ? STR("required") : STR("not required any more"));
}

enum error auth_require_second_factor(struct request *r)
{
    struct change c = {.r = r};
    struct json_object *body;
    struct page page;
    enum error e = body_object(r, &body);
    if (!e && !body_gives(body, "required"))
        e = refuse_field(r, ERR_MISSING_FIELD, "required", "is required: true or false.");
    if (!e)
        e = body_bool(r, body, "required", false, &c.required);
    if (!e)
        e = db_transact(r->db, store_rule, &c);
    if (e)
        return e;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_BOOL(&page.jw, "required", c.required);
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}
