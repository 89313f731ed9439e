#include "web/body.h"

#include <json-c/json.h>

#include "codec/jr.h"
#include "reader/json_text.h"
#include "web/param.h"

enum {
    BODY_DEPTH_MAX = 32,
    TIME_TEXT_MAX = 64,
    CUT_DEPTH_MAX = 64,
    CUT_KEY_MAX = 64 * 1024,
    WORD_SHOWN = 60
};

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
    if (encoding.n && !str_eq_nocase(encoding, STR("identity"))) {
        http_add_header(&r->response, STR("Accept-Encoding"), STR("identity"));
        return refuse(r, ERR_UNSUPPORTED_ENCODING, "Content-Encoding must be identity here.");
    }
    return ERR_OK;
}

static enum error refuse_json(struct request *r, const struct jr_error *error)
{
    switch (error->code) {
    case JR_E_TRUNCATED:
        return refuse(r, ERR_BAD_JSON, "The body ends in the middle of its JSON.");
    case JR_E_UTF8:
        return refuse(r, ERR_BAD_JSON, "The body is not UTF-8 (byte %llu).",
                      (unsigned long long)error->offset);
    default:
        return refuse(r, ERR_BAD_JSON, "The body is not valid JSON: %s (byte %llu).", error->text,
                      (unsigned long long)error->offset);
    }
}

/* Is it one object, by the letter? json-c, strict or not, lets pass what is no JSON: 1. and -01,
 * NaN, control characters in strings, keys in single quotes, overlong UTF-8. */
static enum error check_object(struct request *r, struct str body)
{
    static const struct jr_limits limits = {.depth = BODY_DEPTH_MAX, .total = UINT64_MAX};
    struct jr *jr = jr_open(r->arena, source_of(&body), limits);
    enum jr_type first = jr_next(jr), second = first == JR_OBJECT ? jr_next(jr) : JR_END;
    const struct jr_error *error = jr_error(jr);
    jr_wipe(jr);
    if (error->code)
        return refuse_json(r, error);
    if (first == JR_END)
        return refuse(r, ERR_BAD_JSON, "The body is empty; a JSON object is expected.");
    if (first != JR_OBJECT)
        return refuse(r, ERR_BAD_JSON, "The body must be a JSON object.");
    if (second != JR_END)
        return refuse(r, ERR_BAD_JSON, "The body goes on after its JSON object.");
    return ERR_OK;
}

enum error body_object(struct request *r, struct json_object **object)
{
    struct str body = r->http.body;
    request_wipe_later(r, body);
    enum error e = check_form(r);
    if (!e)
        e = check_object(r, body);
    if (e)
        return e;
    struct json_tokener *tokener = json_tokener_new_ex(BODY_DEPTH_MAX);
    if (!tokener || body.n > INT32_MAX)
        return ERR_OUT_OF_MEMORY;
    request_defer(r, release_tokener, tokener);
    struct json_object *value = json_tokener_parse_ex(tokener, body.p, (int)body.n);
    if (!value)
        return refuse(r, ERR_BAD_JSON, "The body is not valid JSON: %s.",
                      json_tokener_error_desc(json_tokener_get_error(tokener)));
    request_defer(r, release_object, value);
    *object = value;
    return ERR_OK;
}

/* Where the value ends that the reader has just met and not entered. */
static uint64_t value_end(struct jr *jr, enum jr_type type, struct str body)
{
    uint64_t from = jr_offset(jr);
    if (type == JR_STRING)
        return json_text_close(body, (size_t)from) + 1;
    if (type != JR_OBJECT && type != JR_ARRAY)
        return from + jr_text(jr).n;
    jr_enter(jr);
    while (jr_next(jr) > JR_END) {
    }
    return jr_offset(jr);
}

static void blank(char *p, size_t n)
{
    memset(p, ' ', n);
    memcpy(p, "null", n < 4 ? 0 : 4);
    if (n < 4)
        p[0] = '0';
}

/* In place of what was cut out before: a member may be there any number of times. */
static struct str keep_cut(struct request *r, struct str *room, struct str json)
{
    if (!room->p) {
        *room = (struct str){arena_bytes(r->arena, r->http.body.n), r->http.body.n};
        request_wipe_later(r, *room);
    }
    memcpy((char *)room->p, json.p, json.n);
    return (struct str){room->p, json.n};
}

/* Looks only, and leaves what is wrong to body_object(). */
enum error body_cut(struct request *r, const char *name, size_t rest, struct str *json)
{
    static const struct jr_limits limits = {
        .depth = CUT_DEPTH_MAX, .key = CUT_KEY_MAX, .string = CUT_KEY_MAX, .total = UINT64_MAX};
    struct str body = r->http.body, left = body, room = {0};
    struct jr *jr = jr_open(r->arena, source_of(&left), limits);
    enum jr_type type = jr_next(jr);
    size_t taken = 0;
    *json = (struct str){0};
    request_wipe_later(r, body);
    if (type == JR_OBJECT)
        jr_enter(jr);
    while (type == JR_OBJECT) {
        enum jr_type member = jr_next(jr);
        if (member <= JR_END)
            break;
        if (!str_eq(jr_key(jr), str_of(name)))
            continue;
        uint64_t from = jr_offset(jr), to = value_end(jr, member, body);
        if (jr_error(jr)->code != JR_OK || to > body.n)
            break;
        *json = keep_cut(r, &room, str_sub(body, (size_t)from, (size_t)(to - from)));
        taken += (size_t)(to - from);
        blank((char *)body.p + from, (size_t)(to - from));
        if (member == JR_NULL)
            *json = (struct str){0};
    }
    jr_wipe(jr);
    return body.n - taken > rest ? ERR_TOO_LARGE : ERR_OK;
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

bool body_gives(struct json_object *object, const char *name)
{
    return member_of(object, name) != NULL;
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

enum error body_filled(struct request *r, struct json_object *object, const char *name,
                       enum body_presence presence, size_t max, struct str *out)
{
    enum error e = body_text(r, object, name, presence, max, out);
    if (!e && out->p && str_trim(*out).n == 0)
        return refuse_field(r, ERR_INVALID_FIELD, name, "must not be empty.");
    return e;
}

/* Of ASCII, and those that UTF-8 writes as C2 80 to C2 9F. */
static bool has_controls(struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        unsigned char next = i + 1 < text.n ? (unsigned char)text.p[i + 1] : 0;
        if (c < ' ' || c == 0x7F || (c == 0xC2 && next < 0xA0))
            return true;
    }
    return false;
}

enum error body_name(struct request *r, struct json_object *object, const char *name,
                     enum body_presence presence, size_t max, struct str *out)
{
    enum error e = body_filled(r, object, name, presence, max, out);
    if (!e && has_controls(*out))
        return refuse_field(r, ERR_INVALID_FIELD, name,
                            "must not contain control characters, such as a line break or a tab.");
    return e;
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

/* A string without NUL; absent otherwise. */
static struct str text_of(struct json_object *value)
{
    if (!json_object_is_type(value, json_type_string))
        return (struct str){0};
    struct str text = {json_object_get_string(value), (size_t)json_object_get_string_len(value)};
    return memchr(text.p, '\0', text.n) ? (struct str){0} : text;
}

/* In lower case; absent when it is no id. */
static struct str id_of(struct request *r, struct json_object *value)
{
    struct str text = text_of(value);
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

/* text: absent when it is none. */
static enum error refuse_word(struct request *r, const char *name, const struct body_words *wanted,
                              struct str text)
{
    if (!text.p)
        return refuse_field(r, ERR_INVALID_FIELD, name, "must hold %s only, as strings.",
                            wanted->what);
    return refuse_field(r, ERR_INVALID_FIELD, name,
                        "must hold %s only, and \"%" STR_FMT "\" is none.", wanted->what,
                        STR_ARG(str_utf8_prefix(text, WORD_SHOWN)));
}

enum error body_words(struct request *r, struct json_object *object, const char *name,
                      const struct body_words *wanted, struct str *words)
{
    struct json_object *member = member_of(object, name);
    struct buf out = buf_init(r->arena, wanted->bytes);
    *words = (struct str){0};
    if (!member)
        return ERR_OK;
    size_t n =
        json_object_is_type(member, json_type_array) ? json_object_array_length(member) : SIZE_MAX;
    if (n > wanted->max)
        return refuse_field(r, ERR_INVALID_FIELD, name, "must be an array of at most %zu %s.",
                            wanted->max, wanted->what);
    for (size_t i = 0; i < n; i++) {
        struct str text = text_of(json_object_array_get_idx(member, i));
        if (!text.p || !wanted->good(text))
            return refuse_word(r, name, wanted, text);
        buf_put(&out, out.n ? STR(" ") : STR(""));
        buf_put(&out, text);
    }
    if (out.full)
        return refuse_field(r, ERR_INVALID_FIELD, name, "must have at most %zu bytes in all.",
                            wanted->bytes);
    *words = n ? buf_str(&out) : (struct str){0};
    return ERR_OK;
}

enum error body_cluster(struct request *r, struct json_object *object, struct str *name)
{
    struct cluster_row *cluster;
    enum error e = body_text(r, object, "clusterId", BODY_OPTIONAL, CLUSTER_NAME_MAX, name);
    return e || !name->p ? e : param_find_cluster(r, "clusterId", *name, &cluster);
}

enum error body_or_param_id(struct request *r, struct json_object *object, struct str *id)
{
    struct json_object *member = object ? member_of(object, "id") : NULL;
    if (!member || request_param(r, "id").p)
        return param_id(r, "id", id);
    *id = id_of(r, member);
    return id->p ? ERR_OK
                 : refuse_field(r, ERR_INVALID_FIELD, "id",
                                "must be an id as answers give it, a UUID.");
}

enum error body_only_id(struct request *r, struct str *id)
{
    struct json_object *object = NULL;
    enum error e = r->http.body.n ? body_object(r, &object) : ERR_OK;
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
