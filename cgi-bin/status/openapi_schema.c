#include "openapi_schema.h"

static bool take_mark(struct str *word, struct openapi_member *member)
{
    switch (word->n ? word->p[word->n - 1] : '\0') {
    case '!':
        member->required = true;
        break;
    case '?':
        member->nullable = true;
        break;
    case '*':
        member->sometimes = true;
        break;
    default:
        return false;
    }
    *word = str_sub(*word, 0, word->n - 1);
    return true;
}

bool openapi_next(struct str *words, struct openapi_member *member)
{
    struct str word, rest;
    *member = (struct openapi_member){.type = STR("string")};
    if (!str_next_word(words, &word))
        return false;
    if (str_cut(word, '=', &rest, &member->example))
        word = rest;
    struct str type;
    if (str_cut(word, ':', &rest, &type)) {
        word = rest;
        member->type = type;
    }
    while (take_mark(&word, member)) {
    }
    member->name = word;
    return true;
}

static void put_values(struct jw *jw, struct str values)
{
    struct str value;
    bool more = true;
    JW_STR(jw, "type", STR("string"));
    jw_key(jw, STR("enum"));
    jw_array(jw);
    while (more) {
        more = str_cut(values, '|', &value, &values);
        jw_str(jw, value);
    }
    jw_array_end(jw);
}

static bool is_plain(struct str type)
{
    return str_eq(type, STR("string")) || str_eq(type, STR("integer")) ||
           str_eq(type, STR("number")) || str_eq(type, STR("boolean")) ||
           str_eq(type, STR("object"));
}

/* It has a row SCHEMA. */
static bool is_schema(struct str type)
{
    struct str value, rest;
    return type.n && type.p[0] >= 'A' && type.p[0] <= 'Z' && !str_cut(type, '|', &value, &rest);
}

static void put_type(struct jw *jw, struct str type, bool nullable)
{
    jw_key(jw, STR("type"));
    if (nullable)
        jw_array(jw);
    jw_str(jw, type);
    if (nullable)
        jw_str(jw, STR("null"));
    if (nullable)
        jw_array_end(jw);
}

void openapi_put_schema(struct jw *jw, struct str type, bool nullable)
{
    struct str value, rest;
    if (is_plain(type)) {
        put_type(jw, type, nullable);
    } else if (is_schema(type)) {
        char path[64];
        snprintf(path, sizeof path, "#/components/schemas/%" STR_FMT, STR_ARG(type));
        JW_STR(jw, "$ref", str_of(path));
    } else if (str_has_prefix(type, STR("["))) {
        struct str inner = str_sub(type, 1, type.n - 2);
        bool has_nulls = inner.n && inner.p[inner.n - 1] == '?';
        put_type(jw, STR("array"), nullable);
        jw_key(jw, STR("items"));
        jw_object(jw);
        openapi_put_schema(jw, str_sub(inner, 0, inner.n - has_nulls), has_nulls);
        jw_object_end(jw);
    } else if (str_cut(type, '|', &value, &rest)) {
        put_values(jw, type);
    } else {
        put_type(jw, STR("string"), nullable);
        JW_STR(jw, "format", type);
    }
}

void openapi_put_example(struct jw *jw, const struct openapi_member *member)
{
    bool bare = !str_eq(member->type, STR("string")) && is_plain(member->type);
    if (!member->example.n)
        return;
    jw_key(jw, STR("example"));
    if (bare)
        jw_raw(jw, member->example);
    else
        jw_str(jw, member->example);
}
