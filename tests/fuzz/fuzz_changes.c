/* A list of changes: the first byte chooses the document. What it leads to reads as what is known
 * of it, and changes that are there already change nothing more. */
#include <stdlib.h>

#include "reader/changes.h"
#include "reader/document_memory.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void must(bool so)
{
    if (!so)
        abort();
}

#define META(name)  "\"metadata\":{\"name\":\"" name "\"}"
#define POD(name)   "{" META(name) "}"
#define TYPED(name) "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"," META(name) "}"
#define PODS(items) "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"items\":[" items "]}"

static const char *const documents[] = {
    PODS(POD("a") "," POD("b") "," POD("c") "," POD("d")),
    PODS(POD("a") " ,\n\t" POD("b") " , " POD("c") "\n") PODS("") "\n" PODS(POD("d")),
    PODS(POD("a") ",null," POD("b") "," POD("b")) "{\"kind\":\"NodeList\",\"apiVersion\":\"v1\","
                                                  "\"items\":[" POD("a") "]}",
    TYPED("a") TYPED("b") " " TYPED("c"),
    "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[" TYPED("a") "," TYPED("b") ",1,{}]}",
    "{\"pods\":[" POD("a") "," TYPED("b") "],\"nodes\":{\"items\":[" POD("a") "]}}",
    "[" TYPED("a") "," PODS(POD("b")) ",null]",
    "",
};
enum { DOCUMENTS = sizeof documents / sizeof *documents };

static void must_be_same(const struct document_index *a, const struct document_index *b)
{
    must(str_eq(a->tail, b->tail) && a->objects.n == b->objects.n);
    for (uint32_t i = 0; i < a->objects.n; i++) {
        struct document_object *x = &a->objects.items[i], *y = &b->objects.items[i];
        struct str text = document_object_text(x);
        must(x->kind == y->kind && str_eq(x->api_version, y->api_version));
        must(str_eq(x->namespace, y->namespace) && str_eq(x->name, y->name));
        must(str_eq(x->lead, y->lead) && str_eq(text, document_object_text(y)));
        must(memcmp(x->digest, y->digest, SHA256) == 0);
        must(text.p[0] == '{' && text.p[text.n - 1] == '}');
    }
}

static struct str text_of(struct arena *arena, const struct document_index *index)
{
    struct document_cursor cursor = {.index = index};
    struct source source = document_source(&cursor);
    size_t n = (size_t)document_index_length(index);
    char *text = arena_bytes(arena, n + 1);
    must(source.read(source.context, text, n + 1) == (ptrdiff_t)n);
    cursor = (struct document_cursor){.index = index};
    must(document_cursor_pass(&cursor, (struct str){text, n}));
    must(document_cursor_is_at_end(&cursor));
    return (struct str){text, n};
}

/* Kept by a memory it is the same, also when most of it was there. */
static void keep(struct arena *arena, struct document_memory *memory,
                 const struct document_index *index)
{
    document_memory_keep(memory, STR("r"), index, (text_part_list){0});
    const struct document_index *kept = document_memory_find(memory, arena, STR("r"));
    must(kept != NULL);
    must_be_same(kept, index);
}

static void apply(struct arena *arena, struct str document, const struct changes *changes)
{
    struct document_index old, read;
    struct snapshot_error error;
    unsigned char digest[SHA256], again[SHA256];
    const char *why;
    struct document_memory *memory = document_memory_new(SIZE_MAX / 2, 0);
    must(memory && document_index_read(arena, document, &old, &error));
    keep(arena, memory, &old);
    const struct document_index *now = changes_apply(
        arena, document_memory_find(memory, arena, STR("r")), changes, SIZE_MAX, digest, &why);
    if (!now) {
        must(why != NULL);
        document_memory_free(memory);
        return;
    }
    must(document_index_read(arena, text_of(arena, now), &read, &error));
    must_be_same(now, &read);
    document_index_digest(arena, &read, again);
    must(memcmp(digest, again, SHA256) == 0);
    document_memory_keep(memory, STR("r"), now, (text_part_list){0});
    now = document_memory_find(memory, arena, STR("r"));
    must_be_same(now, &read);
    if (!changes->removed.n) {
        const struct document_index *twice =
            changes_apply(arena, now, changes, SIZE_MAX, again, &why);
        must(twice != NULL);
        must_be_same(twice, &read);
    }
    document_memory_free(memory);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct arena *arena = arena_new((size_t)256 << 20);
    struct changes changes;
    struct changes_error error;
    must(arena != NULL);
    if (size) {
        struct str text = {(const char *)data + 1, size - 1};
        if (changes_read(arena, text, &changes, &error))
            apply(arena, str_of(documents[data[0] % DOCUMENTS]), &changes);
        else
            must((error.field != NULL) != (error.json.code != JR_OK));
    }
    arena_free(arena);
    return 0;
}
