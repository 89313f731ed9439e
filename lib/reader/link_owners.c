/* Owner references: k8s.io/apimachinery/pkg/apis/meta/v1. */
#include "kube/kinds.h"
#include "reader/linker.h"
#include "kube/selector.h"
#include "kube/status.h"
#include "reader/schema.h"

enum { CHAIN_MAX = 8 }; /* a Pod's ReplicaSet, its Deployment, what an operator puts above ... */

/* The reference that says who controls the object: the one marked so, or, where a manifest leaves
 * the mark out, one to a kind that makes pods. */
static const struct owner_reference *controller_of(const struct object_meta *meta)
{
    const struct owner_reference *owner;
    LIST_EACH (owner, meta->owners)
        if (owner->controller == TRI_TRUE)
            return owner;
    LIST_EACH (owner, meta->owners)
        if (owner->controller == TRI_ABSENT &&
            kind_has_pods(kind_find(owner->kind, owner->api_version)))
            return owner;
    return NULL;
}

/* A static pod that the kubelet shows to the API server: nothing in the cluster owns it. */
static bool is_mirror(const struct pod *pod)
{
    const struct owner_reference *owner = controller_of(&pod->object.meta);
    return pair_has(pod->object.meta.annotations, STR("kubernetes.io/config.mirror")) ||
           (owner && str_eq(owner->kind, STR("Node")));
}

/* ---- owners that are not in the snapshot ---- */

static struct workload *find_workload(const struct linker *linker, enum kind kind,
                                      struct str kind_name, struct str namespace, struct str name)
{
    return (struct workload *)(void *)object_index_find(linker->index, kind, kind_name, namespace,
                                                        name);
}

static struct workload *new_workload(struct linker *linker, const struct object *object)
{
    struct workload *workload = ARENA_NEW(linker->arena, struct workload);
    schema_set_absent(&workload_schema, workload);
    workload->object = *object;
    LIST_ADD(linker->arena, linker->added, workload);
    return workload;
}

static struct workload *find_or_make(struct linker *linker, enum kind kind,
                                     const struct owner_reference *owner, struct str namespace,
                                     struct str name)
{
    struct object object = {.kind = kind, .api_version = owner->api_version};
    object.kind_name = kind == KIND_NONE ? owner->kind : kind_name(kind);
    object.meta.namespace = namespace;
    object.meta.name = name;
    struct workload *workload = find_workload(linker, kind, object.kind_name, namespace, name);
    if (workload)
        return workload;
    schema_set_absent(&object_meta_schema, &object.meta);
    workload = new_workload(linker, &object);
    workload->synthesized = true;
    object_index_add(linker->index, &workload->object);
    return workload;
}

/* The Deployment "api" makes the ReplicaSet "api-7d9f8b6c5", and says so on its pods; so does the
 * Rollout, with a label of its own. */
static bool is_of_deployment(struct str replica_set, pair_list labels, const char *label,
                             struct str *deployment)
{
    struct str hash = pair_value(labels, str_of(label)), tail;
    return hash.n && str_cut_last(replica_set, '-', deployment, &tail) && deployment->n &&
           str_eq(tail, hash);
}

/* The DeploymentConfig "api" makes the ReplicationController "api-3", and says so on its pods. */
static bool is_of_deployment_config(struct str replication_controller, pair_list labels,
                                    struct str *config)
{
    struct str label = pair_value(labels, STR("deploymentconfig")), tail;
    return label.n && str_cut_last(replication_controller, '-', config, &tail) &&
           str_eq(*config, label);
}

/* The CronJob "backup" makes the Job "backup-28491840": the time it was due at, in minutes; in
 * seconds before Kubernetes 1.21. *due is in milliseconds. */
static bool is_of_cron_job(struct str job, struct str *cron_job, int64_t *due)
{
    struct str tail;
    if (!str_cut_last(job, '-', cron_job, &tail) || !cron_job->n || tail.n < 8 || tail.n > 10 ||
        !str_to_i64(tail, due))
        return false;
    *due *= tail.n == 10 ? CLOCK_SECOND : CLOCK_MINUTE;
    return true;
}

/* Was the pod made when a Job of that time was due, or at most a day later? */
static bool fits(int64_t due, int64_t created)
{
    return created != TIME_NONE && created > due - CLOCK_MINUTE && created < due + CLOCK_DAY;
}

static struct pod *find_pod(const struct cluster *cluster, struct str namespace, struct str name)
{
    uint32_t at;
    OBJECTS_LOWER_BOUND(cluster->pods, namespace, name, at);
    bool found = at < cluster->pods.n &&
                 object_name_order(&cluster->pods.items[at]->object, namespace, name) == 0;
    return found ? cluster->pods.items[at] : NULL;
}

static struct workload *workload_of_pod(struct linker *linker, struct pod *pod, int steps);

/* The controller of a pod or of a workload, made up when it is not in the snapshot. NULL: none. Of
 * what a pod made it is what that pod belongs to; `steps` led from pod to pod so far. */
static struct workload *controller(struct linker *linker, const struct object *object,
                                   pair_list labels, int steps)
{
    const struct owner_reference *owner = controller_of(&object->meta);
    struct pod *maker;
    int64_t due;
    if (!owner || !owner->name.n)
        return NULL;
    struct str namespace = object->meta.namespace, name = owner->name;
    enum kind kind = kind_find(owner->kind, owner->api_version);
    if (!kind_has_pods(kind))
        kind = KIND_NONE;
    if (kind == KIND_POD && (maker = find_pod(linker->cluster, namespace, name)) != NULL)
        return steps < CHAIN_MAX ? workload_of_pod(linker, maker, steps + 1) : NULL;
    struct workload *found = find_workload(linker, kind, owner->kind, namespace, name);
    if (found)
        return found;
    /* What an operator makes stands for itself, as long as it says all there is to say. */
    if (object->kind == KIND_DEPLOYMENT || object->kind == KIND_STATEFULSET ||
        object->kind == KIND_DAEMONSET || object->kind == KIND_CRONJOB ||
        object->kind == KIND_DEPLOYMENTCONFIG || object->kind == KIND_ROLLOUT)
        return NULL;
    if (kind == KIND_REPLICASET &&
        is_of_deployment(owner->name, labels, "pod-template-hash", &name))
        kind = KIND_DEPLOYMENT;
    else if (kind == KIND_REPLICASET &&
             is_of_deployment(owner->name, labels, "rollouts-pod-template-hash", &name))
        kind = KIND_ROLLOUT;
    else if (kind == KIND_REPLICATIONCONTROLLER &&
             is_of_deployment_config(owner->name, labels, &name))
        kind = KIND_DEPLOYMENTCONFIG;
    else if (kind == KIND_JOB && is_of_cron_job(owner->name, &name, &due) &&
             (fits(due, object->meta.created) ||
              find_workload(linker, KIND_CRONJOB, kind_name(KIND_CRONJOB), namespace, name)))
        kind = KIND_CRONJOB;
    else
        name = owner->name;
    return find_or_make(linker, kind, owner, namespace, name);
}

/* ---- chains of owners ---- */

static void link_workloads(struct linker *linker)
{
    struct cluster *cluster = linker->cluster;
    struct workload **workload;
    LIST_EACH (workload, cluster->workloads)
        (*workload)->owner =
            controller(linker, &(*workload)->object, (*workload)->object.meta.labels, 0);
    /* A chain that is too long, or comes back to itself, is cut. */
    LIST_EACH (workload, cluster->workloads) {
        const struct workload *up = *workload;
        int steps = 0;
        for (; up->owner && steps <= CHAIN_MAX; steps++)
            up = up->owner;
        if (up->owner)
            (*workload)->owner = NULL;
    }
}

static struct workload *own_workload(struct linker *linker, const struct pod *pod)
{
    struct workload *workload = new_workload(linker, &pod->object);
    workload->spec = pod->spec;
    workload->template_labels = pod->object.meta.labels;
    workload->template_annotations = pod->object.meta.annotations;
    return workload;
}

static bool stands_alone(const struct pod *pod)
{
    return pod->workload->object.kind == KIND_POD &&
           object_order(&pod->workload->object, &pod->object) == 0;
}

/* Its direct controller, or a workload of its own. */
static struct workload *workload_of_pod(struct linker *linker, struct pod *pod, int steps)
{
    if (!pod->workload) {
        struct workload *owner =
            is_mirror(pod) ? NULL
                           : controller(linker, &pod->object, pod->object.meta.labels, steps);
        /* A circle has come back to it, and gave it one. */
        if (!pod->workload)
            pod->workload = owner ? owner : own_workload(linker, pod);
    }
    return pod->workload;
}

/* The next pod mostly has the same owner: its references are the same bytes then. */
static bool has_same_owner(const struct pod *pod, const struct pod *last)
{
    const struct object_meta *meta = &pod->object.meta, *other = &last->object.meta;
    return meta->owners.n && meta->owners.items == other->owners.items &&
           meta->labels.items == other->labels.items && str_eq(meta->namespace, other->namespace) &&
           !is_mirror(pod);
}

/* pod->workload is the direct controller after this. */
static void link_pods(struct linker *linker)
{
    struct pod **pod, *last = NULL;
    LIST_EACH (pod, linker->cluster->pods) {
        if (!(*pod)->workload && last && has_same_owner(*pod, last))
            (*pod)->workload = last->workload;
        else
            last = workload_of_pod(linker, *pod, 0) && !stands_alone(*pod) ? *pod : NULL;
    }
}

static void merge_added(struct linker *linker)
{
    struct cluster *cluster = linker->cluster;
    struct workload **added;
    LIST_EACH (added, linker->added)
        LIST_ADD(linker->arena, cluster->workloads, *added);
    objects_sort(linker->arena, cluster->workloads.items, cluster->workloads.n);
}

/* ---- lists of what is below ---- */

static struct workload *root_of(struct workload *workload)
{
    while (workload->owner)
        workload = workload->owner;
    return workload;
}

static void fill_pods(struct linker *linker)
{
    struct cluster *cluster = linker->cluster;
    struct workload **workload, *up;
    struct pod **pod;
    LIST_EACH (pod, cluster->pods)
        for (up = (*pod)->workload; up; up = up->owner)
            up->pods.n++;
    LIST_EACH (workload, cluster->workloads)
        LIST_ROOM(linker->arena, (*workload)->pods);
    LIST_EACH (pod, cluster->pods) {
        for (up = (*pod)->workload; up; up = up->owner)
            LIST_PUT(up->pods, *pod);
        (*pod)->workload = root_of((*pod)->workload);
    }
}

static void fill_children(struct linker *linker)
{
    struct cluster *cluster = linker->cluster;
    struct workload **workload;
    LIST_EACH (workload, cluster->workloads) {
        if ((*workload)->owner)
            (*workload)->owner->children.n++;
        else
            cluster->roots.n++;
    }
    LIST_ROOM(linker->arena, cluster->roots);
    LIST_EACH (workload, cluster->workloads)
        LIST_ROOM(linker->arena, (*workload)->children);
    LIST_EACH (workload, cluster->workloads) {
        if ((*workload)->owner)
            LIST_PUT((*workload)->owner->children, *workload);
        else
            LIST_PUT(cluster->roots, *workload);
    }
}

static struct workload *owner_of_revision(struct linker *linker,
                                          const struct controller_revision *revision)
{
    const struct owner_reference *owner = controller_of(&revision->object.meta);
    if (!owner)
        return NULL;
    enum kind kind = kind_find(owner->kind, owner->api_version);
    if (kind != KIND_STATEFULSET && kind != KIND_DAEMONSET)
        return NULL;
    return find_workload(linker, kind, owner->kind, revision->object.meta.namespace, owner->name);
}

static int by_revision(const void *a, const void *b)
{
    const struct controller_revision *left = *(struct controller_revision *const *)a;
    const struct controller_revision *right = *(struct controller_revision *const *)b;
    if (left->revision != right->revision)
        return left->revision < right->revision ? -1 : 1;
    return object_order(&left->object, &right->object);
}

static void fill_revisions(struct linker *linker)
{
    struct cluster *cluster = linker->cluster;
    struct controller_revision **revision;
    struct workload **workload, *owner;
    LIST_EACH (revision, cluster->controller_revisions)
        if ((owner = owner_of_revision(linker, *revision)) != NULL)
            owner->revisions.n++;
    LIST_EACH (workload, cluster->workloads)
        LIST_ROOM(linker->arena, (*workload)->revisions);
    LIST_EACH (revision, cluster->controller_revisions)
        if ((owner = owner_of_revision(linker, *revision)) != NULL)
            LIST_PUT(owner->revisions, *revision);
    LIST_EACH (workload, cluster->workloads)
        LIST_SORT((*workload)->revisions, by_revision);
}

/* ---- templates of what was made up ---- */

static int64_t revision_of(const struct workload *replica_set)
{
    int64_t revision;
    struct str text =
        pair_value(replica_set->object.meta.annotations, STR("deployment.kubernetes.io/revision"));
    return str_to_i64_saturated(text, &revision) ? revision : -1;
}

static const struct workload *newest_child(const struct workload *workload)
{
    const struct workload *newest = NULL;
    struct workload **child;
    LIST_EACH (child, workload->children) {
        if (!(*child)->spec)
            continue;
        if (!newest || revision_of(*child) > revision_of(newest) ||
            (revision_of(*child) == revision_of(newest) &&
             (*child)->object.meta.created > newest->object.meta.created))
            newest = *child;
    }
    return newest;
}

/* The first that has not ended, else the first; NULL: it has none. */
static const struct pod *typical_pod(const struct workload *workload)
{
    struct pod **pod;
    LIST_EACH (pod, workload->pods)
        if (!pod_has_ended(*pod))
            return *pod;
    return workload->pods.n ? workload->pods.items[0] : NULL;
}

static void borrow_template(struct workload *workload)
{
    const struct workload *child = newest_child(workload);
    const struct pod *pod = typical_pod(workload);
    if (child) {
        workload->spec = child->spec;
        workload->template_labels = child->template_labels;
        workload->template_annotations = child->template_annotations;
    } else if (pod) {
        workload->spec = pod->spec;
        workload->template_labels = pod->object.meta.labels;
        workload->template_annotations = pod->object.meta.annotations;
    }
}

/* A controller without a template: its pods must have the labels that it selects. */
static void borrow_selector(struct workload *workload)
{
    if (!workload->spec && !workload->template_labels.n && workload->selector)
        workload->template_labels = workload->selector->match_labels;
}

void link_owners(struct linker *linker)
{
    struct workload **workload;
    link_workloads(linker);
    link_pods(linker);
    merge_added(linker);
    fill_children(linker);
    fill_pods(linker);
    fill_revisions(linker);
    LIST_EACH (workload, linker->cluster->workloads)
        if ((*workload)->synthesized)
            borrow_template(*workload);
        else
            borrow_selector(*workload);
}
