#include "alert/alert.h"

#include "score/completeness.h"
#include "score/state.h"

static int by_subject(const void *a, const void *b)
{
    const struct alert_app *x = a, *y = b;
    return str_cmp(x->subject, y->subject);
}

static bool is_app(const struct workload *w)
{
    const struct object_meta *meta = &w->object.meta;
    return w->object.kind == KIND_DEPLOYMENT && !w->synthesized &&
           meta->namespace.n + 1 + meta->name.n <= ALERT_SUBJECT_MAX;
}

static struct alert_app app_of(struct arena *arena, const struct workload *w)
{
    const struct object_meta *meta = &w->object.meta;
    return (struct alert_app){.subject =
                                  arena_printf(arena, "%" STR_FMT "/%" STR_FMT,
                                               STR_ARG(meta->namespace), STR_ARG(meta->name)),
                              .known = has_replica_status(w),
                              .desired = wanted_replicas(w),
                              .available = available_replicas(w)};
}

/* Of two of one name the first. */
static void add_apps(struct arena *arena, struct alert_facts *facts, const struct cluster *cluster)
{
    uint32_t n = 0;
    struct workload **w;
    facts->apps.n = cluster->workloads.n;
    LIST_ROOM(arena, facts->apps);
    LIST_EACH (w, cluster->workloads)
        if (is_app(*w))
            LIST_PUT(facts->apps, app_of(arena, *w));
    LIST_SORT(facts->apps, by_subject);
    for (uint32_t i = 0; i < facts->apps.n; i++)
        if (n == 0 || by_subject(&facts->apps.items[n - 1], &facts->apps.items[i]) != 0)
            facts->apps.items[n++] = facts->apps.items[i];
    facts->apps.n = n;
}

struct alert_facts alert_facts(struct arena *arena, struct str cluster_name,
                               const struct cluster *cluster, const struct ledger *ledger,
                               bool with_apps)
{
    struct alert_facts facts = {.cluster_name = cluster_name,
                                .score = ledger->csc_score,
                                .risks = ledger->risks.n,
                                .verdict = ledger->verdict,
                                .apps_known = completeness_kinds(cluster) >> KIND_DEPLOYMENT & 1};
    if (with_apps)
        add_apps(arena, &facts, cluster);
    return facts;
}
