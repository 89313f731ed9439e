#include "reader/change_table.h"

static struct change *find(const struct change_table *table, uint64_t identity, enum kind kind,
                           struct str namespace, struct str name)
{
    struct change *change;
    TABLE_EACH (change, &table->table, identity)
        if (change->kind == kind && str_eq(change->name, name) &&
            str_eq(change->namespace, namespace))
            return change;
    return NULL;
}

struct change *change_table_find(const struct change_table *table,
                                 const struct document_object *object)
{
    return find(table, object->identity, object->kind, object->namespace, object->name);
}

/* False when there is one of that name. */
static bool add(struct change_table *table, struct change change)
{
    if (find(table, change.identity, change.kind, change.namespace, change.name))
        return false;
    table->items[table->n] = change;
    table_add(&table->table, change.identity, &table->items[table->n++]);
    return true;
}

bool change_table_init(struct arena *arena, const struct changes *changes,
                       struct change_table *table)
{
    const struct document_object *object;
    const struct removed_object *removed;
    size_t most = (size_t)changes->objects.objects.n + changes->removed.n;
    *table = (struct change_table){.items = ARENA_ARRAY(arena, most, struct change),
                                   .table = table_init(arena, 2 * most)};
    LIST_EACH (object, changes->objects.objects)
        if (!add(table, (struct change){.identity = object->identity,
                                        .kind = object->kind,
                                        .namespace = object->namespace,
                                        .name = object->name,
                                        .object = object}))
            return false;
    LIST_EACH (removed, changes->removed)
        if (!add(table, (struct change){.identity = document_identity(
                                            removed->kind, removed->namespace, removed->name),
                                        .kind = removed->kind,
                                        .namespace = removed->namespace,
                                        .name = removed->name}))
            return false;
    return true;
}
