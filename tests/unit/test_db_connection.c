/* What a connection makes of the server, against a real one. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "db/internal.h"
#include "server.h"
#include "tenant_statements.h"

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

/* ---- what is read and left open ---- */

static char tenant[UUID_TEXT_LEN + 1];

static enum error take_slot(struct db *connection, void *arg)
{
    (void)arg;
    return DB_RUN(connection, tenant_take_slot);
}

static enum error read_slots(struct db *connection, void *arg)
{
    struct slots *slots;
    enum error e = DB_ROW(connection, arena, &slots, tenant_slots);
    *(int64_t *)arg = slots ? slots->clusters : -1;
    return e;
}

static bool is_open(void)
{
    return db_server_status(db) & SERVER_STATUS_IN_TRANS;
}

/* After a transaction, reads and leaves that open. */
static void leave_open(void)
{
    int64_t slots;
    assert_int_equal(db_transact(db, take_slot, NULL), ERR_OK);
    assert_false(is_open());
    db_leave_open(db);
    assert_int_equal(read_slots(db, &slots), ERR_OK);
    assert_true(is_open());
}

static int64_t slots_seen_by_another(void)
{
    struct db *another = db_new(getenv("LOADLINE_TEST_DB"));
    int64_t slots;
    assert_non_null(another);
    db_set_tenant(another, str_of(tenant));
    assert_int_equal(read_slots(another, &slots), ERR_OK);
    db_free(another);
    return slots;
}

static void what_is_left_open_ends_with_what_comes_next(void **state)
{
    (void)state;
    int64_t slots;
    rand_uuid(tenant);
    db_set_tenant(db, str_of(tenant));
    assert_int_equal(
        DB_RUN(db, tenant_insert, .company = STR("x"), .plan = STR("trial"), .created_at = 0),
        ERR_OK);

    leave_open();
    db_rest(db);
    assert_false(is_open());
    leave_open();
    assert_int_equal(read_slots(db, &slots), ERR_OK);
    assert_int_equal(slots, 2);
    assert_false(is_open());
    leave_open();
    assert_int_equal(db_read(db, read_slots, &slots), ERR_OK);
    assert_int_equal(slots, 3);
    assert_false(is_open());
    leave_open();
    assert_int_equal(db_transact(db, take_slot, NULL), ERR_OK);
    assert_false(is_open());
    assert_int_equal(slots_seen_by_another(), 5);
    leave_open();
    assert_int_equal(DB_RUN(db, tenant_take_slot), ERR_OK);
    assert_false(is_open());
    assert_int_equal(slots_seen_by_another(), 7);
    db_reset(db);
}

static void a_transaction_sees_what_came_after_what_was_left_open(void **state)
{
    (void)state;
    int64_t before, slots;
    struct db *another = db_new(getenv("LOADLINE_TEST_DB"));
    db_set_tenant(db, str_of(tenant));
    db_set_tenant(another, str_of(tenant));
    leave_open();
    assert_int_equal(read_slots(another, &before), ERR_OK);
    assert_int_equal(db_transact(another, take_slot, NULL), ERR_OK);
    assert_int_equal(db_transact(db, read_slots, &slots), ERR_OK);
    assert_int_equal(slots, before + 1);
    db_free(another);
    db_reset(db);
}

static void only_the_next_statement_is_left_open(void **state)
{
    (void)state;
    int64_t slots;
    db_set_tenant(db, str_of(tenant));
    assert_int_equal(db_transact(db, take_slot, NULL), ERR_OK);
    db_leave_open(db);
    db_reset(db);
    db_set_tenant(db, str_of(tenant));
    assert_int_equal(read_slots(db, &slots), ERR_OK);
    assert_false(is_open());
    db_leave_open(db); /* commits by itself already: nothing is to be spared */
    assert_int_equal(read_slots(db, &slots), ERR_OK);
    assert_false(is_open());
    db_rest(db);
    db_reset(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_variable_that_the_server_does_not_have_is_off),
        cmocka_unit_test(no_server_gets_a_file_of_ours),
        cmocka_unit_test(what_is_left_open_ends_with_what_comes_next),
        cmocka_unit_test(a_transaction_sees_what_came_after_what_was_left_open),
        cmocka_unit_test(only_the_next_statement_is_left_open),
    };
    return server_is_there("test_db_connection")
               ? cmocka_run_group_tests(tests, server_open, server_close)
               : 0;
}
