#include "db/stmt.h"

#include "base/log.h"

const struct db_field none_columns[] = {{0}};

void none_take(const struct db_value *values, void *row)
{
    (void)values, (void)row;
}

const struct db_field number_columns[] = {{"", DB_INT, true}, {0}};

void number_take(const struct db_value *values, void *row)
{
    ((struct number *)row)->number = values->i;
}

static size_t name_length(const char *sql)
{
    size_t n = 0;
    while ((sql[n] >= 'a' && sql[n] <= 'z') || sql[n] == '_')
        n++;
    return n;
}

/* The number of the parameter, or -1. */
static int find_param(const struct stmt *stmt, struct str name)
{
    if (stmt->scope == TENANT && str_eq(name, STR("tenant")))
        return STMT_TENANT;
    for (int i = 0; stmt->params[i].name; i++)
        if (str_eq(name, str_of(stmt->params[i].name)))
            return i;
    return -1;
}

static bool complain(const struct stmt *stmt, const char *problem, struct str name)
{
    log_error("statement=%s problem=\"%s %" STR_FMT "\"", stmt->name, problem, STR_ARG(name));
    return false;
}

static bool all_used(const struct stmt *stmt, const unsigned char *order, size_t n)
{
    const unsigned char *end = order + n;
    if (stmt->scope == TENANT && !memchr(order, STMT_TENANT, n))
        return complain(stmt, "it does not say", STR(":tenant"));
    for (int i = 0; stmt->params[i].name; i++)
        if (end == order || !memchr(order, i, n))
            return complain(stmt, "it does not say", str_of(stmt->params[i].name));
    return true;
}

bool stmt_translate(const struct stmt *stmt, char *sql, unsigned char order[DB_PARAMS_MAX],
                    size_t *n)
{
    bool quoted = false;
    *n = 0;
    for (const char *p = stmt->sql; *p; p++) {
        struct str name = {p + 1, name_length(p + 1)};
        quoted ^= *p == '\'';
        if (*p != ':' || quoted || !name.n) {
            *sql++ = *p;
            continue;
        }
        int param = find_param(stmt, name);
        if (param < 0 || *n == DB_PARAMS_MAX)
            return complain(stmt, "there is no parameter, or too many:", name);
        order[(*n)++] = (unsigned char)param;
        *sql++ = '?';
        p += name.n;
    }
    *sql = '\0';
    return all_used(stmt, order, *n);
}

enum error stmt_check(const struct stmt *stmt, const struct db_value *tenant,
                      const struct db_value *values)
{
    if (stmt->scope == TENANT && tenant->null) {
        log_error("statement=%s problem=\"there is no tenant\"", stmt->name);
        return ERR_INTERNAL;
    }
    for (int i = 0; stmt->params[i].name; i++)
        if (values[i].null && !stmt->params[i].may_be_null) {
            log_error("statement=%s problem=\"%s is NULL\"", stmt->name, stmt->params[i].name);
            return ERR_INTERNAL;
        }
    return ERR_OK;
}
