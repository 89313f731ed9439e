/* An object is looked for where the last document had it. When it is another one, it is read, and
 * by its name found among those of the last document: what stood behind that comes next. */
#include "reader/remember.h"

#include "base/hash.h"
#include "reader/decode.h"
#include "reader/item.h"
#include "reader/remembering.h"

/* One look at an object. */
struct look {
    uint64_t from;
    const struct remembered *same; /* NULL: it is another one than was expected */
    struct kept_spec *spec;        /* that one's */
    struct str read;               /* its text, or: */
    bool unread;                   /* the source has told so, and has the text: */
    struct text_view text;
    struct content_hash hash; /* of the first `hashed` bytes; 0: of none */
    size_t hashed;
};

/* ---- the memory ---- */

void remember_begin(struct reader *reader, struct object_memory *memory)
{
    struct arena *arena = reader->decoder.arena;
    object_memory_renew(memory);
    if (!memory->arena)
        return;
    memory->reading = true;
    struct remember *remember = reader->remember = ARENA_NEW(arena, struct remember);
    remember->memory = memory;
    remember->arena = arena;
    remember->seen = buf_init(arena, SIZE_MAX);
    remember->spec = remember->kept =
        (struct spec_look){.setting = &remember->setting, .room = &remember->seen};
    remember->spec.scrub = reader->scrub;
    reader->decoder.spec = &remember->spec;
    reader->decoder.intern = intern_new_over(arena, memory->intern);
    LIST_RESERVE(arena, remember->now, memory->n + 1);
    LIST_RESERVE(arena, reader->places, memory->n + 1);
}

void remember_end(struct reader *reader, bool refused)
{
    struct remember *remember = reader->remember;
    struct object_memory *memory = remember->memory;
    memory->reading = false;
    if (refused)
        return;
    object_memory_take(memory, remember->now.items, remember->now.n);
    memory->known = remember->known;
    memory->read = remember->read;
    memory->specs = remember->specs;
}

/* ---- what is expected ---- */

static uint64_t identity_of(const struct object_memory *memory, const struct object *object)
{
    uint64_t hash = hash_bytes(memory->seed + object->kind, object->meta.namespace);
    return hash_bytes(hash, object->meta.name);
}

static struct table index_items(struct remember *remember)
{
    const struct object_memory *memory = remember->memory;
    struct table table = table_init(remember->arena, memory->n);
    for (uint32_t i = 0; i < memory->n; i++)
        table_add(&table, memory->items[i].identity, &memory->items[i]);
    return table;
}

/* The object as the last document had it; NULL: it had none of that name. */
static const struct remembered *find_item(struct remember *remember, uint64_t identity)
{
    const struct object_memory *memory = remember->memory;
    const struct remembered *item;
    if (!memory->n)
        return NULL;
    if (remember->next < memory->n && memory->items[remember->next].identity == identity)
        return &memory->items[remember->next];
    if (!remember->by_identity.slots)
        remember->by_identity = index_items(remember);
    TABLE_EACH (item, &remember->by_identity, identity)
        return item;
    return NULL;
}

/* The one that was read just now is none that was expected: expects what stood behind it. */
static void resume_behind(struct remember *remember, const struct remembered *item)
{
    if (item)
        remember->next = (uint32_t)(item - remember->memory->items) + 1;
}

static bool take_setting(struct remember *remember, const struct reader *reader, enum kind hint)
{
    return read_setting_take(&remember->setting, hint, reader->decoder.redaction,
                             reader->list_api_version);
}

/* Does the source know that these are the same bytes? */
static bool is_known_part(const struct reader *reader, const struct remembered *item,
                          struct text_view *text)
{
    const struct part_source *parts = reader->parts;
    uint64_t content;
    return parts && item->object && item->content &&
           parts->find(parts->context, jr_offset(reader->decoder.jr), text, &content) &&
           content == item->content &&
           content_hash_eq(&item->setting, &reader->remember->setting.hash);
}

/* Is the current value the object that is expected? */
static struct look look(struct reader *reader, enum kind hint)
{
    struct remember *remember = reader->remember;
    const struct object_memory *memory = remember->memory;
    struct jr *jr = reader->decoder.jr;
    struct look look = {.from = jr_offset(jr)};
    if (remember->next >= memory->n || jr_is_marked(jr) || !take_setting(remember, reader, hint))
        return look;
    const struct remembered *item = &memory->items[remember->next];
    look.spec = item->spec;
    if (jr_depth(jr) > item->depth)
        return look;
    look.unread = is_known_part(reader, item, &look.text);
    if (!look.unread) {
        struct str text = str_sub(jr_ahead(jr, item->length), 0, item->length);
        if (text.n < item->length || text.p[text.n - 1] != '}' ||
            !read_setting_hash(&remember->setting, text, &look.hash))
            return look;
        look.hashed = text.n;
        if (!content_hash_eq(&look.hash, &item->hash))
            return look;
        look.read = text;
    }
    look.same = item;
    return look;
}

/* ---- jumping over it ---- */

static void leave_out(struct reader *reader, size_t n)
{
    const struct part_source *parts = reader->parts;
    size_t unread = jr_jump_unread(reader->decoder.jr, n);
    if (unread)
        parts->skip(parts->context, unread);
}

/* lead: as in struct text_part. */
static void jump(struct reader *reader, const struct look *look, uint64_t lead)
{
    struct remember *remember = reader->remember;
    const struct remembered *item = look->same;
    struct str read = look->read;
    struct kept_text now = {.raw = look->unread ? look->text : text_view_of(&read),
                            .edits = item->edits,
                            .edits_n = item->edits_n,
                            .room = &remember->seen};
    struct kept_text *seen = &now;
    if (now.raw.lasts)
        seen = arena_copy(remember->arena, &now, sizeof now);
    struct text_view view = kept_text_view(seen);
    if (look->unread)
        leave_out(reader, item->length);
    else
        jr_jump(reader->decoder.jr, item->length, &STR(""));
    scrub_pass_part(reader->scrub, &view, item->content, lead);
    remember_take(reader, item);
}

/* ---- keeping what was met twice, or will be ---- */

struct keeping {
    struct reader *reader;
    enum kind hint;
    struct str text;
    uint64_t from;
    struct remembered *item;
    const struct kept_edit *edits;
};

static struct reader *keeper_new(struct reader *reader)
{
    struct arena *arena = reader->remember->arena;
    const struct object_memory *memory = reader->remember->memory;
    struct reader *keeper = ARENA_NEW(arena, struct reader);
    struct jr_limits limits = {.depth = UINT32_MAX, /* it has been read within its limits */
                               .key = LENGTH_MAX,
                               .string = LENGTH_MAX,
                               .mark = LENGTH_MAX,
                               .total = LENGTH_MAX};
    struct str nothing = {NULL, 0};
    keeper->cluster = ARENA_NEW(arena, struct cluster);
    decode_init(&keeper->decoder, arena, jr_open(arena, source_of(&nothing), limits),
                reader->decoder.redaction);
    keeper->decoder.arena = memory->arena;
    keeper->decoder.intern = memory->intern;
    keeper->decoder.spec = &reader->remember->kept;
    repeat_cache_keep_in(keeper->decoder.repeats, memory->arena);
    return keeper;
}

/* Reads the object once more, into the memory's arena. NULL when more came of it than an object. */
static const struct object *read_again(struct reader *reader, struct str text, enum kind hint)
{
    static const struct cluster none;
    struct reader *keeper = reader->remember->keeper;
    struct decoder *decoder = &keeper->decoder;
    jr_restart(decoder->jr, source_of(&text));
    *keeper->cluster = none;
    keeper->items_read = 0;
    keeper->list_api_version = intern_string(decoder->intern, reader->list_api_version);
    bool read = jr_next(decoder->jr) == JR_OBJECT && item_read(keeper, hint) &&
                jr_error(decoder->jr)->code == JR_OK && !decoder->stopped;
    for (enum kind kind = KIND_NONE; kind < KIND_COUNT; kind++)
        keeper->objects[kind].n = 0;
    keeper->cluster->seen = 0;
    return read && keeper->items_read == 1 && !intern_refused(decoder->intern) &&
                   memcmp(keeper->cluster, &none, sizeof none) == 0
               ? keeper->newest
               : NULL;
}

static void keep(void *context)
{
    struct keeping *keeping = context;
    struct remember *remember = keeping->reader->remember;
    struct remembered *item = keeping->item;
    struct arena *arena = remember->memory->arena;
    size_t before = arena_taken(arena);
    if (!remember->keeper)
        remember->keeper = keeper_new(keeping->reader);
    spec_look_begin(&remember->kept, item->spec);
    item->object = read_again(keeping->reader, keeping->text, keeping->hint);
    item->read_always = !item->object;
    if (!item->object)
        return;
    item->kind = item->object->kind;
    item->edits = arena_copy(arena, keeping->edits, item->edits_n * sizeof *item->edits);
    bool is_new = remember_keep_spec(remember, keeping->text, keeping->from, item);
    item->bytes = arena_taken(arena) - before;
    if (is_new)
        item->spec->bytes = item->bytes;
    else if (item->spec)
        item->bytes += item->spec->bytes;
}

/* item: without an object. What is kept is read the next time, not this time: what has been read of
 * this document has its strings elsewhere, and equal ones must be one. */
static void keep_twice_met(struct reader *reader, enum kind hint, struct str text, uint64_t from,
                           struct remembered *item)
{
    struct remember *remember = reader->remember;
    struct kept_edit edits[KEPT_EDITS_MAX];
    item->edits_n = kept_edits(reader->decoder.repeats, from, edits);
    item->read_always |= item->edits_n > KEPT_EDITS_MAX;
    if (remember->full || item->read_always)
        return;
    if (item->known == SCRUB_UNKNOWN) {
        struct kept_text seen = {.raw = text_view_of(&text),
                                 .edits = edits,
                                 .edits_n = item->edits_n,
                                 .room = &remember->seen};
        struct text_view view = kept_text_view(&seen);
        item->known = scrub_look(reader->scrub, text_view_all(&view));
    }
    struct keeping keeping = {reader, hint, text, from, item, edits};
    if (item->known >= SCRUB_CLEAN && !arena_guard(remember->memory->arena, keep, &keeping)) {
        item->object = NULL;
        remember->full = true;
    }
}

/* ---- reading it ---- */

/* What look() has hashed is mostly all of it. */
static bool hash_of(const struct read_setting *setting, struct str text, const struct look *look,
                    struct content_hash *hash)
{
    if (look->hashed != text.n)
        return read_setting_hash(setting, text, hash);
    *hash = look->hash;
    return true;
}

/* One that has changed. It mostly stays as it is: so it may again. Or its spec does. */
static bool is_worth_keeping(const struct remembered *before, const struct remembered *item)
{
    const struct kept_spec *spec = item->spec;
    return before &&
           (before->stayed || (spec && spec == before->spec && !spec->pod && !spec->hopeless));
}

/* The object that look() did not let pass has been read. Its number, or 0. */
static uint64_t learn(struct reader *reader, enum kind hint, const struct look *look)
{
    struct remember *remember = reader->remember;
    struct jr *jr = reader->decoder.jr;
    struct str text = jr_behind(jr, look->from);
    struct remembered item = {.length = (uint32_t)text.n, .depth = jr_depth(jr)};
    if (reader->decoder.stopped || jr_error(jr)->code != JR_OK)
        return 0;
    item.identity = identity_of(remember->memory, reader->newest);
    const struct remembered *before = look->same ? look->same : find_item(remember, item.identity);
    resume_behind(remember, before);
    if (!text.n || text.n > LENGTH_MAX)
        return 0;
    if (look->same) {
        item = *look->same;
        keep_twice_met(reader, hint, text, look->from, &item);
    } else if (take_setting(remember, reader, hint) &&
               hash_of(&remember->setting, text, look, &item.hash)) {
        item.setting = remember->setting.hash;
        item.content = remember_content();
        item.spec = remember_spec(remember, before, text, look->from);
        item.bytes = item.spec ? item.spec->bytes : 0;
        if (is_worth_keeping(before, &item))
            keep_twice_met(reader, hint, text, look->from, &item);
        if (item.spec)
            item.spec->hopeless |= !item.spec->pod && item.spec == before->spec;
    } else {
        return 0;
    }
    if (item.object) /* it holds no secret, so what is said of it may be kept as well */
        reader->newest->content = item.content;
    LIST_ADD(remember->arena, remember->now, arena_copy(remember->arena, &item, sizeof item));
    return item.known == SCRUB_HAS_SECRETS ? 0 : item.content;
}

/* The number of what stands between the object before and the current value; 0: it has none. */
static uint64_t lead_of(const struct remember *remember, const struct jr *jr)
{
    return remember->behind ? remember_lead(remember->memory, jr_behind(jr, remember->behind)) : 0;
}

bool remember_item(struct reader *reader, enum kind hint, struct text_part *part)
{
    struct remember *remember = reader->remember;
    struct jr *jr = reader->decoder.jr;
    uint64_t before = reader->items_read;
    part->lead = lead_of(remember, jr);
    struct look at = look(reader, hint);
    remember->behind = 0;
    remember->left_out = at.unread;
    if (at.same && at.same->object) {
        part->content = at.same->content;
        jump(reader, &at, part->lead);
    } else {
        jr_keep(jr, LENGTH_MAX);
        spec_look_begin(&remember->spec, at.spec);
        if (!item_read(reader, hint))
            return false;
        if (reader->items_read > before) {
            remember->read++;
            remember->specs += remember->spec.taken != NULL;
            part->content = learn(reader, hint, &at);
        }
        jr_keep(jr, 0); /* else the window would grow for objects that nobody looks back at */
    }
    if (reader->items_read > before)
        remember->behind = jr_offset(jr);
    return true;
}
