/* What a cluster's row keeps of the categories, and what older rows say. */
#include "store/categories.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "scratch.h"

static void what_is_kept_is_read_back(void **state)
{
    (void)state;
    const struct category_result kept[CATEGORY_COUNT] = {
        {.lost = 1, .hazard = 1, .checks = 120, .evaluated = 63},
        {.lost = 2802, .hazard = 3391, .checks = 1, .evaluated = 1},
        {.lost = 10000, .hazard = 98765},
        {0}};
    struct category_result read[CATEGORY_COUNT];
    categories_read(categories_text(arena, kept), read);
    for (int c = 0; c < CATEGORY_COUNT; c++) {
        assert_int_equal(read[c].lost, kept[c].lost);
        assert_int_equal(read[c].hazard, kept[c].hazard);
        assert_int_equal(read[c].checks, kept[c].checks);
        assert_int_equal(read[c].evaluated, kept[c].evaluated);
    }
}

static void what_is_not_told_is_zero(void **state)
{
    (void)state;
    static const struct {
        const char *json;
        uint32_t lost, evaluated; /* of policy */
    } rows[] = {
        {"{\"policy\":{\"budget\":40,\"lost\":9.1,\"checks\":120,\"evaluated\":63}}", 910, 63},
        {"{\"policy\":{\"lost\":9.1}}", 910, 0},
        {"{\"policy\":[]}", 0, 0},
        {"{}", 0, 0},
        {"[]", 0, 0},
        {"", 0, 0},
        {"{\"policy\":{\"lost\":-1,\"evaluated\":1e300}}", 0, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct category_result read[CATEGORY_COUNT];
        categories_read(str_of(rows[i].json), read);
        if (read[0].lost != rows[i].lost || read[0].evaluated != rows[i].evaluated ||
            read[0].hazard != 0 || read[1].lost != 0)
            fail_msg("%s", rows[i].json);
    }
}

static struct str written(struct str json)
{
    struct buf *out = ARENA_NEW(arena, struct buf);
    struct jw w;
    *out = buf_init(arena, 4096);
    jw_init(&w, out);
    categories_write(&w, json);
    return buf_str(out);
}

static void an_answer_has_what_is_kept(void **state)
{
    (void)state;
    const struct category_result kept[CATEGORY_COUNT] = {
        {.lost = 910, .hazard = 3391, .checks = 120, .evaluated = 63}};
    const struct category_result of_before[CATEGORY_COUNT] = {
        {.lost = 910, .checks = 120, .evaluated = 63}};
    struct str text = categories_text(arena, kept);
    assert_true(str_eq(written(text), text));
    text = STR("{\"policy\":{\"budget\":40,\"lost\":9.1,\"checks\":120,\"evaluated\":63}}");
    assert_true(str_eq(written(text), categories_text(arena, of_before)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_is_read_back),
        cmocka_unit_test(what_is_not_told_is_zero),
        cmocka_unit_test(an_answer_has_what_is_kept),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
