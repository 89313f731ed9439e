#include "reader/scrub_string.h"

enum { ELEMENTS_MAX = 256 };

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

/* Does the name make a secret of the content, as it is or as it is put? It may hold a secret. */
static bool is_named(struct scrub_cuts *cuts, struct str name, struct str content, size_t *from)
{
    if (credential_of_pair(name, content, from))
        return true;
    struct str cut = credential_cut(cuts->arena, name);
    return !str_eq(cut, name) && credential_of_pair(cut, content, from);
}

/* Does a name make a secret of the content? Else what is in it by itself is cut; when it is one
 * without that, it goes as a whole. */
static void cut_named(struct scrub_cuts *cuts, struct str name, struct str raw, size_t open,
                      struct str content)
{
    size_t from;
    if (is_named(cuts, name, content, &from)) {
        cut_from(cuts, raw, open, from);
        return;
    }
    uint32_t before = cuts->ranges.n;
    cut_secrets(cuts, raw, open, content);
    if (cuts->ranges.n > before &&
        is_named(cuts, name, credential_cut(cuts->arena, content), &from)) {
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
    char c = in->text.p[at], before = scrub_byte_before(in, open);
    if (c == ':')
        return cut_pair(in, content, at + 1, cuts, next);
    if (c != ',')
        return AHEAD_NONE;
    if (before == ':')
        return scrub_is_value_of_name(in, open) ? cut_value(in, content, at, cuts, next)
                                                : AHEAD_NONE;
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
