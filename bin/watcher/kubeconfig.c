#include "kubeconfig.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/ip.h"
#include "codec/jr.h"
#include "kube/meta.h"
#include "offline/yaml.h"

enum { FILE_MAX = 4 * 1024 * 1024, DEPTH_MAX = 32 };

struct kubeconfig {
    const char *path;
    struct arena *arena;
    struct str json;
};

static bool complain(const char *path, const char *what, struct str which)
{
    fprintf(stderr, "loadline-agent: %s: %s%" STR_FMT "\n", path, what, STR_ARG(which));
    return false;
}

/* problem: errno, when it is not the text that is wrong */
static bool complain_of_file(const char *path, const struct yaml_error *error, int problem,
                             bool full)
{
    if (full)
        return complain(path, "it has more than 4 MiB", STR(""));
    if (!error->text[0])
        return complain(path, strerror(problem), STR(""));
    fprintf(stderr, "loadline-agent: %s:%llu:%llu: it is no YAML: %s\n", path,
            (unsigned long long)error->line, (unsigned long long)error->column, error->text);
    return false;
}

/* ---- the file ---- */

static ptrdiff_t read_file(void *context, char *dst, size_t cap)
{
    size_t n = fread(dst, 1, cap, context);
    return n == 0 && ferror((FILE *)context) ? -1 : (ptrdiff_t)n;
}

/* All of the file as JSON. */
static bool read_json(struct kubeconfig *config)
{
    struct buf json = buf_init(config->arena, FILE_MAX);
    char piece[4096];
    ptrdiff_t n;
    FILE *file = fopen(config->path, "re");
    if (!file)
        return complain(config->path, strerror(errno), STR(""));
    struct yaml *yaml = yaml_open((struct source){read_file, file});
    if (!yaml)
        memory_exhausted();
    struct source source = yaml_source(yaml);
    while ((n = source.read(source.context, piece, sizeof piece)) > 0)
        buf_put(&json, (struct str){piece, (size_t)n});
    int problem = errno;
    config->json = buf_str(&json);
    if (n < 0 || json.full)
        complain_of_file(config->path, yaml_error(yaml), problem, json.full);
    yaml_close(yaml);
    fclose(file);
    return n == 0 && !json.full;
}

/* A reader within the only value. */
static struct jr *open_json(const struct kubeconfig *config, struct str *rest)
{
    const struct jr_limits limits = {
        .depth = DEPTH_MAX, .key = 1024, .string = FILE_MAX, .mark = 1024, .total = UINT64_MAX};
    *rest = config->json;
    struct jr *jr = jr_open(config->arena, source_of(rest), limits);
    if (jr_next(jr) == JR_OBJECT)
        jr_enter(jr);
    return jr;
}

static struct str text_of_member(const struct kubeconfig *config, const char *key)
{
    struct str rest, text = {0};
    struct jr *jr = open_json(config, &rest);
    enum jr_type type;
    while (jr_depth(jr) == 1 && (type = jr_next(jr)) > JR_END)
        if (type == JR_STRING && str_eq(jr_key(jr), str_of(key)))
            text = arena_str(config->arena, jr_text(jr));
    return text;
}

/* The members of an entry, {"name": NAME, INNER: {...}}: of containers only that they are there. */
static struct str read_entry(const struct kubeconfig *config, struct jr *jr, const char *inner,
                             pair_list *members)
{
    struct str name = {0};
    enum jr_type type, member;
    jr_enter(jr);
    while ((type = jr_next(jr)) > JR_END)
        if (type == JR_STRING && str_eq(jr_key(jr), STR("name"))) {
            name = arena_str(config->arena, jr_text(jr));
        } else if (type == JR_OBJECT && str_eq(jr_key(jr), str_of(inner))) {
            jr_enter(jr);
            while ((member = jr_next(jr)) > JR_END) {
                if (member == JR_NULL) /* as if it were not there */
                    continue;
                struct pair pair = {arena_str(config->arena, jr_key(jr)),
                                    member > JR_ARRAY ? arena_str(config->arena, jr_text(jr))
                                                      : STR("")};
                LIST_ADD(config->arena, *members, pair);
            }
        }
    return name;
}

/* Of the entry with that name in the list. */
static bool find_entry(const struct kubeconfig *config, const char *list, const char *inner,
                       struct str name, pair_list *members)
{
    struct str rest;
    struct jr *jr = open_json(config, &rest);
    enum jr_type type;
    while (jr_depth(jr) == 1 && (type = jr_next(jr)) > JR_END) {
        if (type != JR_ARRAY || !str_eq(jr_key(jr), str_of(list)))
            continue;
        jr_enter(jr);
        while ((type = jr_next(jr)) > JR_END) {
            pair_list found = {0};
            if (type == JR_OBJECT && str_eq(read_entry(config, jr, inner, &found), name)) {
                *members = found;
                return true;
            }
        }
    }
    fprintf(stderr, "loadline-agent: %s has no \"%" STR_FMT "\" among its %s\n", config->path,
            STR_ARG(name), list);
    return false;
}

static struct str value_of(pair_list members, const char *key)
{
    const struct pair *pair;
    LIST_EACH (pair, members)
        if (str_eq(pair->key, str_of(key)))
            return str_or_empty(pair->value);
    return (struct str){NULL, 0};
}

/* ---- access ---- */

/* What is named there stands beside the file. */
static char *path_beside(const struct kubeconfig *config, struct str name)
{
    struct bytes path = {0};
    struct str folder;
    if (!name.n)
        return NULL;
    if (*name.p != '/' && str_cut_last(str_of(config->path), '/', &folder, NULL)) {
        bytes_put(&path, folder);
        bytes_putc(&path, '/');
    }
    bytes_put(&path, name);
    bytes_putc(&path, 0);
    return path.p;
}

static bool decode(const struct kubeconfig *config, struct str text, const char *key,
                   struct bytes *out)
{
    struct bytes plain = {0};
    size_t padding = 0;
    for (size_t i = 0; i < text.n; i++)
        if (!strchr(" \t\r\n", text.p[i])) {
            bytes_putc(&plain, text.p[i]);
            padding += text.p[i] == '=';
        }
    out->p = memory_resize(out->p, plain.n + 4);
    out->room = plain.n + 4;
    int n = plain.n
                ? EVP_DecodeBlock((unsigned char *)out->p, (unsigned char *)plain.p, (int)plain.n)
                : 0;
    bytes_free(&plain);
    out->n = n > 0 && padding <= 2 ? (size_t)n - padding : 0;
    return n >= 0 && padding <= 2 ? true : complain(config->path, "is no base64: ", str_of(key));
}

/* KEY names a file, KEY-data is its content, which counts more. */
static bool take_either(const struct kubeconfig *config, pair_list members, const char *key,
                        char **file, struct bytes *content)
{
    struct str data_key = arena_printf(config->arena, "%s-data", key);
    struct str data = value_of(members, data_key.p);
    if (data.n)
        return decode(config, data, data_key.p, content);
    *file = path_beside(config, value_of(members, key));
    return true;
}

static bool take_cluster(const struct kubeconfig *config, pair_list cluster, bool allow_insecure,
                         struct access *access)
{
    struct str server = value_of(cluster, "server");
    while (str_has_suffix(server, STR("/")))
        server.n--;
    if (!str_has_prefix(server, STR("https://")) && !str_has_prefix(server, STR("http://")))
        return complain(config->path, "its cluster has no server", STR(""));
    access->server = memory_text(server);
    access->insecure = str_eq(value_of(cluster, "insecure-skip-tls-verify"), STR("true"));
    if (access->insecure && !allow_insecure)
        return complain(config->path,
                        "insecure-skip-tls-verify would let anybody answer for the API server; "
                        "--allow-insecure if you want that",
                        STR(""));
    return take_either(config, cluster, "certificate-authority", &access->ca_file, &access->ca);
}

/* Is what goes there seen by others on the way? */
static bool is_in_the_clear(struct str server)
{
    struct str prefix = STR("http://"), host;
    struct ip ip;
    if (!str_has_prefix(server, prefix))
        return false;
    str_cut(str_sub(server, prefix.n, server.n), '/', &host, NULL);
    if (str_has_prefix(host, STR("[")))
        str_cut(str_sub(host, 1, host.n), ']', &host, NULL);
    else
        str_cut(host, ':', &host, NULL);
    return !str_eq(host, STR("localhost")) &&
           !(ip_parse(host, &ip) && ip_in_ranges(&ip, STR("127.0.0.0/8 ::1/128")));
}

static bool take_user(const struct kubeconfig *config, pair_list user, bool allow_insecure,
                      struct access *access)
{
    struct str token = value_of(user, "token"), file = value_of(user, "tokenFile");
    if (value_of(user, "exec").p || value_of(user, "auth-provider").p)
        return complain(config->path,
                        "its user gets credentials from a program, which the agent does not run; "
                        "make a token: kubectl create token ACCOUNT",
                        STR(""));
    if ((file.n || token.n) && is_in_the_clear(str_of(access->server)) && !allow_insecure)
        return complain(config->path,
                        "its server has no https, so that others could read the token on its way; "
                        "--allow-insecure if you want that",
                        STR(""));
    if (file.n) /* which counts more, as for kubectl */
        access->token_file = path_beside(config, file);
    else if (token.n)
        access->token = memory_text(token);
    return take_either(config, user, "client-certificate", &access->certificate_file,
                       &access->certificate) &&
           take_either(config, user, "client-key", &access->key_file, &access->key);
}

static bool take_all(struct kubeconfig *config, const char *context, bool allow_insecure,
                     struct access *access)
{
    pair_list chosen = {0}, cluster = {0}, user = {0};
    if (!read_json(config))
        return false;
    struct str name = context ? str_of(context) : text_of_member(config, "current-context");
    if (!name.n)
        return complain(config->path, "has no current-context; --context NAME chooses one",
                        STR(""));
    return find_entry(config, "contexts", "context", name, &chosen) &&
           find_entry(config, "clusters", "cluster", value_of(chosen, "cluster"), &cluster) &&
           find_entry(config, "users", "user", value_of(chosen, "user"), &user) &&
           take_cluster(config, cluster, allow_insecure, access) &&
           take_user(config, user, allow_insecure, access);
}

bool kubeconfig_read(const char *path, const char *context, bool allow_insecure,
                     struct access *access)
{
    struct kubeconfig config = {.path = path, .arena = arena_new(SIZE_MAX / 2)};
    if (!config.arena)
        memory_exhausted();
    bool good = take_all(&config, context, allow_insecure, access);
    arena_free(config.arena);
    return good;
}
