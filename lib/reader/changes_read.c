#include "reader/changes.h"

#include "base/hex.h"
#include "kube/kinds.h"
#include "reader/change_table.h"

struct reading {
    struct arena *arena;
    struct jr *jr;
    struct changes *changes;
    struct changes_error *error;
    struct document_indexer *objects;
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

static bool refuse_missing(struct reading *reading, const char *field)
{
    reading->error->missing = !reading->error->field;
    return refuse(reading, field, "is required.");
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
static bool read_objects(struct reading *reading)
{
    reading->has_objects = document_index_array(reading->objects);
    if (!reading->has_objects && jr_error(reading->jr)->code == JR_OK)
        return refuse(reading, "objects", "must be an array of objects.");
    return reading->has_objects;
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

static bool is_revision(struct str text)
{
    return text.n > 0 && text.n <= CHANGES_BASE_MAX && !memchr(text.p, '\0', text.n);
}

static bool read_member(struct reading *reading, enum jr_type type)
{
    struct jr *jr = reading->jr;
    struct changes *changes = reading->changes;
    if (type == JR_NULL) /* as if it were left out */
        return true;
    if (is_key(jr, "base")) {
        reading->has_base = type == JR_STRING && is_revision(jr_text(jr));
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
        return type == JR_ARRAY ? read_objects(reading)
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
        return refuse_missing(reading, "base");
    if (!reading->has_digest)
        return refuse_missing(reading, "digest");
    if (!reading->has_objects || !reading->has_removed)
        return refuse_missing(reading, reading->has_objects ? "removed" : "objects");
    return true;
}

static bool have_names(struct reading *reading)
{
    const struct document_object *object;
    LIST_EACH (object, reading->changes->objects.objects)
        if (!object->name.n)
            return refuse(reading, "objects", "has an object without a name.");
    return true;
}

bool changes_read(struct arena *arena, struct str text, struct changes *changes,
                  struct changes_error *error)
{
    struct change_table table;
    *changes = (struct changes){.base = STR("")};
    *error = (struct changes_error){.json = {.code = JR_OK}};
    struct document_indexer *objects = document_indexer(arena, text, &changes->objects);
    struct reading reading = {.arena = arena,
                              .jr = document_indexer_jr(objects),
                              .changes = changes,
                              .error = error,
                              .objects = objects};
    if (!read_list(&reading)) {
        if (!error->field)
            error->json = *jr_error(reading.jr);
        return false;
    }
    return have_names(&reading) &&
           (change_table_init(arena, changes, &table) ||
            refuse(&reading, "objects", "and removed say the same object twice."));
}
