/* What stands between a name and its value, and where that ends. */
#include "kube/credential_value.h"

enum {
    GAP_MAX = 8,     /* blanks and backslashes between a name and its value */
    BETWEEN_MAX = 64 /* what stands between a name and the "value" on the next line */
};

size_t credential_skip_blanks(struct str text, size_t at)
{
    size_t from = at;
    while (at < text.n && at - from < GAP_MAX && credential_is_blank(text.p[at]))
        at++;
    return at;
}

size_t credential_skip_quote(struct str text, size_t at, char *quote, unsigned *slashes)
{
    size_t from = at;
    while (at < text.n && at - from < GAP_MAX && text.p[at] == '\\')
        at++;
    *quote = 0;
    if (!credential_is_quote(credential_char_at(text, at)))
        return from;
    *quote = text.p[at];
    *slashes = (unsigned)(at - from);
    return at + 1;
}

/* Behind "=", ":", "=>", ":="; `at` when there is none of them, or a comparison. */
static size_t skip_sign(struct str text, size_t at, bool *equals)
{
    char c = credential_char_at(text, at), next = credential_char_at(text, at + 1);
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

/* In front of blanks, quotes and what escapes them. */
static size_t skip_back(struct str text, size_t at)
{
    size_t from = at;
    while (at > 0 && from - at < GAP_MAX &&
           (text.p[at - 1] == '\\' || credential_is_quote(text.p[at - 1]) ||
            credential_is_blank(text.p[at - 1])))
        at--;
    return at;
}

/* Is what ends there this word, and not the end of another one? */
static bool ends_in(struct str text, size_t at, struct str word)
{
    return at >= word.n && str_eq_nocase(str_sub(text, at - word.n, word.n), word) &&
           (at == word.n || !credential_is_name_char(text.p[at - word.n - 1]));
}

/* Is it what a "name" or "key" says? */
static bool is_named(struct str text, size_t from)
{
    size_t sign = skip_back(text, from);
    if (sign == 0 || (text.p[sign - 1] != ':' && text.p[sign - 1] != '='))
        return false;
    size_t at = skip_back(text, sign - 1);
    return ends_in(text, at, STR("name")) || ends_in(text, at, STR("key"));
}

/* Behind the "value" that follows such a name; 0: none does. */
static size_t behind_value_word(struct str text, size_t at)
{
    size_t from = at;
    while (at < text.n && at - from < BETWEEN_MAX &&
           (memchr(",;\\\n\r", text.p[at], 5) || credential_is_quote(text.p[at]) ||
            credential_is_blank(text.p[at])))
        at++;
    return at > from && str_eq_nocase(str_sub(text, at, 5), STR("value")) ? at + 5 : 0;
}

/* {"name": "DB_PASSWORD", "value": "x"}, as JSON, YAML, XML and Go write it. */
static bool find_named_value(struct str text, struct credential_range name,
                             struct credential_value *value)
{
    char quote;
    unsigned slashes;
    bool equals;
    size_t at = is_named(text, name.from) ? behind_value_word(text, name.to) : 0;
    if (!at)
        return false;
    at = credential_skip_blanks(text, credential_skip_quote(text, at, &quote, &slashes));
    size_t sign = skip_sign(text, at, &equals);
    value->from = credential_skip_quote(text, credential_skip_blanks(text, sign), &value->quote,
                                        &value->slashes);
    struct str other = STR("ValueFrom:"); /* Go says "Value: ValueFrom:..." of one that is empty */
    return sign > at && !str_eq(str_sub(text, value->from, other.n), other);
}

/* "X-Api-Key": ["x"]: behind the bracket of a list of texts. */
static size_t skip_bracket(struct str text, size_t at)
{
    char quote;
    unsigned slashes;
    bool list = credential_char_at(text, at) == '[' &&
                credential_skip_quote(text, at + 1, &quote, &slashes) > at + 1;
    return list ? at + 1 : at;
}

bool credential_find_value(struct str text, struct credential_range name,
                           struct credential_value *value)
{
    char name_quote, before = name.from ? text.p[name.from - 1] : '\0';
    unsigned slashes = 0;
    bool equals;
    *value = (struct credential_value){.from = 0};
    size_t behind = credential_skip_quote(text, name.to, &name_quote, &slashes);
    size_t gap = credential_skip_blanks(text, behind), sign = skip_sign(text, gap, &equals);
    size_t from = credential_skip_blanks(text, sign);
    if (sign > gap) {
        from = skip_bracket(text, from);
        value->from = credential_skip_quote(text, from, &value->quote, &value->slashes);
        bool blanks = gap > behind || from > sign || !equals;
        value->loose = (blanks || name_quote) && !value->quote;
        return true;
    }
    if (find_named_value(text, name, value))
        return true;
    *value = (struct credential_value){.from = gap};
    if (!name_quote && before == '<' && credential_char_at(text, gap) == '>') {
        value->from++;
        value->quote = '<';
        return true;
    }
    if (gap == behind || (name_quote && !is_option(text, name)))
        return false;
    value->from = credential_skip_quote(text, gap, &value->quote, &value->slashes);
    return is_option(text, name) ? credential_char_at(text, value->from) != '-'
                                 : value->quote == '\'';
}

static size_t bare_end(struct credential_look *look, size_t from, size_t most)
{
    struct str text = look->text;
    size_t to = credential_look_for(look, CREDENTIAL_STOP_BARE, from, most);
    bool whole = to >= text.n || (unsigned char)text.p[to] <= ' ';
    return to > from && to < from + most && whole && memchr(",)}]", text.p[to - 1], 4) ? to - 1
                                                                                       : to;
}

static size_t quoted_end(struct credential_look *look, const struct credential_value *value,
                         size_t most)
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

size_t credential_value_end(struct credential_look *look, const struct credential_value *value,
                            size_t most)
{
    return value->quote ? quoted_end(look, value, most) : bare_end(look, value->from, most);
}
