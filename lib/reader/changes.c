#include "reader/changes.h"

#include "base/hash.h"
#include "base/hex.h"
#include "base/rand.h"
#include "base/table.h"
#include "kube/kinds.h"

enum { NAME_MAX_BYTES = 1024 }; /* of a string that is read here */

/* ---- reading ---- */

struct reading {
    struct arena *arena;
    struct jr *jr;
    struct changes *changes;
    struct changes_error *error;
    struct str text, objects; /* objects: the text of the array */
    bool has_base, has_digest, has_objects, has_removed;
};

static bool refuse(struct reading *reading, const char *field, const char *why)
{
    if (!reading->error->field) {
        reading->error->field = field;
        reading->error->why = why;
    }
    return false;
}

static bool is_key(struct jr *jr, const char *key)
{
    return str_eq(jr_key(jr), str_of(key));
}

static bool read_digest(struct str text, unsigned char digest[SHA256])
{
    if (text.n != 2 * SHA256)
        return false;
    for (size_t i = 0; i < SHA256; i++) {
        int high = hex_digit(text.p[2 * i]), low = hex_digit(text.p[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        digest[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}

/* The current value is the array: goes behind it. */
static bool find_objects(struct reading *reading)
{
    struct jr *jr = reading->jr;
    size_t from = (size_t)jr_offset(jr);
    enum jr_type type;
    jr_enter(jr);
    while ((type = jr_next(jr)) > JR_END)
        if (type != JR_OBJECT)
            return refuse(reading, "objects", "must be an array of objects.");
    reading->objects = str_sub(reading->text, from, (size_t)jr_offset(jr) - from);
    reading->has_objects = true;
    return type == JR_END;
}

/* The current value is an object that names one. */
static bool read_removed(struct reading *reading)
{
    struct jr *jr = reading->jr;
    struct removed_object removed = {.namespace = STR("")};
    struct str kind = {0}, api_version = {0};
    enum jr_type type;
    jr_enter(jr);
    while ((type = jr_next(jr)) > JR_END) {
        struct str *field = is_key(jr, "kind")         ? &kind
                            : is_key(jr, "apiVersion") ? &api_version
                            : is_key(jr, "namespace")  ? &removed.namespace
                            : is_key(jr, "name")       ? &removed.name
                                                       : NULL;
        if (field && type != JR_STRING)
            return refuse(reading, "removed", "has a name that is no string.");
        if (field)
            *field = arena_str(reading->arena, jr_text(jr));
    }
    if (type != JR_END)
        return false;
    if (!kind.n || !api_version.n || !removed.name.n)
        return refuse(reading, "removed", "has an object without kind, apiVersion or name.");
    removed.kind = kind_find(kind, api_version);
    if (removed.kind == KIND_NONE)
        return refuse(reading, "removed", "has an object of a kind that is not read.");
    LIST_ADD(reading->arena, reading->changes->removed, removed);
    return true;
}

static bool read_all_removed(struct reading *reading)
{
    struct jr *jr = reading->jr;
    enum jr_type type;
    reading->changes->removed.n = 0;
    reading->has_removed = true;
    jr_enter(jr);
    while ((type = jr_next(jr)) > JR_END)
        if (type != JR_OBJECT)
            return refuse(reading, "removed", "must be an array of objects.");
        else if (!read_removed(reading))
            return false;
    return type == JR_END;
}

static bool read_member(struct reading *reading, enum jr_type type)
{
    struct jr *jr = reading->jr;
    struct changes *changes = reading->changes;
    if (is_key(jr, "base")) {
        reading->has_base = type == JR_STRING && jr_text(jr).n && jr_text(jr).n <= CHANGES_BASE_MAX;
        if (reading->has_base)
            changes->base = arena_str(reading->arena, jr_text(jr));
        return reading->has_base || refuse(reading, "base", "must be a revision.");
    }
    if (is_key(jr, "digest")) {
        reading->has_digest = type == JR_STRING && read_digest(jr_text(jr), changes->digest);
        return reading->has_digest ||
               refuse(reading, "digest", "must be a SHA-256 as 64 hexadecimal digits.");
    }
    if (is_key(jr, "objects"))
        return type == JR_ARRAY ? find_objects(reading)
                                : refuse(reading, "objects", "must be an array of objects.");
    if (is_key(jr, "removed"))
        return type == JR_ARRAY ? read_all_removed(reading)
                                : refuse(reading, "removed", "must be an array of objects.");
    return true;
}

static bool read_list(struct reading *reading)
{
    struct jr *jr = reading->jr;
    enum jr_type type = jr_next(jr);
    if (type == JR_ERROR)
        return false;
    if (type != JR_OBJECT)
        return refuse(reading, "base", "is missing: a list of changes is an object.");
    jr_enter(jr);
    while ((type = jr_next(jr)) > JR_END)
        if (!read_member(reading, type))
            return false;
    if (type != JR_END)
        return false;
    type = jr_next(jr);
    if (type == JR_ERROR)
        return false;
    if (type != JR_END)
        return refuse(reading, "base", "is of one list of changes: another value follows.");
    if (!reading->has_base)
        return refuse(reading, "base", "is required.");
    if (!reading->has_digest)
        return refuse(reading, "digest", "is required.");
    if (!reading->has_objects || !reading->has_removed)
        return refuse(reading, reading->has_objects ? "removed" : "objects", "is required.");
    return true;
}

static bool read_objects(struct reading *reading)
{
    struct snapshot_error error;
    const struct document_object *object;
    if (!document_index_read(reading->arena, reading->objects, &reading->changes->objects,
                             &error)) {
        reading->error->json = error.json;
        return error.json.code == JR_OK ? refuse(reading, "objects", "cannot be read.") : false;
    }
    LIST_EACH (object, reading->changes->objects.objects)
        if (!object->name.n)
            return refuse(reading, "objects", "has an object without a name.");
    return true;
}

/* ---- by their names ---- */

/* What is to be done about an object. */
struct change {
    enum kind kind;
    struct str namespace, name;
    const struct document_object *object; /* NULL: it is removed */
    bool found;
};

struct change_table {
    struct change *items;
    uint32_t n;
    uint64_t seed; /* nobody can know which names collide */
    struct table table;
};

static uint64_t hash_of(uint64_t seed, enum kind kind, struct str namespace, struct str name)
{
    return hash_bytes(hash_bytes(seed + kind, namespace), name);
}

static struct change *find(const struct change_table *changes, enum kind kind, struct str namespace,
                           struct str name)
{
    struct change *change;
    TABLE_EACH (change, &changes->table, hash_of(changes->seed, kind, namespace, name))
        if (change->kind == kind && str_eq(change->name, name) &&
            str_eq(change->namespace, namespace))
            return change;
    return NULL;
}

/* False when there is one of that name. */
static bool add(struct change_table *changes, struct change change)
{
    if (find(changes, change.kind, change.namespace, change.name))
        return false;
    changes->items[changes->n] = change;
    table_add(&changes->table, hash_of(changes->seed, change.kind, change.namespace, change.name),
              &changes->items[changes->n++]);
    return true;
}

/* False when an object is named twice. */
static bool index_changes(struct arena *arena, const struct changes *changes,
                          struct change_table *table)
{
    const struct document_object *object;
    const struct removed_object *removed;
    size_t most = (size_t)changes->objects.objects.n + changes->removed.n;
    *table = (struct change_table){.items = ARENA_ARRAY(arena, most, struct change),
                                   .table = table_init(arena, most)};
    rand_bytes(&table->seed, sizeof table->seed);
    LIST_EACH (object, changes->objects.objects)
        if (!add(table,
                 (struct change){object->kind, object->namespace, object->name, object, false}))
            return false;
    LIST_EACH (removed, changes->removed)
        if (!add(table,
                 (struct change){removed->kind, removed->namespace, removed->name, NULL, false}))
            return false;
    return true;
}

bool changes_read(struct arena *arena, struct str text, struct changes *changes,
                  struct changes_error *error)
{
    const struct jr_limits limits = {.depth = SNAPSHOT_DEPTH_MAX,
                                     .key = SNAPSHOT_KEY_MAX,
                                     .string = NAME_MAX_BYTES,
                                     .mark = NAME_MAX_BYTES,
                                     .total = UINT64_MAX};
    struct str rest = text;
    struct change_table table;
    *changes = (struct changes){.base = STR("")};
    *error = (struct changes_error){.json = {.code = JR_OK}};
    struct reading reading = {.arena = arena,
                              .jr = jr_open(arena, source_of(&rest), limits),
                              .changes = changes,
                              .error = error,
                              .text = text};
    if (!read_list(&reading)) {
        if (!error->field)
            error->json = *jr_error(reading.jr);
        return false;
    }
    return read_objects(&reading) &&
           (index_changes(arena, changes, &table) ||
            refuse(&reading, "objects", "and removed say the same object twice."));
}

/* ---- applying ---- */

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
    uint64_t kinds;  /* bits of those that have newcomers */
    struct str lead; /* of the next object that stays */
    const char *why;
};

static bool give_up(struct applying *applying, const char *why)
{
    applying->why = why;
    return false;
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
        struct change *change =
            find(&applying->changes, object->kind, object->namespace, object->name);
        if (!change)
            continue;
        if (change->found)
            return give_up(applying, "an object that is changed is there twice");
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
    uint64_t hash = hash_of(applying->changes.seed, kind, STR(""), api_version);
    TABLE_EACH (newcomers, &applying->newcomers, hash)
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
            table_add(&applying->newcomers, hash_of(changes->seed, change->kind, STR(""), version),
                      newcomers);
        }
        LIST_ADD(applying->arena, newcomers->items, change);
        applying->kinds |= (uint64_t)1 << change->kind;
    }
    return true;
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

/* Only an item of an array has a place behind it. */
static bool is_item(const struct document_index *index, uint32_t i)
{
    struct str gap = gap_behind(index, i);
    size_t first = first_byte(gap);
    return is_byte(gap, first, ',') || is_byte(gap, first, ']');
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

static struct str join(struct arena *arena, struct str a, struct str b)
{
    char *text = arena_bytes(arena, a.n + b.n);
    if (a.n)
        memcpy(text, a.p, a.n);
    if (b.n)
        memcpy(text + a.n, b.p, b.n);
    return (struct str){text, a.n + b.n};
}

/* Objects from i on that are removed with nothing but a comma between them go together, and with
 * them the comma behind them or, at the end of the array, before them. Returns the last one. */
static uint32_t leave_out(struct applying *applying, uint32_t i)
{
    struct str before = applying->lead, behind = gap_behind(applying->old, i);
    size_t first = first_byte(behind), last = last_byte(before);
    while (is_removed(applying, i + 1) && is_byte(behind, first, ',') &&
           last_byte(behind) == first) {
        behind = gap_behind(applying->old, ++i);
        first = first_byte(behind);
    }
    if (is_byte(behind, first, ','))
        behind = str_sub(behind, first + 1, behind.n);
    else if (is_byte(before, last, ','))
        before = str_sub(before, 0, last);
    applying->lead = join(applying->arena, before, behind);
    return i;
}

static void put_all(struct applying *applying)
{
    const document_object_list *objects = &applying->old->objects;
    applying->lead = objects->n ? objects->items[0].lead : applying->old->tail;
    for (uint32_t i = 0; i < objects->n; i++) {
        const struct change *change = applying->at[i];
        if (is_removed(applying, i)) {
            i = leave_out(applying, i);
            continue;
        }
        put(applying, change ? *change->object : objects->items[i], applying->lead);
        if (applying->behind && applying->behind[i])
            put_newcomers(applying, applying->behind[i]);
        applying->lead = gap_behind(applying->old, i);
    }
    applying->now->tail = applying->lead;
}

const struct document_index *changes_apply(struct arena *arena, const struct document_index *old,
                                           const struct changes *changes, size_t max,
                                           unsigned char digest[SHA256], const char **why)
{
    struct applying applying = {
        .arena = arena, .old = old, .now = ARENA_NEW(arena, struct document_index)};
    bool good = index_changes(arena, changes, &applying.changes) && find_places(&applying) &&
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
