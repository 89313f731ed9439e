/* db against a real server. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <sys/socket.h>

#include "base/buf.h"
#include "server.h"
#include "tenant_statements.h"

struct piece {
    struct str bytes;
};
struct chunks_row {
    struct str base, chunks;
};
struct head_row {
    bool whole;
    struct str delta, base;
};
#define STATEMENTS "store/snapshot.def"
#include "db/statements.inc"

struct open_risk {
    struct str id;
    int64_t content, first_seen;
};
struct seen_risk {
    struct str id;
    int64_t first_seen;
};
struct hashes_row {
    struct str hashes;
};
#define STATEMENTS "store/risk.def"
#include "db/statements.inc"

static void put_nothing(const void *args, struct db_value *values)
{
    (void)args, (void)values;
}

/* What no table of statements may have: a transaction is ended by db_transact() alone. */
static const struct db_field no_parameters[] = {{0}};
#define BARE(text)                                                                                 \
    {                                                                                              \
        .name = text, .scope = GLOBAL, .sql = text, .params = no_parameters,                       \
        .columns = none_columns, .args_size = sizeof(struct none),                                 \
        .row_size = sizeof(struct none), .put = put_nothing, .take = none_take                     \
    }
static const struct stmt roll_back = BARE("ROLLBACK");
/* What the server refuses, whoever is asked for. */
static const struct stmt refused = BARE("UPDATE tenants SET tenant_id = NULL");

static enum error run(struct db *connection, const struct stmt *stmt)
{
    return db_execute(connection, stmt, &(struct none){0}, NULL);
}

static void a_tenant_statement_needs_a_tenant(void **state)
{
    (void)state;
    struct slots *slots;
    db_reset(db);
    assert_int_equal(DB_ROW(db, arena, &slots, tenant_slots), ERR_INTERNAL);
    assert_null(slots);
}

static void what_must_not_be_null_is_refused(void **state)
{
    (void)state;
    struct open_risk *risks;
    size_t n;
    db_set_tenant(db, STR("00000000-0000-4000-8000-000000000000"));
    assert_int_equal(DB_ROWS(db, arena, &risks, &n, risk_open, .cluster = (struct str){0}),
                     ERR_INTERNAL);
    assert_int_equal(n, 0);
    assert_null(risks);
    assert_int_equal(DB_RUN(db, tenant_insert, .company = STR(""), .plan = STR("trial"),
                            .created_at = TIME_NONE),
                     ERR_INTERNAL);
    db_reset(db);
}

static void refuse(const char *sql)
{
    struct stmt wrong = tenant_insert_stmt;
    char translated[512];
    unsigned char order[DB_PARAMS_MAX];
    size_t n;
    wrong.sql = sql;
    assert_false(stmt_translate(&wrong, translated, order, &n));
}

static void names_become_places(void **state)
{
    (void)state;
    struct stmt stmt = tenant_insert_stmt;
    char translated[512];
    unsigned char order[DB_PARAMS_MAX];
    size_t n;
    stmt.sql = "SELECT ':plan', :created_at, ':', :tenant, :plan_, 'it''s :plan', :plan+:company";
    refuse(stmt.sql); /* plan_ */
    stmt.sql = "SELECT ':plan', :created_at, ':', :tenant, 'it''s :plan', :plan+:company,:plan";
    assert_true(stmt_translate(&stmt, translated, order, &n));
    assert_string_equal(translated, "SELECT ':plan', ?, ':', ?, 'it''s :plan', ?+?,?");
    assert_int_equal(n, 5);
    assert_memory_equal(order, ((unsigned char[]){2, STMT_TENANT, 1, 0, 1}), 5);
    refuse(":tenant :company :plan");
    refuse(":company :plan :created_at");
    stmt.scope = GLOBAL;
    assert_false(stmt_translate(&stmt, translated, order, &n));
}

static char tenant_a[UUID_TEXT_LEN + 1], tenant_b[UUID_TEXT_LEN + 1], cluster[UUID_TEXT_LEN + 1];

static enum error make_tenants(struct db *connection, void *arg)
{
    (void)arg;
    const char *ids[] = {tenant_a, tenant_b};
    for (size_t i = 0; i < 2; i++) {
        db_set_tenant(connection, str_of(ids[i]));
        enum error e = DB_RUN(connection, tenant_insert, .company = STR("tenant \xF0\x9F\x9A\xA2"),
                              .plan = STR("trial"), .created_at = 1764547200123);
        if (e)
            return e;
    }
    return ERR_OK;
}

static int64_t slots_of(const char *tenant)
{
    struct slots *slots;
    db_set_tenant(db, str_of(tenant));
    assert_int_equal(DB_ROW(db, arena, &slots, tenant_slots), ERR_OK);
    return slots ? slots->clusters : -1;
}

static enum error take_slot(struct db *connection, void *arg)
{
    enum error e = DB_RUN(connection, tenant_take_slot);
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
    enum error e = DB_RUN(connection, tenant_take_slot);
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

static enum error count_and_take_slot(struct db *connection, void *arg)
{
    ++*(int *)arg;
    return DB_RUN(connection, tenant_take_slot);
}

static void what_is_over_its_limit_is_not_tried_again(void **state)
{
    (void)state;
    struct db *hurried = db_new(getenv("LOADLINE_TEST_DB"));
    int calls = 0;
    db_set_limit(hurried, 2);
    db_set_tenant(hurried, str_of(tenant_b));
    db_go_on(hurried, 2001);
    assert_int_equal(db_transact(hurried, count_and_take_slot, &calls), ERR_DATABASE_BUSY);
    assert_int_equal(calls, 1);
    db_reset(hurried);
    db_set_tenant(hurried, str_of(tenant_b));
    assert_int_equal(db_transact(hurried, count_and_take_slot, &calls), ERR_OK);
    assert_int_equal(calls, 2);
    db_free(hurried);
}

/* The server gives up the first attempt in its middle, without a word. */
static enum error take_slots_around_a_loss(struct db *connection, void *arg)
{
    struct attempts *attempts = arg;
    enum error e = DB_RUN(connection, tenant_take_slot);
    if (!e && attempts->made++ < attempts->busy)
        e = run(connection, &roll_back);
    if (!e)
        DB_RUN(connection, tenant_take_slot); /* whatever it says: the commit finds out */
    return e;
}

static enum error do_nothing(struct db *connection, void *arg)
{
    (void)connection;
    ++*(int *)arg;
    return ERR_OK;
}

static void a_transaction_may_be_empty(void **state)
{
    (void)state;
    int calls = 0;
    assert_int_equal(db_transact(db, do_nothing, &calls), ERR_OK);
    assert_int_equal(calls, 1);
    db_reset(db);
}

static void a_transaction_that_was_given_up_leaves_nothing(void **state)
{
    (void)state;
    struct attempts once = {0, 1}, always = {0, 1000};
    int64_t before = slots_of(tenant_b);
    assert_int_equal(db_transact(db, take_slots_around_a_loss, &once), ERR_OK);
    assert_int_equal(once.made, 2);
    assert_int_equal(slots_of(tenant_b), before + 2);
    assert_int_equal(db_transact(db, take_slots_around_a_loss, &always), ERR_DATABASE_BUSY);
    assert_int_equal(slots_of(tenant_b), before + 2);
    db_set_tenant(db, str_of(tenant_b));
    assert_int_equal(DB_RUN(db, tenant_take_slot), ERR_OK); /* outside: commits by itself */
    struct db *other = db_new(getenv("LOADLINE_TEST_DB"));
    struct slots *slots;
    db_set_tenant(other, str_of(tenant_b));
    assert_int_equal(DB_ROW(other, arena, &slots, tenant_slots), ERR_OK);
    assert_int_equal(slots->clusters, before + 3);
    db_free(other);
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
    enum error e = DB_RUN(connection, tenant_take_slot);
    cut_connection();
    if (!e)
        e = DB_RUN(connection, tenant_take_slot);
    /* Going on in spite of it must not reconnect and write outside the transaction. */
    *after = (int)DB_RUN(connection, tenant_take_slot);
    return e;
}

static enum error cut_before_commit(struct db *connection, void *arg)
{
    (void)arg;
    enum error e = DB_RUN(connection, tenant_take_slot);
    cut_connection();
    return e;
}

static void a_lost_connection_loses_the_transaction_only(void **state)
{
    (void)state;
    int after = ERR_OK;
    int64_t before = slots_of(tenant_b);
    assert_int_equal(db_transact(db, cut_before_the_end, &after), ERR_DATABASE_UNAVAILABLE);
    assert_int_equal(after, ERR_DATABASE_UNAVAILABLE);
    assert_int_equal(slots_of(tenant_b), before);
    /* Before COMMIT is sent the loss is noticed, so nothing is unknown. */
    assert_int_equal(db_transact(db, cut_before_commit, NULL), ERR_DATABASE_UNAVAILABLE);
    assert_int_equal(slots_of(tenant_b), before);
    cut_connection(); /* while nothing is going on: nobody notices */
    assert_int_equal(slots_of(tenant_b), before);
    db_reset(db);
}

/* ---- what is sent ahead ---- */

/* Where a statement that the server refuses is told of. */
enum told { BY_ROWS, BY_COUNT, BY_COMMIT, BY_WHAT_IS_OVERLOOKED };

static enum error go_on_after_a_refusal(struct db *connection, void *arg)
{
    struct slots *slots = NULL;
    uint64_t affected = 0;
    enum error e = ERR_OK;
    assert_int_equal(DB_RUN(connection, tenant_take_slot), ERR_OK);
    assert_int_equal(run(connection, &refused), ERR_OK);
    if (*(enum told *)arg == BY_ROWS)
        e = DB_ROW(connection, arena, &slots, tenant_slots);
    else if (*(enum told *)arg == BY_COUNT)
        e = DB_RUN_COUNT(connection, &affected, tenant_take_slot);
    else if (*(enum told *)arg == BY_WHAT_IS_OVERLOOKED)
        assert_int_equal(DB_ROW(connection, arena, &slots, tenant_slots), ERR_INTERNAL);
    assert_null(slots);
    assert_int_equal(affected, 0);
    return e ? e : DB_RUN(connection, tenant_take_slot);
}

static void a_refusal_is_told_by_what_is_waited_for(void **state)
{
    (void)state;
    int64_t before = slots_of(tenant_b);
    for (enum told told = BY_ROWS; told <= BY_WHAT_IS_OVERLOOKED; told++) {
        assert_int_equal(db_transact(db, go_on_after_a_refusal, &told), ERR_INTERNAL);
        assert_int_equal(slots_of(tenant_b), before);
    }
    assert_int_equal(run(db, &refused), ERR_INTERNAL); /* outside nothing is sent ahead */
    db_reset(db);
}

/* What was sent before it is known that there is no transaction any more. */
static enum error go_on_without_a_transaction(struct db *connection, void *arg)
{
    (void)arg;
    enum error e = DB_RUN(connection, tenant_take_slot);
    if (!e)
        e = run(connection, &roll_back);
    for (int i = 0; !e && i < 3; i++)
        e = DB_RUN(connection, tenant_take_slot);
    return e;
}

static void nothing_is_kept_of_what_was_sent_after_the_end(void **state)
{
    (void)state;
    int64_t before = slots_of(tenant_b);
    assert_int_equal(db_transact(db, go_on_without_a_transaction, NULL), ERR_DATABASE_BUSY);
    assert_int_equal(slots_of(tenant_b), before);
    db_reset(db);
}

enum { MANY = 40 };

/* Each is a statement of its own: more of them than are ever on their way; then twice the same. */
static enum error take_many_slots(struct db *connection, void *arg)
{
    static struct stmt alike[MANY];
    enum error e = ERR_OK;
    for (int i = 0; !e && i < MANY; i++) {
        alike[i] = tenant_take_slot_stmt;
        e = run(connection, &alike[i]);
    }
    for (int i = 0; !e && i < 2; i++)
        e = DB_RUN_OR(connection, ERR_NO_SNAPSHOT, tenant_take_slot);
    if (!e)
        *(int64_t *)arg = slots_of(tenant_b); /* in the transaction: it sees them */
    return e;
}

static enum error change_no_row(struct db *connection, void *arg)
{
    enum error e = DB_RUN(connection, tenant_take_slot);
    db_set_tenant(connection, STR("00000000-0000-4000-8000-000000000000"));
    if (!e)
        e = DB_RUN_OR(connection, ERR_NO_SNAPSHOT, tenant_take_slot);
    *(enum error *)arg = e;
    db_set_tenant(connection, str_of(tenant_b));
    return e;
}

static void no_row_is_an_error_when_it_is_said_so(void **state)
{
    (void)state;
    int64_t before = slots_of(tenant_b), seen = 0;
    enum error at_once = ERR_INTERNAL;
    assert_int_equal(db_transact(db, take_many_slots, &seen), ERR_OK);
    assert_int_equal(seen, before + MANY + 2);
    assert_int_equal(db_transact(db, change_no_row, &at_once), ERR_NO_SNAPSHOT);
    assert_int_equal(at_once, ERR_OK);
    assert_int_equal(slots_of(tenant_b), before + MANY + 2);
    db_set_tenant(db, STR("00000000-0000-4000-8000-000000000000"));
    assert_int_equal(DB_RUN_OR(db, ERR_NO_SNAPSHOT, tenant_take_slot), ERR_NO_SNAPSHOT);
    db_reset(db);
}

/* ---- values ---- */

static struct str pattern(size_t n)
{
    char *p = arena_bytes(arena, n);
    for (size_t i = 0; i < n; i++)
        p[i] = (char)(i * 7 + i / 251);
    return (struct str){p, n};
}

static enum error gather(void *context, const void *row)
{
    buf_put(context, ((const struct piece *)row)->bytes);
    return ERR_OK;
}

static struct str body_of_cluster(void)
{
    struct buf body = buf_init(arena, SIZE_MAX);
    assert_int_equal(
        DB_EACH(db, arena, gather, &body, snapshot_base_pieces, .cluster = str_of(cluster)),
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
        struct piece *pieces;
        size_t n;
        struct str bytes = pattern(sizes[i]);
        assert_int_equal(DB_RUN(db, snapshot_put_base, .cluster = str_of(cluster),
                                .base = STR("base"), .chunks = STR("chunks"), .body = bytes),
                         ERR_OK);
        assert_true(str_eq(body_of_cluster(), bytes));
        assert_int_equal(
            DB_ROWS(db, arena, &pieces, &n, snapshot_base_pieces, .cluster = str_of(cluster)),
            ERR_OK);
        assert_int_equal(n, (sizes[i] + (1 << 20) - 1) >> 20);
        assert_true(n == 0 || str_has_prefix(bytes, pieces[0].bytes));
    }
    db_set_tenant(db, str_of(tenant_b));
    assert_int_equal(body_of_cluster().n, 0);
    db_reset(db);
}

static enum error refuse_third(void *context, const void *row)
{
    (void)row;
    return ++*(int *)context == 3 ? ERR_TOO_LARGE : ERR_OK;
}

static void rows_are_read_until_one_is_refused(void **state)
{
    (void)state;
    int told = 0;
    db_set_tenant(db, str_of(tenant_a));
    assert_int_equal(
        DB_EACH(db, arena, refuse_third, &told, snapshot_base_pieces, .cluster = str_of(cluster)),
        ERR_TOO_LARGE);
    assert_int_equal(told, 3);
    assert_int_equal(slots_of(tenant_a), 1);
    db_reset(db);
}

/* What others commit meanwhile is not seen. */
static enum error look_twice(struct db *connection, void *arg)
{
    struct db *other = arg;
    struct slots *before, *after;
    enum error e = DB_ROW(connection, arena, &before, tenant_slots);
    assert_int_equal(e, ERR_OK);
    assert_int_equal(DB_RUN(other, tenant_take_slot), ERR_OK);
    assert_int_equal(DB_ROW(connection, arena, &after, tenant_slots), ERR_OK);
    assert_int_equal(before->clusters, after->clusters);
    assert_int_equal(DB_RUN(connection, tenant_take_slot), ERR_INTERNAL);
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
    enum { ROWS = 2000 };
    struct risk_put_args *args = ARENA_ARRAY(arena, ROWS, struct risk_put_args);
    struct open_risk *open;
    size_t n;
    struct str x = STR("x\xF0\x9F\x9A\xA2");
    for (int64_t i = 0; i < ROWS; i++)
        args[i] = STMT_ARGS(
            risk_put, .cluster = str_of(cluster),
            .risk_id = arena_printf(arena, "%016lld", (long long)(i % (ROWS / 2))), .check_id = x,
            .category = x, .severity = x, .namespace = x, .resource = x, .container = x,
            .message = x, .places = i, .absorbed_by = x,
            .exempt_reason = i % 2 ? ((struct str){0}) : x, .would_cost = i,
            .exemption_id = i % 2 ? ((struct str){0}) : str_of(cluster), .content = INT64_MIN + i,
            .first_seen = 1764547200000 + i, .closed_at = TIME_NONE);
    db_set_tenant(db, str_of(tenant_a));
    assert_int_equal(DB_RUN_MANY(db, arena, risk_put, args, 0), ERR_OK);
    assert_int_equal(DB_RUN_MANY(db, arena, risk_put, args, 1), ERR_OK);
    assert_int_equal(DB_RUN_MANY(db, arena, risk_put, args, ROWS), ERR_OK);
    assert_int_equal(DB_ROWS(db, arena, &open, &n, risk_open, .cluster = str_of(cluster)), ERR_OK);
    assert_int_equal(n, ROWS / 2);
    for (size_t i = 0; i < n; i++) {
        assert_true(str_eq(open[i].id, args[i].risk_id));
        assert_int_equal(open[i].content, INT64_MIN + ROWS / 2 + (int64_t)i);
        assert_int_equal(open[i].first_seen, 1764547200000 + ROWS / 2 + (int64_t)i);
    }
    args[1].message = (struct str){0};
    assert_int_equal(DB_RUN_MANY(db, arena, risk_put, args, 2), ERR_INTERNAL);
    uint64_t affected = 7;
    assert_int_equal(DB_RUN_MANY_COUNT(db, arena, &affected, risk_put, args + 1, 1), ERR_INTERNAL);
    assert_int_equal(affected, 0);
    db_reset(db);
}

static void exhaust(void *arg)
{
    struct arena *small = arg;
    struct piece *pieces;
    size_t n;
    DB_ROWS(db, small, &pieces, &n, snapshot_base_pieces, .cluster = str_of(cluster));
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
        cmocka_unit_test(a_tenant_statement_needs_a_tenant),
        cmocka_unit_test(what_must_not_be_null_is_refused),
        cmocka_unit_test(names_become_places),
        cmocka_unit_test(a_transaction_is_all_or_nothing),
        cmocka_unit_test(what_the_server_rolled_back_is_tried_again_as_a_whole),
        cmocka_unit_test(what_is_over_its_limit_is_not_tried_again),
        cmocka_unit_test(a_transaction_may_be_empty),
        cmocka_unit_test(a_transaction_that_was_given_up_leaves_nothing),
        cmocka_unit_test(a_lost_connection_loses_the_transaction_only),
        cmocka_unit_test(a_refusal_is_told_by_what_is_waited_for),
        cmocka_unit_test(nothing_is_kept_of_what_was_sent_after_the_end),
        cmocka_unit_test(no_row_is_an_error_when_it_is_said_so),
        cmocka_unit_test(values_come_back_as_they_went),
        cmocka_unit_test(rows_are_read_until_one_is_refused),
        cmocka_unit_test(reading_sees_one_moment),
        cmocka_unit_test(many_rows_go_at_once),
        cmocka_unit_test(an_exhausted_arena_leaves_the_connection_usable),
    };
    return server_is_there("test_db") ? cmocka_run_group_tests(tests, open_db, server_close) : 0;
}
