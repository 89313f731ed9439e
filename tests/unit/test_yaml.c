/* YAML as Kubernetes reads it, and the text and line numbers around it. Rows that name goyaml.v2
 * come from the rules of sigs.k8s.io/yaml's resolve.go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "offline/found.h"
#include "offline/lines.h"
#include "offline/scalar.h"
#include "offline/text.h"
#include "offline/yaml.h"
#include "scratch.h"

/* Bytes in pieces of `piece`. */
struct pieces {
    struct str rest;
    size_t piece;
};

static ptrdiff_t read_piece(void *context, char *dst, size_t cap)
{
    struct pieces *pieces = context;
    struct str part = str_sub(pieces->rest, 0, pieces->piece < cap ? pieces->piece : cap);
    if (part.n)
        memcpy(dst, part.p, part.n);
    pieces->rest = str_sub(pieces->rest, part.n, pieces->rest.n);
    return (ptrdiff_t)part.n;
}

/* All of a source. False when it failed. */
static bool take_all(struct source source, size_t cap, struct str *all)
{
    struct buf out = buf_init(arena, 1 << 20);
    ptrdiff_t n;
    do {
        char *p = buf_reserve(&out, cap);
        n = source.read(source.context, p, cap);
        buf_commit(&out, n > 0 ? (size_t)n : 0);
    } while (n > 0);
    *all = arena_str(arena, buf_str(&out));
    return n == 0;
}

static void scalars(void **state)
{
    static const struct {
        const char *text, *json; /* NULL: a string */
    } rows[] = {
        {"", "null"},
        {"~", "null"},
        {"null", "null"},
        {"NULL", "null"},
        {"nUll", NULL},
        {"true", "true"},
        {"True", "true"},
        {"TRUE", "true"},
        {"tRUE", NULL},
        {"yes", "true"},
        {"Yes", "true"},
        {"y", "true"},
        {"Y", "true"},
        {"on", "true"},
        {"On", "true"},
        {"no", "false"},
        {"n", "false"},
        {"off", "false"},
        {"Off", "false"},
        {"oFF", NULL},
        {"0", "0"},
        {"-0", "0"},
        {"+7", "7"},
        {"007", "7"},
        {"0644", "420"},
        {"0o644", "420"},
        {"08", "8"},
        {"0x1F", "31"},
        {"-0x1f", "-31"},
        {"0X1f", "31"},
        {"0b101", "5"},
        {"0b102", NULL},
        {"0x", NULL},
        {"0xg", NULL},
        {"1_000", "1000"},
        {"1_000_", "1000"},
        {"9223372036854775807", "9223372036854775807"},
        {"18446744073709551615", "18446744073709551615"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"18446744073709551616", "1.8446744073709552e+19"},
        {"1.5", "1.5"},
        {"1.", "1"},
        {".5", "0.5"},
        {"-.5", "-0.5"},
        {".", NULL},
        {"-", NULL},
        {"+", NULL},
        {"--1", NULL},
        {"1e3", "1000"},
        {"1E-2", "0.01"},
        {"1e", NULL},
        {"1e999", NULL},
        {"1.2.3", NULL},
        {"12:30", NULL},
        {"100m", NULL},
        {"1Gi", NULL},
        {"v1", NULL},
        {".inf", NULL},
        {"-.inf", NULL},
        {".nan", NULL},
        {"nan", NULL},
        {"inf", NULL},
        {"2001-01-01", NULL},
        {"2001-01-01T00:00:00Z", NULL},
        {"0x1p3", NULL},
        {"1 2", NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char json[SCALAR_JSON_MAX + 1];
        size_t n = scalar_json(str_of(rows[i].text), json);
        json[n] = '\0';
        if (strcmp(json, rows[i].json ? rows[i].json : "") != 0)
            fail_msg("%s: %s", rows[i].text, json);
    }
}

/* What the text becomes, read in pieces of that size. An error becomes "LINE:COLUMN: text". */
static const char *converted(const char *text, size_t piece)
{
    struct pieces pieces = {str_of(text), piece};
    struct yaml *yaml = yaml_open((struct source){read_piece, &pieces});
    struct str json;
    assert_non_null(yaml);
    if (!take_all(yaml_source(yaml), piece, &json)) {
        const struct yaml_error *error = yaml_error(yaml);
        json = arena_printf(arena, "%u:%u: %s", (unsigned)error->line, (unsigned)error->column,
                            error->text);
    }
    yaml_close(yaml);
    return json.p;
}

static void documents(void **state)
{
    static const struct {
        const char *yaml, *json;
    } rows[] = {
        {"", ""},
        {"# nothing\n", ""},
        {"---\n", "\nnull"},
        {"a: 1\n", "{\"a\":1}"},
        {"a: 1\n---\nb: 2\n", "{\"a\":1}\n\n {\"b\":2}"},
        {"a: 1\n...\n---\n# c\nb: 2\n", "{\"a\":1}\n\n\n\n {\"b\":2}"},
        /* each value stands on its line */
        {"a:\n  b:\n  - c\n  -   d\n", "{\"a\":\n{\"b\":\n[\"c\"\n,\"d\"]}}"},
        {"{a: [1, 'x', \"\\u00e9\"]}", "{\"a\":[1,\"x\",\"\xC3\xA9\"]}"},
        {"a: |\n  x\n  y\nb: >-\n  p\n  q\n", "{\"a\":\"x\\ny\\n\"\n\n\n,\"b\":\"p q\"}"},
        {"[]", "[]"},
        {"{}", "{}"},
        {"a:\nb:\n", "{\"a\":null\n,\"b\":null}"},
        {"- - 1\n  - 2\n", "[[1\n,2]]"},
        /* strings stay strings */
        {"a: 'yes'\nb: \"1\"\nc: \"\"", "{\"a\":\"yes\"\n,\"b\":\"1\"\n,\"c\":\"\"}"},
        {"a: !!str 1", "{\"a\":\"1\"}"},
        {"a: !!int \"1\"", "{\"a\":1}"},
        {"a: !vault 12", "{\"a\":\"12\"}"},
        {"a: ! 12", "{\"a\":\"12\"}"},
        {"a: !Ref {b: 1}", "{\"a\":{\"b\":1}}"},
        /* keys are strings */
        {"1: a\ntrue: b\n~: c\n0x10: d",
         "{\"1\":\"a\"\n,\"true\":\"b\"\n,\"~\":\"c\"\n,\"16\":\"d\"}"},
        {"on: push", "{\"true\":\"push\"}"},
        /* anchors */
        {"a: &x {b: 1}\nc: *x\nd: [*x, *x]",
         "{\"a\":{\"b\":1}\n,\"c\":{\"b\":1}\n,\"d\":[{\"b\":1},{\"b\":1}]}"},
        {"a: &x 1\nb: &x 2\nc: *x", "{\"a\":1\n,\"b\":2\n,\"c\":2}"},
        {"a: &x [&y k, *y]\nb: *x\n*y : 1",
         "{\"a\":[\"k\",\"k\"]\n,\"b\":[\"k\",\"k\"]\n,\"k\":1}"},
        {"a: &x [1]\n---\nb: *x", "1:1: "}, /* see below */
        /* merges: the last one counts, as in goyaml.v2 */
        {"a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}",
         "{\"a\":{\"b\":1,\"c\":2}\n,\"d\":{\"b\":1,\"c\":2,\"c\":3}}"},
        {"a: &x {}\nd: {<<: *x, c: 3}", "{\"a\":{}\n,\"d\":{\"c\":3}}"},
        {"p: &p {a: 1}\nq: &q {a: 2}\nd: {<<: [*p, *q], z: 1}",
         "{\"p\":{\"a\":1}\n,\"q\":{\"a\":2}\n,\"d\":{\"a\":2,\"a\":1,\"z\":1}}"},
        {"d: {<<: {a: [1, \"},{\"]}, z: 1}", "{\"d\":{\"a\":[1,\"},{\"],\"z\":1}}"},
        {"d: &d {<<: {a: &k 1}, z: *k}\ne: *d",
         "{\"d\":{\"a\":1,\"z\":1}\n,\"e\":{\"a\":1,\"z\":1}}"},
        {"d: {\"<<\": 1}", "{\"d\":{\"<<\":1}}"},
        {"d: {<<: &m {a: 1}, b: *m}", "{\"d\":{\"a\":1,\"b\":{\"a\":1}}}"},
        /* refused */
        {"d: {<<: 1}", "1:9: \"<<\" can only merge mappings"},
        {"a: &x 1\nd: {<<: *x}", "2:9: \"<<\" can only merge mappings"},
        {"a: [*x]", "1:5: an alias whose anchor is not at its end before it"},
        {"a: &x [*x]", "1:8: an alias whose anchor is not at its end before it"},
        {"? [a]\n: b", "1:3: a key that is a list or a mapping"},
        {"{{ .Values.x }}: 1", "1:1: a key that is a list or a mapping"},
        {"a: b\n  c: d\n", "2:4: mapping values are not allowed in this context"},
        {"a: [1\nb: 2", "2:2: did not find expected ',' or ']'"},
        {"a: \x01", "1:4: control characters are not allowed"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t piece = 1; piece < 100; piece += 33) {
            const char *json = converted(rows[i].yaml, piece);
            if (strcmp(rows[i].json, "1:1: ") == 0)
                assert_non_null(strstr(json, "an alias whose anchor"));
            else if (strcmp(json, rows[i].json) != 0)
                fail_msg("%s\nbecomes\n%s", rows[i].yaml, json);
        }
}

static const char *repeated(const char *text, size_t n, const char *end)
{
    struct buf out = buf_init(arena, 16 << 20);
    while (n-- > 0)
        buf_put(&out, str_of(text));
    buf_put(&out, str_of(end));
    return arena_str(arena, buf_str(&out)).p;
}

/* How a text is refused; what it becomes until then is thrown away. */
static const char *refusal(const char *text)
{
    struct pieces pieces = {str_of(text), 65536};
    struct yaml *yaml = yaml_open((struct source){read_piece, &pieces});
    struct source source = yaml_source(yaml);
    static char window[65536];
    ptrdiff_t n;
    do
        n = source.read(source.context, window, sizeof window);
    while (n > 0);
    assert_int_equal(n, -1);
    const char *told = arena_str(arena, str_of(yaml_error(yaml)->text)).p;
    yaml_close(yaml);
    return told;
}

static void bombs(void **state)
{
    (void)state;
    struct buf laughs = buf_init(arena, 1 << 20);
    buf_put(&laughs, STR("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"));
    for (int i = 1; i < 12; i++) {
        buf_printf(&laughs, "a%d: &a%d [", i, i);
        for (int k = 0; k < 10; k++)
            buf_printf(&laughs, "%s*a%d", k ? "," : "", i - 1);
        buf_put(&laughs, STR("]\n"));
    }
    assert_non_null(strstr(refusal(arena_str(arena, buf_str(&laughs)).p),
                           "what the anchors of the document stand for"));
    assert_string_equal(refusal(repeated("[", 1000, "")), "nested deeper than 64 levels");
    const char *big = repeated("x", 1 << 20, ""), *aliases = repeated("*a,", 70, "");
    assert_string_equal(refusal(arena_printf(arena, "a: &a %s\nb: [%s]", big, aliases).p),
                        "the aliases make more than 64 MiB of it");
    assert_string_equal(refusal(repeated("x", YAML_SCALAR_MAX + 70000, "")),
                        "a value of more than 8 MiB");
    struct buf names = buf_init(arena, 1 << 20);
    for (int i = 0; i < 10001; i++)
        buf_printf(&names, "- &a%d 1\n", i);
    assert_string_equal(refusal(arena_str(arena, buf_str(&names)).p), "too many anchors");
}

static void texts(void **state)
{
    static const struct {
        const char *text, *want;
        bool json;
    } rows[] = {
        {"", "", true},
        {"\xEF\xBB\xBF{}", "{}", true},
        {"{}\n---\n{}\n", "{}\n\n{}\n", true},
        {"a: 1\n---\nb: 2\n", "a: 1\n---\nb: 2\n", false},
        {"{}\n----\n{}\n", "{}\n----\n{}\n", true},
        {"{\n-1}\n", "{\n-1}\n", true},
        {"{}\n==== START logs for container c of pod n/p ====\n{\"kind\":\"Pod\"}\nx\n"
         "==== END logs for container c of pod n/p ====\n[]\n",
         "{}\n\n\n\n\n[]\n", true},
        {"==== START logs for container c of pod n/p ====\r\n"
         "==== END logs for container d of pod n/p ====\n"
         "==== END logs for container c of pod n/p ====",
         "\n\n", true},
        {"a\n==== START logs for container c of pod n/p ====\nx", NULL, true},
        {"a\n==== END logs for container c of pod n/p ====\n", NULL, false},
        {" ==== END logs for\n====\n===", " ==== END logs for\n====\n===", true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (size_t piece = 1; piece < 60; piece++) {
            struct pieces pieces = {str_of(rows[i].text), piece};
            struct text *text = arena_alloc(arena, sizeof *text);
            struct str all;
            text_open(text, (struct source){read_piece, &pieces}, rows[i].json);
            bool good = take_all(text_source(text), 1 + piece % 7, &all);
            assert_int_equal(good, rows[i].want != NULL);
            if (good)
                assert_string_equal(all.p, rows[i].want);
            else
                assert_int_equal(text->stray_log ? text->line : text->log_line, 2);
        }
}

static void line_numbers(void **state)
{
    (void)state;
    struct buf bytes = buf_init(arena, 1 << 20);
    for (int i = 0; i < 3000; i++) {
        for (int k = 0; k < i * 7919 % 300; k++)
            buf_putc(&bytes, 'x');
        buf_putc(&bytes, '\n');
    }
    buf_put(&bytes, STR("end"));
    struct lines lines;
    lines_init(&lines, arena);
    for (size_t at = 0; at < bytes.n; at += 1000)
        lines_add(&lines, str_sub(buf_str(&bytes), at, 1000));
    uint64_t line = 0, start = 0, found;
    for (size_t at = 0; at <= bytes.n; at++) {
        assert_int_equal(lines_find(&lines, at, &found), line);
        assert_int_equal(found, start);
        if (at < bytes.n && bytes.p[at] == '\n') {
            line++;
            start = at + 1;
        }
    }
}

static void paths(void **state)
{
    static const struct {
        const char *path;
        bool read;
        enum kind kind;
    } rows[] = {
        {"a.json", true, KIND_NONE},
        {"pods.json", true, KIND_POD},
        {"d/Pods.json", true, KIND_POD},
        {"d/pods.yaml.gz", true, KIND_POD},
        {"resources/ns/default/core_v1_pods.json", true, KIND_POD},
        {"resources/cluster/rbac.authorization.k8s.io_v1_clusterroles.json", true,
         KIND_CLUSTERROLE},
        {"cluster-resources/pods/default.json", true, KIND_POD},
        {"cluster-resources/ingress/default.json", true, KIND_INGRESS},
        {"cluster-resources/network-policy/default.json", true, KIND_NETWORKPOLICY},
        {"cluster-resources/storage-classes.json", true, KIND_STORAGECLASS},
        {"cluster-resources/pvcs/default.json", true, KIND_PERSISTENTVOLUMECLAIM},
        {"chart/values.yaml", true, KIND_NONE},
        {"a.yml", true, KIND_NONE},
        {".json", false, KIND_NONE},
        {"a.txt", false, KIND_NONE},
        {"a.json.bak", false, KIND_NONE},
        {"a.gz", false, KIND_NONE},
        {"json", false, KIND_NONE},
        {"pods/logs/x.json", false, KIND_NONE},
        {"podlogs/ns/x.json", false, KIND_NONE},
        {".git/a.json", false, KIND_NONE},
        {"d/.a.json", false, KIND_NONE},
        {"./a.json", true, KIND_NONE},
        {"../a.json", true, KIND_NONE},
        {"logs.json", true, KIND_NONE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct str path = str_of(rows[i].path);
        if ((found_passed(path) == NULL) != rows[i].read)
            fail_msg("%s", rows[i].path);
        if (rows[i].read)
            assert_int_equal(found_kind(path), rows[i].kind);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars), cmocka_unit_test(documents), cmocka_unit_test(bombs),
        cmocka_unit_test(texts),   cmocka_unit_test(paths),     cmocka_unit_test(line_numbers),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
