/* Text that stands there again is jumped over, and whatever is wrong with it is found all the same.
 */
#include "reading.h"

#include <inttypes.h>
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

/* ---- lists with times and counts ---- */

static void put_status(struct buf *text, unsigned number, const char *status)
{
    buf_printf(text, "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p-%u\"},",
               number);
    buf_put(text, with_quotes(text->arena, "'status':{"));
    buf_put(text, with_quotes(text->arena, status));
    buf_put(text, STR("}}"));
}

/* What the last pod says, or the error. */
static struct str last_status(struct arena *arena, struct str document, size_t piece)
{
    struct buf said = buf_init(arena, SIZE_MAX);
    struct reading reading = reading_of(document, READING_PLAIN, piece);
    const struct condition *c;
    const struct container_status *s;
    if (reading.cluster) {
        const struct pod *pod = reading.cluster->pods.items[reading.cluster->pods.n - 1];
        LIST_EACH (c, pod->conditions)
            buf_printf(&said, "%" STR_FMT " %" STR_FMT " %" PRId64 " %" PRId64 "; ",
                       STR_ARG(c->type), STR_ARG(c->status), c->last_transition, c->last_update);
        LIST_EACH (s, pod->containers)
            buf_printf(&said, "%" STR_FMT " %d %" PRId64 " %" PRId64 " %" PRId64 "; ",
                       STR_ARG(s->name), (int)s->ready, s->restart_count, s->running_since,
                       s->last_terminated ? s->last_terminated->finished : 0);
    } else {
        buf_printf(&said, "JSON %d", (int)reading.error.json.code);
    }
    reading_close(&reading);
    return buf_str(&said);
}

#define CONDITION(more) "'conditions':[{" more ",'status':'True','type':'Ready'}]"
#define AT(time)        CONDITION("'lastTransitionTime':'" time "'")
#define CONTAINER(more) "'containerStatuses':[{" more ",'name':'api','ready':true}]"
#define RESTARTS(n)     CONTAINER("'containerID':'containerd://c0ffee','restartCount':" n)
#define RUNNING(more)   CONTAINER("'state':{'running':{'startedAt':'2026-10-14T06:42:55Z'}}" more)

/* What differs is read as if the text had never been there before. */
static void values_are_read_anew(void **state)
{
    static const struct {
        const char *known, *status;
    } rows[] = {
        {AT("2026-10-14T06:42:55Z"), AT("2026-10-14T06:42:55Z")},
        {AT("2026-10-14T06:42:55Z"), AT("2025-01-02T03:04:05Z")},
        {AT("2026-10-14T06:42:55Z"), AT("2025-01-02T03:04:05.678Z")},
        {AT("2026-10-14T06:42:55Z"), AT("2025-13-02T03:04:05Z")},
        {AT("2026-10-14T06:42:55Z"), AT("somewhen, years ago!")},
        {AT("2026-10-14T06:42:55Z"), AT("2025\\u002d01-02T03:0")},
        {AT("2026-10-14T06:42:55Z"), AT("2025-01-02','x':'05Z")},
        {AT("2026-10-14T06:42:55Z"), AT("2025-01-02T03:04:05'")},
        {AT("2026-10-14T06:42:55Z"), AT("2025-01-02T03:04:0\n5")},
        {AT("2026-10-14T06:42:55Z"), AT("2025-01-02\200T03:04:05")},
        {AT("2026-10-14T06:42:55\\u005a"), AT("2025-01-02T03:04:05\\u005a")},
        {AT("2026-10-14T06:42:55\\u005a"), AT("2025-01-02T03:04:05Zu005a")},
        {AT("2026-10-14T06:42:55Z"), CONDITION("'lastUpdateTime':'2025-01-02T03:04:05Z'")},
        {AT("2026-10-14T06:42:55Z','lastTransitionTime':'2026-10-14T06:42:55Z"),
         AT("2025-01-02T03:04:05Z','lastTransitionTime':'2024-01-02T03:04:05Z")},
        {CONDITION("'lastTransitionTime':'2026-10-14T06:42:55Z','lastTransitionTime':null"),
         CONDITION("'lastTransitionTime':'2025-01-02T03:04:05Z','lastTransitionTime':null")},
        {RESTARTS("1"), RESTARTS("0")},
        {RESTARTS("1"), RESTARTS("9")},
        {RESTARTS("1"), RESTARTS("x")},
        {RESTARTS("10"), RESTARTS("99")},
        {RESTARTS("10"), RESTARTS("09")},
        {RESTARTS("10"), RESTARTS("-9")},
        {RESTARTS("100"), RESTARTS("1e2")},
        {RESTARTS("100"), RESTARTS("1.0")},
        {RESTARTS("100"), RESTARTS("'7'")},
        {RESTARTS("1e2"), RESTARTS("2e2")},
        {RESTARTS("'5'"), RESTARTS("'7'")},
        {RESTARTS("123456789012345"), RESTARTS("923456789012345")},
        {RESTARTS("1234567890123456789"), RESTARTS("9934567890123456789")},
        {RESTARTS("1,'restartCount':{}"), RESTARTS("2,'restartCount':{}")},
        {CONTAINER("'containerID':'containerd://c0ffee'"),
         CONTAINER("'containerID':'containerd://c0ffe\\'")},
        {CONTAINER("'containerID':'containerd://c0ff\\'ee'"),
         CONTAINER("'containerID':'containerd://c0ff-'ee'")},
        {CONTAINER("'containerID':'containerd://c0ffee'"),
         CONTAINER("'containerID':'con','restartCount':7'")},
        {CONTAINER("'containerID':'containerd://c0ffee'"),
         CONTAINER("'containerID':'con','restartCount':7,'':''")},
        {RUNNING(""), CONTAINER("'state':{'running':{'startedAt':'2025-01-02T03:04:05Z'}}")},
        {RUNNING(",'state':{}"),
         CONTAINER("'state':{'running':{'startedAt':'2025-01-02T03:04:05Z'}},'state':{}")},
        {CONTAINER("'lastState':{'terminated':{'finishedAt':'2026-10-14T06:42:55Z'}}"),
         CONTAINER("'lastState':{'terminated':{'finishedAt':'2025-01-02T03:04:05Z'}}")},
    };
    (void)state;
    struct arena *arena = arena_new(8 << 20);
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t piece = 0; piece < 100; piece += 33) {
            struct buf text = buf_init(arena, SIZE_MAX), alone = buf_init(arena, SIZE_MAX);
            for (unsigned n = 0; n < REPEATED; n++)
                put_status(&text, n, rows[i].known);
            put_status(&text, REPEATED, rows[i].status);
            put_status(&alone, REPEATED, rows[i].status);
            struct str got = last_status(arena, buf_str(&text), piece);
            struct str expected = last_status(arena, buf_str(&alone), 0);
            if (!str_eq(got, expected))
                fail_msg("%s: %" STR_FMT " and not %" STR_FMT, rows[i].status, STR_ARG(got),
                         STR_ARG(expected));
        }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_are_no_names),
        cmocka_unit_test(names_stay_when_redacted),
        cmocka_unit_test(too_deep_the_second_time),
        cmocka_unit_test(values_are_read_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
