/* Is a statement what its row says? */
#include "db/db.h"
#include "db/internal.h"

static bool column_is(const MYSQL_FIELD *field, enum db_type type)
{
    MARIADB_CONST_STRING name = {NULL, 0};
    mariadb_field_attr(&name, field, MARIADB_FIELD_ATTR_DATA_TYPE_NAME);
    bool is_uuid = str_eq((struct str){name.str, name.length}, STR("uuid"));
    bool is_bytes = field->charsetnr == 63; /* the character set "binary" */
    switch (field->type) {
    case MYSQL_TYPE_TINY:
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
    case MYSQL_TYPE_LONGLONG:
        return type == DB_INT;
    case MYSQL_TYPE_DATETIME:
        return type == DB_TIME;
    case MYSQL_TYPE_STRING:
    case MYSQL_TYPE_VAR_STRING:
    case MYSQL_TYPE_BLOB:
    case MYSQL_TYPE_MEDIUM_BLOB:
    case MYSQL_TYPE_LONG_BLOB:
        return type == (is_uuid ? DB_UUID : is_bytes ? DB_BYTES : DB_TEXT);
    default:
        return false;
    }
}

typedef void (*reporter)(void *context, const char *problem);

/* NAME of AS NAME for a member, and for a member of a member. */
static bool is_named(const MYSQL_FIELD *column, const char *member)
{
    const char *dot = strrchr(member, '.');
    const char *name = dot ? dot + 1 : member;
    return !*name || strcmp(column->name, name) == 0;
}

static size_t check_columns(const struct stmt *stmt, MYSQL_RES *result, reporter report,
                            void *context)
{
    size_t problems = 0, n = result ? mysql_num_fields(result) : 0, wanted = 0;
    char text[256];
    while (stmt->columns[wanted].name)
        wanted++;
    if (n != wanted) {
        snprintf(text, sizeof text, "%s has %zu columns", stmt->name, n);
        report(context, text);
        return 1;
    }
    for (unsigned i = 0; i < n; i++) {
        const struct db_field *field = &stmt->columns[i];
        const MYSQL_FIELD *column = mysql_fetch_field_direct(result, i);
        bool may_be_null = !(column->flags & NOT_NULL_FLAG);
        if (column_is(column, field->type) && is_named(column, field->name) &&
            (!may_be_null || field->may_be_null))
            continue;
        snprintf(text, sizeof text, "%s: column %s (for %s) is of type %d, %s NULL", stmt->name,
                 column->name, field->name, (int)column->type, may_be_null ? "may be" : "never");
        report(context, text);
        problems++;
    }
    return problems;
}

size_t db_check(struct db *db, const struct stmt *stmt, reporter report, void *context)
{
    struct prepared *prepared;
    char text[512];
    if (db_prepare(db, stmt, &prepared)) {
        snprintf(text, sizeof text, "%s cannot be prepared", stmt->name);
        report(context, text);
        return 1;
    }
    MYSQL_RES *result = mysql_stmt_result_metadata(prepared->handle);
    size_t problems = check_columns(stmt, result, report, context);
    if (result)
        mysql_free_result(result);
    return problems;
}
