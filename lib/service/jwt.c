#include "service/jwt.h"

#include <json-c/json.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include "base/hex.h"
#include "service/crypt.h"

enum { RSA_LEAST = 256, RSA_MOST = 1024 /* bytes of a modulus */, EC_BYTES = 32, DEPTH_MAX = 16 };

/* ---- reading ---- */

static int value_of(char c)
{
    const char *at = c ? strchr(BASE64URL_ALPHABET, c) : NULL;
    return at ? (int)(at - BASE64URL_ALPHABET) : -1;
}

/* base64url without padding, and with no bits left over. */
static bool decode(struct arena *arena, struct str text, struct str *bytes)
{
    char *out = arena_bytes(arena, text.n * 3 / 4 + 1);
    unsigned held = 0, bits = 0;
    size_t n = 0;
    if (text.n % 4 == 1)
        return false;
    for (size_t i = 0; i < text.n; i++) {
        int value = value_of(text.p[i]);
        if (value < 0)
            return false;
        held = held << 6 | (unsigned)value;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[n++] = (char)(held >> bits & 0xFF);
        }
    }
    *bytes = (struct str){out, n};
    return (held & ((1u << bits) - 1)) == 0;
}

/* An object and nothing else; NULL when it is none. Give it back with json_object_put(). */
static struct json_object *parse(struct str text)
{
    struct json_object *object = NULL;
    struct json_tokener *tokener =
        text.n && text.n < INT32_MAX ? json_tokener_new_ex(DEPTH_MAX) : NULL;
    if (!tokener)
        return NULL;
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    object = json_tokener_parse_ex(tokener, text.p, (int)text.n);
    bool whole = json_tokener_get_error(tokener) == json_tokener_success &&
                 json_tokener_get_parse_end(tokener) == text.n;
    json_tokener_free(tokener);
    if (object && whole && json_object_is_type(object, json_type_object))
        return object;
    json_object_put(object);
    return NULL;
}

static struct str text_of(struct json_object *value)
{
    if (!json_object_is_type(value, json_type_string))
        return (struct str){0};
    return (struct str){json_object_get_string(value), (size_t)json_object_get_string_len(value)};
}

static struct str member(struct json_object *object, const char *name)
{
    return text_of(json_object_object_get(object, name));
}

/* ---- keys ---- */

static EVP_PKEY *make_key(const char *type, OSSL_PARAM_BLD *build)
{
    EVP_PKEY *key = NULL;
    OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    if (!params || !context || EVP_PKEY_fromdata_init(context) != 1 ||
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, params) != 1)
        key = NULL;
    EVP_PKEY_CTX_free(context);
    OSSL_PARAM_free(params);
    return key;
}

static EVP_PKEY *rsa_key(struct arena *arena, struct json_object *jwk)
{
    struct str n, e;
    if (!decode(arena, member(jwk, "n"), &n) || !decode(arena, member(jwk, "e"), &e) ||
        n.n < RSA_LEAST || n.n > RSA_MOST || e.n == 0 || e.n > 8)
        return NULL;
    BIGNUM *modulus = BN_bin2bn((const unsigned char *)n.p, (int)n.n, NULL),
           *exponent = BN_bin2bn((const unsigned char *)e.p, (int)e.n, NULL);
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY *key = NULL;
    if (modulus && exponent && build &&
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, modulus) &&
        OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, exponent))
        key = make_key("RSA", build);
    OSSL_PARAM_BLD_free(build);
    BN_free(modulus);
    BN_free(exponent);
    return key;
}

static EVP_PKEY *ec_key(struct arena *arena, struct json_object *jwk)
{
    struct str x, y;
    unsigned char point[1 + 2 * EC_BYTES] = {4 /* not compressed */};
    if (!str_eq(member(jwk, "crv"), STR("P-256")) || !decode(arena, member(jwk, "x"), &x) ||
        !decode(arena, member(jwk, "y"), &y) || x.n != EC_BYTES || y.n != EC_BYTES)
        return NULL;
    memcpy(point + 1, x.p, EC_BYTES);
    memcpy(point + 1 + EC_BYTES, y.p, EC_BYTES);
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY *key = NULL;
    if (build &&
        OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) &&
        OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof point))
        key = make_key("EC", build);
    OSSL_PARAM_BLD_free(build);
    return key;
}

struct algorithm {
    const char *name, *type;
    EVP_PKEY *(*key)(struct arena *arena, struct json_object *jwk);
};
static const struct algorithm algorithms[] = {
    {"RS256", "RSA", rsa_key},
    {"ES256", "EC", ec_key},
};

static const struct algorithm *find_algorithm(struct str name)
{
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
        if (str_eq(name, str_of(algorithms[i].name)))
            return &algorithms[i];
    return NULL;
}

/* Of that type, and for signatures by that algorithm as far as it says. */
static bool fits(struct json_object *jwk, const struct algorithm *algorithm, struct str id)
{
    struct str use = member(jwk, "use"), alg = member(jwk, "alg");
    return str_eq(member(jwk, "kty"), str_of(algorithm->type)) &&
           (!id.p || str_eq(member(jwk, "kid"), id)) && (!use.p || str_eq(use, STR("sig"))) &&
           (!alg.p || str_eq(alg, str_of(algorithm->name)));
}

/* A token without an id needs the only key that fits. NULL: there is none. */
static EVP_PKEY *find_key(struct arena *arena, struct str keys, const struct algorithm *algorithm,
                          struct str id)
{
    struct json_object *set = parse(keys), *list = NULL, *found = NULL;
    size_t count = 0;
    if (set)
        list = json_object_object_get(set, "keys");
    size_t n = json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
    for (size_t i = 0; i < n; i++) {
        struct json_object *jwk = json_object_array_get_idx(list, i);
        if (!json_object_is_type(jwk, json_type_object) || !fits(jwk, algorithm, id))
            continue;
        found = jwk;
        count++;
    }
    EVP_PKEY *key = count == 1 ? algorithm->key(arena, found) : NULL;
    json_object_put(set);
    return key;
}

/* ---- the signature ---- */

/* Two numbers of 32 bytes (RFC 7518, 3.4) as OpenSSL has them. */
static bool ec_signature(struct arena *arena, struct str *signature)
{
    if (signature->n != 2 * EC_BYTES)
        return false;
    const unsigned char *bytes = (const unsigned char *)signature->p;
    unsigned char *der = NULL;
    ECDSA_SIG *pair = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(bytes, EC_BYTES, NULL), *s = BN_bin2bn(bytes + EC_BYTES, EC_BYTES, NULL);
    if (!pair || !r || !s || ECDSA_SIG_set0(pair, r, s) != 1) {
        ECDSA_SIG_free(pair);
        BN_free(r);
        BN_free(s);
        return false;
    }
    int n = i2d_ECDSA_SIG(pair, &der);
    ECDSA_SIG_free(pair);
    if (n <= 0)
        return false;
    *signature = arena_str(arena, (struct str){(const char *)der, (size_t)n});
    OPENSSL_free(der);
    return true;
}

static bool is_signed(struct str text, struct str signature, EVP_PKEY *key)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool good = context && EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key) == 1 &&
                EVP_DigestVerify(context, (const unsigned char *)signature.p, signature.n,
                                 (const unsigned char *)text.p, text.n) == 1;
    EVP_MD_CTX_free(context);
    return good;
}

/* ---- what it says ---- */

/* A member that is a text or a list of texts. *only: it is no other. */
static bool names(struct json_object *value, struct str wanted, bool *only)
{
    *only = true;
    if (!json_object_is_type(value, json_type_array))
        return str_eq(text_of(value), wanted) && wanted.n;
    bool found = false;
    for (size_t i = 0; i < json_object_array_length(value); i++) {
        bool same = str_eq(text_of(json_object_array_get_idx(value, i)), wanted);
        found |= same;
        *only &= same;
    }
    return found;
}

/* Seconds since 1970, as ms; -1: no such number. */
static int64_t time_of(struct json_object *object, const char *name)
{
    struct json_object *value = json_object_object_get(object, name);
    if (!json_object_is_type(value, json_type_int) && !json_object_is_type(value, json_type_double))
        return -1;
    double seconds = json_object_get_double(value);
    return seconds >= 0 && seconds < 1e11 ? (int64_t)(seconds * 1000) : -1;
}

static const char *check_times(struct json_object *body, int64_t now)
{
    const int64_t skew = JWT_SKEW_SECONDS * 1000;
    int64_t ends = time_of(body, "exp"), made = time_of(body, "iat");
    int64_t begins = json_object_object_get(body, "nbf") ? time_of(body, "nbf") : 0;
    if (ends < 0 || made < 0)
        return "does not say when it was made and when it ends";
    if (ends + skew <= now)
        return "has expired";
    if (made - skew > now)
        return "was made in the future";
    if (begins < 0)
        return "has a time before which it is not good that is no time";
    if (begins - skew > now)
        return "is not good yet";
    return NULL;
}

static const char *check_body(struct json_object *body, const struct jwt_wanted *wanted)
{
    bool only;
    struct str party = member(body, "azp"), subject = member(body, "sub");
    if (!str_eq(member(body, "iss"), wanted->issuer))
        return "is of another issuer";
    if (!names(json_object_object_get(body, "aud"), wanted->client, &only))
        return "is for another client";
    if ((!only || json_object_object_get(body, "azp")) && !str_eq(party, wanted->client))
        return "was made for another party";
    if (wanted->nonce.n == 0 || !str_eq(member(body, "nonce"), wanted->nonce))
        return "is not the answer to this sign-in";
    if (subject.n == 0 || subject.n > 255)
        return "does not say whose it is";
    return check_times(body, wanted->now);
}

static void take_claims(struct arena *arena, struct json_object *body, struct jwt_claims *claims)
{
    struct json_object *verified = json_object_object_get(body, "email_verified");
    struct str email = member(body, "email");
    claims->subject = arena_str(arena, member(body, "sub"));
    claims->email = email.p ? arena_str(arena, email) : (struct str){0};
    claims->email_verified =
        json_object_is_type(verified, json_type_boolean) && json_object_get_boolean(verified);
}

/* ---- all of it ---- */

struct token {
    struct str head, body, signature; /* decoded */
    struct str text;                  /* what is signed */
};

static bool split(struct arena *arena, struct str text, struct token *token)
{
    struct str head, body, signature;
    if (text.n > JWT_MAX || !str_cut_last(text, '.', &token->text, &signature) ||
        !str_cut(token->text, '.', &head, &body) || !body.n || memchr(body.p, '.', body.n))
        return false;
    return decode(arena, head, &token->head) && decode(arena, body, &token->body) &&
           decode(arena, signature, &token->signature) && token->signature.n;
}

/* A token that says `crit` wants to be understood in a way that nothing here does. */
static enum jwt_verdict check_signature(struct arena *arena, struct token *token, struct str keys,
                                        const char **why)
{
    struct json_object *head = parse(token->head);
    const struct algorithm *algorithm = head ? find_algorithm(member(head, "alg")) : NULL;
    bool plain = algorithm && !json_object_object_get(head, "crit");
    *why = "is not signed by RS256 or ES256";
    EVP_PKEY *key = plain ? find_key(arena, keys, algorithm, member(head, "kid")) : NULL;
    json_object_put(head);
    if (!plain)
        return JWT_BAD;
    *why = "is signed with a key that the issuer does not have";
    if (!key)
        return JWT_UNKNOWN_KEY;
    bool is_ec = str_eq(str_of(algorithm->type), STR("EC"));
    bool good = (!is_ec || ec_signature(arena, &token->signature)) &&
                is_signed(token->text, token->signature, key);
    EVP_PKEY_free(key);
    *why = good ? NULL : "has a signature that is wrong";
    return good ? JWT_GOOD : JWT_BAD;
}

enum jwt_verdict jwt_verify(struct arena *arena, struct str text, struct str keys,
                            const struct jwt_wanted *wanted, struct jwt_claims *claims,
                            const char **why)
{
    struct token token;
    *claims = (struct jwt_claims){0};
    *why = "is no token";
    if (!split(arena, text, &token))
        return JWT_BAD;
    enum jwt_verdict verdict = check_signature(arena, &token, keys, why);
    if (verdict != JWT_GOOD)
        return verdict;
    struct json_object *body = parse(token.body);
    *why = body ? check_body(body, wanted) : "says nothing that can be read";
    if (!*why)
        take_claims(arena, body, claims);
    json_object_put(body);
    return *why ? JWT_BAD : JWT_GOOD;
}
