/* scratch: the arena that a test program works in, made and freed with its group of tests:
 * cmocka_run_group_tests(tests, scratch_open, scratch_close). */
#ifndef LOADLINE_TESTS_SCRATCH_H
#define LOADLINE_TESTS_SCRATCH_H

#include "base/arena.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

extern struct arena *arena; /* of at most 256 MiB */

int scratch_open(void **state);
int scratch_close(void **state);

/* A document, written with ' in place of ". */
struct str json_of(const char *text);

#endif
