#include "codec/text_part.h"

static struct str bytes_of(void *context, size_t from, size_t n)
{
    const struct str *text = context;
    return str_sub(*text, from, n);
}

struct text_view text_view_of(struct str *text)
{
    return (struct text_view){.n = text->n, .bytes = bytes_of, .context = text};
}
