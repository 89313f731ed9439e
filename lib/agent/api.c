#include "agent/api.h"

#include "codec/jr.h"

static struct jr *open_text(struct arena *arena, struct str *text)
{
    const struct jr_limits limits = {
        .depth = 64, .key = 64 * 1024, .string = 1024 * 1024, .mark = 1024, .total = UINT64_MAX};
    return jr_open(arena, source_of(text), limits);
}

static bool is_key(struct jr *jr, const char *key)
{
    return str_eq(jr_key(jr), str_of(key));
}

/* Goes to the array of that name, a member of the only value. */
static bool enter_array(struct jr *jr, const char *key)
{
    enum jr_type type;
    if (jr_next(jr) != JR_OBJECT)
        return false;
    jr_enter(jr);
    while ((type = jr_next(jr)) > JR_END)
        if (type == JR_ARRAY && is_key(jr, key)) {
            jr_enter(jr);
            return true;
        }
    return false;
}

static bool ends_well(struct jr *jr)
{
    while (jr_depth(jr) > 0)
        if (!jr_leave(jr))
            return false;
    return jr_next(jr) == JR_END && jr_error(jr)->code == JR_OK;
}

/* {"groupVersion": ..., "version": "v1"} */
static struct str read_version(struct arena *arena, struct jr *jr)
{
    struct str version = {0};
    enum jr_type type;
    jr_enter(jr);
    while ((type = jr_next(jr)) > JR_END)
        if (type == JR_STRING && is_key(jr, "version"))
            version = arena_str(arena, jr_text(jr));
    return version;
}

static void add_version(struct api_group *group, struct str version)
{
    if (version.n && group->versions_n < API_VERSIONS_MAX)
        group->versions[group->versions_n++] = version;
}

static void prefer(struct api_group *group, struct str version)
{
    for (unsigned i = 1; i < group->versions_n; i++)
        if (str_eq(group->versions[i], version)) {
            memmove(&group->versions[1], &group->versions[0], i * sizeof group->versions[0]);
            group->versions[0] = version;
        }
}

static struct api_group read_group(struct arena *arena, struct jr *jr)
{
    struct api_group group = {.versions_n = 0};
    struct str preferred = {0};
    enum jr_type type, item;
    jr_enter(jr);
    while ((type = jr_next(jr)) > JR_END)
        if (type == JR_STRING && is_key(jr, "name")) {
            group.name = arena_str(arena, jr_text(jr));
        } else if (type == JR_OBJECT && is_key(jr, "preferredVersion")) {
            preferred = read_version(arena, jr);
        } else if (type == JR_ARRAY && is_key(jr, "versions")) {
            jr_enter(jr);
            while ((item = jr_next(jr)) > JR_END)
                if (item == JR_OBJECT)
                    add_version(&group, read_version(arena, jr));
        }
    prefer(&group, preferred);
    return group;
}

/* Each is asked about: an API server that names one again and again is not asked for ever. */
static void add_group(struct arena *arena, api_group_list *groups, struct api_group group)
{
    for (uint32_t i = 0; i < groups->n; i++)
        if (str_eq(groups->items[i].name, group.name))
            return;
    if (groups->n < API_GROUPS_MAX)
        LIST_ADD(arena, *groups, group);
}

bool api_read_groups(struct arena *arena, struct str text, api_group_list *groups)
{
    struct jr *jr = open_text(arena, &text);
    enum jr_type type;
    if (!enter_array(jr, "groups"))
        return false;
    while ((type = jr_next(jr)) > JR_END)
        if (type == JR_OBJECT)
            add_group(arena, groups, read_group(arena, jr));
    return ends_well(jr);
}

static struct api_resource read_resource(struct arena *arena, struct jr *jr)
{
    struct api_resource resource = {.list = false};
    enum jr_type type, item;
    jr_enter(jr);
    while ((type = jr_next(jr)) > JR_END)
        if (type == JR_STRING && is_key(jr, "name")) {
            resource.name = arena_str(arena, jr_text(jr));
        } else if (type == JR_STRING && is_key(jr, "kind")) {
            resource.kind = arena_str(arena, jr_text(jr));
        } else if (type == JR_ARRAY && is_key(jr, "verbs")) {
            jr_enter(jr);
            while ((item = jr_next(jr)) > JR_END)
                if (item == JR_STRING) {
                    resource.list |= str_eq(jr_text(jr), STR("list"));
                    resource.watch |= str_eq(jr_text(jr), STR("watch"));
                }
        }
    return resource;
}

bool api_read_resources(struct arena *arena, struct str text, api_resource_list *resources)
{
    struct jr *jr = open_text(arena, &text);
    enum jr_type type;
    if (!enter_array(jr, "resources"))
        return false;
    while ((type = jr_next(jr)) > JR_END)
        if (type == JR_OBJECT) {
            struct api_resource resource = read_resource(arena, jr);
            LIST_ADD(arena, *resources, resource);
        }
    return ends_well(jr);
}
