#include "alert/channel_type.h"

#include "codec/jw.h"

enum { UNSIGNED, SIGNED };

#define CHANNEL_TYPE(name, ...) _Static_assert(sizeof #name - 1 <= CHANNEL_TYPE_MAX, #name);
#include "alert/channel_types.def"
#undef CHANNEL_TYPE

const struct channel_type channel_types[CHANNEL_TYPES] = {
#define CHANNEL_TYPE(name, signature, route)                                                       \
    {STR(#name), signature == SIGNED, channel_render_##name, route},
#include "alert/channel_types.def"
#undef CHANNEL_TYPE
};

const struct channel_type *channel_type_find(struct str name)
{
    for (size_t i = 0; i < CHANNEL_TYPES; i++)
        if (str_eq(channel_types[i].name, name))
            return &channel_types[i];
    return NULL;
}

struct str channel_type_names(struct arena *arena)
{
    struct buf names = buf_init(arena, CHANNEL_TYPES * (CHANNEL_TYPE_MAX + sizeof " or "));
    for (size_t i = 0; i < CHANNEL_TYPES; i++) {
        if (i)
            buf_put(&names, i + 1 < CHANNEL_TYPES ? STR(", ") : STR(" or "));
        buf_put(&names, channel_types[i].name);
    }
    return buf_str(&names);
}

struct str channel_type_render(struct arena *arena, const struct channel_type *type,
                               const struct alert_message *message)
{
    struct buf out = buf_init(arena, CHANNEL_BODY_MAX);
    struct jw w;
    jw_init(&w, &out);
    type->render(arena, &w, message);
    return buf_str(&out);
}

const char *channel_route_as_is(struct arena *arena, struct channel_post *post)
{
    (void)arena;
    (void)post;
    return NULL;
}
