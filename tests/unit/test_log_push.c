#include "reader/log_push.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "base/buf.h"
#include "scratch.h"

#define NOW      INT64_C(1773749659000) /* 2026-03-17T12:14:19Z */
#define OLDEST   (NOW - INT64_C(7) * 86400000)
#define PUSH(x)  "{'namespace':'shop','pod':'api-7d9f8b6c5-x2k4p','container':'api'," x "}"
#define LINES(x) PUSH("'lines':[" x "]")
#define AT(t)    "{'timestamp':'" t "','message':'m'}"

static struct log_push *read(struct str document, struct log_push_error *error)
{
    struct str bytes = arena_str(arena, document);
    for (size_t i = 0; i < bytes.n; i++)
        if (bytes.p[i] == '\'')
            ((char *)bytes.p)[i] = '"';
    return log_push_read(arena, source_of(&bytes), NOW, OLDEST, error);
}

static struct log_push *read_good(const char *document)
{
    struct log_push_error error;
    struct log_push *push = read(str_of(document), &error);
    if (!push)
        fail_msg("%s: code %d, %s, %s", document, (int)error.code, error.field,
                 error.json.text ? error.json.text : "");
    return push;
}

static void reads(void **state)
{
    (void)state;
    const struct log_push *push =
        read_good(PUSH("'lines':[{'timestamp':'2026-03-17T12:14:18.123456789Z','message':'two','"
                       "level':'Error','x':[{}]},"
                       "{'timestamp':'2026-03-17T13:14:17+01:00','message':'one','level':'NOTICE'}]"
                       ",'extra':{'a':[1]}"));
    assert_true(str_eq(push->namespace, STR("shop")));
    assert_true(str_eq(push->pod, STR("api-7d9f8b6c5-x2k4p")));
    assert_true(str_eq(push->container, STR("api")));
    assert_true(str_eq(push->family.base, STR("api")));
    assert_int_equal(push->lines.n, 2);
    const struct log_line *one = &push->lines.items[0], *two = &push->lines.items[1];
    assert_true(str_eq(one->message, STR("one")));
    assert_int_equal(one->time, NOW - 2000);
    assert_int_equal(one->nanos, 0);
    assert_int_equal(one->position, 1);
    assert_int_equal(one->severity, LOG_INFO);
    assert_true(str_eq(one->level, STR("NOTICE")));
    assert_true(str_eq(two->message, STR("two")));
    assert_int_equal(two->time, NOW - 877);
    assert_int_equal(two->nanos, 456789);
    assert_int_equal(two->severity, LOG_ERROR);
    assert_null(two->level.p);
}

static void levels(void **state)
{
    static const struct {
        const char *given;
        enum log_severity severity;
        const char *kept;
    } rows[] = {
        {"'TRACE'", LOG_TRACE, NULL},
        {"'debug'", LOG_DEBUG, NULL},
        {"'Info'", LOG_INFO, NULL},
        {"'warn'", LOG_WARN, NULL},
        {"'WARNING'", LOG_INFO, "WARNING"},
        {"'FATAL'", LOG_FATAL, NULL},
        {"' ERROR'", LOG_INFO, " ERROR"},
        {"''", LOG_INFO, NULL},
        {"null", LOG_INFO, NULL},
        {"'ERROR\\u0000'", LOG_INFO, ""},
        {"'12345678901234567890123456789012'", LOG_INFO, "12345678901234567890123456789012"},
        {"'123456789012345678901234567890123'", LOG_INFO, "12345678901234567890123456789012"},
        {"'1234567890123456789012345678901ä'", LOG_INFO, "1234567890123456789012345678901"},
        {"'FATAL','level':'trace'", LOG_TRACE, NULL},
        {"'odd','level':null", LOG_INFO, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char document[400];
        snprintf(document, sizeof document, LINES("{'message':'m','level':%s}"), rows[i].given);
        const struct log_line *line = read_good(document)->lines.items;
        if (line->severity != rows[i].severity ||
            (line->level.p != NULL) != (rows[i].kept != NULL) ||
            (rows[i].kept && *rows[i].kept && !str_eq(line->level, str_of(rows[i].kept))))
            fail_msg("%s is %d, %" STR_FMT, rows[i].given, (int)line->severity,
                     STR_ARG(line->level));
    }
}

static void times(void **state)
{
    static const struct {
        const char *lines;
        uint32_t kept, skipped;
    } rows[] = {
        {"", 0, 0},
        {AT("2026-03-17T12:19:19Z"), 1, 0},
        {AT("2026-03-17T12:19:19.001Z"), 0, 1},
        {AT("2026-03-17T12:19:19.000999999Z"), 1, 0},
        {AT("2026-03-10T12:14:19Z"), 1, 0},
        {AT("2026-03-10T12:14:18.999Z"), 0, 1},
        {AT("0001-01-01T00:00:00Z") "," AT("9999-12-31T23:59:59Z") "," AT("2026-03-17T12:14:19Z"),
         1, 2},
        {"{'message':'m','timestamp':null}", 1, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char document[600];
        snprintf(document, sizeof document, LINES("%s"), rows[i].lines);
        const struct log_push *push = read_good(document);
        if (push->lines.n != rows[i].kept || push->skipped != rows[i].skipped)
            fail_msg("%s: %u kept, %u skipped", rows[i].lines, push->lines.n, push->skipped);
    }
}

static void lines_without_a_time_keep_their_order(void **state)
{
    (void)state;
    const struct log_push *push =
        read_good(LINES("{'message':'z'},{'message':'a'},{'message':'m','timestamp':null}"));
    assert_int_equal(push->lines.n, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(push->lines.items[i].position, i);
        assert_int_equal(push->lines.items[i].time, NOW);
    }
}

static void messages(void **state)
{
    (void)state;
    struct buf document = buf_init(arena, 1 << 20);
    char *text = arena_bytes(arena, LOG_MESSAGE_MAX + 2);
    struct log_push_error error;
    for (size_t length = LOG_MESSAGE_MAX - 1; length <= LOG_MESSAGE_MAX + 2; length++) {
        memset(text, 'x', length);
        memcpy(text + LOG_MESSAGE_MAX - 1,
               "\xc3\xa4"
               "x",
               length < LOG_MESSAGE_MAX + 1 ? 0 : length - LOG_MESSAGE_MAX + 1);
        document.n = 0;
        buf_put(&document, STR("{'namespace':'n','pod':'p','container':'c','lines':[{'message':'"));
        buf_put(&document, (struct str){text, length});
        buf_put(&document, STR("'}]}"));
        struct log_push *push = read(buf_str(&document), &error);
        assert_non_null(push);
        struct str kept = push->lines.items[0].message;
        assert_true(str_is_utf8(kept));
        if (length <= LOG_MESSAGE_MAX) {
            assert_true(str_eq(kept, (struct str){text, length}));
            continue;
        }
        char mark[64];
        int n = snprintf(mark, sizeof mark, " [cut: it had %zu bytes]", length);
        assert_true(str_has_suffix(kept, (struct str){mark, (size_t)n}));
        assert_int_equal(kept.n, LOG_MESSAGE_MAX - 1 + (size_t)n); /* not half a letter */
    }
    struct log_push *push =
        read_good(LINES("{'message':'a\\u0000b'},{'message':''},{'message':'\\ud83d\\udea2'}"));
    assert_true(str_eq(push->lines.items[0].message, (struct str){"a\0b", 3}));
    assert_int_equal(push->lines.items[1].message.n, 0);
    assert_true(str_eq(push->lines.items[2].message, STR("\xf0\x9f\x9a\xa2")));
}

/* The same line has the same id, whatever else is in the push; anything that differs makes another.
 */
static void identities(void **state)
{
    (void)state;
    struct log_push *a = read_good(LINES(AT("2026-03-17T12:14:18Z")));
    struct log_push *b = read_good(
        LINES("{'message':'other','timestamp':'2026-03-17T12:00:00Z'},"
              "{'level':'FATAL','message':'m','timestamp':'2026-03-17T13:14:18.000+01:00'}"));
    struct log_push *pod =
        read_good("{'namespace':'shop','pod':'api','container':'api','lines':[" AT(
            "2026-03-17T12:14:18Z") "]}");
    struct log_push *shifted =
        read_good("{'namespace':'shopa','pod':'pi-7d9f8b6c5-x2k4p','container':'api','lines':[" AT(
            "2026-03-17T12:14:18Z") "]}");
    assert_int_equal(b->lines.items[1].id, a->lines.items[0].id);
    assert_int_equal(b->lines.items[1].time, a->lines.items[0].time);
    assert_int_equal(a->stream, b->stream);
    assert_true(b->lines.items[0].id != a->lines.items[0].id);
    assert_true(pod->stream != a->stream);
    assert_true(pod->lines.items[0].id != a->lines.items[0].id);
    assert_true(shifted->stream != a->stream);
}

#define NAME_253                                                                                   \
    "1234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901"  \
    "2345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012"  \
    "34567890123456789012345678901234567890123456789012345678901234567890123"

static void refuses(void **state)
{
    static const struct {
        const char *document;
        enum log_push_code code;
        const char *field;
    } rows[] = {
        {"", LOG_PUSH_E_JSON, ""},
        {"[]", LOG_PUSH_E_JSON, ""},
        {"null", LOG_PUSH_E_JSON, ""},
        {LINES("") "x", LOG_PUSH_E_JSON, ""},
        {LINES("") "{}", LOG_PUSH_E_JSON, ""},
        {"{'namespace':'shop'", LOG_PUSH_E_JSON, ""},
        {LINES("{'message':'m'},"), LOG_PUSH_E_JSON, ""},
        {LINES("{'message':'\xc3'}"), LOG_PUSH_E_JSON, ""},
        {LINES("{'message':'\\ud800'}"), LOG_PUSH_E_JSON, ""},
        {PUSH("'lines':[],'x':'\xff'"), LOG_PUSH_E_JSON, ""},
        {"{}", LOG_PUSH_E_MISSING, "namespace"},
        {"{'namespace':'','pod':'p','container':'c','lines':[]}", LOG_PUSH_E_MISSING, "namespace"},
        {"{'namespace':'n','pod':null,'container':'c','lines':[]}", LOG_PUSH_E_MISSING, "pod"},
        {"{'namespace':'n','pod':'p','lines':[]}", LOG_PUSH_E_MISSING, "container"},
        {"{'namespace':'n','pod':'p','container':'c'}", LOG_PUSH_E_MISSING, "lines"},
        {PUSH("'lines':[],'lines':null"), LOG_PUSH_E_MISSING, "lines"},
        {"{'namespace':1,'pod':'p','container':'c','lines':[]}", LOG_PUSH_E_INVALID, "namespace"},
        {"{'namespace':'n','pod':'p\\u0000','container':'c','lines':[]}", LOG_PUSH_E_INVALID,
         "pod"},
        {"{'namespace':'n','pod':'p\\n','container':'c','lines':[]}", LOG_PUSH_E_INVALID, "pod"},
        {"{'namespace':'n','pod':'" NAME_253 "4','container':'c','lines':[]}", LOG_PUSH_E_INVALID,
         "pod"},
        {PUSH("'lines':{}"), LOG_PUSH_E_INVALID, "lines"},
        {PUSH("'lines':'x'"), LOG_PUSH_E_INVALID, "lines"},
        {LINES("'x'"), LOG_PUSH_E_INVALID, "lines[0]"},
        {LINES("null"), LOG_PUSH_E_INVALID, "lines[0]"},
        {LINES("{'message':'m'},{}"), LOG_PUSH_E_MISSING, "lines[1].message"},
        {LINES("{'message':'m','message':null}"), LOG_PUSH_E_MISSING, "lines[0].message"},
        {LINES("{'message':1}"), LOG_PUSH_E_INVALID, "lines[0].message"},
        {LINES("{'message':['m']}"), LOG_PUSH_E_INVALID, "lines[0].message"},
        {LINES("{'message':'m','level':30}"), LOG_PUSH_E_INVALID, "lines[0].level"},
        {LINES("{'message':'m','timestamp':1773749659}"), LOG_PUSH_E_INVALID, "lines[0].timestamp"},
        {LINES(AT("")), LOG_PUSH_E_INVALID, "lines[0].timestamp"},
        {LINES(AT("yesterday")), LOG_PUSH_E_INVALID, "lines[0].timestamp"},
        {LINES(AT("2026-03-17 12:00:00")), LOG_PUSH_E_INVALID, "lines[0].timestamp"},
        {LINES(AT("2026-02-30T12:00:00Z")), LOG_PUSH_E_INVALID, "lines[0].timestamp"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct log_push_error error;
        if (read(str_of(rows[i].document), &error) || error.code != rows[i].code ||
            !str_eq(str_of(error.field), str_of(rows[i].field)))
            fail_msg("%s: code %d, field %s", rows[i].document, (int)error.code, error.field);
        if (error.code == LOG_PUSH_E_JSON)
            assert_non_null(error.json.text);
    }
    read_good("{'namespace':'n','pod':'" NAME_253 "','container':'c','lines':[]}");
}

static struct str document_of(uint32_t lines)
{
    struct buf document = buf_init(arena, 1 << 20);
    buf_put(&document, STR("{'namespace':'n','pod':'p','container':'c','lines':["));
    for (uint32_t i = 0; i < lines; i++)
        buf_printf(&document, "%s{'message':'%u'}", i ? "," : "", i);
    buf_put(&document, STR("]}"));
    return buf_str(&document);
}

static void counts_lines(void **state)
{
    (void)state;
    struct log_push_error error;
    const struct log_push *push = read(document_of(LOG_LINES_MAX), &error);
    assert_non_null(push);
    assert_int_equal(push->lines.n, LOG_LINES_MAX);
    for (uint32_t i = 0; i < LOG_LINES_MAX; i++)
        assert_int_equal(push->lines.items[i].position, i);
    assert_null(read(document_of(LOG_LINES_MAX + 1), &error));
    assert_int_equal(error.code, LOG_PUSH_E_LINES);
    assert_string_equal(error.field, "lines");
    push = read_good(PUSH("'lines':[{'message':'gone'},{'message':'gone','timestamp':'1999-01-"
                          "01T00:00:00Z'}],'lines':[{'message':'kept'}]"));
    assert_int_equal(push->lines.n, 1);
    assert_int_equal(push->skipped, 0);
    assert_true(str_eq(push->lines.items[0].message, STR("kept")));
}

/* What is kept of lines, in their order, a line each. */
static void keeps(const char *pushed, const char *kept)
{
    struct buf document = buf_init(arena, SIZE_MAX), got = buf_init(arena, SIZE_MAX);
    struct str rest = str_of(pushed), line;
    const struct log_line *item;
    for (size_t i = 0; rest.n; i++) {
        str_cut(rest, '|', &line, &rest);
        buf_printf(&document,
                   "%s{'timestamp':'2026-03-17T12:14:18.%03zuZ','message':'%" STR_FMT "'}",
                   i ? "," : "", i, STR_ARG(line));
    }
    const struct log_push *push =
        read_good(arena_printf(arena, LINES("%" STR_FMT), STR_ARG(buf_str(&document))).p);
    LIST_EACH (item, push->lines)
        buf_printf(&got, "%s%" STR_FMT, got.n ? "|" : "", STR_ARG(item->message));
    if (!str_eq(buf_str(&got), str_of(kept)))
        fail_msg("     got: %" STR_FMT "\nexpected: %s", STR_ARG(buf_str(&got)), kept);
}

static void secrets_are_cut(void **state)
{
    (void)state;
    keeps("connect postgres://a:hush@db|ok", "connect postgres://a:[redacted]@db|ok");
    keeps("a|-----BEGIN RSA PRIVATE KEY-----|aHVzaA==|aHVzaA==|-----END RSA PRIVATE KEY-----|b",
          "a|[redacted]|[redacted]|[redacted]|[redacted]|b");
    keeps("x -----BEGIN PRIVATE KEY-----|hush|-----END PRIVATE KEY----- y token=hush|b",
          "x [redacted]|[redacted]|[redacted] y token=[redacted]|b");
    keeps("-----BEGIN PRIVATE KEY-----hush-----END PRIVATE KEY-----|b", "[redacted]|b");
    /* of a key that began or ends elsewhere */
    keeps("a b|aHVzaA==|aHVzaA|-----END PRIVATE KEY-----|b",
          "a b|[redacted]|[redacted]|[redacted]|b");
    keeps("a|-----BEGIN EC PRIVATE KEY-----|hush", "a|[redacted]|[redacted]");
    keeps("-----BEGIN CERTIFICATE-----|aHVzaA==|-----END CERTIFICATE-----|b",
          "-----BEGIN CERTIFICATE-----|aHVzaA==|-----END CERTIFICATE-----|b");
}

static void a_key_does_not_take_all_lines(void **state)
{
    struct buf pushed = buf_init(arena, SIZE_MAX), kept = buf_init(arena, SIZE_MAX);
    (void)state;
    buf_put(&pushed, STR("-----BEGIN PRIVATE KEY-----"));
    buf_put(&kept, STR("[redacted]"));
    for (int i = 0; i < 128; i++) {
        buf_put(&pushed, STR("|x"));
        buf_put(&kept, STR("|[redacted]"));
    }
    buf_put(&pushed, STR("|x y"));
    buf_put(&kept, STR("|x y"));
    keeps(arena_str(arena, buf_str(&pushed)).p, arena_str(arena, buf_str(&kept)).p);
}

/* A secret over the end of what is kept is cut before. */
static void secrets_are_cut_before_lines_are_made_short(void **state)
{
    struct buf document = buf_init(arena, SIZE_MAX);
    (void)state;
    buf_put(&document, STR("{'message':'"));
    for (int i = 0; i < LOG_MESSAGE_MAX - 12; i++)
        buf_putc(&document, i % 8 ? 'x' : ' ');
    buf_put(&document, STR(" AKIAIOSFODNN7EXAMPLE and more of it'}"));
    const struct log_push *push =
        read_good(arena_printf(arena, LINES("%" STR_FMT), STR_ARG(buf_str(&document))).p);
    assert_int_equal(push->lines.n, 1);
    assert_false(str_has(push->lines.items[0].message, STR("AKIA")));
    assert_true(str_has(push->lines.items[0].message, STR(" [redacted")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads),
        cmocka_unit_test(levels),
        cmocka_unit_test(times),
        cmocka_unit_test(lines_without_a_time_keep_their_order),
        cmocka_unit_test(messages),
        cmocka_unit_test(identities),
        cmocka_unit_test(refuses),
        cmocka_unit_test(counts_lines),
        cmocka_unit_test(secrets_are_cut),
        cmocka_unit_test(a_key_does_not_take_all_lines),
        cmocka_unit_test(secrets_are_cut_before_lines_are_made_short),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
