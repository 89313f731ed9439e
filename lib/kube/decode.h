/* decode: JSON objects into structures, by tables.
 *
 * A shape lists the fields of one API type that are read: key, how the value is read, where it
 * goes. The tables (shapes_*.c) are the knowledge; this is the one small machine that obeys them:
 *
 *     null, a value of another type than the field's, and a missing member leave the field absent
 *     (model.h), whatever stood there before;
 *     of two members with the same key the last one counts, wholly;
 *     unknown members are skipped.
 *
 * Lists and structures marked as shared are kept once per content (pieces.h).
 */
#ifndef LOADLINE_KUBE_DECODE_H
#define LOADLINE_KUBE_DECODE_H

#include "codec/jr.h"
#include "kube/echo.h"
#include "kube/meta.h"
#include "kube/pieces.h"
#include "kube/stack.h"

enum redaction {
    REDACT_OFF,     /* everything may be kept by who reads */
    REDACT_FIND,    /* stop at the first thing that must not be kept */
    REDACT_REPLACE, /* the reader has a tap: replace it there */
};

/* A text, and the time that it says. */
struct decoded_time {
    char text[CLOCK_TEXT_SIZE];
    size_t n;
    int64_t time;
};

struct decoder {
    struct jr *jr;
    struct arena *arena;
    struct pieces *pieces;
    struct stack *stack;
    struct echoes *echoes;
    enum redaction redaction;
    bool stopped;        /* reading has ended early: decode_next() says JR_ERROR from now on */
    bool sensitive;      /* ... because of REDACT_FIND */
    const char *refused; /* ... because of this: redact_refuse() */
    enum jr_code refused_code;
    struct jr *inner;                    /* reads documents inside of strings; made on first use */
    struct credential_memo *credentials; /* shapes_container.c */
    struct shape_index **indexes;        /* of shapes, by their ids; made on first use */
    struct decoded_time last_time;       /* that was read */
    struct list_builder *own_list;       /* not shared, of which an item is read; or NULL */
};

/* ---- shapes ---- */

enum shape_id {
#define SHAPE(name) SHAPE_##name,
#include "kube/shapes.def"
#undef SHAPE
    SHAPE_COUNT
};

enum field_type {
    FIELD_STRING,     /* struct str, kept once per content */
    FIELD_OWN_STRING, /* struct str, that hardly ever occurs twice */
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

struct shape;

enum { SHAPE_FIELDS_MAX = 32 };

struct field {
    const char *key;
    enum field_type type;
    uint16_t offset; /* in the structure */
    uint16_t size;   /* FUNCTION: of the member */
    uint8_t accepts; /* JSON types, bit per enum jr_type */
    bool shared;
    uint8_t variant; /* not 0: also put into the enum at variant_offset: which member of a union */
    uint16_t variant_offset;
    const struct shape *shape; /* INLINE, POINTER, LIST */
    /* FUNCTION: reads the current value into the structure. It may leave it unread. */
    void (*read)(struct decoder *decoder, enum jr_type type, void *structure);
};

struct shape {
    enum shape_id id;
    uint8_t fields_n;
    const struct field *fields;      /* by key */
    uint16_t size;                   /* of the structure while it is read ... */
    uint16_t kept;                   /* ... and how much of its start is kept */
    void (*absent)(void *structure); /* sets what is not all zero bytes and in no field; or NULL */
    /* Called for members that no field names, before they are skipped; or NULL. Leaves them unread.
     */
    void (*other)(struct decoder *decoder, void *structure, enum jr_type type);
    /* Called when the object has been read, or a summary item filled in; or NULL. */
    void (*finish)(struct decoder *decoder, void *structure);
};

static inline size_t shape_kept(const struct shape *shape)
{
    return shape->kept ? shape->kept : shape->size;
}

#define SHAPE(name) extern const struct shape name##_shape;
#include "kube/shapes.def"
#undef SHAPE

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
        .key = name, .type = FIELD_INLINE, .accepts = ACCEPTS(OBJECT), .shape = &sub##_shape       \
    }
/* The same as the member of a union that an enum tells apart. */
#define VARIANT(name, tag, value, sub)                                                             \
    {                                                                                              \
        .key = name, .type = FIELD_INLINE, .accepts = ACCEPTS(OBJECT), .variant = value,           \
        .variant_offset = offsetof(OF, tag), .shape = &sub##_shape                                 \
    }
#define INSIDE(name, member, sub)                                                                  \
    {                                                                                              \
        .key = name, .type = FIELD_INLINE, .offset = AT(member, struct sub),                       \
        .accepts = ACCEPTS(OBJECT), .shape = &sub##_shape                                          \
    }
#define POINTER(name, member, sub)                                                                 \
    {                                                                                              \
        .key = name, .type = FIELD_POINTER, .offset = AT(member, struct sub *),                    \
        .accepts = ACCEPTS(OBJECT), .shared = true, .shape = &sub##_shape                          \
    }
#define LIST_OF(name, member, sub) LIST_OF_AS(name, member, sub, sub)
/* A list of structures by another of their shapes. */
#define LIST_OF_AS(name, member, item, sub)                                                        \
    {                                                                                              \
        .key = name, .type = FIELD_LIST, .offset = AT_LIST(member, struct item),                   \
        .accepts = ACCEPTS(ARRAY), .shared = true, .shape = &sub##_shape                           \
    }
/* A list, or a structure, that hardly ever occurs twice. */
#define OWN_LIST(name, member, sub)                                                                \
    {                                                                                              \
        .key = name, .type = FIELD_LIST, .offset = AT_LIST(member, struct sub),                    \
        .accepts = ACCEPTS(ARRAY), .shape = &sub##_shape                                           \
    }
#define OWN_POINTER(name, member, sub)                                                             \
    {                                                                                              \
        .key = name, .type = FIELD_POINTER, .offset = AT(member, struct sub *),                    \
        .accepts = ACCEPTS(OBJECT), .shape = &sub##_shape                                          \
    }
/* A list of objects of which only the name is kept. */
#define NAMES(name, member)                                                                        \
    {                                                                                              \
        .key = name, .type = FIELD_LIST, .offset = AT(member, str_list),                           \
        .accepts = ACCEPTS(ARRAY), .shared = true, .shape = &name_shape                            \
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

/* const struct shape name_shape, of the fields in name_fields. */
#define SHAPE_OF(name, ...)                                                                        \
    const struct shape name##_shape = {.id = SHAPE_##name,                                         \
                                       .fields = name##_fields,                                    \
                                       .fields_n = sizeof name##_fields / sizeof *name##_fields,   \
                                       .size = sizeof(OF),                                         \
                                       __VA_ARGS__}

/* ---- the machine ---- */

/* Gives the fields of a zeroed structure the values that say absent. */
void shape_set_absent(const struct shape *shape, void *structure);

void decode_init(struct decoder *decoder, struct arena *arena, struct jr *jr,
                 enum redaction redaction);

/* jr_next(), or JR_ERROR when reading was stopped. */
static inline enum jr_type decode_next(struct decoder *decoder)
{
    return decoder->stopped ? JR_ERROR : jr_next(decoder->jr);
}

/* The structure as it is when nothing is said: valid until the decoder ends. */
const void *decode_absent(struct decoder *decoder, const struct shape *shape);
/* Reads the current value, an object, into a structure that is as decode_absent() says. Does not
 * call the shape's finish(). */
void decode_members(struct decoder *decoder, const struct shape *shape, void *structure);
/* The same for the one member that decode_next() just returned. `seen` (0 before the first member)
 * is what was met already of this object. */
enum member { MEMBER_READ, MEMBER_REFUSED /* not of this type */, MEMBER_UNKNOWN };
enum member decode_member(struct decoder *decoder, const struct shape *shape, void *structure,
                          enum jr_type type, uint64_t *seen);

typedef bool decode_wanted(struct decoder *decoder, enum jr_type type, void *structure);

/* For functions of fields. The current value has the type that the name says. */
struct str decode_string(struct decoder *decoder);
struct str decode_key(struct decoder *decoder); /* of the member that it is the value of */
int64_t decode_time_text(struct decoder *decoder, struct str text);
/* An object's string members, by key. `wanted`, when not NULL, says of each member (jr_key) whether
 * it is taken; it may read the value itself and say no. */
pair_list decode_pairs(struct decoder *decoder, decode_wanted *wanted, void *structure);
/* An array of objects, put into the LIST() at `member`. */
void decode_list(struct decoder *decoder, const struct shape *shape, bool shared, void *member);

/* ---- lists that are put together by hand ---- */

struct list_builder {
    struct stack_mark mark;
    char *items;
    size_t used, n;
};

struct list_builder list_begin(struct decoder *decoder);
/* Room for one more item of `size` bytes, not zeroed. Valid until the next call. */
void *list_add(struct decoder *decoder, struct list_builder *list, size_t size);
/* Ends it and puts it into the LIST() at `member`. shared: an address that stands for the items'
 * type, when the list is to be kept once per content; or NULL. */
void list_end(struct decoder *decoder, struct list_builder *list, const void *shared, void *member);

#endif
