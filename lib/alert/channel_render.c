#include "alert/channel_render.h"

#define ELLIPSIS       "\xE2\x80\xA6"
#define ELLIPSIS_CHARS 1

struct str channel_escape_nothing(char c)
{
    (void)c;
    return (struct str){0};
}

static size_t characters(struct str s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        n += c >= 0xF0 ? 2 : (c & 0xC0) != 0x80;
    }
    return n;
}

struct str channel_text(struct arena *arena, struct str s, channel_escape *escape, size_t max)
{
    struct buf out = buf_init(arena, 4 * max + sizeof ELLIPSIS);
    size_t used = 0, fits = 0;
    while (s.n) {
        size_t n = str_utf8_length(s);
        struct str c = {s.p, n ? n : 1}, with = escape(*c.p);
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

struct str channel_footer(struct arena *arena, const struct alert_message *message)
{
    char time[CLOCK_TEXT_SIZE];
    struct str at = clock_format(message->time, time), event = alert_event_name(message->event);
    return arena_printf(arena, "%" STR_FMT ", %" STR_FMT ", loadline", STR_ARG(event), STR_ARG(at));
}
