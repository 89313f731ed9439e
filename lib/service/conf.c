#include "service/conf.h"

#include <errno.h>
#include <ini.h>
#include <stdarg.h>

#include "base/ip.h"
#include "score/component.h"

typedef const char *conf_problem; /* NULL: none */

struct key {
    const char *name;
    conf_problem (*set)(void *field, struct str value, int64_t min, int64_t max);
    size_t offset;
    const char *value;
    int64_t min, max;
};

static conf_problem set_INT(void *field, struct str value, int64_t min, int64_t max)
{
    int64_t *number = field;
    int64_t parsed;
    if (!str_to_i64(value, &parsed))
        return "must be a whole number";
    if (parsed < min || parsed > max)
        return "is out of range";
    *number = parsed;
    return NULL;
}

static conf_problem set_TEXT(void *field, struct str value, int64_t min, int64_t max)
{
    conf_TEXT *text = field;
    if ((int64_t)value.n < min)
        return "is too short";
    if ((int64_t)value.n > max || value.n > CONF_TEXT_MAX)
        return "is too long";
    memcpy(text->s, value.p, value.n);
    text->s[value.n] = '\0';
    return NULL;
}

static conf_problem set_RATE(void *field, struct str value, int64_t min, int64_t max)
{
    conf_RATE *rate = field;
    conf_RATE parsed;
    struct str count, seconds;
    if (!str_cut(value, '/', &count, &seconds) || !str_to_i64(str_trim(count), &parsed.count) ||
        !str_to_i64(str_trim(seconds), &parsed.seconds))
        return "must be COUNT/SECONDS";
    if (parsed.count < min || parsed.count > max || parsed.seconds < 1 || parsed.seconds > 86400)
        return "is out of range";
    *rate = parsed;
    return NULL;
}

static const struct key keys[] = {
#define CONF(name, type, default_value, min, max, doc)                                             \
    {#name, set_##type, offsetof(struct conf, name), default_value, min, max},
#include "service/conf.def"
#undef CONF
};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

static conf_problem set_key(struct conf *conf, const struct key *key, struct str value)
{
    return key->set((char *)conf + key->offset, value, key->min, key->max);
}

struct loading {
    struct conf *conf;
    const char *path;
    FILE *file;
    int line;
    char *error; /* the first one; "" while there is none */
};

static int complain(struct loading *loading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int complain(struct loading *loading, const char *format, ...)
{
    if (loading->error[0])
        return 0;
    int n = snprintf(loading->error, CONF_ERROR_SIZE, "%s:%d: ", loading->path, loading->line);
    if (n < 0 || n >= CONF_ERROR_SIZE)
        return 0;
    va_list args;
    va_start(args, format);
    vsnprintf(loading->error + n, CONF_ERROR_SIZE - (size_t)n, format, args);
    va_end(args);
    return 0;
}

/* inih would go on with the value before in a line that begins with blanks. */
static char *read_line(char *line, int size, void *user)
{
    struct loading *loading = user;
    if (!fgets(line, size, loading->file))
        return NULL;
    loading->line++;
    if (!strchr(line, '\n') && !feof(loading->file))
        complain(loading, "the line is longer than %d bytes", size - 2);
    size_t blanks = strspn(line, " \t");
    memmove(line, line + blanks, strlen(line + blanks) + 1);
    return line;
}

/* Names that keys had before; files on hosts still have them. */
static const char *name_of(const char *name)
{
    return strcmp(name, "partition_database") == 0 ? "maintain_database" : name;
}

static int take_value(void *user, const char *section, const char *name, const char *value)
{
    struct loading *loading = user;
    if (section[0])
        return complain(loading, "sections are not used here: [%s]", section);
    for (size_t i = 0; i < KEY_COUNT; i++) {
        if (strcmp(keys[i].name, name_of(name)) != 0)
            continue;
        conf_problem problem = set_key(loading->conf, &keys[i], str_of(value));
        return problem ? complain(loading, "%s %s: \"%s\"", name, problem, value) : 1;
    }
    return complain(loading, "unknown key \"%s\"", name);
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

static void check_ranges(struct loading *loading, const char *name, const conf_TEXT *ranges)
{
    if (!ip_are_ranges(str_of(ranges->s)))
        complain(loading, "%s must be addresses or ranges such as 10.0.0.0/8, separated by spaces",
                 name);
}

static void check_components(struct loading *loading, struct str words)
{
    struct str word;
    while (str_next_word(&words, &word))
        if (!component_word_is_valid(word))
            complain(loading,
                     "components must be role:namespace/name with the role dns, network or "
                     "ingress: \"%" STR_FMT "\"",
                     STR_ARG(word));
}

/* Links and commands are made of these. */
static void check_mail(struct loading *loading, const struct conf *conf)
{
    struct str url = str_of(conf->public_url.s);
    if (url.n && !str_has_prefix(url, STR("https://")) && !str_has_prefix(url, STR("http://")))
        complain(loading, "public_url must begin with https:// or http://");
    if (url.n && url.p[url.n - 1] == '/')
        complain(loading, "public_url must not end with /");
    if (strpbrk(conf->mail_from.s, " <>") || conf->mail_from.s[0] == '-')
        complain(loading, "mail_from must be an address alone");
    if (conf->mail_program.s[0] && conf->mail_program.s[0] != '/')
        complain(loading, "mail_program must be a whole path");
    if (conf->mail_program.s[0] && (!conf->mail_from.s[0] || !url.n))
        complain(loading, "mail_program needs mail_from and public_url");
}

static void check_oidc(struct loading *loading, const struct conf *conf)
{
    struct str issuer = str_of(conf->oidc_issuer.s), join = str_of(conf->oidc_join.s);
    if (issuer.n && (!str_has_prefix(issuer, STR("https://")) || str_has_suffix(issuer, STR("/"))))
        complain(loading, "oidc_issuer must begin with https:// and not end with /");
    if (issuer.n && (!conf->oidc_client.s[0] || !conf->public_url.s[0]))
        complain(loading, "oidc_issuer needs oidc_client and public_url");
    if (join.n && (!str_is_uuid(join) || !conf->oidc_domains.s[0]))
        complain(loading, "oidc_join must be the id of a tenant, and needs oidc_domains");
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
        complain(loading, "deploys_in_score must be off or on");
    if (!is_signup(str_of(conf->signup.s)))
        complain(loading, "signup must be open, invite or closed");
    check_mail(loading, conf);
    check_oidc(loading, conf);
    if (!is_level(str_of(conf->log_level.s)))
        complain(loading, "log_level must be error, warn, info or debug");
    if (conf->stale_warn > conf->stale_block)
        complain(loading, "stale_warn must not be more than stale_block");
    if (conf->metrics_token.s[0] && strlen(conf->metrics_token.s) < TOKEN_MIN)
        complain(loading, "metrics_token must have at least %d characters", TOKEN_MIN);
    check_ranges(loading, "metrics_allow", &conf->metrics_allow);
    check_ranges(loading, "trusted_proxies", &conf->trusted_proxies);
    check_ranges(loading, "webhook_allow", &conf->webhook_allow);
    check_components(loading, str_of(conf->components.s));
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
