/* stmts: the rows of stmts.def, and whether arguments fit them. For db*.c. */
#ifndef LOADLINE_DB_STMTS_H
#define LOADLINE_DB_STMTS_H

#include "db/db.h"

extern const struct stmt_row {
    const char *name, *params, *columns, *sql;
    bool tenant;
} stmt_rows[];

/* Lower case: never NULL; upper case: may be. */
static inline bool stmt_letter_allows_null(char letter)
{
    return letter < 'a';
}

static inline enum db_type stmt_letter_type(char letter)
{
    return (enum db_type)(letter | 0x20);
}

/* How many arguments the caller gives: all parameters but the tenant. */
size_t stmt_args(const struct stmt_row *row);

/* INTERNAL, and a line in the log, when number, types or NULLs of the arguments are not those of
 * the row, or the row needs a tenant and there is none. */
enum error stmt_check_args(enum stmt id, const struct db_value *tenant, const struct db_value *args,
                           size_t count);

#endif
