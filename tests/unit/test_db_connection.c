/* What a connection makes of the server, against a real one. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "db/internal.h"
#include "server.h"

/* Such as wsrep_on, of a server that was built without Galera. */
static void a_variable_that_the_server_does_not_have_is_off(void **state)
{
    static const struct {
        const char *show;
        bool is_on;
    } rows[] = {{"SHOW GLOBAL VARIABLES LIKE 'no_such_variable'", false},
                {"SHOW GLOBAL VARIABLES LIKE 'read_only'", false},
                {"SHOW GLOBAL VARIABLES LIKE 'foreign_key_checks'", true}};
    (void)state;
    assert_int_equal(db_ping(db), ERR_OK);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool is_on = !rows[i].is_on;
        assert_int_equal(db_variable(db, rows[i].show, &is_on), ERR_OK);
        assert_int_equal(is_on, rows[i].is_on);
    }
}

static void no_server_gets_a_file_of_ours(void **state)
{
    (void)state;
    assert_int_equal(db_ping(db), ERR_OK);
    assert_int_equal(db_query(db, "LOAD DATA LOCAL INFILE '/dev/null' INTO TABLE tenants"),
                     ERR_INTERNAL);
    assert_int_equal(db_ping(db), ERR_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_variable_that_the_server_does_not_have_is_off),
        cmocka_unit_test(no_server_gets_a_file_of_ours),
    };
    return server_is_there("test_db_connection")
               ? cmocka_run_group_tests(tests, server_open, server_close)
               : 0;
}
