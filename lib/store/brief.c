#include "store/brief.h"

#include "base/buf.h"
#include "base/hash.h"
#include "kube/kinds.h"
#include "report/report.h"

#define STATEMENTS "store/brief.def"
#include "db/statements.inc"

enum { LINES_MAX = 64 * 1024 * 1024, REASON_MAX = 600 };

enum error brief_fetch(struct db *db, struct arena *arena, struct str cluster, struct brief **brief)
{
    return DB_ROW(db, arena, brief, brief_fetch, .cluster = cluster);
}

enum error brief_put(struct db *db, struct str cluster, const struct brief *brief)
{
    return DB_RUN(db, brief_put, .cluster = cluster, .reasons = brief->reasons,
                  .risks = brief->risks, .risks_hash = brief->risks_hash,
                  .workloads = brief->workloads);
}

/* ---- workloads ---- */

/* The status of an object from the API server leaves counts out that are zero. A manifest has no
 * status, and a summary item says what it knows: there an absent count is unknown. */
static bool has_status(const struct workload *w)
{
    return w->observed_generation != NUMBER_ABSENT || w->status_replicas != NUMBER_ABSENT ||
           w->desired_scheduled != NUMBER_ABSENT || w->conditions.n > 0;
}

static int64_t count_of(const struct workload *w, int64_t count)
{
    return count == NUMBER_ABSENT && has_status(w) && !w->object.summary ? 0 : count;
}

static int64_t desired_of(const struct workload *w)
{
    switch (w->object.kind) {
    case KIND_DAEMONSET:
        return count_of(w, w->desired_scheduled);
    case KIND_DEPLOYMENT:
    case KIND_STATEFULSET:
    case KIND_REPLICASET:
    case KIND_REPLICATIONCONTROLLER:
    case KIND_DEPLOYMENTCONFIG:
    case KIND_ROLLOUT:
        return w->replicas == NUMBER_ABSENT && !w->object.summary ? 1 : w->replicas;
    default:
        return NUMBER_ABSENT;
    }
}

/* As kubectl rollout status sees it, but that it would also wait for pods to become available. */
static bool is_rolling(const struct workload *w, int64_t desired)
{
    int64_t generation = w->object.meta.generation;
    bool rolls = w->object.kind == KIND_DEPLOYMENT || w->object.kind == KIND_STATEFULSET ||
                 w->object.kind == KIND_DAEMONSET;
    if (!rolls || !has_status(w) || w->object.summary)
        return false;
    if (generation != NUMBER_ABSENT && w->observed_generation != NUMBER_ABSENT &&
        w->observed_generation < generation)
        return true;
    int64_t updated = count_of(w, w->updated_replicas);
    if (w->object.kind == KIND_DEPLOYMENT && count_of(w, w->status_replicas) > updated)
        return true;
    if (w->object.kind == KIND_STATEFULSET)
        return w->update_revision.n && !str_eq(w->update_revision, w->current_revision);
    return updated < desired;
}

static void put_word(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        buf_putc(out, (unsigned char)s.p[i] < ' ' ? '?' : s.p[i]);
    buf_putc(out, '\t');
}

static void put_number(struct buf *out, int64_t n)
{
    if (n == NUMBER_ABSENT)
        buf_put(out, STR("-\t"));
    else
        buf_printf(out, "%lld\t", (long long)n);
}

/* kind, namespace, name, desired, available, and "rolling" or "-". */
static struct str workload_lines(struct arena *arena, const struct cluster *cluster)
{
    struct buf out = buf_init(arena, LINES_MAX);
    struct workload **at;
    LIST_EACH (at, cluster->workloads) {
        const struct workload *w = *at;
        if (w->synthesized || w->owner)
            continue;
        int64_t desired = desired_of(w);
        put_word(&out, w->object.kind_name);
        put_word(&out, w->object.meta.namespace);
        put_word(&out, w->object.meta.name);
        put_number(&out, desired);
        put_number(&out, count_of(w, w->available_replicas));
        buf_put(&out, is_rolling(w, desired) ? STR("rolling\n") : STR("-\n"));
    }
    return out.n ? buf_str(&out) : STR("");
}

/* ---- risks ---- */

static void put_reason(struct buf *out, struct arena *arena, const struct risk *risk)
{
    struct str place = risk->namespace.n
                           ? arena_printf(arena, "%" STR_FMT " in %" STR_FMT,
                                          STR_ARG(risk->resource), STR_ARG(risk->namespace))
                           : risk->resource;
    struct str line = arena_printf(arena, "%" STR_FMT " costs %u.%02u: %" STR_FMT, STR_ARG(place),
                                   risk->impact / 100, risk->impact % 100, STR_ARG(risk->message));
    line = str_utf8_prefix(line, REASON_MAX);
    for (size_t i = 0; i < line.n; i++)
        buf_putc(out, (unsigned char)line.p[i] < ' ' ? ' ' : line.p[i]);
    buf_putc(out, '\n');
}

struct brief brief_of(struct arena *arena, const struct cluster *cluster,
                      const struct ledger *ledger, const int64_t *first_seen)
{
    struct buf reasons = buf_init(arena, LINES_MAX), risks = buf_init(arena, LINES_MAX);
    for (uint32_t i = 0; i < ledger->risks.n && i < BRIEF_RISKS_MAX; i++) {
        const struct risk *risk = &ledger->risks.items[i];
        struct jw jw;
        jw_init(&jw, &risks);
        report_risk(&jw, risk, STR("cluster"), first_seen[i]);
        buf_putc(&risks, '\n');
        if (i < BRIEF_REASONS_MAX && risk->impact > 0)
            put_reason(&reasons, arena, risk);
    }
    struct str lines = risks.n ? buf_str(&risks) : STR("");
    return (struct brief){.reasons = reasons.n ? buf_str(&reasons) : STR(""),
                          .risks = lines,
                          .risks_hash = (int64_t)str_hash(0, lines),
                          .workloads = workload_lines(arena, cluster)};
}

static uint64_t hash_risk(uint64_t hash, const struct risk *risk)
{
    uint32_t numbers[] = {risk->severity, risk->impact, risk->count, risk->exempt};
    const struct check *payer = risk->absorbed_by;
    hash = hash_bytes(hash, str_of(risk->id));
    hash = hash_bytes(hash, risk->message);
    hash = hash_bytes(hash, (struct str){(const char *)numbers, sizeof numbers});
    hash = hash_bytes(hash, risk->exempt_reason);
    return hash_bytes(hash, str_of(payer ? payer->id : "-"));
}

int64_t brief_hash(struct arena *arena, const struct cluster *cluster, const struct ledger *ledger)
{
    uint64_t hash = hash_bytes(0, workload_lines(arena, cluster));
    for (uint32_t i = 0; i < ledger->risks.n; i++)
        hash = hash_risk(hash, &ledger->risks.items[i]);
    return (int64_t)hash;
}

/* ---- look-up ---- */

static int64_t number_of(struct str text)
{
    int64_t n;
    return str_to_i64(text, &n) ? n : NUMBER_ABSENT;
}

static struct brief_workload workload_of(struct str line)
{
    struct str field[6] = {{0}};
    for (size_t i = 0; i < 6; i++)
        str_cut(line, '\t', &field[i], &line);
    return (struct brief_workload){.kind = field[0],
                                   .namespace = field[1],
                                   .name = field[2],
                                   .desired = number_of(field[3]),
                                   .available = number_of(field[4]),
                                   .rolling = str_eq(field[5], STR("rolling"))};
}

bool brief_find(const struct brief *brief, struct str namespace, struct str resource,
                struct brief_workload *found, bool *is_workload)
{
    struct str word, name, line, lines = brief->workloads;
    enum kind kind = KIND_NONE;
    bool has_kind = str_cut(resource, '/', &word, &name);
    if (has_kind)
        kind = kind_of_workload(word);
    else
        name = resource;
    *is_workload = !has_kind || kind;
    while (*is_workload && lines.n) {
        str_cut(lines, '\n', &line, &lines);
        *found = workload_of(line);
        if (str_eq(found->name, name) && str_eq(found->namespace, namespace) &&
            (!has_kind || str_eq(found->kind, kind_name(kind))))
            return true;
    }
    return false;
}
