/* app: requests from memory through the whole loop, to handlers of this test. There is no database:
 * what needs one answers 503. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <json-c/json.h>
#include <unistd.h>

#include "base/log.h"
#include "web/app.h"
#include "web/body.h"
#include "web/page_text.h"
#include "wire.h"

enum { CUT_REST = 1024, CUT_TIMES = 100, CUT_BODY = 4096 };

static struct conf conf;
static struct app app;
static struct wire wire;
static int released;

/* ---- handlers ---- */

static enum error greet(struct request *r)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "hello", request_param(r, "name"));
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

/* An answer with everything that JSON has, and a text from outside. */
static enum error answer_either(struct request *r)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    jw_key(&page.jw, STR("n"));
    jw_raw(&page.jw, STR("-1.50"));
    jw_key(&page.jw, STR("list"));
    jw_raw(&page.jw, STR("[\"a\",{\"b\":[[],[true]]},null]"));
    jw_key(&page.jw, STR("none"));
    jw_raw(&page.jw, STR("{}"));
    JW_STR(&page.jw, "to", request_param(r, "name"));
    JW_BOOL(&page.jw, "end", false);
    jw_object_end(&page.jw);
    return page_json_or_text(r, 200, &page);
}

static enum error echo(struct request *r)
{
    struct json_object *body;
    struct str text, secret;
    enum error e = body_object(r, &body);
    if (!e)
        e = body_text(r, body, "text", BODY_REQUIRED, 8, &text);
    if (!e)
        e = body_text(r, body, "maybe", BODY_OPTIONAL, 8, &secret);
    return e ? e : page_body(r, 201, STR("text/plain"), text);
}

static enum error echo_cut(struct request *r)
{
    struct json_object *body;
    struct str json;
    enum error e = body_cut(r, "m", CUT_REST, &json);
    if (!e)
        e = body_object(r, &body);
    if (e)
        return e;
    assert_true(body_has(body, "m"));
    return page_body(r, 200, STR("text/plain"), str_or_empty(json));
}

static void release(void *p)
{
    (void)p;
    released++;
}

static enum error hoard(struct request *r)
{
    request_defer(r, release, NULL);
    request_defer(r, release, NULL);
    for (int i = 0; i < 1000; i++)
        arena_bytes(r->arena, 1 << 20);
    return ERR_INTERNAL;
}

static enum error forge(struct request *r)
{
    http_add_header(&r->response, STR("X-Name"), request_param(r, "name"));
    return page_body(r, 200, STR("text/plain"), STR("x"));
}

static enum error ask_database(struct request *r)
{
    return db_ping(r->db);
}

static enum error stumble(struct request *r)
{
    r->retry_after = 7;
    return refuse_field(r, ERR_INVALID_FIELD, "colour", "must be \"%s\".", "blue\n");
}

static const struct route rows[] = {
    {"t", HTTP_GET, "/greet", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, greet},
    {"t", HTTP_POST, "/greet", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, greet},
    {"t", HTTP_GET, "/either", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, answer_either},
    {"t", HTTP_POST, "/echo", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 64, echo},
    {"t", HTTP_POST, "/cut", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, CUT_BODY, echo_cut},
    {"t", HTTP_GET, "/hoard", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, hoard},
    {"t", HTTP_GET, "/forge", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, forge},
    {"t", HTTP_GET, "/database", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, ask_database},
    {"t", HTTP_GET, "/stumble", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, stumble},
    {"t", HTTP_GET, "/people", CREDENTIAL_BEARER, NEED_MEMBER, RATE_NONE, 0, greet},
    {"t", HTTP_POST, "/push", CREDENTIAL_API_KEY, NEED_AGENT, RATE_NONE, 64, greet},
    {"t", HTTP_POST, "/password", CREDENTIAL_NONE, NEED_ANY, RATE_LOGIN, 64, echo},
    {"t", HTTP_DELETE, "/elsewhere", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, NULL},
};

static void serve(void)
{
    struct http_transport transport = wire_transport(&wire);
    app_serve(&app, &transport);
    assert_true(wire.finished);
    assert_true(wire.written < sizeof wire.output);
    wire.output[wire.written] = '\0';
    assert_true(wire_header(&wire, "X-Request-Id").n == UUID_TEXT_LEN);
    assert_true(str_eq(wire_header(&wire, "X-Content-Type-Options"), STR("nosniff")));
    assert_true(str_eq(wire_header(&wire, "Cache-Control"), STR("no-store")));
}

/* The answer is an error of that status and code, as JSON. */
static void assert_error(int status, const char *code)
{
    struct json_object *answer = json_tokener_parse(wire_answer(&wire).p), *member;
    assert_int_equal(wire_status(&wire), status);
    assert_true(str_eq(wire_header(&wire, "Content-Type"), STR("application/json")));
    assert_non_null(answer);
    assert_true(json_object_object_get_ex(answer, "code", &member));
    assert_string_equal(json_object_get_string(member), code);
    assert_true(json_object_object_get_ex(answer, "error", &member));
    assert_true(json_object_get_string_len(member) > 10);
    json_object_put(answer);
}

/* ---- tests ---- */

static void gates_answer_in_their_order(void **state)
{
    (void)state;
    static const struct {
        const char *method, *target, *key, *authorization, *length;
        int status;
        const char *code;
    } table[] = {
        {"GET", "/nothing", NULL, NULL, NULL, 404, "not_found"},
        {"GET", "/greet/", NULL, NULL, NULL, 404, "not_found"},
        {"GET", "/gree", NULL, NULL, NULL, 404, "not_found"},
        {"GET", "//greet", NULL, NULL, NULL, 404, "not_found"},
        {"GET", "/Greet", NULL, NULL, NULL, 404, "not_found"},
        {"GET", "/%67reet", NULL, NULL, NULL, 404, "not_found"},
        {"GET", "/", NULL, NULL, NULL, 404, "not_found"},
        {"DELETE", "/elsewhere", NULL, NULL, NULL, 404, "not_found"},
        {"DELETE", "/greet", NULL, NULL, NULL, 405, "method_not_allowed"},
        {"OPTIONS", "/greet", NULL, NULL, NULL, 405, "method_not_allowed"},
        {"get", "/greet", NULL, NULL, NULL, 405, "method_not_allowed"},
        {"HEAD", "/push", NULL, NULL, NULL, 405, "method_not_allowed"},
        {"GET", "/greet?name=%", NULL, NULL, NULL, 400, "bad_request"},
        {"GET", "/greet?name=%4", NULL, NULL, NULL, 400, "bad_request"},
        {"GET", "/greet?name=%zz", NULL, NULL, NULL, 400, "bad_request"},
        {"GET", "/greet?other=%00", NULL, NULL, NULL, 400, "bad_request"},
        {"GET", "/greet?other=%ff", NULL, NULL, NULL, 400, "bad_request"},
        {"GET", "/greet?%ed%a0%80=1", NULL, NULL, NULL, 400, "bad_request"},
        {"GET", "/people", NULL, NULL, NULL, 401, "unauthorized"},
        {"GET", "/people", NULL, "Bearer", NULL, 401, "bad_token"},
        {"GET", "/people", NULL, "Bearer x", NULL, 401, "bad_token"},
        {"GET", "/people", NULL, "Basic bGw6bGw=", NULL, 401, "bad_token"},
        {"GET", "/people", "ll_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", NULL, NULL, 401,
         "unauthorized"},
        {"POST", "/push", NULL, "Bearer llt_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", NULL, 401,
         "unauthorized"},
        {"POST", "/push", NULL, NULL, "1000000", 401, "unauthorized"},
        {"POST", "/echo", NULL, NULL, NULL, 411, "length_required"},
        {"POST", "/echo", NULL, NULL, "65", 413, "too_large"},
        {"POST", "/echo", NULL, NULL, "99999999999999999999", 400, "bad_request"},
        {"POST", "/echo", NULL, NULL, "-1", 400, "bad_request"},
        {"POST", "/echo", NULL, NULL, "64", 400, "short_body"},
        {"GET", "/people", NULL, "Bearer llt_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", NULL,
         503, "database_away"},
        {"GET", "/database", NULL, NULL, NULL, 503, "database_away"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        wire_start(&wire, table[i].method, table[i].target);
        if (table[i].key)
            wire_set(&wire, "HTTP_X_API_KEY", table[i].key);
        if (table[i].authorization)
            wire_set(&wire, "HTTP_AUTHORIZATION", table[i].authorization);
        if (table[i].length)
            wire_set(&wire, "CONTENT_LENGTH", table[i].length);
        serve();
        if (strcmp(table[i].method, "HEAD") == 0)
            assert_int_equal(wire_status(&wire), table[i].status);
        else
            assert_error(table[i].status, table[i].code);
        assert_int_equal(wire_header(&wire, "Allow").n > 0, table[i].status == 405);
        assert_int_equal(wire_header(&wire, "WWW-Authenticate").n > 0, table[i].status == 401);
        assert_int_equal(wire_header(&wire, "Retry-After").n > 0, table[i].status == 503);
    }
    wire_start(&wire, "DELETE", "/greet");
    serve();
    assert_true(str_eq(wire_header(&wire, "Allow"), STR("GET, HEAD, POST")));
}

static void an_answer_is_text_where_that_is_liked_better(void **state)
{
    (void)state;
    static const struct {
        const char *accept;
        bool text;
    } table[] = {
        {NULL, false},
        {"", false},
        {"*/*", false},
        {"text/*", false},
        {"text/plain", true},
        {"Text/Plain;charset=utf-8", true},
        {"text/plain, */*", false},
        {"text/plain,*/*;q=0.9", true},
        {"application/json, text/plain, */*", false}, /* as browsers' libraries say */
        {"text/plain;q=0.9, application/json;q=0.8", true},
        {"text/plain;q=0.8, application/json;q=0.8", false},
        {"text/plain;q=0.5, application/*;q=0.6", false},
        {"text/plain;q=0.7, application/*;q=0.6, application/json;q=0.8", false},
        {"text/plain;q=0", false},
        {"text/plain;q=x", false},
        {"text/html", false},
        {"text/plainest", false},
    };
    static const char json[] = "{\"n\":-1.50,\"list\":[\"a\",{\"b\":[[],[true]]},null],\"none\":{},"
                               "\"to\":\"x\\ty\\nz\\u001b\xE2\x80\xAE\\\\\",\"end\":false}";
    char text[512];
    snprintf(text, sizeof text,
             "n\t-1.50\nlist.0\ta\nlist.1.b.1.0\ttrue\nlist.2\t\nto\tx?y?z????\\\nend\tfalse\n"
             "json\t%s\n",
             json);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        wire_start(&wire, "GET", "/either?name=x%09y%0Az%1B%E2%80%AE%5C");
        if (table[i].accept)
            wire_set(&wire, "HTTP_ACCEPT", table[i].accept);
        serve();
        assert_int_equal(wire_status(&wire), 200);
        assert_string_equal(wire_answer(&wire).p, table[i].text ? text : json);
        assert_true(
            str_eq(wire_header(&wire, "Content-Type"),
                   table[i].text ? STR("text/plain; charset=utf-8") : STR("application/json")));
        assert_true(str_eq(wire_header(&wire, "Vary"), STR("Accept")));
    }
}

static void handlers_answer(void **state)
{
    (void)state;
    wire_start(&wire, "GET", "/greet?name=a%20%22b%22&name=c");
    serve();
    assert_int_equal(wire_status(&wire), 200);
    assert_string_equal(wire_answer(&wire).p, "{\"hello\":\"a \\\"b\\\"\"}");
    wire_start(&wire, "HEAD", "/greet?name=x");
    serve();
    assert_int_equal(wire_status(&wire), 200);
    assert_true(str_eq(wire_header(&wire, "Content-Length"), STR("13")));
    assert_string_equal(wire_answer(&wire).p, "");
    wire_start(&wire, "GET", "http://example.org/greet");
    serve();
    assert_int_equal(wire_status(&wire), 200);
}

static void bodies_are_read_in_whatever_pieces_they_come(void **state)
{
    (void)state;
    for (size_t piece = 1; piece < 20; piece++) {
        wire_start(&wire, "POST", "/echo");
        wire_body(&wire, "{\"text\":\"\\ud83d\\udea2ab\"}");
        wire.piece = piece;
        serve();
        assert_int_equal(wire_status(&wire), 201);
        assert_string_equal(wire_answer(&wire).p, "\xF0\x9F\x9A\xA2"
                                                  "ab");
    }
}

static void bodies_that_are_not_what_was_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        int status;
        const char *code;
    } table[] = {
        {"", 400, "bad_json"},
        {" ", 400, "bad_json"},
        {"null", 400, "bad_json"},
        {"[]", 400, "bad_json"},
        {"\"text\"", 400, "bad_json"},
        {"{", 400, "bad_json"},
        {"{\"text\":\"a\"", 400, "bad_json"},
        {"{\"text\":\"a\"} x", 400, "bad_json"},
        {"{\"text\":\"a\"}{}", 400, "bad_json"},
        {"{'text':'a'}", 400, "bad_json"},
        {"{\"text\":\"a\",}", 400, "bad_json"},
        {"{\"text\":\"\xff\"}", 400, "bad_json"},
        {"{\"text\":\"\xc0\xaf\"}", 400, "bad_json"},
        {"{\"text\":\"\xed\xa0\x80\"}", 400, "bad_json"},
        {"{\"other\":\"\xf4\x90\x80\x80\",\"text\":\"a\"}", 400, "bad_json"},
        {"{\"a\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", 400, "bad_json"},
        {"{}", 400, "missing_field"},
        {"{\"text\":null}", 400, "missing_field"},
        {"{\"text\":1}", 400, "invalid_field"},
        {"{\"text\":{}}", 400, "invalid_field"},
        {"{\"text\":\"\"}", 400, "invalid_field"},
        {"{\"text\":\"123456789\"}", 400, "invalid_field"},
        {"{\"text\":\"a\\u0000b\"}", 400, "invalid_field"},
        {"{\"text\":\"a\",\"maybe\":false}", 400, "invalid_field"},
        {"{\"text\":\"12345678\"}", 201, NULL},
        {"{\"text\":\"a\",\"maybe\":null}", 201, NULL},
        {"{\"text\":1,\"text\":\"b\"}", 201, NULL},
        {"{\"text\":\"a\",\"other\":[1,{}]} \n", 201, NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        wire_start(&wire, "POST", "/echo");
        wire_body(&wire, table[i].body);
        serve();
        if (table[i].code)
            assert_error(table[i].status, table[i].code);
        else if (wire_status(&wire) != table[i].status)
            fail_msg("%s: %s", table[i].body, wire.output);
    }
}

/* However often it is there, the last one counts, and what was cut out is none of the rest. */
static void a_member_is_cut_out_of_a_body(void **state)
{
    (void)state;
    static const struct {
        const char *first, *last, *cut;
    } table[] = {
        {"{}", "{\"a\":[1]}", "{\"a\":[1]}"},
        {"[1,2,3]", "{}", "{}"},
        {"1", "\"x\"", "\"x\""},
        {"{\"a\":1}", "null", ""},
        {"null", "12345", "12345"},
    };
    char body[CUT_BODY];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        for (int times = 0; times < CUT_TIMES; times++) {
            size_t n = (size_t)snprintf(body, sizeof body, "{\"b\":1");
            for (int k = 0; k < times; k++)
                n += (size_t)snprintf(body + n, sizeof body - n, ",\"m\":%s", table[i].first);
            snprintf(body + n, sizeof body - n, ",\"m\":%s}", table[i].last);
            wire_start(&wire, "POST", "/cut");
            wire_body(&wire, body);
            serve();
            assert_int_equal(wire_status(&wire), 200);
            assert_string_equal(wire_answer(&wire).p, table[i].cut);
        }
}

static void only_json_is_read_as_json(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        int status;
    } table[] = {
        {"application/json", 201},
        {"application/json; charset=utf-8", 201},
        {"APPLICATION/JSON", 201},
        {"application/problem+json", 201},
        {"", 201},
        {"application/x-www-form-urlencoded", 415},
        {"text/plain", 415},
        {"application/jsonx", 415},
        {"multipart/form-data; x=json", 415},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        wire_start(&wire, "POST", "/echo");
        wire_body(&wire, "{\"text\":\"a\"}");
        wire_set(&wire, "CONTENT_TYPE", table[i].type);
        serve();
        assert_int_equal(wire_status(&wire), table[i].status);
    }
}

static void an_exhausted_arena_ends_the_request_only(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        released = 0;
        wire_start(&wire, "GET", "/hoard");
        serve();
        assert_error(500, "out_of_memory");
        assert_int_equal(released, 2);
        wire_start(&wire, "GET", "/greet?name=x");
        serve();
        assert_int_equal(wire_status(&wire), 200);
    }
}

static void nobody_forges_a_header(void **state)
{
    (void)state;
    wire_start(&wire, "GET", "/forge?name=a%0d%0aSet-Cookie:%20b");
    serve();
    assert_int_equal(wire_header(&wire, "Set-Cookie").n, 0);
    assert_true(str_eq(wire_header(&wire, "X-Name"), STR("a  Set-Cookie: b")));
}

/* What CGI cannot tell apart is not taken at all. */
static void a_variable_that_comes_twice_is_none(void **state)
{
    (void)state;
    char *const environment[] = {"HTTP_X=1", "HTTP_XY=2", "HTTP_A=3", "HTTP_A=3", "EMPTY=", NULL};
    assert_string_equal(http_find_variable(environment, "HTTP_X"), "1");
    assert_string_equal(http_find_variable(environment, "HTTP_XY"), "2");
    assert_string_equal(http_find_variable(environment, "EMPTY"), "");
    assert_null(http_find_variable(environment, "HTTP_A"));
    assert_null(http_find_variable(environment, "HTTP"));
    assert_null(http_find_variable(environment, "HTTP_XYZ"));
}

static void headers_that_became_one_variable_are_refused(void **state)
{
    (void)state;
    static char text[HTTP_FIELDS_MAX + 1][32];
    char *environment[HTTP_FIELDS_MAX + 2] = {0};
    char *const once[] = {"HTTP_X=1", "HTTP_XY=1", "A=1", "A=1", "HTTP_Y=", NULL};
    char *const twice[] = {"HTTP_X=1", "HTTP_XY=1", "A=1", "HTTP_XY=", NULL};
    assert_int_equal(http_check_variables(once), ERR_OK);
    assert_int_equal(http_check_variables(twice), ERR_BAD_REQUEST);
    for (int i = 0; i <= HTTP_FIELDS_MAX; i++) {
        assert_int_equal(http_check_variables(environment), ERR_OK);
        snprintf(text[i], sizeof text[i], "HTTP_N%d=", i);
        environment[i] = text[i];
    }
    assert_int_equal(http_check_variables(environment), ERR_HEADERS_TOO_LARGE);
}

/* A password is dear: while many wait it is refused before anything is done for it. */
static void passwords_are_refused_while_many_wait(void **state)
{
    (void)state;
    for (int crowded = 0; crowded < 2; crowded++) {
        wire_start(&wire, "POST", "/password");
        wire_body(&wire, "{\"text\":\"a\"}");
        wire.crowded = crowded;
        serve();
        assert_error(503, crowded ? "service_away" : "database_away");
        assert_true(wire_header(&wire, "Retry-After").n > 0);
        wire_start(&wire, "GET", "/greet");
        wire.crowded = crowded;
        serve();
        assert_int_equal(wire_status(&wire), 200);
    }
}

/* Before anything is asked of the database, which is not there, or read of the body. */
static void what_cannot_be_served_soon_is_refused(void **state)
{
    (void)state;
    bool again[64] = {false};
    int different = 0;
    for (int i = 0; i < 200; i++) {
        uint64_t seconds = 0;
        wire_start(&wire, "POST", "/password");
        wire_body(&wire, "{\"text\":\"a\"}");
        wire.shed = WAITING_SUPERSEDED + (unsigned)i % (WAITING_LEFT - WAITING_SUPERSEDED + 1);
        serve();
        assert_error(503, "overloaded");
        assert_int_equal(wire.body.n, strlen("{\"text\":\"a\"}"));
        assert_true(str_to_u64(wire_header(&wire, "Retry-After"), &seconds));
        assert_in_range(seconds, 2, 10); /* push_wait is 2 */
        different += !again[seconds];
        again[seconds] = true;
    }
    assert_true(different > 4);
    wire_start(&wire, "GET", "/nowhere");
    wire.shed = WAITING_CROWDED;
    serve();
    assert_int_equal(wire_status(&wire), 404);
}

static void refusals_name_the_field(void **state)
{
    (void)state;
    wire_start(&wire, "GET", "/stumble");
    serve();
    assert_error(400, "invalid_field");
    assert_string_equal(wire_answer(&wire).p,
                        "{\"error\":\"colour must be \\\"blue\\n\\\".\",\"code\":\"invalid_field\","
                        "\"field\":\"colour\"}");
    assert_true(str_eq(wire_header(&wire, "Retry-After"), STR("7")));
}

/* The web server hands its own errors over: REDIRECT_STATUS. */
static void errors_of_the_web_server_become_json(void **state)
{
    (void)state;
    static const struct {
        const char *status;
        int answered;
        const char *code;
    } table[] = {{"413", 413, "too_large"},    {"404", 404, "not_found"},
                 {"503", 503, "service_away"}, {"418", 400, "bad_request"},
                 {"599", 500, "internal"},     {"200", 404, "not_found"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        wire_start(&wire, "POST", "/whatever");
        wire_set(&wire, "REDIRECT_STATUS", table[i].status);
        serve();
        assert_error(table[i].answered, table[i].code);
    }
}

static void every_status_has_a_reason_phrase(void **state)
{
    (void)state;
    static const int good[] = {200, 201, 202, 304};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        if (str_eq(http_reason(good[i]), STR("Status")))
            fail_msg("%d has none", good[i]);
    for (int e = 0; e < ERR_COUNT; e++)
        if (str_eq(http_reason(error_status((enum error)e)), STR("Status")))
            fail_msg("%d has none", error_status((enum error)e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gates_answer_in_their_order),
        cmocka_unit_test(handlers_answer),
        cmocka_unit_test(an_answer_is_text_where_that_is_liked_better),
        cmocka_unit_test(bodies_are_read_in_whatever_pieces_they_come),
        cmocka_unit_test(bodies_that_are_not_what_was_asked_for),
        cmocka_unit_test(a_member_is_cut_out_of_a_body),
        cmocka_unit_test(only_json_is_read_as_json),
        cmocka_unit_test(an_exhausted_arena_ends_the_request_only),
        cmocka_unit_test(nobody_forges_a_header),
        cmocka_unit_test(a_variable_that_comes_twice_is_none),
        cmocka_unit_test(headers_that_became_one_variable_are_refused),
        cmocka_unit_test(passwords_are_refused_while_many_wait),
        cmocka_unit_test(what_cannot_be_served_soon_is_refused),
        cmocka_unit_test(refusals_name_the_field),
        cmocka_unit_test(errors_of_the_web_server_become_json),
        cmocka_unit_test(every_status_has_a_reason_phrase),
    };
    char options[] = "/tmp/loadline-test-app-XXXXXX";
    int file = mkstemp(options);
    if (file < 0 || dprintf(file, "[loadline]\nsocket=/nonexistent/sock\n") < 0)
        return 1;
    conf_defaults(&conf);
    log_open("test_app", "/dev/null", LOG_LEVEL_INFO);
    conf.key_fail_limit.count = 0;
    app = (struct app){.conf = &conf,
                       .arena = arena_new(8 << 20),
                       .db = db_new(options),
                       .routes = {rows, sizeof rows / sizeof rows[0]}};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    db_free(app.db);
    arena_free(app.arena);
    close(file);
    unlink(options);
    return failed;
}
