#include "agent/log_pick.h"

#include "agent/log_level.h"
#include "codec/jw.h"

enum { NAMES_MAX = 8 * 1024, LINE_MAX = 100, ESCAPED = 6, MARK_MAX = 64 };

static void put_names(struct jw *jw, struct str namespace, struct str pod, struct str container)
{
    jw_object(jw);
    JW_STR(jw, "namespace", namespace);
    JW_STR(jw, "pod", pod);
    JW_STR(jw, "container", container);
    jw_key(jw, STR("lines"));
    jw_array(jw);
}

static struct str end_document(struct jw *jw)
{
    jw_array_end(jw);
    jw_object_end(jw);
    return jw->out->full ? (struct str){0} : buf_str(jw->out);
}

/* "2026-03-17T12:00:00.123456789Z the message"; lines that do not begin with a time are nobody's.
 */
static void put_lines(struct jw *jw, struct str text)
{
    struct str line, time, message;
    for (unsigned n = 0; text.n && n < LOG_PICK_LINES_MAX; n++) {
        str_cut(text, '\n', &line, &text);
        if (!str_cut(line, ' ', &time, &message) || clock_parse(time) == TIME_NONE)
            continue;
        if (str_has_suffix(message, STR("\r")))
            message.n--;
        jw_object(jw);
        JW_STR(jw, "timestamp", time);
        JW_STR(jw, "message", message);
        jw_object_end(jw);
    }
}

/* As the server would read it. NULL when it would not. */
static struct log_push *read_lines(struct arena *arena, struct str namespace, struct str pod,
                                   struct str container, struct str text, int64_t now)
{
    struct log_push_error error;
    struct buf buf =
        buf_init(arena, NAMES_MAX + text.n * ESCAPED + (size_t)LINE_MAX * LOG_PICK_LINES_MAX);
    struct jw jw;
    jw_init(&jw, &buf);
    put_names(&jw, namespace, pod, container);
    put_lines(&jw, text);
    struct str document = end_document(&jw);
    return document.p ? log_push_read(arena, source_of(&document), now, 0, &error) : NULL;
}

/* A message that was too long has a mark at its end. With it it is short enough not to get a second
 * one. */
static struct str shorten(struct arena *arena, struct str message)
{
    struct str kept, mark;
    if (message.n <= LOG_MESSAGE_MAX || !str_cut_last(message, '[', &kept, &mark))
        return message;
    kept = str_utf8_prefix(kept, LOG_MESSAGE_MAX - MARK_MAX);
    return arena_printf(arena, "%" STR_FMT " [%" STR_FMT, STR_ARG(kept), STR_ARG(mark));
}

static void put_line(struct jw *jw, struct arena *arena, const struct log_line *line,
                     enum log_severity level)
{
    char time[CLOCK_TEXT_SIZE];
    jw_object(jw);
    JW_STR(jw, "timestamp", clock_format_nanos(line->time, line->nanos, time));
    JW_STR(jw, "message", shorten(arena, line->message));
    if (level >= LOG_ERROR)
        JW_STR(jw, "level", log_severity_name(level));
    jw_object_end(jw);
}

struct log_picked log_pick(struct arena *arena, struct str namespace, struct str pod,
                           struct str container, bool failed, struct str text, int64_t now)
{
    struct log_picked picked = {.newest = TIME_NONE};
    struct str whole;
    if (text.n > LOG_PICK_TEXT_MAX &&
        str_cut_last(str_sub(text, 0, LOG_PICK_TEXT_MAX), '\n', &whole, &(struct str){0}))
        text = whole;
    else
        text = str_sub(text, 0, LOG_PICK_TEXT_MAX);
    struct log_push *push = read_lines(arena, namespace, pod, container, text, now);
    if (!push || !push->lines.n)
        return picked;
    picked.newest = push->lines.items[push->lines.n - 1].time;
    struct buf buf = buf_init(arena, LOG_JSON_MAX);
    struct jw jw;
    jw_init(&jw, &buf);
    put_names(&jw, push->namespace, push->pod, push->container);
    for (uint32_t i = 0; i < push->lines.n; i++) {
        const struct log_line *line = &push->lines.items[i];
        enum log_severity level = log_level(line->message);
        if (level >= LOG_ERROR || (failed && i + LOG_PICK_LAST >= push->lines.n)) {
            put_line(&jw, arena, line, level);
            picked.lines++;
        }
    }
    struct str document = end_document(&jw);
    if (picked.lines)
        picked.document = document;
    return picked;
}
