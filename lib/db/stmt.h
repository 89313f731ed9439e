/* stmt: SQL statements. They are rows of tables, a table beside the C that uses it:
 * store/silence.def has the statements of store/silence.c, which makes them its own by
 *
 *     #define STATEMENTS "store/silence.def"
 *     #include "db/statements.inc"
 *
 * STMT(name, scope, parameters, row, sql)
 *   scope       TENANT  reads or writes rows of the tenant whose credential came with the request:
 *                       in sql it is :tenant, which db binds and no caller passes
 *               GLOBAL  finds a credential (and by it the tenant), belongs to no tenant, or is for
 *                       who runs the service
 *   parameters  what a caller passes, by name: UUID(user_id) TIME(now), in any order; sql says
 *               :user_id, as often as it likes. NONE: nothing. A parameter that is compared with a
 *               column or becomes one has the column's name (a test looks)
 *   row         what a row of the result fills: the name of a ROW, `number` for one whole number,
 *               `none` without a result
 *
 * ROW(name, columns)
 *   columns     members of struct name that are columns of a result, in the order and by the name
 *               that they have there (a test looks): "SELECT user_id AS id" for UUID(id), and for
 *               a member of a member, UUID(rule.id), as well
 *
 * Types are UUID, TEXT, BYTES (struct str), TIME (int64_t, milliseconds) and INT (int64_t; in a ROW
 * any integer, bool or enum). What may be NULL is TEXT_NULL and so on: an absent slice, TIME_NONE;
 * an INT_NULL, which is for a ROW alone, reads as 0.
 */
#ifndef LOADLINE_DB_STMT_H
#define LOADLINE_DB_STMT_H

#include "base/clock.h"
#include "base/errors.h"

#define UUID(member)       FIELD(member, DB_UUID, s, false)
#define UUID_NULL(member)  FIELD(member, DB_UUID, s, true)
#define TEXT(member)       FIELD(member, DB_TEXT, s, false)
#define TEXT_NULL(member)  FIELD(member, DB_TEXT, s, true)
#define BYTES(member)      FIELD(member, DB_BYTES, s, false)
#define BYTES_NULL(member) FIELD(member, DB_BYTES, s, true)
#define TIME(member)       FIELD(member, DB_TIME, i, false)
#define TIME_NULL(member)  FIELD(member, DB_TIME, i, true)
#define INT(member)        FIELD(member, DB_INT, i, false)
#define INT_NULL(member)   FIELD(member, DB_INT, i, true)
#define NONE

enum stmt_scope { GLOBAL, TENANT };

enum { DB_PARAMS_MAX = 32, DB_COLUMNS_MAX = 40 };

enum db_type { DB_INT = 'i', DB_TEXT = 's', DB_UUID = 'u', DB_TIME = 't', DB_BYTES = 'b' };

struct db_value {
    enum db_type type;
    bool null;
    int64_t i;    /* DB_INT; DB_TIME in milliseconds, TIME_NONE when null */
    struct str s; /* the others; absent when null */
};

/* A parameter, or a column of a result. A list of them ends with one that has no name. */
struct db_field {
    const char *name;
    enum db_type type;
    bool may_be_null;
};

struct stmt {
    const char *name;
    enum stmt_scope scope;
    const char *sql;
    const struct db_field *params, *columns;
    size_t args_size, row_size;
    void (*put)(const void *args, struct db_value *values); /* one a parameter */
    void (*take)(const struct db_value *values, void *row); /* one a column */
};

/* ROWs of everybody. */
struct none {
    char none;
};
struct number {
    int64_t number;
};
extern const struct db_field none_columns[], number_columns[];
void none_take(const struct db_value *values, void *row);
void number_take(const struct db_value *values, void *row);

/* The parameters of a statement: STMT_ARGS(user_set_role, .role = role, .user_id = id). What is
 * missing, there twice or of another type does not compile; nor does a comma within braces. */
#define STMT_ARGS(...) STMT_ARGS_(__VA_ARGS__, )
#define STMT_ARGS_(name, ...)                                                                      \
    ((struct name##_args){sizeof(struct {                                                          \
                              _Static_assert(STMT_COUNT_(__VA_ARGS__) ==                           \
                                                 sizeof name##_params / sizeof *name##_params,     \
                                             "each parameter once");                               \
                              char c;                                                              \
                          }),                                                                      \
                          __VA_ARGS__})
#define STMT_COUNT_(...)                                                                           \
    STMT_LAST_(__VA_ARGS__, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, \
               8, 7, 6, 5, 4, 3, 2, 1, )
#define STMT_LAST_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z,   \
                   count, ...)                                                                     \
    count

/* ---- for statements.inc ---- */

static inline struct db_value stmt_value_s(enum db_type type, struct str s)
{
    return (struct db_value){.type = type, .s = s, .null = !s.p};
}

static inline struct db_value stmt_value_i(enum db_type type, int64_t i)
{
    return (struct db_value){.type = type, .i = i, .null = type == DB_TIME && i == TIME_NONE};
}

#define STMT_TAKE_s(member, value) (value)->s
#define STMT_TAKE_i(member, value) (__typeof__(member))(value)->i

/* ---- for the files of db ---- */

enum { STMT_TENANT = 255 };

/* sql as the server takes it: ? in place of each name; as many bytes as that of stmt and a NUL are
 * room enough. order: for each ? the number of its parameter, or STMT_TENANT; *n of them. False,
 * and a line in the log, when a name is no parameter, a parameter is not used, or the scope says
 * otherwise. */
bool stmt_translate(const struct stmt *stmt, char *sql, unsigned char order[DB_PARAMS_MAX],
                    size_t *n);

/* INTERNAL, and a line in the log, when a value is NULL that must not be, or stmt needs a tenant
 * and there is none. */
enum error stmt_check(const struct stmt *stmt, const struct db_value *tenant,
                      const struct db_value *values);

#endif
