/* Anything that takes JSON: {event, title, detail, source, timestamp}, signed. */
#include "alert/channel_render.h"
#include "alert/channel_type.h"

void channel_render_webhook(struct arena *arena, struct jw *w, const struct alert_message *message)
{
    jw_object(w);
    JW_STR(w, "event", alert_event_name(message->event));
    JW_STR(w, "title",
           channel_text(arena, message->title, channel_escape_nothing, CHANNEL_TITLE_MAX));
    JW_STR(w, "detail",
           channel_text(arena, message->detail, channel_escape_nothing, CHANNEL_DETAIL_MAX));
    JW_STR(w, "source", CHANNEL_SOURCE);
    JW_TIME(w, "timestamp", message->time);
    jw_object_end(w);
}
