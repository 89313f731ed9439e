#include "watched.h"

static const struct {
    enum kind kind;
    struct str plural, groups;
} rows[] = {
#define KIND(id, name, plural, api_groups, list, schema, pods)                                     \
    {KIND_##id, STR(plural), STR(api_groups)},
#include "kube/kinds.def"
#undef KIND
};

static bool is_watched(enum kind kind)
{
    return kind != KIND_SECRET && kind != KIND_ENDPOINTS;
}

bool watched_next(size_t *at, struct watched *one)
{
    while (*at < sizeof rows / sizeof *rows && !is_watched(rows[*at].kind))
        ++*at;
    if (*at == sizeof rows / sizeof *rows)
        return false;
    enum kind kind = rows[*at].kind;
    *one = (struct watched){kind, rows[*at].plural, rows[*at].groups, STR(""), false};
    ++*at;
    if (kind == KIND_PODMETRICS)
        one->resource = STR("pods");
    if (kind == KIND_NODEMETRICS)
        one->resource = STR("nodes");
    if (kind == KIND_LEASE) /* those of the nodes, which renew them every ten seconds */
        one->namespace = STR("kube-node-lease");
    one->quiet = kind == KIND_LEASE || kind == KIND_PODMETRICS || kind == KIND_NODEMETRICS;
    return true;
}

bool watched_has_group(const struct watched *one, struct str group)
{
    struct str name, rest = one->groups;
    while (rest.n) {
        str_cut(rest, ',', &name, &rest);
        if (str_eq(name, group))
            return true;
    }
    return false;
}
