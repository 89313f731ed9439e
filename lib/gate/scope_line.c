#include "gate/scope_line.h"

void scope_put_number(struct buf *out, int64_t n)
{
    if (n == NUMBER_ABSENT)
        buf_putc(out, '-');
    else
        buf_put_int(out, n);
    buf_putc(out, '\t');
}

static bool is_plain(struct str text)
{
    return !text.n || (!memchr(text.p, '\t', text.n) && !memchr(text.p, '\n', text.n) &&
                       !memchr(text.p, '\\', text.n));
}

static void put_escaped(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '\t' || c == '\n' || c == '\\')
            buf_putc(out, '\\');
        buf_putc(out, c == '\t' ? 't' : c == '\n' ? 'n' : c);
    }
}

void scope_put_word(struct buf *out, struct str word)
{
    char *to = buf_reserve(out, word.n + 1);
    if (!to)
        return;
    if (word.n)
        memcpy(to, word.p, word.n);
    to[word.n] = '\t';
    buf_commit(out, word.n + 1);
}

void scope_put_text(struct buf *out, struct str text)
{
    if (is_plain(text)) {
        scope_put_word(out, text);
        return;
    }
    put_escaped(out, text);
    buf_putc(out, '\t');
}

struct str scope_escape(struct arena *arena, struct str text)
{
    if (is_plain(text))
        return str_or_empty(text);
    struct buf out = buf_init(arena, 2 * text.n);
    put_escaped(&out, text);
    return buf_str(&out);
}

struct str scope_field(struct str *line)
{
    struct str field;
    str_cut(*line, '\t', &field, line);
    return field;
}

int64_t scope_number(struct str *line)
{
    int64_t n;
    return str_to_i64(scope_field(line), &n) ? n : NUMBER_ABSENT;
}

struct str scope_unescape(struct arena *arena, struct str field)
{
    if (!field.n || !memchr(field.p, '\\', field.n))
        return field;
    struct buf out = buf_init(arena, field.n);
    for (size_t i = 0; i < field.n; i++) {
        char c = field.p[i];
        if (c == '\\' && i + 1 < field.n) {
            c = field.p[++i];
            c = (char)(c == 't' ? '\t' : c == 'n' ? '\n' : c);
        }
        buf_putc(&out, c);
    }
    return buf_str(&out);
}
