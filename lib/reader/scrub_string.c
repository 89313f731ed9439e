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
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
}

static bool stands_at(struct str text, size_t at, struct str word)
{
    return str_eq(str_sub(text, at, word.n), word);
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
    at = json_text_skip(text, at + 1);
    struct str value = STR("\"value\":\"\"");
    struct str ahead = str_sub(text, at, value.n);
    return str_has_prefix(value, ahead) ? ahead.n < value.n
                                        : str_has_prefix(ahead, str_sub(value, 0, 7));
}

/* What marks a name is part of "password", "secret", "token", "credential". */
static bool is_stem(struct str text, size_t at)
{
    static const char *const stems[] = {"pass", "ecre", "toke", "eden", NULL};
    char start[4];
    if (at + sizeof start >= text.n)
        return true;
    for (size_t i = 0; i < sizeof start; i++)
        start[i] = str_lower(text.p[at + i]);
    if (memcmp(start, "key", 3) == 0) /* a whole string: the key of something */
        return at == 0 || text.p[at - 1] != '"' || text.p[at + 3] != '"';
    for (const char *const *stem = stems; *stem; stem++)
        if (memcmp(start, *stem, 3) == 0)
            return start[3] == (*stem)[3];
    return true;
}

static bool name_is_worth(const struct scrub_text *in, size_t at)
{
    struct str text = in->text;
    size_t from = at, to = at + 3;
    if (!is_stem(text, at))
        return false;
    while (to < text.n && is_name_char(text.p[to]))
        if (++to - at > OPTION_NAME_MAX)
            return false;
    if (to >= text.n)
        return true;
    char c = text.p[to];
    if (!memchr("=:>\\'` \t\"", c, 9))
        return false;
    while (from > 0 && is_name_char(text.p[from - 1]))
        if (at - --from > OPTION_NAME_MAX)
            return false;
    if (c == ' ' || c == '\t')
        return text.p[from] == '-' || memchr("=:'", byte(in, to + 1), 3);
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

/* Is there a user, or does it begin like an address that is a secret? That an image has a digest
 * says "@", too. */
static bool address_is_worth(struct str text, size_t at)
{
    struct str rest = str_sub(text, at + 3, ADDRESS_LOOK);
    const char *quote = memchr(rest.p, '"', rest.n);
    if (quote)
        rest.n = (size_t)(quote - rest.p);
    const char *sign = memrchr(rest.p, '@', rest.n);
    if (!sign)
        return !quote || str_has(rest, STR(".slack.com/")) || str_has(rest, STR("/webhooks/")) ||
               str_has(rest, STR("/webhookb2/")) || str_has(rest, STR("/v1/spaces/"));
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
    struct credential_search search = credential_search(content);
    struct json_text_walk walk = {.raw = raw};
    struct credential_range range;
    while (credential_search_next(&search, &range)) {
        size_t from = json_text_from(&walk, range.from);
        add(cuts, open + 1 + from, open + 1 + json_text_to(&walk, range.to));
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
    size_t open, close, from;
    enum ahead ahead = ahead_at(in, at, &open, &close);
    if (ahead != AHEAD_STRING)
        return ahead;
    struct str raw = raw_of(in->text, open, close);
    if (!credential_of_pair(name, json_text_decode(raw, &cuts->more), &from))
        return AHEAD_NONE;
    cut_from(cuts, raw, open, from);
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

static void cut_argument(struct scrub_cuts *cuts, struct arguments *arguments, struct str raw,
                         size_t open)
{
    struct str content = json_text_decode(raw, &cuts->more), option = arguments->option;
    bool tool_value = arguments->tool_value;
    size_t from = 0;
    arguments->option = (struct str){NULL, 0};
    arguments->tool_value = false;
    if (tool_value && (!content.n || content.p[0] != '-'))
        cut_from(cuts, raw, open, credential_tool_value(arguments->tool, content));
    else if (option.n && credential_of_pair(option, content, &from) && content.p[0] != '-')
        cut_from(cuts, raw, open, from);
    else if (arguments->tool &&
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
    if (raw.n > cuts->string_max || credential_is_manifest(content)) {
        add(cuts, open + 1, close);
        return true;
    }
    cut_secrets(cuts, raw, open, content);
    if (at >= text.n || cut_what_follows(in, open, at, content, cuts, next) != AHEAD_UNKNOWN)
        return true;
    cuts->ranges.n = 0;
    return false;
}
