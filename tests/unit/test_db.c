/* db against a real server. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <sys/socket.h>

#include "base/buf.h"
#include "server.h"

static void report(void *context, const char *problem)
{
    (void)context;
    print_error("# %s\n", problem);
}

static void every_statement_is_what_its_row_says(void **state)
{
    (void)state;
    assert_int_equal(db_check(db, report, NULL), 0);
}

static void a_tenant_statement_needs_a_tenant(void **state)
{
    (void)state;
    struct db_value *row;
    db_reset(db);
    assert_int_equal(db_row(db, arena, STMT_tenant_slots, DB_NO_ARGS, &row), ERR_INTERNAL);
    assert_null(row);
}

static void arguments_must_have_the_declared_types(void **state)
{
    (void)state;
    struct db_value *row;
    assert_int_equal(db_row(db, arena, STMT_user_by_email, DB_ARGS(db_int(1)), &row), ERR_INTERNAL);
    assert_int_equal(db_row(db, arena, STMT_user_by_email, DB_NO_ARGS, &row), ERR_INTERNAL);
    assert_int_equal(db_row(db, arena, STMT_user_by_email, DB_ARGS(db_text((struct str){0})), &row),
                     ERR_INTERNAL);
}

static char tenant_a[UUID_TEXT_LEN + 1], tenant_b[UUID_TEXT_LEN + 1], cluster[UUID_TEXT_LEN + 1];

static enum error make_tenants(struct db *connection, void *arg)
{
    (void)arg;
    const char *ids[] = {tenant_a, tenant_b};
    for (size_t i = 0; i < 2; i++) {
        db_set_tenant(connection, str_of(ids[i]));
        enum error e = db_run(connection, STMT_tenant_insert,
                              DB_ARGS(db_text(STR("tenant \xF0\x9F\x9A\xA2")),
                                      db_text(STR("trial")), db_time(1764547200123)),
                              NULL);
        if (e)
            return e;
    }
    return ERR_OK;
}

static int64_t slots_of(const char *tenant)
{
    struct db_value *row;
    db_set_tenant(db, str_of(tenant));
    assert_int_equal(db_row(db, arena, STMT_tenant_slots, DB_NO_ARGS, &row), ERR_OK);
    return row ? row[1].i : -1;
}

static enum error take_slot(struct db *connection, void *arg)
{
    enum error e = db_run(connection, STMT_tenant_take_slot, DB_NO_ARGS, NULL);
    return e ? e : *(enum error *)arg;
}

static void a_transaction_is_all_or_nothing(void **state)
{
    (void)state;
    enum error result = ERR_OK;
    assert_int_equal(db_transact(db, make_tenants, NULL), ERR_OK);
    assert_int_equal(slots_of(tenant_a), 0);
    assert_int_equal(db_transact(db, take_slot, &result), ERR_OK);
    assert_int_equal(slots_of(tenant_a), 1);
    result = ERR_PLAN_LIMIT;
    assert_int_equal(db_transact(db, take_slot, &result), ERR_PLAN_LIMIT);
    assert_int_equal(slots_of(tenant_a), 1);
    assert_int_equal(slots_of(tenant_b), 0);
    db_reset(db);
}

struct attempts {
    int made, busy; /* busy: of so many the server says that it rolled back */
};

static enum error take_slot_when_free(struct db *connection, void *arg)
{
    struct attempts *attempts = arg;
    enum error e = db_run(connection, STMT_tenant_take_slot, DB_NO_ARGS, NULL);
    return e ? e : attempts->made++ < attempts->busy ? ERR_DATABASE_BUSY : ERR_OK;
}

static void what_the_server_rolled_back_is_tried_again_as_a_whole(void **state)
{
    (void)state;
    struct attempts twice = {0, 2}, always = {0, 1000};
    int64_t before = slots_of(tenant_b);
    assert_int_equal(db_transact(db, take_slot_when_free, &twice), ERR_OK);
    assert_int_equal(twice.made, 3);
    assert_int_equal(slots_of(tenant_b), before + 1);
    assert_int_equal(db_transact(db, take_slot_when_free, &always), ERR_DATABASE_BUSY);
    assert_int_equal(always.made, 6);
    assert_int_equal(slots_of(tenant_b), before + 1);
    db_reset(db);
}

/* The only sockets of this process are its connections to the database. */
static void cut_connection(void)
{
    for (int fd = 3; fd < 64; fd++)
        shutdown(fd, SHUT_RDWR);
}

static enum error cut_before_the_end(struct db *connection, void *arg)
{
    int *after = arg;
    enum error e = db_run(connection, STMT_tenant_take_slot, DB_NO_ARGS, NULL);
    cut_connection();
    if (!e)
        e = db_run(connection, STMT_tenant_take_slot, DB_NO_ARGS, NULL);
    /* Going on in spite of it must not reconnect and write outside the transaction. */
    *after = (int)db_run(connection, STMT_tenant_take_slot, DB_NO_ARGS, NULL);
    return e;
}

static enum error cut_before_commit(struct db *connection, void *arg)
{
    (void)arg;
    enum error e = db_run(connection, STMT_tenant_take_slot, DB_NO_ARGS, NULL);
    cut_connection();
    return e;
}

static void a_lost_connection_loses_the_transaction_only(void **state)
{
    (void)state;
    int after = ERR_OK;
    int64_t before = slots_of(tenant_b);
    assert_int_equal(db_transact(db, cut_before_the_end, &after), ERR_DATABASE_AWAY);
    assert_int_equal(after, ERR_DATABASE_AWAY);
    assert_int_equal(slots_of(tenant_b), before);
    assert_int_equal(db_transact(db, cut_before_commit, NULL), ERR_COMMIT_UNKNOWN);
    assert_int_equal(slots_of(tenant_b), before); /* here it is known: COMMIT never left */
    cut_connection();                             /* while nothing is going on: nobody notices */
    assert_int_equal(slots_of(tenant_b), before);
    db_reset(db);
}

static struct str pattern(size_t n)
{
    char *p = arena_bytes(arena, n);
    for (size_t i = 0; i < n; i++)
        p[i] = (char)(i * 7 + i / 251);
    return (struct str){p, n};
}

static enum error gather(void *context, const struct db_value *row)
{
    buf_put(context, row[0].s);
    return ERR_OK;
}

static struct str body_of_cluster(void)
{
    struct buf body = buf_init(arena, SIZE_MAX);
    assert_int_equal(
        db_each(db, arena, STMT_snapshot_pieces, DB_ARGS(db_uuid(str_of(cluster))), gather, &body),
        ERR_OK);
    return buf_str(&body);
}

/* Below, at and above the size of the buffer that a column has, and beyond a packet of 16 MiB. */
static void values_come_back_as_they_went(void **state)
{
    (void)state;
    static const size_t sizes[] = {
        0, 1, 255, 256, 257, 70000, 1 << 20, 1 + (1 << 20), (17u << 20) + 3};
    db_set_tenant(db, str_of(tenant_a));
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct db_rows rows;
        struct str bytes = pattern(sizes[i]);
        int64_t taken = 1764547200000 + (int64_t)i;
        assert_int_equal(db_run(db, STMT_snapshot_put,
                                DB_ARGS(db_uuid(str_of(cluster)), db_time(taken + 5),
                                        db_time(taken), db_bytes(bytes)),
                                NULL),
                         ERR_OK);
        assert_true(str_eq(body_of_cluster(), bytes));
        assert_int_equal(
            db_rows(db, arena, STMT_snapshot_pieces, DB_ARGS(db_uuid(str_of(cluster))), &rows),
            ERR_OK);
        assert_int_equal(rows.n, (sizes[i] + (1 << 20) - 1) >> 20);
        assert_true(rows.n == 0 || str_has_prefix(bytes, rows.items[0][0].s));
    }
    db_set_tenant(db, str_of(tenant_b));
    assert_int_equal(body_of_cluster().n, 0);
    db_reset(db);
}

static enum error refuse_third(void *context, const struct db_value *row)
{
    (void)row;
    return ++*(int *)context == 3 ? ERR_TOO_LARGE : ERR_OK;
}

static void rows_are_read_until_one_is_refused(void **state)
{
    (void)state;
    int told = 0;
    db_set_tenant(db, str_of(tenant_a));
    assert_int_equal(db_each(db, arena, STMT_snapshot_pieces, DB_ARGS(db_uuid(str_of(cluster))),
                             refuse_third, &told),
                     ERR_TOO_LARGE);
    assert_int_equal(told, 3);
    assert_int_equal(slots_of(tenant_a), 1);
    db_reset(db);
}

/* What others commit meanwhile is not seen. */
static enum error look_twice(struct db *connection, void *arg)
{
    struct db *other = arg;
    struct db_value *before, *after;
    enum error e = db_row(connection, arena, STMT_tenant_slots, DB_NO_ARGS, &before);
    assert_int_equal(e, ERR_OK);
    assert_int_equal(db_run(other, STMT_tenant_take_slot, DB_NO_ARGS, NULL), ERR_OK);
    assert_int_equal(db_row(connection, arena, STMT_tenant_slots, DB_NO_ARGS, &after), ERR_OK);
    assert_int_equal(before[1].i, after[1].i);
    assert_int_equal(db_run(connection, STMT_tenant_take_slot, DB_NO_ARGS, NULL), ERR_INTERNAL);
    return ERR_TOO_LARGE;
}

static void reading_sees_one_moment(void **state)
{
    (void)state;
    struct db *other = db_new(getenv("LOADLINE_TEST_DB"));
    db_set_tenant(other, str_of(tenant_b));
    int64_t slots = slots_of(tenant_b);
    assert_int_equal(db_read(db, look_twice, other), ERR_TOO_LARGE);
    assert_int_equal(slots_of(tenant_b), slots + 1);
    enum error result = ERR_OK;
    assert_int_equal(db_transact(db, take_slot, &result), ERR_OK);
    assert_int_equal(slots_of(tenant_b), slots + 2);
    db_free(other);
    db_reset(db);
}

/* All types, one row and many, of which the second half replaces the first. */
static void many_rows_go_at_once(void **state)
{
    (void)state;
    enum { ROWS = 2000, ARGS = 15 };
    struct db_value *args = ARENA_ARRAY(arena, ROWS * ARGS, struct db_value);
    struct db_rows rows;
    for (int64_t i = 0; i < ROWS; i++) {
        struct db_value *v = args + i * ARGS;
        v[0] = db_uuid(str_of(cluster));
        v[1] = db_text(arena_printf(arena, "%016lld", (long long)(i % (ROWS / 2))));
        for (size_t column = 2; column < 12; column++)
            v[column] = db_text(STR("x\xF0\x9F\x9A\xA2"));
        v[9] = db_int(i);
        if (i % 2)
            v[11] = db_text((struct str){0});
        v[12] = db_int(INT64_MIN + i);
        v[13] = db_time(1764547200000 + i);
        v[14] = db_time(TIME_NONE);
    }
    db_set_tenant(db, str_of(tenant_a));
    assert_int_equal(db_run_many(db, arena, STMT_risk_put, args, 0), ERR_OK);
    assert_int_equal(db_run_many(db, arena, STMT_risk_put, args, 1), ERR_OK);
    assert_int_equal(db_run_many(db, arena, STMT_risk_put, args, ROWS), ERR_OK);
    assert_int_equal(db_rows(db, arena, STMT_risk_open, DB_ARGS(db_uuid(str_of(cluster))), &rows),
                     ERR_OK);
    assert_int_equal(rows.n, ROWS / 2);
    for (size_t i = 0; i < rows.n; i++) {
        const struct db_value *v = rows.items[i];
        assert_true(str_eq(v[0].s, args[i * ARGS + 1].s));
        assert_int_equal(v[1].i, INT64_MIN + ROWS / 2 + (int64_t)i);
        assert_int_equal(v[2].i, 1764547200000 + ROWS / 2 + (int64_t)i);
    }
    args[ARGS + 9] = db_text(STR("no number"));
    assert_int_equal(db_run_many(db, arena, STMT_risk_put, args, 2), ERR_INTERNAL);
    db_reset(db);
}

static void exhaust(void *arg)
{
    struct arena *small = arg;
    struct db_rows rows;
    db_rows(db, small, STMT_snapshot_pieces, DB_ARGS(db_uuid(str_of(cluster))), &rows);
}

/* 17 MiB do not fit; the connection goes on working. */
static void an_exhausted_arena_leaves_the_connection_usable(void **state)
{
    (void)state;
    struct arena *small = arena_new(1 << 20);
    db_set_tenant(db, str_of(tenant_a));
    assert_false(arena_guard(small, exhaust, small));
    db_reset(db);
    assert_int_equal(slots_of(tenant_a), 1);
    arena_free(small);
}

static int open_db(void **state)
{
    rand_uuid(tenant_a);
    rand_uuid(tenant_b);
    rand_uuid(cluster);
    return server_open(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_statement_is_what_its_row_says),
        cmocka_unit_test(a_tenant_statement_needs_a_tenant),
        cmocka_unit_test(arguments_must_have_the_declared_types),
        cmocka_unit_test(a_transaction_is_all_or_nothing),
        cmocka_unit_test(what_the_server_rolled_back_is_tried_again_as_a_whole),
        cmocka_unit_test(a_lost_connection_loses_the_transaction_only),
        cmocka_unit_test(values_come_back_as_they_went),
        cmocka_unit_test(rows_are_read_until_one_is_refused),
        cmocka_unit_test(reading_sees_one_moment),
        cmocka_unit_test(many_rows_go_at_once),
        cmocka_unit_test(an_exhausted_arena_leaves_the_connection_usable),
    };
    return server_is_there("test_db") ? cmocka_run_group_tests(tests, open_db, server_close) : 0;
}
