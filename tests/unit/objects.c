#include "objects.h"

void objects_add(struct arena *arena, struct objects *objects, struct str text)
{
    if (objects->n == objects->room) {
        uint32_t room = objects->room ? 2 * objects->room : 256;
        struct str *items = ARENA_ARRAY(arena, room, struct str);
        if (objects->n)
            memcpy(items, objects->items, objects->n * sizeof *items);
        objects->items = items;
        objects->room = room;
    }
    objects->items[objects->n++] = text;
}

/* The length of the JSON string that begins with a quote at p. */
static size_t string_length(struct str text, size_t at)
{
    size_t end = at + 1;
    while (text.p[end] != '"')
        end += text.p[end] == '\\' ? 2 : 1;
    return end + 1 - at;
}

struct objects objects_of(struct arena *arena, struct str list)
{
    struct objects objects = {0};
    const char *items = memmem(list.p, list.n, "\"items\"", 7);
    size_t at = items ? (size_t)(items - list.p) + 7 : list.n, start = 0, depth = 0;
    for (; at < list.n; at++) {
        char c = list.p[at];
        if (c == '"') {
            at += string_length(list, at) - 1;
        } else if (c == '{' || c == '[') {
            if (depth++ == 1)
                start = at;
        } else if (c == '}' || c == ']') {
            if (--depth == 0)
                break;
            if (depth == 1)
                objects_add(arena, &objects, str_sub(list, start, at + 1 - start));
        }
    }
    return objects;
}

struct str objects_list(struct arena *arena, const struct objects *objects)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    size_t n = 64;
    for (uint32_t i = 0; i < objects->n; i++)
        n += objects->items[i].n + 1;
    buf_reserve(&out, n);
    buf_put(&out, STR("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":["));
    bool first = true;
    for (uint32_t i = 0; i < objects->n; i++) {
        if (!objects->items[i].n)
            continue;
        if (!first)
            buf_putc(&out, ',');
        buf_put(&out, objects->items[i]);
        first = false;
    }
    buf_put(&out, STR("]}"));
    return buf_str(&out);
}

uint32_t objects_throw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 33) % below;
}

void objects_shuffle(struct objects *objects, uint64_t seed)
{
    for (uint32_t i = objects->n; i > 1; i--) {
        uint32_t other = objects_throw(&seed, i);
        struct str text = objects->items[i - 1];
        objects->items[i - 1] = objects->items[other];
        objects->items[other] = text;
    }
}

/* ---- twice ---- */

#define SUFFIX STR("-twice")

/* The object with a suffix after the value of every member of that key; *changed: there was one. */
static struct str with_suffix(struct arena *arena, struct str text, struct str key, bool *changed)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    buf_reserve(&out, text.n + 256);
    size_t kept = 0;
    for (size_t at = 0; at < text.n; at++) {
        if (text.p[at] != '"')
            continue;
        size_t n = string_length(text, at);
        bool is_key = n == key.n + 2 && memcmp(text.p + at + 1, key.p, key.n) == 0;
        at += n - 1;
        size_t next = at + 1;
        while (is_key && next < text.n && strchr(" \n\t:", text.p[next]))
            next++;
        if (!is_key || text.p[next] != '"' || next == at + 1)
            continue;
        at = next + string_length(text, next) - 1;
        if (at == next + 1)
            continue;
        buf_put(&out, str_sub(text, kept, at - kept));
        buf_put(&out, SUFFIX);
        kept = at;
        *changed = true;
    }
    buf_put(&out, str_sub(text, kept, text.n - kept));
    return buf_str(&out);
}

static bool is_kind(struct arena *arena, struct str text, const char *kind)
{
    return str_has(text, arena_printf(arena, "\"kind\":\"%s\"", kind)) ||
           str_has(text, arena_printf(arena, "\"kind\": \"%s\"", kind));
}

/* Cluster-scoped objects that refer to namespaces all the same. */
static bool stands_once(struct arena *arena, struct str text)
{
    static const char *const kinds[] = {"ClusterRoleBinding", "PersistentVolume", "APIService",
                                        "ValidatingWebhookConfiguration",
                                        "MutatingWebhookConfiguration"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (is_kind(arena, text, kinds[i]))
            return true;
    return false;
}

struct objects objects_twice(struct arena *arena, const struct objects *objects)
{
    struct objects twice = {0};
    for (uint32_t i = 0; i < objects->n; i++) {
        struct str text = objects->items[i];
        struct str key = is_kind(arena, text, "Namespace") ? STR("name") : STR("namespace");
        bool changed = false;
        objects_add(arena, &twice, text);
        if (stands_once(arena, text))
            continue;
        text = with_suffix(arena, text, key, &changed);
        if (changed)
            objects_add(arena, &twice, with_suffix(arena, text, STR("host"), &changed));
    }
    return twice;
}
