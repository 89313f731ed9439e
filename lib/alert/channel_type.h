/* channel_type: the types of channels, and what a message becomes on its way to one. A type is a
 * row of channel_types.def and a renderer, channel_NAME.c.
 *
 * Names in messages come from clusters, so whoever may create a deployment chooses them. Every
 * value is escaped for its format and stands where the receiver does not look for markup: nothing
 * in a name mentions anybody, links or formats. Bodies keep the receivers' limits of size.
 */
#ifndef LOADLINE_ALERT_CHANNEL_TYPE_H
#define LOADLINE_ALERT_CHANNEL_TYPE_H

#include "base/arena.h"

struct alert_message;
struct jw;

enum {
    CHANNEL_TYPE_MAX = 16,        /* bytes of a name */
    CHANNEL_BODY_MAX = 24 * 1024, /* Teams takes 28 KB */
};

/* A message that is about to be posted. The URL is as good as a password. */
struct channel_post {
    struct str url, body;
};

/* Writes one JSON object. */
typedef void channel_renderer(struct arena *arena, struct jw *w,
                              const struct alert_message *message);
/* Changes the post, in the arena. NULL, or what is wrong with the URL, as the end of a sentence:
 * "must have the parameter key". */
typedef const char *channel_router(struct arena *arena, struct channel_post *post);

struct channel_type {
    struct str name;
    bool is_signed; /* a channel of this type has a secret that signs its messages */
    channel_renderer *render;
    channel_router *route;
};

enum {
#define CHANNEL_TYPE(name, ...) CHANNEL_TYPE_##name,
#include "alert/channel_types.def"
#undef CHANNEL_TYPE
    CHANNEL_TYPES
};
extern const struct channel_type channel_types[CHANNEL_TYPES];

/* What channel_NAME.c has, and what rows say of routes. */
#define CHANNEL_TYPE(name, signature, route)                                                       \
    channel_renderer channel_render_##name;                                                        \
    channel_router route;
#include "alert/channel_types.def"
#undef CHANNEL_TYPE

/* NULL: there is none of that name. */
const struct channel_type *channel_type_find(struct str name);
/* "slack, teams or webhook" */
struct str channel_type_names(struct arena *arena);
/* Valid JSON of at most CHANNEL_BODY_MAX bytes. */
struct str channel_type_render(struct arena *arena, const struct channel_type *type,
                               const struct alert_message *message);

#endif
