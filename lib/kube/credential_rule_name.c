/* Secrets that a name announces: "--password=x", "password: x", "\"password\": \"x\"". */
#include "kube/credential_cut.h"
#include "kube/credential_rules.h"
#include "kube/credential_value.h"

enum {
    NAME_MAX_BYTES = 64,
    PREFIX_MAX = 24,    /* bytes before a name and its '/' */
    LINE_MAX = 48,      /* bytes before a name that may belong to its line's beginning */
    IDENTIFIED_MAX = 64 /* bytes before a BY */
};

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

/* In the configuration of a registry: base64 of user and password. */
static bool is_auth(struct str name)
{
    return str_eq(name, STR("auth")) || str_eq(name, STR("_auth"));
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
    if (is_auth(name))
        return credential_is_user_and_password(value);
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

/* ---- the value ---- */

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

/* "password: hunter2" at the beginning of a line, or in prose when it is no word of it. */
static bool stands_alone(struct credential_look *look, struct credential_range name, size_t from,
                         size_t to)
{
    struct str text = look->text, value = str_sub(text, from, to - from);
    size_t end = credential_skip_blanks(text, to);
    char next = credential_char_at(text, end);
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
    struct credential_value value;
    if (at < look->named.to && at >= look->named.from)
        return false;
    if (!name_around(look, at, &name))
        return false;
    look->named = name;
    if (!credential_find_value(text, name, &value))
        return false;
    struct str word = str_sub(text, name.from, name.to - name.from);
    while (word.n && (word.p[0] == '-' || word.p[0] == '.'))
        word = str_sub(word, 1, word.n);
    enum credential_name promise = credential_name(word);
    if (promise == CREDENTIAL_NAME_NONE && !is_setting(word) && !is_auth(word))
        return false;
    size_t to = credential_value_end(look, &value, CREDENTIAL_LOOK);
    if (credential_char_at(text, to) == ',' && /* "TOKEN=jwt,pub-key=x": it is part of it */
        credential_names_other(str_sub(text, value.from, to + 1 - value.from)))
        return false;
    if (!hides(look, promise, word, value.from, to) ||
        (value.loose && !stands_alone(look, name, value.from, to)) || is_of_checksum(text, name))
        return false;
    *found = (struct credential_range){value.from, credential_value_end(look, &value, text.n)};
    return found->to > found->from;
}

/* Takes this word off the end, and the blanks before it. */
static bool take_last(struct str *text, struct str word)
{
    *text = str_trim(*text);
    bool taken = text->n >= word.n && ends_nocase(*text, word);
    text->n -= taken ? word.n : 0;
    return taken;
}

/* "CREATE USER app IDENTIFIED", "IDENTIFIED WITH mysql_native_password" */
static bool says_identified(struct credential_look *look, struct str before)
{
    struct str word = STR("identified"), rest = before;
    if (take_last(&rest, word))
        return true;
    for (; rest.n && credential_is_name_char(rest.p[rest.n - 1]); look->steps++)
        rest.n--;
    return take_last(&rest, STR("with")) && take_last(&rest, word);
}

/* IDENTIFIED BY 'x': from its BY on. */
bool credential_rule_identified(struct credential_look *look, size_t at,
                                struct credential_range *found)
{
    struct str text = look->text;
    struct credential_value value = {0};
    size_t from = at > IDENTIFIED_MAX ? at - IDENTIFIED_MAX : 0;
    value.from = credential_skip_quote(text, at + 3, &value.quote, &value.slashes);
    if (!value.quote || !says_identified(look, str_sub(text, from, at - from)))
        return false;
    size_t to = credential_value_end(look, &value, CREDENTIAL_LOOK);
    struct str secret = str_sub(text, value.from, to - value.from);
    if (!secret.n || str_has_prefix(secret, STR(CREDENTIAL_CUT)) || credential_is_filled_in(secret))
        return false;
    *found = (struct credential_range){value.from, credential_value_end(look, &value, text.n)};
    return true;
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
