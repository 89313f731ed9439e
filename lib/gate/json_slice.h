/* json_slice: the parts of JSON as they stand, without a tree. What is given is well formed. */
#ifndef LOADLINE_GATE_JSON_SLICE_H
#define LOADLINE_GATE_JSON_SLICE_H

#include "base/list.h"
#include "base/str.h"

struct json_slice {
    struct str key;   /* decoded; absent in an array */
    struct str value; /* its bytes, without white space around them */
};
typedef LIST(struct json_slice) json_slices;

/* The members of an object or the elements of an array, in order; none of another value. */
json_slices json_slices_of(struct arena *arena, struct str json);
/* The last member of that name: of equal keys it counts. Absent when there is none, or it is null.
 */
struct str json_slice_of(const json_slices *members, struct str key);
/* The same, when it is an object, or is a string: decoded. */
struct str json_slice_object(const json_slices *members, struct str key);
struct str json_slice_text(struct arena *arena, const json_slices *members, struct str key);

#endif
