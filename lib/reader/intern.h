/* intern: strings, lists and structures of a model, each kept once however often it occurs.
 *
 * Pods of one owner say nearly the same, so most of what is read has been read before. What is
 * kept is known by its bytes; what it points to must be interned already (then equal pointers mean
 * equal content). Everything lives in the arena; the look-up tables too.
 */
#ifndef LOADLINE_READER_INTERN_H
#define LOADLINE_READER_INTERN_H

#include "base/arena.h"

struct intern;

struct intern *intern_new(struct arena *arena);

/* The one copy of these bytes. Empty text gives the absent slice. */
struct str intern_string(struct intern *intern, struct str text);
/* The one copy of n bytes of a type; `type` is any address that stands for it. n must not be 0. */
const void *intern_block(struct intern *intern, const void *type, const void *bytes, size_t n);

#endif
