/* Secrets that show by their shape or by what stands around them, wherever they are. */
#include "kube/credential_rules.h"

static bool is_alphanumeric(char c)
{
    return credential_is_letter(c) || credential_is_digit(c);
}

static char char_at(struct str text, size_t at)
{
    return at < text.n ? text.p[at] : '\0';
}

/* Does the word stand there, in any case of letters, and not inside of another one? */
static bool word_stands_at(struct str text, size_t from, struct str word)
{
    return str_eq_nocase(str_sub(text, from, word.n), word) &&
           (from == 0 || !is_alphanumeric(text.p[from - 1])) &&
           !is_alphanumeric(char_at(text, from + word.n));
}

bool credential_is_object_name(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (!((text.p[i] >= 'a' && text.p[i] <= 'z') || credential_is_digit(text.p[i]) ||
              text.p[i] == '-' || text.p[i] == '.'))
            return false;
    return true;
}

size_t credential_word_end(struct str text, size_t from, size_t most)
{
    size_t to = from, end = most < text.n - from ? from + most : text.n;
    while (to < end && (unsigned char)text.p[to] > ' ' && !credential_is_quote(text.p[to]))
        to++;
    return to;
}

/* ---- known shapes ---- */

/* Of these prefixes an object could have a name that begins so. */
static bool may_begin_name(const struct credential_shape *shape)
{
    return credential_is_object_name(str_of(shape->prefix));
}

/* The shape whose mark is at `at`, by its prefix; NULL: none. */
static const struct credential_shape *shape_marked(struct str text, size_t at)
{
    for (const struct credential_shape *shape = credential_shapes; shape->prefix; shape++) {
        const char *mark = shape->prefix + shape->mark;
        if (mark[0] == text.p[at] && mark[1] == char_at(text, at + 1) && at >= shape->mark &&
            str_has_prefix(str_sub(text, at - shape->mark, text.n), str_of(shape->prefix)))
            return shape;
    }
    return NULL;
}

bool credential_shape_at(struct str text, size_t at)
{
    return text.n - at < CREDENTIAL_LOOK / 8 || shape_marked(text, at);
}

bool credential_rule_shape(struct str text, size_t at, struct credential_range *found)
{
    const struct credential_shape *shape = shape_marked(text, at);
    if (!shape)
        return false;
    at -= shape->mark;
    struct str look = str_sub(text, at, CREDENTIAL_LOOK);
    if (at > 0 && is_alphanumeric(text.p[at - 1]))
        return false;
    size_t n = credential_shape(look, &shape);
    if (!n || (may_begin_name(shape) && credential_is_object_name(str_sub(look, 0, n))))
        return false;
    if (n == CREDENTIAL_LOOK)
        n = credential_shape(str_sub(text, at, text.n), &shape);
    *found = (struct credential_range){at, at + n};
    return true;
}

/* "-----BEGIN RSA PRIVATE KEY-----", up to its end or, when that is missing, the text's. */
bool credential_rule_private_key(struct str text, size_t at, struct credential_range *found)
{
    struct str rest = str_sub(text, at, text.n), first = str_sub(rest, 0, 80);
    if ((at > 0 && text.p[at - 1] == '-') || !str_has_prefix(rest, STR("-----BEGIN")) ||
        !str_has(first, STR("PRIVATE KEY")))
        return false;
    const char *end = memmem(rest.p, rest.n, "-----END", 8);
    size_t n = rest.n;
    if (end) {
        size_t from = (size_t)(end - rest.p) + 8;
        const char *dashes = memmem(rest.p + from, rest.n - from, "-----", 5);
        n = dashes ? (size_t)(dashes - rest.p) + 5 : rest.n;
    }
    *found = (struct credential_range){at, at + n};
    return true;
}

/* ---- addresses ---- */

static bool is_scheme_char(char c)
{
    return is_alphanumeric(c) || c == '+' || c == '-' || c == '.';
}

/* The whole of a webhook's address behind what all of them have. */
static bool find_webhook(struct str text, size_t colon, struct credential_range *found)
{
    size_t from = colon;
    while (from > 0 && colon - from < 8 && is_scheme_char(text.p[from - 1]))
        from--;
    size_t to = credential_word_end(text, from, CREDENTIAL_LOOK);
    size_t n = credential_webhook(str_sub(text, from, to - from));
    if (!n)
        return false;
    *found = (struct credential_range){from + n, credential_word_end(text, to, text.n)};
    return found->from < found->to;
}

static size_t authority_end(struct str text, size_t from, size_t to)
{
    while (from < to && !memchr("/?#,<>\\", text.p[from], 7))
        from++;
    return from;
}

/* Where the last '@' is between two places; `to` when there is none. */
static size_t last_at(struct str text, size_t from, size_t to)
{
    const char *at = from < to ? memrchr(text.p + from, '@', to - from) : NULL;
    return at ? (size_t)(at - text.p) : to;
}

/* "user:password" of an address; a token alone when nobody thought it up. */
static bool find_userinfo(struct str text, size_t from, size_t to, struct credential_range *found)
{
    const char *colon = memchr(text.p + from, ':', to - from);
    struct str whole = str_sub(text, from, to - from);
    if (!colon && !credential_is_random(whole))
        return false;
    *found = (struct credential_range){colon ? (size_t)(colon - text.p) + 1 : from, to};
    struct str secret = str_sub(text, found->from, to - found->from);
    return secret.n && !credential_is_filled_in(secret);
}

/* scheme://user:password@host. A '/' in the password ends the authority; what is before it then
 * looks like host and port, but for the port. */
bool credential_rule_address(struct str text, size_t at, struct credential_range *found)
{
    size_t from = at + 3, end = credential_word_end(text, from, CREDENTIAL_LOOK);
    size_t host = authority_end(text, from, end), sign = last_at(text, from, host);
    if (find_webhook(text, at, found))
        return true;
    if (sign < host)
        return find_userinfo(text, from, sign, found);
    const char *colon = host > from ? memchr(text.p + from, ':', host - from) : NULL;
    sign = last_at(text, host, end);
    if (!colon || sign == end || char_at(text, host) != '/' || char_at(text, from) == '[')
        return false;
    size_t port = (size_t)(colon - text.p) + 1;
    if (str_digits(str_sub(text, port, host - port)) == host - port)
        return false;
    return find_userinfo(text, from, sign, found);
}

/* "user:password@tcp(host)", as drivers of Go have it. */
bool credential_rule_at(struct str text, size_t at, struct credential_range *found)
{
    size_t from = at;
    if (char_at(text, at + 3) != 'p' && char_at(text, at + 3) != 'i')
        return false;
    while (from > 0 && at - from < CREDENTIAL_LOOK && (unsigned char)text.p[from - 1] > ' ' &&
           !credential_is_quote(text.p[from - 1]) && text.p[from - 1] != '=')
        from--;
    return find_userinfo(text, from, at, found) && memchr(text.p + from, ':', at - from);
}

/* ---- headers ---- */

static bool is_token_char(char c)
{
    return is_alphanumeric(c) || (c && memchr("._~+/=-", c, 7));
}

static size_t token_end(struct str text, size_t from, size_t most)
{
    size_t to = from;
    while (to < text.n && to - from < most && is_token_char(text.p[to]))
        to++;
    return to;
}

/* Of a token that follows its scheme, in prose or not: somebody made it, and nobody named it. */
static bool is_token(struct str token)
{
    bool letter = false, digit = false;
    for (size_t i = 0; i < token.n; i++) {
        letter |= credential_is_letter(token.p[i]);
        digit |= credential_is_digit(token.p[i]);
    }
    return token.n >= 6 && letter && digit &&
           !(credential_is_object_name(token) && memchr(token.p, '-', token.n));
}

/* Where a token begins behind its scheme; 0: it does not follow. */
static size_t behind_scheme(struct str text, size_t at)
{
    size_t from = at;
    while (from < text.n && from - at < 4 &&
           (credential_is_blank(text.p[from]) || text.p[from] == ':'))
        from++;
    return from > at ? from : 0;
}

bool credential_rule_bearer(struct str text, size_t at, struct credential_range *found)
{
    struct str word = STR("bearer");
    size_t from = word_stands_at(text, at, word) ? behind_scheme(text, at + word.n) : 0;
    if (!from)
        return false;
    size_t to = token_end(text, from, CREDENTIAL_LOOK);
    if (!is_token(str_sub(text, from, to - from)))
        return false;
    *found = (struct credential_range){from, token_end(text, from, text.n)};
    return true;
}

static int base64_digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *digit = c ? strchr(digits, c) : NULL;
    return digit ? (int)(digit - digits) : -1;
}

/* Base64 of printable text with a colon in it. */
static bool is_user_and_password(struct str token)
{
    unsigned bits = 0, have = 0;
    bool colon = false;
    if (token.n < 4)
        return false;
    for (size_t i = 0; i < token.n && token.p[i] != '='; i++) {
        int digit = base64_digit(token.p[i]);
        if (digit < 0)
            return false;
        bits = bits << 6 | (unsigned)digit;
        have += 6;
        if (have < 8)
            continue;
        have -= 8;
        unsigned char c = (unsigned char)(bits >> have);
        colon |= c == ':';
        if (c < ' ' || c == 0x7f)
            return false;
    }
    return colon;
}

bool credential_rule_basic(struct str text, size_t at, struct credential_range *found)
{
    struct str word = STR("basic");
    size_t from = at >= 2 && word_stands_at(text, at - 2, word) ? behind_scheme(text, at + 3) : 0;
    if (!from)
        return false;
    size_t to = token_end(text, from, CREDENTIAL_LOOK);
    if (!is_user_and_password(str_sub(text, from, to - from)))
        return false;
    *found = (struct credential_range){from, token_end(text, from, text.n)};
    return true;
}

bool credential_in_header(struct str value, size_t *from)
{
    static const char *const schemes[] = {"Bearer", "Basic",    "Token",     "Digest", "ApiKey",
                                          "Splunk", "GenieKey", "SharedKey", "Key",    NULL};
    size_t blank = 0;
    while (blank < value.n && blank < 20 && !credential_is_blank(value.p[blank]))
        blank++;
    *from = 0;
    for (const char *const *scheme = schemes; *scheme; scheme++)
        if (str_eq_nocase(str_sub(value, 0, blank), str_of(*scheme)) &&
            credential_is_blank(char_at(value, blank)))
            *from = blank + 1;
    struct str rest = str_sub(value, *from, CREDENTIAL_LOOK);
    if (!rest.n || str_has_prefix(rest, STR(CREDENTIAL_CUT)) || credential_is_stand_in(rest))
        return false;
    return *from > 0 || is_token(str_sub(rest, 0, token_end(rest, 0, rest.n)));
}

/* Where the line, or the quoted text, ends that `from` is in. */
static size_t line_end(struct str text, size_t from, size_t most)
{
    size_t to = from, end = most < text.n - from ? from + most : text.n;
    while (to < end && (unsigned char)text.p[to] >= ' ' && !memchr("\"'`\\]", text.p[to], 5))
        to++;
    return to;
}

/* Behind blanks, quotes and what escapes them. */
static size_t skip_quotes(struct str text, size_t at)
{
    size_t from = at;
    while (at < text.n && at - from < 8 &&
           (text.p[at] == '\\' || text.p[at] == '[' || credential_is_quote(text.p[at]) ||
            credential_is_blank(text.p[at])))
        at++;
    return at;
}

/* Authorization: Bearer x */
bool credential_rule_header(struct str text, size_t at, struct credential_range *found)
{
    struct str word = STR("authorization");
    size_t in;
    if (at < 2 || !word_stands_at(text, at - 2, word))
        return false;
    size_t sign = skip_quotes(text, at - 2 + word.n);
    if (char_at(text, sign) != ':' && char_at(text, sign) != '=')
        return false;
    size_t from = skip_quotes(text, sign + 1), to = line_end(text, from, CREDENTIAL_LOOK);
    if (from >= text.n || !credential_in_header(str_sub(text, from, to - from), &in))
        return false;
    *found = (struct credential_range){from + in, line_end(text, from, text.n)};
    return true;
}
