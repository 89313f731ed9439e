#include "db/stmts.h"

#include "base/log.h"

const struct stmt_row stmt_rows[STMT_COUNT + 1] = {
#define GLOBAL                                  false
#define TENANT                                  true
#define STMT(name, scope, params, columns, sql) {#name, params, columns, sql, scope},
#include "db/stmts.def"
#undef STMT
    {NULL, NULL, NULL, NULL, false},
};

size_t stmt_args(const struct stmt_row *row)
{
    size_t n = 0;
    for (const char *letter = row->params; *letter; letter++)
        n += *letter != '@';
    return n;
}

static bool fits(const struct stmt_row *row, const struct db_value *args, size_t count)
{
    if (stmt_args(row) != count || strlen(row->params) > DB_PARAMS_MAX)
        return false;
    for (const char *letter = row->params; *letter; letter++) {
        if (*letter == '@')
            continue;
        if (args->type != stmt_letter_type(*letter) ||
            (args->null && !stmt_letter_allows_null(*letter)))
            return false;
        args++;
    }
    return true;
}

enum error stmt_check_args(enum stmt id, const struct db_value *tenant, const struct db_value *args,
                           size_t count)
{
    const struct stmt_row *row = &stmt_rows[id];
    if (!fits(row, args, count))
        log_error("statement=%s problem=\"its arguments are not those of stmts.def\"", row->name);
    else if (row->tenant && tenant->null)
        log_error("statement=%s problem=\"there is no tenant\"", row->name);
    else
        return ERR_OK;
    return ERR_INTERNAL;
}
