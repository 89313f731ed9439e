#include "agent/store.h"

#include "agent/pages.h"
#include "base/asserts.h"
#include "base/hash.h"
#include "base/rand.h"

enum { SLOTS_LEAST = 16 };

struct record {
    struct paged paged;  /* first: pages tell of these */
    struct record *next; /* of the same slot */
    uint32_t generation;
    uint64_t hash, version; /* version: its hash; 0: it has none */
    unsigned char digest[SHA256];
    uint32_t namespace_n, name_n;
    char text[]; /* namespace and name */
};

struct store_list {
    struct store *store;
    struct str kind;
    bool quiet;
    char *kind_text, *version_text;
    uint32_t generation;
    struct pages pages;
    struct record **slots;
    size_t slots_n, count;
};

struct store {
    struct store_list *lists[STORE_LISTS_MAX];
    size_t lists_n;
    uint64_t seed, changes;
    struct bytes scratch;
    void (*tell_gone)(void *context, struct str kind, struct str namespace, struct str name);
    void *gone_context;
};

struct store *store_new(void)
{
    struct store *store = MEMORY_NEW(struct store);
    rand_bytes(&store->seed, sizeof store->seed);
    return store;
}

struct store_list *store_add_list(struct store *store, struct str kind, bool quiet)
{
    if (store->lists_n == STORE_LISTS_MAX)
        return NULL;
    struct store_list *list = MEMORY_NEW(struct store_list);
    *list = (struct store_list){.store = store, .quiet = quiet, .kind_text = memory_text(kind)};
    list->kind = (struct str){list->kind_text, kind.n};
    list->pages.front = memory_text(STR(""));
    list->pages.scratch = &store->scratch;
    list->version_text = memory_text(STR(""));
    list->slots_n = SLOTS_LEAST;
    list->slots = memory_new(SLOTS_LEAST * sizeof *list->slots);
    return store->lists[store->lists_n++] = list;
}

void store_set_version(struct store_list *list, struct str api_version)
{
    struct bytes text = {0};
    bytes_put(&text, STR("{\"kind\":\""));
    bytes_put(&text, list->kind);
    bytes_put(&text, STR("List\",\"apiVersion\":\""));
    bytes_put(&text, api_version);
    bytes_put(&text, STR("\",\"items\":["));
    bytes_putc(&text, 0);
    if (strcmp(text.p, list->pages.front) != 0)
        store_clear(list);
    free(list->pages.front);
    list->pages.front = text.p;
    free(list->version_text);
    list->version_text = memory_text(api_version);
}

struct str store_front(const struct store_list *list)
{
    return str_of(list->pages.front);
}

struct str store_kind(const struct store_list *list)
{
    return list->kind;
}

struct str store_api_version(const struct store_list *list)
{
    return str_of(list->version_text);
}

static void note_change(struct store_list *list)
{
    list->store->changes += !list->quiet;
}

uint64_t store_changes(const struct store *store)
{
    return store->changes;
}

void store_tell_gone(struct store *store,
                     void (*tell)(void *context, struct str kind, struct str namespace,
                                  struct str name),
                     void *context)
{
    store->tell_gone = tell;
    store->gone_context = context;
}

size_t store_count(const struct store_list *list)
{
    return list->count;
}

/* ---- records ---- */

static uint64_t hash_of(const struct store_list *list, struct str namespace, struct str name)
{
    return hash_bytes(hash_bytes(list->store->seed, namespace), name);
}

/* Where the pointer to the record stands, or would stand. */
static struct record **find(struct store_list *list, struct str namespace, struct str name)
{
    uint64_t hash = hash_of(list, namespace, name);
    struct record **at = &list->slots[hash & (list->slots_n - 1)];
    for (; *at; at = &(*at)->next) {
        struct record *record = *at;
        struct str one = {record->text, record->namespace_n},
                   other = {record->text + record->namespace_n, record->name_n};
        if (record->hash == hash && str_eq(one, namespace) && str_eq(other, name))
            break;
    }
    return at;
}

static void grow_slots(struct store_list *list)
{
    size_t n = list->slots_n * 2;
    struct record **slots = memory_new(n * sizeof(struct record *));
    for (size_t i = 0; i < list->slots_n; i++)
        for (struct record *record = list->slots[i], *next; record; record = next) {
            next = record->next;
            record->next = slots[record->hash & (n - 1)];
            slots[record->hash & (n - 1)] = record;
        }
    free(list->slots);
    list->slots = slots;
    list->slots_n = n;
}

static struct record *add_record(struct store_list *list, struct str namespace, struct str name)
{
    struct record *record = memory_new(sizeof *record + namespace.n + name.n);
    if (list->count >= list->slots_n)
        grow_slots(list);
    record->hash = hash_of(list, namespace, name);
    record->namespace_n = (uint32_t) namespace.n;
    record->name_n = (uint32_t)name.n;
    if (namespace.n)
        memcpy(record->text, namespace.p, namespace.n);
    if (name.n)
        memcpy(record->text + namespace.n, name.p, name.n);
    struct record **slot = &list->slots[record->hash & (list->slots_n - 1)];
    record->next = *slot;
    *slot = record;
    list->count++;
    return record;
}

/* ---- objects ---- */

static uint64_t version_of(const struct store_list *list, struct str version)
{
    return version.n ? hash_bytes(list->store->seed, version) | 1 : 0;
}

bool store_keep(struct store_list *list, struct str namespace, struct str name, struct str version)
{
    struct record *record = *find(list, namespace, name);
    if (!record || !version.n || record->version != version_of(list, version))
        return false;
    record->generation = list->generation;
    return true;
}

void store_put(struct store_list *list, struct str namespace, struct str name, struct str version,
               struct str text)
{
    struct record *record = *find(list, namespace, name);
    if (record)
        pages_remove(&list->pages, &record->paged);
    else
        record = add_record(list, namespace, name);
    record->generation = list->generation;
    record->version = version_of(list, version);
    struct str parts[] = {list->kind, STR("\n"), store_api_version(list), STR("\n"), text};
    sha256(parts, sizeof parts / sizeof *parts, record->digest);
    pages_add(&list->pages, &record->paged, text);
    note_change(list);
}

static void remove_at(struct store_list *list, struct record **at)
{
    struct record *record = *at;
    const struct store *store = list->store;
    pages_remove(&list->pages, &record->paged);
    *at = record->next;
    list->count--;
    note_change(list);
    if (store->tell_gone)
        store->tell_gone(store->gone_context, list->kind,
                         (struct str){record->text, record->namespace_n},
                         (struct str){record->text + record->namespace_n, record->name_n});
    free(record);
}

void store_remove(struct store_list *list, struct str namespace, struct str name)
{
    struct record **at = find(list, namespace, name);
    if (*at)
        remove_at(list, at);
}

void store_begin(struct store_list *list)
{
    list->generation++;
}

static void keep_generation(struct store_list *list, uint32_t generation)
{
    for (size_t i = 0; i < list->slots_n; i++)
        for (struct record **at = &list->slots[i]; *at;)
            if ((*at)->generation != generation)
                remove_at(list, at);
            else
                at = &(*at)->next;
}

void store_settle(struct store_list *list)
{
    keep_generation(list, list->generation);
    pages_close_gaps(&list->pages);
}

void store_clear(struct store_list *list)
{
    list->generation++;
    keep_generation(list, list->generation);
}

static struct store_object object_of(const struct record *record)
{
    return (struct store_object){{record->text, record->namespace_n},
                                 {record->text + record->namespace_n, record->name_n},
                                 record->digest};
}

void store_each(const struct store_list *list,
                void (*tell)(void *context, const struct store_object *object), void *context)
{
    for (size_t i = 0; i < list->slots_n; i++)
        for (const struct record *record = list->slots[i]; record; record = record->next) {
            struct store_object object = object_of(record);
            tell(context, &object);
        }
}

struct wanting {
    bool (*wants)(void *context, const struct store_object *object);
    void *context;
};

static bool is_wanted(void *context, const struct paged *paged)
{
    const struct wanting *wanting = context;
    struct store_object object = object_of((const struct record *)paged);
    return wanting->wants(wanting->context, &object);
}

size_t store_put_wanted(struct store_list *list,
                        bool (*wants)(void *context, const struct store_object *object),
                        void *context, struct bytes *out)
{
    struct wanting wanting = {wants, context};
    return pages_put_wanted(&list->pages, is_wanted, &wanting, out);
}

void store_pack(struct store_list *list, struct bytes *out)
{
    pages_pack(&list->pages, out);
}

size_t store_bytes(const struct store *store)
{
    size_t bytes = sizeof *store;
    for (size_t i = 0; i < store->lists_n; i++) {
        const struct store_list *list = store->lists[i];
        bytes += list->slots_n * sizeof *list->slots + list->count * (sizeof(struct record) + 64) +
                 pages_bytes(&list->pages);
    }
    return bytes;
}

void store_free(struct store *store)
{
    for (size_t i = 0; store && i < store->lists_n; i++) {
        struct store_list *list = store->lists[i];
        store_clear(list);
        free(list->slots);
        free(list->pages.front);
        free(list->version_text);
        free(list->kind_text);
        free(list);
    }
    if (store)
        bytes_free(&store->scratch);
    free(store);
}
