#include "reader/scrub_text.h"

#include "reader/json_text.h"

enum { NAME_MAX_BYTES = 64, ADDRESS_LOOK = 512 };

char scrub_byte(const struct scrub_text *in, ptrdiff_t at)
{
    if (at >= 0)
        return (size_t)at < in->text.n ? in->text.p[at] : ' ';
    return at >= -SCRUB_BEFORE ? in->before[SCRUB_BEFORE + at] : ' ';
}

static char byte(const struct scrub_text *in, size_t at)
{
    return scrub_byte(in, (ptrdiff_t)at);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static ptrdiff_t skip_back(const struct scrub_text *in, ptrdiff_t at)
{
    while (at >= -SCRUB_BEFORE && is_space(scrub_byte(in, at)))
        at--;
    return at;
}

char scrub_byte_before(const struct scrub_text *in, size_t at)
{
    return scrub_byte(in, skip_back(in, (ptrdiff_t)at - 1));
}

/* Does this text stand before an offset, blanks aside? */
static bool follows(const struct scrub_text *in, size_t open, struct str before)
{
    ptrdiff_t at = skip_back(in, (ptrdiff_t)open - 1);
    for (size_t i = before.n; i-- > 0; at--) {
        if (before.p[i] == ':') /* blanks may stand before it, too */
            at = skip_back(in, at);
        if (scrub_byte(in, at) != before.p[i])
            return false;
        if (before.p[i] == ':')
            at = skip_back(in, at - 1) + 1;
    }
    return true;
}

bool scrub_is_value_of_name(const struct scrub_text *in, size_t open)
{
    return follows(in, open, STR("\"name\":"));
}

/* ---- a first look ---- */

static bool is_name_char(char c)
{
    static const bool is[256] = {
        ['-'] = 1, ['.'] = 1, ['_'] = 1, ['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1,
        ['5'] = 1, ['6'] = 1, ['7'] = 1, ['8'] = 1, ['9'] = 1, ['A'] = 1, ['B'] = 1, ['C'] = 1,
        ['D'] = 1, ['E'] = 1, ['F'] = 1, ['G'] = 1, ['H'] = 1, ['I'] = 1, ['J'] = 1, ['K'] = 1,
        ['L'] = 1, ['M'] = 1, ['N'] = 1, ['O'] = 1, ['P'] = 1, ['Q'] = 1, ['R'] = 1, ['S'] = 1,
        ['T'] = 1, ['U'] = 1, ['V'] = 1, ['W'] = 1, ['X'] = 1, ['Y'] = 1, ['Z'] = 1, ['a'] = 1,
        ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1, ['g'] = 1, ['h'] = 1, ['i'] = 1,
        ['j'] = 1, ['k'] = 1, ['l'] = 1, ['m'] = 1, ['n'] = 1, ['o'] = 1, ['p'] = 1, ['q'] = 1,
        ['r'] = 1, ['s'] = 1, ['t'] = 1, ['u'] = 1, ['v'] = 1, ['w'] = 1, ['x'] = 1, ['y'] = 1,
        ['z'] = 1,
    };
    return is[(unsigned char)c];
}

static bool stands_at(struct str text, size_t at, struct str word)
{
    return str_eq(str_sub(text, at, word.n), word);
}

/* Does it begin with a "value" that is neither empty nor a mark already, or too early to say? */
static bool is_value_worth(struct str text)
{
    struct str key = STR("\"value\":\"");
    if (!str_has_prefix(text, key))
        return str_has_prefix(key, text) || str_has_prefix(text, str_sub(key, 0, 7));
    text = str_sub(text, key.n, text.n);
    return !text.n || (text.p[0] != '"' && !str_has_prefix(text, STR(CREDENTIAL_CUT)));
}

/* A whole string that is a name, between its quotes: is it a key with a text, the name of a
 * "value", an option? */
static bool is_worth_as_name(const struct scrub_text *in, size_t from, size_t to)
{
    struct str text = in->text, name = str_sub(text, from, to - from);
    size_t at = json_text_skip(text, to + 1);
    if (at >= text.n)
        return true;
    if (text.p[at] == ':') {
        at = json_text_skip(text, at + 1);
        bool is_text = at + 1 >= text.n || (text.p[at] == '"' && text.p[at + 1] != '"');
        return is_text && name.n > 3 && !str_has_suffix(name, STR("Name"));
    }
    if (text.p[at] != ',')
        return false;
    if (name.p[0] == '-')
        return true;
    if (!scrub_is_value_of_name(in, from - 1))
        return false;
    return is_value_worth(str_sub(text, json_text_skip(text, at + 1), text.n));
}

/* A key whose value is no text, as most are that have a mark: it announces nothing. */
static bool is_key_of_other(struct str text, size_t close)
{
    size_t at = close + 1;
    if (at >= text.n || text.p[at] != ':')
        return false;
    at = json_text_skip(text, at + 1);
    return at < text.n && text.p[at] != '"';
}

static bool name_is_worth(const struct scrub_text *in, size_t at)
{
    struct str text = in->text;
    size_t from = at, to = at + 3;
    if (at > 0 && text.p[at - 1] == '"' && to < text.n && text.p[to] == '"' &&
        (text.p[at] | 0x20) == 'k') /* a whole string: the key of something */
        return false;
    while (to < text.n && is_name_char(text.p[to]))
        if (++to - at > NAME_MAX_BYTES)
            return false;
    if (to >= text.n)
        return true;
    char c = text.p[to];
    if (!memchr("=:>\\'` \t\"", c, 9) || (c == '"' && is_key_of_other(text, to)))
        return false;
    while (from > 0 && is_name_char(text.p[from - 1]))
        if (at - --from > NAME_MAX_BYTES)
            return false;
    if (c == ' ' || c == '\t')
        return text.p[from] == '-' || memchr("=:'vV", byte(in, to + 1), 5);
    if (c != '"')
        return true;
    return byte(in, from - 1) == '"' && from > 0 && scrub_byte(in, (ptrdiff_t)from - 2) != '\\' &&
           is_worth_as_name(in, from, to);
}

/* The names of programs have a letter more than their marks. */
static bool tool_is_worth(struct str text, size_t at)
{
    static const char *const words[] = {"curl", "mysq", "mari", "edis",
                                        "mong", "ogin", "hpas", NULL};
    struct str word = str_sub(text, at, 4);
    return word.n < 4 || str_in(word, words);
}

/* Does it begin like an address that is a secret? */
static bool may_be_webhook(struct str rest)
{
    static const char *const hosts[] = {"hooks.slack.com/", "discord.com/", "discordapp.com/",
                                        "chat.googleapis.com/", NULL};
    struct str host, office = STR(".webhook.office.com");
    for (const char *const *start = hosts; *start; start++)
        if (str_has_prefix(rest, str_of(*start)))
            return true;
    str_cut(rest, '/', &host, NULL);
    return str_has_suffix(host, office);
}

/* That, or is there a user? That an image has a digest says "@", too. */
static bool address_is_worth(struct str text, size_t at)
{
    struct str rest = str_sub(text, at + 3, ADDRESS_LOOK);
    const char *quote = memchr(rest.p, '"', rest.n);
    if (quote)
        rest.n = (size_t)(quote - rest.p);
    const char *sign = memrchr(rest.p, '@', rest.n);
    if (!sign)
        return !quote || may_be_webhook(rest);
    size_t behind = (size_t)(sign - rest.p) + 1;
    return !stands_at(rest, behind, STR("sha256:")) || memchr(rest.p, '@', behind - 1) != NULL;
}

bool scrub_is_worth(const struct scrub_text *in, size_t at, enum credential_mark mark)
{
    switch (mark) {
    case CREDENTIAL_MARK_NAME:
        return name_is_worth(in, at);
    case CREDENTIAL_MARK_ADDRESS:
        return address_is_worth(in->text, at);
    case CREDENTIAL_MARK_SHAPE:
        return credential_shape_at(in->text, at);
    case CREDENTIAL_MARK_TOOL:
        return tool_is_worth(in->text, at);
    case CREDENTIAL_MARK_MANIFEST: /* the key of an object's own is none */
        return at < 2 || byte(in, at - 2) != '"' || scrub_byte(in, (ptrdiff_t)at - 3) == '\\';
    default:
        return true;
    }
}
