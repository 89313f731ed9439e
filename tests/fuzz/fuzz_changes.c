/* A list of changes: the first byte chooses the document. What it leads to reads as what is known
 * of it, and changes that are there already change nothing more. */
#include <stdlib.h>

#include "reader/changes.h"

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
    must(str_eq(a->text, b->text) && a->objects.n == b->objects.n);
    for (uint32_t i = 0; i < a->objects.n; i++) {
        const struct document_object *x = &a->objects.items[i], *y = &b->objects.items[i];
        must(x->kind == y->kind && str_eq(x->api_version, y->api_version));
        must(str_eq(x->namespace, y->namespace) && str_eq(x->name, y->name));
        must(x->from == y->from && x->to == y->to);
        must(memcmp(x->digest, y->digest, SHA256) == 0);
        must(a->text.p[x->from] == '{' && a->text.p[x->to - 1] == '}');
    }
}

static void apply(struct arena *arena, struct str document, const struct changes *changes)
{
    struct document_index old, read;
    struct snapshot_error error;
    unsigned char digest[SHA256], again[SHA256];
    const char *why;
    must(document_index_read(arena, document, &old, &error));
    const struct document_index *now = changes_apply(arena, &old, changes, SIZE_MAX, digest, &why);
    if (!now) {
        must(why != NULL);
        return;
    }
    must(document_index_read(arena, now->text, &read, &error));
    must_be_same(now, &read);
    document_index_digest(arena, &read, again);
    must(memcmp(digest, again, SHA256) == 0);
    if (!changes->removed.n) {
        const struct document_index *twice =
            changes_apply(arena, now, changes, SIZE_MAX, again, &why);
        must(twice && str_eq(twice->text, now->text));
    }
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
