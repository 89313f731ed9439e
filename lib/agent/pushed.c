#include "agent/pushed.h"

#include "base/arena.h"
#include "base/asserts.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/rand.h"
#include "codec/jr.h"
#include "reader/document_index.h"

enum { ANSWER_ROOM = 1024 * 1024 };

/* An object; its names stand in the bytes of the push. */
struct item {
    uint64_t hash;
    size_t names;
    uint32_t namespace_n, name_n;
    uint32_t list;
    bool same;  /* the other push has it, too, with the same digest */
    bool there; /* the other push has it */
    unsigned char digest[SHA256];
};

struct gathered {
    struct bytes skeleton; /* what stands around the objects, and what else there is */
    struct bytes names;
    struct item *items;
    size_t n, room;
    uint32_t *slots; /* number of an item and 1; 0: free. Made once all are there */
    size_t slots_n;
};

struct pushed {
    uint64_t seed;
    struct gathered now, before;
    struct store_list *lists[STORE_LISTS_MAX]; /* of now */
    uint32_t lists_n;
    size_t changed, removed;
    bool homeless; /* something is new in a list of which nothing stays: it has no place there */
    char revision[PUSHED_REVISION_MAX];
    size_t revision_n; /* 0: nobody knows what the server has */
};

struct pushed *pushed_new(void)
{
    struct pushed *pushed = MEMORY_NEW(struct pushed);
    rand_bytes(&pushed->seed, sizeof pushed->seed);
    return pushed;
}

static void free_gathered(struct gathered *gathered)
{
    bytes_free(&gathered->skeleton);
    bytes_free(&gathered->names);
    free(gathered->items);
    free(gathered->slots);
    *gathered = (struct gathered){.n = 0};
}

void pushed_free(struct pushed *pushed)
{
    if (!pushed)
        return;
    free_gathered(&pushed->now);
    free_gathered(&pushed->before);
    free(pushed);
}

/* ---- gathering ---- */

void pushed_begin(struct pushed *pushed)
{
    free_gathered(&pushed->now);
    pushed->lists_n = 0;
}

static void gather(void *context, const struct store_object *object)
{
    struct pushed *pushed = context;
    struct gathered *now = &pushed->now;
    if (now->n == now->room) {
        now->room = now->room ? now->room * 2 : 256;
        now->items = memory_resize(now->items, now->room * sizeof *now->items);
    }
    struct item *item = &now->items[now->n++];
    *item = (struct item){.names = now->names.n,
                          .namespace_n = (uint32_t)object->namespace.n,
                          .name_n = (uint32_t)object->name.n,
                          .list = pushed->lists_n};
    item->hash = hash_bytes(hash_bytes(pushed->seed + item->list, object->namespace), object->name);
    memcpy(item->digest, object->digest, SHA256);
    bytes_put(&now->names, object->namespace);
    bytes_put(&now->names, object->name);
}

void pushed_add_list(struct pushed *pushed, struct store_list *list)
{
    assert(pushed->lists_n < STORE_LISTS_MAX);
    pushed_add_text(pushed, store_front(list));
    store_each(list, gather, pushed);
    pushed->lists[pushed->lists_n++] = list;
}

void pushed_add_text(struct pushed *pushed, struct str text)
{
    bytes_put(&pushed->now.skeleton, text);
    bytes_putc(&pushed->now.skeleton, '\n');
}

/* ---- comparing ---- */

static struct str namespace_of(const struct gathered *gathered, const struct item *item)
{
    return str_sub(bytes_str(&gathered->names), item->names, item->namespace_n);
}

static struct str name_of(const struct gathered *gathered, const struct item *item)
{
    return str_sub(bytes_str(&gathered->names), item->names + item->namespace_n, item->name_n);
}

static void index_items(struct gathered *gathered)
{
    gathered->slots_n = 16;
    while (gathered->slots_n < gathered->n * 2)
        gathered->slots_n *= 2;
    free(gathered->slots);
    gathered->slots = memory_new(gathered->slots_n * sizeof *gathered->slots);
    for (size_t i = 0; i < gathered->n; i++) {
        size_t at = gathered->items[i].hash & (gathered->slots_n - 1);
        while (gathered->slots[at])
            at = (at + 1) & (gathered->slots_n - 1);
        gathered->slots[at] = (uint32_t)(i + 1);
    }
}

/* The item of that name; NULL: there is none. */
static struct item *find(const struct gathered *gathered, uint32_t list, uint64_t hash,
                         struct str namespace, struct str name)
{
    if (!gathered->slots)
        return NULL;
    for (size_t at = hash & (gathered->slots_n - 1); gathered->slots[at];
         at = (at + 1) & (gathered->slots_n - 1)) {
        struct item *item = &gathered->items[gathered->slots[at] - 1];
        if (item->hash == hash && item->list == list &&
            str_eq(namespace_of(gathered, item), namespace) &&
            str_eq(name_of(gathered, item), name))
            return item;
    }
    return NULL;
}

static void compare(struct pushed *pushed)
{
    struct gathered *now = &pushed->now, *before = &pushed->before;
    size_t same = 0, there = 0;
    bool stays[STORE_LISTS_MAX] = {false};
    for (size_t i = 0; i < before->n; i++)
        before->items[i].there = false;
    for (size_t i = 0; i < now->n; i++) {
        struct item *item = &now->items[i];
        struct item *other =
            find(before, item->list, item->hash, namespace_of(now, item), name_of(now, item));
        item->there = other != NULL;
        item->same = other && memcmp(item->digest, other->digest, SHA256) == 0;
        if (other)
            other->there = true;
        there += item->there;
        same += item->same;
        stays[item->list] |= item->there;
    }
    pushed->homeless = false;
    for (size_t i = 0; i < now->n; i++)
        pushed->homeless |= !stays[now->items[i].list];
    pushed->changed = now->n - same;
    pushed->removed = before->n - there;
}

bool pushed_can_tell_changes(struct pushed *pushed)
{
    if (!pushed->revision_n ||
        !str_eq(bytes_str(&pushed->now.skeleton), bytes_str(&pushed->before.skeleton)))
        return false;
    compare(pushed);
    return !pushed->homeless && (pushed->changed + pushed->removed) * 4 <= pushed->now.n;
}

/* ---- the list of changes ---- */

/* Of control characters, quotes and backslashes JSON wants escapes. */
static void put_string(struct bytes *out, struct str text)
{
    char escape[] = "\\u0000";
    bytes_putc(out, '"');
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c >= ' ' && c != '"' && c != '\\') {
            bytes_putc(out, (char)c);
            continue;
        }
        hex_encode(&c, 1, escape + 4);
        bytes_put(out, (struct str){escape, 6});
    }
    bytes_putc(out, '"');
}

static void put_member(struct bytes *out, const char *key, struct str text)
{
    bytes_put(out, str_of(key));
    put_string(out, text);
}

struct wanting {
    const struct pushed *pushed;
    uint32_t list;
};

static bool wants(void *context, const struct store_object *object)
{
    const struct wanting *wanting = context;
    const struct pushed *pushed = wanting->pushed;
    uint64_t hash =
        hash_bytes(hash_bytes(pushed->seed + wanting->list, object->namespace), object->name);
    const struct item *item =
        find(&pushed->now, wanting->list, hash, object->namespace, object->name);
    return item && !item->same;
}

static void put_objects(struct pushed *pushed, struct bytes *out)
{
    struct bytes items = {0};
    bool more = false;
    for (uint32_t i = 0; i < pushed->lists_n; i++) {
        struct wanting wanting = {pushed, i};
        items.n = 0;
        if (!store_put_wanted(pushed->lists[i], wants, &wanting, &items))
            continue;
        bytes_put(out, more ? STR(",") : STR(""));
        bytes_put(out, store_front(pushed->lists[i]));
        bytes_put(out, bytes_str(&items));
        bytes_put(out, STR("]}"));
        more = true;
    }
    bytes_free(&items);
}

static void put_removed(const struct pushed *pushed, struct bytes *out)
{
    const struct gathered *before = &pushed->before;
    bool more = false;
    for (size_t i = 0; i < before->n; i++) {
        const struct item *item = &before->items[i];
        if (item->there)
            continue;
        const struct store_list *list = pushed->lists[item->list];
        put_member(out, more ? ",{\"kind\":" : "{\"kind\":", store_kind(list));
        put_member(out, ",\"apiVersion\":", store_api_version(list));
        if (item->namespace_n)
            put_member(out, ",\"namespace\":", namespace_of(before, item));
        put_member(out, ",\"name\":", name_of(before, item));
        bytes_putc(out, '}');
        more = true;
    }
}

static void put_digest(const struct pushed *pushed, struct bytes *out)
{
    const struct gathered *now = &pushed->now;
    unsigned char(*digests)[SHA256] = memory_new(now->n * SHA256 + 1), digest[SHA256];
    char text[2 * SHA256 + 1];
    for (size_t i = 0; i < now->n; i++)
        memcpy(digests[i], now->items[i].digest, SHA256);
    document_digest(digests, now->n, digest);
    free(digests);
    hex_encode(digest, SHA256, text);
    put_member(out, ",\"digest\":", str_of(text));
}

void pushed_put_changes(struct pushed *pushed, struct bytes *out)
{
    index_items(&pushed->now);
    put_member(out, "{\"base\":", (struct str){pushed->revision, pushed->revision_n});
    put_digest(pushed, out);
    bytes_put(out, STR(",\"objects\":["));
    put_objects(pushed, out);
    bytes_put(out, STR("],\"removed\":["));
    put_removed(pushed, out);
    bytes_put(out, STR("]}"));
}

/* ---- what became of it ---- */

void pushed_take(struct pushed *pushed, struct str revision)
{
    pushed_forget(pushed);
    if (!revision.n || revision.n > PUSHED_REVISION_MAX)
        return;
    memcpy(pushed->revision, revision.p, revision.n);
    pushed->revision_n = revision.n;
    pushed->before = pushed->now;
    pushed->now = (struct gathered){.n = 0};
    index_items(&pushed->before);
}

void pushed_forget(struct pushed *pushed)
{
    free_gathered(&pushed->before);
    pushed->revision_n = 0;
}

struct str pushed_revision(struct str answer, char *text)
{
    const struct jr_limits limits = {
        .depth = 64, .key = 1024, .string = 64 * 1024, .mark = 1024, .total = UINT64_MAX};
    struct arena *arena = arena_new(ANSWER_ROOM);
    struct str revision = {NULL, 0};
    if (!arena)
        memory_exhausted();
    struct jr *jr = jr_open(arena, source_of(&answer), limits);
    enum jr_type type = jr_next(jr);
    if (type == JR_OBJECT) {
        jr_enter(jr);
        while ((type = jr_next(jr)) > JR_END)
            if (type == JR_STRING && str_eq(jr_key(jr), STR("revision")) &&
                jr_text(jr).n <= PUSHED_REVISION_MAX) {
                revision = (struct str){text, jr_text(jr).n};
                memcpy(text, jr_text(jr).p, revision.n);
            }
        if (jr_next(jr) != JR_END || jr_error(jr)->code != JR_OK)
            revision = (struct str){NULL, 0};
    }
    arena_free(arena);
    return revision;
}
