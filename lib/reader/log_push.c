#include "reader/log_push.h"

#include "kube/credential_cut.h"
#include "reader/log_secrets.h"

#include <stdlib.h>

enum { DEPTH_MAX = 32, KEY_MAX = 64 * 1024, MARK_SIZE = 48 };

static const struct str severity_names[LOG_SEVERITY_COUNT] = {
    [LOG_TRACE] = STR("TRACE"), [LOG_DEBUG] = STR("DEBUG"), [LOG_INFO] = STR("INFO"),
    [LOG_WARN] = STR("WARN"),   [LOG_ERROR] = STR("ERROR"), [LOG_FATAL] = STR("FATAL"),
};

struct reading {
    struct arena *arena;
    struct jr *jr;
    struct log_push *push;
    struct log_push_error *error;
    int64_t now, oldest;
    struct log_secrets secrets;
    bool has_lines;
};

struct str log_severity_name(enum log_severity severity)
{
    return severity_names[severity];
}

bool log_severity_find(struct str name, enum log_severity *severity)
{
    for (int s = 0; s < LOG_SEVERITY_COUNT; s++) {
        if (str_eq_nocase(name, severity_names[s])) {
            *severity = (enum log_severity)s;
            return true;
        }
    }
    *severity = LOG_INFO;
    return false;
}

/* ---- refusals: all return false ---- */

static bool refuse(struct reading *reading, enum log_push_code code, const char *field,
                   const char *problem)
{
    reading->error->code = code;
    reading->error->problem = problem;
    snprintf(reading->error->field, sizeof reading->error->field, "%s", field);
    return false;
}

static bool refuse_line(struct reading *reading, enum log_push_code code, uint32_t position,
                        const char *member, const char *problem)
{
    char field[sizeof reading->error->field];
    snprintf(field, sizeof field, "lines[%u]%s%s", position, *member ? "." : "", member);
    return refuse(reading, code, field, problem);
}

static bool refuse_json(struct reading *reading)
{
    reading->error->code = LOG_PUSH_E_JSON;
    reading->error->json = *jr_error(reading->jr);
    return false;
}

/* It is JSON, but not what is wanted. */
static bool refuse_document(struct reading *reading, const char *text)
{
    reading->error->code = LOG_PUSH_E_JSON;
    reading->error->json =
        (struct jr_error){JR_E_SYNTAX, jr_offset(reading->jr), (struct str){0}, text};
    return false;
}

/* ---- lines ---- */

/* The beginning of a message that is too long, and how long it was. */
static struct str cut_message(struct arena *arena, struct str message)
{
    struct str kept = str_utf8_prefix(message, LOG_MESSAGE_MAX);
    char *p = arena_bytes(arena, kept.n + MARK_SIZE);
    memcpy(p, kept.p, kept.n);
    int n = snprintf(p + kept.n, MARK_SIZE, " [cut: it had %zu bytes]", message.n);
    return (struct str){p, kept.n + (size_t)n};
}

/* A key ends that has begun before this push: the lines in front of its end go, too. */
static void cut_lines_before(struct reading *reading)
{
    struct log_push *push = reading->push;
    for (uint32_t i = push->lines.n, n = 0; i > 0 && n < LOG_KEY_LINES_MAX; i--, n++) {
        if (!log_secrets_is_key_line(push->lines.items[i - 1].message))
            break;
        push->lines.items[i - 1].message = STR(CREDENTIAL_CUT);
    }
}

/* Secrets are cut out of all of it, and then what is left is made short. */
static void set_message(struct reading *reading, struct log_line *line, struct str message)
{
    if (log_secrets_ends_key(&reading->secrets, message))
        cut_lines_before(reading);
    message = log_secrets_cut(&reading->secrets, reading->arena, message);
    line->message = message.n > LOG_MESSAGE_MAX ? cut_message(reading->arena, message)
                                                : arena_str(reading->arena, message);
}

static void set_level(struct reading *reading, struct log_line *line, struct str level)
{
    line->level = (struct str){0};
    if (!log_severity_find(level, &line->severity) && level.n)
        line->level = arena_str(
            reading->arena, str_utf8_prefix(credential_cut(reading->arena, level), LOG_LEVEL_MAX));
}

/* One member of a line. */
static bool read_member(struct reading *reading, struct log_line *line, enum jr_type type)
{
    static const char *const names[] = {"timestamp", "message", "level"};
    struct str key = jr_key(reading->jr);
    size_t i = 0;
    while (i < 3 && !str_eq(key, str_of(names[i])))
        i++;
    if (i == 3)
        return true;
    if (type != JR_STRING && type != JR_NULL)
        return refuse_line(reading, LOG_PUSH_E_INVALID, line->position, names[i],
                           "must be a string.");
    struct str text = type == JR_STRING ? jr_text(reading->jr) : (struct str){0};
    if (type == JR_STRING && !text.p)
        return refuse_json(reading);
    if (i == 0)
        line->time = text.p ? clock_parse_nanos(text, &line->nanos) : reading->now;
    else if (i == 1 && text.p)
        set_message(reading, line, text);
    else if (i == 1)
        line->message = text;
    else
        set_level(reading, line, text);
    if (line->time == TIME_NONE)
        return refuse_line(reading, LOG_PUSH_E_INVALID, line->position, names[0],
                           "must be a time such as 2026-03-17T12:00:00.123456789Z.");
    if (i == 0 && !text.p)
        line->nanos = (int)line->position;
    return true;
}

static void add_line(struct reading *reading, const struct log_line *line)
{
    struct log_push *push = reading->push;
    if (line->time < reading->oldest || line->time > reading->now + LOG_AHEAD_MS) {
        push->skipped++;
        return;
    }
    LIST_ADD(reading->arena, push->lines, *line);
}

static bool read_line(struct reading *reading, uint32_t position, enum jr_type type)
{
    struct log_line line = {
        .time = reading->now, .nanos = (int)position, .position = position, .severity = LOG_INFO};
    if (position == LOG_LINES_MAX)
        return refuse(reading, LOG_PUSH_E_LINES, "lines", "");
    if (type != JR_OBJECT)
        return refuse_line(reading, LOG_PUSH_E_INVALID, position, "", "must be an object.");
    jr_enter(reading->jr);
    while ((type = jr_next(reading->jr)) > JR_END)
        if (!read_member(reading, &line, type))
            return false;
    if (type == JR_ERROR)
        return refuse_json(reading);
    if (!line.message.p)
        return refuse_line(reading, LOG_PUSH_E_MISSING, position, "message", "");
    add_line(reading, &line);
    return true;
}

static bool read_lines(struct reading *reading, enum jr_type type)
{
    reading->push->lines.n = reading->push->skipped = 0;
    reading->has_lines = type != JR_NULL;
    if (type == JR_NULL)
        return true;
    if (type != JR_ARRAY)
        return refuse(reading, LOG_PUSH_E_INVALID, "lines", "must be an array.");
    jr_enter(reading->jr);
    for (uint32_t position = 0; (type = jr_next(reading->jr)) > JR_END; position++)
        if (!read_line(reading, position, type))
            return false;
    return type == JR_END || refuse_json(reading);
}

/* ---- the rest of the document ---- */

static bool read_name(struct reading *reading, const char *field, enum jr_type type,
                      struct str *name)
{
    struct str text = type == JR_STRING ? jr_text(reading->jr) : (struct str){0};
    if (type == JR_STRING && !text.p)
        return refuse_json(reading);
    if (type != JR_STRING && type != JR_NULL)
        return refuse(reading, LOG_PUSH_E_INVALID, field, "must be a string.");
    if (text.n > LOG_NAME_MAX)
        return refuse(reading, LOG_PUSH_E_INVALID, field, "must have at most 253 bytes.");
    for (size_t i = 0; i < text.n; i++)
        if ((unsigned char)text.p[i] < ' ' || text.p[i] == 0x7f)
            return refuse(reading, LOG_PUSH_E_INVALID, field,
                          "must not contain control characters.");
    *name = arena_str(reading->arena, credential_cut(reading->arena, text));
    return true;
}

static bool read_top_member(struct reading *reading, enum jr_type type)
{
    struct log_push *push = reading->push;
    struct str key = jr_key(reading->jr);
    if (str_eq(key, STR("lines")))
        return read_lines(reading, type);
    if (str_eq(key, STR("namespace")))
        return read_name(reading, "namespace", type, &push->namespace);
    if (str_eq(key, STR("pod")))
        return read_name(reading, "pod", type, &push->pod);
    if (str_eq(key, STR("container")))
        return read_name(reading, "container", type, &push->container);
    return true;
}

static bool read_document(struct reading *reading)
{
    enum jr_type type = jr_next(reading->jr);
    if (type == JR_ERROR)
        return refuse_json(reading);
    if (type != JR_OBJECT)
        return refuse_document(reading, "the body must be a JSON object");
    jr_enter(reading->jr);
    while ((type = jr_next(reading->jr)) > JR_END)
        if (!read_top_member(reading, type))
            return false;
    if (type == JR_ERROR)
        return refuse_json(reading);
    type = jr_next(reading->jr);
    if (type == JR_ERROR)
        return refuse_json(reading);
    return type == JR_END || refuse_document(reading, "the body goes on after its JSON object");
}

static bool is_whole(struct reading *reading)
{
    const struct log_push *push = reading->push;
    const char *missing = !push->namespace.n    ? "namespace"
                          : !push->pod.n        ? "pod"
                          : !push->container.n  ? "container"
                          : !reading->has_lines ? "lines"
                                                : NULL;
    return !missing || refuse(reading, LOG_PUSH_E_MISSING, missing, "");
}

/* ---- what tells lines apart ---- */

static int by_time(const void *a, const void *b)
{
    const struct log_line *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->nanos != y->nanos)
        return x->nanos < y->nanos ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static void identify(struct log_push *push)
{
    const struct str names[] = {push->namespace, push->pod, push->container};
    uint64_t stream = 0;
    struct log_line *line;
    for (size_t i = 0; i < 3; i++)
        stream = str_hash(str_hash(stream, names[i]), (struct str){"", 1});
    push->stream = (int64_t)stream;
    push->family = pod_family_of(push->pod);
    LIST_EACH (line, push->lines)
        line->id = (int64_t)str_hash(stream, line->message);
    LIST_SORT(push->lines, by_time);
}

struct log_push *log_push_read(struct arena *arena, struct source source, int64_t now,
                               int64_t oldest, struct log_push_error *error)
{
    const struct jr_limits limits = {
        .depth = DEPTH_MAX, .key = KEY_MAX, .string = LOG_JSON_MAX, .total = LOG_JSON_MAX};
    struct reading reading = {.arena = arena,
                              .jr = jr_open(arena, source, limits),
                              .push = ARENA_NEW(arena, struct log_push),
                              .error = error,
                              .now = now,
                              .oldest = oldest};
    *error = (struct log_push_error){.code = LOG_PUSH_OK};
    if (!read_document(&reading) || !is_whole(&reading))
        return NULL;
    identify(reading.push);
    return reading.push;
}
