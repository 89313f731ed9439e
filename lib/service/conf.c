#include "service/conf.h"

#include <errno.h>
#include <ini.h>
#include <stdarg.h>

#include "base/ip.h"
#include "kube/image_ref.h"
#include "score/component.h"

enum problem { NO_PROBLEM, NO_NUMBER, NO_LENGTH, NO_RATE };

struct key {
    const char *name;
    enum problem (*set)(void *field, struct str value, int64_t min, int64_t max);
    size_t offset;
    const char *value;
    int64_t min, max;
};

static enum problem set_INT(void *field, struct str value, int64_t min, int64_t max)
{
    int64_t *number = field;
    int64_t parsed;
    if (!str_to_i64(value, &parsed) || parsed < min || parsed > max)
        return NO_NUMBER;
    *number = parsed;
    return NO_PROBLEM;
}

static enum problem set_bytes(char *bytes, size_t room, struct str value, int64_t min, int64_t max)
{
    if ((int64_t)value.n < min || (int64_t)value.n > max || value.n > room)
        return NO_LENGTH;
    memcpy(bytes, value.p, value.n);
    bytes[value.n] = '\0';
    return NO_PROBLEM;
}

static enum problem set_TEXT(void *field, struct str value, int64_t min, int64_t max)
{
    return set_bytes(((conf_TEXT *)field)->s, CONF_TEXT_MAX, value, min, max);
}

static enum problem set_LIST(void *field, struct str value, int64_t min, int64_t max)
{
    char *list = ((conf_LIST *)field)->s;
    enum problem problem = set_bytes(list, CONF_LIST_MAX, value, min, max);
    for (; (list = strchr(list, '\t')); *list = ' ')
        ;
    return problem;
}

enum { RATE_SECONDS_MAX = 86400 };

static enum problem set_RATE(void *field, struct str value, int64_t min, int64_t max)
{
    conf_RATE *rate = field;
    conf_RATE parsed;
    struct str count, seconds;
    if (!str_cut(value, '/', &count, &seconds) || !str_to_i64(str_trim(count), &parsed.count) ||
        !str_to_i64(str_trim(seconds), &parsed.seconds) || parsed.count < min ||
        parsed.count > max || parsed.seconds < 1 || parsed.seconds > RATE_SECONDS_MAX)
        return NO_RATE;
    *rate = parsed;
    return NO_PROBLEM;
}

static const struct key keys[] = {
#define CONF(name, type, default_value, min, max, doc)                                             \
    {#name, set_##type, offsetof(struct conf, name), default_value, min, max},
#include "service/conf.def"
#undef CONF
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

static enum problem set_key(struct conf *conf, const struct key *key, struct str value)
{
    return key->set((char *)conf + key->offset, value, key->min, key->max);
}

struct loading {
    struct conf *conf;
    const char *path;
    FILE *file;
    int line;
    bool goes_on;          /* the line before ends with a backslash */
    bool is_continued;     /* so this one goes on with its value */
    const struct key *key; /* of that value; NULL: none */
    int lines[KEY_COUNT];  /* where each key was set last; 0: nowhere */
    char *error;           /* the first one; "" while there is none */
};

static int complain(struct loading *loading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int complain(struct loading *loading, const char *format, ...)
{
    if (loading->error[0])
        return 0;
    char line[16] = "";
    if (loading->line)
        snprintf(line, sizeof line, ":%d", loading->line);
    int n = snprintf(loading->error, CONF_ERROR_SIZE, "%s%s: ", loading->path, line);
    if (n < 0 || n >= CONF_ERROR_SIZE)
        return 0;
    va_list args;
    va_start(args, format);
    vsnprintf(loading->error + n, CONF_ERROR_SIZE - (size_t)n, format, args);
    va_end(args);
    return 0;
}

/* Cuts a backslash and blanks off the end. Was there one? */
static bool cut_backslash(char *line)
{
    size_t n = strlen(line);
    while (n && strchr(" \t\r\n", line[n - 1]))
        n--;
    bool found = n && line[n - 1] == '\\';
    line[found ? n - 1 : n] = '\0';
    return found;
}

/* inih goes on with the value before in a line that begins with a blank. Here an indented line is
 * one of its own, and the one behind a backslash goes on. */
static char *read_line(char *line, int size, void *user)
{
    struct loading *loading = user;
    if (!fgets(line, size, loading->file))
        return NULL;
    loading->line++;
    bool is_cut = !strchr(line, '\n') && !feof(loading->file);
    loading->is_continued = loading->goes_on;
    loading->goes_on = cut_backslash(line);
    size_t blanks = strspn(line, " \t"), n = strlen(line + blanks);
    if (is_cut || n + 2 > (size_t)size)
        complain(loading,
                 "the line is longer than %d bytes; behind a \\ at its end, a list goes on in the "
                 "next one",
                 size - 2);
    else
        memmove(line + loading->is_continued, line + blanks, n + 1);
    if (loading->is_continued)
        line[0] = ' ';
    return line;
}

/* Names that keys had before; files on hosts still have them. */
static const char *name_of(const char *name)
{
    return strcmp(name, "partition_database") == 0 ? "maintain_database" : name;
}

static int refuse_value(struct loading *loading, const struct key *key, enum problem problem,
                        const char *value)
{
    long long min = key->min, max = key->max;
    if (problem == NO_NUMBER)
        return complain(loading, "%s must be a whole number from %lld to %lld: \"%s\"", key->name,
                        min, max, value);
    if (problem == NO_LENGTH)
        return complain(loading, "%s must have %lld to %lld bytes", key->name, min, max);
    return complain(loading,
                    "%s must be COUNT/SECONDS, a COUNT from %lld to %lld and SECONDS from 1 to "
                    "%d: \"%s\"",
                    key->name, min, max, RATE_SECONDS_MAX, value);
}

/* inih takes comments off other lines, but not off those that go on. */
static struct str without_comment(struct str value)
{
    for (size_t i = 1; i < value.n; i++)
        if (value.p[i] == ';' && (value.p[i - 1] == ' ' || value.p[i - 1] == '\t'))
            return str_trim((struct str){value.p, i});
    return value;
}

/* One more line of a list. */
static int add_value(struct loading *loading, const char *value)
{
    const struct key *key = loading->key;
    char list[CONF_LIST_MAX + INI_MAX_LINE];
    if (!key || key->set != set_LIST)
        return complain(loading, "only a list goes on behind a \\ at the end of a line");
    const conf_LIST *before =
        (const conf_LIST *)(const void *)((char *)loading->conf + key->offset);
    snprintf(list, sizeof list, "%s %" STR_FMT, before->s, STR_ARG(without_comment(str_of(value))));
    enum problem problem = set_key(loading->conf, key, str_of(list));
    return problem ? refuse_value(loading, key, problem, value) : 1;
}

static int take_value(void *user, const char *section, const char *name, const char *value)
{
    struct loading *loading = user;
    if (section[0])
        return complain(loading, "sections are not used here: [%s]", section);
    if (loading->is_continued)
        return add_value(loading, value);
    loading->key = NULL;
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (strcmp(keys[i].name, name_of(name)) != 0)
            continue;
        loading->key = &keys[i];
        loading->lines[i] = loading->line;
        enum problem problem = set_key(loading->conf, &keys[i], str_of(value));
        return problem ? refuse_value(loading, &keys[i], problem, value) : 1;
    }
    return complain(loading, "unknown key \"%s\"", name);
}

/* What is complained of next is in the line of that key. */
static struct loading *at(struct loading *loading, const char *name)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (loading->lines[i] && strcmp(keys[i].name, name) == 0)
            loading->line = loading->lines[i];
    return loading;
}

enum { TOKEN_MIN = 16 };

static bool is_level(struct str text)
{
    struct str levels = STR("error warn info debug"), level;
    while (str_next_word(&levels, &level))
        if (str_eq(level, text))
            return true;
    return false;
}

static void check_ranges(struct loading *loading, const char *name, const conf_LIST *ranges)
{
    if (!ip_are_ranges(str_of(ranges->s)))
        complain(at(loading, name),
                 "%s must be addresses or ranges such as 10.0.0.0/8, separated by spaces", name);
}

#define DIGITS  "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyz"

static void check_namespaces(struct loading *loading, const char *name, const char *namespaces)
{
    if (namespaces[strspn(namespaces, LETTERS DIGITS "- ")])
        complain(at(loading, name), "%s must be names of namespaces, separated by spaces alone",
                 name);
}

static void check_registries(struct loading *loading, struct str places)
{
    struct str place;
    while (str_next_word(&places, &place))
        if (!image_place_is_valid(place))
            complain(at(loading, "trusted_registries"),
                     "trusted_registries must be places such as registry.example.com or "
                     "ghcr.io/example, separated by spaces: \"%" STR_FMT "\"",
                     STR_ARG(place));
}

/* What has a comma or a star would never be met, and nobody would notice. */
static void check_words(struct loading *loading, const struct conf *conf)
{
    check_namespaces(loading, "system_namespaces", conf->system_namespaces.s);
    check_namespaces(loading, "agent_namespace", conf->agent_namespace.s);
    check_registries(loading, str_of(conf->trusted_registries.s));
    if (strpbrk(conf->oidc_domains.s, ",;@*/:\\"))
        complain(at(loading, "oidc_domains"),
                 "oidc_domains must be domains such as example.com, separated by spaces alone");
}

static void check_components(struct loading *loading, struct str words)
{
    struct str word;
    while (str_next_word(&words, &word))
        if (!component_word_is_valid(word))
            complain(at(loading, "components"),
                     "components must be role:namespace/name with the role dns, network or "
                     "ingress: \"%" STR_FMT "\"",
                     STR_ARG(word));
}

/* Links and commands are made of these. */
static void check_mail(struct loading *loading, const struct conf *conf)
{
    struct str url = str_of(conf->public_url.s);
    if (url.n && !str_has_prefix(url, STR("https://")) && !str_has_prefix(url, STR("http://")))
        complain(at(loading, "public_url"), "public_url must begin with https:// or http://");
    if (url.n && url.p[url.n - 1] == '/')
        complain(at(loading, "public_url"), "public_url must not end with /");
    if (strpbrk(conf->mail_from.s, " <>") || conf->mail_from.s[0] == '-')
        complain(at(loading, "mail_from"), "mail_from must be an address alone");
    if (conf->mail_program.s[0] && conf->mail_program.s[0] != '/')
        complain(at(loading, "mail_program"), "mail_program must be a whole path");
    if (conf->mail_program.s[0] && (!conf->mail_from.s[0] || !url.n))
        complain(at(loading, "mail_program"), "mail_program needs mail_from and public_url");
}

static void check_oidc(struct loading *loading, const struct conf *conf)
{
    struct str issuer = str_of(conf->oidc_issuer.s), join = str_of(conf->oidc_join.s);
    if (issuer.n && (!str_has_prefix(issuer, STR("https://")) || str_has_suffix(issuer, STR("/"))))
        complain(at(loading, "oidc_issuer"),
                 "oidc_issuer must begin with https:// and not end with /");
    if (issuer.n && (!conf->oidc_client.s[0] || !conf->public_url.s[0]))
        complain(at(loading, "oidc_issuer"), "oidc_issuer needs oidc_client and public_url");
    if (join.n && (!str_is_uuid(join) || !conf->oidc_domains.s[0]))
        complain(at(loading, "oidc_join"),
                 "oidc_join must be the id of a tenant, and needs oidc_domains");
}

static bool is_signup(struct str text)
{
    return str_eq(text, STR("open")) || str_eq(text, STR("invite")) || str_eq(text, STR("closed"));
}

static bool is_switch(struct str text)
{
    return str_eq(text, STR("off")) || str_eq(text, STR("on"));
}

static void check_together(struct loading *loading)
{
    const struct conf *conf = loading->conf;
    if (!is_switch(str_of(conf->deploys_in_score.s)))
        complain(at(loading, "deploys_in_score"), "deploys_in_score must be off or on");
    if (!is_signup(str_of(conf->signup.s)))
        complain(at(loading, "signup"), "signup must be open, invite or closed");
    check_mail(loading, conf);
    check_oidc(loading, conf);
    if (!is_level(str_of(conf->log_level.s)))
        complain(at(loading, "log_level"), "log_level must be error, warn, info or debug");
    if (conf->stale_warn > conf->stale_block)
        complain(at(at(loading, "stale_warn"), "stale_block"),
                 "stale_warn must not be more than stale_block");
    if (conf->metrics_token.s[0] && strlen(conf->metrics_token.s) < TOKEN_MIN)
        complain(at(loading, "metrics_token"), "metrics_token must have at least %d characters",
                 TOKEN_MIN);
    check_ranges(loading, "metrics_allow", &conf->metrics_allow);
    check_ranges(loading, "trusted_proxies", &conf->trusted_proxies);
    check_ranges(loading, "webhook_allow", &conf->webhook_allow);
    check_components(loading, str_of(conf->components.s));
    check_words(loading, conf);
}

const char *conf_path(void)
{
    const char *path = getenv("LOADLINE_CONF");
    return path && path[0] ? path : "/etc/loadline/loadline.conf";
}

bool conf_has_metrics(const struct conf *conf)
{
    return conf->metrics_token.s[0] || conf->metrics_allow.s[0];
}

void conf_defaults(struct conf *conf)
{
    memset(conf, 0, sizeof *conf);
    for (size_t i = 0; i < KEY_COUNT; i++)
        set_key(conf, &keys[i], str_of(keys[i].value));
}

bool conf_load(struct conf *conf, const char *path, char error[CONF_ERROR_SIZE])
{
    struct loading loading = {.conf = conf, .path = path, .error = error};
    conf_defaults(conf);
    error[0] = '\0';
    loading.file = fopen(path, "re");
    if (!loading.file) {
        snprintf(error, CONF_ERROR_SIZE, "%s: %s", path, strerror(errno));
        return false;
    }
    int wrong = ini_parse_stream(read_line, &loading, take_value, &loading);
    if (ferror(loading.file))
        complain(&loading, "%s", strerror(errno));
    fclose(loading.file);
    if (wrong > 0 && !error[0]) {
        loading.line = wrong;
        complain(&loading, "this is not a \"key = value\" line");
    }
    check_together(&loading);
    return !error[0];
}
