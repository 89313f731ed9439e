/* stream: answers that are made while they are sent, over a transport in memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "base/log.h"
#include "codec/inflate.h"
#include "web/app.h"
#include "web/page.h"
#include "wire.h"

enum { PIECE = 64 * 1024, WHOLE = 3 * PIECE + 7, ROOM = 4 << 20 };

static struct conf conf;
static struct app app;
static struct wire wire;
static int released;

/* Bytes to produce, in pieces of some size; from `fails_at` on there are none, or the arena is used
 * up there. */
static struct recipe {
    int64_t n, step, fails_at, exhausts_at;
    struct arena *arena;
    int asked;
} recipe;

static char byte_at(int64_t i)
{
    return (char)('a' + i % 23);
}

static bool produce(void *producer, struct sink out)
{
    const struct recipe *p = producer;
    char piece[1000];
    recipe.asked++;
    for (int64_t at = 0; at < p->n;) {
        size_t n = 0;
        if (p->fails_at >= 0 && at >= p->fails_at)
            return false;
        if (p->exhausts_at >= 0 && at >= p->exhausts_at)
            arena_bytes(p->arena, 2 * ROOM);
        while (n < (size_t)p->step && at < p->n)
            piece[n++] = byte_at(at++);
        if (!out.put(out.context, (struct str){piece, n}))
            return false;
    }
    return true;
}

static void release(void *p)
{
    (void)p;
    released++;
}

static enum error large(struct request *r)
{
    recipe.arena = r->arena;
    request_defer(r, release, NULL);
    return page_stream(r, STR("text/plain"), page_gzip(r), produce, &recipe);
}

static enum error tagged(struct request *r)
{
    if (page_client_has(r, STR("v1")))
        return page_not_modified(r, STR("v1"));
    page_tag(r, STR("v1"));
    return large(r);
}

static const struct route rows[] = {
    {"t", HTTP_GET, "/large", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, large},
    {"t", HTTP_GET, "/tagged", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, tagged},
};

static void prepare(const char *method, const char *path, int64_t n)
{
    recipe = (struct recipe){.n = n, .step = 1000, .fails_at = -1, .exhausts_at = -1};
    released = 0;
    wire_start(&wire, method, path);
}

static void serve(bool can_abort)
{
    struct http_transport transport = wire_transport(&wire);
    if (!can_abort)
        transport.abort = NULL;
    app_serve(&app, &transport);
    assert_true(wire.finished);
    wire.output[wire.written] = '\0';
}

/* The answer as it came, which may hold any bytes. */
static struct str answer(void)
{
    const char *end = strstr(wire.output, "\r\n\r\n");
    assert_non_null(end);
    return (struct str){end + 4, wire.written - (size_t)(end + 4 - wire.output)};
}

static void assert_produced(struct str bytes, size_t n)
{
    assert_int_equal(bytes.n, n);
    for (size_t i = 0; i < n; i++)
        if (bytes.p[i] != byte_at((int64_t)i))
            fail_msg("byte %zu is wrong", i);
}

static void assert_length(int64_t length)
{
    struct str header = wire_header(&wire, "Content-Length");
    int64_t n = -1;
    if (length < 0)
        assert_null(header.p);
    else
        assert_true(str_to_i64(header, &n) && n == length);
}

static void a_length_is_told_when_it_is_known(void **state)
{
    (void)state;
    static const struct {
        int64_t n, step, length;
    } table[] = {
        {0, 1000, 0},
        {1, 1000, 1},
        {PIECE - 1, 1000, PIECE - 1},
        {PIECE - 1, 1, PIECE - 1},
        {PIECE, 1000, -1},
        {PIECE + 1, 1000, -1},
        {WHOLE, 7, -1},
        {2 * PIECE, 512, -1},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        prepare("GET", "/large", table[i].n);
        recipe.step = table[i].step;
        serve(true);
        assert_int_equal(wire_status(&wire), 200);
        assert_false(wire.aborted);
        assert_length(table[i].length);
        assert_produced(answer(), (size_t)table[i].n);
        assert_int_equal(released, 1);
    }
}

static void a_transport_that_cannot_abort_is_told_the_length(void **state)
{
    (void)state;
    prepare("GET", "/large", WHOLE);
    serve(false);
    assert_length(WHOLE);
    assert_produced(answer(), WHOLE);
    assert_int_equal(recipe.asked, 2);
    prepare("GET", "/large", WHOLE);
    wire_set(&wire, "HTTP_ACCEPT_ENCODING", "gzip");
    serve(false);
    assert_length((int64_t)answer().n);
}

static void head_asks_for_nothing(void **state)
{
    (void)state;
    prepare("HEAD", "/large", WHOLE);
    serve(true);
    assert_int_equal(wire_status(&wire), 200);
    assert_true(str_eq(wire_header(&wire, "Content-Type"), STR("text/plain")));
    assert_length(-1);
    assert_int_equal(answer().n, 0);
    assert_int_equal(recipe.asked, 0);
}

static void what_fails_early_is_an_error(void **state)
{
    (void)state;
    static const struct {
        int64_t fails_at, exhausts_at;
        const char *body;
    } table[] = {
        {0, -1, "\"code\":\"internal\"}"},
        {PIECE - 1000, -1, "\"code\":\"internal\"}"},
        {-1, 0, "\"code\":\"out_of_memory\"}"},
        {-1, PIECE - 1000, "\"code\":\"out_of_memory\"}"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        for (int gzip = 0; gzip < 2; gzip++) {
            prepare("GET", "/large", WHOLE);
            if (gzip)
                wire_set(&wire, "HTTP_ACCEPT_ENCODING", "gzip");
            recipe.fails_at = table[i].fails_at;
            recipe.exhausts_at = table[i].exhausts_at;
            serve(true);
            assert_int_equal(wire_status(&wire), 500);
            assert_true(str_has_suffix(answer(), str_of(table[i].body)));
            assert_length((int64_t)answer().n);
            assert_null(wire_header(&wire, "Content-Encoding").p);
            assert_false(wire.aborted);
            assert_int_equal(released, 1);
        }
    }
}

static void what_fails_late_is_cut(void **state)
{
    (void)state;
    for (int exhausts = 0; exhausts < 2; exhausts++) {
        prepare("GET", "/large", WHOLE);
        *(exhausts ? &recipe.exhausts_at : &recipe.fails_at) = 2 * PIECE;
        serve(true);
        assert_int_equal(wire_status(&wire), 200);
        assert_length(-1);
        assert_true(wire.aborted);
        assert_produced(answer(), 2 * (size_t)PIECE);
        assert_int_equal(released, 1);
        prepare("GET", "/large", 10);
        serve(true);
        assert_produced(answer(), 10);
    }
}

static void a_client_that_hangs_up_ends_the_work(void **state)
{
    (void)state;
    prepare("GET", "/large", 1000 * (int64_t)WHOLE);
    wire.takes = 2 * PIECE + 1000;
    serve(true);
    assert_false(wire.aborted);
    assert_true(wire.written <= wire.takes);
    assert_int_equal(released, 1);
}

static size_t inflated(struct str gzip, char *to, size_t cap)
{
    struct str rest = gzip;
    struct inflate *in = inflate_open(source_of(&rest), cap);
    struct source source = inflate_source(in);
    size_t have = 0;
    ptrdiff_t n;
    while ((n = source.read(source.context, to + have, cap - have + 1)) > 0)
        have += (size_t)n;
    assert_int_equal(n, 0);
    inflate_free(in);
    return have;
}

static void gzip_where_it_is_accepted(void **state)
{
    (void)state;
    static char bytes[WHOLE + 1];
    static const struct {
        const char *accept;
        bool gzip;
    } table[] = {
        {"gzip", true},
        {"GZIP", true},
        {"x-gzip", true},
        {"deflate, gzip;q=1.0, *;q=0.5", true},
        {"*", true},
        {"gzip;q=0.001", true},
        {"br, gzip ; q=0.5 , identity;q=0.5", true},
        {"identity;q=0, gzip", true},
        {"", false},
        {"identity", false},
        {"gzip;q=0", false},
        {"gzip;q=0.000", false},
        {"gzip; Q=0", false},
        {"gzip;q=0, *", false},
        {"*;q=0", false},
        {"gzip;q=0.4, identity;q=0.5", false},
        {"gzip;q=x", false},
        {"gzip;q=2", false},
        {"gzip;q=", false},
        {"gzipped", false},
        {"br", false},
        {",,;,", false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        prepare("GET", "/large", WHOLE);
        wire_set(&wire, "HTTP_ACCEPT_ENCODING", table[i].accept);
        serve(true);
        bool gzip = str_eq(wire_header(&wire, "Content-Encoding"), STR("gzip"));
        if (gzip != table[i].gzip)
            fail_msg("\"%s\"", table[i].accept);
        assert_true(str_eq(wire_header(&wire, "Vary"), STR("Accept-Encoding")));
        if (gzip)
            assert_produced((struct str){bytes, inflated(answer(), bytes, WHOLE)}, WHOLE);
        else
            assert_produced(answer(), WHOLE);
    }
}

static void what_the_client_has_is_not_sent_again(void **state)
{
    (void)state;
    static const struct {
        const char *tags;
        int status;
    } table[] = {
        {"\"v1\"", 304},    {"W/\"v1\"", 304}, {"*", 304},     {"\"v0\", \"v1\"", 304},
        {" \"v1\" ,", 304}, {"\"v2\"", 200},   {"v1", 200},    {"", 200},
        {"\"v1", 200},      {"\"V1\"", 200},   {"\"*\"", 200}, {"w/\"v1\"", 200},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        prepare("GET", "/tagged", 10);
        wire_set(&wire, "HTTP_IF_NONE_MATCH", table[i].tags);
        serve(true);
        if (wire_status(&wire) != table[i].status)
            fail_msg("%s: %d", table[i].tags, wire_status(&wire));
        assert_true(str_eq(wire_header(&wire, "ETag"), STR("\"v1\"")));
        assert_true(str_eq(wire_header(&wire, "Cache-Control"), STR("private, no-cache")));
        assert_int_equal(answer().n, table[i].status == 304 ? 0 : 10);
        assert_length(table[i].status == 304 ? -1 : 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_length_is_told_when_it_is_known),
        cmocka_unit_test(a_transport_that_cannot_abort_is_told_the_length),
        cmocka_unit_test(head_asks_for_nothing),
        cmocka_unit_test(what_fails_early_is_an_error),
        cmocka_unit_test(what_fails_late_is_cut),
        cmocka_unit_test(a_client_that_hangs_up_ends_the_work),
        cmocka_unit_test(gzip_where_it_is_accepted),
        cmocka_unit_test(what_the_client_has_is_not_sent_again),
    };
    conf_defaults(&conf);
    log_open("test_stream", "/dev/null", LOG_LEVEL_INFO);
    app = (struct app){.conf = &conf,
                       .arena = arena_new(ROOM),
                       .db = db_new("/nonexistent/my.cnf"),
                       .routes = {rows, sizeof rows / sizeof rows[0]}};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    db_free(app.db);
    arena_free(app.arena);
    return failed;
}
