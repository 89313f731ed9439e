#include "score/hosts.h"

#include "kube/selector.h"

struct claim {
    struct str class, host, path;
    bool exact;
    const struct ingress *ingress;
    uint32_t ordinal;
};

struct hosts {
    LIST(struct claim) claims; /* ordered by what is claimed, then by ingress */
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

/* A prefix means the same with a slash at its end: kubernetes.io/docs/concepts/services-networking/
 * ingress, "Path types: examples". */
static struct str path_claimed(const struct ingress_path *path)
{
    struct str claimed = path->path.n ? path->path : STR("/");
    while (str_eq(path->path_type, STR("Prefix")) && claimed.n > 1 &&
           str_has_suffix(claimed, STR("/")))
        claimed.n--;
    return claimed;
}

static struct claim claim_of(const struct ingress *ingress, const struct ingress_rule *rule,
                             const struct ingress_path *path)
{
    return (struct claim){
        .class = class_of(ingress),
        .host = rule->host,
        .path = path_claimed(path),
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

static void add_claims(struct arena *arena, struct hosts *hosts, const struct ingress *ingress,
                       uint32_t ordinal)
{
    const struct ingress_rule *rule;
    const struct ingress_path *path;
    LIST_EACH (rule, ingress->rules)
        LIST_EACH (path, rule->paths) {
            struct claim claim = claim_of(ingress, rule, path);
            claim.ordinal = ordinal;
            LIST_ADD(arena, hosts->claims, claim);
        }
}

struct hosts *hosts_build(struct arena *arena, const struct cluster *cluster)
{
    struct hosts *hosts = ARENA_NEW(arena, struct hosts);
    for (uint32_t i = 0; i < cluster->ingresses.n; i++)
        if (!is_canary(cluster->ingresses.items[i]))
            add_claims(arena, hosts, cluster->ingresses.items[i], i);
    LIST_SORT(hosts->claims, by_claim);
    return hosts;
}

/* Who has the claim of that place, when it is about the same. */
static const struct ingress *claimed_by(const struct hosts *hosts, uint32_t at,
                                        const struct claim *wanted)
{
    const struct claim *claims = hosts->claims.items;
    bool same = at < hosts->claims.n && compare_claims(&claims[at], wanted) == 0;
    return same ? claims[at].ingress : NULL;
}

const struct ingress *hosts_rival(const struct check_context *context,
                                  const struct ingress *ingress, const struct ingress_rule *rule,
                                  const struct ingress_path *path)
{
    const struct hosts *hosts = context->hosts;
    const struct claim *claims = hosts->claims.items;
    struct claim wanted = claim_of(ingress, rule, path);
    uint32_t at;
    if (is_canary(ingress))
        return NULL;
    LIST_LOWER_BOUND(hosts->claims, at, compare_claims(&claims[at], &wanted) < 0);
    if (at == hosts->claims.n || claims[at].ingress != ingress)
        return claimed_by(hosts, at, &wanted);
    /* It is the first of those who claim this, and may do so any number of times. */
    wanted.ordinal = claims[at].ordinal + 1;
    LIST_LOWER_BOUND(hosts->claims, at, by_claim(&claims[at], &wanted) < 0);
    return claimed_by(hosts, at, &wanted);
}
