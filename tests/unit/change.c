#include "change.h"

#include "score/score.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* ---- objects ---- */

static struct json_object *parse(struct str text)
{
    struct json_tokener *tokener = json_tokener_new_ex(128);
    struct json_object *tree = json_tokener_parse_ex(tokener, text.p, (int)text.n);
    if (!tree && json_tokener_get_error(tokener) == json_tokener_continue)
        tree = json_tokener_parse_ex(tokener, " ", 1); /* a number has to end */
    if (!tree)
        fail_msg("no JSON: %" STR_FMT, STR_ARG(text));
    json_tokener_free(tokener);
    return tree;
}

static struct str copy_text(struct arena *arena, struct json_object *tree, const char *path)
{
    return arena_str(arena, tree_text(tree, path));
}

static struct json_object *owner_of(struct json_object *tree)
{
    struct json_object *owners = tree_find(tree, "metadata.ownerReferences");
    size_t n = tree_length(owners);
    for (size_t i = 0; i < n; i++)
        if (tree_text(json_object_array_get_idx(owners, i), "controller").n == 4)
            return json_object_array_get_idx(owners, i);
    return n ? json_object_array_get_idx(owners, 0) : NULL;
}

static struct entry entry_of(struct arena *arena, struct str text)
{
    struct json_object *tree = parse(text), *owner = owner_of(tree);
    struct entry entry = {.kind = copy_text(arena, tree, "kind"),
                          .api_version = copy_text(arena, tree, "apiVersion"),
                          .namespace = copy_text(arena, tree, "metadata.namespace"),
                          .name = copy_text(arena, tree, "metadata.name")};
    if (owner) {
        entry.owner_kind = copy_text(arena, owner, "kind");
        entry.owner_name = copy_text(arena, owner, "name");
    }
    if (str_eq(entry.kind, STR("Pod"))) {
        struct str phase = tree_text(tree, "status.phase");
        entry.node = copy_text(arena, tree, "spec.nodeName");
        entry.ended = str_eq(phase, STR("Succeeded")) || str_eq(phase, STR("Failed")) ||
                      tree_find(tree, "metadata.deletionTimestamp");
    }
    json_object_put(tree);
    return entry;
}

struct inventory *inventory_of(struct arena *arena, const struct objects *objects)
{
    struct inventory *inventory = ARENA_NEW(arena, struct inventory);
    inventory->n = objects->n;
    inventory->entries = ARENA_ARRAY(arena, objects->n, struct entry);
    for (uint32_t i = 0; i < objects->n; i++)
        inventory->entries[i] = entry_of(arena, objects->items[i]);
    return inventory;
}

static uint64_t hash_of(struct str namespace, struct str kind, struct str name)
{
    uint64_t hash = str_hash(str_hash(0, namespace), STR("\n"));
    for (size_t i = 0; i < kind.n; i++)
        hash = str_hash(hash, (struct str){&(char){str_lower(kind.p[i])}, 1});
    return str_hash(str_hash(hash, STR("/")), name);
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorted hashes of those that a check complains of. */
struct hashes {
    uint64_t *items;
    size_t n;
};

static struct hashes hashes_of(const struct ledger *ledger, bool policy)
{
    struct hashes hashes = {malloc((ledger->risks.n + 1) * sizeof *hashes.items), 0};
    const struct risk *risk;
    LIST_EACH (risk, ledger->risks) {
        struct str kind, name;
        str_cut(risk->resource, '/', &kind, &name);
        if (policy || risk->check->category != CATEGORY_POLICY)
            hashes.items[hashes.n++] = hash_of(risk->namespace, kind, name);
    }
    qsort(hashes.items, hashes.n, sizeof *hashes.items, by_number);
    return hashes;
}

static bool is_among(const struct hashes *hashes, uint64_t hash)
{
    return bsearch(&hash, hashes->items, hashes->n, sizeof hash, by_number) != NULL;
}

void inventory_note(struct inventory *inventory, const struct ledger *ledger)
{
    struct hashes found = hashes_of(ledger, false), faulty = hashes_of(ledger, true);
    for (uint32_t i = 0; i < inventory->n; i++) {
        struct entry *entry = &inventory->entries[i];
        uint64_t hash = hash_of(entry->namespace, entry->kind, entry->name);
        entry->found = is_among(&found, hash);
        entry->faulty = is_among(&faulty, hash);
    }
    free(found.items);
    free(faulty.items);
}

struct change change_begin(struct arena *arena, const struct inventory *inventory,
                           const struct objects *objects, int64_t time, uint64_t seed)
{
    struct change change = {arena, inventory, .time = time, .seed = seed};
    change.objects.n = change.objects.room = objects->n;
    change.objects.items = arena_copy(arena, objects->items, objects->n * sizeof *objects->items);
    return change;
}

bool change_is_kind(const struct change *change, uint32_t at, const char *kind)
{
    return change->objects.items[at].n &&
           (!*kind || str_eq(change->inventory->entries[at].kind, str_of(kind)));
}

uint32_t change_pick(struct change *change, const char *kind, fits_function *fits)
{
    uint32_t n = change->inventory->n, start = n ? objects_throw(&change->seed, n) : 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = (start + i) % n;
        if (!change_is_kind(change, at, kind) || (fits && !fits(change, at)))
            continue;
        const struct entry *entry = &change->inventory->entries[at];
        if (!change->object.n)
            change->object =
                arena_printf(change->arena, "%" STR_FMT " %" STR_FMT "/%" STR_FMT,
                             STR_ARG(entry->kind), STR_ARG(entry->namespace), STR_ARG(entry->name));
        return at;
    }
    return NOT_THERE;
}

uint32_t change_find(const struct change *change, struct str kind, struct str namespace,
                     struct str name)
{
    for (uint32_t i = 0; i < change->inventory->n; i++) {
        const struct entry *entry = &change->inventory->entries[i];
        if (change->objects.items[i].n && str_eq(entry->name, name) && str_eq(entry->kind, kind) &&
            str_eq(entry->namespace, namespace))
            return i;
    }
    return NOT_THERE;
}

struct json_object *change_open(const struct change *change, uint32_t at)
{
    return parse(change->objects.items[at]);
}

void change_close(struct change *change, uint32_t at, struct json_object *tree)
{
    struct str text = str_of(json_object_to_json_string_ext(tree, JSON_C_TO_STRING_NOSLASHESCAPE));
    change->objects.items[at] = arena_str(change->arena, text);
    json_object_put(tree);
}

void change_leave(struct json_object *tree)
{
    json_object_put(tree);
}

void change_remove(struct change *change, uint32_t at)
{
    change->objects.items[at] = (struct str){0};
}

void change_remove_kind(struct change *change, const char *kind)
{
    for (uint32_t i = 0; i < change->inventory->n; i++)
        if (change_is_kind(change, i, kind))
            change_remove(change, i);
}

/* ---- texts ---- */

static struct str written_out(const struct change *change, struct str text)
{
    struct buf out = buf_init(change->arena, SIZE_MAX);
    char time[CLOCK_TEXT_SIZE];
    for (size_t i = 0; i < text.n; i++) {
        size_t digits = text.p[i] == '@' ? str_digits(str_sub(text, i + 1, text.n)) : 0;
        uint64_t ago;
        if (digits && str_to_u64(str_sub(text, i + 1, digits), &ago)) {
            buf_put(&out, clock_format_short(change->time - (int64_t)ago * CLOCK_SECOND, time));
            i += digits;
        } else {
            buf_putc(&out, text.p[i] == '\'' ? '"' : text.p[i]);
        }
    }
    return buf_str(&out);
}

void change_add(struct change *change, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct str text = arena_vprintf(change->arena, format, args);
    va_end(args);
    objects_add(change->arena, &change->objects, written_out(change, text));
}

/* ---- trees ---- */

struct json_object *tree_find(struct json_object *tree, const char *path)
{
    struct str rest = str_of(path), key;
    char name[128];
    while (tree && rest.n) {
        str_cut(rest, '.', &key, &rest);
        snprintf(name, sizeof name, "%" STR_FMT, STR_ARG(key));
        if (!json_object_is_type(tree, json_type_object) ||
            !json_object_object_get_ex(tree, name, &tree))
            return NULL;
    }
    return tree;
}

size_t tree_length(struct json_object *tree)
{
    return json_object_is_type(tree, json_type_array) ? json_object_array_length(tree) : 0;
}

struct str tree_text(struct json_object *tree, const char *path)
{
    struct json_object *value = tree_find(tree, path);
    return value ? str_of(json_object_get_string(value)) : (struct str){0};
}

int64_t tree_number(struct json_object *tree, const char *path, int64_t otherwise)
{
    struct json_object *value = tree_find(tree, path);
    return value ? json_object_get_int64(value) : otherwise;
}

static void put_value(struct json_object *tree, const char *path, struct json_object *value)
{
    struct str rest = str_of(path), key;
    char name[128];
    struct json_object *next;
    while (str_cut(rest, '.', &key, &rest)) {
        snprintf(name, sizeof name, "%" STR_FMT, STR_ARG(key));
        next = tree_find(tree, name);
        if (!json_object_is_type(next, json_type_object)) {
            next = json_object_new_object();
            json_object_object_add(tree, name, next);
        }
        tree = next;
    }
    bool appends = str_has_suffix(key, STR("[]"));
    snprintf(name, sizeof name, "%" STR_FMT, STR_ARG(str_sub(key, 0, key.n - 2 * appends)));
    if (appends && !json_object_is_type(tree_find(tree, name), json_type_array))
        json_object_object_add(tree, name, json_object_new_array());
    if (appends)
        json_object_array_add(tree_find(tree, name), value);
    else if (value)
        json_object_object_add(tree, key.p, value);
    else
        json_object_object_del(tree, key.p);
}

void tree_set(struct change *change, struct json_object *tree, const char *path, const char *json)
{
    put_value(tree, path, json ? parse(written_out(change, str_of(json))) : NULL);
}

void tree_set_number(struct json_object *tree, const char *path, int64_t number)
{
    put_value(tree, path, json_object_new_int64(number));
}

static struct json_object *condition_of(struct json_object *tree, const char *type)
{
    struct json_object *conditions = tree_find(tree, "status.conditions");
    for (size_t i = 0; i < tree_length(conditions); i++) {
        struct json_object *condition = json_object_array_get_idx(conditions, i);
        if (str_eq(tree_text(condition, "type"), str_of(type)))
            return condition;
    }
    return NULL;
}

struct str tree_condition(struct json_object *tree, const char *type)
{
    return tree_text(condition_of(tree, type), "status");
}

void tree_set_condition(struct change *change, struct json_object *tree, const char *type,
                        const char *status, unsigned seconds_ago, const char *reason)
{
    struct json_object *condition = condition_of(tree, type);
    const char *time = arena_printf(change->arena, "'@%u'", seconds_ago).p;
    if (!condition) {
        if (!json_object_is_type(tree_find(tree, "status.conditions"), json_type_array))
            tree_set(change, tree, "status.conditions", "[]");
        condition = json_object_new_object();
        json_object_array_add(tree_find(tree, "status.conditions"), condition);
        tree_set(change, condition, "type", arena_printf(change->arena, "'%s'", type).p);
    }
    tree_set(change, condition, "status", arena_printf(change->arena, "'%s'", status).p);
    tree_set(change, condition, "reason", arena_printf(change->arena, "'%s'", reason).p);
    tree_set(change, condition, "lastTransitionTime", time);
    if (tree_find(condition, "lastUpdateTime"))
        tree_set(change, condition, "lastUpdateTime", time);
}
