/* Slack, an incoming webhook: text, and blocks of plain text. */
#include "alert/channel_render.h"
#include "alert/channel_type.h"

/* Slack refuses a header of more characters. */
enum { HEADER_MAX = 150 };

/* Slack's control sequences (<!channel>, <@U1>, <#C1|x>, <http://x>) begin with '<'; the three
 * characters it wants escaped, and no word after '@'. */
static struct str escape_slack(char c)
{
    switch (c) {
    case '&':
        return STR("&amp;");
    case '<':
        return STR("&lt;");
    case '>':
        return STR("&gt;");
    case '@':
        return STR("@" CHANNEL_ZERO_WIDTH);
    default:
        return (struct str){0};
    }
}

static void put_plain_text(struct jw *w, struct str text)
{
    jw_object(w);
    JW_STR(w, "type", STR("plain_text"));
    JW_STR(w, "text", text);
    JW_BOOL(w, "emoji", false);
    jw_object_end(w);
}

static void put_block(struct jw *w, struct str type, struct str text)
{
    jw_object(w);
    JW_STR(w, "type", type);
    jw_key(w, STR("text"));
    put_plain_text(w, text);
    jw_object_end(w);
}

static void put_context(struct jw *w, struct str text)
{
    jw_object(w);
    JW_STR(w, "type", STR("context"));
    jw_key(w, STR("elements"));
    jw_array(w);
    put_plain_text(w, text);
    jw_array_end(w);
    jw_object_end(w);
}

/* A title that does not fit its header is told whole in front of the detail. */
void channel_render_slack(struct arena *arena, struct jw *w, const struct alert_message *message)
{
    struct str title = channel_text(arena, message->title, escape_slack, CHANNEL_TITLE_MAX);
    struct str header = channel_text(arena, message->title, escape_slack, HEADER_MAX);
    struct str detail = message->detail;
    if (!str_eq(title, header))
        detail = arena_printf(arena, "%" STR_FMT "\n%" STR_FMT, STR_ARG(message->title),
                              STR_ARG(message->detail));
    detail = channel_text(arena, detail, escape_slack, CHANNEL_DETAIL_MAX);
    jw_object(w);
    JW_STR(w, "text", title);
    JW_BOOL(w, "mrkdwn", false);
    jw_key(w, STR("blocks"));
    jw_array(w);
    put_block(w, STR("header"), header);
    put_block(w, STR("section"), detail);
    put_context(w, channel_footer(arena, message));
    jw_array_end(w);
    jw_object_end(w);
}
