/* pieces: strings, lists and structures of a model, each kept once however often it occurs.
 *
 * Pods of one owner say nearly the same, so most of what is read has been read before. A piece is
 * known by its bytes; what it points to must be pieces already (then equal pointers mean equal
 * content). Everything lives in the arena; the look-up tables too.
 */
#ifndef LOADLINE_KUBE_PIECES_H
#define LOADLINE_KUBE_PIECES_H

#include "base/arena.h"

struct pieces;

struct pieces *pieces_new(struct arena *arena);

/* The one copy of these bytes. Empty text gives the absent slice. */
struct str pieces_string(struct pieces *pieces, struct str text);
/* The one copy of n bytes of a type; `type` is any address that stands for it. n must not be 0. */
const void *pieces_block(struct pieces *pieces, const void *type, const void *bytes, size_t n);

#endif
