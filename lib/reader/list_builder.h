/* list_builder: a LIST() of the model while its items are read, one after another, on the stack. */
#ifndef LOADLINE_READER_LIST_BUILDER_H
#define LOADLINE_READER_LIST_BUILDER_H

#include "reader/decoder.h"

struct list_builder {
    struct stack_mark mark;
    char *items;
    size_t used, n;
};

struct list_builder list_builder_begin(struct decoder *decoder);
/* Room for one more item of `size` bytes, not zeroed. Valid until the next call. */
void *list_builder_add(struct decoder *decoder, struct list_builder *list, size_t size);
/* Ends it and puts it into the LIST() at `member`. shared: an address that stands for the items'
 * type, when the list is to be kept once per content; or NULL. */
void list_builder_end(struct decoder *decoder, struct list_builder *list, const void *shared,
                      void *member);

#endif
