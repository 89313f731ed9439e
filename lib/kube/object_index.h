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

/* By namespace, name and kind; stable. Objects that are in order already cost one look each. */
void objects_sort(struct arena *arena, struct object **objects, uint32_t n);
/* <0, 0, >0 in that order. */
int object_order(const struct object *a, const struct object *b);
/* The same, of namespace and name alone. */
int object_name_order(const struct object *object, struct str namespace, struct str name);

/* Sets `position` to that of the first object of a sorted LIST() that is not before this name. */
#define OBJECTS_LOWER_BOUND(list, namespace_, name_, position)                                     \
    do {                                                                                           \
        uint32_t low_ = 0, high_ = (list).n;                                                       \
        while (low_ < high_) {                                                                     \
            uint32_t middle_ = low_ + (high_ - low_) / 2;                                          \
            if (object_name_order(&(list).items[middle_]->object, (namespace_), (name_)) < 0)      \
                low_ = middle_ + 1;                                                                \
            else                                                                                   \
                high_ = middle_;                                                                   \
        }                                                                                          \
        (position) = low_;                                                                         \
    } while (0)

#endif
