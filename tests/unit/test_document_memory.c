/* What a document_memory keeps is what it was given, and takes little room. */
#include "reader/document_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/buf.h"
#include "scratch.h"

enum { OBJECTS = 400, TEXT = 4096, ALL = OBJECTS * TEXT, KEPT_MAX = 64 << 20 };

/* An object as pods are: nearly all of it is what others have, too. */
static struct str text_of(int object, int version)
{
    struct buf text = buf_init(arena, SIZE_MAX / 2);
    buf_printf(&text, "{\"metadata\":{\"name\":\"p%d\"},\"version\":%d,\"env\":[", object, version);
    for (int i = 0; text.n < TEXT; i++)
        buf_printf(&text, "{\"name\":\"VARIABLE_%d\",\"value\":\"\"},", i);
    buf_put(&text, STR("0]}"));
    return buf_str(&text);
}

static struct document_object object_of(int object, int version)
{
    return (struct document_object){.kind = KIND_POD,
                                    .api_version = STR("v1"),
                                    .namespace = STR("shop"),
                                    .name = arena_printf(arena, "p%d", object),
                                    .lead = STR(","),
                                    .text = text_of(object, version)};
}

struct kept {
    struct document_memory *memory;
    int versions[OBJECTS]; /* that it must have */
};

static void kept_begin(struct kept *kept, size_t loose)
{
    struct document_index index = {.tail = STR("]}")};
    *kept = (struct kept){.memory = document_memory_new(KEPT_MAX, loose)};
    for (int i = 0; i < OBJECTS; i++)
        LIST_ADD(arena, index.objects, object_of(i, 0));
    document_memory_keep(kept->memory, STR("r"), &index, (text_part_list){0});
}

/* The memory is given what it has, with another text in the place of some, from `first` on. Each
 * time the arena is another one's: what it keeps is its own. */
static void push(struct kept *kept, int first, int step)
{
    const struct document_index *found = document_memory_find(kept->memory, arena, STR("r"));
    assert_non_null(found);
    for (int i = first; i < OBJECTS; i += step)
        found->objects.items[i] = object_of(i, ++kept->versions[i]);
    document_memory_keep(kept->memory, STR("r"), found, (text_part_list){0});
    arena_reset(arena);
}

static void assert_kept(const struct kept *kept)
{
    const struct document_index *found = document_memory_find(kept->memory, arena, STR("r"));
    assert_non_null(found);
    assert_int_equal(found->objects.n, OBJECTS);
    for (int i = 0; i < OBJECTS; i++) {
        struct document_object *object = &found->objects.items[i];
        assert_true(str_eq(document_object_text(object), text_of(i, kept->versions[i])));
        assert_true(str_eq(object->name, str_of(arena_printf(arena, "p%d", i).p)));
    }
    assert_true(str_eq(found->tail, STR("]}")));
    arena_reset(arena);
}

static void a_document_takes_a_part_of_its_text(void **state)
{
    (void)state;
    struct kept kept;
    kept_begin(&kept, 0);
    assert_true(document_memory_bytes(kept.memory) < ALL / 8);
    assert_kept(&kept);
    document_memory_free(kept.memory);
}

/* Whatever changes how often: it neither grows nor becomes another one. */
static void it_does_not_grow_with_changes(void **state)
{
    (void)state;
    static const struct {
        int steps[3]; /* one push after the other */
    } table[] = {
        {{100, 100, 100}}, /* the same few */
        {{37, 41, 43}},    /* others each time */
        {{3, 100, 2}},     /* many, and few */
        {{1, 1, 1}},       /* all */
    };
    for (size_t row = 0; row < COUNT(table); row++) {
        struct kept kept;
        kept_begin(&kept, 0);
        for (int i = 0; i < 120; i++) {
            int step = table[row].steps[i % 3];
            push(&kept, row ? i * 7 % step : 5, step);
            assert_true(document_memory_bytes(kept.memory) < ALL / 2);
        }
        assert_kept(&kept);
        document_memory_free(kept.memory);
    }
}

/* Of many that were packed together few are left: they are packed with others. */
static void what_is_gone_takes_no_room(void **state)
{
    (void)state;
    struct kept kept;
    kept_begin(&kept, 0);
    size_t before = document_memory_bytes(kept.memory);
    for (int first = 0; first < 29; first++) /* all but every thirtieth */
        push(&kept, first, 30);
    for (int i = 0; i < 4; i++)
        push(&kept, 0, 30);
    assert_true(document_memory_bytes(kept.memory) < 2 * before);
    assert_kept(&kept);
    document_memory_free(kept.memory);
}

static void some_of_it_may_be_loose(void **state)
{
    (void)state;
    struct kept packed, loose;
    kept_begin(&packed, 0);
    kept_begin(&loose, ALL * 2);
    assert_true(document_memory_bytes(packed.memory) < ALL);
    assert_true(document_memory_bytes(loose.memory) > ALL);
    push(&loose, 0, 3);
    assert_kept(&loose);
    document_memory_free(packed.memory);
    document_memory_free(loose.memory);
}

/* It is larger than what is packed together. */
static void a_large_object_is_packed_alone(void **state)
{
    (void)state;
    struct document_index index = {.tail = STR("")};
    struct document_memory *memory = document_memory_new(KEPT_MAX, 0);
    struct buf text = buf_init(arena, SIZE_MAX / 2);
    buf_putc(&text, '{');
    for (int i = 0; i < 100000; i++)
        buf_printf(&text, "\"%d\":0,", i);
    buf_put(&text, STR("\"\":0}"));
    struct document_object large = object_of(0, 0);
    large.text = buf_str(&text);
    LIST_ADD(arena, index.objects, object_of(1, 0));
    LIST_ADD(arena, index.objects, large);
    LIST_ADD(arena, index.objects, object_of(2, 0));
    document_memory_keep(memory, STR("r"), &index, (text_part_list){0});
    assert_true(document_memory_bytes(memory) < text.n / 2);
    const struct document_index *found = document_memory_find(memory, arena, STR("r"));
    assert_true(str_eq(document_object_text(&found->objects.items[1]), large.text));
    assert_true(str_eq(document_object_text(&found->objects.items[2]), text_of(2, 0)));
    assert_true(str_eq(document_object_text(&found->objects.items[0]), text_of(1, 0)));
    document_memory_free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_takes_a_part_of_its_text),
        cmocka_unit_test(it_does_not_grow_with_changes),
        cmocka_unit_test(what_is_gone_takes_no_room),
        cmocka_unit_test(some_of_it_may_be_loose),
        cmocka_unit_test(a_large_object_is_packed_alone),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
