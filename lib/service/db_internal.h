/* db_internal: what db.c and db_check.c share. Nobody else includes this: it brings in the client
 * library. */
#ifndef LOADLINE_SERVICE_DB_INTERNAL_H
#define LOADLINE_SERVICE_DB_INTERNAL_H

#include <mariadb/mysql.h>

#include "service/db.h"

/* A row of stmts.def. */
extern const struct db_stmt {
    const char *name, *params, *columns, *sql;
    bool tenant;
} db_stmts[];

struct db {
    const char *option_file;
    MYSQL *mysql; /* NULL: not connected */
    MYSQL_STMT *prepared[STMT_COUNT];
    MYSQL_STMT *pending; /* its result has not been read to the end */
    bool in_transaction, committing;
    bool broken;            /* lost inside a transaction: nothing may run until that is over */
    struct db_value tenant; /* null while there is none */
    char tenant_text[UUID_TEXT_LEN + 1];
};

/* Lower case: never NULL; upper case: may be. */
static inline bool db_letter_allows_null(char letter)
{
    return letter < 'a';
}

static inline enum db_type db_letter_type(char letter)
{
    return (enum db_type)(letter | 0x20);
}

/* Connects when needed; afterwards db->prepared[id] is there. */
enum error db_prepare(struct db *db, enum stmt id);

#endif
