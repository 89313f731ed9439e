/* Programs that take a secret by an option of one letter, and manifests. */
#include "kube/credential_cut.h"
#include "kube/credential_rules.h"

enum { ARGUMENTS_MAX = 64, LINE_BYTES_MAX = 2048, KIND_BYTES_MAX = 64 * 1024 };

struct credential_tool {
    const char *names;   /* each between blanks */
    const char *options; /* each between blanks */
    bool attached;       /* the secret stands in the same argument: -psecret */
    bool apart;          /* or is the next one: -p secret */
    bool user;           /* the argument is user:password */
};

static const struct credential_tool TOOLS[] = {
    {" curl ", " -u --user -U --proxy-user ", true, true, true},
    {" mysql mysqladmin mysqldump mysqlcheck mysqlimport mariadb mariadb-admin mariadb-dump ",
     " -p ", true, false, false},
    {" redis-cli ", " -a ", false, true, false},
    {" sshpass mongo mongosh mongodump mongorestore ", " -p ", true, true, false},
    {" login ", " -p ", false, true, false},
};

static bool is_among(const char *words, struct str word)
{
    for (const char *at = words + 1; *at; at = strchr(at, ' ') + 1)
        if (strncmp(at, word.p, word.n) == 0 && at[word.n] == ' ')
            return true;
    return false;
}

const struct credential_tool *credential_tool(struct str argument)
{
    struct str name = argument;
    if (argument.n > CREDENTIAL_LOOK)
        return NULL;
    str_cut_last(argument, '/', NULL, &name);
    if (!name.p || !memchr(argument.p, '/', argument.n))
        name = argument;
    if (!name.n || memchr(name.p, ' ', name.n))
        return NULL;
    for (size_t i = 0; i < sizeof TOOLS / sizeof *TOOLS; i++)
        if (is_among(TOOLS[i].names, name))
            return &TOOLS[i];
    return NULL;
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
    *next = tool->apart && argument.n > 1 && is_among(tool->options, argument);
    if (*next)
        return true;
    if (!tool->attached || argument.n < 3 || argument.p[1] == '-' ||
        !is_among(tool->options, str_sub(argument, 0, 2)))
        return false;
    *from = 2 + credential_tool_value(tool, str_sub(argument, 2, argument.n));
    return *from < argument.n;
}

/* ---- in one line ---- */

static bool ends_command(char c)
{
    return c == '\n' || c == '|' || c == ';' || c == '&';
}

/* The next argument of a command line at or behind `at`; without its quotes. */
static bool next_argument(struct str text, size_t at, size_t end, struct credential_range *argument)
{
    while (at < end && (credential_is_blank(text.p[at]) || text.p[at] == '\\'))
        at++;
    if (at >= end || ends_command(text.p[at]))
        return false;
    char quote = credential_is_quote(text.p[at]) ? text.p[at++] : '\0';
    size_t to = at;
    while (to < end && (quote ? text.p[to] != quote
                              : (unsigned char)text.p[to] > ' ' && !ends_command(text.p[to]) &&
                                    !credential_is_quote(text.p[to])))
        to++;
    *argument = (struct credential_range){at, to};
    return true;
}

static struct str argument_text(struct str text, struct credential_range argument)
{
    return str_sub(text, argument.from, argument.to - argument.from);
}

static bool find_option(const struct credential_tool *tool, struct str text, size_t at,
                        struct credential_range *found)
{
    size_t end = text.n - at < LINE_BYTES_MAX ? text.n : at + LINE_BYTES_MAX, from = 0;
    struct credential_range argument;
    bool next = false;
    for (int i = 0; i < ARGUMENTS_MAX && next_argument(text, at, end, &argument); i++) {
        struct str word = argument_text(text, argument);
        at = argument.to + (argument.to < end && credential_is_quote(text.p[argument.to]));
        if (next) {
            from = credential_tool_value(tool, word);
            *found = (struct credential_range){argument.from + from, argument.to};
            return from < word.n;
        }
        if (credential_tool(word))
            return false; /* that one is looked at by itself */
        if (tool->attached && str_has_prefix(str_sub(word, 2, word.n), STR(CREDENTIAL_CUT)))
            return false; /* one option of a command is cut */
        if (credential_tool_option(tool, word, &next, &from) && !next) {
            *found = (struct credential_range){argument.from + from, argument.to};
            return true;
        }
    }
    return false;
}

bool credential_rule_tool(struct str text, size_t at, struct credential_range *found)
{
    size_t from = at, to = at;
    while (from > 0 && at - from < 8 &&
           (credential_is_letter(text.p[from - 1]) || text.p[from - 1] == '-'))
        from--;
    while (to < text.n && to - at < 16 && (credential_is_letter(text.p[to]) || text.p[to] == '-'))
        to++;
    if (to >= text.n || !credential_is_blank(text.p[to]))
        return false;
    const struct credential_tool *tool = credential_tool(str_sub(text, from, to - from));
    return tool && find_option(tool, text, to, found);
}

/* ---- manifests ---- */

bool credential_is_manifest(struct str text)
{
    struct str trimmed = str_trim(str_sub(text, 0, CREDENTIAL_LOOK));
    struct str look = str_sub(text, 0, KIND_BYTES_MAX);
    bool json = str_has_prefix(trimmed, STR("{")) || str_has_prefix(trimmed, STR("["));
    if (json)
        return str_has(look, STR("\"apiVersion\"")) && str_has(look, STR("\"kind\""));
    bool yaml = str_has_prefix(trimmed, STR("apiVersion:")) ||
                str_has_prefix(trimmed, STR("kind:")) || str_has_prefix(trimmed, STR("---"));
    return yaml && str_has(look, STR("apiVersion:")) && str_has(look, STR("kind:"));
}
