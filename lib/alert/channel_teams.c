/* Teams, a workflow (Power Automate): a message with an Adaptive Card. */
#include "alert/channel_render.h"
#include "alert/channel_type.h"

/* A TextRun is not Markdown and has no escapes; a mention would be <at>name</at>. */
static struct str escape_teams(char c)
{
    return c == '<'   ? STR("<" CHANNEL_ZERO_WIDTH)
           : c == '@' ? STR("@" CHANNEL_ZERO_WIDTH)
                      : (struct str){0};
}

static void put_rich_text(struct jw *w, struct str text, bool title)
{
    jw_object(w);
    JW_STR(w, "type", STR("RichTextBlock"));
    jw_key(w, STR("inlines"));
    jw_array(w);
    jw_object(w);
    JW_STR(w, "type", STR("TextRun"));
    JW_STR(w, "text", text);
    if (title) {
        JW_STR(w, "weight", STR("bolder"));
        JW_STR(w, "size", STR("large"));
    }
    jw_object_end(w);
    jw_array_end(w);
    jw_object_end(w);
}

static void put_card(struct arena *arena, struct jw *w, const struct alert_message *message)
{
    jw_object(w);
    JW_STR(w, "$schema", STR("http://adaptivecards.io/schemas/adaptive-card.json"));
    JW_STR(w, "type", STR("AdaptiveCard"));
    JW_STR(w, "version", STR("1.4"));
    jw_key(w, STR("body"));
    jw_array(w);
    put_rich_text(w, channel_text(arena, message->title, escape_teams, CHANNEL_TITLE_MAX), true);
    put_rich_text(w, channel_text(arena, message->detail, escape_teams, CHANNEL_DETAIL_MAX), false);
    put_rich_text(w, channel_footer(arena, message), false);
    jw_array_end(w);
    jw_object_end(w);
}

void channel_render_teams(struct arena *arena, struct jw *w, const struct alert_message *message)
{
    jw_object(w);
    JW_STR(w, "type", STR("message"));
    jw_key(w, STR("attachments"));
    jw_array(w);
    jw_object(w);
    JW_STR(w, "contentType", STR("application/vnd.microsoft.card.adaptive"));
    jw_key(w, STR("contentUrl"));
    jw_null(w);
    jw_key(w, STR("content"));
    put_card(arena, w, message);
    jw_object_end(w);
    jw_array_end(w);
    jw_object_end(w);
}
