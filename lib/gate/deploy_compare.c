#include "gate/deploy_compare.h"

#include "base/hash.h"
#include "base/table.h"
#include "codec/jw.h"
#include "gate/deploy_images.h"
#include "kube/credential_cut.h"
#include "kube/deployed_by.h"

/* Times of the API server have seconds only, and an agent may see an object a little late. */
#define CREATED_MARGIN_MS CLOCK_MINUTE

struct comparing {
    struct arena *arena;
    const struct deploy_scan *scan;
    struct table was; /* struct deploy_memory, by key */
    bool is_first;    /* nothing is remembered */
    int64_t before, taken;
    struct deploy_compared *compared;
};

/* ---- what is remembered ---- */

static uint64_t slot(const struct deploy_scan *scan, uint64_t key)
{
    return hash_bytes(scan->cluster->seed, (struct str){(const char *)&key, sizeof key});
}

static const struct deploy_memory *memory_of(const struct comparing *c, uint64_t key)
{
    const struct deploy_memory *memory;
    TABLE_EACH (memory, &c->was, slot(c->scan, key))
        if (memory->key == key)
            return memory;
    return NULL;
}

static void note_configs(struct arena *arena, const struct deploy_state *was,
                         struct deploy_scan *scan)
{
    struct table table = table_init(arena, was->configs.n);
    const struct deploy_config_memory *memory;
    struct deploy_config *config;
    LIST_EACH (memory, was->configs)
        table_add(&table, slot(scan, memory->key), memory);
    LIST_EACH (config, scan->configs)
        TABLE_EACH (memory, &table, slot(scan, config->now.key))
            if (memory->key == config->now.key && memory->version != config->now.version)
                config->changed = true;
}

/* Is its workload in the snapshot? */
static bool is_shown(const struct deploy_scan *scan, const struct table *shown, uint64_t key)
{
    const struct deploy_target *target;
    TABLE_EACH (target, shown, slot(scan, key))
        if (target->sight.key == key)
            return true;
    return false;
}

/* Of a kind that is not shown this time all is remembered. In what was stored before workloads
 * told their kinds every one is a Deployment: that one is shown its key tells. */
static void remember_unseen(const struct comparing *c, const struct deploy_state *was)
{
    struct deploy_state *state = &c->compared->state;
    struct table shown = table_init(c->arena, c->scan->targets.n);
    const struct deploy_memory *memory;
    const struct deploy_target *target;
    LIST_EACH (target, c->scan->targets)
        table_add(&shown, slot(c->scan, target->sight.key), target);
    LIST_EACH (memory, was->workloads)
        if (deploy_scan_lacks(c->scan, memory->kind) && !is_shown(c->scan, &shown, memory->key) &&
            state->workloads.n < DEPLOY_WORKLOADS_MAX)
            LIST_PUT(state->workloads, *memory);
}

static void remember_configs(struct arena *arena, const struct deploy_scan *scan,
                             struct deploy_state *state)
{
    const struct deploy_config *config;
    LIST_RESERVE(arena, state->configs, scan->configs.n);
    LIST_EACH (config, scan->configs)
        LIST_PUT(state->configs, config->now);
}

/* ---- what is told ---- */

static struct str text(struct arena *arena, struct str s, size_t max)
{
    if (credential_is_manifest(s))
        return STR("[redacted]");
    return str_or_empty(str_utf8_prefix(credential_cut(arena, s), max));
}

static struct str config_names(struct comparing *c, const struct workload *workload)
{
    enum { JSON_MAX = 32 * 1024 };
    struct buf out = buf_init(c->arena, JSON_MAX);
    str_list names = {0};
    const struct str *name;
    struct jw w;
    deploy_scan_configured(c->arena, c->scan, workload, &names);
    jw_init(&w, &out);
    jw_array(&w);
    LIST_EACH (name, names)
        jw_str(&w, text(c->arena, *name, DEPLOY_TEXT_MAX));
    jw_array_end(&w);
    return buf_str(&out);
}

static struct deploy_found found_of(struct comparing *c, const struct deploy_target *target,
                                    const struct deploy_step *step)
{
    const struct object *object = &target->workload->object;
    return (struct deploy_found){
        .kind = str_or_empty(object->kind_name),
        .namespace = text(c->arena, object->meta.namespace, DEPLOY_TEXT_MAX),
        .name = text(c->arena, object->meta.name, DEPLOY_TEXT_MAX),
        .images = STR("[]"),
        .configs = STR("[]"),
        .replicas_from = NUMBER_ABSENT,
        .replicas_to = NUMBER_ABSENT,
        .revision = text(c->arena, target->state->revision, DEPLOY_TEXT_MAX),
        .began = step->began,
        .by = text(c->arena, deployed_by(c->arena, target->workload), DEPLOY_TEXT_MAX),
        .cause = STR(""),
        .workload = c->compared->state.workloads.n};
}

static void add(struct comparing *c, const struct deploy_found *found, enum deploy_event event)
{
    struct deploy_found one = *found;
    one.event = event;
    if (event != DEPLOY_NONE && c->compared->found.n < DEPLOY_FOUND_MAX)
        LIST_ADD(c->arena, c->compared->found, one);
}

static void tell(struct comparing *c, const struct deploy_target *target,
                 const struct deploy_memory *was, const struct deploy_step *step)
{
    struct deploy_found progress = found_of(c, target, step), change = progress;
    change.changes = step->changes;
    if (step->change == DEPLOY_CHANGED)
        change.began = TIME_NONE;
    if (step->changes & (DEPLOY_CREATED | DEPLOY_IMAGE))
        change.images = deploy_images(c->arena, target->workload,
                                      was ? was->version : (struct workload_version){0});
    if (step->changes & DEPLOY_CONFIGURATION)
        change.configs = config_names(c, target->workload);
    if (step->changes & DEPLOY_SCALE) {
        change.replicas_from = was ? was->replicas : NUMBER_ABSENT;
        change.replicas_to = target->sight.replicas;
    }
    if (step->has_cause)
        change.cause = text(c->arena, deployed_because(target->workload), DEPLOY_CAUSE_MAX);
    add(c, &change, step->change);
    add(c, &progress, step->progress);
}

static void compare_one(struct comparing *c, const struct deploy_target *target)
{
    const struct deploy_memory *was = memory_of(c, target->sight.key);
    struct deploy_sight sight = target->sight;
    int64_t created = target->workload->object.meta.created;
    sight.created = !c->is_first && created != TIME_NONE && c->before != TIME_NONE &&
                    created >= c->before - CREATED_MARGIN_MS;
    sight.configured = was && deploy_scan_configured(c->arena, c->scan, target->workload, NULL);
    struct deploy_step step = deploy_judge(was, &sight, c->taken);
    if ((step.change || step.progress) && c->compared->found.n < DEPLOY_FOUND_MAX)
        tell(c, target, was, &step);
    LIST_PUT(c->compared->state.workloads, step.next);
}

struct deploy_compared deploy_compare(struct arena *arena, const struct deploy_state *was,
                                      struct deploy_scan *scan, int64_t before, int64_t taken)
{
    struct deploy_compared compared = {.found = {0}};
    struct comparing c = {.arena = arena,
                          .scan = scan,
                          .was = table_init(arena, was ? was->workloads.n : 0),
                          .is_first = !was,
                          .before = before,
                          .taken = taken,
                          .compared = &compared};
    const struct deploy_memory *memory;
    const struct deploy_target *target;
    if (was) {
        LIST_EACH (memory, was->workloads)
            table_add(&c.was, slot(scan, memory->key), memory);
        note_configs(arena, was, scan);
    }
    LIST_RESERVE(arena, compared.state.workloads, scan->targets.n + (was ? was->workloads.n : 0));
    LIST_EACH (target, scan->targets)
        compare_one(&c, target);
    if (was)
        remember_unseen(&c, was);
    remember_configs(arena, scan, &compared.state);
    return compared;
}
