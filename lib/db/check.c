/* Are the statements what stmts.def says? */
#include "db/internal.h"
#include "db/stmts.h"

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

static size_t check_columns(const struct stmt_row *row, MYSQL_RES *result, reporter report,
                            void *context)
{
    size_t problems = 0, n = result ? mysql_num_fields(result) : 0;
    char text[256];
    if (n != strlen(row->columns)) {
        snprintf(text, sizeof text, "%s has %zu columns", row->name, n);
        report(context, text);
        return 1;
    }
    for (unsigned i = 0; i < n; i++) {
        const MYSQL_FIELD *field = mysql_fetch_field_direct(result, i);
        bool may_be_null = !(field->flags & NOT_NULL_FLAG);
        if (column_is(field, stmt_letter_type(row->columns[i])) &&
            (!may_be_null || stmt_letter_allows_null(row->columns[i])))
            continue;
        snprintf(text, sizeof text, "%s: column %s is of type %d, %s NULL", row->name, field->name,
                 (int)field->type, may_be_null ? "may be" : "never");
        report(context, text);
        problems++;
    }
    return problems;
}

static size_t check_stmt(struct db *db, enum stmt id, reporter report, void *context)
{
    const struct stmt_row *row = &stmt_rows[id];
    char text[512];
    if (db_prepare(db, id)) {
        snprintf(text, sizeof text, "%s cannot be prepared", row->name);
        report(context, text);
        return 1;
    }
    size_t problems = 0;
    bool scoped = strchr(row->params, '@') != NULL;
    if (mysql_stmt_param_count(db->prepared[id]) != strlen(row->params) || scoped != row->tenant) {
        snprintf(text, sizeof text, "%s has %lu parameters, or '@' and its scope differ", row->name,
                 mysql_stmt_param_count(db->prepared[id]));
        report(context, text);
        problems++;
    }
    MYSQL_RES *result = mysql_stmt_result_metadata(db->prepared[id]);
    problems += check_columns(row, result, report, context);
    if (result)
        mysql_free_result(result);
    return problems;
}

size_t db_check(struct db *db, reporter report, void *context)
{
    size_t problems = 0;
    for (size_t i = 0; i < STMT_COUNT; i++)
        problems += check_stmt(db, (enum stmt)i, report, context);
    return problems;
}
