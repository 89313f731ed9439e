#include "kube/credential.h"

enum { WORDS_MAX = 32, WORD_MAX = 24 };

/* A name as lower-case words: "dbPassword", "DB_PASSWORD" and "db-password" are the same two. */
struct words {
    char text[WORDS_MAX][WORD_MAX];
    size_t n;
};

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_alphanumeric(char c)
{
    return is_upper(c) || is_lower(c) || (c >= '0' && c <= '9');
}

/* Does a word start at i? After anything that is no letter, and at the hump of camelCase, where
 * the last capital of "APIToken" belongs to the word that follows. */
static bool word_starts(struct str name, size_t i)
{
    if (!is_alphanumeric(name.p[i]))
        return false;
    if (i == 0 || !is_alphanumeric(name.p[i - 1]))
        return true;
    if (!is_upper(name.p[i]))
        return false;
    return is_lower(name.p[i - 1]) ||
           (is_upper(name.p[i - 1]) && i + 1 < name.n && is_lower(name.p[i + 1]));
}

static struct words split(struct str name)
{
    struct words words = {.n = 0};
    size_t length = 0;
    for (size_t i = 0; i < name.n; i++) {
        if (word_starts(name, i)) {
            if (words.n == WORDS_MAX)
                break;
            words.n++;
            length = 0;
        }
        if (is_alphanumeric(name.p[i]) && length + 1 < WORD_MAX)
            words.text[words.n - 1][length++] =
                (char)(is_upper(name.p[i]) ? name.p[i] + ('a' - 'A') : name.p[i]);
    }
    return words;
}

static bool word_in(const char *word, const char *const list[])
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

/* ---- lists of words ---- */

/* Words that are a secret on their own; those of the second list at the end of another word, too:
 * "mysqlpassword", "dbpasswd". */
static bool is_secret(const char *word)
{
    static const char *const words[] = {"pass",  "pwd",       "passphrase", "apikey",   "secretkey",
                                        "creds", "accesskey", "privatekey", "apitoken", NULL};
    static const char *const endings[] = {"password",    "passwd",     "secret", "token",
                                          "credentials", "credential", NULL};
    size_t n = strlen(word);
    for (const char *const *ending = endings; *ending; ending++) {
        size_t length = strlen(*ending);
        if (n >= length && strcmp(word + n - length, *ending) == 0)
            return true;
    }
    return word_in(word, words);
}

/* A key is a secret with these before it: a CACHE_KEY is none. */
static bool makes_key_secret(const char *before)
{
    static const char *const words[] = {"access",  "account",    "api",     "auth",    "client",
                                        "crypt",   "encryption", "master",  "private", "secret",
                                        "session", "shared",     "signing", "storage", NULL};
    return word_in(before, words);
}

/* A key or token with these before it is for everybody to see, or a name of something. */
static bool makes_public(const char *before)
{
    static const char *const words[] = {
        "anon",        "gpg",  "pull",  "foreign",      "partition", "primary", "pub", "public",
        "publishable", "site", "sort",  "verification", "verify",    "max",     "min", "num",
        "next",        "hash", "range", "row",          "hot",       NULL};
    return word_in(before, words);
}

/* A name that ends so says where a secret is, or something about it, not what it is. */
static bool names_something_else(const char *last)
{
    static const char *const words[] = {
        "address",    "age",       "alg",       "algo",      "algorithm", "algorithms",
        "arn",        "attempts",  "attribute", "audience",  "audiences", "backend",
        "bits",       "bucket",    "burst",     "bytes",     "cache",     "capacity",
        "chars",      "claim",     "class",     "column",    "config",    "configmap",
        "contract",   "cookie",    "cost",      "count",     "days",      "delay",
        "dir",        "directory", "disabled",  "domain",    "driver",    "duration",
        "enabled",    "encoder",   "encoding",  "endpoint",  "engine",    "exp",
        "expiration", "expire",    "expires",   "expiry",    "field",     "file",
        "filename",   "files",     "folder",    "format",    "grace",     "hasher",
        "hashing",    "header",    "hint",      "host",      "hours",     "id",
        "ids",        "index",     "interval",  "issuer",    "issuers",   "iterations",
        "kid",        "kind",      "label",     "leeway",    "length",    "level",
        "lifespan",   "lifetime",  "limit",     "limits",    "location",  "manager",
        "max",        "method",    "methods",   "millis",    "min",       "minutes",
        "mode",       "mount",     "ms",        "name",      "names",     "namespace",
        "ns",         "param",     "parameter", "path",      "paths",     "pattern",
        "period",     "plugin",    "policy",    "port",      "prefix",    "processor",
        "profile",    "protocol",  "provider",  "providers", "rate",      "realm",
        "ref",        "reference", "refresh",   "regex",     "region",    "required",
        "resolver",   "retention", "retries",   "role",      "rotation",  "rounds",
        "scheme",     "scope",     "scopes",    "sec",       "seconds",   "secs",
        "separator",  "server",    "service",   "size",      "skew",      "source",
        "storage",    "store",     "strategy",  "strength",  "suffix",    "table",
        "template",   "threshold", "timeout",   "ttl",       "type",      "types",
        "uri",        "url",       "urls",      "user",      "username",  "users",
        "validation", "validator", "validity",  "version",   "volume",    "window",
        NULL};
    return word_in(last, words);
}

/* Behind a secret these only say whose or which it is: DB_PASSWORD_PROD. */
static bool goes_on(const char *word)
{
    static const char *const words[] = {
        "admin",      "app",   "base64",      "b64",     "current",  "db",
        "default",    "dev",   "development", "encoded", "main",     "new",
        "old",        "plain", "plaintext",   "prev",    "previous", "prod",
        "production", "root",  "secondary",   "stage",   "staging",  "string",
        "test",       "text",  "val",         "value",   NULL};
    return word_in(word, words) || (*word >= '0' && *word <= '9');
}

/* In the name of a file only the end says what is in it: "token-rules.yaml" holds rules. */
static bool is_file_extension(const char *last)
{
    static const char *const words[] = {"cfg",  "conf", "ini", "json", "properties", "rules", "sh",
                                        "toml", "txt",  "xml", "yaml", "yml",        NULL};
    return word_in(last, words);
}

/* "client.secret" is a property; of other words before a dot it may be the name of a Secret, under
 * which operators of OpenShift keep its checksum. */
static bool makes_property(const char *before)
{
    static const char *const words[] = {
        "api",    "app",     "auth",   "client",  "consumer", "cookie", "hmac",    "jwt", "oauth",
        "oauth2", "session", "shared", "signing", "token",    "user",   "webhook", NULL};
    return word_in(before, words);
}

/* ---- the name ---- */

/* Does a word that stands for a secret end at this one? */
static bool secret_ends(const struct words *words, size_t at)
{
    const char *before = at ? words->text[at - 1] : "";
    if (strcmp(words->text[at], "key") == 0)
        return makes_key_secret(before);
    return is_secret(words->text[at]) && !makes_public(before);
}

static enum credential_name name_of_file(const struct words *words)
{
    return words->n && secret_ends(words, words->n - 1) ? CREDENTIAL_NAME_SECRET
                                                        : CREDENTIAL_NAME_NONE;
}

static bool is_key(const struct words *words)
{
    return words->n > 1 && strcmp(words->text[words->n - 1], "key") == 0 &&
           !makes_public(words->text[words->n - 2]);
}

enum credential_name credential_name(struct str name)
{
    struct words words = split(name);
    const char *last = words.n ? words.text[words.n - 1] : "";
    if (words.n > 1 && is_file_extension(last) && str_has(name, STR("."))) {
        words.n--;
        return name_of_file(&words);
    }
    if (words.n == 0 || names_something_else(last) || str_eq(name, STR("PWD")) ||
        str_eq(name, STR("OLDPWD"))) /* the shell's directories */
        return CREDENTIAL_NAME_NONE;
    if (str_has_suffix(name, STR(".secret")) && words.n > 1 &&
        !makes_property(words.text[words.n - 2]))
        return CREDENTIAL_NAME_OBJECT;
    bool only_goes_on = true;
    for (size_t at = words.n; at-- > 0; only_goes_on &= goes_on(words.text[at]))
        if (secret_ends(&words, at))
            return only_goes_on ? CREDENTIAL_NAME_SECRET : CREDENTIAL_NAME_HINT;
    return is_key(&words) ? CREDENTIAL_NAME_HINT : CREDENTIAL_NAME_NONE;
}

/* Images of Bitnami (ALLOW_EMPTY_PASSWORD), MySQL, MariaDB (MARIADB_ALLOW_EMPTY_ROOT_PASSWORD). */
static bool names_waiver(struct str name)
{
    return (str_eq(name, STR("ALLOW_EMPTY_PASSWORD")) ||
            str_has_suffix(name, STR("_ALLOW_EMPTY_PASSWORD")) ||
            str_has_suffix(name, STR("_ALLOW_EMPTY_ROOT_PASSWORD")));
}

/* MySQL's and MariaDB's images take any text for yes; Bitnami's only these. */
bool credential_waived(struct str name, struct str value)
{
    static const char *const words[] = {"yes", "true", "1", "on", NULL};
    if (!names_waiver(name))
        return false;
    for (const char *const *word = words; *word; word++)
        if (str_eq_nocase(value, str_of(*word)))
            return true;
    return false;
}
