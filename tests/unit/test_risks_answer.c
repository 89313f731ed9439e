#include "web/risks_answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "scratch.h"

#define EXEMPT(n) "{\"id\":" #n ",\"exempt\":\"known\"}"

/* costing lines that cost something, exempt ones, and others, each with its number */
static struct str lines_of(int costing, int exempt, int others)
{
    struct buf out = buf_init(arena, 65536);
    int id = 0;
    for (int i = 0; i < costing; i++)
        buf_printf(&out, "{\"id\":%d}\n", id++);
    for (int i = 0; i < exempt; i++)
        buf_printf(&out, "{\"id\":%d,\"exempt\":\"known\"}\n", id++);
    for (int i = 0; i < others; i++)
        buf_printf(&out, "{\"id\":%d}\n", id++);
    return str_or_empty(buf_str(&out));
}

static struct str written(struct str findings, struct str lines)
{
    struct buf out = buf_init(arena, 65536);
    struct jw w;
    jw_init(&w, &out);
    jw_object(&w);
    risks_answer_write(&w, findings, lines);
    jw_object_end(&w);
    return buf_str(&out);
}

static void few_are_all_there(void **state)
{
    static const struct {
        const char *findings, *lines, *expected;
    } rows[] = {
        {"[]", "", "{\"risks\":[]}"},
        {"", "", "{\"risks\":[]}"},
        {"[{\"id\":7}]", "", "{\"risks\":[{\"id\":7}]}"},
        {"[]", "{\"id\":1}\n", "{\"risks\":[{\"id\":1}]}"},
        {"[{\"id\":7}]", "{\"id\":1}\n" EXEMPT(2) "\n",
         "{\"risks\":[{\"id\":7},{\"id\":1}," EXEMPT(2) "]}"},
        /* As a list of decisions has them. */
        {"[{\"id\":7},{\"id\":8}]", "{\"id\":1}\n{\"id\":2}",
         "{\"risks\":[{\"id\":7},{\"id\":8},{\"id\":1},{\"id\":2}]}"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (!str_eq(written(str_of(rows[i].findings), str_of(rows[i].lines)),
                    str_of(rows[i].expected)))
            fail_msg("row %zu", i);
}

static void what_is_found_takes_places(void **state)
{
    static const struct {
        const char *findings;
        int found, costing, exempt, others;
        int first_gone, last_gone; /* -1: none */
    } rows[] = {
        {"[]", 0, 100, 0, 0, -1, -1},
        {"[{}]", 1, 99, 0, 0, -1, -1},
        {"[{}]", 1, 100, 0, 0, 99, 99},
        {"[{},{}]", 2, 80, 20, 0, 78, 79},
        {"[{},{}]", 2, 70, 20, 9, 69, 69},
        {"[{},{}]", 2, 1, 20, 79, 0, 1}, /* of the exempt ones where nothing else is before them */
        /* Braces in words and below are no findings. */
        {"[{\"message\":\"{\\\"{\\\\\",\"a\":[{},{}]}]", 1, 100, 0, 0, 99, 99},
        {"[{\"message\":\"}},{\"},{\"b\":\"\\\\\\\"{\"}]", 2, 100, 0, 0, 98, 99},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int n = rows[i].costing + rows[i].exempt + rows[i].others;
        struct str text = written(str_of(rows[i].findings),
                                  lines_of(rows[i].costing, rows[i].exempt, rows[i].others));
        for (int id = 0; id < n; id++) {
            bool gone = id >= rows[i].first_gone && id <= rows[i].last_gone;
            bool there = str_has(text, arena_printf(arena, "{\"id\":%d}", id)) ||
                         str_has(text, arena_printf(arena, "{\"id\":%d,", id));
            if (there == gone)
                fail_msg("row %zu: %d is %sthere", i, id, there ? "" : "not ");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_are_all_there),
        cmocka_unit_test(what_is_found_takes_places),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
