#include "gate/proposal.h"

#include "codec/jr.h"
#include "kube/kinds.h"

enum { LISTS_IN_LISTS_MAX = 3, NAME_MAX_BYTES = 253, SHOWN_MAX = 80 };

struct reading {
    struct arena *arena;
    struct proposal *proposal;
    struct str namespace; /* of what names none */
};

static bool refuse_it(struct reading *reading, struct str why)
{
    if (reading->proposal->problem == PROPOSAL_FINE) {
        reading->proposal->problem = PROPOSAL_INVALID;
        reading->proposal->why = why;
    }
    return false;
}

static bool take_object(struct reading *reading, struct str json, const json_slices *members)
{
    struct arena *arena = reading->arena;
    struct proposal *proposal = reading->proposal;
    json_slices metadata = json_slices_of(arena, json_slice_object(members, STR("metadata")));
    struct proposed object = {.kind_name = json_slice_text(arena, members, STR("kind")),
                              .api_version = json_slice_text(arena, members, STR("apiVersion")),
                              .name = json_slice_text(arena, &metadata, STR("name")),
                              .namespace = json_slice_text(arena, &metadata, STR("namespace")),
                              .text = json,
                              .members = *members};
    if (!object.kind_name.n || !object.api_version.n)
        return refuse_it(reading, STR("has an object without kind or apiVersion."));
    struct str shown = str_utf8_prefix(object.kind_name, SHOWN_MAX);
    if (!object.name.n || object.name.n > NAME_MAX_BYTES || object.namespace.n > NAME_MAX_BYTES)
        return refuse_it(reading, arena_printf(arena,
                                               "has an object of kind %" STR_FMT
                                               " without a metadata.name that Kubernetes takes.",
                                               STR_ARG(shown)));
    object.kind = kind_find(object.kind_name, object.api_version);
    if (kind_is_cluster_wide(object.kind))
        object.namespace = (struct str){0};
    else if (!object.namespace.n && object.kind != KIND_NONE) /* else it may be in none */
        object.namespace = reading->namespace;
    if (object.kind != KIND_NONE &&
        proposal_find(proposal, object.kind, object.namespace, object.name))
        return refuse_it(reading, arena_printf(arena, "has %" STR_FMT " %" STR_FMT " twice.",
                                               STR_ARG(shown), STR_ARG(object.name)));
    if (proposal->objects.n == PROPOSAL_OBJECTS_MAX) {
        proposal->problem = PROPOSAL_TOO_MANY;
        proposal->why = STR("has more than 50 objects: ask about fewer at a time.");
        return false;
    }
    LIST_ADD(arena, proposal->objects, object);
    return true;
}

static bool take(struct reading *reading, struct str json, unsigned lists);

static bool take_all(struct reading *reading, struct str array, unsigned lists)
{
    json_slices elements = json_slices_of(reading->arena, array);
    const struct json_slice *element;
    if (lists == LISTS_IN_LISTS_MAX)
        return refuse_it(reading, STR("has lists in lists."));
    LIST_EACH (element, elements)
        if (!take(reading, element->value, lists + 1))
            return false;
    return true;
}

static bool take(struct reading *reading, struct str json, unsigned lists)
{
    if (json.n && json.p[0] == '[')
        return take_all(reading, json, lists);
    if (!json.n || json.p[0] != '{')
        return refuse_it(reading, STR("must be a Kubernetes object, a List or an array of these."));
    json_slices members = json_slices_of(reading->arena, json);
    struct str items = json_slice_of(&members, STR("items"));
    struct str kind = json_slice_text(reading->arena, &members, STR("kind"));
    if (str_has_suffix(kind, STR("List")) && items.n && items.p[0] == '[')
        return take_all(reading, items, lists);
    return take_object(reading, json, &members);
}

/* All of it is JSON, by the letter. */
static bool is_json(struct reading *reading, struct str json)
{
    const struct jr_limits limits = {.depth = PROPOSAL_DEPTH_MAX, .total = UINT64_MAX};
    struct jr *jr = jr_open(reading->arena, source_of(&json), limits);
    while (jr_next(jr) > JR_END) {
    }
    const struct jr_error *error = jr_error(jr);
    if (error->code == JR_OK)
        return true;
    return refuse_it(reading,
                     arena_printf(reading->arena, "is not JSON that can be read: %s (byte %llu).",
                                  error->text, (unsigned long long)error->offset));
}

struct proposal proposal_read(struct arena *arena, struct str json, struct str namespace)
{
    struct proposal proposal = {.problem = PROPOSAL_FINE};
    struct reading reading = {arena, &proposal, namespace};
    json = str_trim(json);
    if (is_json(&reading, json) && take(&reading, json, 0) && !proposal.objects.n)
        refuse_it(&reading, STR("has no object."));
    return proposal;
}

struct proposed *proposal_find(const struct proposal *proposal, enum kind kind,
                               struct str namespace, struct str name)
{
    struct proposed *object;
    LIST_EACH (object, proposal->objects)
        if (object->kind == kind && str_eq(object->name, name) &&
            str_eq(object->namespace, namespace))
            return object;
    return NULL;
}
