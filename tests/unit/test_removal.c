/* Deleted clusters, against a real server: see test_db.c. */
#include "store/removal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>

#include "base/log.h"
#include "scratch.h"
#include "store/history.h"
#include "store/tenant.h"

struct removal {
    struct str cluster, tenant;
    int64_t deleted;
};
#define STATEMENTS "store/removal.def"
#include "db/statements.inc"

#define STATEMENTS "store/history.def"
#include "db/statements.inc"

struct history_moment {
    int64_t time;
};
struct history_part {
    int64_t time;
    struct str body;
    int64_t score, nodes, pods, risks, formula;
};
struct history_chunk {
    int64_t start;
    struct str body;
};
#define STATEMENTS "store/history_points.def"
#include "db/statements.inc"

enum { POINTS = 12000 };
static const int64_t NOW = INT64_C(1773749659000);

static struct db *db;
static char tenant[UUID_TEXT_LEN + 1];

static enum error make(struct db *connection, void *arg)
{
    struct str name = *(struct str *)arg;
    struct cluster_row *row;
    enum error e = cluster_create(connection, arena, name, NOW, &row);
    struct history_insert_args *points = ARENA_ARRAY(arena, POINTS, struct history_insert_args);
    for (int64_t i = 0; !e && i < POINTS; i++)
        points[i] =
            STMT_ARGS(history_insert, .cluster = row->id, .taken_at = NOW + i * 1000, .score = 50,
                      .score_exact = 50, .nodes = 50, .pods = 50, .risks = 50, .formula = 50);
    if (!e)
        e = tenant_take_slot(connection);
    return e ? e : DB_RUN_MANY(connection, arena, history_insert, points, POINTS);
}

struct taking {
    struct str name, cluster;
};

static enum error take_away(struct db *connection, void *arg)
{
    struct taking *taking = arg;
    return removal_begin(connection, arena, taking->name, NOW, &taking->cluster);
}

static size_t points_of(struct str cluster)
{
    struct history_part *points;
    size_t n;
    db_set_tenant(db, str_of(tenant));
    assert_int_equal(DB_ROWS(db, arena, &points, &n, history_parts, .cluster = cluster, .from = NOW,
                             .hour = NOW, .to = NOW + POINTS * 1000, .rows = POINTS + 1,
                             .chunks = 1),
                     ERR_OK);
    return n;
}

static bool is_remembered(struct str cluster)
{
    struct removal *removals;
    size_t n;
    bool found = false;
    assert_int_equal(DB_ROWS(db, arena, &removals, &n, removal_list), ERR_OK);
    for (size_t i = 0; i < n; i++)
        found = found || str_eq(removals[i].cluster, cluster);
    return found;
}

static void what_nobody_finished_is_swept(void **state)
{
    (void)state;
    struct str name = STR("swept"), other = STR("other");
    struct taking taking = {.name = name};
    struct cluster_row *row;
    bool done = true;
    db_set_tenant(db, str_of(tenant));
    assert_int_equal(db_transact(db, make, &name), ERR_OK);
    assert_int_equal(db_transact(db, make, &other), ERR_OK);
    assert_int_equal(db_transact(db, take_away, &taking), ERR_OK);
    assert_int_equal(db_transact(db, take_away, &taking), ERR_UNKNOWN_CLUSTER);
    assert_true(points_of(taking.cluster) > 0);

    db_reset(db);
    assert_int_equal(removal_sweep(db, arena, NOW, clock_monotonic() - 1, &done), ERR_OK);
    assert_false(done);
    assert_true(points_of(taking.cluster) > 0);

    int64_t later = clock_monotonic() + 60000;
    db_reset(db);
    assert_int_equal(removal_sweep(db, arena, NOW, later, &done), ERR_OK);
    assert_true(done);
    assert_int_equal(points_of(taking.cluster), 0);
    assert_true(is_remembered(taking.cluster));
    db_reset(db);
    assert_int_equal(removal_sweep(db, arena, NOW + REMOVAL_KEPT_MS - 1, later, &done), ERR_OK);
    assert_true(is_remembered(taking.cluster));
    assert_int_equal(removal_sweep(db, arena, NOW + REMOVAL_KEPT_MS, later, &done), ERR_OK);
    assert_true(done);
    assert_false(is_remembered(taking.cluster));
    db_set_tenant(db, str_of(tenant));
    assert_int_equal(cluster_find(db, arena, other, &row), ERR_OK);
    assert_true(points_of(row->id) > 0);
    db_reset(db);
}

static int open_db(void **state)
{
    scratch_open(state);
    db = db_new(getenv("LOADLINE_TEST_DB"));
    return tenant_create(db, STR("removal"), plan_at_signup(true), NOW, tenant) != ERR_OK;
}

static int close_db(void **state)
{
    db_free(db);
    return scratch_close(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_nobody_finished_is_swept)};
    if (!getenv("LOADLINE_TEST_DB")) {
        puts("1..0 # SKIP LOADLINE_TEST_DB is not set; tests/e2e sets it");
        return 0;
    }
    log_open("test_removal", "/dev/null", LOG_LEVEL_INFO);
    return cmocka_run_group_tests(tests, open_db, close_db);
}
