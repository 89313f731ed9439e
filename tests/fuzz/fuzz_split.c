/* The stream of a watch, or a list: the first byte chooses. In whatever pieces it comes the same is
 * cut; of well-formed JSON each piece is one object, and nothing of the objects stays in the head.
 */
#include <assert.h>

#include "agent/clean.h"
#include "agent/split.h"
#include "codec/jr.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

struct cut {
    struct bytes objects;
    size_t n;
    bool whole;
    enum split_result result;
};

static void keep_object(void *context, struct str text)
{
    struct cut *cut = context;
    assert(text.n >= 2 && text.p[0] == '{');
    bytes_put(&cut->objects, text);
    bytes_putc(&cut->objects, '\n');
    cut->n++;
}

static struct cut cut_up(enum split_form form, struct str text, size_t piece)
{
    struct cut cut = {.n = 0};
    struct split split = {.object = keep_object, .context = &cut};
    split_begin(&split, form);
    for (; text.n; text = str_sub(text, piece, SIZE_MAX))
        split_put(&split, str_sub(text, 0, piece));
    cut.result = split.result;
    cut.whole = split_is_whole(&split);
    split_free(&split);
    return cut;
}

/* How many objects a strict reader finds at the top level; SIZE_MAX when it is not well formed or
 * there is more. */
static size_t count_objects(struct str text)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct jr *jr = jr_open(arena, source_of(&text),
                            (struct jr_limits){64, 1 << 20, 1 << 20, 1024, UINT64_MAX});
    enum jr_type type;
    size_t n = 0;
    bool other = false;
    while ((type = jr_next(jr)) > JR_END) {
        n++;
        other |= type != JR_OBJECT;
    }
    other |= jr_error(jr)->code != JR_OK;
    arena_free(arena);
    return other ? SIZE_MAX : n;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    if (size < 2)
        return 0;
    enum split_form form = data[0] & 1 ? SPLIT_ITEMS : SPLIT_VALUES;
    struct str text = {(const char *)data + 2, size - 2};
    struct cut one = cut_up(form, text, SIZE_MAX / 2), other = cut_up(form, text, 1 + data[1] % 7);
    assert(one.n == other.n && one.whole == other.whole && one.result == other.result);
    assert(str_eq(bytes_str(&one.objects), bytes_str(&other.objects)));
    size_t n = form == SPLIT_VALUES ? count_objects(text) : SIZE_MAX;
    assert(n == SIZE_MAX || (one.whole && one.n == n));
    bytes_free(&one.objects);
    bytes_free(&other.objects);
    return 0;
}
