/* Whether claims have their volumes. */
#include "kube/selector.h"
#include "score/checks.h"
#include "score/index.h"
#include "score/state.h"

#define CLAIM_GRACE (5 * CLOCK_MINUTE)

/* ---- pvc-pending ---- */

static const struct storage_class *class_of(const struct check_context *context,
                                            const struct persistent_volume_claim *claim)
{
    return (const struct storage_class *)index_object(context->index, KIND_STORAGECLASS,
                                                      (struct str){0}, claim->storage_class);
}

/* A claim that names its volume, or got a node chosen for it, waits for no pod any more. */
static bool is_on_its_way(const struct persistent_volume_claim *claim)
{
    return claim->volume_name.n ||
           pair_has(claim->object.meta.annotations, STR("volume.kubernetes.io/selected-node"));
}

/* Why the claim may still be Pending with nothing wrong: its class binds when a pod uses it, and
 * none does. Of a class that the snapshot does not hold that cannot be excluded. */
static enum verdict judge_unused(const struct check_context *context,
                                 const struct persistent_volume_claim *claim)
{
    const struct storage_class *class = class_of(context, claim);
    bool unused =
        !index_claim_is_used(context->index, claim->object.meta.namespace, claim->object.meta.name);
    if (!unused || !claim->storage_class.n || is_on_its_way(claim))
        return FAILED;
    if (class)
        return str_eq(class->volume_binding_mode, STR("WaitForFirstConsumer")) ? PASSED : FAILED;
    return cluster_has(context->cluster, KIND_STORAGECLASS) ? FAILED : NOT_EVALUATED;
}

enum verdict check_pvc_pending(struct check_context *context,
                               const struct persistent_volume_claim *claim)
{
    int64_t created = claim->object.meta.created;
    if (!claim->phase.n)
        return NOT_EVALUATED;
    if (!str_eq(claim->phase, STR("Pending")) || age_within(context, created, CLAIM_GRACE))
        return PASSED;
    enum verdict verdict = judge_unused(context, claim);
    if (verdict != FAILED)
        return verdict;
    bool missing = claim->storage_class.n && !class_of(context, claim) &&
                   cluster_has(context->cluster, KIND_STORAGECLASS);
    return fail(context, NO_CONTAINER,
                "The claim has been Pending %" STR_FMT " (StorageClass %" STR_FMT "%s).",
                STR_ARG(for_time(context, created)),
                STR_ARG(claim->storage_class.n ? claim->storage_class : STR("not given")),
                missing ? ", which does not exist" : "");
}

/* ---- pvc-lost ---- */

enum verdict check_pvc_lost(struct check_context *context, const struct object *object)
{
    bool is_claim = object->kind == KIND_PERSISTENTVOLUMECLAIM;
    struct str phase = is_claim ? ((const struct persistent_volume_claim *)object)->phase
                                : ((const struct persistent_volume *)object)->phase;
    struct str volume =
        is_claim ? ((const struct persistent_volume_claim *)object)->volume_name : (struct str){0};
    if (!phase.n)
        return NOT_EVALUATED;
    if (!str_eq(phase, is_claim ? STR("Lost") : STR("Failed")))
        return PASSED;
    return fail(context, NO_CONTAINER, "%s%s%" STR_FMT ".",
                is_claim ? "The claim has lost its volume"
                         : "The volume could not be reclaimed and is in phase Failed",
                volume.n ? " " : "", STR_ARG(volume));
}
