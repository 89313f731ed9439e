#include "codec/markup.h"

static struct str entity_of(char c)
{
    switch (c) {
    case '&':
        return STR("&amp;");
    case '<':
        return STR("&lt;");
    case '>':
        return STR("&gt;");
    case '"':
        return STR("&quot;");
    case '\'':
        return STR("&#39;");
    default:
        return (struct str){NULL, 0};
    }
}

void markup_text(struct buf *out, struct str text)
{
    while (text.n > 0) {
        size_t n = str_visible_length(text);
        struct str entity = n == 1 ? entity_of(*text.p) : (struct str){NULL, 0};
        if (n == 0)
            buf_putc(out, *text.p == '\n' ? '\n' : '?');
        else
            buf_put(out, entity.p ? entity : str_sub(text, 0, n));
        size_t length = str_utf8_length(text);
        text = str_sub(text, n ? n : length ? length : 1, text.n);
    }
}
