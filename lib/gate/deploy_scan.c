#include "gate/deploy_scan.h"

#include "base/hash.h"
#include "base/table.h"
#include "kube/containers.h"
#include "kube/deployed_by.h"
#include "kube/object_index.h"
#include "kube/rollout_progress.h"
#include "kube/status.h"

/* ---- which workloads ---- */

static const enum kind kinds[DEPLOY_KINDS] = {[DEPLOY_DEPLOYMENT] = KIND_DEPLOYMENT,
                                              [DEPLOY_STATEFULSET] = KIND_STATEFULSET,
                                              [DEPLOY_DAEMONSET] = KIND_DAEMONSET,
                                              [DEPLOY_CRONJOB] = KIND_CRONJOB,
                                              [DEPLOY_DEPLOYMENTCONFIG] = KIND_DEPLOYMENTCONFIG,
                                              [DEPLOY_ROLLOUT] = KIND_ROLLOUT};

static bool is_deployed(const struct workload *workload, enum deploy_kind *kind)
{
    for (int i = 0; i < DEPLOY_KINDS; i++)
        if (workload->object.kind == kinds[i]) {
            *kind = (enum deploy_kind)i;
            return workload_is_topmost(workload);
        }
    return false;
}

bool deploy_scan_lacks(const struct deploy_scan *scan, enum deploy_kind kind)
{
    return cluster_lacks(scan->cluster, kinds[kind]);
}

static uint64_t key_of(struct str kind, struct str namespace, struct str name)
{
    const struct str parts[] = {kind, namespace, name};
    uint64_t hash = 0;
    for (size_t i = 0; i < 3; i++)
        hash = str_hash(str_hash(hash, parts[i]), STR("/"));
    return hash;
}

/* ---- replicas ---- */

/* Workloads that an autoscaler scales, by their keys. */
static struct table scaled_by_others(struct arena *arena, const struct cluster *cluster)
{
    struct table scaled = table_init(arena, cluster->autoscalers.n);
    for (uint32_t i = 0; i < cluster->autoscalers.n; i++) {
        const struct autoscaler *scaler = cluster->autoscalers.items[i];
        struct str kind = scaler->target_kind.n ? scaler->target_kind : STR("Deployment");
        uint64_t *key = ARENA_NEW(arena, uint64_t);
        *key = key_of(kind, scaler->object.meta.namespace, scaler->target_name);
        table_add(&scaled, hash_bytes(cluster->seed, (struct str){(char *)key, sizeof *key}), key);
    }
    return scaled;
}

static bool is_scaled(const struct table *scaled, const struct cluster *cluster, uint64_t key)
{
    const uint64_t *found;
    TABLE_EACH (found, scaled, hash_bytes(cluster->seed, (struct str){(char *)&key, sizeof key}))
        if (*found == key)
            return true;
    return false;
}

static int64_t replicas_of(const struct workload *workload, const struct workload_state *state,
                           bool scaled)
{
    bool has = workload->object.kind != KIND_DAEMONSET && workload->object.kind != KIND_CRONJOB;
    return has && !scaled && state->desired >= 0 && state->desired <= INT32_MAX ? state->desired
                                                                                : NUMBER_ABSENT;
}

/* ---- what a template uses ---- */

/* Calls see() for each ConfigMap and Secret of the snapshot that a template names; secret: 0 or 1,
 * which list; at: where in it. The same one may come again. */
struct looking {
    struct arena *arena;
    const struct cluster *cluster;
    struct str namespace;
    void (*see)(struct looking *l, int secret, uint32_t at);
    uint32_t *config_of[2];
    const struct deploy_scan *scan;
    str_list *names;
    bool found;
};

static void look_up(struct looking *l, int secret, struct str name)
{
    const struct cluster *cluster = l->cluster;
    uint32_t at;
    if (!name.n)
        return;
    if (secret) {
        OBJECTS_LOWER_BOUND(cluster->secrets, l->namespace, name, at);
        if (at < cluster->secrets.n &&
            !object_name_order(&cluster->secrets.items[at]->object, l->namespace, name))
            l->see(l, 1, at);
        return;
    }
    OBJECTS_LOWER_BOUND(cluster->config_maps, l->namespace, name, at);
    if (at < cluster->config_maps.n &&
        !object_name_order(&cluster->config_maps.items[at]->object, l->namespace, name))
        l->see(l, 0, at);
}

static void look_at(struct looking *l, const struct object_key_ref *ref)
{
    if (ref->of != KIND_NONE)
        look_up(l, ref->of == KIND_SECRET, ref->name);
}

static void look_at_volume(struct looking *l, const struct volume *volume)
{
    struct object_key_ref whole = {.of = volume_object(volume), .name = volume->reference};
    const struct object_key_ref *ref;
    look_at(l, &whole);
    if (volume->source == VOLUME_PROJECTED)
        LIST_EACH (ref, volume->refs)
            look_at(l, ref);
}

static void look_through(struct looking *l, const struct workload *workload)
{
    const struct container *container;
    const struct env_var *var;
    const struct object_key_ref *from;
    const struct volume *volume;
    if (!workload->spec || (!l->cluster->config_maps.n && !l->cluster->secrets.n))
        return;
    l->namespace = workload->object.meta.namespace;
    LIST_EACH (container, workload->spec->containers) {
        LIST_EACH (var, container->env)
            look_at(l, &var->from);
        LIST_EACH (from, container->env_from)
            look_at(l, from);
    }
    LIST_EACH (volume, workload->spec->volumes)
        look_at_volume(l, volume);
}

/* ---- configs ---- */

static void mark(struct looking *l, int secret, uint32_t at)
{
    l->config_of[secret][at] = 1;
}

static const struct object *config_at(const struct cluster *cluster, int secret, uint32_t at)
{
    return secret ? &cluster->secrets.items[at]->object : &cluster->config_maps.items[at]->object;
}

/* One whose version is not told cannot be compared. */
static void put_configs(struct arena *arena, struct deploy_scan *scan)
{
    const uint32_t counts[] = {scan->cluster->config_maps.n, scan->cluster->secrets.n};
    for (int secret = 0; secret < 2; secret++)
        for (uint32_t at = 0; at < counts[secret]; at++) {
            const struct object *object = config_at(scan->cluster, secret, at);
            int64_t version = object->meta.resource_version;
            if (!scan->config_of[secret][at])
                continue;
            scan->config_of[secret][at] = 0;
            if (version <= 0 || scan->configs.n == DEPLOY_CONFIGS_MAX)
                continue;
            struct deploy_config config = {{key_of(secret ? STR("Secret") : STR("ConfigMap"),
                                                   object->meta.namespace, object->meta.name),
                                            (uint64_t)version},
                                           false};
            LIST_ADD(arena, scan->configs, config);
            scan->config_of[secret][at] = scan->configs.n;
        }
}

static void see_changed(struct looking *l, int secret, uint32_t at)
{
    uint32_t config = l->scan->config_of[secret][at];
    if (!config || !l->scan->configs.items[config - 1].changed)
        return;
    l->found = true;
    if (!l->names || l->names->n == DEPLOY_NAMED_MAX)
        return;
    struct str name = arena_printf(l->arena, "%s/%" STR_FMT, secret ? "secret" : "configmap",
                                   STR_ARG(config_at(l->cluster, secret, at)->meta.name));
    const struct str *named;
    LIST_EACH (named, *l->names)
        if (str_eq(*named, name))
            return;
    LIST_ADD(l->arena, *l->names, name);
}

bool deploy_scan_configured(struct arena *arena, const struct deploy_scan *scan,
                            const struct workload *workload, str_list *names)
{
    struct looking l = {
        .arena = arena, .cluster = scan->cluster, .see = see_changed, .scan = scan, .names = names};
    look_through(&l, workload);
    return l.found;
}

/* ---- all of it ---- */

/* Where no rollout can be followed its updated replicas have to do. A summary may count those that
 * are ready alone. */
static bool is_complete(const struct workload *workload, const struct workload_state *state)
{
    return workload_state_is_complete(state) &&
           (!workload->object.summary || !has_replica_status(workload) ||
            available_replicas(workload) >= wanted_replicas(workload)) &&
           (rollout_progress_of(workload).known || workload->updated_replicas == NUMBER_ABSENT ||
            state->desired == NUMBER_ABSENT || workload->updated_replicas >= state->desired);
}

static bool is_unsure(const struct workload *workload, const struct workload_state *state)
{
    return workload->object.summary ? !has_replica_status(workload) : state->unsure;
}

static struct deploy_sight sight_of(const struct cluster *cluster, const struct workload *workload,
                                    const struct workload_state *state, enum deploy_kind kind,
                                    const struct table *scaled)
{
    const struct object *object = &workload->object;
    uint64_t key = key_of(object->kind_name, object->meta.namespace, object->meta.name);
    struct str cause = deployed_because(workload);
    return (struct deploy_sight){.kind = kind,
                                 .key = key,
                                 .version = workload_version_of(state),
                                 .replicas =
                                     replicas_of(workload, state, is_scaled(scaled, cluster, key)),
                                 .cause = cause.n ? str_hash(0, cause) : 0,
                                 .rolls = kind != DEPLOY_CRONJOB,
                                 .paused = workload->paused == TRI_TRUE,
                                 .complete = is_complete(workload, state),
                                 .unsure = is_unsure(workload, state),
                                 .stuck = state->stuck};
}

static uint64_t hash_number(uint64_t hash, uint64_t number)
{
    return hash_bytes(hash, (struct str){(const char *)&number, sizeof number});
}

static int64_t hash_of(const struct deploy_scan *scan)
{
    uint64_t hash = 0;
    const struct deploy_target *target;
    const struct deploy_config *config;
    LIST_EACH (target, scan->targets) {
        hash = hash_number(hash, target->sight.key);
        hash = hash_number(hash, target->sight.version.revision);
        hash = hash_number(hash, target->sight.version.images);
        hash = hash_number(hash, (uint64_t)target->sight.replicas);
    }
    LIST_EACH (config, scan->configs)
        hash = hash_number(hash_number(hash, config->now.key), config->now.version);
    return hash ? (int64_t)hash : 1;
}

struct deploy_scan deploy_scan(struct arena *arena, const struct cluster *cluster,
                               const struct workload_state *states)
{
    struct deploy_scan scan = {.cluster = cluster};
    struct table scaled = scaled_by_others(arena, cluster);
    scan.config_of[0] = ARENA_ARRAY(arena, cluster->config_maps.n, uint32_t);
    scan.config_of[1] = ARENA_ARRAY(arena, cluster->secrets.n, uint32_t);
    struct looking l = {
        .cluster = cluster, .see = mark, .config_of = {scan.config_of[0], scan.config_of[1]}};
    for (uint32_t i = 0; i < cluster->workloads.n; i++) {
        const struct workload *workload = cluster->workloads.items[i];
        enum deploy_kind kind;
        if (!is_deployed(workload, &kind) || scan.targets.n == DEPLOY_WORKLOADS_MAX)
            continue;
        struct deploy_target target = {workload, &states[i],
                                       sight_of(cluster, workload, &states[i], kind, &scaled)};
        LIST_ADD(arena, scan.targets, target);
        look_through(&l, workload);
    }
    put_configs(arena, &scan);
    scan.hash = hash_of(&scan);
    return scan;
}
