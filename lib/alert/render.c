#include "alert/render.h"

#include "codec/jw.h"

/* Slack refuses a message of which a header has more than 150 characters or a section more than
 * 3,000. Text is cut well before: in characters as Slack counts them, escapes included. */
enum { HEADER_MAX = 150, SECTION_MAX = 3000, TEXT_MAX = 2000 };

#define SOURCE         STR("loadline")
#define ZERO_WIDTH     "\xE2\x80\x8B"
#define ELLIPSIS       "\xE2\x80\xA6"
#define ELLIPSIS_CHARS 1

static const struct str names[] = {
    [ALERT_SLACK] = STR("slack"), [ALERT_TEAMS] = STR("teams"), [ALERT_WEBHOOK] = STR("webhook")};

struct str alert_format_name(enum alert_format format)
{
    return names[format];
}

bool alert_format_find(struct str name, enum alert_format *format)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(names[i], name)) {
            *format = (enum alert_format)i;
            return true;
        }
    return false;
}

/* ---- text ---- */

/* What one character becomes. Absent: itself. */
typedef struct str escape(char c);

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
        return STR("@" ZERO_WIDTH);
    default:
        return (struct str){0};
    }
}

/* A TextRun is not Markdown and has no escapes; a mention would be <at>name</at>. */
static struct str escape_teams(char c)
{
    return c == '<' ? STR("<" ZERO_WIDTH) : c == '@' ? STR("@" ZERO_WIDTH) : (struct str){0};
}

/* In UTF-16, as receivers count. */
static size_t characters(struct str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        n += c >= 0xF0 ? 2 : (c & 0xC0) != 0x80;
    }
    return n;
}

/* At most max characters, escapes counted and never cut; what is longer ends with an ellipsis. */
static struct str escaped(struct arena *arena, struct str s, escape *of, size_t max)
{
    struct buf out = buf_init(arena, 4 * max + sizeof ELLIPSIS);
    size_t used = 0, fits = 0;
    while (s.n) {
        size_t n = str_utf8_length(s);
        struct str c = {s.p, n ? n : 1}, with = of(*c.p);
        if (!with.p)
            with = c;
        used += characters(with);
        if (used > max)
            break;
        buf_put(&out, with);
        if (used + ELLIPSIS_CHARS <= max)
            fits = out.n;
        s = str_sub(s, c.n, s.n);
    }
    if (s.n) {
        out.n = fits;
        buf_put(&out, STR(ELLIPSIS));
    }
    return buf_str(&out);
}

/* ---- Slack ---- */

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

/* "Score Drop, 2026-03-17T12:00:00Z, loadline" */
static struct str footer(struct arena *arena, const struct alert_message *message)
{
    char time[CLOCK_TEXT_SIZE];
    struct str at = clock_format(message->time, time), event = alert_event_name(message->event);
    return arena_printf(arena, "%" STR_FMT ", %" STR_FMT ", loadline", STR_ARG(event), STR_ARG(at));
}

/* A title that does not fit its header is told whole in front of the detail. */
static void render_slack(struct arena *arena, struct jw *w, const struct alert_message *message)
{
    struct str title = escaped(arena, message->title, escape_slack, TEXT_MAX);
    struct str header = escaped(arena, message->title, escape_slack, HEADER_MAX);
    struct str detail = message->detail;
    if (!str_eq(title, header))
        detail = arena_printf(arena, "%" STR_FMT "\n%" STR_FMT, STR_ARG(message->title),
                              STR_ARG(message->detail));
    detail = escaped(arena, detail, escape_slack, SECTION_MAX);
    jw_object(w);
    JW_STR(w, "text", title);
    JW_BOOL(w, "mrkdwn", false);
    jw_key(w, STR("blocks"));
    jw_array(w);
    put_block(w, STR("header"), header);
    put_block(w, STR("section"), detail);
    put_context(w, footer(arena, message));
    jw_array_end(w);
    jw_object_end(w);
}

/* ---- Teams ---- */

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
    put_rich_text(w, escaped(arena, message->title, escape_teams, TEXT_MAX), true);
    put_rich_text(w, escaped(arena, message->detail, escape_teams, SECTION_MAX), false);
    put_rich_text(w, footer(arena, message), false);
    jw_array_end(w);
    jw_object_end(w);
}

static void render_teams(struct arena *arena, struct jw *w, const struct alert_message *message)
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

/* ---- webhook ---- */

static struct str escape_nothing(char c)
{
    (void)c;
    return (struct str){0};
}

static void render_webhook(struct arena *arena, struct jw *w, const struct alert_message *message)
{
    jw_object(w);
    JW_STR(w, "event", alert_event_name(message->event));
    JW_STR(w, "title", escaped(arena, message->title, escape_nothing, TEXT_MAX));
    JW_STR(w, "detail", escaped(arena, message->detail, escape_nothing, SECTION_MAX));
    JW_STR(w, "source", SOURCE);
    JW_TIME(w, "timestamp", message->time);
    jw_object_end(w);
}

struct str alert_render(struct arena *arena, enum alert_format format,
                        const struct alert_message *message)
{
    static void (*const renderers[])(struct arena *, struct jw *, const struct alert_message *) = {
        [ALERT_SLACK] = render_slack,
        [ALERT_TEAMS] = render_teams,
        [ALERT_WEBHOOK] = render_webhook};
    struct buf out = buf_init(arena, ALERT_BODY_MAX);
    struct jw w;
    jw_init(&w, &out);
    renderers[format](arena, &w, message);
    return buf_str(&out);
}
