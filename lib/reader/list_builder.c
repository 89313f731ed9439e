#include "reader/list_builder.h"

#include "kube/meta.h"

struct list_builder list_builder_begin(struct decoder *decoder)
{
    struct list_builder list = {.mark = stack_mark(decoder->stack)};
    list.items = stack_take(decoder->stack, 0);
    return list;
}

void *list_builder_add(struct decoder *decoder, struct list_builder *list, size_t size)
{
    list->items = stack_resize(decoder->stack, list->items, list->used, list->used + size);
    void *item = list->items + list->used;
    list->used += size;
    list->n++;
    return item;
}

void list_builder_end(struct decoder *decoder, struct list_builder *list, const void *shared,
                      void *member)
{
    assert(list->n <= UINT32_MAX);
    LIST(const void) ended = {.n = (uint32_t)list->n};
    _Static_assert(sizeof ended == sizeof(str_list), "a LIST() of any type looks like this");
    if (list->n && shared)
        ended.items = intern_block(decoder->intern, shared, list->items, list->used);
    else if (list->n)
        ended.items = arena_copy(decoder->arena, list->items, list->used);
    memcpy(member, &ended, sizeof ended);
    stack_release(decoder->stack, list->mark);
}
