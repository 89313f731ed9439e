/* Errors of statements that whoever ran them has overlooked, against a real server. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <sys/socket.h>

#include "server.h"
#include "tenant_statements.h"

static char tenant[UUID_TEXT_LEN + 1];

/* NULL where it must not be: these never get to the server. Then one that the server refuses, and
 * one that is not answered. */
enum overlooked { NO_TIME, NO_TIMES, REFUSED, LOST };

/* The only sockets of this process are its connections to the database. */
static void cut_connection(void)
{
    for (int fd = 3; fd < 64; fd++)
        shutdown(fd, SHUT_RDWR);
}

static enum error run_one(struct db *connection, enum overlooked how)
{
    struct tenant_insert_args none =
        STMT_ARGS(tenant_insert, .company = STR(""), .plan = STR("trial"), .created_at = TIME_NONE);
    struct tenant_insert_args two[] = {none, none};
    struct slots *slots;
    uint64_t affected;
    switch (how) {
    case NO_TIME:
        return DB_RUN(connection, tenant_insert, .company = STR(""), .plan = STR("trial"),
                      .created_at = TIME_NONE);
    case NO_TIMES:
        return DB_RUN_MANY(connection, arena, tenant_insert, two, 2);
    case REFUSED: /* it is there */
        return DB_RUN_COUNT(connection, &affected, tenant_insert, .company = STR(""),
                            .plan = STR("trial"), .created_at = 1);
    case LOST:
        break;
    }
    cut_connection();
    return DB_ROW(connection, arena, &slots, tenant_slots);
}

static enum error expected(enum overlooked how)
{
    return how == LOST ? ERR_DATABASE_UNAVAILABLE : ERR_INTERNAL;
}

static enum error write_on(struct db *connection, void *arg)
{
    enum overlooked how = *(enum overlooked *)arg;
    assert_int_equal(DB_RUN(connection, tenant_take_slot), ERR_OK);
    assert_int_equal(run_one(connection, how), expected(how));
    if (how != LOST)
        assert_int_equal(DB_RUN(connection, tenant_take_slot), ERR_OK);
    return ERR_OK;
}

static enum error read_on(struct db *connection, void *arg)
{
    enum overlooked how = *(enum overlooked *)arg;
    struct slots *slots;
    assert_int_equal(DB_ROW(connection, arena, &slots, tenant_slots), ERR_OK);
    assert_int_equal(run_one(connection, how), expected(how));
    return ERR_OK;
}

static int64_t slots_now(void)
{
    struct slots *slots;
    assert_int_equal(DB_ROW(db, arena, &slots, tenant_slots), ERR_OK);
    return slots ? slots->clusters : -1;
}

static void nothing_is_committed(void **state)
{
    (void)state;
    for (enum overlooked how = NO_TIME; how <= LOST; how++) {
        assert_int_equal(db_transact(db, write_on, &how), expected(how));
        assert_int_equal(slots_now(), 0);
    }
}

static void nothing_is_read_in_part(void **state)
{
    (void)state;
    for (enum overlooked how = NO_TIME; how <= LOST; how++) {
        assert_int_equal(db_read(db, read_on, &how), expected(how));
        assert_int_equal(slots_now(), 0);
    }
}

static int open_db(void **state)
{
    int problem = server_open(state);
    rand_uuid(tenant);
    db_set_tenant(db, str_of(tenant));
    return problem || DB_RUN(db, tenant_insert, .company = STR(""), .plan = STR("trial"),
                             .created_at = 1764547200123);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_committed),
        cmocka_unit_test(nothing_is_read_in_part),
    };
    return server_is_there("test_db_overlooked")
               ? cmocka_run_group_tests(tests, open_db, server_close)
               : 0;
}
