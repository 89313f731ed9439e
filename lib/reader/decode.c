#include "reader/decode.h"

#include "kube/credential_cut.h"
#include "kube/quantity.h"
#include "reader/misfit.h"
#include "reader/redact.h"
#include "reader/schema_index.h"

/* ---- schemas ---- */

static struct schema_index *make_index(struct decoder *decoder, const struct schema *schema)
{
    struct schema_index *index = schema_index_new(decoder->scratch, schema);
    index->absent = arena_alloc(decoder->scratch, schema->size);
    schema_set_absent(schema, index->absent);
    return decoder->indexes[schema->id] = index;
}

static inline struct schema_index *index_of(struct decoder *decoder, const struct schema *schema)
{
    struct schema_index *index = decoder->indexes[schema->id];
    return index ? index : make_index(decoder, schema);
}

const void *decode_absent(struct decoder *decoder, const struct schema *schema)
{
    return index_of(decoder, schema)->absent;
}

static const size_t field_sizes[] = {
    [FIELD_STRING] = sizeof(struct str),  [FIELD_TEXT] = sizeof(struct str),
    [FIELD_MESSAGE] = sizeof(struct str), [FIELD_OWN_STRING] = sizeof(struct str),
    [FIELD_BOOL] = sizeof(enum tri),      [FIELD_NUMBER] = sizeof(int64_t),
    [FIELD_QUANTITY] = sizeof(int64_t),   [FIELD_TIME] = sizeof(int64_t),
    [FIELD_STRINGS] = sizeof(str_list),   [FIELD_PAIRS] = sizeof(pair_list),
    [FIELD_POINTER] = sizeof(void *),     [FIELD_LIST] = sizeof(str_list),
};

/* Forgets what an earlier member of the same key left. */
static void clear_field(struct decoder *decoder, const struct schema *schema,
                        const struct field *field, char *structure)
{
    const struct schema *sub = field->schema;
    repeat_cache_forget(decoder->repeats);
    if (field->type == FIELD_INLINE) {
        for (unsigned i = 0; i < sub->fields_n; i++)
            clear_field(decoder, sub, &sub->fields[i], structure + field->offset);
        if (field->variant)
            memset(structure + field->variant_offset, 0, sizeof(int));
        return;
    }
    const char *absent = decode_absent(decoder, schema);
    memcpy(structure + field->offset, absent + field->offset,
           field->type == FIELD_FUNCTION ? field->size : field_sizes[field->type]);
}

/* ---- values ---- */

struct str decode_string(struct decoder *decoder)
{
    return intern_string(decoder->intern, jr_text(decoder->jr));
}

struct str decode_key(struct decoder *decoder)
{
    return intern_string(decoder->intern, jr_key(decoder->jr));
}

static int64_t decode_quantity(struct decoder *decoder)
{
    int64_t quantity;
    if (quantity_parse(jr_text(decoder->jr), &quantity))
        return quantity;
    misfit_note_number(decoder, "an amount");
    return NUMBER_ABSENT;
}

int64_t decode_number(struct decoder *decoder)
{
    struct str text = jr_text(decoder->jr);
    int64_t number;
    if (str_to_i64_saturated(text, &number))
        return number;
    if (quantity_parse(text, &number)) {
        if (number == INT64_MAX || number == -INT64_MAX) /* 1e30: no fraction is known */
            return number;
        if (number % 1000 == 0)
            return number / 1000;
    }
    misfit_note_number(decoder, "a whole number");
    return NUMBER_ABSENT;
}

static void decode_strings(struct decoder *decoder, void *member)
{
    static const char strings_type;
    struct list_builder list = list_builder_begin(decoder);
    enum jr_type type;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END) {
        if (type != JR_STRING) {
            misfit_note(decoder, type, ACCEPTS(STRING));
            continue;
        }
        struct str *item = list_builder_add(decoder, &list, sizeof *item);
        *item = decode_string(decoder);
    }
    list_builder_end(decoder, &list, &strings_type, member);
}

/* Reads an object into new memory at the stack's top. */
static void decode_structure(struct decoder *decoder, const struct schema *schema, void *structure)
{
    memcpy(structure, decode_absent(decoder, schema), schema->size);
    decode_members(decoder, schema, structure);
    if (schema->finish)
        schema->finish(decoder, structure);
}

static void decode_item(struct decoder *decoder, const struct schema *schema,
                        struct list_builder *list)
{
    size_t kept = schema_kept(schema), before = list->used;
    assert(kept <= schema->size);
    char *item = list_builder_add(decoder, list, schema->size);
    decode_structure(decoder, schema, item);
    list->items = stack_resize(decoder->stack, list->items, list->used, before + kept);
    list->used = before + kept;
}

void decode_list(struct decoder *decoder, const struct schema *schema, bool shared, void *member)
{
    struct list_builder list = list_builder_begin(decoder), *outer = decoder->own_list;
    enum jr_type type;
    if (!shared)
        decoder->own_list = outer ? NULL : &list;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END) {
        if (type == JR_OBJECT) {
            decode_item(decoder, schema, &list);
        } else {
            misfit_note(decoder, type, ACCEPTS(OBJECT));
            redact_unexpected(decoder, type);
        }
    }
    decoder->own_list = outer;
    list_builder_end(decoder, &list, shared ? schema : NULL, member);
}

static void decode_pointer(struct decoder *decoder, const struct field *field, void *member)
{
    const struct schema *schema = field->schema;
    struct stack_mark mark = stack_mark(decoder->stack);
    void *structure = stack_take(decoder->stack, schema->size);
    decode_structure(decoder, schema, structure);
    size_t n = schema_kept(schema);
    const void *kept = field->shared ? intern_block(decoder->intern, schema, structure, n)
                                     : arena_copy(decoder->arena, structure, n);
    memcpy(member, &kept, sizeof kept);
    stack_release(decoder->stack, mark);
}

/* A field mostly holds what it held the last time. */
static void decode_text(struct decoder *decoder, struct str *last, void *member)
{
    struct str text = jr_text(decoder->jr);
    if (text.n != last->n || (text.n && memcmp(text.p, last->p, text.n) != 0))
        *last = intern_string(decoder->intern, text);
    memcpy(member, last, sizeof *last);
}

/* What checks say of it is cut to its beginning: of half a secret nothing could be told. */
static void decode_message(struct decoder *decoder, void *member)
{
    struct str text = credential_cut(decoder->scratch, jr_text(decoder->jr));
    text = intern_string(decoder->intern, text);
    memcpy(member, &text, sizeof text);
}

static void decode_own_text(struct decoder *decoder, void *member)
{
    struct str text = jr_text(decoder->jr);
    if (text.n)
        text.p = memcpy(arena_bytes(decoder->arena, text.n), text.p, text.n);
    else
        text.p = NULL;
    memcpy(member, &text, sizeof text);
}

static void put_number(void *member, int64_t n)
{
    memcpy(member, &n, sizeof n);
}

/* Notes where a time or number went that was put at `member`, when that is in an item of the list.
 */
static void note_value(struct decoder *decoder, enum jr_type type, const char *member)
{
    const struct list_builder *list = decoder->own_list;
    size_t to = (size_t)(member - list->items);
    if (member < list->items || to >= list->used)
        return;
    if (type == JR_STRING)
        repeat_cache_note_time(decoder->repeats, jr_text(decoder->jr), to);
    else
        repeat_cache_note_number(decoder->repeats, jr_text(decoder->jr), to);
}

/* Bytes of the items of a list that is not shared. */
static size_t own_size(const struct field *field, const void *member)
{
    str_list list;
    if (field->shared)
        return 0;
    memcpy(&list, member, sizeof list);
    return list.n * schema_kept(field->schema);
}

/* Lists, maps and structures of their own: what is equal to the byte has been read before. */
static void decode_container(struct decoder *decoder, const struct field *field, char *member)
{
    struct repeat_place place = {.entry = NULL};
    size_t size = field_sizes[field->type];
    pair_list pairs;
    bool kept = field->shared || field->type == FIELD_LIST;
    if (kept && repeat_cache_recall(decoder->repeats, field, member, size, &place))
        return;
    switch (field->type) {
    case FIELD_STRINGS:
        decode_strings(decoder, member);
        break;
    case FIELD_PAIRS:
        pairs = decode_pairs(decoder, NULL, NULL);
        memcpy(member, &pairs, sizeof pairs);
        break;
    case FIELD_POINTER:
        decode_pointer(decoder, field, member);
        break;
    default:
        decode_list(decoder, field->schema, field->shared, member);
    }
    if (kept && !decoder->stopped)
        repeat_cache_keep(decoder->repeats, place, member, size, own_size(field, member));
}

static void decode_field(struct decoder *decoder, const struct schema *schema,
                         const struct field *field, enum jr_type type, char *structure)
{
    char *member = structure + field->offset;
    enum tri boolean = type == JR_TRUE ? TRI_TRUE : TRI_FALSE;
    switch (field->type) {
    case FIELD_STRING:
    case FIELD_TEXT:
        decode_text(decoder, &index_of(decoder, schema)->strings[field - schema->fields], member);
        break;
    case FIELD_MESSAGE:
        decode_message(decoder, member);
        break;
    case FIELD_OWN_STRING:
        decode_own_text(decoder, member);
        break;
    case FIELD_BOOL:
        memcpy(member, &boolean, sizeof boolean);
        break;
    case FIELD_NUMBER:
        put_number(member, decode_number(decoder));
        if (decoder->own_list && type == JR_NUMBER)
            note_value(decoder, type, member);
        break;
    case FIELD_QUANTITY:
        put_number(member, decode_quantity(decoder));
        break;
    case FIELD_TIME:
        put_number(member, time_memo_parse(decoder->last_time, jr_text(decoder->jr)));
        if (decoder->own_list)
            note_value(decoder, type, member);
        break;
    case FIELD_STRINGS:
    case FIELD_PAIRS:
    case FIELD_POINTER:
    case FIELD_LIST:
        decode_container(decoder, field, member);
        break;
    case FIELD_INLINE:
        if (field->variant)
            memcpy(structure + field->variant_offset, &(int){field->variant}, sizeof(int));
        decode_members(decoder, field->schema, member);
        break;
    case FIELD_FUNCTION:
        field->read(decoder, type, structure);
        break;
    }
}

/* ---- objects ---- */

enum member decode_member(struct decoder *decoder, const struct schema *schema, void *structure,
                          enum jr_type type, uint64_t *seen)
{
    const struct field *field =
        schema_index_find(schema, index_of(decoder, schema), jr_key(decoder->jr));
    if (!field)
        return MEMBER_UNKNOWN;
    uint64_t bit = (uint64_t)1 << (field - schema->fields);
    if (*seen & bit)
        clear_field(decoder, schema, field, structure);
    *seen |= bit;
    if (!(field->accepts >> type & 1)) {
        decoder->misfit = field;
        return MEMBER_REFUSED;
    }
    decode_field(decoder, schema, field, type, structure);
    return MEMBER_READ;
}

void decode_members(struct decoder *decoder, const struct schema *schema, void *structure)
{
    uint64_t seen = 0;
    enum jr_type type;
    index_of(decoder, schema)->expected = 0;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END) {
        enum member met = decode_member(decoder, schema, structure, type, &seen);
        if (met == MEMBER_READ)
            continue;
        if (met == MEMBER_REFUSED)
            misfit_note_field(decoder, type, decoder->misfit);
        if (met == MEMBER_UNKNOWN && schema->other)
            schema->other(decoder, structure, type);
        else if (met == MEMBER_UNKNOWN && !schema->closed && type == JR_STRING && decoder->own_list)
            repeat_cache_note_unread(decoder->repeats);
        if (schema->closed)
            redact_rest(decoder, type);
        else if (met == MEMBER_UNKNOWN)
            redact_unknown(decoder, type);
        else
            redact_member(decoder, type);
    }
}

void decode_init(struct decoder *decoder, struct arena *arena, struct jr *jr,
                 enum redaction redaction)
{
    struct time_memo *last_time = ARENA_NEW(arena, struct time_memo);
    *decoder = (struct decoder){
        .jr = jr,
        .arena = arena,
        .scratch = arena,
        .intern = intern_new(arena),
        .stack = stack_new(arena),
        .repeats = repeat_cache_new(arena, jr, last_time),
        .redaction = redaction,
        .last_time = last_time,
        .indexes = ARENA_ARRAY(arena, SCHEMA_COUNT, struct schema_index *),
    };
}
