#include "web/oidc.h"

#include <json-c/json.h>

#include "base/log.h"
#include "base/url.h"
#include "service/crypt.h"
#include "service/fetch.h"

enum {
    URL_MAX = 1024,
    KEPT_MS = 3600 * 1000,
    AGAIN_MS = 60 * 1000,
    FAILED_MS = 30 * 1000,
    HELD_MS = 1000,
    SECRET_MAX = 512
};

/* What an issuer is asked for. */
enum question { DISCOVERY, TOKEN, KEYS, QUESTIONS };
static const char *const question_names[QUESTIONS] = {"discovery", "token", "keys"};

/* Of this worker. */
static struct {
    int64_t read_at, keys_at;     /* 0: not yet */
    int64_t failed_at[QUESTIONS]; /* when that could not be had last; 0: it could */
    char authorization[URL_MAX], token[URL_MAX], keys_url[URL_MAX];
    size_t keys_n;
    char keys[FETCH_MAX];
} issuer;

bool oidc_is_on(const struct request *r)
{
    return r->conf->oidc_issuer.s[0] != '\0';
}

static enum error away(enum question question, const char *why)
{
    log_warn("problem=\"the issuer does not answer as it should\" what=%s why=%s",
             question_names[question], log_quote(str_of(why)));
    return ERR_ISSUER_AWAY;
}

static enum error refused(const char *why)
{
    log_warn("problem=\"a sign-in by the issuer was refused\" why=%s", log_quote(str_of(why)));
    return ERR_BAD_SIGN_IN;
}

/* An issuer that hangs must not hold all workers that people sign in by: none asks again so soon.
 */
static bool failed_lately(const struct request *r, enum question question)
{
    int64_t failed_at = issuer.failed_at[question], since = r->now - failed_at;
    return failed_at && since >= 0 && since < FAILED_MS;
}

static enum error ask(struct request *r, enum question question, const struct fetch *fetch,
                      long *status, struct str *body)
{
    char error[FETCH_ERROR_SIZE];
    if (failed_lately(r, question))
        return ERR_ISSUER_AWAY;
    int64_t begun = clock_monotonic();
    if (fetch_run(r->arena, fetch, status, body, error)) {
        issuer.failed_at[question] = 0;
        return ERR_OK;
    }
    /* What the token's address is sent is somebody's: that it hangs up on them says nothing. */
    bool held = clock_monotonic() - begun >= HELD_MS;
    issuer.failed_at[question] = question != TOKEN || held ? r->now : 0;
    return away(question, error);
}

/* Of an answer that is the same for everybody: nobody needs to ask for it again so soon. */
static enum error useless(const struct request *r, enum question question, const char *why)
{
    issuer.failed_at[question] = r->now;
    return away(question, why);
}

/* A member that is a text of the object that the document is; "" when it is not there or too long.
 */
static bool take_member(struct json_object *object, const char *name, char *out, size_t size)
{
    struct json_object *value =
        json_object_is_type(object, json_type_object) ? json_object_object_get(object, name) : NULL;
    if (!json_object_is_type(value, json_type_string) ||
        (size_t)json_object_get_string_len(value) >= size)
        return false;
    snprintf(out, size, "%s", json_object_get_string(value));
    return true;
}

static struct json_object *parse(struct str text)
{
    struct json_tokener *tokener = json_tokener_new();
    if (!tokener)
        return NULL;
    struct json_object *object = json_tokener_parse_ex(tokener, text.p, (int)text.n);
    json_tokener_free(tokener);
    return object;
}

/* Gives back a document that holds secrets: its texts are wiped first. */
static void put_wiped(struct json_object *document)
{
    if (json_object_is_type(document, json_type_object)) {
        json_object_object_foreach(document, name, value)
        {
            (void)name;
            if (json_object_is_type(value, json_type_string))
                crypt_wipe((char *)json_object_get_string(value),
                           (size_t)json_object_get_string_len(value));
        }
    }
    json_object_put(document);
}

/* ---- discovery ---- */

static bool is_https(const char *url)
{
    return str_has_prefix(str_of(url), STR("https://")) && !strpbrk(url, " \"<>\\^`{|}#");
}

/* The document is of this issuer and no other (OpenID Connect Discovery, 4.3). */
static const char *take_document(const struct request *r, struct str text)
{
    char name[URL_MAX];
    struct json_object *document = parse(text);
    bool whole = take_member(document, "issuer", name, sizeof name) &&
                 take_member(document, "authorization_endpoint", issuer.authorization, URL_MAX) &&
                 take_member(document, "token_endpoint", issuer.token, URL_MAX) &&
                 take_member(document, "jwks_uri", issuer.keys_url, URL_MAX);
    json_object_put(document);
    if (!whole)
        return "its document is not whole";
    if (strcmp(name, r->conf->oidc_issuer.s) != 0)
        return "its document is of another issuer";
    return is_https(issuer.authorization) && is_https(issuer.token) && is_https(issuer.keys_url)
               ? NULL
               : "its document names an address that is not https";
}

static enum error discover(struct request *r)
{
    long status = 0;
    struct str body;
    const char *name = r->conf->oidc_issuer.s;
    if (issuer.read_at && r->now - issuer.read_at < KEPT_MS && r->now >= issuer.read_at)
        return ERR_OK;
    struct str url = arena_printf(r->arena, "%s/.well-known/openid-configuration", name);
    struct fetch fetch = {.url = url.p, .ca_file = r->conf->oidc_ca.s};
    issuer.read_at = 0;
    enum error e = ask(r, DISCOVERY, &fetch, &status, &body);
    if (e)
        return e;
    const char *problem = status == 200 ? take_document(r, body) : "its document is not there";
    if (problem)
        return useless(r, DISCOVERY, problem);
    issuer.read_at = r->now;
    return ERR_OK;
}

static bool is_set_of_keys(struct str text)
{
    struct json_object *set = parse(text);
    bool is = json_object_is_type(set, json_type_object) &&
              json_object_is_type(json_object_object_get(set, "keys"), json_type_array);
    json_object_put(set);
    return is;
}

/* fresh: those that are kept do not do. They are not asked for more than once a minute. */
static enum error read_keys(struct request *r, bool fresh)
{
    long status = 0;
    struct str body;
    int64_t age = r->now - issuer.keys_at;
    if (issuer.keys_at && age >= 0 && age < (fresh ? AGAIN_MS : KEPT_MS))
        return ERR_OK;
    struct fetch fetch = {.url = issuer.keys_url, .ca_file = r->conf->oidc_ca.s};
    enum error e = ask(r, KEYS, &fetch, &status, &body);
    if (e)
        return e;
    if (status != 200 || !is_set_of_keys(body))
        return useless(r, KEYS, status == 200 ? "they are no set of keys" : "they are not there");
    memcpy(issuer.keys, body.p, body.n);
    issuer.keys_n = body.n;
    issuer.keys_at = r->now;
    return ERR_OK;
}

/* ---- where a browser is sent ---- */

static struct str redirect_uri(struct request *r)
{
    return arena_printf(r->arena, "%s/", r->conf->public_url.s);
}

enum error oidc_address(struct request *r, struct str state, struct str nonce, struct str challenge,
                        struct str *url)
{
    enum error e = discover(r);
    if (e)
        return e;
    struct str back = url_encode(r->arena, redirect_uri(r)),
               client = url_encode(r->arena, str_of(r->conf->oidc_client.s));
    *url = arena_printf(r->arena,
                        "%s%cresponse_type=code&scope=openid%%20email&client_id=%" STR_FMT
                        "&redirect_uri=%" STR_FMT "&state=%" STR_FMT "&nonce=%" STR_FMT
                        "&code_challenge=%" STR_FMT "&code_challenge_method=S256",
                        issuer.authorization, strchr(issuer.authorization, '?') ? '&' : '?',
                        STR_ARG(client), STR_ARG(back), STR_ARG(state), STR_ARG(nonce),
                        STR_ARG(challenge));
    return ERR_OK;
}

/* ---- the token ---- */

/* The first line of the file, as RFC 6749, 2.3.1 has it in Basic authentication; NULL: no file. */
static enum error client_secret(struct request *r, const char **secret)
{
    char line[SECRET_MAX + 2] = "";
    *secret = NULL;
    if (!r->conf->oidc_secret.s[0])
        return ERR_OK;
    FILE *file = fopen(r->conf->oidc_secret.s, "re");
    if (file)
        setvbuf(file, NULL, _IONBF, 0); /* the secret stays in no buffer but ours */
    bool read = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    struct str text = str_trim(str_of(line));
    bool good = read && text.n && text.n <= SECRET_MAX;
    struct str kept = good ? url_encode(r->arena, text) : (struct str){0};
    crypt_wipe(line, sizeof line);
    if (!good) {
        log_error("problem=\"oidc_secret holds no secret, or cannot be read\"");
        return ERR_INTERNAL;
    }
    request_wipe_later(r, kept);
    *secret = kept.p;
    return ERR_OK;
}

static enum error fetch_token(struct request *r, struct str code, struct str verifier,
                              struct str *token)
{
    const char *secret;
    long status = 0;
    struct str body;
    char *text = arena_bytes(r->arena, JWT_MAX + 1);
    struct str back = url_encode(r->arena, redirect_uri(r)),
               client = url_encode(r->arena, str_of(r->conf->oidc_client.s)),
               given = url_encode(r->arena, code);
    enum error e = client_secret(r, &secret);
    if (e)
        return e;
    struct str form =
        arena_printf(r->arena,
                     "grant_type=authorization_code&code=%" STR_FMT "&redirect_uri=%" STR_FMT
                     "&client_id=%" STR_FMT "&code_verifier=%" STR_FMT,
                     STR_ARG(given), STR_ARG(back), STR_ARG(client), STR_ARG(verifier));
    request_wipe_later(r, form);
    struct fetch fetch = {.url = issuer.token,
                          .ca_file = r->conf->oidc_ca.s,
                          .form = form.p,
                          .user = secret ? client.p : NULL,
                          .password = secret};
    e = ask(r, TOKEN, &fetch, &status, &body);
    if (e)
        return e;
    if (status >= 500)
        return away(TOKEN, "it answers with an error of its own");
    struct json_object *document = status == 200 ? parse(body) : NULL;
    bool there = take_member(document, "id_token", text, JWT_MAX + 1);
    put_wiped(document);
    crypt_wipe((char *)body.p, body.n);
    *token = str_of(there ? text : "");
    request_wipe_later(r, *token);
    return there ? ERR_OK : refused("the issuer gives no token for this code");
}

static enum jwt_verdict verify(struct request *r, struct str token, struct str nonce,
                               struct jwt_claims *claims, const char **why)
{
    struct jwt_wanted wanted = {.issuer = str_of(r->conf->oidc_issuer.s),
                                .client = str_of(r->conf->oidc_client.s),
                                .nonce = nonce,
                                .now = r->now};
    return jwt_verify(r->arena, token, (struct str){issuer.keys, issuer.keys_n}, &wanted, claims,
                      why);
}

enum error oidc_redeem(struct request *r, struct str code, struct str verifier, struct str nonce,
                       struct jwt_claims *claims)
{
    struct str token;
    const char *why = NULL;
    enum error e = discover(r);
    if (!e)
        e = fetch_token(r, code, verifier, &token);
    if (!e)
        e = read_keys(r, false);
    if (e)
        return e;
    enum jwt_verdict verdict = verify(r, token, nonce, claims, &why);
    if (verdict == JWT_UNKNOWN_KEY) {
        e = read_keys(r, true);
        if (e)
            return e;
        verdict = verify(r, token, nonce, claims, &why);
    }
    return verdict == JWT_GOOD ? ERR_OK : refused(why);
}
