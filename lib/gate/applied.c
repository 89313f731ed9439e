/* What the API server and the controllers make of a proposed object. */
#include "codec/jw.h"
#include "gate/proposal.h"
#include "kube/kinds.h"

enum { KEPT_ANNOTATIONS_MAX = 100, REPLICAS_MAX = 1000000 };

struct writing {
    struct arena *arena;
    const struct proposed *object;
    int64_t time;
    json_slices old, old_metadata, metadata, spec, old_spec;
    struct jw jw;
};

static bool is_among(struct str key, const char *const *names)
{
    for (; *names; names++)
        if (str_eq(key, str_of(*names)))
            return true;
    return false;
}

static void put(struct jw *w, struct str key, struct str value)
{
    jw_key(w, key);
    jw_raw(w, value);
}

static bool has(const json_slices *members, struct str key)
{
    return json_slice_of(members, key).p != NULL;
}

/* ---- metadata ---- */

/* What the API server gives. A manifest that says it as well (kubectl get prints it) does not
 * change it. */
static const char *const given[] = {"uid",
                                    "resourceVersion",
                                    "generation",
                                    "creationTimestamp",
                                    "selfLink",
                                    "deletionTimestamp",
                                    "deletionGracePeriodSeconds",
                                    "managedFields",
                                    NULL};
/* What stays where the manifest does not say it. */
enum { STAYING = 3 };
static const char *const staying[STAYING] = {"ownerReferences", "labels", "finalizers"};

/* Controllers note what they know in annotations of Kubernetes' own names; a manifest does not
 * remove these. The copy of the manifest itself is not of the object any more. */
static bool is_of_controllers(struct str key)
{
    struct str domain;
    if (!str_cut(key, '/', &domain, NULL) ||
        str_eq(key, STR("kubectl.kubernetes.io/last-applied-configuration")))
        return false;
    return str_has_suffix(domain, STR("kubernetes.io")) || str_has_suffix(domain, STR("k8s.io"));
}

static int by_key(const void *a, const void *b)
{
    const struct json_slice *left = a, *right = b;
    return str_cmp(left->key, right->key);
}

static int by_key_and_place(const void *a, const void *b)
{
    const struct json_slice *left = a, *right = b;
    int order = by_key(a, b);
    return order ? order : (left->value.p > right->value.p) - (left->value.p < right->value.p);
}

/* The members that count, sorted: there may be many, in both objects. */
static json_slices sorted(struct arena *arena, const json_slices *members)
{
    json_slices all = {0};
    const struct json_slice *one;
    LIST_EACH (one, *members)
        LIST_ADD(arena, all, *one);
    LIST_SORT(all, by_key_and_place);
    uint32_t n = 0;
    LIST_EACH (one, all) {
        n -= n && str_eq(all.items[n - 1].key, one->key);
        all.items[n++] = *one;
    }
    all.n = n;
    return all;
}

static bool has_sorted(const json_slices *members, struct str key)
{
    const struct json_slice wanted = {.key = key}, *found = LIST_FIND(*members, &wanted, by_key);
    return found && !str_eq(found->value, STR("null"));
}

static void put_annotations(struct writing *w)
{
    json_slices said =
        json_slices_of(w->arena, json_slice_object(&w->metadata, STR("annotations")));
    json_slices known = sorted(w->arena, &said);
    json_slices old =
        json_slices_of(w->arena, json_slice_object(&w->old_metadata, STR("annotations")));
    const struct json_slice *one;
    unsigned kept = 0;
    if (!said.n && !old.n)
        return;
    jw_key(&w->jw, STR("annotations"));
    jw_object(&w->jw);
    LIST_EACH (one, old)
        if (kept < KEPT_ANNOTATIONS_MAX && is_of_controllers(one->key) &&
            !has_sorted(&known, one->key)) {
            put(&w->jw, one->key, one->value);
            kept++;
        }
    LIST_EACH (one, said)
        put(&w->jw, one->key, one->value);
    jw_object_end(&w->jw);
}

/* staying, but for what the manifest says. */
static void list_staying(const struct writing *w, const char *names[STAYING + 1])
{
    size_t n = 0;
    for (size_t i = 0; i < STAYING; i++)
        if (!has(&w->metadata, str_of(staying[i])))
            names[n++] = staying[i];
    names[n] = NULL;
}

static void put_metadata(struct writing *w)
{
    static const char *const own[] = {"annotations", "namespace", NULL};
    const char *stays[STAYING + 1];
    const struct json_slice *one;
    list_staying(w, stays);
    jw_key(&w->jw, STR("metadata"));
    jw_object(&w->jw);
    LIST_EACH (one, w->old_metadata)
        if (is_among(one->key, given) || is_among(one->key, stays))
            put(&w->jw, one->key, one->value);
    LIST_EACH (one, w->metadata)
        if (!is_among(one->key, given) && !is_among(one->key, own))
            put(&w->jw, one->key, one->value);
    if (w->object->namespace.n)
        JW_STR(&w->jw, "namespace", w->object->namespace);
    /* Without these it would be a manifest among objects. */
    if (!w->object->old.p && w->time != TIME_NONE) {
        JW_STR(&w->jw, "uid", STR(UUID_NIL));
        JW_TIME(&w->jw, "creationTimestamp", w->time);
    }
    put_annotations(w);
    jw_object_end(&w->jw);
}

/* ---- replicas ---- */

static int64_t number_of(const json_slices *members, struct str key, int64_t absent)
{
    int64_t n;
    struct str text = json_slice_of(members, key);
    return str_to_i64(text, &n) && n >= 0 && n <= REPLICAS_MAX ? n : absent;
}

/* An autoscaler sets replicas where the manifest leaves them open. */
static void put_spec(struct writing *w)
{
    const struct json_slice *one;
    struct str replicas = json_slice_of(&w->old_spec, STR("replicas"));
    bool stay = kind_has_replicas(w->object->kind) && replicas.p && !has(&w->spec, STR("replicas"));
    if (!stay || !w->spec.n) {
        put(&w->jw, STR("spec"), json_slice_of(&w->object->members, STR("spec")));
        return;
    }
    jw_key(&w->jw, STR("spec"));
    jw_object(&w->jw);
    put(&w->jw, STR("replicas"), replicas);
    LIST_EACH (one, w->spec)
        put(&w->jw, one->key, one->value);
    jw_object_end(&w->jw);
}

/* ---- status ---- */

/* Counts of replicas follow a change of scale: added ones come up; of fewer, those that are
 * available stay. */
static void put_scaled_status(struct writing *w, struct str status, int64_t from, int64_t to)
{
    static const char *const counts[] = {"replicas",
                                         "readyReplicas",
                                         "availableReplicas",
                                         "updatedReplicas",
                                         "currentReplicas",
                                         "fullyLabeledReplicas",
                                         NULL};
    json_slices members = json_slices_of(w->arena, status);
    const struct json_slice *one;
    int64_t available = number_of(&members, STR("availableReplicas"), 0);
    jw_object(&w->jw);
    LIST_EACH (one, members)
        if (!is_among(one->key, counts) && !str_eq(one->key, STR("unavailableReplicas")))
            put(&w->jw, one->key, one->value);
    for (const char *const *name = counts; *name; name++) {
        int64_t n = number_of(&members, str_of(*name), 0);
        jw_key(&w->jw, str_of(*name));
        jw_int(&w->jw, to > from ? n + to - from : n < to ? n : to);
    }
    available = to > from ? available + to - from : available < to ? available : to;
    if (to > available)
        JW_INT(&w->jw, "unavailableReplicas", to - available);
    jw_object_end(&w->jw);
}

static void put_condition(struct jw *w, struct str type)
{
    jw_object(w);
    JW_STR(w, "type", type);
    JW_STR(w, "status", STR("True"));
    jw_object_end(w);
}

/* Of a new workload: it came up as asked. */
static void put_new_replicas(struct writing *w)
{
    static const char *const counts[] = {"replicas", "readyReplicas", "availableReplicas",
                                         "updatedReplicas", NULL};
    int64_t n = number_of(&w->spec, STR("replicas"), 1);
    jw_key(&w->jw, STR("status"));
    jw_object(&w->jw);
    for (const char *const *name = counts; *name; name++) {
        jw_key(&w->jw, str_of(*name));
        jw_int(&w->jw, n);
    }
    if (w->object->kind == KIND_DEPLOYMENT) {
        jw_key(&w->jw, STR("conditions"));
        jw_array(&w->jw);
        put_condition(&w->jw, STR("Available"));
        put_condition(&w->jw, STR("Progressing"));
        jw_array_end(&w->jw);
    }
    jw_object_end(&w->jw);
}

static void put_phase(struct writing *w, const char *phase)
{
    jw_key(&w->jw, STR("status"));
    jw_object(&w->jw);
    JW_STR(&w->jw, "phase", str_of(phase));
    jw_object_end(&w->jw);
}

static void put_new_status(struct writing *w)
{
    enum kind kind = w->object->kind;
    if (kind_has_replicas(kind))
        put_new_replicas(w);
    else if (kind == KIND_PERSISTENTVOLUMECLAIM)
        put_phase(w, "Bound");
    else if (kind == KIND_NAMESPACE)
        put_phase(w, "Active");
    else if (kind == KIND_POD)
        put_phase(w, "Running");
}

/* The controller puts the new limits beside what is used, and nothing else is in it. */
static void put_quota_status(struct writing *w)
{
    json_slices old = json_slices_of(w->arena, json_slice_object(&w->old, STR("status")));
    struct str used = json_slice_of(&old, STR("used"));
    struct str hard = json_slice_of(&w->spec, STR("hard"));
    jw_key(&w->jw, STR("status"));
    jw_object(&w->jw);
    if (hard.p)
        put(&w->jw, STR("hard"), hard);
    if (used.p)
        put(&w->jw, STR("used"), used);
    jw_object_end(&w->jw);
}

static void put_status(struct writing *w)
{
    struct str status = json_slice_of(&w->old, STR("status"));
    int64_t from = number_of(&w->old_spec, STR("replicas"), 1);
    int64_t to = number_of(&w->spec, STR("replicas"), from);
    if (w->object->kind == KIND_RESOURCEQUOTA) {
        put_quota_status(w);
    } else if (!w->object->old.p) {
        put_new_status(w);
    } else if (status.p) {
        jw_key(&w->jw, STR("status"));
        if (kind_has_replicas(w->object->kind) && from != to && status.p[0] == '{')
            put_scaled_status(w, status, from, to);
        else
            jw_raw(&w->jw, status);
    }
}

/* ---- the object ---- */

struct str proposal_applied(struct arena *arena, const struct proposed *object, int64_t time)
{
    struct writing w = {
        .arena = arena, .object = object, .time = time, .old = json_slices_of(arena, object->old)};
    struct buf out = buf_init(arena, SIZE_MAX / 4);
    const struct json_slice *one;
    w.metadata = json_slices_of(arena, json_slice_object(&object->members, STR("metadata")));
    w.old_metadata = json_slices_of(arena, json_slice_object(&w.old, STR("metadata")));
    w.spec = json_slices_of(arena, json_slice_object(&object->members, STR("spec")));
    w.old_spec = json_slices_of(arena, json_slice_object(&w.old, STR("spec")));
    jw_init(&w.jw, &out);
    jw_object(&w.jw);
    JW_STR(&w.jw, "apiVersion", object->api_version);
    JW_STR(&w.jw, "kind", object->kind_name);
    put_metadata(&w);
    LIST_EACH (one, object->members) {
        static const char *const own[] = {"apiVersion", "kind", "metadata", "spec", "status", NULL};
        if (!is_among(one->key, own))
            put(&w.jw, one->key, one->value);
    }
    if (has(&object->members, STR("spec")))
        put_spec(&w);
    put_status(&w);
    jw_object_end(&w.jw);
    return buf_str(&out);
}
