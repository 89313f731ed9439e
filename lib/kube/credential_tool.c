/* Programs that take a secret by an option of one letter, and manifests. */
#include "kube/credential_cut.h"
#include "kube/credential_rules.h"

enum {
    TOOL_MIN = sizeof "curl" - 1,
    TOOL_MAX = sizeof "mariadb-import" - 1,
    ARGUMENTS_MAX = 64,
    LINE_BYTES_MAX = 2048,
    COMMENTS_MAX = 8 * 1024, /* of a manifest, before its first line */
    KIND_BYTES_MAX = 64 * 1024
};

struct credential_tool {
    const char *options; /* one letter each, but for "uU" of curl's --user and --proxy-user */
    bool attached;       /* the secret stands in the same argument: -psecret */
    bool apart;          /* or is the next one: -p secret */
    bool user;           /* the argument is user:password */
    bool sign;           /* the same argument has a sign before it: -p=secret */
    const char *flags;   /* letters that may stand before that of an option: -sSu; or NULL */
};

enum { CURL, MYSQL, REDIS, MONGO, LOGIN };

static const struct credential_tool TOOLS[] = {
    [CURL] = {"uU", true, true, true, false, "#012346BGIJLMNOSVZafgijklnpqsv"},
    [MYSQL] = {"p", true, false, false, false, NULL},
    [REDIS] = {"a", false, true, false, false, NULL},
    [MONGO] = {"p", true, true, false, false, NULL},
    [LOGIN] = {"p", true, true, false, true, NULL},
};

static const struct {
    const char *name;
    unsigned tool;
} NAMES[] = {
    {"curl", CURL},           {"mysql", MYSQL},          {"mysqladmin", MYSQL},
    {"mysqldump", MYSQL},     {"mysqlcheck", MYSQL},     {"mysqlimport", MYSQL},
    {"mariadb", MYSQL},       {"mariadb-admin", MYSQL},  {"mariadb-dump", MYSQL},
    {"mariadb-check", MYSQL}, {"mariadb-import", MYSQL}, {"redis-cli", REDIS},
    {"sshpass", MONGO},       {"mongo", MONGO},          {"mongosh", MONGO},
    {"mongodump", MONGO},     {"mongorestore", MONGO},   {"login", LOGIN},
};

static const struct credential_tool *tool_named(struct str name)
{
    if (name.n < TOOL_MIN || name.n > TOOL_MAX || !memchr("cmrsl", name.p[0], 5))
        return NULL;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (NAMES[i].name[0] == name.p[0] && str_eq(str_of(NAMES[i].name), name))
            return &TOOLS[NAMES[i].tool];
    return NULL;
}

/* The name behind the last '/', if it is no part of an address. */
const struct credential_tool *credential_tool(struct str argument)
{
    struct str name = argument;
    if (argument.n < TOOL_MIN || argument.n > CREDENTIAL_LOOK)
        return NULL;
    const char *slash = memrchr(argument.p, '/', argument.n);
    if (slash)
        name = str_sub(argument, (size_t)(slash + 1 - argument.p), argument.n);
    const struct credential_tool *tool = tool_named(name);
    return tool && slash && str_has(argument, STR("://")) ? NULL : tool;
}

/* Where the letter of an option stands in an argument, behind flags: "-sSu"; 0: nowhere. */
static size_t letter_at(const struct credential_tool *tool, struct str word)
{
    size_t at = 1;
    if (word.n < 2 || word.p[0] != '-')
        return 0;
    while (tool->flags && at < word.n && word.p[at] && strchr(tool->flags, word.p[at]))
        at++;
    return at < word.n && word.p[at] && strchr(tool->options, word.p[at]) ? at : 0;
}

static bool is_option(const struct credential_tool *tool, struct str word)
{
    size_t letter = letter_at(tool, word);
    if (letter)
        return letter + 1 == word.n;
    return tool == &TOOLS[CURL] &&
           (str_eq(word, STR("--user")) || str_eq(word, STR("--proxy-user")));
}

static bool is_secret(struct str value)
{
    return value.n && !credential_is_filled_in(value) &&
           !str_has_prefix(value, STR(CREDENTIAL_CUT));
}

/* Of "user:password" what is behind the colon; without one nothing is a secret. */
size_t credential_tool_value(const struct credential_tool *tool, struct str argument)
{
    const char *colon = tool->user && argument.n ? memchr(argument.p, ':', argument.n) : NULL;
    size_t from = !tool->user ? 0 : colon ? (size_t)(colon - argument.p) + 1 : argument.n;
    return is_secret(str_sub(argument, from, argument.n)) ? from : argument.n;
}

bool credential_tool_option(const struct credential_tool *tool, struct str argument, bool *next,
                            size_t *from)
{
    size_t letter = letter_at(tool, argument), at = letter + 1;
    *next = tool->apart && is_option(tool, argument);
    if (*next)
        return true;
    if (!tool->attached || !letter || at >= argument.n || (tool->sign && argument.p[at] != '='))
        return false;
    at += tool->sign;
    *from = at + credential_tool_value(tool, str_sub(argument, at, argument.n));
    return *from < argument.n;
}

/* ---- in one line ---- */

struct argument {
    size_t from, to, behind; /* behind: its quote */
    bool quoted;
};

/* The next argument of a command line at or behind `at`; without its quotes. */
static bool next_argument(struct credential_look *look, size_t at, size_t end,
                          struct argument *argument)
{
    struct str text = look->text;
    while (at < end && (credential_is_blank(text.p[at]) || text.p[at] == '\\'))
        at++;
    if (at >= end || memchr("\n|;&", text.p[at], 4))
        return false;
    char quote = text.p[at];
    *argument = (struct argument){.from = at, .quoted = credential_is_quote(quote)};
    if (!argument->quoted) {
        argument->to = credential_look_for(look, CREDENTIAL_STOP_ARGUMENT, at, end - at);
        argument->behind = argument->to;
        return true;
    }
    argument->from++;
    const char *close = memchr(text.p + at + 1, quote, end - at - 1);
    argument->to = close ? (size_t)(close - text.p) : end;
    argument->behind = argument->to + (close != NULL);
    if (at > 0 && text.p[at - 1] == '\\') /* so is the one that closes */
        while (argument->to > argument->from && text.p[argument->to - 1] == '\\')
            argument->to--;
    return true;
}

/* -p'secret': its quotes begin right behind it, escaped or not. */
static bool takes_quoted(const struct credential_tool *tool, struct str text,
                         const struct argument *argument)
{
    struct str word = str_sub(text, argument->from, argument->to - argument->from);
    while (word.n && word.p[word.n - 1] == '\\')
        word.n--;
    if (tool->sign && str_has_suffix(word, STR("=")))
        word.n--;
    return tool->attached && !argument->quoted && argument->to < text.n &&
           credential_is_quote(text.p[argument->to]) && is_option(tool, word);
}

/* Is the end of a word, as in "x=curl", the name of the tool? */
static bool ends_in_tool(const struct credential_tool *tool, struct str word)
{
    size_t from = word.n;
    while (from > 0 && word.n - from <= TOOL_MAX &&
           (credential_is_letter(word.p[from - 1]) || word.p[from - 1] == '-'))
        from--;
    return tool_named(str_sub(word, from, word.n)) == tool;
}

/* Does another command begin, or the same one? That is looked at by itself. */
static bool begins_command(const struct credential_tool *tool, struct str word, bool quoted)
{
    if (word.n < TOOL_MIN)
        return false;
    return (!quoted && ends_in_tool(tool, word)) || (word.p[0] != '-' && credential_tool(word));
}

static bool find_option(const struct credential_tool *tool, struct credential_look *look, size_t at,
                        struct credential_range *found)
{
    struct str text = look->text;
    size_t end = text.n - at < LINE_BYTES_MAX ? text.n : at + LINE_BYTES_MAX, from = 0;
    struct argument argument;
    bool next = false;
    for (int i = 0; i < ARGUMENTS_MAX && next_argument(look, at, end, &argument); i++) {
        struct str word = str_sub(text, argument.from, argument.to - argument.from);
        at = argument.behind;
        if (next) {
            from = credential_tool_value(tool, word);
            *found = (struct credential_range){argument.from + from, argument.to};
            return from < word.n;
        }
        if (begins_command(tool, word, argument.quoted))
            return false;
        if (word.n == 0 || word.p[0] != '-')
            continue;
        if (tool->attached && str_has_prefix(str_sub(word, 2, word.n), STR(CREDENTIAL_CUT)))
            return false; /* one option of a command is cut */
        next = takes_quoted(tool, text, &argument);
        if (!next && credential_tool_option(tool, word, &next, &from) && !next) {
            *found = (struct credential_range){argument.from + from, argument.to};
            return true;
        }
    }
    return false;
}

bool credential_rule_tool(struct credential_look *look, size_t at, struct credential_range *found)
{
    struct str text = look->text;
    size_t from = at, to = at;
    while (from > 0 && at - from < 8 &&
           (credential_is_letter(text.p[from - 1]) || text.p[from - 1] == '-'))
        from--;
    while (to < text.n && to - at < 16 && (credential_is_letter(text.p[to]) || text.p[to] == '-'))
        to++;
    if (to >= text.n || !credential_is_blank(text.p[to]))
        return false;
    const struct credential_tool *tool = tool_named(str_sub(text, from, to - from));
    return tool && find_option(tool, look, to, found);
}

/* ---- manifests ---- */

/* From the first line of YAML on that is neither a comment nor a directive. */
static struct str without_comments(struct str text)
{
    text = str_trim(text);
    while (text.n && (text.p[0] == '#' || text.p[0] == '%')) {
        const char *end = memchr(text.p, '\n', text.n);
        size_t line = end ? (size_t)(end - text.p) + 1 : text.n;
        text = str_trim(str_sub(text, line, text.n));
    }
    return text;
}

bool credential_is_manifest(struct str text)
{
    struct str trimmed = without_comments(str_sub(text, 0, COMMENTS_MAX));
    struct str look = str_sub(text, 0, KIND_BYTES_MAX);
    bool json = str_has_prefix(trimmed, STR("{")) || str_has_prefix(trimmed, STR("["));
    if (json)
        return str_has(look, STR("\"apiVersion\"")) && str_has(look, STR("\"kind\""));
    bool yaml = str_has_prefix(trimmed, STR("apiVersion:")) ||
                str_has_prefix(trimmed, STR("kind:")) || str_has_prefix(trimmed, STR("---"));
    return yaml && str_has(look, STR("apiVersion:")) && str_has(look, STR("kind:"));
}
