/* change_table: what is to be done about each object, by its name. */
#ifndef LOADLINE_READER_CHANGE_TABLE_H
#define LOADLINE_READER_CHANGE_TABLE_H

#include "base/table.h"
#include "reader/changes.h"

struct change {
    uint64_t identity;
    enum kind kind;
    struct str namespace, name;
    const struct document_object *object; /* NULL: it is removed */
    bool found;                           /* for the caller: it is in the old document */
};

struct change_table {
    struct change *items;
    uint32_t n;
    struct table table;
};

/* In the arena; points into the changes. False when an object is named twice. */
bool change_table_init(struct arena *arena, const struct changes *changes,
                       struct change_table *table);
/* What becomes of that object. NULL: it stays as it is. */
struct change *change_table_find(const struct change_table *table,
                                 const struct document_object *object);

#endif
