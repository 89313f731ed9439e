#include "score/proof.h"

#include "base/hash.h"
#include "base/table.h"

/* What the pods of one workload run with. */
struct proofs {
    struct arena *arena;
    const struct workload *workload; /* NULL: nobody has asked yet */
    struct table refs;
};

/* Of one that is named: any key of it will do. */
static bool is_there(const struct check_context *context, enum kind kind, struct str name)
{
    const struct object_key_ref *ref;
    uint64_t hash = hash_bytes(context->cluster->seed + kind, name);
    TABLE_EACH (ref, &context->proofs->refs, hash)
        if (ref->of == kind && str_eq(ref->name, name))
            return true;
    return false;
}

static void add(const struct check_context *context, const struct object_key_ref *ref)
{
    if (ref->of == KIND_NONE || is_there(context, ref->of, ref->name))
        return;
    table_add(&context->proofs->refs, hash_bytes(context->cluster->seed + ref->of, ref->name), ref);
}

static void add_volume(const struct check_context *context, const struct volume *volume)
{
    const struct object_key_ref *ref;
    enum kind kind = volume_object(volume);
    if (kind != KIND_NONE && !is_there(context, kind, volume->reference)) {
        struct object_key_ref *whole = ARENA_NEW(context->arena, struct object_key_ref);
        *whole = (struct object_key_ref){.of = kind, .name = volume->reference};
        add(context, whole);
    }
    LIST_EACH (ref, volume->refs)
        add(context, ref);
}

static bool refers(const struct container *container)
{
    const struct env_var *var;
    LIST_EACH (var, container->env)
        if (var->from.of != KIND_NONE)
            return true;
    return container->env_from.n > 0;
}

static bool has_started(const struct check_context *context, const struct pod *pod,
                        struct str container)
{
    const struct container_status *status;
    check_spend(context, EFFORT_search, 1 + pod->containers.n / 2);
    LIST_EACH (status, pod->containers)
        if (str_eq(status->name, container))
            return status->running_since != TIME_NONE || status->terminated ||
                   status->last_terminated;
    return false;
}

/* Volumes are mounted before any container starts, variables are set as their own starts. */
static void add_pod(const struct check_context *context, const struct pod *pod)
{
    const struct volume *volume;
    const struct container *container;
    const struct env_var *var;
    const struct object_key_ref *from;
    if (!pod->spec || !str_eq(pod->phase, STR("Running")))
        return;
    LIST_EACH (volume, pod->spec->volumes)
        add_volume(context, volume);
    LIST_EACH (container, pod->spec->containers) {
        if (!refers(container) || !has_started(context, pod, container->name))
            continue;
        LIST_EACH (var, container->env)
            add(context, &var->from);
        LIST_EACH (from, container->env_from)
            add(context, from);
    }
}

bool proof_exists(const struct check_context *context, const struct workload *workload,
                  enum kind kind, struct str name)
{
    struct proofs *proofs = context->proofs;
    struct pod **pod;
    if (proofs->workload != workload) {
        proofs->workload = workload;
        proofs->refs = table_init(proofs->arena, 0);
        LIST_EACH (pod, workload->pods)
            add_pod(context, *pod);
    }
    return is_there(context, kind, name);
}

struct proofs *proofs_build(struct arena *arena)
{
    struct proofs *proofs = ARENA_NEW(arena, struct proofs);
    proofs->arena = arena;
    return proofs;
}
