/* kubectl prints a pod's log between two lines:
 *
 *     ==== START logs for container NAME of pod NAMESPACE/NAME ====
 *     ==== END logs for container NAME of pod NAMESPACE/NAME ====
 */
#include "offline/text.h"

#include "codec/sniff.h"

#define LOG_START STR("==== START logs for container ")
#define LOG_END   STR("==== END logs for container ")

void text_open(struct text *text, struct source from, bool json)
{
    *text = (struct text){.from = from, .json = json, .line = 1, .line_start = true};
}

/* Reads on until the window holds n bytes or the file ends. False when the source failed. */
static bool fill(struct text *text, size_t n)
{
    if (text->n - text->at >= n)
        return true;
    if (text->at)
        memmove(text->window, text->window + text->at, text->n - text->at);
    text->n -= text->at;
    text->at = 0;
    while (text->n < n && !text->ended) {
        ptrdiff_t got =
            text->from.read(text->from.context, text->window + text->n, TEXT_WINDOW - text->n);
        if (got < 0)
            return false;
        text->ended = got == 0;
        text->n += (size_t)got;
    }
    return true;
}

static struct str held(const struct text *text)
{
    return (struct str){text->window + text->at, text->n - text->at};
}

/* The current line without its end and trailing blanks; of a long one the first bytes. */
static struct str line_of(const struct text *text)
{
    struct str line;
    str_cut(str_sub(held(text), 0, TEXT_SPECIAL_MAX), '\n', &line, NULL);
    while (line.n && (line.p[line.n - 1] == '\r' || line.p[line.n - 1] == ' '))
        line.n--;
    return line;
}

static void begin_log(struct text *text, struct str line)
{
    struct str rest = str_sub(line, LOG_START.n, line.n);
    memcpy(text->log_end, LOG_END.p, LOG_END.n);
    rest.n = rest.n < TEXT_SPECIAL_MAX - LOG_END.n ? rest.n : TEXT_SPECIAL_MAX - LOG_END.n;
    memcpy(text->log_end + LOG_END.n, rest.p, rest.n);
    text->log_end_n = LOG_END.n + rest.n;
    text->log_line = text->line;
    text->inside_log = true;
}

/* At the start of a line: is it to be left out? False when reading must end. */
static bool look_at_line(struct text *text)
{
    struct str line = line_of(text);
    if (text->inside_log) {
        text->inside_log = !str_eq(line, (struct str){text->log_end, text->log_end_n});
        text->dropping = true;
    } else if (str_has_prefix(line, LOG_START)) {
        begin_log(text, line);
        text->dropping = true;
    } else {
        text->stray_log = str_has_prefix(line, LOG_END);
        text->dropping = text->json && str_eq(line, STR("---"));
    }
    return !text->stray_log;
}

static bool may_be_special(const struct text *text, char first)
{
    return text->inside_log || first == '=' || (text->json && first == '-');
}

/* How much of the window is handed on as it stands: up to a line that may be special. */
static size_t ordinary(const struct text *text, struct str bytes)
{
    const char *p = bytes.p, *end = bytes.p + bytes.n;
    while ((p = memchr(p, '\n', (size_t)(end - p))) != NULL)
        if (++p == end || may_be_special(text, *p))
            return (size_t)(p - bytes.p);
    return bytes.n;
}

static size_t drop(struct text *text)
{
    struct str bytes = held(text);
    const char *newline = memchr(bytes.p, '\n', bytes.n);
    text->at += newline ? (size_t)(newline - bytes.p) : bytes.n;
    text->dropping = !newline;
    text->line_start = false;
    return 0;
}

static void count_lines(struct text *text, struct str bytes)
{
    const char *p = bytes.p, *end = bytes.p + bytes.n;
    while ((p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        p++;
        text->line++;
    }
    if (!text->json && !text->braces)
        text->braces = str_has(bytes, STR("{{"));
}

static size_t pass(struct text *text, char *dst, size_t cap)
{
    struct str bytes = held(text);
    bytes.n = ordinary(text, bytes);
    bytes.n = bytes.n < cap ? bytes.n : cap;
    memcpy(dst, bytes.p, bytes.n);
    text->at += bytes.n;
    text->line_start = bytes.p[bytes.n - 1] == '\n';
    count_lines(text, bytes);
    return bytes.n;
}

static bool skip_bom(struct text *text)
{
    if (text->started)
        return true;
    text->started = true;
    if (!fill(text, 3))
        return false;
    if (sniff_has_bom(held(text)))
        text->at += 3;
    return true;
}

static ptrdiff_t read_text(void *context, char *dst, size_t cap)
{
    struct text *text = context;
    size_t n = 0;
    if (!skip_bom(text))
        return -1;
    while (n == 0) {
        if (!fill(text, 1))
            return -1;
        if (text->at == text->n)
            break;
        if (text->line_start && may_be_special(text, text->window[text->at]))
            if (!fill(text, TEXT_SPECIAL_MAX) || !look_at_line(text))
                return -1;
        n = text->dropping ? drop(text) : pass(text, dst, cap);
    }
    text->unended_log = n == 0 && text->inside_log;
    return text->unended_log ? -1 : (ptrdiff_t)n;
}

struct source text_source(struct text *text)
{
    return (struct source){read_text, text};
}
