#include "web/admission.h"

#include "base/ip.h"
#include "base/rand.h"
#include "service/crypt.h"
#include "service/metrics.h"
#include "store/apikey.h"
#include "web/ahead.h"
#include "web/allowance.h"
#include "web/audit_trail.h"
#include "web/client.h"
#include "web/rate_limit.h"
#include "web/sign_in.h"

enum { SHED_SECONDS = 2 }; /* after which people may come again */

/* Web servers join headers of one name by commas, which neither tokens nor keys have. */
static bool came_twice(struct str credential)
{
    return str_has(credential, STR(","));
}

static enum error admit_session(struct request *r)
{
    struct str header = http_header(&r->http, "AUTHORIZATION"), scheme, token;
    unsigned char hash[CRYPT_DIGEST];
    struct session *session = NULL;
    if (header.n == 0)
        return refuse(r, ERR_UNAUTHORIZED,
                      "A session token is required, as POST /api/auth/login answers it: send it as "
                      "Authorization: Bearer.");
    bool is_bearer = str_cut(header, ' ', &scheme, &token) && str_eq_nocase(scheme, STR("Bearer"));
    token = is_bearer ? str_trim(token) : (struct str){0};
    if (str_has_prefix(token, STR(CRYPT_KEY_PREFIX)))
        return refuse(r, ERR_BAD_TOKEN,
                      "This is an API key. A session token is required here, as POST "
                      "/api/auth/login answers it.");
    if (!is_bearer)
        return refuse(r, ERR_BAD_TOKEN,
                      "Authorization must be Bearer, a blank and a session token, as POST "
                      "/api/auth/login answers it.");
    if (!crypt_secret_hash(CRYPT_TOKEN_PREFIX, token, hash))
        return came_twice(token)
                   ? refuse(r, ERR_BAD_TOKEN, "Authorization came twice: send it once.")
                   : ERR_BAD_TOKEN;
    enum error e = session_find(r->db, r->arena, hash, sign_in_moment(r), &session);
    if (e || !session)
        return e ? e : ERR_BAD_TOKEN;
    r->identity = (struct identity){.tenant = session->tenant,
                                    .user = session->user,
                                    .email = session->email,
                                    .role = request_role(session->role),
                                    .setup = session->setup,
                                    .session = session->hash,
                                    .session_id = session->id,
                                    .expires = session->expires};
    db_set_tenant(r->db, session->tenant);
    http_know(&r->http, session->tenant);
    session_used(r->db, session, r->now, r->client); /* as with keys */
    return ERR_OK;
}

/* In the trail of whose key it was; a request is not let in because that could not be noted. */
static void note_refused_key(struct request *r, const unsigned char *hash)
{
    struct apikey_owner *owner = NULL;
    if (hash && apikey_owner(r->db, r->arena, hash, &owner))
        return;
    struct str tenant = owner ? owner->tenant : str_of(AUDIT_SERVICE);
    struct str subject = owner ? arena_printf(r->arena, "%" STR_FMT " (%" STR_FMT ")",
                                              STR_ARG(owner->name), STR_ARG(owner->prefix))
                               : STR("a key that nobody knows");
    db_set_tenant(r->db, tenant);
    audit_refusal(r, tenant, AUDIT_KEY_REFUSED, subject, ERR_BAD_API_KEY);
}

/* hash: NULL when it does not even look like a key. */
static enum error refuse_key(struct request *r, const unsigned char *hash)
{
    enum error e = rate_limit_check(r, RATE_KEY, r->client_range);
    if (!e)
        e = rate_limit_count(r, RATE_KEY, r->client_range);
    if (!e)
        note_refused_key(r, hash);
    if (!e && str_has_prefix(http_header(&r->http, "X_API_KEY"), STR(CRYPT_TOKEN_PREFIX)))
        return refuse(r, ERR_BAD_API_KEY,
                      "This is a session token. An API key is required here: GET /api/keys lists "
                      "them, and POST makes one.");
    if (!e && came_twice(http_header(&r->http, "X_API_KEY")))
        return refuse(r, ERR_BAD_API_KEY, "X-API-Key came twice: send it once.");
    return e ? e : ERR_BAD_API_KEY;
}

/* ranges: absent: all. */
static bool comes_from(const struct request *r, struct str ranges)
{
    struct ip ip;
    return !ranges.p || (ip_parse(r->client, &ip) && ip_in_ranges(&ip, ranges));
}

static enum error admit_key(struct request *r)
{
    struct str text = http_header(&r->http, "X_API_KEY");
    unsigned char hash[CRYPT_DIGEST];
    struct apikey *key = NULL;
    const struct apikey *known = ahead_key(r);
    if (text.n == 0)
        return refuse(r, ERR_UNAUTHORIZED, "An API key is required: send it as X-API-Key.");
    enum error e = ERR_OK;
    bool is_key = crypt_secret_hash(CRYPT_KEY_PREFIX, text, hash);
    if (is_key && !known)
        e = ahead_cause(r, apikey_find(r->db, r->arena, hash, r->now, &key));
    known = known ? known : key;
    if (e || !known)
        return e ? e : refuse_key(r, is_key ? hash : NULL);
    r->identity = (struct identity){.tenant = known->tenant,
                                    .key = known->id,
                                    .key_name = known->name,
                                    .scopes = request_scopes(known->scope),
                                    .clusters = known->bound.clusters};
    db_set_tenant(r->db, known->tenant);
    if (!comes_from(r, known->bound.addresses))
        return ERR_FORBIDDEN_ADDRESS;
    http_know(&r->http, known->tenant);
    apikey_used(r->db, known, r->now); /* a request is not refused because this was not noted */
    return ERR_OK;
}

static enum error check_credential(struct request *r)
{
    switch (r->route->credential) {
    case CREDENTIAL_BEARER:
        return admit_session(r);
    case CREDENTIAL_API_KEY:
        return admit_key(r);
    case CREDENTIAL_NONE:
        break;
    }
    return ERR_OK;
}

static const char *const role_names[] = {
    [ROLE_NONE] = "none",
    [ROLE_MEMBER] = "member",
    [ROLE_OPERATOR] = "operator",
    [ROLE_ADMIN] = "admin",
};

static enum error check_role(struct request *r, enum user_role least)
{
    enum user_role role = r->identity.role;
    if (role >= least)
        return ERR_OK;
    return refuse(r, ERR_FORBIDDEN_ROLE,
                  "Your role, %s, does not allow this: it needs the role %s%s.", role_names[role],
                  role_names[least], least == ROLE_ADMIN ? "" : " or admin");
}

static enum error check_scope(struct request *r, unsigned scope)
{
    if (r->identity.scopes & scope)
        return ERR_OK;
    return refuse(r, ERR_FORBIDDEN_SCOPE,
                  "The scope of this API key does not allow this: it needs the scope %s or full.",
                  scope == SCOPE_AGENT ? "agent" : "cicd");
}

static enum error check_need(struct request *r)
{
    if (r->identity.setup && r->route->need != NEED_SETUP)
        return ERR_NEEDS_SECOND_FACTOR;
    switch (r->route->need) {
    case NEED_ANY:
        return ERR_OK;
    case NEED_SETUP:
    case NEED_MEMBER:
        return check_role(r, ROLE_MEMBER);
    case NEED_OPERATOR:
        return check_role(r, ROLE_OPERATOR);
    case NEED_ADMIN:
        return check_role(r, ROLE_ADMIN);
    case NEED_AGENT:
        return check_scope(r, SCOPE_AGENT);
    case NEED_CICD:
        return check_scope(r, SCOPE_CICD);
    }
    return ERR_INTERNAL;
}

static void note_refusal(struct request *r, enum error why)
{
    struct str subject = arena_printf(r->arena, "%" STR_FMT " %" STR_FMT,
                                      STR_ARG(r->http.method_name), STR_ARG(r->http.path));
    audit_refusal(r, r->identity.tenant, AUDIT_ACCESS_REFUSED, subject, why);
}

/* What is limited per address compares or makes a password, which takes long. */
static enum error check_rate(struct request *r)
{
    const struct http_transport *transport = r->http.transport;
    if (r->route->rate == RATE_NONE || r->route->rate == RATE_OWN)
        return ERR_OK;
    if (r->route->rate == RATE_CHANGE || r->route->rate == RATE_GATE)
        return allowance_take(r, r->route->rate);
    if (!transport->has_room(transport->context, r->client_range, r->conf->password_wait * 1000))
        return ERR_SERVICE_UNAVAILABLE;
    return rate_limit_check(r, r->route->rate, r->client_range);
}

/* Those that are refused come again at different times. */
static int64_t come_again(int64_t wait)
{
    uint32_t random;
    rand_bytes(&random, sizeof random);
    return wait + random % (4 * wait + 1);
}

/* Before anything is asked of the database, and before the body is looked at. */
static enum error check_shed(struct request *r)
{
    static const struct {
        enum metric metric;
        const char *sentence;
    } told[] = {
        [WAITING_SUPERSEDED] = {METRIC_PUSH_SUPERSEDED,
                                "A newer push of this cluster waits, and there is no room for "
                                "both; nothing was stored."},
        [WAITING_CROWDED] = {METRIC_PUSH_CROWDED, NULL},
        [WAITING_LATE] = {METRIC_PUSH_LATE, NULL},
        [WAITING_LEFT] = {METRIC_PUSH_LEFT, "The client has gone away; nothing was stored."},
    };
    enum waiting_shed shed = http_shed(&r->http);
    if (shed == WAITING_STAYS)
        return ERR_OK;
    r->retry_after = come_again(SHED_SECONDS);
    if (r->route->need != NEED_AGENT)
        return refuse(r, ERR_OVERLOADED,
                      "More requests wait than can be answered soon; try again later.");
    metrics_add(told[shed].metric, 1);
    r->retry_after = come_again(r->conf->push_wait);
    return told[shed].sentence ? refuse(r, ERR_OVERLOADED, "%s", told[shed].sentence)
                               : ERR_OVERLOADED;
}

static enum error read_body(struct request *r)
{
    uint64_t most = r->route->body_max;
    enum error e = http_read_body(r->arena, &r->http, most);
    if (e == ERR_TOO_LARGE)
        return refuse(r, e, "The body has %llu bytes: %llu are taken.",
                      (unsigned long long)r->http.length, (unsigned long long)most);
    return e;
}

enum error admission_pass(struct request *r, struct route_table table)
{
    client_find(r);
    enum error e = route_find(table, r->http.path, r->http.method, &r->route);
    if (!e)
        e = check_shed(r);
    if (!e)
        e = check_credential(r);
    if (!e)
        e = check_need(r);
    if (e && r->identity.tenant.p)
        note_refusal(r, e);
    if (!e)
        e = check_rate(r);
    if (!e && r->route->body_max && (r->http.has_length || r->http.method != HTTP_DELETE))
        e = read_body(r);
    return e;
}
