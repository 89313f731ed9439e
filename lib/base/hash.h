/* hash: fast, for tables and for seeing whether something changed. Another release may hash
 * otherwise: what must stay the same for ever is str_hash's business. */
#ifndef LOADLINE_BASE_HASH_H
#define LOADLINE_BASE_HASH_H

#include "base/str.h"

/* A secret seed where somebody else chooses the bytes and collisions would cost time; any seed, or
 * the hash of what came before, elsewhere. */
uint64_t hash_bytes(uint64_t seed, struct str bytes);

/* Of an address, for things of which there is one copy. No two addresses have the same. */
static inline uint64_t hash_pointer(const void *p)
{
    uint64_t product = (uintptr_t)p * UINT64_C(0x9e3779b97f4a7c15);
    return product ^ product >> 32;
}

#endif
