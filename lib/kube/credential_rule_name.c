/* Secrets that a name announces: "--password=x", "password: x", "\"password\": \"x\"". */
#include "kube/credential_cut.h"
#include "kube/credential_rules.h"

enum {
    NAME_MAX_BYTES = 64,
    GAP_MAX = 8,     /* blanks and backslashes between a name and its value */
    PREFIX_MAX = 24, /* bytes before a name and its '/' */
    LINE_MAX = 48    /* bytes before a name that may belong to its line's beginning */
};

/* A value as it stands behind a name. */
struct value {
    size_t from;
    char quote;       /* that ends it, or 0 */
    unsigned slashes; /* before that quote: of strings in strings */
    bool loose;       /* it may as well be prose: "token: expired" */
};

static char char_at(struct str text, size_t at)
{
    return at < text.n ? text.p[at] : '\0';
}

/* ---- names ---- */

static bool is_name_char(char c)
{
    return credential_is_letter(c) || credential_is_digit(c) || c == '_' || c == '-' || c == '.';
}

static bool name_around(struct str text, size_t at, struct credential_range *name)
{
    size_t from = at, to = at;
    while (from > 0 && is_name_char(text.p[from - 1]))
        if (at - --from > NAME_MAX_BYTES)
            return false;
    while (to < text.n && is_name_char(text.p[to]))
        if (++to - at > NAME_MAX_BYTES)
            return false;
    *name = (struct credential_range){from, to};
    return to > from;
}

/* Names of checksums are no names of secrets: "checksum/secret" of a pod template. */
static bool names_checksum(struct str name)
{
    static const char *const words[] = {"checksum", "hash",   "sha256", "sha1",
                                        "md5",      "digest", NULL};
    for (const char *const *word = words; *word; word++)
        if (memmem(name.p, name.n, *word, strlen(*word)))
            return true;
    return false;
}

/* What only connection strings and signed addresses have. */
static bool is_setting(struct str name)
{
    static const char *const names[] = {"sharedaccesskey",
                                        "sharedaccesssignature",
                                        "sig",
                                        "signature",
                                        "x-amz-signature",
                                        "accountkey",
                                        NULL};
    for (const char *const *known = names; *known; known++)
        if (str_eq_nocase(name, str_of(*known)))
            return true;
    return false;
}

static bool ends_nocase(struct str text, struct str end)
{
    return text.n >= end.n && str_eq_nocase(str_sub(text, text.n - end.n, end.n), end);
}

/* The words before the last one of these are whose secret it is: "client-secret", "appSecret". */
static bool is_of_somebody(struct str before)
{
    static const char *const own[] = {"client",  "app",     "consumer", "jwt",    "oauth", "hmac",
                                      "session", "shared",  "signing",  "cookie", "token", "api",
                                      "user",    "webhook", "auth",     NULL};
    while (before.n && memchr("-_.", before.p[before.n - 1], 3))
        before.n--;
    for (const char *const *word = own; *word; word++)
        if (ends_nocase(before, str_of(*word)))
            return true;
    return false;
}

/* "tls-secret=shop-tls": the name of a Secret, of one word with another or a namespace. */
static bool names_object(struct str name, struct str value)
{
    static const char *const words[] = {"secret", "credentials", NULL};
    for (size_t i = 0; i < value.n; i++)
        if (value.p[i] != '/' && !credential_is_object_name(str_sub(value, i, 1)))
            return false;
    if (!memchr(value.p, '-', value.n) && !memchr(value.p, '/', value.n))
        return false;
    for (const char *const *word = words; *word; word++)
        if (ends_nocase(name, str_of(*word)))
            return !is_of_somebody(str_sub(name, 0, name.n - strlen(*word)));
    return false;
}

static bool hides(struct str name, struct str value)
{
    value = str_sub(value, 0, CREDENTIAL_LOOK);
    if (!value.n || str_has_prefix(value, STR(CREDENTIAL_CUT)) || names_checksum(name))
        return false;
    if (is_setting(name))
        return value.n >= 16 && !credential_is_stand_in(value);
    if (names_object(name, value))
        return false;
    return credential_hides(credential_name(name), value);
}

/* ---- what stands between ---- */

static size_t skip_blanks(struct str text, size_t at)
{
    size_t from = at;
    while (at < text.n && at - from < GAP_MAX && credential_is_blank(text.p[at]))
        at++;
    return at;
}

/* A quote, escaped or not. Behind it; `at` when there is none. */
static size_t skip_quote(struct str text, size_t at, char *quote, unsigned *slashes)
{
    size_t from = at;
    while (at < text.n && at - from < GAP_MAX && text.p[at] == '\\')
        at++;
    *quote = 0;
    if (!credential_is_quote(char_at(text, at)))
        return from;
    *quote = text.p[at];
    *slashes = (unsigned)(at - from);
    return at + 1;
}

/* Behind "=", ":", "=>", ":="; `at` when there is none of them, or a comparison. */
static size_t skip_sign(struct str text, size_t at, bool *equals)
{
    char c = char_at(text, at), next = char_at(text, at + 1);
    *equals = c == '=';
    if (c == '=' && next == '=')
        return at;
    if (c == '=' || c == ':')
        return at + (next == '>' || next == '=' ? 2 : 1);
    return at;
}

static bool is_option(struct str text, struct credential_range name)
{
    char before = name.from ? text.p[name.from - 1] : ' ';
    return text.p[name.from] == '-' && !is_name_char(before);
}

/* Does the line, or an object in braces, begin with the name? */
static bool begins_line(struct str text, size_t from)
{
    for (size_t at = from; at > 0 && from - at < LINE_MAX; at--) {
        char c = text.p[at - 1];
        if (c == '\n' || c == '{' || c == ',')
            return true;
        if (!credential_is_blank(c) && c != '-' && !credential_is_quote(c))
            return false;
    }
    return from < LINE_MAX;
}

/* Where the value of a name begins, if one follows. */
static bool find_value(struct str text, struct credential_range name, struct value *value)
{
    char name_quote, before = name.from ? text.p[name.from - 1] : '\0';
    unsigned slashes = 0;
    bool equals;
    *value = (struct value){.from = 0};
    size_t behind = skip_quote(text, name.to, &name_quote, &slashes);
    size_t gap = skip_blanks(text, behind), sign = skip_sign(text, gap, &equals);
    size_t from = skip_blanks(text, sign);
    if (sign > gap) {
        value->from = skip_quote(text, from, &value->quote, &value->slashes);
        bool blanks = gap > behind || from > sign || !equals;
        value->loose = (blanks || name_quote) && !value->quote;
        return true;
    }
    value->from = gap;
    if (!name_quote && before == '<' && char_at(text, gap) == '>') {
        value->from++;
        value->quote = '<';
        return true;
    }
    if (gap == behind || (name_quote && !is_option(text, name)))
        return false;
    value->from = skip_quote(text, gap, &value->quote, &value->slashes);
    return is_option(text, name) ? char_at(text, value->from) != '-' : value->quote == '\'';
}

/* ---- the value ---- */

/* "a=b,password=x,c=d": what follows a comma is another setting. */
static bool another_setting(struct str text, size_t at)
{
    size_t from = ++at;
    while (at < text.n && at - from < NAME_MAX_BYTES && is_name_char(text.p[at]))
        at++;
    return at > from && char_at(text, at) == '=';
}

static size_t bare_end(struct str text, size_t from, size_t most)
{
    size_t to = from, end = most < text.n - from ? from + most : text.n;
    for (; to < end && (unsigned char)text.p[to] > ' '; to++) {
        char c = text.p[to];
        if (credential_is_quote(c) || memchr(";&\\<>|", c, 6) ||
            (c == ',' && another_setting(text, to)))
            break;
    }
    while (to > from && memchr(",)}]", text.p[to - 1], 4) && to < from + most &&
           !(to < text.n && (unsigned char)text.p[to] > ' '))
        to--;
    return to;
}

static size_t quoted_end(struct str text, const struct value *value, size_t most)
{
    size_t to = value->from, end = most < text.n - to ? to + most : text.n;
    for (; to < end; to++) {
        if (text.p[to] != value->quote)
            continue;
        unsigned slashes = 0;
        while (to - slashes > value->from && text.p[to - slashes - 1] == '\\')
            slashes++;
        if (slashes <= value->slashes)
            return to - slashes;
    }
    return to;
}

static size_t value_end(struct str text, const struct value *value, size_t most)
{
    return value->quote ? quoted_end(text, value, most) : bare_end(text, value->from, most);
}

/* "password: hunter2" at the beginning of a line, or in prose when it is no word of it. */
static bool stands_alone(struct str text, struct credential_range name, size_t from, size_t to)
{
    size_t end = skip_blanks(text, to);
    char next = char_at(text, end);
    struct str value = str_sub(text, from, to - from);
    bool letter = false, digit = false, ends = end >= text.n || (next && memchr("\n\r,}", next, 4));
    if (credential_is_random(value))
        return true;
    for (size_t i = 0; i < value.n; i++) {
        letter |= credential_is_letter(value.p[i]);
        digit |= credential_is_digit(value.p[i]);
    }
    if (ends && begins_line(text, name.from))
        return true;
    return letter && digit && !memchr(value.p, '/', value.n) &&
           !(credential_is_object_name(value) && memchr(value.p, '-', value.n));
}

bool credential_rule_name(struct str text, size_t at, struct credential_range *found)
{
    struct credential_range name;
    struct value value;
    if (!name_around(text, at, &name) || !find_value(text, name, &value))
        return false;
    struct str word = str_sub(text, name.from, name.to - name.from);
    size_t prefix = name.from < PREFIX_MAX ? name.from : PREFIX_MAX;
    if (prefix && text.p[name.from - 1] == '/' &&
        names_checksum(str_sub(text, name.from - prefix, prefix)))
        return false;
    while (word.n && (word.p[0] == '-' || word.p[0] == '.'))
        word = str_sub(word, 1, word.n);
    size_t to = value_end(text, &value, CREDENTIAL_LOOK);
    bool comma = char_at(text, to) == ','; /* "TOKEN=jwt,pub-key=x": it is part of it */
    if (comma && credential_is_stand_in(str_sub(text, value.from, to + 1 - value.from)))
        return false;
    if (!hides(word, str_sub(text, value.from, to - value.from)) ||
        (value.loose && !stands_alone(text, name, value.from, to)))
        return false;
    *found = (struct credential_range){value.from, value_end(text, &value, text.n)};
    return found->to > found->from;
}

/* ---- pairs and options ---- */

bool credential_of_pair(struct str name, struct str value, size_t *from)
{
    *from = 0;
    if (str_eq_nocase(name, STR("authorization")) ||
        str_eq_nocase(name, STR("proxy-authorization")))
        return credential_in_header(value, from);
    return name.n <= 4 * NAME_MAX_BYTES && hides(name, value);
}

bool credential_is_option(struct str argument)
{
    while (argument.n && argument.p[0] == '-')
        argument = str_sub(argument, 1, NAME_MAX_BYTES + 1);
    for (size_t i = 0; i < argument.n; i++)
        if (!is_name_char(argument.p[i]))
            return false;
    return argument.n <= NAME_MAX_BYTES && credential_name(argument) == CREDENTIAL_NAME_SECRET;
}
