#include "reader/change_table.h"

#include "base/hash.h"
#include "base/rand.h"

uint64_t change_table_hash(const struct change_table *table, enum kind kind, struct str namespace,
                           struct str name)
{
    return hash_bytes(hash_bytes(table->seed + kind, namespace), name);
}

struct change *change_table_find(const struct change_table *table, enum kind kind,
                                 struct str namespace, struct str name)
{
    struct change *change;
    TABLE_EACH (change, &table->table, change_table_hash(table, kind, namespace, name))
        if (change->kind == kind && str_eq(change->name, name) &&
            str_eq(change->namespace, namespace))
            return change;
    return NULL;
}

/* False when there is one of that name. */
static bool add(struct change_table *table, struct change change)
{
    if (change_table_find(table, change.kind, change.namespace, change.name))
        return false;
    table->items[table->n] = change;
    table_add(&table->table, change_table_hash(table, change.kind, change.namespace, change.name),
              &table->items[table->n++]);
    return true;
}

bool change_table_init(struct arena *arena, const struct changes *changes,
                       struct change_table *table)
{
    const struct document_object *object;
    const struct removed_object *removed;
    size_t most = (size_t)changes->objects.objects.n + changes->removed.n;
    *table = (struct change_table){.items = ARENA_ARRAY(arena, most, struct change),
                                   .table = table_init(arena, most)};
    rand_bytes(&table->seed, sizeof table->seed);
    LIST_EACH (object, changes->objects.objects)
        if (!add(table,
                 (struct change){object->kind, object->namespace, object->name, object, false}))
            return false;
    LIST_EACH (removed, changes->removed)
        if (!add(table,
                 (struct change){removed->kind, removed->namespace, removed->name, NULL, false}))
            return false;
    return true;
}
