#include "kube/decode.h"

#include "kube/quantity.h"
#include "kube/redact.h"
#include "kube/shape_index.h"

/* ---- shapes ---- */

/* Numbers and times have a value of their own for "absent", everything else is zero. */
void shape_set_absent(const struct shape *shape, void *structure)
{
    const int64_t none = NUMBER_ABSENT;
    _Static_assert(NUMBER_ABSENT == TIME_NONE, "one value says absent");
    for (unsigned i = 0; i < shape->fields_n; i++) {
        const struct field *field = &shape->fields[i];
        char *member = (char *)structure + field->offset;
        if (field->type == FIELD_INLINE)
            shape_set_absent(field->shape, member);
        else if (field->type == FIELD_NUMBER || field->type == FIELD_QUANTITY ||
                 field->type == FIELD_TIME)
            memcpy(member, &none, sizeof none);
    }
    if (shape->absent)
        shape->absent(structure);
}

static struct shape_index *make_index(struct decoder *decoder, const struct shape *shape)
{
    struct shape_index *index = shape_index_new(decoder->arena, shape);
    index->absent = arena_alloc(decoder->arena, shape->size);
    shape_set_absent(shape, index->absent);
    return decoder->indexes[shape->id] = index;
}

static inline struct shape_index *index_of(struct decoder *decoder, const struct shape *shape)
{
    struct shape_index *index = decoder->indexes[shape->id];
    return index ? index : make_index(decoder, shape);
}

const void *decode_absent(struct decoder *decoder, const struct shape *shape)
{
    return index_of(decoder, shape)->absent;
}

static const size_t field_sizes[] = {
    [FIELD_STRING] = sizeof(struct str),     [FIELD_TEXT] = sizeof(struct str),
    [FIELD_OWN_STRING] = sizeof(struct str), [FIELD_BOOL] = sizeof(enum tri),
    [FIELD_NUMBER] = sizeof(int64_t),        [FIELD_QUANTITY] = sizeof(int64_t),
    [FIELD_TIME] = sizeof(int64_t),          [FIELD_STRINGS] = sizeof(str_list),
    [FIELD_PAIRS] = sizeof(pair_list),       [FIELD_POINTER] = sizeof(void *),
    [FIELD_LIST] = sizeof(str_list),
};

/* Forgets what an earlier member of the same key left. */
static void clear_field(struct decoder *decoder, const struct shape *shape,
                        const struct field *field, char *structure)
{
    const struct shape *sub = field->shape;
    echo_forget(decoder);
    if (field->type == FIELD_INLINE) {
        for (unsigned i = 0; i < sub->fields_n; i++)
            clear_field(decoder, sub, &sub->fields[i], structure + field->offset);
        if (field->variant)
            memset(structure + field->variant_offset, 0, sizeof(int));
        return;
    }
    const char *absent = decode_absent(decoder, shape);
    memcpy(structure + field->offset, absent + field->offset,
           field->type == FIELD_FUNCTION ? field->size : field_sizes[field->type]);
}

/* ---- values ---- */

struct str decode_string(struct decoder *decoder)
{
    return pieces_string(decoder->pieces, jr_text(decoder->jr));
}

struct str decode_key(struct decoder *decoder)
{
    return pieces_string(decoder->pieces, jr_key(decoder->jr));
}

static int64_t decode_time(struct decoder *decoder)
{
    return decode_time_text(decoder, jr_text(decoder->jr));
}

/* The times of an object are often one and the same. */
int64_t decode_time_text(struct decoder *decoder, struct str text)
{
    struct decoded_time *last = &decoder->last_time;
    if (text.n == 0 || text.n > sizeof last->text)
        return clock_parse(text);
    if (text.n != last->n || memcmp(text.p, last->text, text.n) != 0) {
        memcpy(last->text, text.p, text.n);
        last->n = text.n;
        last->time = clock_parse(text);
    }
    return last->time;
}

static int64_t decode_quantity(struct decoder *decoder)
{
    int64_t quantity;
    return quantity_parse(jr_text(decoder->jr), &quantity) ? quantity : NUMBER_ABSENT;
}

/* A whole number; 3.0 and 3e2 are ones too. */
static int64_t decode_number(struct decoder *decoder)
{
    struct str text = jr_text(decoder->jr);
    int64_t number;
    if (str_to_i64(text, &number))
        return number;
    if (!quantity_parse(text, &number) || number % 1000)
        return NUMBER_ABSENT;
    return number / 1000;
}

static void decode_strings(struct decoder *decoder, void *member)
{
    static const char strings_type;
    struct list_builder list = list_begin(decoder);
    enum jr_type type;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END) {
        if (type != JR_STRING)
            continue;
        struct str *item = list_add(decoder, &list, sizeof *item);
        *item = decode_string(decoder);
    }
    list_end(decoder, &list, &strings_type, member);
}

/* Puts pairs in the order of their keys; of equal keys the last one stays. A merge sort: stable,
 * and no input makes it slow. */
static uint32_t sort_pairs(struct decoder *decoder, struct pair *pairs, uint32_t n)
{
    struct pair *from = pairs, *to = stack_take(decoder->stack, n * sizeof *to);
    for (uint32_t width = 1; width < n; width *= 2) {
        for (uint32_t left = 0; left < n; left += 2 * width) {
            uint32_t middle = left + width < n ? left + width : n;
            uint32_t right = middle + width < n ? middle + width : n;
            uint32_t a = left, b = middle;
            for (uint32_t i = left; i < right; i++) {
                bool second = a == middle || (b < right && str_cmp(from[b].key, from[a].key) < 0);
                to[i] = from[second ? b++ : a++];
            }
        }
        struct pair *sorted = to;
        to = from;
        from = sorted;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (i + 1 == n || !str_eq(from[i].key, from[i + 1].key))
            pairs[kept++] = from[i];
    return kept;
}

pair_list decode_pairs(struct decoder *decoder, decode_wanted *wanted, void *structure)
{
    static const char pairs_type;
    struct list_builder list = list_begin(decoder);
    struct str last = {NULL, 0};
    bool sorted = true;
    enum jr_type type;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END) {
        if ((wanted && !wanted(decoder, type, structure)) || type != JR_STRING)
            continue;
        struct pair *pair = list_add(decoder, &list, sizeof *pair);
        pair->key = decode_key(decoder);
        pair->value = decode_string(decoder);
        sorted = sorted && (list.n == 1 || str_cmp(last, pair->key) < 0);
        last = pair->key;
    }
    pair_list pairs;
    if (!sorted) {
        list.n = sort_pairs(decoder, (struct pair *)(void *)list.items, (uint32_t)list.n);
        list.used = list.n * sizeof(struct pair);
    }
    list_end(decoder, &list, &pairs_type, &pairs);
    return pairs;
}

/* Reads an object into new memory at the stack's top. */
static void decode_structure(struct decoder *decoder, const struct shape *shape, void *structure)
{
    memcpy(structure, decode_absent(decoder, shape), shape->size);
    decode_members(decoder, shape, structure);
    if (shape->finish)
        shape->finish(decoder, structure);
}

static void decode_item(struct decoder *decoder, const struct shape *shape,
                        struct list_builder *list)
{
    size_t kept = shape_kept(shape), before = list->used;
    char *item = list_add(decoder, list, shape->size);
    decode_structure(decoder, shape, item);
    list->items = stack_resize(decoder->stack, list->items, list->used, before + kept);
    list->used = before + kept;
}

void decode_list(struct decoder *decoder, const struct shape *shape, bool shared, void *member)
{
    struct list_builder list = list_begin(decoder), *outer = decoder->own_list;
    enum jr_type type;
    if (!shared)
        decoder->own_list = outer ? NULL : &list;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END) {
        if (type == JR_OBJECT)
            decode_item(decoder, shape, &list);
        else
            redact_unexpected(decoder, type);
    }
    decoder->own_list = outer;
    list_end(decoder, &list, shared ? shape : NULL, member);
}

static void decode_pointer(struct decoder *decoder, const struct field *field, void *member)
{
    const struct shape *shape = field->shape;
    struct stack_mark mark = stack_mark(decoder->stack);
    void *structure = stack_take(decoder->stack, shape->size);
    decode_structure(decoder, shape, structure);
    size_t n = shape_kept(shape);
    const void *kept = field->shared ? pieces_block(decoder->pieces, shape, structure, n)
                                     : arena_copy(decoder->arena, structure, n);
    memcpy(member, &kept, sizeof kept);
    stack_release(decoder->stack, mark);
}

/* A field mostly holds what it held the last time. */
static void decode_text(struct decoder *decoder, struct str *last, void *member)
{
    struct str text = jr_text(decoder->jr);
    if (text.n != last->n || (text.n && memcmp(text.p, last->p, text.n) != 0))
        *last = pieces_string(decoder->pieces, text);
    memcpy(member, last, sizeof *last);
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
        echo_note_time(decoder, jr_text(decoder->jr), to);
    else
        echo_note_number(decoder, jr_text(decoder->jr), to);
}

/* Bytes of the items of a list that is not shared. */
static size_t own_size(const struct field *field, const void *member)
{
    str_list list;
    if (field->shared)
        return 0;
    memcpy(&list, member, sizeof list);
    return list.n * shape_kept(field->shape);
}

/* Lists, maps and structures of their own: what is equal to the byte has been read before. */
static void decode_container(struct decoder *decoder, const struct field *field, char *member)
{
    struct echo_place place = {.echo = NULL};
    size_t size = field_sizes[field->type];
    pair_list pairs;
    bool kept = field->shared || field->type == FIELD_LIST;
    if (kept && echo_recall(decoder, field, member, size, &place))
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
        decode_list(decoder, field->shape, field->shared, member);
    }
    if (kept)
        echo_keep(decoder, place, member, size, own_size(field, member));
}

static void decode_field(struct decoder *decoder, const struct shape *shape,
                         const struct field *field, enum jr_type type, char *structure)
{
    char *member = structure + field->offset;
    enum tri boolean = type == JR_TRUE ? TRI_TRUE : TRI_FALSE;
    switch (field->type) {
    case FIELD_STRING:
    case FIELD_TEXT:
        decode_text(decoder, &index_of(decoder, shape)->strings[field - shape->fields], member);
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
        put_number(member, decode_time(decoder));
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
        decode_members(decoder, field->shape, member);
        break;
    case FIELD_FUNCTION:
        field->read(decoder, type, structure);
        break;
    }
}

/* ---- objects ---- */

enum member decode_member(struct decoder *decoder, const struct shape *shape, void *structure,
                          enum jr_type type, uint64_t *seen)
{
    const struct field *field =
        shape_index_find(shape, index_of(decoder, shape), jr_key(decoder->jr));
    if (!field)
        return MEMBER_UNKNOWN;
    uint64_t bit = (uint64_t)1 << (field - shape->fields);
    if (*seen & bit)
        clear_field(decoder, shape, field, structure);
    *seen |= bit;
    if (!(field->accepts >> type & 1))
        return MEMBER_REFUSED;
    decode_field(decoder, shape, field, type, structure);
    return MEMBER_READ;
}

void decode_members(struct decoder *decoder, const struct shape *shape, void *structure)
{
    uint64_t seen = 0;
    enum jr_type type;
    index_of(decoder, shape)->expected = 0;
    jr_enter(decoder->jr);
    while ((type = decode_next(decoder)) > JR_END) {
        enum member met = decode_member(decoder, shape, structure, type, &seen);
        if (met == MEMBER_READ)
            continue;
        if (met == MEMBER_UNKNOWN && shape->other)
            shape->other(decoder, structure, type);
        else if (met == MEMBER_UNKNOWN && type == JR_STRING && decoder->own_list)
            echo_note_unread(decoder);
        if (met == MEMBER_UNKNOWN)
            redact_unknown(decoder, type);
        else
            redact_member(decoder, type);
    }
}

void decode_init(struct decoder *decoder, struct arena *arena, struct jr *jr,
                 enum redaction redaction)
{
    *decoder = (struct decoder){
        .jr = jr,
        .arena = arena,
        .pieces = pieces_new(arena),
        .stack = stack_new(arena),
        .echoes = echoes_new(arena),
        .redaction = redaction,
        .indexes = ARENA_ARRAY(arena, SHAPE_COUNT, struct shape_index *),
    };
}

/* ---- lists ---- */

struct list_builder list_begin(struct decoder *decoder)
{
    struct list_builder list = {.mark = stack_mark(decoder->stack)};
    list.items = stack_take(decoder->stack, 0);
    return list;
}

void *list_add(struct decoder *decoder, struct list_builder *list, size_t size)
{
    list->items = stack_resize(decoder->stack, list->items, list->used, list->used + size);
    void *item = list->items + list->used;
    list->used += size;
    list->n++;
    return item;
}

void list_end(struct decoder *decoder, struct list_builder *list, const void *shared, void *member)
{
    struct {
        const void *items;
        uint32_t n;
    } ended;
    memset(&ended, 0, sizeof ended);
    _Static_assert(sizeof ended == sizeof(str_list), "a LIST() of any type looks like this");
    ended.n = (uint32_t)list->n;
    if (list->n && shared)
        ended.items = pieces_block(decoder->pieces, shared, list->items, list->used);
    else if (list->n)
        ended.items = arena_copy(decoder->arena, list->items, list->used);
    memcpy(member, &ended, sizeof ended);
    stack_release(decoder->stack, list->mark);
}
