/* Secrets that show by their shape or by what stands around them, wherever they are. */
#include "kube/credential_rules.h"

#include "base/asserts.h"

static bool is_alphanumeric(char c)
{
    return credential_is_letter(c) || credential_is_digit(c);
}

/* Does the word stand there, in any case of letters, and not inside of another one? */
static bool word_stands_at(struct str text, size_t from, struct str word)
{
    return str_eq_nocase(str_sub(text, from, word.n), word) &&
           (from == 0 || !is_alphanumeric(text.p[from - 1])) &&
           !is_alphanumeric(credential_char_at(text, from + word.n));
}

bool credential_is_object_name(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (!credential_is_object_char(text.p[i]))
            return false;
    return true;
}

/* ---- known shapes ---- */

/* Of these prefixes an object could have a name that begins so. */
static bool may_begin_name(const struct credential_shape *shape)
{
    return credential_is_object_name(str_of(shape->prefix));
}

enum { SHAPES_MAX = 140, PATH_LOOK = 64 };

/* The shapes whose marks begin with the same byte: the first of them, and the next one. As numbers
 * from 1, in the order of the table. */
static struct {
    uint8_t first[256], next[SHAPES_MAX];
} shapes_by_mark;

static void sort_shapes(void)
{
    unsigned n = 0;
    while (credential_shapes[n].prefix)
        n++;
    assert(n < SHAPES_MAX);
    for (; n > 0; n--) {
        const struct credential_shape *shape = &credential_shapes[n - 1];
        unsigned char c = (unsigned char)shape->prefix[shape->mark];
        shapes_by_mark.next[n] = shapes_by_mark.first[c];
        shapes_by_mark.first[c] = (uint8_t)n;
    }
}

/* Its prefix stands there, as far as the text goes. */
static bool is_marked(const struct credential_shape *shape, struct str text, size_t at)
{
    if (at < shape->mark || shape->prefix[shape->mark + 1] != credential_char_at(text, at + 1))
        return false;
    struct str there = str_sub(text, at - shape->mark, strlen(shape->prefix));
    return str_has_prefix(str_of(shape->prefix), there);
}

/* The first shape from a number on whose mark is at `at`, by its prefix; 0: none. */
static unsigned shape_marked(struct str text, size_t at, unsigned from)
{
    unsigned n = from;
    if (!shapes_by_mark.first[(unsigned char)credential_shapes->prefix[0]])
        sort_shapes();
    if (!n)
        n = shapes_by_mark.first[(unsigned char)text.p[at]];
    while (n && !is_marked(&credential_shapes[n - 1], text, at))
        n = shapes_by_mark.next[n];
    return n;
}

bool credential_shape_at(struct str text, size_t at)
{
    return shape_marked(text, at, 0);
}

/* Where a value of the shape ends; `from` when it is too short for one. */
static size_t shape_end(struct credential_look *look, const struct credential_shape *shape,
                        size_t from)
{
    size_t n = strlen(shape->prefix);
    if (n >= look->text.n - from)
        return from;
    size_t to = credential_look_run(look, shape->also, from + n, CREDENTIAL_LOOK);
    if (to - from - n < shape->least ||
        (may_begin_name(shape) &&
         credential_look_for(look, CREDENTIAL_STOP_OBJECT, from, to - from) == to))
        return from;
    return credential_look_run(look, shape->also, from + n, look->text.n);
}

bool credential_rule_shape(struct credential_look *look, size_t at, struct credential_range *found)
{
    struct str text = look->text;
    for (unsigned n = shape_marked(text, at, 0); n; n = shape_marked(text, at, n)) {
        const struct credential_shape *shape = &credential_shapes[n - 1];
        size_t from = at - shape->mark;
        size_t to =
            from > 0 && is_alphanumeric(text.p[from - 1]) ? from : shape_end(look, shape, from);
        *found = (struct credential_range){from, to};
        if (to > from)
            return true;
        n = shapes_by_mark.next[n];
        if (!n)
            break;
    }
    return false;
}

/* "-----BEGIN RSA PRIVATE KEY-----", up to its end or, when that is missing, the text's. */
bool credential_rule_private_key(struct credential_look *look, size_t at,
                                 struct credential_range *found)
{
    struct str text = look->text, rest = str_sub(text, at, text.n), first = str_sub(rest, 0, 80);
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

/* The whole of a webhook's address behind what all of them have, which stands near its host. */
static bool find_webhook(struct credential_look *look, size_t colon, size_t host, size_t end,
                         struct credential_range *found)
{
    struct str text = look->text;
    size_t from = colon - (sizeof "https" - 1);
    size_t to = host + PATH_LOOK < end ? host + PATH_LOOK : end;
    size_t n = credential_webhook(str_sub(text, from, to - from));
    if (!n)
        return false;
    to = credential_look_for(look, CREDENTIAL_STOP_WORD, from, text.n);
    *found = (struct credential_range){from + n, to};
    return found->from < found->to;
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
bool credential_rule_address(struct credential_look *look, size_t at,
                             struct credential_range *found)
{
    struct str text = look->text, near = str_sub(text, at + 3, CREDENTIAL_LOOK);
    size_t from = at + 3;
    bool is_https = at >= 5 && memcmp(text.p + at - 5, "https", 5) == 0;
    if (!near.n || (!is_https && !memchr(near.p, '@', near.n)))
        return false; /* "containerd://0123" */
    size_t end = credential_look_for(look, CREDENTIAL_STOP_WORD, from, CREDENTIAL_LOOK);
    size_t host = credential_look_for(look, CREDENTIAL_STOP_AUTHORITY, from, end - from);
    size_t sign = last_at(text, from, host);
    if (is_https && find_webhook(look, at, host, end, found))
        return true;
    if (sign < host)
        return find_userinfo(text, from, sign, found);
    const char *colon = host > from ? memchr(text.p + from, ':', host - from) : NULL;
    if (!colon || credential_char_at(text, host) != '/' || credential_char_at(text, from) == '[')
        return false;
    size_t port = (size_t)(colon - text.p) + 1;
    sign = last_at(text, host, end);
    if (sign == end || str_digits(str_sub(text, port, host - port)) == host - port)
        return false;
    return find_userinfo(text, from, sign, found);
}

/* "user:password@tcp(host)", as drivers of Go have it. */
bool credential_rule_at(struct credential_look *look, size_t at, struct credential_range *found)
{
    struct str text = look->text;
    size_t from = credential_look_back(look, at);
    return from < at && memchr(text.p + from, ':', at - from) &&
           find_userinfo(text, from, at, found);
}

/* ---- headers ---- */

/* Of a token that follows its scheme, in prose or not: somebody made it, and nobody named it. */
static bool is_token(struct credential_look *look, size_t from, size_t to)
{
    struct str token = str_sub(look->text, from, to - from);
    return token.n >= 6 && credential_look_has(look, CREDENTIAL_STOP_LETTER, from, to) &&
           credential_look_has(look, CREDENTIAL_STOP_DIGIT, from, to) &&
           !(credential_look_for(look, CREDENTIAL_STOP_OBJECT, from, token.n) == to &&
             memchr(token.p, '-', token.n));
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

bool credential_rule_bearer(struct credential_look *look, size_t at, struct credential_range *found)
{
    struct str text = look->text, word = STR("bearer");
    size_t from = word_stands_at(text, at, word) ? behind_scheme(text, at + word.n) : 0;
    if (!from)
        return false;
    if (!is_token(look, from,
                  credential_look_for(look, CREDENTIAL_STOP_TOKEN, from, CREDENTIAL_LOOK)))
        return false;
    *found = (struct credential_range){
        from, credential_look_for(look, CREDENTIAL_STOP_TOKEN, from, text.n)};
    return true;
}

static int base64_digit(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
           : c == '/'             ? 63
                                  : -1;
}

/* Of printable text with a colon in it. */
bool credential_is_user_and_password(struct str token)
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

bool credential_rule_basic(struct credential_look *look, size_t at, struct credential_range *found)
{
    struct str text = look->text, word = STR("basic");
    size_t from = at >= 2 && word_stands_at(text, at - 2, word) ? behind_scheme(text, at + 3) : 0;
    if (!from)
        return false;
    size_t to = credential_look_for(look, CREDENTIAL_STOP_TOKEN, from, CREDENTIAL_LOOK);
    if (!credential_is_user_and_password(str_sub(text, from, to - from)))
        return false;
    *found = (struct credential_range){
        from, credential_look_for(look, CREDENTIAL_STOP_TOKEN, from, text.n)};
    return true;
}

/* Of the value of such a header, which is a part of the text. */
static bool find_in_header(struct credential_look *look, size_t at, size_t end, size_t *from)
{
    static const char *const schemes[] = {"Bearer", "Basic",    "Token",     "Digest", "ApiKey",
                                          "Splunk", "GenieKey", "SharedKey", "Key",    NULL};
    struct str text = look->text;
    size_t blank = at;
    while (blank < end && blank - at < 20 && !credential_is_blank(text.p[blank]))
        blank++;
    *from = at;
    if (blank < end && credential_is_blank(text.p[blank]))
        for (const char *const *scheme = schemes; *scheme; scheme++)
            if (str_eq_nocase(str_sub(text, at, blank - at), str_of(*scheme)))
                *from = blank + 1;
    if (end - *from > CREDENTIAL_LOOK)
        end = *from + CREDENTIAL_LOOK;
    struct str rest = str_sub(text, *from, end - *from);
    if (!rest.n || str_has_prefix(rest, STR(CREDENTIAL_CUT)) || credential_names_other(rest) ||
        credential_look_has(look, CREDENTIAL_STOP_ADDRESS, *from, end))
        return false;
    return *from > at ||
           is_token(look, *from,
                    credential_look_for(look, CREDENTIAL_STOP_TOKEN, *from, end - *from));
}

bool credential_in_header(struct str value, size_t *from)
{
    struct credential_look look;
    credential_look_init(&look, value);
    return find_in_header(&look, 0, value.n, from);
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

/* A quote, and the backslashes before it. */
struct quote {
    char c; /* 0: there is none */
    size_t slashes;
};

/* The one that ends at `at`. */
static struct quote quote_before(struct str text, size_t at)
{
    struct quote quote = {0, 0};
    if (at == 0 || !credential_is_quote(text.p[at - 1]))
        return quote;
    quote.c = text.p[at - 1];
    while (quote.slashes < 8 && quote.slashes + 1 < at && text.p[at - 2 - quote.slashes] == '\\')
        quote.slashes++;
    return quote;
}

/* The end of a header, which goes on behind what is quoted in it: Digest username="a", nonce="b".
 * around: the quote that it stands in. */
static size_t header_end(struct credential_look *look, size_t from, struct quote around)
{
    struct str text = look->text;
    size_t to = credential_look_for(look, CREDENTIAL_STOP_LINE, from, text.n);
    while (to > from && to < text.n && text.p[to - 1] == '=') {
        size_t open = to;
        while (open < text.n && text.p[open] == '\\')
            open++;
        if (open >= text.n || !credential_is_quote(text.p[open]) ||
            (text.p[open] == around.c && open - to <= around.slashes))
            break;
        const char *close = memchr(text.p + open + 1, text.p[open], text.n - open - 1);
        if (!close)
            break;
        look->steps++;
        to = credential_look_for(look, CREDENTIAL_STOP_LINE, (size_t)(close - text.p) + 1, text.n);
    }
    return to;
}

/* Authorization: Bearer x */
bool credential_rule_header(struct credential_look *look, size_t at, struct credential_range *found)
{
    struct str text = look->text, word = STR("authorization");
    size_t in;
    if (at < 2 || !word_stands_at(text, at - 2, word))
        return false;
    size_t sign = skip_quotes(text, at - 2 + word.n);
    if (credential_char_at(text, sign) != ':' && credential_char_at(text, sign) != '=')
        return false;
    size_t from = skip_quotes(text, sign + 1);
    size_t to = credential_look_for(look, CREDENTIAL_STOP_LINE, from, CREDENTIAL_LOOK);
    if (from >= text.n || !find_in_header(look, from, to, &in))
        return false;
    struct quote around = quote_before(text, from);
    if (!around.c)
        around = quote_before(text, at - 2);
    *found = (struct credential_range){in, header_end(look, from, around)};
    return true;
}
