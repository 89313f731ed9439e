#include "score/hosts.h"

#include <stdlib.h>

#include "kube/selector.h"

struct claim {
    struct str class, host, path;
    bool exact;
    const struct ingress *ingress;
    uint32_t ordinal;
};

struct hosts {
    struct claim *items; /* ordered by what is claimed, then by ingress */
    uint32_t n;
};

/* ingressClassName, else the annotation that came before it; absent: the default class. */
static struct str class_of(const struct ingress *ingress)
{
    if (ingress->class_name.n)
        return ingress->class_name;
    return pair_value(ingress->object.meta.annotations, STR("kubernetes.io/ingress.class"));
}

static bool is_canary(const struct ingress *ingress)
{
    return str_eq(
        pair_value(ingress->object.meta.annotations, STR("nginx.ingress.kubernetes.io/canary")),
        STR("true"));
}

static struct claim claim_of(const struct ingress *ingress, const struct ingress_rule *rule,
                             const struct ingress_path *path)
{
    return (struct claim){
        .class = class_of(ingress),
        .host = rule->host,
        .path = path->path.n ? path->path : STR("/"),
        .exact = str_eq(path->path_type, STR("Exact")),
        .ingress = ingress,
    };
}

static int compare_claims(const struct claim *a, const struct claim *b)
{
    int order = str_cmp(a->host, b->host);
    if (!order)
        order = str_cmp(a->path, b->path);
    if (!order)
        order = str_cmp(a->class, b->class);
    return order ? order : a->exact - b->exact;
}

static int by_claim(const void *a, const void *b)
{
    const struct claim *x = a, *y = b;
    int order = compare_claims(x, y);
    return order ? order : (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

static uint32_t count_paths(const struct cluster *cluster)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < cluster->ingresses.n; i++) {
        const struct ingress_rule *rule;
        LIST_EACH (rule, cluster->ingresses.items[i]->rules)
            n += rule->paths.n;
    }
    return n;
}

static void add_claims(struct hosts *hosts, const struct ingress *ingress, uint32_t ordinal)
{
    const struct ingress_rule *rule;
    const struct ingress_path *path;
    LIST_EACH (rule, ingress->rules)
        LIST_EACH (path, rule->paths) {
            struct claim *claim = &hosts->items[hosts->n++];
            *claim = claim_of(ingress, rule, path);
            claim->ordinal = ordinal;
        }
}

struct hosts *hosts_build(struct arena *arena, const struct cluster *cluster)
{
    struct hosts *hosts = ARENA_NEW(arena, struct hosts);
    hosts->items = ARENA_ARRAY(arena, count_paths(cluster), struct claim);
    for (uint32_t i = 0; i < cluster->ingresses.n; i++)
        if (!is_canary(cluster->ingresses.items[i]))
            add_claims(hosts, cluster->ingresses.items[i], i);
    qsort(hosts->items, hosts->n, sizeof *hosts->items, by_claim);
    return hosts;
}

const struct ingress *hosts_rival(const struct check_context *context,
                                  const struct ingress *ingress, const struct ingress_rule *rule,
                                  const struct ingress_path *path)
{
    const struct hosts *hosts = context->hosts;
    struct claim wanted = claim_of(ingress, rule, path);
    uint32_t low = 0, high = hosts->n;
    if (is_canary(ingress))
        return NULL;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_claims(&hosts->items[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < hosts->n && !compare_claims(&hosts->items[low], &wanted); low++)
        if (hosts->items[low].ingress != ingress)
            return hosts->items[low].ingress;
    return NULL;
}
