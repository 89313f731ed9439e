#include "reader/unread.h"

#include <stdlib.h>

#include "kube/kinds.h"

/* The longest names that an API server takes: a label for a kind, a subdomain and a label for its
 * group and version. */
enum { UNREAD_KINDS_MAX = 1000, SLOTS = 2048, KIND_MAX = 63, API_VERSION_MAX = 253 + 1 + 63 };

static const struct str others = STR("others");

struct unread_index {
    uint16_t slots[SLOTS]; /* position in the cluster's list, plus 1; 0 is free */
};

/* Strings are interned: equal ones have one address. */
static uint32_t slot_of(struct str kind, struct str api_version)
{
    uint64_t mixed = (uint64_t)(uintptr_t)kind.p * 3 + (uint64_t)(uintptr_t)api_version.p;
    return (uint32_t)(mixed * UINT64_C(0x9E3779B97F4A7C15) >> 32) % SLOTS;
}

static void make_room(struct reader *reader)
{
    struct arena *arena = reader->decoder.arena;
    reader->unread = ARENA_NEW(arena, struct unread_index);
    reader->cluster->unread.items = ARENA_ARRAY(arena, UNREAD_KINDS_MAX + 1, struct unread_kind);
}

void unread_count(struct reader *reader, struct str kind, struct str api_version, uint32_t n)
{
    unread_list *unread = &reader->cluster->unread;
    if (!reader->unread)
        make_room(reader);
    if (kind.n > KIND_MAX || api_version.n > API_VERSION_MAX) {
        kind = others;
        api_version = (struct str){0};
    }
    uint16_t *slots = reader->unread->slots;
    uint32_t slot = slot_of(kind, api_version);
    for (; slots[slot]; slot = (slot + 1) % SLOTS) {
        struct unread_kind *known = &unread->items[slots[slot] - 1];
        if (known->kind.p == kind.p && known->api_version.p == api_version.p) {
            known->objects += n;
            return;
        }
    }
    if (unread->n >= UNREAD_KINDS_MAX) {
        unread->items[UNREAD_KINDS_MAX].kind = others;
        unread->items[UNREAD_KINDS_MAX].objects += n;
        unread->n = UNREAD_KINDS_MAX + 1;
        return;
    }
    unread->items[unread->n++] = (struct unread_kind){kind, api_version, n};
    slots[slot] = (uint16_t)unread->n;
}

void unread_separate(struct reader *copy)
{
    struct unread_index *index = copy->unread;
    unread_list unread = copy->cluster->unread;
    if (!index)
        return;
    make_room(copy);
    *copy->unread = *index;
    memcpy(copy->cluster->unread.items, unread.items, unread.n * sizeof *unread.items);
}

static int by_objects(const void *a, const void *b)
{
    const struct unread_kind *x = a, *y = b;
    if (x->objects != y->objects)
        return x->objects > y->objects ? -1 : 1;
    int order = str_cmp(x->kind, y->kind);
    return order ? order : str_cmp(x->api_version, y->api_version);
}

void unread_sort(struct cluster *cluster)
{
    if (cluster->unread.n)
        qsort(cluster->unread.items, cluster->unread.n, sizeof *cluster->unread.items, by_objects);
}

/* ---- what they are for ---- */

bool unread_isolates_pods(struct str kind, struct str group)
{
    return str_has(kind, STR("NetworkPolicy")) &&
           (str_eq(group, STR("cilium.io")) || str_has_suffix(group, STR("projectcalico.org")) ||
            str_eq(group, STR("policy.networking.k8s.io")));
}

static bool admits_pods(struct str group)
{
    return str_eq(group, STR("kyverno.io")) || str_eq(group, STR("policies.kyverno.io")) ||
           str_has_suffix(group, STR("gatekeeper.sh")) ||
           str_has_suffix(group, STR("kubewarden.io"));
}

static void tell_unknown(struct reader *reader, struct str api_version)
{
    struct snapshot_object object = {.kind = KIND_NONE,
                                     .has_kind = true,
                                     .has_api_version = true,
                                     .api_version = api_version,
                                     .from = reader->item_from,
                                     .to = jr_offset(reader->decoder.jr)};
    if (reader->told)
        reader->told->object(reader->told->context, &object);
}

/* What tools are configured with looks like an object and is in no cluster. */
static bool configures_tools(struct str group)
{
    return str_eq(group, STR("kustomize.config.k8s.io")) || str_eq(group, STR("kind.x-k8s.io"));
}

void unread_note(struct reader *reader, struct str kind, struct str api_version)
{
    struct cluster *cluster = reader->cluster;
    struct str group = api_group(api_version);
    bool typed = (kind.n && api_version.n) || reader->list_kind.n;
    if (reader->origin.objects_only && (!typed || configures_tools(group)))
        return;
    if (typed)
        tell_unknown(reader, api_version);
    cluster->unknown_objects++;
    bool told = kind.n > 0;
    unread_count(reader, told ? kind : reader->list_kind,
                 told || api_version.n ? api_version : reader->list_api_version, 1);
    cluster->foreign_network_policies |= unread_isolates_pods(kind, group);
    cluster->policy_engine |= admits_pods(group);
}
