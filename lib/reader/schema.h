/* schema: the fields of one API type that are read: key, how the value is read, where it goes.
 *
 * The tables are in schema_*.c, the machine that obeys them is decode.
 */
#ifndef LOADLINE_READER_SCHEMA_H
#define LOADLINE_READER_SCHEMA_H

#include "codec/jr.h"
#include "kube/meta.h"

struct decoder;

enum schema_id {
#define SCHEMA(name) SCHEMA_##name,
#include "reader/schema.def"
#undef SCHEMA
    SCHEMA_COUNT
};

enum field_type {
    FIELD_STRING,     /* struct str, kept once per content */
    FIELD_OWN_STRING, /* struct str, that hardly ever occurs twice */
    FIELD_MESSAGE,    /* struct str, free text: without its secrets */
    FIELD_TEXT,       /* struct str, of a string or a number: IntOrString */
    FIELD_BOOL,       /* enum tri */
    FIELD_NUMBER,     /* int64_t, of a number or a string that is one */
    FIELD_QUANTITY,   /* int64_t, thousandths */
    FIELD_TIME,       /* int64_t */
    FIELD_STRINGS,    /* str_list */
    FIELD_PAIRS,      /* pair_list, by key */
    FIELD_INLINE,     /* members of the same structure, or of one inside it */
    FIELD_POINTER,    /* a structure of its own */
    FIELD_LIST,       /* of structures */
    FIELD_FUNCTION,   /* see struct field */
};

struct schema;

enum { SCHEMA_FIELDS_MAX = 32 };

struct field {
    const char *key;
    enum field_type type;
    uint16_t offset; /* in the structure */
    uint16_t size;   /* FUNCTION: of the member */
    uint8_t accepts; /* JSON types, bit per enum jr_type */
    bool shared;
    uint8_t variant; /* not 0: also put into the enum at variant_offset: which member of a union */
    uint16_t variant_offset;
    const struct schema *schema; /* INLINE, POINTER, LIST */
    /* FUNCTION: reads the current value into the structure. It may leave it unread. */
    void (*read)(struct decoder *decoder, enum jr_type type, void *structure);
};

struct schema {
    enum schema_id id;
    uint8_t fields_n;
    const struct field *fields; /* by key */
    uint16_t size;              /* of the structure while it is read ... */
    uint16_t kept;              /* ... and how much of its start is kept */
    bool closed; /* what no field names is not kept: it may be anything, the values of a chart or a
                    private key */
    void (*absent)(void *structure); /* sets what is not all zero bytes and in no field; or NULL */
    /* Called for members that no field names, before they are skipped; or NULL. Leaves them unread.
     */
    void (*other)(struct decoder *decoder, void *structure, enum jr_type type);
    /* Called when the object has been read, or a summary item filled in; or NULL. */
    void (*finish)(struct decoder *decoder, void *structure);
};

static inline size_t schema_kept(const struct schema *schema)
{
    return schema->kept ? schema->kept : schema->size;
}

#define SCHEMA(name) extern const struct schema name##_schema;
#include "reader/schema.def"
#undef SCHEMA

/* Gives the fields of a zeroed structure the values that say absent. */
void schema_set_absent(const struct schema *schema, void *structure);

/* ---- tables: OF is the structure, defined before each ---- */

#define ACCEPTS(type) (1u << (JR_##type))
/* The place of a member, checked at compile time to be of that type. */
#define AT(member, type) (offsetof(OF, member) + 0 * sizeof(&((OF *)0)->member == (type *)0))
#define AT_LIST(member, type)                                                                      \
    (offsetof(OF, member) + 0 * sizeof(((OF *)0)->member.items == (type *)0))

#define STRING(name, member)                                                                       \
    {                                                                                              \
        .key = name, .type = FIELD_STRING, .offset = AT(member, struct str),                       \
        .accepts = ACCEPTS(STRING)                                                                 \
    }
#define OWN_STRING(name, member)                                                                   \
    {                                                                                              \
        .key = name, .type = FIELD_OWN_STRING, .offset = AT(member, struct str),                   \
        .accepts = ACCEPTS(STRING)                                                                 \
    }
#define MESSAGE(name, member)                                                                      \
    {                                                                                              \
        .key = name, .type = FIELD_MESSAGE, .offset = AT(member, struct str),                      \
        .accepts = ACCEPTS(STRING)                                                                 \
    }
#define TEXT(name, member)                                                                         \
    {                                                                                              \
        .key = name, .type = FIELD_TEXT, .offset = AT(member, struct str),                         \
        .accepts = ACCEPTS(STRING) | ACCEPTS(NUMBER)                                               \
    }
#define BOOL(name, member)                                                                         \
    {                                                                                              \
        .key = name, .type = FIELD_BOOL, .offset = AT(member, enum tri),                           \
        .accepts = ACCEPTS(TRUE) | ACCEPTS(FALSE)                                                  \
    }
#define NUMBER(name, member)                                                                       \
    {                                                                                              \
        .key = name, .type = FIELD_NUMBER, .offset = AT(member, int64_t),                          \
        .accepts = ACCEPTS(STRING) | ACCEPTS(NUMBER)                                               \
    }
#define QUANTITY(name, member)                                                                     \
    {                                                                                              \
        .key = name, .type = FIELD_QUANTITY, .offset = AT(member, int64_t),                        \
        .accepts = ACCEPTS(STRING) | ACCEPTS(NUMBER)                                               \
    }
#define TIME(name, member)                                                                         \
    {                                                                                              \
        .key = name, .type = FIELD_TIME, .offset = AT(member, int64_t), .accepts = ACCEPTS(STRING) \
    }
#define STRINGS(name, member)                                                                      \
    {                                                                                              \
        .key = name, .type = FIELD_STRINGS, .offset = AT(member, str_list),                        \
        .accepts = ACCEPTS(ARRAY), .shared = true                                                  \
    }
#define PAIRS(name, member)                                                                        \
    {                                                                                              \
        .key = name, .type = FIELD_PAIRS, .offset = AT(member, pair_list),                         \
        .accepts = ACCEPTS(OBJECT), .shared = true                                                 \
    }
/* An object whose members belong to this very structure. */
#define SAME(name, sub)                                                                            \
    {                                                                                              \
        .key = name, .type = FIELD_INLINE, .accepts = ACCEPTS(OBJECT), .schema = &sub##_schema     \
    }
/* The same as the member of a union that an enum tells apart. */
#define VARIANT(name, tag, value, sub)                                                             \
    {                                                                                              \
        .key = name, .type = FIELD_INLINE, .accepts = ACCEPTS(OBJECT), .variant = value,           \
        .variant_offset = offsetof(OF, tag), .schema = &sub##_schema                               \
    }
#define INSIDE(name, member, sub)                                                                  \
    {                                                                                              \
        .key = name, .type = FIELD_INLINE, .offset = AT(member, struct sub),                       \
        .accepts = ACCEPTS(OBJECT), .schema = &sub##_schema                                        \
    }
#define POINTER(name, member, sub)                                                                 \
    {                                                                                              \
        .key = name, .type = FIELD_POINTER, .offset = AT(member, struct sub *),                    \
        .accepts = ACCEPTS(OBJECT), .shared = true, .schema = &sub##_schema                        \
    }
#define LIST_OF(name, member, sub) LIST_OF_AS(name, member, sub, sub)
/* A list of structures by another of their schemas. */
#define LIST_OF_AS(name, member, item, sub)                                                        \
    {                                                                                              \
        .key = name, .type = FIELD_LIST, .offset = AT_LIST(member, struct item),                   \
        .accepts = ACCEPTS(ARRAY), .shared = true, .schema = &sub##_schema                         \
    }
/* A list that hardly ever occurs twice. */
#define OWN_LIST(name, member, sub)                                                                \
    {                                                                                              \
        .key = name, .type = FIELD_LIST, .offset = AT_LIST(member, struct sub),                    \
        .accepts = ACCEPTS(ARRAY), .schema = &sub##_schema                                         \
    }
/* A list of objects of which only the name is kept. */
#define NAMES(name, member)                                                                        \
    {                                                                                              \
        .key = name, .type = FIELD_LIST, .offset = AT(member, str_list),                           \
        .accepts = ACCEPTS(ARRAY), .shared = true, .schema = &name_schema                          \
    }
/* Read by a function; the member is what its absence leaves absent. */
#define BY(name, types, member, function)                                                          \
    {                                                                                              \
        .key = name, .type = FIELD_FUNCTION, .offset = offsetof(OF, member),                       \
        .size = sizeof(((OF *)0)->member), .accepts = (types), .read = function                    \
    }
#define ACCEPTS_ALL                                                                                \
    (ACCEPTS(OBJECT) | ACCEPTS(ARRAY) | ACCEPTS(STRING) | ACCEPTS(NUMBER) | ACCEPTS(TRUE) |        \
     ACCEPTS(FALSE))

/* const struct schema name_schema, of the fields in name_fields. */
#define SCHEMA_OF(name, ...)                                                                       \
    const struct schema name##_schema = {.id = SCHEMA_##name,                                      \
                                         .fields = name##_fields,                                  \
                                         .fields_n = sizeof name##_fields / sizeof *name##_fields, \
                                         .size = sizeof(OF),                                       \
                                         __VA_ARGS__}

#endif
