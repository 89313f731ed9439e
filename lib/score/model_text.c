#include "score/model_text.h"

#include "base/buf.h"

/* Of lists; and of selectors, which people write by hand. */
enum { SHOWN_MAX = 6, DEMANDS_MAX = 20 };

static struct str add(struct arena *arena, struct str text, struct str item)
{
    return arena_printf(arena, "%" STR_FMT "%s%" STR_FMT, STR_ARG(text), text.n ? ", " : "",
                        STR_ARG(item));
}

static struct str and_more(struct arena *arena, struct str text, uint32_t n)
{
    return n ? arena_printf(arena, "%" STR_FMT " and %u more", STR_ARG(text), n) : text;
}

struct str list_text(struct arena *arena, str_list list)
{
    struct str text = {NULL, 0};
    for (uint32_t i = 0; i < list.n && i < SHOWN_MAX; i++)
        text = add(arena, text, list.items[i].n ? list.items[i] : STR("\"\""));
    return and_more(arena, text, list.n > SHOWN_MAX ? list.n - SHOWN_MAX : 0);
}

static struct str add_pairs(struct arena *arena, pair_list pairs)
{
    struct str text = {NULL, 0};
    for (uint32_t i = 0; i < pairs.n && i < DEMANDS_MAX; i++)
        text = add(arena, text,
                   arena_printf(arena, "%" STR_FMT "=%" STR_FMT, STR_ARG(pairs.items[i].key),
                                STR_ARG(pairs.items[i].value)));
    return text;
}

struct str pairs_text(struct arena *arena, pair_list pairs)
{
    uint32_t left = pairs.n > DEMANDS_MAX ? pairs.n - DEMANDS_MAX : 0;
    return and_more(arena, add_pairs(arena, pairs), left);
}

struct str selector_text(struct arena *arena, const struct label_selector *selector)
{
    struct str text = add_pairs(arena, selector->match_labels);
    uint32_t demands = selector->match_labels.n + selector->match_expressions.n;
    uint32_t i = 0, left = demands > DEMANDS_MAX ? demands - DEMANDS_MAX : 0;
    for (; i < selector->match_expressions.n && selector->match_labels.n + i < DEMANDS_MAX; i++) {
        const struct selector_requirement *requirement = &selector->match_expressions.items[i];
        struct str one = arena_printf(arena, "%" STR_FMT " %" STR_FMT, STR_ARG(requirement->key),
                                      STR_ARG(requirement->operator));
        if (requirement->values.n)
            one = arena_printf(arena, "%" STR_FMT " (%" STR_FMT ")", STR_ARG(one),
                               STR_ARG(list_text(arena, requirement->values)));
        text = add(arena, text, one);
    }
    return and_more(arena, text, left);
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
