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

/* Words that make a secret on their own, wherever they stand at the end of another word too:
 * "mysqlpassword", "dbpasswd". */
static bool word_is_secret(const char *word)
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

/* "... key" is a secret with these before it only: a CACHE_KEY is none. */
static bool is_secret_key(const char *before, const char *word)
{
    static const char *const kinds[] = {"access",  "account",    "api",     "auth",    "client",
                                        "crypt",   "encryption", "master",  "private", "secret",
                                        "session", "shared",     "signing", "storage", NULL};
    return strcmp(word, "key") == 0 && word_in(before, kinds);
}

/* A name that ends so says where a secret is, or something about it, not what it is. */
static bool names_a_place(const char *last)
{
    static const char *const words[] = {
        "address",   "algorithm", "audience", "class",    "count",      "dir",      "directory",
        "disabled",  "duration",  "enabled",  "endpoint", "expiration", "expires",  "expiry",
        "field",     "file",      "filename", "header",   "host",       "id",       "ids",
        "interval",  "issuer",    "issuers",  "kind",     "length",     "lifetime", "limit",
        "location",  "max",       "min",      "mode",     "mount",      "name",     "names",
        "namespace", "path",      "period",   "policy",   "port",       "prefix",   "provider",
        "ref",       "reference", "regex",    "required", "rotation",   "service",  "size",
        "store",     "timeout",   "ttl",      "type",     "uri",        "url",      "user",
        "username",  "validity",  "version",  NULL};
    return word_in(last, words);
}

/* In the name of a file only the end says what is in it: "token-rules.yaml" holds rules. */
static bool is_file_extension(const char *last)
{
    static const char *const words[] = {"cfg",  "conf", "ini", "json", "properties", "rules", "sh",
                                        "toml", "txt",  "xml", "yaml", "yml",        NULL};
    return word_in(last, words);
}

bool credential_name(struct str name)
{
    struct words words = split(name);
    if (words.n > 1 && is_file_extension(words.text[words.n - 1]) && str_has(name, STR("."))) {
        words.n--;
        return word_is_secret(words.text[words.n - 1]) ||
               (words.n > 1 && is_secret_key(words.text[words.n - 2], words.text[words.n - 1]));
    }
    if (words.n == 0 || names_a_place(words.text[words.n - 1]))
        return false;
    for (size_t i = 0; i < words.n; i++)
        if (word_is_secret(words.text[i]) || (i && is_secret_key(words.text[i - 1], words.text[i])))
            return true;
    return false;
}

/* Values of a known shape: a prefix, the characters besides letters and digits that may follow it,
 * and how many there are at least. */
static const struct shape {
    const char *prefix, *also;
    size_t least;
} SHAPES[] = {
    {"AIza", "-_", 35},       {"AKIA", "", 16},         {"ASIA", "", 16},     {"dop_v1_", "", 64},
    {"eyJhbGciO", "-_.", 20}, {"gho_", "", 36},         {"ghp_", "", 36},     {"ghs_", "", 36},
    {"ghu_", "", 36},         {"github_pat_", "_", 40}, {"glpat-", "-_", 20}, {"hvs.", "-_", 24},
    {"npm_", "", 36},         {"rk_live_", "", 16},     {"sk_live_", "", 16}, {"xoxa-", "-", 10},
    {"xoxb-", "-", 10},       {"xoxp-", "-", 10},       {"xoxr-", "-", 10},   {"xoxs-", "-", 10},
};

enum { SHORTEST_SHAPE = 15 }; /* "xoxb-" and ten more */

static bool has_shape(struct str s)
{
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        if (s.p[0] != SHAPES[i].prefix[0])
            continue;
        size_t from = strlen(SHAPES[i].prefix), n = from;
        if (!str_has_prefix(s, (struct str){SHAPES[i].prefix, from}))
            continue;
        while (n < s.n &&
               (is_alphanumeric(s.p[n]) || memchr(SHAPES[i].also, s.p[n], strlen(SHAPES[i].also))))
            n++;
        if (n - from >= SHAPES[i].least)
            return true;
    }
    return false;
}

/* Could a shape begin with these two characters? One bit for each pair of sets of them, so that
 * text that holds no shape is passed by quickly. */
static bool may_begin(char first, char second)
{
    enum {
        AWS = 1,
        DIGITALOCEAN = 2,
        JWT = 4,
        GIT = 8,
        VAULT = 16,
        NPM = 32,
        STRIPE = 64,
        SLACK = 128
    };
    static const uint8_t firsts[256] = {
        ['A'] = AWS, ['d'] = DIGITALOCEAN, ['e'] = JWT,    ['g'] = GIT,   ['h'] = VAULT,
        ['n'] = NPM, ['r'] = STRIPE,       ['s'] = STRIPE, ['x'] = SLACK,
    };
    static const uint8_t seconds[256] = {
        ['I'] = AWS,   ['K'] = AWS, ['S'] = AWS,    ['o'] = DIGITALOCEAN | SLACK,
        ['y'] = JWT,   ['h'] = GIT, ['i'] = GIT,    ['l'] = GIT,
        ['v'] = VAULT, ['p'] = NPM, ['k'] = STRIPE,
    };
    return firsts[(unsigned char)first] & seconds[(unsigned char)second];
}

/* "$(VAR)", "${VAR}", "{{ .Values.x }}", "<password>": a place for something. */
static bool is_filled_in(struct str value)
{
    return value.n && memchr("${<", value.p[0], 3);
}

/* scheme://user:password@host */
static bool is_url_with_password(struct str value)
{
    struct str rest, authority, user, password;
    const char *colon = value.n ? memchr(value.p, ':', value.n) : NULL;
    if (!colon || !memchr(colon, '@', value.n - (size_t)(colon - value.p)))
        return false;
    rest = str_sub(value, (size_t)(colon - value.p) + 1, value.n);
    if (!str_has_prefix(rest, STR("//")))
        return false;
    str_cut(str_sub(rest, 2, rest.n), '/', &authority, NULL);
    return str_cut_last(authority, '@', &user, NULL) && str_cut(user, ':', NULL, &password) &&
           password.n && !is_filled_in(password);
}

static bool is_private_key(struct str value)
{
    return memmem(value.p, value.n, "-----BEGIN", 10) &&
           memmem(value.p, value.n, "PRIVATE KEY-----", 16);
}

bool credential_value(struct str value)
{
    if (is_url_with_password(value))
        return true;
    if (value.n < SHORTEST_SHAPE)
        return false;
    for (size_t at = 0; at + SHORTEST_SHAPE <= value.n; at++)
        if (may_begin(value.p[at], value.p[at + 1]) &&
            (at == 0 || !is_alphanumeric(value.p[at - 1])) &&
            has_shape(str_sub(value, at, value.n)))
            return true;
    return is_private_key(value);
}

/* Text that cannot be the secret itself: a switch, a path, an address, what is filled in later. */
static bool is_stand_in(struct str value)
{
    static const char *const words[] = {"true", "false", "yes", "no", "on", "off",
                                        "none", "null",  "0",   "1",  NULL};
    for (const char *const *word = words; *word; word++)
        if (str_eq_nocase(value, str_of(*word)))
            return true;
    if (value.n && value.p[0] == '/')
        return str_has(str_sub(value, 1, value.n), STR("/"));
    return str_has(value, STR("://")) || is_filled_in(value);
}

bool credential_pair(struct str name, struct str value)
{
    if (value.n == 0)
        return false;
    return credential_value(value) || (credential_name(name) && !is_stand_in(value));
}
