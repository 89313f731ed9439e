/* Every statement of the store, against a real server. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "server.h"

#define FIELD(member, type, part, may_be_null) {#member, type, may_be_null},
#define ROW(name, columns)                     static const struct db_field name##_columns[] = {columns{0}};
#define STMT(name, scope, parameters, row, sql)                                                    \
    static const struct db_field name##_params[] = {parameters{0}};
#include "store/statements.def"
#undef ROW
#undef STMT

static const struct stmt statements[] = {
#define ROW(name, columns)
#define STMT(name_, scope_, parameters, row, sql_)                                                 \
    {.name = #name_,                                                                               \
     .scope = scope_,                                                                              \
     .sql = sql_,                                                                                  \
     .params = name_##_params,                                                                     \
     .columns = row##_columns},
#include "store/statements.def"
#undef ROW
#undef STMT
};

static void report(void *context, const char *problem)
{
    (void)context;
    print_error("# %s\n", problem);
}

static void every_statement_is_what_its_row_says(void **state)
{
    (void)state;
    size_t problems = 0;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        problems += db_check(db, &statements[i], report, NULL);
    assert_int_equal(problems, 0);
}

/* A swap of two columns or of their names is found, as is a type that differs. */
static void what_differs_is_told(void **state)
{
    (void)state;
    static const struct db_field none[] = {{0}},
                                 right[] = {{"company", DB_TEXT, false},
                                            {"x.plan", DB_TEXT, false},
                                            {"clusters", DB_INT, false},
                                            {0}},
                                 swapped[] = {{"x.plan", DB_TEXT, false},
                                              {"company", DB_TEXT, false},
                                              {"clusters", DB_INT, false},
                                              {0}},
                                 mistyped[] = {{"company", DB_TEXT, false},
                                               {"plan", DB_BYTES, false},
                                               {"clusters", DB_TIME, false},
                                               {0}};
    struct stmt stmt = {.name = "test",
                        .scope = GLOBAL,
                        .sql = "SELECT company, plan, clusters FROM tenants",
                        .params = none,
                        .columns = right};
    assert_int_equal(db_check(db, &stmt, report, NULL), 0);
    stmt.columns = swapped;
    assert_int_equal(db_check(db, &stmt, report, NULL), 2);
    stmt.columns = mistyped;
    assert_int_equal(db_check(db, &stmt, report, NULL), 2);
    stmt.columns = none;
    assert_int_equal(db_check(db, &stmt, report, NULL), 1);
    struct stmt fewer = stmt;
    fewer.sql = "SELECT company, plan, clusters, created_at FROM tenants";
    fewer.columns = right;
    assert_int_equal(db_check(db, &fewer, report, NULL), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_statement_is_what_its_row_says),
        cmocka_unit_test(what_differs_is_told),
    };
    return server_is_there("test_statements")
               ? cmocka_run_group_tests(tests, server_open, server_close)
               : 0;
}
