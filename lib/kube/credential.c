#include "kube/credential.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_alphanumeric(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || is_digit(c);
}

/* ---- known shapes ---- */

enum { SHORTEST_SHAPE = 15 }; /* "xoxb-" and ten more */

size_t credential_shape(struct str text, const struct credential_shape **which)
{
    for (const struct credential_shape *shape = credential_shapes; shape->prefix; shape++) {
        if (!text.n || text.p[0] != shape->prefix[0])
            continue;
        size_t from = strlen(shape->prefix), n = from;
        if (!str_has_prefix(text, (struct str){shape->prefix, from}))
            continue;
        while (n < text.n &&
               (is_alphanumeric(text.p[n]) || memchr(shape->also, text.p[n], strlen(shape->also))))
            n++;
        if (n - from >= shape->least) {
            *which = shape;
            return n;
        }
    }
    return 0;
}

/* Could a shape begin with these two characters? One bit for each pair of sets of them, so that
 * text that holds no shape is passed by quickly. */
static bool may_begin(char first, char second)
{
    enum {
        AWS_OR_GOOGLE = 1,
        OAUTH = 2,
        SENDGRID = 4,
        DOCKER_DOPPLER = 8,
        JWT = 16,
        GIT = 32,
        VAULT = 64,
        PACKAGES = 128,
        SLACK = 256,
        STRIPE = 512,
        GEMS = 1024,
        PYPI = 2048,
        OTHER = 4096,
        KEY = 8192
    };
    static const uint16_t firsts[256] = {
        ['1'] = KEY,           ['A'] = AWS_OR_GOOGLE,
        ['G'] = OAUTH | OTHER, ['L'] = KEY,
        ['N'] = OTHER,         ['P'] = OTHER,
        ['S'] = SENDGRID,      ['d'] = DOCKER_DOPPLER,
        ['e'] = JWT,           ['g'] = GIT,
        ['h'] = VAULT,         ['l'] = OTHER,
        ['n'] = PACKAGES,      ['p'] = PYPI,
        ['r'] = STRIPE | GEMS, ['s'] = STRIPE | GIT | OTHER,
        ['w'] = OTHER,         ['x'] = SLACK,
        ['t'] = KEY,           ['y'] = OTHER,
    };
    static const uint16_t seconds[256] = {
        ['G'] = AWS_OR_GOOGLE | SENDGRID,
        ['I'] = AWS_OR_GOOGLE,
        ['M'] = OTHER,
        ['R'] = OTHER,
        ['T'] = AWS_OR_GOOGLE,
        ['K'] = AWS_OR_GOOGLE,
        ['S'] = AWS_OR_GOOGLE | KEY,
        ['O'] = OAUTH,
        ['c'] = DOCKER_DOPPLER,
        ['o'] = DOCKER_DOPPLER | SLACK,
        ['p'] = DOCKER_DOPPLER | PACKAGES,
        ['y'] = JWT | PYPI,
        ['h'] = GIT | OTHER,
        ['i'] = GIT | OTHER,
        ['n'] = OTHER,
        ['l'] = GIT | OTHER,
        ['f'] = VAULT,
        ['v'] = VAULT,
        ['a'] = SLACK | OTHER | DOCKER_DOPPLER,
        ['k'] = STRIPE,
        ['u'] = GEMS,
        ['s'] = GIT | KEY,
        ['w'] = JWT,
        ['/'] = KEY,
    };
    return firsts[(unsigned char)first] & seconds[(unsigned char)second];
}

static bool holds_shape(struct str value)
{
    const struct credential_shape *which;
    for (size_t at = 0; at + SHORTEST_SHAPE <= value.n; at++)
        if (may_begin(value.p[at], value.p[at + 1]) &&
            (at == 0 || !is_alphanumeric(value.p[at - 1])) &&
            credential_shape(str_sub(value, at, value.n), &which))
            return true;
    return false;
}

static bool holds_private_key(struct str value)
{
    return memmem(value.p, value.n, "-----BEGIN", 10) &&
           memmem(value.p, value.n, "PRIVATE KEY-----", 16);
}

/* ---- addresses ---- */

/* "$(VAR)", "${VAR}", "{{ .Values.x }}", "<password>", "%(x)s": a place for something. */
bool credential_is_filled_in(struct str value)
{
    return value.n && (memchr("${<", value.p[0], 3) || str_has_prefix(value, STR("%(")));
}

bool credential_is_mark(struct str value)
{
    return str_eq(value, STR(CREDENTIAL_CUT)) || str_eq(value, STR(CREDENTIAL_CUT_SECRET)) ||
           str_eq(value, STR(CREDENTIAL_CUT_WAIVED));
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
           password.n && !credential_is_filled_in(password);
}

/* Addresses whose path is the secret. */
size_t credential_webhook(struct str value)
{
    static const char *const starts[] = {
        "https://hooks.slack.com/services/T",     "https://hooks.slack.com/workflows/T",
        "https://discord.com/api/webhooks/",      "https://discordapp.com/api/webhooks/",
        "https://chat.googleapis.com/v1/spaces/", NULL};
    struct str office = STR(".webhook.office.com/webhookb2/");
    for (const char *const *start = starts; *start; start++)
        if (str_has_prefix(value, str_of(*start)) && value.n > strlen(*start) + 16)
            return strlen(*start);
    if (!str_has_prefix(value, STR("https://")))
        return 0;
    const char *at = memmem(value.p, value.n, office.p, office.n);
    return at ? (size_t)(at - value.p) + office.n : 0;
}

/* ---- settings in one line ---- */

static bool is_secret_setting(struct str key)
{
    static const char *const keys[] = {"password",
                                       "pwd",
                                       "passwd",
                                       "accountkey",
                                       "sharedaccesskey",
                                       "access_token",
                                       "api_key",
                                       "apikey",
                                       "client_secret",
                                       "sharedaccesssignature",
                                       NULL};
    for (const char *const *known = keys; *known; known++)
        if (str_eq_nocase(key, str_of(*known)))
            return true;
    return false;
}

/* The name before the '=' at `at`: it goes back to what divides settings. */
static struct str setting_before(struct str line, size_t at)
{
    size_t from = at;
    while (from > 0 && (is_alphanumeric(line.p[from - 1]) || line.p[from - 1] == '_'))
        from--;
    return str_sub(line, from, at - from);
}

/* Is it one of several settings: "Server=db;Password=x", "jdbc:...?user=a&password=x",
 * "host=db password=x"? One that stands alone may be anything. */
static bool is_one_of_several(struct str line, struct str key)
{
    struct str before = str_sub(line, 0, (size_t)(key.p - line.p));
    struct str trimmed = str_trim(before);
    char divider = trimmed.n ? trimmed.p[trimmed.n - 1] : ' ';
    if (!trimmed.n)
        return str_has(line, STR(";")) && str_has(str_sub(line, key.n + 1, line.n), STR("="));
    if (divider == '?' || divider == '&')
        return str_has(before, STR("://")) || str_has_prefix(before, STR("jdbc:"));
    if (divider == ';')
        return str_has(before, STR("=")) || str_has(before, STR("://"));
    return trimmed.n < before.n && (str_has(before, STR("host=")) || str_has(before, STR("user=")));
}

static bool holds_secret_setting(struct str line)
{
    for (size_t at = 0; at + 1 < line.n; at++) {
        const char *equals = memchr(line.p + at, '=', line.n - at - 1);
        if (!equals)
            return false;
        at = (size_t)(equals - line.p);
        struct str key = setting_before(line, at);
        if (is_secret_setting(key) && !memchr("${<%*;& \"'", line.p[at + 1], 10) &&
            is_one_of_several(line, key))
            return true;
    }
    return false;
}

enum { SETTINGS_MAX = 4096 }; /* a longer line is a file of its own */

static bool holds_secret_settings(struct str value)
{
    struct str line;
    while (value.n) {
        str_cut(value, '\n', &line, &value);
        if (line.n <= SETTINGS_MAX && holds_secret_setting(line))
            return true;
    }
    return false;
}

/* ---- what could be a secret ---- */

/* "15m", "3600s", "24h" */
static bool is_duration(struct str value)
{
    static const char *const units[] = {"ms", "s", "m", "h", "d", "w", NULL};
    size_t digits = str_digits(value);
    return digits && digits < value.n && str_in(str_sub(value, digits, value.n), units);
}

/* "xxxx", "----" */
static bool is_one_character(struct str value)
{
    for (size_t i = 1; i < value.n; i++)
        if (value.p[i] != value.p[0])
            return false;
    return !is_digit(value.p[0]);
}

static bool is_reference(struct str value)
{
    static const char *const starts[] = {
        "ENC[", "ENC(",  "arn:",      "vault:", "secretref:",
        "ref+", "file:", "projects/", "jwt,",   "@Microsoft.KeyVault(",
        NULL};
    for (const char *const *start = starts; *start; start++)
        if (**start == value.p[0] && str_has_prefix(value, str_of(*start)))
            return true;
    return false;
}

enum { LONGEST_SWITCH = 6 }; /* "simple" */

/* Text that cannot be the secret itself: a switch, a path, what is filled in later. */
bool credential_names_other(struct str value)
{
    static const char *const words[] = {"true", "false", "yes", "no", "on",     "off", "none",
                                        "null", "nil",   "0",   "1",  "simple", NULL};
    for (const char *const *word = words; value.n <= LONGEST_SWITCH && *word; word++)
        if (str_eq_nocase(value, str_of(*word)))
            return true;
    if (value.p[0] == '/')
        return memchr(value.p + 1, '/', value.n - 1) != NULL;
    return credential_is_filled_in(value) || is_reference(value) || is_duration(value) ||
           (value.n > 2 && is_one_character(value));
}

enum { RANDOM_LEAST = 16, RANDOM_MOST = 512 };

/* 0: upper case, 1: lower case, 2: digit, 3: anything else */
static int class_of(char c)
{
    return c >= 'A' && c <= 'Z' ? 0 : c >= 'a' && c <= 'z' ? 1 : is_digit(c) ? 2 : 3;
}

/* Between words that people write the kind of letter seldom changes. */
bool credential_is_random(struct str value)
{
    size_t changes = 0, digits = 0, run = 0, longest = 0;
    if (value.n < RANDOM_LEAST || value.n > RANDOM_MOST)
        return false;
    for (size_t i = 0; i < value.n; i++) {
        int class = class_of(value.p[i]);
        if (class == 3 && !memchr("+/=_-", value.p[i], 5))
            return false;
        changes += i && class != class_of(value.p[i - 1]) && class != 3;
        digits += class == 2;
        run = class == 3 ? 0 : run + 1;
        longest = run > longest ? run : longest;
    }
    return digits >= 2 && digits < value.n && longest >= RANDOM_LEAST / 2 && changes * 5 >= value.n;
}

static bool has_dashes_of_uuid(struct str value)
{
    return value.n == 36 && value.p[8] == '-' && value.p[13] == '-' && value.p[18] == '-' &&
           value.p[23] == '-';
}

/* MD5 to SHA-512 in hexadecimal or base64, or what a tool wrote over it. */
static bool is_digest(struct str value)
{
    static const uint8_t lengths[] = {24, 28, 32, 40, 43, 44, 56, 64, 86, 88, 96, 128};
    if (str_eq(value, STR("REDACTED")))
        return true;
    return memchr(lengths, (int)value.n, sizeof lengths) && value.n < 129 &&
           !memchr(value.p, '.', value.n) && !memchr(value.p, ' ', value.n);
}

/* ---- all of it ---- */

unsigned credential_value(struct str value)
{
    unsigned bits = 0;
    int64_t count;
    if (!value.n)
        return 0;
    if (is_url_with_password(value) || credential_webhook(value) > 0 ||
        holds_secret_settings(value) ||
        (value.n >= SHORTEST_SHAPE && (holds_shape(value) || holds_private_key(value))))
        bits |= CREDENTIAL_VALUE_KNOWN;
    if (credential_names_other(value) || str_has(value, STR("://")))
        return bits;
    bits |= CREDENTIAL_VALUE_POSSIBLE;
    bits |= credential_is_random(value) && !has_dashes_of_uuid(value) ? CREDENTIAL_VALUE_RANDOM : 0;
    bits |= str_to_i64(value, &count) ? CREDENTIAL_VALUE_COUNT : 0;
    return bits | (is_digest(value) ? CREDENTIAL_VALUE_DIGEST : 0);
}

bool credential_is(enum credential_name name, unsigned value)
{
    if (value & CREDENTIAL_VALUE_KNOWN)
        return true;
    switch (name) {
    case CREDENTIAL_NAME_SECRET:
        return value & CREDENTIAL_VALUE_POSSIBLE;
    case CREDENTIAL_NAME_OBJECT:
        return value & CREDENTIAL_VALUE_POSSIBLE && !(value & CREDENTIAL_VALUE_DIGEST);
    case CREDENTIAL_NAME_LIKELY:
        return value & CREDENTIAL_VALUE_POSSIBLE && !(value & CREDENTIAL_VALUE_COUNT);
    case CREDENTIAL_NAME_HINT:
        return value & CREDENTIAL_VALUE_RANDOM;
    default:
        return false;
    }
}

bool credential_hides(enum credential_name name, struct str value)
{
    if (name == CREDENTIAL_NAME_SECRET || name == CREDENTIAL_NAME_OBJECT)
        return name == CREDENTIAL_NAME_SECRET || !is_digest(value);
    return name != CREDENTIAL_NAME_NONE && credential_is_random(value) &&
           !has_dashes_of_uuid(value);
}

bool credential_pair(struct str name, struct str value)
{
    return credential_is(credential_name(name), credential_value(value));
}
