/* openapi: GET /openapi.json, made of the tables: routes.def, openapi.def, errors.def. */
#include "../routes.h"
#include "base/version.h"
#include "openapi_errors.h"
#include "openapi_schema.h"
#include "web/page.h"

struct operation {
    enum http_method method;
    const char *path;
    int status;
    const char *summary, *parameters, *body, *answer;
};

static const struct schema {
    const char *name, *members;
} schemas[] = {
#define OPERATION(method, path, status, summary, parameters, body, answer)
#define CONFLICT(method, path, codes)
#define SCHEMA(name, members) {#name, members},
#include "../openapi.def"
#undef SCHEMA
#undef CONFLICT
#undef OPERATION
};

static const struct operation operations[] = {
#define SCHEMA(name, members)
#define CONFLICT(method, path, codes)
#define OPERATION(method, path, status, summary, parameters, body, answer)                         \
    {HTTP_##method, path, status, summary, parameters, body, answer},
#include "../openapi.def"
#undef OPERATION
#undef CONFLICT
#undef SCHEMA
};

/* As of routes(), row by row. */
static const struct label {
    const char *method, *handler;
} labels[] = {
#define ROUTE(program, method, path, credential, need, rate, body, handler) {#method, #handler},
#include "../routes.def"
#undef ROUTE
};

static const struct operation *find(const struct route *route)
{
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        if (operations[i].method == route->method && strcmp(operations[i].path, route->path) == 0)
            return &operations[i];
    return NULL;
}

/* ---- requests ---- */

static void put_parameters(struct jw *jw, const char *parameters)
{
    struct str words = str_of(parameters), before, after;
    struct openapi_member member;
    if (!words.n)
        return;
    jw_key(jw, STR("parameters"));
    jw_array(jw);
    while (openapi_next(&words, &member)) {
        jw_object(jw);
        JW_STR(jw, "name", member.name);
        JW_STR(jw, "in", str_cut(member.name, '-', &before, &after) ? STR("header") : STR("query"));
        JW_BOOL(jw, "required", member.required);
        openapi_put_example(jw, &member);
        jw_key(jw, STR("schema"));
        jw_object(jw);
        openapi_put_schema(jw, member.type, false);
        jw_object_end(jw);
        jw_object_end(jw);
    }
    jw_array_end(jw);
}

/* Those that are required; of answers, those that are always there. */
static void put_required(struct jw *jw, struct str words, bool all)
{
    struct openapi_member member;
    jw_key(jw, STR("required"));
    jw_array(jw);
    while (openapi_next(&words, &member))
        if (all ? !member.sometimes : member.required)
            jw_str(jw, member.name);
    jw_array_end(jw);
}

static bool is_any(const struct openapi_member *member)
{
    return str_eq(member->name, STR("..."));
}

static void put_member(struct jw *jw, struct str key, const struct openapi_member *member)
{
    jw_key(jw, key);
    jw_object(jw);
    openapi_put_schema(jw, member->type, member->nullable);
    openapi_put_example(jw, member);
    jw_object_end(jw);
}

static void put_object(struct jw *jw, struct str words, bool all)
{
    struct str rest = words;
    struct openapi_member member;
    JW_STR(jw, "type", STR("object"));
    put_required(jw, words, all);
    jw_key(jw, STR("properties"));
    jw_object(jw);
    while (openapi_next(&rest, &member))
        if (!is_any(&member))
            put_member(jw, member.name, &member);
    jw_object_end(jw);
    while (openapi_next(&words, &member))
        if (is_any(&member))
            put_member(jw, STR("additionalProperties"), &member);
}

static void put_body(struct jw *jw, const struct operation *operation)
{
    if (!operation->body[0])
        return;
    jw_key(jw, STR("requestBody"));
    jw_object(jw);
    JW_BOOL(jw, "required", true);
    jw_key(jw, STR("content"));
    jw_object(jw);
    jw_key(jw, STR("application/json"));
    jw_object(jw);
    jw_key(jw, STR("schema"));
    jw_object(jw);
    if (strcmp(operation->body, "*") != 0)
        put_object(jw, str_of(operation->body), false);
    for (int open = 0; open < 4; open++)
        jw_object_end(jw);
}

/* ---- answers ---- */

/* Takes "{members}" or "[members]" off answer, members with types in brackets among them. False
 * when there is none. */
static bool take_members(struct str *answer, struct str *members, bool *is_array)
{
    size_t depth = 0, n = 0;
    *answer = str_trim(*answer);
    *is_array = str_has_prefix(*answer, STR("["));
    if (!*is_array && !str_has_prefix(*answer, STR("{")))
        return false;
    do {
        depth += answer->p[n] == '[' || answer->p[n] == '{';
        depth -= answer->p[n] == ']' || answer->p[n] == '}';
    } while (++n < answer->n && depth);
    *members = str_sub(*answer, 1, n - 2);
    *answer = str_sub(*answer, n, answer->n);
    return true;
}

static void put_json_schema(struct jw *jw, struct str members, bool is_array)
{
    jw_object(jw);
    if (is_array) {
        JW_STR(jw, "type", STR("array"));
        jw_key(jw, STR("items"));
        jw_object(jw);
    }
    put_object(jw, members, true);
    if (is_array)
        jw_object_end(jw);
    jw_object_end(jw);
}

/* Takes all of them off answer. */
static void put_json_answer(struct jw *jw, struct str *answer)
{
    struct str members, other;
    bool is_array, other_is_array;
    if (!take_members(answer, &members, &is_array))
        return;
    jw_key(jw, STR("application/json"));
    jw_object(jw);
    jw_key(jw, STR("schema"));
    if (take_members(answer, &other, &other_is_array)) {
        jw_object(jw);
        jw_key(jw, STR("oneOf"));
        jw_array(jw);
        put_json_schema(jw, members, is_array);
        put_json_schema(jw, other, other_is_array);
        jw_array_end(jw);
        jw_object_end(jw);
    } else {
        put_json_schema(jw, members, is_array);
    }
    jw_object_end(jw);
}

static void put_content(struct jw *jw, struct str answer)
{
    struct str type;
    jw_key(jw, STR("content"));
    jw_object(jw);
    put_json_answer(jw, &answer);
    while (str_next_word(&answer, &type)) {
        jw_key(jw, type);
        jw_object(jw);
        jw_object_end(jw);
    }
    jw_object_end(jw);
}

static void put_answers(struct request *r, struct jw *jw, const struct route *route,
                        const struct operation *operation)
{
    jw_key(jw, STR("responses"));
    jw_object(jw);
    jw_key(jw, arena_printf(r->arena, "%d", operation->status));
    jw_object(jw);
    JW_STR(jw, "description", str_of(operation->summary));
    put_content(jw, str_of(operation->answer));
    jw_object_end(jw);
    openapi_put_errors(r->arena, jw, route, operation->parameters[0] || operation->body[0]);
    jw_object_end(jw);
}

/* ---- all of it ---- */

static void put_security(struct jw *jw, enum credential credential)
{
    jw_key(jw, STR("security"));
    jw_raw(jw, credential == CREDENTIAL_BEARER    ? STR("[{\"session\":[]}]")
               : credential == CREDENTIAL_API_KEY ? STR("[{\"apiKey\":[]}]")
                                                  : STR("[]"));
}

static void put_need(struct jw *jw, enum need need)
{
    static const struct str needs[] = {[NEED_OPERATOR] = STR("Wants the role operator."),
                                       [NEED_ADMIN] = STR("Wants the role admin."),
                                       [NEED_AGENT] = STR("Wants the scope agent or full."),
                                       [NEED_CICD] = STR("Wants the scope cicd or full.")};
    if (needs[need].n)
        JW_STR(jw, "description", needs[need]);
}

static struct str lower(struct arena *arena, const char *word)
{
    char *text = arena_alloc(arena, strlen(word));
    for (size_t i = 0; word[i]; i++)
        text[i] = str_lower(word[i]);
    return (struct str){text, strlen(word)};
}

static void put_operation(struct request *r, struct jw *jw, const struct route *route,
                          const struct label *label)
{
    const struct operation *operation = find(route);
    if (!operation)
        return; /* tests/lint/openapi.t says what to add */
    jw_key(jw, lower(r->arena, label->method));
    jw_object(jw);
    JW_STR(jw, "operationId", str_of(label->handler));
    JW_STR(jw, "summary", str_of(operation->summary));
    put_need(jw, route->need);
    put_security(jw, route->credential);
    put_parameters(jw, operation->parameters);
    put_body(jw, operation);
    put_answers(r, jw, route, operation);
    jw_object_end(jw);
}

static bool is_first_of_path(struct route_table table, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(table.rows[i].path, table.rows[at].path) == 0)
            return false;
    return true;
}

static void put_paths(struct request *r, struct jw *jw)
{
    struct route_table table = routes();
    jw_key(jw, STR("paths"));
    jw_object(jw);
    for (size_t i = 0; i < table.n; i++) {
        if (!is_first_of_path(table, i))
            continue;
        jw_key(jw, str_of(table.rows[i].path));
        jw_object(jw);
        for (size_t k = i; k < table.n; k++)
            if (strcmp(table.rows[k].path, table.rows[i].path) == 0)
                put_operation(r, jw, &table.rows[k], &labels[k]);
        jw_object_end(jw);
    }
    jw_object_end(jw);
}

static void put_error_schema(struct jw *jw)
{
    static const char *const codes[] = {
#define ERROR(name, status, code, sentence) code,
#include "base/errors.def"
#undef ERROR
    };
    jw_key(jw, STR("Error"));
    jw_object(jw);
    JW_STR(jw, "type", STR("object"));
    jw_key(jw, STR("required"));
    jw_raw(jw, STR("[\"error\",\"code\"]"));
    jw_key(jw, STR("properties"));
    jw_object(jw);
    jw_key(jw, STR("error"));
    jw_raw(jw, STR("{\"type\":\"string\",\"description\":\"A sentence for a person\"}"));
    jw_key(jw, STR("field"));
    jw_raw(jw, STR("{\"type\":\"string\",\"description\":\"What is missing or wrong\"}"));
    jw_key(jw, STR("reason"));
    jw_raw(jw,
           STR("{\"type\":\"string\",\"description\":\"Of GET /health: why the database is away\","
               "\"enum\":[\"unreachable\",\"read_only\",\"cut_off\",\"disk_full\","
               "\"too_many_connections\"]}"));
    jw_key(jw, STR("code"));
    jw_object(jw);
    JW_STR(jw, "type", STR("string"));
    jw_key(jw, STR("enum"));
    jw_array(jw);
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        jw_str(jw, str_of(codes[i]));
    jw_array_end(jw);
    for (int open = 0; open < 3; open++)
        jw_object_end(jw);
}

static void put_components(struct jw *jw)
{
    jw_key(jw, STR("components"));
    jw_object(jw);
    jw_key(jw, STR("securitySchemes"));
    jw_raw(jw, STR("{\"session\":{\"type\":\"http\",\"scheme\":\"bearer\"},"
                   "\"apiKey\":{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"X-API-Key\"}}"));
    jw_key(jw, STR("schemas"));
    jw_object(jw);
    put_error_schema(jw);
    for (size_t i = 0; i < sizeof schemas / sizeof schemas[0]; i++) {
        jw_key(jw, str_of(schemas[i].name));
        jw_object(jw);
        put_object(jw, str_of(schemas[i].members), true);
        jw_object_end(jw);
    }
    jw_object_end(jw);
    jw_object_end(jw);
}

enum error status_openapi(struct request *r)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "openapi", STR("3.1.0"));
    jw_key(&page.jw, STR("info"));
    jw_object(&page.jw);
    JW_STR(&page.jw, "title", STR("Loadline"));
    JW_STR(&page.jw, "version", STR(LOADLINE_VERSION));
    JW_STR(&page.jw, "description",
           STR("Is it safe to deploy right now? docs/api.md tells the whole of each request."));
    jw_object_end(&page.jw);
    put_paths(r, &page.jw);
    put_components(&page.jw);
    jw_object_end(&page.jw);
    return page_json_tagged(r, &page);
}
