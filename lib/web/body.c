#include "web/body.h"

#include <json-c/json.h>

#include "web/param.h"

enum { BODY_DEPTH_MAX = 32, TIME_TEXT_MAX = 64 };

static void release_object(void *object)
{
    json_object_put(object);
}

static void release_tokener(void *tokener)
{
    json_tokener_free(tokener);
}

/* application/json, text/json, application/anything+json; nothing at all is taken for JSON. */
static bool is_json_type(struct str type)
{
    str_cut(type, ';', &type, NULL);
    type = str_trim(type);
    return type.n == 0 || str_eq_nocase(type, STR("application/json")) ||
           str_eq_nocase(type, STR("text/json")) ||
           (str_has_prefix(type, STR("application/")) && str_has_suffix(type, STR("+json")));
}

static enum error check_form(struct request *r)
{
    struct str encoding = str_trim(http_header(&r->http, "CONTENT_ENCODING"));
    if (!is_json_type(http_content_type(&r->http)))
        return ERR_NOT_JSON;
    if (encoding.n && !str_eq_nocase(encoding, STR("identity")))
        return refuse(r, ERR_UNSUPPORTED_ENCODING, "Content-Encoding must be identity here.");
    return ERR_OK;
}

enum error body_object(struct request *r, struct json_object **object)
{
    struct str body = r->http.body;
    request_wipe_later(r, body);
    enum error e = check_form(r);
    if (e)
        return e;
    struct json_tokener *tokener = json_tokener_new_ex(BODY_DEPTH_MAX);
    if (!tokener)
        return ERR_OUT_OF_MEMORY;
    request_defer(r, release_tokener, tokener);
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    struct str text = str_trim(body);
    if (text.n == 0 || body.n > INT32_MAX)
        return refuse(r, ERR_BAD_JSON, "The body is empty; a JSON object is expected.");
    if (text.p[0] != '{')
        return refuse(r, ERR_BAD_JSON, "The body must be a JSON object.");
    /* json-c lets overlong forms and surrogates pass, the database does not. */
    if (!str_is_utf8(body))
        return refuse(r, ERR_BAD_JSON, "The body is not UTF-8.");
    struct json_object *value = json_tokener_parse_ex(tokener, body.p, (int)body.n);
    enum json_tokener_error problem = json_tokener_get_error(tokener);
    if (value)
        request_defer(r, release_object, value);
    if (problem == json_tokener_continue)
        return refuse(r, ERR_BAD_JSON, "The body ends in the middle of its JSON.");
    if (problem != json_tokener_success)
        return refuse(r, ERR_BAD_JSON, "The body is not valid JSON: %s at byte %zu.",
                      json_tokener_error_desc(problem), json_tokener_get_parse_end(tokener));
    struct str rest = str_sub(body, json_tokener_get_parse_end(tokener), body.n);
    if (str_trim(rest).n)
        return refuse(r, ERR_BAD_JSON, "The body goes on after its JSON object.");
    *object = value;
    return ERR_OK;
}

enum error body_object_if_any(struct request *r, struct json_object **object)
{
    *object = NULL;
    return r->http.body.n ? body_object(r, object) : ERR_OK;
}

bool body_has(struct json_object *object, const char *name)
{
    return json_object_object_get_ex(object, name, NULL);
}

/* NULL when it is missing or null. */
static struct json_object *member_of(struct json_object *object, const char *name)
{
    struct json_object *member = NULL;
    return json_object_object_get_ex(object, name, &member) ? member : NULL;
}

enum error body_text(struct request *r, struct json_object *object, const char *name,
                     enum body_presence presence, size_t max, struct str *out)
{
    struct json_object *member = member_of(object, name);
    *out = (struct str){0};
    if (!member)
        return presence == BODY_REQUIRED ? refuse_field(r, ERR_MISSING_FIELD, name, "is required.")
                                         : ERR_OK;
    if (!json_object_is_type(member, json_type_string))
        return refuse_field(r, ERR_INVALID_FIELD, name, "must be a string.");
    struct str text = {json_object_get_string(member), (size_t)json_object_get_string_len(member)};
    if (text.n > max)
        return refuse_field(r, ERR_INVALID_FIELD, name, "must have at most %zu bytes.", max);
    if (memchr(text.p, '\0', text.n))
        return refuse_field(r, ERR_INVALID_FIELD, name, "must not contain a NUL character.");
    if (text.n == 0 && presence == BODY_REQUIRED)
        return refuse_field(r, ERR_INVALID_FIELD, name, "must not be empty.");
    *out = text;
    return ERR_OK;
}

enum error body_time(struct request *r, struct json_object *object, const char *name, int64_t *time)
{
    struct str text;
    enum error e = body_text(r, object, name, BODY_OPTIONAL, TIME_TEXT_MAX, &text);
    *time = text.p ? clock_parse(text) : TIME_NONE;
    if (!e && text.p && *time == TIME_NONE)
        return refuse_field(r, ERR_INVALID_FIELD, name,
                            "must be a time such as 2026-03-17T12:00:00Z.");
    return e;
}

enum error body_bool(struct request *r, struct json_object *object, const char *name,
                     bool otherwise, bool *out)
{
    struct json_object *member = member_of(object, name);
    *out = otherwise;
    if (!member)
        return ERR_OK;
    if (!json_object_is_type(member, json_type_boolean))
        return refuse_field(r, ERR_INVALID_FIELD, name, "must be true or false.");
    *out = json_object_get_boolean(member);
    return ERR_OK;
}

enum error body_int(struct request *r, struct json_object *object, const char *name, int64_t min,
                    int64_t max, int64_t otherwise, int64_t *out)
{
    struct json_object *member = member_of(object, name);
    *out = otherwise;
    if (!member)
        return ERR_OK;
    int64_t number = json_object_get_int64(member);
    if (!json_object_is_type(member, json_type_int) || number < min || number > max)
        return refuse_field(r, ERR_INVALID_FIELD, name, "must be a whole number from %lld to %lld.",
                            (long long)min, (long long)max);
    *out = number;
    return ERR_OK;
}

/* In lower case; absent when it is no id. */
static struct str id_of(struct request *r, struct json_object *value)
{
    if (!json_object_is_type(value, json_type_string))
        return (struct str){0};
    struct str text = {json_object_get_string(value), (size_t)json_object_get_string_len(value)};
    if (!str_is_uuid(text))
        return (struct str){0};
    char *id = arena_bytes(r->arena, text.n);
    for (size_t i = 0; i < text.n; i++)
        id[i] = str_lower(text.p[i]);
    return (struct str){id, text.n};
}

enum error body_ids(struct request *r, struct json_object *object, const char *name, size_t max,
                    struct str *words)
{
    struct json_object *member = member_of(object, name);
    struct buf out = buf_init(r->arena, max * (UUID_TEXT_LEN + 1));
    *words = (struct str){0};
    if (!member)
        return ERR_OK;
    size_t n = json_object_is_type(member, json_type_array) ? json_object_array_length(member) : 0;
    if (n == 0 || n > max)
        return refuse_field(r, ERR_INVALID_FIELD, name, "must be an array of 1 to %zu ids.", max);
    for (size_t i = 0; i < n; i++) {
        struct str id = id_of(r, json_object_array_get_idx(member, i));
        if (!id.p)
            return refuse_field(r, ERR_INVALID_FIELD, name, "must hold ids only.");
        if (str_has(buf_str(&out), id))
            continue;
        buf_put(&out, out.n ? STR(" ") : STR(""));
        buf_put(&out, id);
    }
    *words = buf_str(&out);
    return ERR_OK;
}

enum error body_or_param_id(struct request *r, struct json_object *object, struct str *id)
{
    struct json_object *member = object ? member_of(object, "id") : NULL;
    if (!member || request_param(r, "id").p)
        return param_id(r, "id", id);
    *id = id_of(r, member);
    return id->p ? ERR_OK : refuse_field(r, ERR_INVALID_FIELD, "id", "is not an id.");
}

enum error body_only_id(struct request *r, struct str *id)
{
    struct json_object *object;
    enum error e = body_object_if_any(r, &object);
    return e ? e : body_or_param_id(r, object, id);
}

enum error body_secret(struct request *r, struct json_object *object, const char *name, size_t max,
                       struct str *out)
{
    enum error e = body_text(r, object, name, BODY_REQUIRED, max, out);
    if (!e)
        request_wipe_later(r, *out);
    return e;
}
