#include "reader/scrub_string.h"

enum { ELEMENTS_MAX = 256, OPTION_NAME_MAX = 64, ADDRESS_LOOK = 512 };

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

static bool is_value_of_name(const struct scrub_text *in, size_t open)
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
    if (!is_value_of_name(in, from - 1))
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
        if (++to - at > OPTION_NAME_MAX)
            return false;
    if (to >= text.n)
        return true;
    char c = text.p[to];
    if (!memchr("=:>\\'` \t\"", c, 9) || (c == '"' && is_key_of_other(text, to)))
        return false;
    while (from > 0 && is_name_char(text.p[from - 1]))
        if (at - --from > OPTION_NAME_MAX)
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

/* ---- what is cut ---- */

static void add(struct scrub_cuts *cuts, size_t from, size_t to)
{
    struct credential_range range = {from, to};
    if (from < to)
        LIST_ADD(cuts->arena, cuts->ranges, range);
}

static struct str raw_of(struct str text, size_t open, size_t close)
{
    return str_sub(text, open + 1, close - open - 1);
}

/* Of a string at `open` with this decoded content: from an offset of the content to its end. */
static void cut_from(struct scrub_cuts *cuts, struct str raw, size_t open, size_t from)
{
    struct json_text_walk walk = {.raw = raw};
    add(cuts, open + 1 + json_text_from(&walk, from), open + 1 + raw.n);
}

/* The secrets in a string by themselves. */
static void cut_secrets(struct scrub_cuts *cuts, struct str raw, size_t open, struct str content)
{
    struct json_text_walk walk = {.raw = raw};
    const struct credential_range *range;
    if (raw.n > cuts->string_max || credential_is_manifest(content)) {
        add(cuts, open + 1, open + 1 + raw.n);
        return;
    }
    credential_find(cuts->arena, content, &cuts->found);
    LIST_EACH (range, cuts->found) {
        size_t from = json_text_from(&walk, range->from);
        add(cuts, open + 1 + from, open + 1 + json_text_to(&walk, range->to));
    }
}

/* Does a name make a secret of the content? Else what is in it by itself is cut; when it is one
 * without that, it goes as a whole. */
static void cut_named(struct scrub_cuts *cuts, struct str name, struct str raw, size_t open,
                      struct str content)
{
    size_t from;
    if (credential_of_pair(name, content, &from)) {
        cut_from(cuts, raw, open, from);
        return;
    }
    uint32_t before = cuts->ranges.n;
    cut_secrets(cuts, raw, open, content);
    if (cuts->ranges.n > before &&
        credential_of_pair(name, credential_cut(cuts->arena, content), &from)) {
        cuts->ranges.n = before;
        cut_from(cuts, raw, open, 0);
    }
}

/* ---- a string and what belongs to it ---- */

/* The next string behind a byte that divides: its quotes. */
enum ahead { AHEAD_NONE, AHEAD_STRING, AHEAD_UNKNOWN };

static enum ahead ahead_at(const struct scrub_text *in, size_t at, size_t *open, size_t *close)
{
    *open = json_text_skip(in->text, at);
    if (*open >= in->text.n)
        return in->whole ? AHEAD_NONE : AHEAD_UNKNOWN;
    if (in->text.p[*open] != '"')
        return AHEAD_NONE;
    *close = json_text_close(in->text, *open);
    if (*close >= in->text.n)
        return in->whole ? AHEAD_NONE : AHEAD_UNKNOWN;
    return AHEAD_STRING;
}

/* A name and the string at `at` that may be its value. */
static enum ahead cut_pair(const struct scrub_text *in, struct str name, size_t at,
                           struct scrub_cuts *cuts, size_t *next)
{
    size_t open, close;
    enum ahead ahead = ahead_at(in, at, &open, &close);
    if (ahead != AHEAD_STRING)
        return ahead;
    struct str raw = raw_of(in->text, open, close);
    cut_named(cuts, name, raw, open, json_text_decode(raw, &cuts->more));
    *next = close + 1;
    return AHEAD_STRING;
}

/* {"name": "X-Api-Key", "value": "x"} */
static enum ahead cut_value(const struct scrub_text *in, struct str name, size_t comma,
                            struct scrub_cuts *cuts, size_t *next)
{
    size_t open, close;
    enum ahead ahead = ahead_at(in, comma + 1, &open, &close);
    if (ahead != AHEAD_STRING)
        return ahead;
    size_t colon = json_text_skip(in->text, close + 1);
    if (colon >= in->text.n)
        return in->whole ? AHEAD_NONE : AHEAD_UNKNOWN;
    if (in->text.p[colon] != ':' || !str_eq(raw_of(in->text, open, close), STR("value")))
        return AHEAD_NONE;
    return cut_pair(in, name, colon + 1, cuts, next);
}

/* Arguments, one after another: those of a tool, or one behind an option. */
struct arguments {
    const struct credential_tool *tool; /* or NULL */
    struct str option;                  /* whose value comes next; absent: none */
    bool tool_value;                    /* the tool's comes next */
};

static struct str without_dashes(struct str option)
{
    while (option.n && option.p[0] == '-')
        option = str_sub(option, 1, option.n);
    return option;
}

static bool is_option(struct str content)
{
    return content.n > 1 && content.p[0] == '-' && credential_is_option(content);
}

/* The value of a tool's option. */
static void cut_tool_value(struct scrub_cuts *cuts, const struct credential_tool *tool,
                           struct str raw, size_t open, struct str content)
{
    size_t from = credential_tool_value(tool, content);
    if (from < content.n)
        cut_from(cuts, raw, open, from);
    else
        cut_secrets(cuts, raw, open, content);
}

static void cut_argument(struct scrub_cuts *cuts, struct arguments *arguments, struct str raw,
                         size_t open)
{
    struct str content = json_text_decode(raw, &cuts->more), option = arguments->option;
    bool is_value = !content.n || content.p[0] != '-', tool_value = arguments->tool_value;
    size_t from = 0;
    arguments->option = (struct str){NULL, 0};
    arguments->tool_value = false;
    if (tool_value && is_value) {
        cut_tool_value(cuts, arguments->tool, raw, open, content);
    } else if (option.n && is_value) {
        cut_named(cuts, option, raw, open, content);
    } else if (arguments->tool &&
               credential_tool_option(arguments->tool, content, &arguments->tool_value, &from)) {
        if (!arguments->tool_value)
            cut_from(cuts, raw, open, from);
    } else {
        if (is_option(content))
            arguments->option = without_dashes(raw);
        cut_secrets(cuts, raw, open, content);
    }
}

/* The elements of an array behind `at`: all that come after the name of a tool, the one after an
 * option. */
static enum ahead cut_arguments(const struct scrub_text *in, struct arguments arguments, size_t at,
                                struct scrub_cuts *cuts, size_t *next)
{
    for (int i = 0; i < ELEMENTS_MAX && (arguments.tool || arguments.option.n); i++) {
        size_t open, close, comma = json_text_skip(in->text, at);
        if (comma >= in->text.n)
            return in->whole ? AHEAD_NONE : AHEAD_UNKNOWN;
        if (in->text.p[comma] != ',')
            return AHEAD_NONE;
        enum ahead ahead = ahead_at(in, comma + 1, &open, &close);
        if (ahead != AHEAD_STRING)
            return ahead;
        cut_argument(cuts, &arguments, raw_of(in->text, open, close), open);
        *next = at = close + 1;
    }
    return AHEAD_STRING;
}

static enum ahead cut_what_follows(const struct scrub_text *in, size_t open, size_t at,
                                   struct str content, struct scrub_cuts *cuts, size_t *next)
{
    char c = in->text.p[at], before = scrub_byte(in, skip_back(in, (ptrdiff_t)open - 1));
    if (c == ':')
        return cut_pair(in, content, at + 1, cuts, next);
    if (c != ',')
        return AHEAD_NONE;
    if (before == ':')
        return is_value_of_name(in, open) ? cut_value(in, content, at, cuts, next) : AHEAD_NONE;
    struct arguments arguments = {.tool = credential_tool(content)};
    if (is_option(content))
        arguments.option = without_dashes(content);
    return cut_arguments(in, arguments, at, cuts, next);
}

bool scrub_string(const struct scrub_text *in, size_t open, struct scrub_cuts *cuts, size_t *next)
{
    struct str text = in->text;
    size_t close = json_text_close(text, open), at = json_text_skip(text, close + 1);
    *next = close + 1;
    cuts->ranges.n = 0;
    if (close >= text.n || (at >= text.n && !in->whole))
        return false;
    struct str raw = raw_of(text, open, close), content = json_text_decode(raw, &cuts->decoded);
    cut_secrets(cuts, raw, open, content);
    if (raw.n > cuts->string_max)
        return true;
    if (at >= text.n || cut_what_follows(in, open, at, content, cuts, next) != AHEAD_UNKNOWN)
        return true;
    cuts->ranges.n = 0;
    return false;
}
