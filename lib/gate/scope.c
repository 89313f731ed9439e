#include "gate/scope.h"

#include "gate/scope_line.h"
#include "kube/kinds.h"

enum { WORDS_MAX = 4096, NAMED_MAX = 3 };

struct str scope_relation_name(enum scope_relation relation)
{
    static const struct str names[] = {STR("target"),  STR("dependency"), STR("node"),
                                       STR("cluster"), STR("namespace"),  STR("")};
    return names[relation];
}

/* An object with risks. */
struct told {
    struct str namespace, resource; /* as they stand in the text */
    enum scope_role role;
    enum scope_relation relation;
    int64_t risks, points;
    struct str worded; /* lines of its risks */
};

struct workload_line {
    struct str resource;
    int64_t wanted, ready, state, since;
};

struct reading {
    struct arena *arena;
    const struct scope_target *target;
    struct str namespace, resource; /* as they stand in the text */
    LIST(struct told) told;
    bool has_namespace, has_ingress;
    struct workload_line *found;       /* the target */
    LIST(struct workload_line) unwell; /* workloads of the namespace */
    uint32_t workloads;
    struct scope *scope;
};

/* ---- reading ---- */

/* "deployment/api", as risks name it. */
static struct str resource_of(struct arena *arena, const struct scope_target *target)
{
    struct str kind = target->kind, name = target->name;
    if (!target->name.n && !str_cut(target->resource, '/', &kind, &name))
        return target->resource;
    return kind_resource(arena, kind, name);
}

/* What the object's names say; who leans on it comes later. */
static enum scope_relation relation_by_name(const struct reading *r, const struct told *told)
{
    bool inside = str_eq(told->namespace, r->namespace);
    struct str kind, name;
    str_cut(told->resource, '/', &kind, &name);
    if (r->resource.n && (inside || !told->namespace.n) && str_eq(told->resource, r->resource))
        return SCOPE_TARGET;
    if (told->role == SCOPE_ROLE_CLUSTER)
        return SCOPE_CLUSTER;
    if (inside)
        return r->resource.n &&
                       (str_eq(kind, STR("resourcequota")) || str_eq(kind, STR("limitrange")))
                   ? SCOPE_DEPENDENCY
                   : SCOPE_NAMESPACE;
    return !told->namespace.n && str_eq(kind, STR("namespace")) && str_eq(name, r->namespace)
               ? SCOPE_NAMESPACE
               : SCOPE_NONE;
}

static void read_object(struct reading *r, struct str line)
{
    struct told told = {.role = (enum scope_role)scope_number(&line)};
    told.namespace = scope_field(&line);
    told.resource = scope_field(&line);
    told.risks = scope_number(&line);
    told.points = scope_number(&line);
    told.relation = relation_by_name(r, &told);
    LIST_ADD(r->arena, r->told, told);
}

/* A line of a risk, which belongs to the last object. */
static void read_risk(struct reading *r, struct str line)
{
    struct told *told = r->told.n ? &r->told.items[r->told.n - 1] : NULL;
    if (!told)
        return;
    if (!told->worded.p)
        told->worded.p = line.p;
    told->worded.n = (size_t)(line.p + line.n - told->worded.p);
}

static void relate(struct reading *r, struct str numbers)
{
    struct str word;
    uint64_t number;
    while (str_next_word(&numbers, &word)) {
        if (!str_to_u64(word, &number) || number >= r->told.n)
            continue;
        struct told *told = &r->told.items[number];
        bool node = str_has_prefix(told->resource, STR("node/"));
        enum scope_relation relation = node ? SCOPE_NODE : SCOPE_DEPENDENCY;
        if (relation < told->relation)
            told->relation = relation;
    }
}

static void read_namespace(struct reading *r, struct str line)
{
    bool ingress = scope_number(&line) == SCOPE_ROLE_INGRESS;
    if (!str_eq(scope_field(&line), r->namespace))
        return;
    r->has_namespace = true;
    r->has_ingress = ingress;
    relate(r, scope_field(&line));
}

static bool is_well(const struct workload_line *workload)
{
    return (workload->ready == NUMBER_ABSENT || workload->ready >= workload->wanted) &&
           workload->state != SCOPE_STATE_STUCK;
}

/* Of a target that is a namespace, what all its workloads lean on. */
static void read_workload(struct reading *r, struct str line)
{
    struct workload_line workload = {{0}, 0, 0, 0, 0};
    if (!str_eq(scope_field(&line), r->namespace))
        return;
    workload.resource = scope_field(&line);
    workload.wanted = scope_number(&line);
    workload.ready = scope_number(&line);
    workload.state = scope_number(&line);
    workload.since = scope_number(&line);
    bool is_target = r->target->is_workload && str_eq(workload.resource, r->resource);
    if (is_target && !r->found) {
        r->found = ARENA_NEW(r->arena, struct workload_line);
        *r->found = workload;
    }
    if (is_target || !r->target->is_workload)
        relate(r, scope_field(&line));
    r->workloads++;
    if (!is_well(&workload))
        LIST_ADD(r->arena, r->unwell, workload);
}

static void read_lines(struct reading *r, struct str text)
{
    struct str line;
    while (text.n) {
        str_cut(text, '\n', &line, &text);
        struct str rest = str_sub(line, 2, line.n);
        switch (line.n > 2 ? line.p[0] : 0) {
        case 'o':
            read_object(r, rest);
            break;
        case 'r':
            read_risk(r, line);
            break;
        case 'n':
            read_namespace(r, rest);
            break;
        case 'w':
            read_workload(r, rest);
            break;
        default:
            break;
        }
    }
}

/* ---- risks ---- */

struct candidate {
    enum scope_relation relation;
    int64_t points;
    uint32_t order; /* in the text */
    const struct told *told;
    struct str line; /* behind its points */
};

/* What only stands in the same namespace comes last, and of each the costliest first. */
static int by_weight(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    bool x_beside = x->relation == SCOPE_NAMESPACE, y_beside = y->relation == SCOPE_NAMESPACE;
    if (x_beside != y_beside)
        return x_beside ? 1 : -1;
    if (x->points != y->points)
        return x->points > y->points ? -1 : 1;
    if (x->relation != y->relation)
        return x->relation < y->relation ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static enum severity severity_of(struct str name)
{
    for (int s = 0; s < SEVERITY_COUNT; s++)
        if (str_eq(name, severity_name((enum severity)s)))
            return (enum severity)s;
    return SEVERITY_LOW;
}

/* False when this release does not know the check. */
static bool read_shown(struct arena *arena, const struct candidate *candidate,
                       struct scope_risk *shown)
{
    struct str line = candidate->line;
    struct risk risk = {.check = check_find(scope_field(&line))};
    risk.severity = severity_of(scope_field(&line));
    risk.count = (uint32_t)scope_number(&line);
    risk.container = scope_unescape(arena, scope_field(&line));
    risk.message = scope_unescape(arena, scope_field(&line));
    risk.namespace = scope_unescape(arena, candidate->told->namespace);
    risk.resource = scope_unescape(arena, candidate->told->resource);
    risk.impact = (uint32_t)candidate->points;
    if (!risk.check)
        return false;
    risk_identify(&risk);
    *shown = (struct scope_risk){risk, candidate->relation, TIME_NONE};
    return true;
}

typedef LIST(struct candidate) candidate_list;

static void add_candidates(struct reading *r, const struct told *told, candidate_list *candidates)
{
    struct str line, lines = told->worded;
    while (lines.n) {
        str_cut(lines, '\n', &line, &lines);
        line = str_sub(line, 2, line.n);
        int64_t points = scope_number(&line);
        LIST_ADD(r->arena, *candidates,
                 ((struct candidate){told->relation, points, candidates->n, told, line}));
    }
}

static void choose(struct reading *r)
{
    candidate_list candidates = {0};
    const struct told *told;
    struct scope *scope = r->scope;
    LIST_EACH (told, r->told) {
        if (told->relation == SCOPE_NONE)
            continue;
        scope->total += (uint32_t)told->risks;
        scope->points += told->points;
        add_candidates(r, told, &candidates);
    }
    LIST_SORT(candidates, by_weight);
    for (uint32_t i = 0; i < candidates.n && scope->shown < SCOPE_SHOWN_MAX; i++)
        scope->shown += read_shown(r->arena, &candidates.items[i], &scope->risks[scope->shown]);
}

/* ---- in words ---- */

/* "3 of 5 pods ready" */
static void put_pods(struct buf *words, const struct workload_line *workload)
{
    if (workload->wanted == 0)
        buf_put(words, STR("no pods are wanted now"));
    else if (workload->ready == NUMBER_ABSENT)
        buf_printf(words, "%lld pod%s wanted, and the snapshot does not show how many are ready",
                   (long long)workload->wanted, workload->wanted == 1 ? " is" : "s are");
    else
        buf_printf(words, "%lld of %lld pods ready", (long long)workload->ready,
                   (long long)workload->wanted);
}

static void put_rollout(struct buf *words, const struct workload_line *workload)
{
    static const char *const said[] = {[SCOPE_STATE_ROLLING] = "is in progress",
                                       [SCOPE_STATE_STUCK] = "is stuck",
                                       [SCOPE_STATE_PAUSED] = "is paused"};
    char since[CLOCK_TEXT_SIZE];
    if (workload->state == SCOPE_STATE_SUSPENDED)
        buf_put(words, STR("; it is suspended"));
    if (workload->state <= SCOPE_STATE_NONE || workload->state > SCOPE_STATE_PAUSED)
        return;
    buf_printf(words, "; rollout of %" STR_FMT " %s",
               STR_ARG(scope_unescape(words->arena, workload->resource)), said[workload->state]);
    if (workload->since != TIME_NONE)
        buf_printf(words, " since %s", clock_format_short(workload->since, since).p);
}

static void put_namespace(struct buf *words, const struct reading *r)
{
    struct str name = r->target->namespace;
    uint32_t n = r->workloads, well = n - r->unwell.n;
    if (!r->has_namespace) {
        buf_printf(words, "Namespace %" STR_FMT " is not in the last snapshot.", STR_ARG(name));
        return;
    }
    if (n == 0) {
        buf_printf(words, "Namespace %" STR_FMT " has no workloads.", STR_ARG(name));
        return;
    }
    buf_printf(words, "Namespace %" STR_FMT ": %u of %u workloads ready", STR_ARG(name), well, n);
    for (uint32_t i = 0; i < r->unwell.n && i < NAMED_MAX; i++) {
        const struct workload_line *workload = &r->unwell.items[i];
        buf_printf(words, "%s%" STR_FMT " has ", i ? ", " : "; ",
                   STR_ARG(scope_unescape(words->arena, workload->resource)));
        put_pods(words, workload);
        if (workload->state == SCOPE_STATE_STUCK)
            put_rollout(words, workload);
    }
    if (r->unwell.n > NAMED_MAX)
        buf_printf(words, ", and %u more", r->unwell.n - NAMED_MAX);
    buf_putc(words, '.');
}

static struct str state_in_words(const struct reading *r)
{
    struct buf words = buf_init(r->arena, WORDS_MAX);
    const struct scope_target *target = r->target;
    if (r->found) {
        put_pods(&words, r->found);
        put_rollout(&words, r->found);
        buf_putc(&words, '.');
        return buf_str(&words);
    }
    if (target->is_hidden)
        buf_printf(&words,
                   "%" STR_FMT
                   " may be there or not: the last snapshot does not show workloads of its kind. ",
                   STR_ARG(target->resource));
    else if (target->is_workload)
        buf_printf(&words,
                   "%" STR_FMT
                   " is not in the last snapshot, which is normal before it is deployed "
                   "for the first time. ",
                   STR_ARG(target->resource));
    else if (target->resource.n)
        buf_printf(&words, "%" STR_FMT " is no workload, so it has no pods. ",
                   STR_ARG(target->resource));
    put_namespace(&words, r);
    return buf_str(&words);
}

struct scope *scope_read(struct arena *arena, struct str text, const struct scope_target *target)
{
    struct scope *scope = ARENA_NEW(arena, struct scope);
    struct reading r = {.arena = arena, .target = target, .scope = scope};
    if (!text.p) {
        scope->state = STR("What concerns the target is known after the next push.");
        return scope;
    }
    r.namespace = scope_escape(arena, target->namespace);
    r.resource = scope_escape(arena, resource_of(arena, target));
    read_lines(&r, text);
    for (uint32_t i = 0; i < r.told.n; i++)
        if (r.has_ingress && r.told.items[i].role == SCOPE_ROLE_INGRESS &&
            r.told.items[i].relation > SCOPE_CLUSTER)
            r.told.items[i].relation = SCOPE_CLUSTER;
    choose(&r);
    scope->state = state_in_words(&r);
    return scope;
}
