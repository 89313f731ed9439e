/* object_index: the objects of a cluster by kind, namespace and name. */
#ifndef LOADLINE_KUBE_OBJECT_INDEX_H
#define LOADLINE_KUBE_OBJECT_INDEX_H

#include "kube/meta.h"

struct object_index;

/* seed: the cluster's seed. */
struct object_index *object_index_new(struct arena *arena, uint64_t seed);
/* An object with the same kind, kind_name, namespace and name must not be in it already. */
void object_index_add(struct object_index *index, struct object *object);
/* NULL when it is not there. kind_name is looked at for KIND_NONE only. */
struct object *object_index_find(const struct object_index *index, enum kind kind,
                                 struct str kind_name, struct str namespace, struct str name);

/* Sorts n pointers to structures that begin with an object by namespace, name and kind; stable, and
 * no input makes it slow. Objects that are in order already cost one look each. */
void objects_sort(struct arena *arena, void *pointers, uint32_t n);
/* <0, 0, >0 in that order. */
int object_order(const struct object *a, const struct object *b);
/* The same, of namespace and name alone. */
int object_name_order(const struct object *object, struct str namespace, struct str name);

/* Sets `at` to the position of the first object of a sorted list that is not before this name. */
#define OBJECTS_LOWER_BOUND(list, namespace_, name_, at)                                           \
    LIST_LOWER_BOUND(list, at,                                                                     \
                     object_name_order(&(list).items[at]->object, (namespace_), (name_)) < 0)

#endif
