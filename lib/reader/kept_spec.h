/* kept_spec: the spec of a pod that was read before. Most pods that change have the spec that they
 * had: the same bytes become the same, wherever in the object they stand.
 */
#ifndef LOADLINE_READER_KEPT_SPEC_H
#define LOADLINE_READER_KEPT_SPEC_H

#include "kube/pod.h"
#include "reader/decoder.h"
#include "reader/kept_edit.h"
#include "reader/read_setting.h"

/* In the arena of an object_memory. */
struct kept_spec {
    struct content_hash hash; /* of what it was read under, and of its text */
    uint32_t n, depth;        /* bytes of the text; the level that it stood in */
    uint32_t edits_n;
    bool hopeless;                 /* it was met again, and could not be kept */
    const struct kept_edit *edits; /* `at` is counted from its start */
    const struct pod *pod; /* that has it, and of which the filter cut nothing; NULL: nothing but
                              the hash is known */
    size_t bytes;          /* that are taken for its sake, or for the pod's */
};

/* One object that is read. */
struct spec_look {
    struct kept_spec *expected; /* or NULL */
    const struct read_setting *setting;
    struct buf *room;
    struct scrub *scrub;     /* what the reader's tap feeds; NULL: it has none */
    uint32_t met;            /* members that are a pod's spec: there should be one */
    struct kept_spec *taken; /* the one that was expected stood there; or NULL, and it was read: */
    uint64_t from;           /* its offset */
    uint32_t n, depth;
};

/* The decoder's next object begins. */
void spec_look_begin(struct spec_look *look, struct kept_spec *expected);

/* The current value is the spec of a pod. When it is the one that is expected, goes behind it, with
 * the same edits, and returns a pod that has it. Else it is to be read, and noted then. */
const struct pod *kept_spec_take(struct decoder *decoder);
void kept_spec_note(struct decoder *decoder, uint64_t from);

/* Is the text, read under this setting, what became of that one? False when that cannot be told. */
bool kept_spec_is(const struct kept_spec *spec, const struct read_setting *setting,
                  struct str text);

#endif
