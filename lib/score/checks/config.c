/* Configuration of containers: credentials in plain text, references that lead nowhere. */
#include "base/hash.h"
#include "base/table.h"
#include "kube/containers.h"
#include "kube/manifest.h"
#include "kube/selector.h"
#include "score/checks.h"
#include "score/index.h"
#include "score/proof.h"
#include "score/view.h"
#include "score/walk.h"

/* ---- credentials ---- */

static bool reads_secret_from_env(struct check_context *context, struct place at)
{
    const struct env_var *var;
    const struct object_key_ref *from;
    bool failed = false;
    LIST_EACH (var, at.container->env)
        if (var->from.of == KIND_SECRET) {
            fail(context, at.container->name,
                 "Container %" STR_FMT " gets secret %" STR_FMT " as environment variable %" STR_FMT
                 ".",
                 STR_ARG(at.container->name), STR_ARG(var->from.name), STR_ARG(var->name));
            failed = true;
        }
    LIST_EACH (from, at.container->env_from)
        if (from->of == KIND_SECRET) {
            fail(context, at.container->name,
                 "Container %" STR_FMT " gets all of secret %" STR_FMT " as environment variables.",
                 STR_ARG(at.container->name), STR_ARG(from->name));
            failed = true;
        }
    return failed;
}

enum verdict check_secret_in_env(struct check_context *context, const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_TEMPLATE, reads_secret_from_env);
}

static bool has_plaintext_credential(struct check_context *context, struct place at)
{
    const struct env_var *var;
    bool failed = false;
    LIST_EACH (var, at.container->env) {
        if (!var->credential)
            continue;
        fail(context, at.container->name,
             "The manifest of container %" STR_FMT " holds a credential in plain text: variable "
             "%" STR_FMT ".",
             STR_ARG(at.container->name), STR_ARG(var->name));
        failed = true;
    }
    return failed;
}

enum verdict check_plaintext_credential_env(struct check_context *context,
                                            const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_TEMPLATE, has_plaintext_credential);
}

static bool takes_empty_password(struct check_context *context, struct place at)
{
    const struct env_var *var;
    bool failed = false;
    LIST_EACH (var, at.container->env) {
        if (!var->password_waived)
            continue;
        fail(context, at.container->name,
             "Container %" STR_FMT " asks for no password: variable %" STR_FMT " is switched on.",
             STR_ARG(at.container->name), STR_ARG(var->name));
        failed = true;
    }
    return failed;
}

enum verdict check_empty_password_allowed(struct check_context *context,
                                          const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_TEMPLATE, takes_empty_password);
}

enum verdict check_plaintext_credential_configmap(struct check_context *context,
                                                  const struct config_map *map)
{
    const struct str *key;
    if (map->object.summary)
        return NOT_EVALUATED;
    LIST_EACH (key, map->credential_keys)
        fail(context, NO_CONTAINER, "Key %" STR_FMT " holds what looks like a credential.",
             STR_ARG(*key));
    return map->credential_keys.n ? FAILED : PASSED;
}

/* ---- references ---- */

/* What every namespace has. */
static bool is_published_by_cluster(struct str name)
{
    return str_eq(name, STR("kube-root-ca.crt")) || str_eq(name, STR("openshift-service-ca.crt"));
}

static bool has_key(const struct check_context *context, const struct config_map *map,
                    struct str key)
{
    check_spend(context, EFFORT_search, map->keys.n / 2);
    return str_list_has(map->keys, key);
}

/* OpenShift puts certificates into a ConfigMap that asks for them, under a key of theirs. */
static bool is_filled_later(const struct object *object)
{
    return pair_has(object->meta.labels, STR("config.openshift.io/inject-trusted-cabundle")) ||
           pair_has(object->meta.annotations, STR("service.beta.openshift.io/inject-cabundle"));
}

/* Of an object without any key only the name tells, for it was stripped before it came here. A
 * ConfigMap that its author wrote without any has none; Secrets are written without what is in
 * them. */
static bool tells_keys(const struct config_map *map)
{
    if (map->keys.n)
        return map->keys.n <= SEARCHED_MAX;
    return map->object.kind == KIND_CONFIGMAP && is_manifest(&map->object) &&
           !is_filled_later(&map->object);
}

/* Says fail() and returns true when the ConfigMap or Secret, or its key, is not there. */
static bool leads_nowhere(struct check_context *context, struct place at,
                          const struct object_key_ref *ref)
{
    enum kind kind = ref->of;
    struct str namespace = at.workload->object.meta.namespace;
    struct str container = at.container ? at.container->name : NO_CONTAINER;
    const char *word = kind == KIND_SECRET ? "Secret" : "ConfigMap";
    if (kind == KIND_NONE || !ref->name.n || ref->optional == TRI_TRUE ||
        is_published_by_cluster(ref->name) || !namespace_is_complete(context, kind, namespace))
        return false;
    const struct config_map *map =
        (const struct config_map *)index_object(context->index, kind, namespace, ref->name);
    /* A pod that runs with it proves that it is there, whatever the snapshot holds. */
    if (!map && proof_exists(context, at.workload, kind, ref->name))
        return false;
    if (!map)
        fail(context, container,
             "%s %" STR_FMT " does not exist, but the pod cannot start without it.", word,
             STR_ARG(ref->name));
    else if (ref->key.n && tells_keys(map) && !has_key(context, map, ref->key))
        fail(context, container,
             "%s %" STR_FMT " has no key %" STR_FMT ", but the pod cannot start without it.", word,
             STR_ARG(ref->name), STR_ARG(ref->key));
    else
        return false;
    return true;
}

static bool env_leads_nowhere(struct check_context *context, struct place at)
{
    const struct env_var *var;
    const struct object_key_ref *from;
    bool failed = false;
    LIST_EACH (var, at.container->env)
        failed |= leads_nowhere(context, at, &var->from);
    LIST_EACH (from, at.container->env_from)
        failed |= leads_nowhere(context, at, from);
    return failed;
}

static bool volume_leads_nowhere(struct check_context *context, const struct workload *workload,
                                 const struct volume *volume)
{
    const struct place at = {workload, workload->spec, NULL};
    const struct object_key_ref whole = {.of = volume_object(volume), .name = volume->reference};
    const struct object_key_ref *ref;
    bool failed = false;
    if (volume->optional == TRI_TRUE || str_has_prefix(volume->name, STR("kube-api-access-")))
        return false;
    if (!volume->refs.n)
        failed |= leads_nowhere(context, at, &whole);
    LIST_EACH (ref, volume->refs)
        failed |= leads_nowhere(context, at, ref);
    return failed;
}

enum verdict check_config_reference_missing(struct check_context *context,
                                            const struct workload *workload)
{
    const struct volume *volume;
    bool failed = false;
    struct str namespace = workload->object.meta.namespace;
    if (!template_of(workload) || !(namespace_is_complete(context, KIND_CONFIGMAP, namespace) ||
                                    namespace_is_complete(context, KIND_SECRET, namespace)))
        return NOT_EVALUATED;
    failed |= walk_containers(context, workload, ROLES_TEMPLATE, env_leads_nowhere) == FAILED;
    LIST_EACH (volume, workload->spec->volumes)
        failed |= volume_leads_nowhere(context, workload, volume);
    return failed ? FAILED : PASSED;
}

/* ---- variables set twice ---- */

/* Equal names share their bytes (model.h), so addresses will do. */
static bool has_equal_names(struct arena *arena, const struct container *container)
{
    const struct env_var *one;
    const char *same;
    if (container->env.n < 2)
        return false;
    struct table names = table_init(arena, container->env.n);
    LIST_EACH (one, container->env) {
        uint64_t hash = hash_pointer(one->name.p);
        TABLE_EACH (same, &names, hash)
            if (same == one->name.p)
                return true;
        if (one->name.n)
            table_add(&names, hash, one->name.p);
    }
    return false;
}

static bool sets_variable_twice(struct check_context *context, struct place at)
{
    if (!has_equal_names(context->arena, at.container))
        return false;
    uint32_t n = at.container->env.n;
    struct str *names = ARENA_ARRAY(context->arena, n, struct str);
    bool failed = false;
    for (uint32_t i = 0; i < n; i++)
        names[i] = at.container->env.items[i].name;
    if (n > 1)
        qsort(names, n, sizeof *names, str_order);
    for (uint32_t i = 1; i < n; i++)
        if (names[i].n && str_eq(names[i - 1], names[i])) {
            fail(context, at.container->name, "Container %" STR_FMT " sets %" STR_FMT " twice.",
                 STR_ARG(at.container->name), STR_ARG(names[i]));
            failed = true;
        }
    return failed;
}

enum verdict check_duplicate_env_var(struct check_context *context, const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_TEMPLATE, sets_variable_twice);
}
