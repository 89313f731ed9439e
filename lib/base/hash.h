/* hash: fast, for tables and for seeing whether something changed. Another release may hash
 * otherwise: what must stay the same for ever is str_hash's business. */
#ifndef LOADLINE_BASE_HASH_H
#define LOADLINE_BASE_HASH_H

#include "base/str.h"

/* A secret seed where somebody else chooses the bytes and collisions would cost time; any seed, or
 * the hash of what came before, elsewhere. */
uint64_t hash_bytes(uint64_t seed, struct str bytes);

#endif
