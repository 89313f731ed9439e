/* Text that stands there again is jumped over, and whatever is wrong with it is found all the same.
 */
#include "reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { REPEATED = 3 }; /* as often a right text comes first, to be known then */

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct str with_quotes(struct arena *arena, const char *document)
{
    struct str text = arena_str(arena, str_of(document));
    char *p = (char *)(uintptr_t)text.p;
    for (size_t i = 0; i < text.n; i++)
        if (p[i] == '\'')
            p[i] = '"';
    return text;
}

static void put_filler(struct buf *text, size_t n, char c)
{
    while (n-- > 0)
        buf_putc(text, c);
}

/* A pod with a token volume, the end of whose name was made up for it. Its containers are so long
 * that their end was not looked at when they are known again. */
static void put_pod(struct buf *text, const char *end_of_name)
{
    struct arena *arena = text->arena;
    buf_put(text, with_quotes(arena, "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'},"
                                     "'spec':{'containers':[{'env':[{'name':'A','value':'hush"));
    put_filler(text, 4096, 'x');
    buf_put(text, with_quotes(arena, "'}],'volumeMounts':[{'name':'kube-api-access-"));
    buf_put(text, with_quotes(arena, end_of_name));
    buf_put(text, with_quotes(arena, "','readOnly':true},{'mountPath':'/a','name':'a'}]}]}}"));
}

static struct buf known_pods(struct arena *arena)
{
    struct buf text = buf_init(arena, SIZE_MAX);
    for (int i = 0; i < REPEATED; i++)
        put_pod(&text, "xxxxx");
    return text;
}

static void names_that_are_no_names(void **state)
{
    static const struct {
        const char *end_of_name;
        enum jr_code code;
    } rows[] = {
        {"abcde", JR_OK},
        {"     ", JR_OK},
        {"a{b}c", JR_OK},
        {"abc", JR_OK},
        {"a-long-one", JR_OK},
        {"abc\\n", JR_OK},
        {"\303\244\303\244x", JR_OK},
        {"a','b", JR_E_SYNTAX},
        {"abcd'", JR_E_SYNTAX},
        {"abcd\\", JR_E_SYNTAX},
        {"\\abcd", JR_E_SYNTAX},
        {"ab\ncd", JR_E_SYNTAX},
        {"abcd\177", JR_OK},
        {"abcd\200", JR_E_UTF8},
        {"\\udc00", JR_E_UTF8},
    };
    (void)state;
    struct arena *arena = arena_new(8 << 20);
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t piece = 0; piece < 100; piece += 33) {
            struct buf text = known_pods(arena);
            put_pod(&text, rows[i].end_of_name);
            struct reading reading = reading_of(buf_str(&text), READING_PLAIN, piece);
            if (reading.error.json.code != rows[i].code)
                fail_msg("%s: %d", rows[i].end_of_name, (int)reading.error.json.code);
            reading_close(&reading);
        }
    arena_free(arena);
}

/* What is redacted inside of a text that is jumped over does not take the name along. */
static void names_stay_when_redacted(void **state)
{
    (void)state;
    struct arena *arena = arena_new(8 << 20);
    struct buf text = known_pods(arena);
    put_pod(&text, "abcde");
    put_pod(&text, "fghij");
    struct reading reading = reading_of(buf_str(&text), READING_REDACT, 0);
    assert_non_null(reading.cluster);
    assert_false(str_has(reading.redacted, STR("hush")));
    assert_true(str_has(reading.redacted, STR("kube-api-access-abcde\"")));
    assert_true(str_has(reading.redacted, STR("kube-api-access-fghij\"")));
    reading_close(&reading);
    arena_free(arena);
}

static void put_nested(struct buf *text, const char *before, size_t levels, const char *after)
{
    buf_put(text, with_quotes(text->arena, before));
    put_filler(text, levels, '[');
    put_filler(text, levels, ']');
    buf_put(text, with_quotes(text->arena, after));
}

/* A text that was right where it stood may be too deep where it stands again. */
static void too_deep_the_second_time(void **state)
{
    enum { INSIDE = SNAPSHOT_DEPTH_MAX - 4 }; /* of pod, spec, containers and container */
    (void)state;
    struct arena *arena = arena_new(8 << 20);
    for (size_t less = 0; less < 2; less++) {
        struct buf text = buf_init(arena, SIZE_MAX);
        size_t levels = INSIDE - 2 * less;
        for (int i = 0; i < REPEATED; i++)
            put_nested(&text,
                       "{'apiVersion':'v1','kind':'Pod','spec':{'containers':[{'unknown':", levels,
                       "}]}}");
        put_nested(&text,
                   "{'apiVersion':'apps/v1','kind':'Deployment','spec':{'template':{'spec':{"
                   "'containers':[{'unknown':",
                   levels, "}]}}}}");
        struct reading reading = reading_of(buf_str(&text), READING_PLAIN, 0);
        assert_int_equal(reading.error.json.code, less ? JR_OK : JR_E_DEPTH);
        reading_close(&reading);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_are_no_names),
        cmocka_unit_test(names_stay_when_redacted),
        cmocka_unit_test(too_deep_the_second_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
