/* Objects whose members are all of one sort: labels, amounts, words. */
#include "reader/decode.h"
#include "reader/misfit.h"

static int by_key(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    return str_cmp(x->key, y->key);
}

/* Puts pairs in the order of their keys; of equal keys the last one stays. */
static uint32_t sort_pairs(struct decoder *decoder, struct pair *pairs, uint32_t n)
{
    struct pair *scratch = stack_take(decoder->stack, n * sizeof *scratch);
    uint32_t kept = 0;
    list_sort_stable(pairs, scratch, n, sizeof *pairs, by_key);
    for (uint32_t i = 0; i < n; i++)
        if (i + 1 == n || !str_eq(pairs[i].key, pairs[i + 1].key))
            pairs[kept++] = pairs[i];
    return kept;
}

static pair_list read_pairs(struct decoder *decoder, unsigned accepts, decode_wanted *wanted,
                            void *structure)
{
    static const char pairs_type;
    struct list_builder list = list_builder_begin(decoder);
    struct str last = {NULL, 0};
    bool sorted = true;
    enum jr_type type;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END) {
        bool fits = accepts >> type & 1;
        if (!fits)
            misfit_note(decoder, type, accepts);
        if ((wanted && !wanted(decoder, type, structure)) || !fits)
            continue;
        struct pair *pair = list_builder_add(decoder, &list, sizeof *pair);
        pair->key = decode_key(decoder);
        pair->value = decode_string(decoder);
        sorted = sorted && (list.n == 1 || str_cmp(last, pair->key) < 0);
        last = pair->key;
    }
    pair_list pairs;
    if (!sorted) {
        list.n = sort_pairs(decoder, (struct pair *)(void *)list.items, (uint32_t)list.n);
        list.used = list.n * sizeof(struct pair);
    }
    list_builder_end(decoder, &list, &pairs_type, &pairs);
    return pairs;
}

pair_list decode_pairs(struct decoder *decoder, decode_wanted *wanted, void *structure)
{
    return read_pairs(decoder, ACCEPTS(STRING), wanted, structure);
}

pair_list decode_amounts(struct decoder *decoder)
{
    return read_pairs(decoder, ACCEPTS(STRING) | ACCEPTS(NUMBER), NULL, NULL);
}

pair_list decode_words(struct decoder *decoder)
{
    return read_pairs(decoder, ACCEPTS(STRING) | ACCEPTS(TRUE) | ACCEPTS(FALSE), NULL, NULL);
}
