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

static bool name_around(struct credential_look *look, size_t at, struct credential_range *name)
{
    struct str text = look->text;
    size_t from = at;
    size_t to = credential_look_for(look, CREDENTIAL_STOP_NAME, at, NAME_MAX_BYTES + 1);
    if (to - at > NAME_MAX_BYTES)
        return false;
    while (from > 0 && credential_is_name_char(text.p[from - 1]))
        if (at - --from > NAME_MAX_BYTES)
            return false;
    look->steps += at - from;
    *name = (struct credential_range){from, to};
    return to > from;
}

/* The word of a checksum that begins with a letter. */
static struct str checksum_word(char c)
{
    return c == 'c'   ? STR("checksum")
           : c == 'h' ? STR("hash")
           : c == 's' ? STR("sha")
           : c == 'm' ? STR("md5")
           : c == 'd' ? STR("digest")
                      : (struct str){NULL, 0};
}

/* Names of checksums are no names of secrets: "checksum/secret" of a pod template. */
static bool names_checksum(struct str name)
{
    for (size_t at = 0; at < name.n; at++) {
        struct str word = checksum_word(name.p[at]), rest = str_sub(name, at, word.n + 3);
        if (!word.n || !str_has_prefix(rest, word))
            continue;
        rest = str_sub(rest, word.n, 3);
        if (word.p[0] != 's' || str_has_prefix(rest, STR("1")) || str_has_prefix(rest, STR("256")))
            return true;
    }
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
    if (!name.n || !memchr("sSxXaA", name.p[0], 6))
        return false;
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

/* "x=y": what stands before the sign. One that ends a value is padding. */
static struct str before_sign(struct str value)
{
    const char *sign = value.n ? memchr(value.p, '=', value.n) : NULL;
    size_t at = sign ? (size_t)(sign - value.p) : value.n, behind = at;
    while (behind < value.n && value.p[behind] == '=')
        behind++;
    return behind < value.n ? str_sub(value, 0, at) : value;
}

/* Could it be the secret that its name promises, as the first bytes of it tell? */
static bool hides(struct credential_look *look, enum credential_name promise, struct str name,
                  size_t from, size_t to)
{
    if (to - from > CREDENTIAL_LOOK)
        to = from + CREDENTIAL_LOOK;
    struct str value = str_sub(look->text, from, to - from);
    bool setting = is_setting(name);
    if (!value.n || (promise == CREDENTIAL_NAME_NONE && !setting) ||
        str_has_prefix(value, STR(CREDENTIAL_CUT)) || credential_names_other(value) ||
        credential_look_has(look, CREDENTIAL_STOP_ADDRESS, from, to) || names_checksum(name))
        return false;
    if (setting)
        return value.n >= 16;
    if (promise == CREDENTIAL_NAME_HINT || promise == CREDENTIAL_NAME_LIKELY)
        value = before_sign(value);
    return !names_object(name, value) && credential_hides(promise, value);
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
    return text.p[name.from] == '-' && !credential_is_name_char(before);
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

static size_t bare_end(struct credential_look *look, size_t from, size_t most)
{
    struct str text = look->text;
    size_t to = credential_look_for(look, CREDENTIAL_STOP_BARE, from, most);
    bool whole = to >= text.n || (unsigned char)text.p[to] <= ' ';
    return to > from && to < from + most && whole && memchr(",)}]", text.p[to - 1], 4) ? to - 1
                                                                                       : to;
}

static size_t quoted_end(struct credential_look *look, const struct value *value, size_t most)
{
    struct str text = look->text;
    size_t to = value->from, end = most < text.n - to ? to + most : text.n;
    for (; to < end; to++) {
        const char *quote = memchr(text.p + to, value->quote, end - to);
        look->steps++;
        if (!quote)
            return end;
        to = (size_t)(quote - text.p);
        unsigned slashes = 0;
        while (to - slashes > value->from && text.p[to - slashes - 1] == '\\')
            slashes++;
        look->steps += slashes;
        if (slashes <= value->slashes)
            return to - slashes;
    }
    return to;
}

static size_t value_end(struct credential_look *look, const struct value *value, size_t most)
{
    return value->quote ? quoted_end(look, value, most) : bare_end(look, value->from, most);
}

/* "password: hunter2" at the beginning of a line, or in prose when it is no word of it. */
static bool stands_alone(struct credential_look *look, struct credential_range name, size_t from,
                         size_t to)
{
    struct str text = look->text, value = str_sub(text, from, to - from);
    size_t end = skip_blanks(text, to);
    char next = char_at(text, end);
    bool ends = end >= text.n || (next && memchr("\n\r,}", next, 4));
    if (credential_is_random(before_sign(value)) || (ends && begins_line(text, name.from)))
        return true;
    return credential_look_has(look, CREDENTIAL_STOP_LETTER, from, to) &&
           credential_look_has(look, CREDENTIAL_STOP_DIGIT, from, to) &&
           !memchr(value.p, '/', value.n) &&
           !(memchr(value.p, '-', value.n) && credential_is_object_name(value));
}

/* "checksum/password: x" */
static bool is_of_checksum(struct str text, struct credential_range name)
{
    size_t prefix = name.from < PREFIX_MAX ? name.from : PREFIX_MAX;
    return prefix && text.p[name.from - 1] == '/' &&
           names_checksum(str_sub(text, name.from - prefix, prefix));
}

bool credential_rule_name(struct credential_look *look, size_t at, struct credential_range *found)
{
    struct str text = look->text;
    struct credential_range name;
    struct value value;
    if (at < look->named.to && at >= look->named.from)
        return false;
    if (!name_around(look, at, &name))
        return false;
    look->named = name;
    if (!find_value(text, name, &value))
        return false;
    struct str word = str_sub(text, name.from, name.to - name.from);
    while (word.n && (word.p[0] == '-' || word.p[0] == '.'))
        word = str_sub(word, 1, word.n);
    enum credential_name promise = credential_name(word);
    if (promise == CREDENTIAL_NAME_NONE && !is_setting(word))
        return false;
    size_t to = value_end(look, &value, CREDENTIAL_LOOK);
    if (char_at(text, to) == ',' && /* "TOKEN=jwt,pub-key=x": it is part of it */
        credential_names_other(str_sub(text, value.from, to + 1 - value.from)))
        return false;
    if (!hides(look, promise, word, value.from, to) ||
        (value.loose && !stands_alone(look, name, value.from, to)) || is_of_checksum(text, name))
        return false;
    *found = (struct credential_range){value.from, value_end(look, &value, text.n)};
    return found->to > found->from;
}

/* ---- pairs and options ---- */

bool credential_of_pair(struct str name, struct str value, size_t *from)
{
    *from = 0;
    if (str_eq_nocase(name, STR("authorization")) ||
        str_eq_nocase(name, STR("proxy-authorization")))
        return credential_in_header(value, from);
    struct credential_look look;
    credential_look_init(&look, value);
    return name.n <= 4 * NAME_MAX_BYTES && hides(&look, credential_name(name), name, 0, value.n);
}

bool credential_is_option(struct str argument)
{
    while (argument.n && argument.p[0] == '-')
        argument = str_sub(argument, 1, NAME_MAX_BYTES + 1);
    for (size_t i = 0; i < argument.n; i++)
        if (!credential_is_name_char(argument.p[i]))
            return false;
    return argument.n <= NAME_MAX_BYTES && credential_name(argument) == CREDENTIAL_NAME_SECRET;
}
