#include "score/model_text.h"

#include "base/buf.h"

enum { SHOWN_MAX = 6 };

static struct str add(struct arena *arena, struct str text, struct str item)
{
    return arena_printf(arena, "%" STR_FMT "%s%" STR_FMT, STR_ARG(text), text.n ? ", " : "",
                        STR_ARG(item));
}

struct str list_text(struct arena *arena, str_list list)
{
    struct str text = {NULL, 0};
    for (uint32_t i = 0; i < list.n && i < SHOWN_MAX; i++)
        text = add(arena, text, list.items[i].n ? list.items[i] : STR("\"\""));
    if (list.n <= SHOWN_MAX)
        return text;
    return arena_printf(arena, "%" STR_FMT " and %u more", STR_ARG(text), list.n - SHOWN_MAX);
}

struct str pairs_text(struct arena *arena, pair_list pairs)
{
    const struct pair *pair;
    struct str text = {NULL, 0};
    LIST_EACH (pair, pairs)
        text = add(arena, text,
                   arena_printf(arena, "%" STR_FMT "=%" STR_FMT, STR_ARG(pair->key),
                                STR_ARG(pair->value)));
    return text;
}

struct str selector_text(struct arena *arena, const struct label_selector *selector)
{
    const struct selector_requirement *requirement;
    struct str text = pairs_text(arena, selector->match_labels);
    LIST_EACH (requirement, selector->match_expressions) {
        struct str one = arena_printf(arena, "%" STR_FMT " %" STR_FMT, STR_ARG(requirement->key),
                                      STR_ARG(requirement->operator));
        if (requirement->values.n)
            one = arena_printf(arena, "%" STR_FMT " (%" STR_FMT ")", STR_ARG(one),
                               STR_ARG(list_text(arena, requirement->values)));
        text = add(arena, text, one);
    }
    return text;
}

struct str line_text(struct arena *arena, struct str text, size_t max)
{
    struct buf out = buf_init(arena, max);
    for (text = str_utf8_prefix(text, max); text.n;) {
        size_t n = str_visible_length(text), hidden = str_utf8_length(text);
        if (n)
            buf_put(&out, str_sub(text, 0, n));
        else
            buf_putc(&out, ' ');
        text = str_sub(text, n ? n : hidden ? hidden : 1, text.n);
    }
    return buf_str(&out);
}
