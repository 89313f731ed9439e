/* For the time being: the rows of stmts.def, made to look like those of stmt.h. */
#include <stdlib.h>

#include "db/db.h"

static struct stmt rows[STMT_COUNT] = {
#define STMT(name_, scope_, params_, columns_, sql_)                                               \
    {.name = #name_, .scope = scope_, .sql = sql_, .old_params = params_, .old_columns = columns_},
#include "db/stmts.def"
#undef STMT
};

static const struct db_field *fields_of(const char *letters)
{
    struct db_field *fields = calloc(strlen(letters) + 1, sizeof *fields);
    size_t n = 0;
    for (; *letters; letters++)
        if (*letters != '@')
            fields[n++] = (struct db_field){"", (enum db_type)(*letters | 0x20), *letters < 'a'};
    return fields;
}

const struct stmt *stmt_old(enum old_stmt id)
{
    struct stmt *row = &rows[id];
    if (!row->params) {
        row->params = fields_of(row->old_params);
        row->columns = fields_of(row->old_columns);
    }
    return row;
}
