/* arena: memory for one piece of work, given back all at once.
 *
 * Allocation never returns NULL. When the ceiling is reached (or the system has no memory left) the
 * arena unwinds to the nearest arena_guard() around the work; without a guard the program aborts.
 * So no caller checks for failure and nothing in a handler frees.
 */
#ifndef LOADLINE_BASE_ARENA_H
#define LOADLINE_BASE_ARENA_H

#include <stdarg.h>

#include "base/str.h"

struct arena;

/* An arena that may hold at most `ceiling` bytes, bookkeeping included. NULL when the system has no
 * memory. Free with arena_free; arena_free(NULL) is allowed. */
struct arena *arena_new(size_t ceiling);
void arena_free(struct arena *arena);

/* Forgets everything allocated; keeps the first block for the next piece of work. */
void arena_reset(struct arena *arena);

/* n zeroed bytes, aligned for any type. n == 0 gives a valid, useless pointer. */
void *arena_alloc(struct arena *arena, size_t n);
/* The same, not zeroed. */
void *arena_raw(struct arena *arena, size_t n);
/* A copy of n bytes, aligned for any type. */
void *arena_copy(struct arena *arena, const void *bytes, size_t n);
/* count zeroed elements of size bytes; an overflow of the product counts as exhaustion. */
void *arena_array(struct arena *arena, size_t count, size_t size);
/* The same, not zeroed. */
void *arena_raw_array(struct arena *arena, size_t count, size_t size);
#define ARENA_NEW(arena, type)          ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, count, type) ((type *)arena_array((arena), (count), sizeof(type)))
/* Like arena_alloc, unaligned and not zeroed: for bytes that are written at once. */
char *arena_bytes(struct arena *arena, size_t n);

/* n bytes at p, as they were taken, are needed no more. What is large (a table that has grown) goes
 * back to the system now; of anything else nothing happens before arena_reset(). */
void arena_give_back(struct arena *arena, const void *p, size_t n);

/* A copy of s, followed by a NUL that is not counted. */
struct str arena_str(struct arena *arena, struct str s);
/* printf into the arena; the result is followed by a NUL that is not counted. */
struct str arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
struct str arena_vprintf(struct arena *arena, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Bytes obtained from the system for this arena, now and at the most since arena_new. */
size_t arena_used(const struct arena *arena);
size_t arena_peak(const struct arena *arena);
/* Bytes that were taken of them: what is still free in the current block is not counted. */
size_t arena_taken(const struct arena *arena);
/* Does this text stand anywhere in what was taken? For tests of what must not be kept. */
bool arena_holds(const struct arena *arena, struct str text);

/* Unwinds as if the ceiling had been reached: for work that is about to take without end. */
_Noreturn void arena_exhaust(struct arena *arena);

/* Calls work(arg). True when it returned, false when the arena was exhausted meanwhile; the arena
 * then keeps what was allocated, for arena_reset. Guards nest. Work that can be unwound must hold
 * nothing but arena memory, or note it where the caller of arena_guard can release it. */
bool arena_guard(struct arena *arena, void (*work)(void *arg), void *arg);

#endif
