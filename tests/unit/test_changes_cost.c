/* What changes cost: work and memory grow with the document, whatever stands in it. */
#include "reader/changes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>
#include <cmocka.h>

#include "base/buf.h"
#include "reader/document_memory.h"
#include "scratch.h"

#define ZEROS "0000000000000000000000000000000000000000000000000000000000000000"

static const struct document_index *index_of(struct str text)
{
    struct document_index *index = ARENA_NEW(arena, struct document_index);
    struct snapshot_error error;
    assert_true(document_index_read(arena, text, index, &error));
    return index;
}

/* Objects with many blanks behind each, all of which go. */
static clock_t time_to_remove(int objects, int blanks)
{
    struct buf document = buf_init(arena, SIZE_MAX / 2), list = buf_init(arena, SIZE_MAX / 2);
    struct changes changes;
    struct changes_error error;
    unsigned char digest[SHA256];
    const char *why = NULL;
    buf_put(&list, STR("{\"base\":\"r\",\"digest\":\"" ZEROS "\",\"objects\":[],\"removed\":["));
    for (int i = 0; i < objects; i++) {
        buf_printf(&document,
                   "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"p%d\"}}%*s", i,
                   blanks, "");
        buf_printf(&list, "%s{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"name\":\"p%d\"}",
                   i ? "," : "", i);
    }
    buf_put(&list, STR("]}"));
    const struct document_index *index = index_of(buf_str(&document));
    assert_true(changes_read(arena, buf_str(&list), &changes, &error));
    clock_t before = clock();
    const struct document_index *left =
        changes_apply(arena, index, &changes, document.n, digest, &why);
    clock_t taken = clock() - before;
    assert_non_null(left);
    assert_int_equal(left->objects.n, 0);
    assert_int_equal(left->tail.n, (size_t)objects * (size_t)blanks);
    arena_reset(arena);
    return taken;
}

/* Four times as much takes sixteen times as long where each object looks at all blanks so far: 7 s
 * in place of 0.02. */
static void blanks_are_looked_at_once(void **state)
{
    (void)state;
    time_to_remove(1000, 400);
    assert_true(time_to_remove(5000, 400) < 2 * CLOCKS_PER_SEC);
}

enum { OBJECTS = 2000, STEPS = 60, TEXT = 1500 };

/* Its bytes do not repeat, so that few fit into what is unpacked at once. */
static struct document_object object_of(uint32_t object, uint32_t version)
{
    struct buf text = buf_init(arena, SIZE_MAX / 2);
    uint32_t seed = object * 2654435761u + version;
    buf_printf(&text, "{\"metadata\":{\"name\":\"p%u\"},\"x\":\"", object);
    while (text.n < TEXT)
        buf_printf(&text, "%08x", seed = seed * 1664525u + 1013904223u);
    buf_put(&text, STR("\"}"));
    return (struct document_object){.kind = KIND_POD,
                                    .api_version = STR("v1"),
                                    .name = arena_printf(arena, "p%u", object),
                                    .lead = STR(","),
                                    .text = buf_str(&text)};
}

/* Objects that changed at different times lie in different packs, each beside those of other
 * places: who reads in order comes back to a pack many times. */
static void each_pack_is_unpacked_once(void **state)
{
    (void)state;
    struct document_memory *memory = document_memory_new((size_t)64 << 20, 64 * 1024);
    struct document_index index = {.tail = STR("]}")};
    for (uint32_t i = 0; i < OBJECTS; i++)
        LIST_ADD(arena, index.objects, object_of(i, 0));
    document_memory_keep(memory, STR("r"), &index, (text_part_list){0});
    for (uint32_t step = 1; step <= STEPS; step++) {
        arena_reset(arena);
        const struct document_index *found = document_memory_find(memory, arena, STR("r"));
        for (uint32_t i = 0; i < OBJECTS / 20; i++) {
            uint32_t at = (step * 7919 + i * 104729) % OBJECTS;
            found->objects.items[at] = object_of(at, step);
        }
        document_memory_keep(memory, STR("r"), found, (text_part_list){0});
    }
    arena_reset(arena);
    const struct document_index *found = document_memory_find(memory, arena, STR("r"));
    size_t before = arena_used(arena);
    for (uint32_t i = 0; i < OBJECTS; i++)
        assert_true(document_object_text(&found->objects.items[i]).n >= TEXT);
    assert_true(arena_used(arena) - before < (size_t)3 * OBJECTS * TEXT);
    document_memory_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blanks_are_looked_at_once),
        cmocka_unit_test(each_pack_is_unpacked_once),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
