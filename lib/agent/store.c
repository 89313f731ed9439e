#include "agent/store.h"

#include "base/asserts.h"
#include "base/hash.h"
#include "base/rand.h"
#include "codec/deflate.h"
#include "codec/inflate.h"

enum {
    PAGE_BYTES = 64 * 1024,
    LEVEL = 6,
    SLOTS_LEAST = 16,
    GAPS_MAX = 8 * 1024 * 1024 /* of a list, in bytes: so much may wait for the next push */
};

#define LIST_END STR("]}")

struct record {
    struct record *next; /* of the same slot */
    struct page *page;
    uint32_t place; /* in it */
    uint32_t generation;
    uint64_t hash, version; /* version: its hash; 0: it has none */
    unsigned char digest[SHA256];
    uint32_t namespace_n, name_n;
    char text[]; /* namespace and name */
};

struct entry {
    struct record *record; /* NULL: a gap */
    uint32_t length;
};

/* Either open, and then raw has its objects one after another, or packed. */
struct page {
    struct page *next, **link;
    struct bytes raw;
    char *packed;
    size_t packed_n;
    struct entry *entries;
    uint32_t n, room, living;
};

struct store_list {
    struct store *store;
    struct str kind;
    bool quiet;
    char *kind_text, *version_text, *front;
    uint32_t generation;
    struct page *pages, *open; /* open: one of them, or NULL */
    struct record **slots;
    size_t slots_n, count, gaps; /* gaps: in bytes */
};

struct store {
    struct store_list *lists[STORE_LISTS_MAX];
    size_t lists_n;
    uint64_t seed, changes;
    struct bytes scratch;
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
    list->front = memory_text(STR(""));
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
    if (strcmp(text.p, list->front) != 0)
        store_clear(list);
    free(list->front);
    list->front = text.p;
    free(list->version_text);
    list->version_text = memory_text(api_version);
}

struct str store_front(const struct store_list *list)
{
    return str_of(list->front);
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

/* ---- pages ---- */

static struct page *add_page(struct store_list *list)
{
    struct page *page = MEMORY_NEW(struct page);
    page->next = list->pages;
    page->link = &list->pages;
    if (page->next)
        page->next->link = &page->next;
    return list->pages = page;
}

static void free_page(struct store_list *list, struct page *page)
{
    *page->link = page->next;
    if (page->next)
        page->next->link = page->link;
    if (list->open == page)
        list->open = NULL;
    bytes_free(&page->raw);
    free(page->packed);
    free(page->entries);
    free(page);
}

/* A gzip member: a list of the living among the objects of an open page. */
static void pack_open(const struct store_list *list, const struct page *page, struct bytes *out)
{
    struct deflate *deflate = deflate_open((struct sink){bytes_sink, out}, LEVEL);
    size_t from = 0;
    bool comma = false, good = deflate && deflate_put(deflate, str_of(list->front));
    for (uint32_t i = 0; page && i < page->n; i++) {
        if (page->entries[i].record) {
            if (comma)
                good = good && deflate_put(deflate, STR(","));
            good = good &&
                   deflate_put(deflate, (struct str){page->raw.p + from, page->entries[i].length});
            comma = true;
        }
        from += page->entries[i].length;
    }
    if (!good || !deflate_put(deflate, LIST_END) || !deflate_finish(deflate))
        memory_exhausted();
    deflate_free(deflate);
}

/* Drops the gaps at the end of what is known of a page that was packed without them. */
static void close_gaps(struct page *page)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < page->n; i++)
        if (page->entries[i].record) {
            page->entries[i].record->place = n;
            page->entries[n++] = page->entries[i];
        }
    page->n = n;
}

static size_t gaps_of(const struct page *page)
{
    size_t gaps = 0;
    for (uint32_t i = 0; i < page->n; i++)
        gaps += page->entries[i].record ? 0 : page->entries[i].length;
    return gaps;
}

static void close_page(struct store_list *list)
{
    struct page *page = list->open;
    struct bytes packed = {0};
    list->gaps -= gaps_of(page);
    pack_open(list, page, &packed);
    close_gaps(page);
    page->packed = memory_resize(packed.p, packed.n);
    page->packed_n = packed.n;
    page->room = page->n;
    page->entries = memory_resize(page->entries, page->n * sizeof *page->entries);
    bytes_free(&page->raw);
    list->open = NULL;
    if (page->n == 0)
        free_page(list, page);
}

/* Adds a record's text at the end of the open page. */
static void append(struct store_list *list, struct record *record, struct str text)
{
    if (list->open && list->open->raw.n + text.n > PAGE_BYTES && list->open->n)
        close_page(list);
    if (!list->open)
        list->open = add_page(list);
    struct page *page = list->open;
    if (page->n == page->room) {
        page->room = page->room ? page->room * 2 : 8;
        page->entries = memory_resize(page->entries, page->room * sizeof *page->entries);
    }
    page->entries[page->n] = (struct entry){record, (uint32_t)text.n};
    record->page = page;
    record->place = page->n++;
    page->living++;
    bytes_put(&page->raw, text);
}

/* The record's text is no longer wanted. */
static void leave_gap(struct store_list *list, struct record *record)
{
    struct page *page = record->page;
    page->entries[record->place].record = NULL;
    list->gaps += page->entries[record->place].length;
    if (--page->living == 0) {
        list->gaps -= gaps_of(page);
        free_page(list, page);
    }
}

/* The text of a packed page, with commas between its objects; without memory the program ends. */
static struct str unpack(struct store_list *list, const struct page *page)
{
    struct bytes *text = &list->store->scratch;
    struct str packed = {page->packed, page->packed_n};
    struct inflate *inflate = inflate_open(source_of(&packed), SIZE_MAX);
    struct source from = inflate ? inflate_source(inflate) : (struct source){NULL, NULL};
    char piece[16 * 1024];
    ptrdiff_t n = inflate ? 0 : -1;
    bytes_clear(text, 4 * PAGE_BYTES);
    while (n >= 0 && (n = from.read(from.context, piece, sizeof piece)) > 0)
        bytes_put(text, (struct str){piece, (size_t)n});
    if (n < 0)
        memory_exhausted();
    inflate_free(inflate);
    return str_sub(bytes_str(text), str_of(list->front).n, SIZE_MAX);
}

/* Moves what lives in a packed page to the open one. */
static void rewrite_page(struct store_list *list, struct page *page)
{
    struct str text = unpack(list, page);
    list->gaps -= gaps_of(page);
    for (uint32_t i = 0; i < page->n; i++) {
        struct entry entry = page->entries[i];
        if (entry.record)
            append(list, entry.record, str_sub(text, 0, entry.length));
        text = str_sub(text, entry.length + 1, SIZE_MAX);
    }
    free_page(list, page);
}

/* Pages that are made meanwhile stand before the ones that are looked at. */
static void close_all_gaps(struct store_list *list)
{
    for (struct page *page = list->pages, *next; page && list->gaps; page = next) {
        next = page->next;
        if (page != list->open && page->living < page->n)
            rewrite_page(list, page);
    }
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
        leave_gap(list, record);
    else
        record = add_record(list, namespace, name);
    record->generation = list->generation;
    record->version = version_of(list, version);
    struct str parts[] = {list->kind, STR("\n"), store_api_version(list), STR("\n"), text};
    sha256(parts, sizeof parts / sizeof *parts, record->digest);
    append(list, record, text);
    note_change(list);
    if (list->gaps > GAPS_MAX)
        close_all_gaps(list);
}

static void remove_at(struct store_list *list, struct record **at)
{
    struct record *record = *at;
    leave_gap(list, record);
    *at = record->next;
    free(record);
    list->count--;
    note_change(list);
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
    close_all_gaps(list);
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

size_t store_put_wanted(struct store_list *list,
                        bool (*wants)(void *context, const struct store_object *object),
                        void *context, struct bytes *out)
{
    size_t put = 0;
    for (const struct page *page = list->pages; page; page = page->next) {
        bool is_open = page == list->open, unpacked = false;
        struct str text = is_open ? bytes_str(&page->raw) : STR("");
        size_t from = 0;
        for (uint32_t i = 0; i < page->n; i++) {
            const struct entry *entry = &page->entries[i];
            struct store_object object = {0};
            if (entry->record)
                object = object_of(entry->record);
            if (entry->record && wants(context, &object)) {
                if (!is_open && !unpacked)
                    text = unpack(list, page);
                unpacked = true;
                bytes_put(out, put++ ? STR(",") : STR(""));
                bytes_put(out, str_sub(text, from, entry->length));
            }
            from += entry->length + !is_open; /* commas stand in what was packed */
        }
    }
    return put;
}

void store_pack(struct store_list *list, struct bytes *out)
{
    close_all_gaps(list);
    if (!list->count)
        pack_open(list, NULL, out);
    for (const struct page *page = list->pages; page; page = page->next)
        if (page == list->open)
            pack_open(list, page, out);
        else
            bytes_put(out, (struct str){page->packed, page->packed_n});
}

size_t store_bytes(const struct store *store)
{
    size_t bytes = sizeof *store;
    for (size_t i = 0; i < store->lists_n; i++) {
        const struct store_list *list = store->lists[i];
        bytes += list->slots_n * sizeof *list->slots + list->count * (sizeof(struct record) + 64);
        for (const struct page *page = list->pages; page; page = page->next)
            bytes +=
                sizeof *page + page->packed_n + page->raw.room + page->room * sizeof *page->entries;
    }
    return bytes;
}

void store_free(struct store *store)
{
    for (size_t i = 0; store && i < store->lists_n; i++) {
        struct store_list *list = store->lists[i];
        store_clear(list);
        free(list->slots);
        free(list->front);
        free(list->version_text);
        free(list->kind_text);
        free(list);
    }
    if (store)
        bytes_free(&store->scratch);
    free(store);
}
