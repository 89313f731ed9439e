#include "gate/scope_link.h"

#include "base/hash.h"
#include "kube/containers.h"
#include "score/view.h"

struct scope_place *scope_find_place(const struct scope_links *links, const struct object *object,
                                     enum scope_role role)
{
    struct scope_place *place;
    TABLE_EACH (place, &links->by_object, hash_pointer(object))
        if (place->object == object && place->role == role)
            break;
    return place;
}

static bool has_any(const struct scope_links *links, uint64_t kinds)
{
    return (links->kinds & kinds) != 0;
}

static void link_object(struct scope_links *links, struct scope_root *root,
                        const struct object *object)
{
    struct scope_place *place = scope_find_place(links, object, SCOPE_ROLE_NONE);
    if (!place || place->root == root->ordinal + 1 || links->n >= SCOPE_LINKS_MAX)
        return;
    place->root = root->ordinal + 1;
    links->n++;
    LIST_ADD(links->arena, root->numbers, place->number);
}

#define LINK_NAMED(links, root, list, type, named)                                                 \
    do {                                                                                           \
        const struct type *found_;                                                                 \
        SCOPE_FIND_NAMED((links)->cluster->list, (root)->workload->object.meta.namespace, named,   \
                         found_);                                                                  \
        if (found_)                                                                                \
            link_object((links), (root), &found_->object);                                         \
    } while (0)

static void link_config(struct scope_links *links, struct scope_root *root,
                        const struct object_key_ref *ref)
{
    if (ref->of == KIND_SECRET)
        LINK_NAMED(links, root, secrets, config_map, ref->name);
    if (ref->of == KIND_CONFIGMAP)
        LINK_NAMED(links, root, config_maps, config_map, ref->name);
}

static void link_claim(struct scope_links *links, struct scope_root *root, struct str name)
{
    const struct persistent_volume_claim *claim;
    const struct persistent_volume *volume;
    const struct storage_class *class;
    SCOPE_FIND_NAMED(links->cluster->claims, root->workload->object.meta.namespace, name, claim);
    if (!claim)
        return;
    link_object(links, root, &claim->object);
    SCOPE_FIND_NAMED(links->cluster->volumes, STR(""), claim->volume_name, volume);
    if (volume)
        link_object(links, root, &volume->object);
    SCOPE_FIND_NAMED(links->cluster->storage_classes, STR(""), claim->storage_class, class);
    if (class)
        link_object(links, root, &class->object);
}

static void link_volumes(struct scope_links *links, struct scope_root *root,
                         const struct pod_spec *spec)
{
    bool claims = has_any(links, KIND_BIT(PERSISTENTVOLUMECLAIM) | KIND_BIT(PERSISTENTVOLUME) |
                                     KIND_BIT(STORAGECLASS));
    bool config = has_any(links, KIND_BIT(SECRET) | KIND_BIT(CONFIGMAP));
    for (uint32_t i = 0; spec && (claims || config) && i < spec->volumes.n; i++) {
        const struct volume *volume = &spec->volumes.items[i];
        struct object_key_ref whole = {.of = volume_object(volume), .name = volume->reference};
        const struct object_key_ref *projected;
        if (claims && volume->source == VOLUME_PVC)
            link_claim(links, root, volume->reference);
        if (!config)
            continue;
        link_config(links, root, &whole);
        if (volume->source == VOLUME_PROJECTED)
            LIST_EACH (projected, volume->refs)
                link_config(links, root, projected);
    }
}

static void link_template(struct scope_links *links, struct scope_root *root)
{
    const struct pod_spec *spec = template_of(root->workload);
    const struct container *container;
    const struct env_var *var;
    const struct object_key_ref *from;
    if (!spec)
        return;
    link_volumes(links, root, spec);
    if (has_any(links, KIND_BIT(SERVICEACCOUNT)))
        LINK_NAMED(links, root, service_accounts, service_account, service_account_of(spec));
    if (!has_any(links, KIND_BIT(SECRET) | KIND_BIT(CONFIGMAP)))
        return;
    LIST_EACH (container, spec->containers) {
        LIST_EACH (var, container->env)
            link_config(links, root, &var->from);
        LIST_EACH (from, container->env_from)
            link_config(links, root, from);
    }
}

/* Claims of a StatefulSet are in the specs of its pods. */
static void link_pods(struct scope_links *links, struct scope_root *root)
{
    bool by_pod = root->workload->object.kind == KIND_STATEFULSET;
    struct pod *const *pod;
    if (!by_pod && !has_any(links, KIND_BIT(NODE)))
        return;
    LIST_EACH (pod, root->workload->pods) {
        if ((*pod)->node)
            link_object(links, root, &(*pod)->node->object);
        if (by_pod)
            link_volumes(links, root, (*pod)->spec);
    }
}

static struct scope_root *root_of(const struct scope_links *links, const struct workload *workload)
{
    struct scope_root *root;
    TABLE_EACH (root, &links->by_workload, hash_pointer(workload))
        if (root->workload == workload)
            break;
    return root;
}

static void link_services(struct scope_links *links)
{
    struct service *const *service;
    LIST_EACH (service, links->cluster->services) {
        if (!scope_find_place(links, &(*service)->object, SCOPE_ROLE_NONE))
            continue;
        for (uint32_t i = 0; i < (*service)->workloads.n && links->n < SCOPE_LINKS_MAX; i++) {
            struct scope_root *root = root_of(links, (*service)->workloads.items[i]);
            if (root)
                link_object(links, root, &(*service)->object);
        }
    }
}

static void link_autoscalers(struct scope_links *links)
{
    struct autoscaler *const *scaler;
    LIST_EACH (scaler, links->cluster->autoscalers) {
        struct str namespace = (*scaler)->object.meta.namespace, name = (*scaler)->target_name;
        struct str kind = (*scaler)->target_kind.n ? (*scaler)->target_kind : STR("Deployment");
        uint32_t at;
        OBJECTS_LOWER_BOUND(links->cluster->workloads, namespace, name, at);
        for (; at < links->cluster->workloads.n; at++) {
            const struct workload *workload = links->cluster->workloads.items[at];
            if (object_name_order(&workload->object, namespace, name) != 0)
                break;
            struct scope_root *root =
                str_eq(workload->object.kind_name, kind) ? root_of(links, workload) : NULL;
            if (root)
                link_object(links, root, &(*scaler)->object);
        }
    }
}

void scope_link(struct scope_links *links)
{
    uint32_t n = links->cluster->roots.n;
    links->roots = ARENA_ARRAY(links->arena, n, struct scope_root);
    links->by_workload = table_init(links->arena, n);
    for (uint32_t i = 0; i < n; i++) {
        links->roots[i] =
            (struct scope_root){.workload = links->cluster->roots.items[i], .ordinal = i};
        table_add(&links->by_workload, hash_pointer(links->roots[i].workload), &links->roots[i]);
    }
    if (has_any(links, KIND_BIT(SERVICE)))
        link_services(links);
    if (has_any(links, KIND_BIT(HORIZONTALPODAUTOSCALER) | KIND_BIT(SCALEDOBJECT)))
        link_autoscalers(links);
    for (uint32_t i = 0; i < n; i++) {
        if (links->roots[i].workload->synthesized)
            continue;
        link_template(links, &links->roots[i]);
        link_pods(links, &links->roots[i]);
    }
}
