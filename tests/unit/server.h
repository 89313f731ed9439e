/* server: the database of a test program that needs a real one, beside scratch.h's arena.
 * LOADLINE_TEST_DB names an option file for a migrated, private database; tests/e2e starts one.
 *
 *     return server_is_there("test_x") ? cmocka_run_group_tests(tests, server_open, server_close) :
 * 0;
 */
#ifndef LOADLINE_TESTS_SERVER_H
#define LOADLINE_TESTS_SERVER_H

#include "scratch.h"
#include "db/db.h"

extern struct db *db;

/* False, and TAP told so, when there is none. test: whose log it is. */
bool server_is_there(const char *test);
int server_open(void **state);
int server_close(void **state);

#endif
