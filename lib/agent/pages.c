#include "agent/pages.h"

#include "codec/deflate.h"
#include "codec/inflate.h"

enum {
    PAGE_BYTES = 64 * 1024,
    LEVEL = 6,
    GAPS_MAX = 8 * 1024 * 1024 /* so many bytes may wait for the next push */
};

#define LIST_END STR("]}")

struct entry {
    struct paged *object; /* NULL: a gap */
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

static struct page *add_page(struct pages *pages)
{
    struct page *page = MEMORY_NEW(struct page);
    page->next = pages->first;
    page->link = &pages->first;
    if (page->next)
        page->next->link = &page->next;
    return pages->first = page;
}

static void free_page(struct pages *pages, struct page *page)
{
    *page->link = page->next;
    if (page->next)
        page->next->link = page->link;
    if (pages->open == page)
        pages->open = NULL;
    bytes_free(&page->raw);
    free(page->packed);
    free(page->entries);
    free(page);
}

/* A gzip member: a list of the living among the objects of an open page. */
static void pack_open(const struct pages *pages, const struct page *page, struct bytes *out)
{
    struct deflate *deflate = deflate_open((struct sink){bytes_sink, out}, LEVEL);
    size_t from = 0;
    bool comma = false, good = deflate && deflate_put(deflate, str_of(pages->front));
    for (uint32_t i = 0; page && i < page->n; i++) {
        if (page->entries[i].object) {
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
        if (page->entries[i].object) {
            page->entries[i].object->place = n;
            page->entries[n++] = page->entries[i];
        }
    page->n = n;
}

static size_t gaps_of(const struct page *page)
{
    size_t gaps = 0;
    for (uint32_t i = 0; i < page->n; i++)
        gaps += page->entries[i].object ? 0 : page->entries[i].length;
    return gaps;
}

static void close_page(struct pages *pages)
{
    struct page *page = pages->open;
    struct bytes packed = {0};
    pages->gaps -= gaps_of(page);
    pack_open(pages, page, &packed);
    close_gaps(page);
    page->packed = memory_resize(packed.p, packed.n);
    page->packed_n = packed.n;
    page->room = page->n;
    page->entries = memory_resize(page->entries, page->n * sizeof *page->entries);
    bytes_free(&page->raw);
    pages->open = NULL;
    if (page->n == 0)
        free_page(pages, page);
}

/* Adds an object's text at the end of the open page. */
static void append(struct pages *pages, struct paged *object, struct str text)
{
    if (pages->open && pages->open->raw.n + text.n > PAGE_BYTES && pages->open->n)
        close_page(pages);
    if (!pages->open)
        pages->open = add_page(pages);
    struct page *page = pages->open;
    if (page->n == page->room) {
        page->room = page->room ? page->room * 2 : 8;
        page->entries = memory_resize(page->entries, page->room * sizeof *page->entries);
    }
    page->entries[page->n] = (struct entry){object, (uint32_t)text.n};
    object->page = page;
    object->place = page->n++;
    page->living++;
    bytes_put(&page->raw, text);
}

void pages_remove(struct pages *pages, struct paged *object)
{
    struct page *page = object->page;
    page->entries[object->place].object = NULL;
    pages->gaps += page->entries[object->place].length;
    if (--page->living == 0) {
        pages->gaps -= gaps_of(page);
        free_page(pages, page);
    }
}

/* The text of a packed page, with commas between its objects; without memory the program ends. */
static struct str unpack(struct pages *pages, const struct page *page)
{
    struct bytes *text = pages->scratch;
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
    return str_sub(bytes_str(text), str_of(pages->front).n, SIZE_MAX);
}

/* Moves what lives in a packed page to the open one. */
static void rewrite_page(struct pages *pages, struct page *page)
{
    struct str text = unpack(pages, page);
    pages->gaps -= gaps_of(page);
    for (uint32_t i = 0; i < page->n; i++) {
        struct entry entry = page->entries[i];
        if (entry.object)
            append(pages, entry.object, str_sub(text, 0, entry.length));
        text = str_sub(text, entry.length + 1, SIZE_MAX);
    }
    free_page(pages, page);
}

/* Pages that are made meanwhile stand before the ones that are looked at. */
void pages_close_gaps(struct pages *pages)
{
    for (struct page *page = pages->first, *next; page && pages->gaps; page = next) {
        next = page->next;
        if (page != pages->open && page->living < page->n)
            rewrite_page(pages, page);
    }
}

void pages_add(struct pages *pages, struct paged *object, struct str text)
{
    append(pages, object, text);
    if (pages->gaps > GAPS_MAX)
        pages_close_gaps(pages);
}

size_t pages_put_wanted(struct pages *pages,
                        bool (*wants)(void *context, const struct paged *object), void *context,
                        struct bytes *out)
{
    size_t put = 0;
    for (const struct page *page = pages->first; page; page = page->next) {
        bool is_open = page == pages->open, unpacked = false;
        struct str text = is_open ? bytes_str(&page->raw) : STR("");
        size_t from = 0;
        for (uint32_t i = 0; i < page->n; i++) {
            const struct entry *entry = &page->entries[i];
            if (entry->object && wants(context, entry->object)) {
                if (!is_open && !unpacked)
                    text = unpack(pages, page);
                unpacked = true;
                bytes_put(out, put++ ? STR(",") : STR(""));
                bytes_put(out, str_sub(text, from, entry->length));
            }
            from += entry->length + !is_open; /* commas stand in what was packed */
        }
    }
    return put;
}

void pages_pack(struct pages *pages, struct bytes *out)
{
    pages_close_gaps(pages);
    if (!pages->first)
        pack_open(pages, NULL, out);
    for (const struct page *page = pages->first; page; page = page->next)
        if (page == pages->open)
            pack_open(pages, page, out);
        else
            bytes_put(out, (struct str){page->packed, page->packed_n});
}

size_t pages_bytes(const struct pages *pages)
{
    size_t bytes = 0;
    for (const struct page *page = pages->first; page; page = page->next)
        bytes +=
            sizeof *page + page->packed_n + page->raw.room + page->room * sizeof *page->entries;
    return bytes;
}
