/* Rendered alerts: whatever a name holds, the body is JSON of a size that receivers take, and has
 * nothing in it that they act on. The input is a title, a NUL byte and a detail. */
#include <assert.h>
#include <json-c/json.h>

#include "alert/alert.h"
#include "alert/channel_type.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

/* No '@' and no '<' is followed by what could be the rest of a mention. */
static void check_nobody_is_called(struct str body)
{
    for (size_t i = 0; i + 1 < body.n; i++)
        if (body.p[i] == '@' || body.p[i] == '<')
            assert(body.p[i + 1] == '\xE2');
}

static void check_json(struct arena *arena, struct str body)
{
    assert(body.n <= CHANNEL_BODY_MAX && str_is_utf8(body));
    struct json_tokener *tokener = json_tokener_new();
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    struct json_object *object =
        json_tokener_parse_ex(tokener, arena_str(arena, body).p, (int)body.n);
    assert(object && json_tokener_get_parse_end(tokener) == body.n);
    json_object_put(object);
    json_tokener_free(tokener);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct arena *arena = arena_new(4 << 20);
    struct alert_message message = {.event = ALERT_EVENT_DEGRADED_APP, .time = 1773748859000};
    str_cut((struct str){(const char *)data, size}, '\0', &message.title, &message.detail);
    for (size_t i = 0; i < CHANNEL_TYPES; i++) {
        struct str body = channel_type_render(arena, &channel_types[i], &message);
        check_json(arena, body);
        if (i == CHANNEL_TYPE_slack || i == CHANNEL_TYPE_teams)
            check_nobody_is_called(body);
        if (i == CHANNEL_TYPE_slack)
            assert(!memchr(body.p, '<', body.n) && !memchr(body.p, '>', body.n));
    }
    arena_free(arena);
    return 0;
}
