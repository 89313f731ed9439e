#include "base/buf.h"
#include "reader/change_table.h"

/* Where nothing is removed, nobody looks at what stands between objects. */
#define UNSEEN (SIZE_MAX - 1)

/* New objects of one kind and API version. */
struct newcomers {
    enum kind kind;
    struct str api_version;
    LIST(struct change *) items;
    const struct document_object *last; /* of the old document that they stand behind */
};

struct applying {
    struct arena *arena;
    const struct document_index *old;
    struct document_index *now;
    struct change_table changes;
    struct change **at; /* of each old object: what becomes of it; NULL: it stays */
    struct newcomers **behind;
    struct table newcomers;
    uint64_t kinds;    /* bits of those that have newcomers */
    struct str lead;   /* of the next object that stays */
    size_t lead_last;  /* its last byte that is no blank; SIZE_MAX: there is none; or UNSEEN */
    struct buf joined; /* where the lead stands when it is made of several gaps */
    const char *why;
};

static bool give_up(struct applying *applying, const char *why)
{
    applying->why = why;
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* What stands behind the old object, up to the next one. */
static struct str gap_behind(const struct document_index *index, uint32_t i)
{
    return i + 1 < index->objects.n ? index->objects.items[i + 1].lead : index->tail;
}

/* Where the first byte is that is no blank, and the last; SIZE_MAX: there is none. */
static size_t first_byte(struct str gap)
{
    size_t at = 0;
    while (at < gap.n && is_blank(gap.p[at]))
        at++;
    return at < gap.n ? at : SIZE_MAX;
}

static size_t last_byte(struct str gap)
{
    size_t n = gap.n;
    while (n && is_blank(gap.p[n - 1]))
        n--;
    return n ? n - 1 : SIZE_MAX;
}

static bool is_byte(struct str gap, size_t at, char c)
{
    return at != SIZE_MAX && gap.p[at] == c;
}

/* Of an item of an array its kind decides what it is, and others may stand behind it. A document of
 * its own may read as something else, by a member that stands before its kind (reader/form.h). */
static bool is_item(const struct document_index *index, uint32_t i)
{
    struct str gap = gap_behind(index, i);
    size_t first = first_byte(gap);
    return is_byte(gap, first, ',') || is_byte(gap, first, ']');
}

/* Is what the place tells of an object, all that this one leaves to it? */
static bool fits(const struct document_object *object, const struct document_object *place)
{
    return str_eq(object->api_version, place->api_version) &&
           (object->has_kind || !place->has_kind) &&
           (object->has_api_version || !place->has_api_version);
}

static bool find_places(struct applying *applying)
{
    const document_object_list *objects = &applying->old->objects;
    applying->at = ARENA_ARRAY(applying->arena, objects->n, struct change *);
    for (uint32_t i = 0; i < objects->n; i++) {
        const struct document_object *object = &objects->items[i];
        struct change *change = change_table_find(&applying->changes, object);
        if (!change)
            continue;
        if (change->found)
            return give_up(applying, "an object that is changed is there twice");
        if (change->object && !is_item(applying->old, i))
            return give_up(applying, "an object that is changed is in no list");
        if (change->object && !fits(change->object, object))
            return give_up(applying, "an object stands in a list of another API version");
        change->found = true;
        applying->at[i] = change;
    }
    return true;
}

static struct newcomers *newcomers_of(struct applying *applying, enum kind kind,
                                      struct str api_version)
{
    struct newcomers *newcomers;
    TABLE_EACH (newcomers, &applying->newcomers, document_identity(kind, STR(""), api_version))
        if (newcomers->kind == kind && str_eq(newcomers->api_version, api_version))
            return newcomers;
    return NULL;
}

static bool gather_newcomers(struct applying *applying)
{
    struct change_table *changes = &applying->changes;
    applying->newcomers = table_init(applying->arena, 16);
    for (uint32_t i = 0; i < changes->n; i++) {
        struct change *change = &changes->items[i];
        if (change->found)
            continue;
        if (!change->object)
            return give_up(applying, "an object is removed that is not there");
        struct str version = change->object->api_version;
        struct newcomers *newcomers = newcomers_of(applying, change->kind, version);
        if (!newcomers) {
            newcomers = ARENA_NEW(applying->arena, struct newcomers);
            newcomers->kind = change->kind;
            newcomers->api_version = version;
            table_add(&applying->newcomers, document_identity(change->kind, STR(""), version),
                      newcomers);
        }
        LIST_ADD(applying->arena, newcomers->items, change);
        applying->kinds |= (uint64_t)1 << change->kind;
    }
    return true;
}

static bool place_newcomers(struct applying *applying)
{
    const document_object_list *objects = &applying->old->objects;
    struct newcomers *newcomers;
    if (!applying->kinds)
        return true;
    applying->behind = ARENA_ARRAY(applying->arena, objects->n, struct newcomers *);
    for (uint32_t i = 0; i < objects->n; i++) {
        const struct document_object *object = &objects->items[i];
        if (!(applying->kinds >> object->kind & 1) || (applying->at[i] && !applying->at[i]->object))
            continue;
        newcomers = newcomers_of(applying, object->kind, object->api_version);
        if (newcomers && is_item(applying->old, i))
            newcomers->last = object;
    }
    for (uint32_t i = 0; i < applying->changes.n; i++) {
        const struct change *change = &applying->changes.items[i];
        if (change->found)
            continue;
        newcomers = newcomers_of(applying, change->kind, change->object->api_version);
        if (!newcomers->last || !fits(change->object, newcomers->last))
            return give_up(applying, "a new object has no list to stand in");
        applying->behind[newcomers->last - objects->items] = newcomers;
    }
    return true;
}

/* ---- the document ---- */

/* It stands here now, behind `lead`. */
static void put(struct applying *applying, struct document_object object, struct str lead)
{
    object.lead = lead;
    LIST_PUT(applying->now->objects, object);
}

static void put_newcomers(struct applying *applying, const struct newcomers *newcomers)
{
    struct change **change;
    LIST_EACH (change, newcomers->items)
        put(applying, *(*change)->object, STR(","));
}

static bool is_removed(const struct applying *applying, uint32_t i)
{
    return i < applying->old->objects.n && applying->at[i] && !applying->at[i]->object;
}

/* A lead that is joined already grows: it is not copied for each object that goes. */
static void join(struct applying *applying, struct str before, struct str behind)
{
    struct buf *joined = &applying->joined;
    if (!joined->p || joined->p != before.p) {
        *joined = buf_init(applying->arena, SIZE_MAX / 2);
        buf_put(joined, before);
    }
    joined->n = before.n;
    buf_put(joined, behind);
    applying->lead = buf_str(joined);
    size_t last = last_byte(behind);
    if (last != SIZE_MAX)
        applying->lead_last = before.n + last;
    else if (applying->lead_last != SIZE_MAX && applying->lead_last >= before.n)
        applying->lead_last = last_byte(before); /* it was a comma that goes */
}

static void set_lead(struct applying *applying, struct str lead)
{
    applying->lead = lead;
    applying->lead_last = UNSEEN;
}

/* Objects from i on that are removed with nothing but a comma between them go together, and with
 * them the comma behind them or, at the end of the array, before them. Returns the last one. */
static uint32_t leave_out(struct applying *applying, uint32_t i)
{
    struct str before = applying->lead, behind = gap_behind(applying->old, i);
    if (applying->lead_last == UNSEEN)
        applying->lead_last = last_byte(before);
    size_t first = first_byte(behind), last = applying->lead_last;
    while (is_removed(applying, i + 1) && is_byte(behind, first, ',') &&
           last_byte(behind) == first) {
        behind = gap_behind(applying->old, ++i);
        first = first_byte(behind);
    }
    if (is_byte(behind, first, ','))
        behind = str_sub(behind, first + 1, behind.n);
    else if (is_byte(before, last, ','))
        before = str_sub(before, 0, last);
    join(applying, before, behind);
    return i;
}

static void put_all(struct applying *applying)
{
    const document_object_list *objects = &applying->old->objects;
    set_lead(applying, objects->n ? objects->items[0].lead : applying->old->tail);
    for (uint32_t i = 0; i < objects->n; i++) {
        const struct change *change = applying->at[i];
        if (is_removed(applying, i)) {
            i = leave_out(applying, i);
            continue;
        }
        put(applying, change ? *change->object : objects->items[i], applying->lead);
        if (applying->behind && applying->behind[i])
            put_newcomers(applying, applying->behind[i]);
        set_lead(applying, gap_behind(applying->old, i));
    }
    applying->now->tail = applying->lead;
}

const struct document_index *changes_apply(struct arena *arena, const struct document_index *old,
                                           const struct changes *changes, size_t max,
                                           unsigned char digest[SHA256], const char **why)
{
    struct applying applying = {
        .arena = arena, .old = old, .now = ARENA_NEW(arena, struct document_index)};
    bool good = change_table_init(arena, changes, &applying.changes) && find_places(&applying) &&
                gather_newcomers(&applying) && place_newcomers(&applying);
    *why = applying.why;
    if (!good)
        return NULL;
    LIST_RESERVE(arena, applying.now->objects, old->objects.n + changes->objects.objects.n);
    put_all(&applying);
    if (document_index_length(applying.now) > max) {
        *why = "there is too much to put together";
        return NULL;
    }
    document_index_digest(arena, applying.now, digest);
    return applying.now;
}
