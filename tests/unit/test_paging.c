#include "web/paging.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "scratch.h"
#include "web/param.h"

#define ID   "0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9"
#define LAST "ffffffff-ffff-ffff-ffff-ffffffffffff"

static struct request asks(const char *path, const char *query)
{
    struct request r = {.arena = arena};
    r.http.path = str_of(path);
    r.http.query = str_of(query);
    http_response_init(arena, &r.response);
    return r;
}

static void pages_are_asked_for(void **state)
{
    static const struct {
        const char *query;
        const char *field; /* NULL: it is fine */
        int64_t limit, time;
        const char *id;
    } rows[] = {
        {"", NULL, 100, PARAM_TIME_MAX, LAST},
        {"limit=1", NULL, 1, PARAM_TIME_MAX, LAST},
        {"limit=1000&x=1", NULL, 1000, PARAM_TIME_MAX, LAST},
        {"limit=0", "limit", 0, 0, NULL},
        {"limit=1001", "limit", 0, 0, NULL},
        {"limit=-1", "limit", 0, 0, NULL},
        {"limit=ten", "limit", 0, 0, NULL},
        {"cursor=1764547200123." ID, NULL, 100, 1764547200123, ID},
        {"limit=7&cursor=-1." ID, NULL, 7, -1, ID},
        {"cursor=", "cursor", 0, 0, NULL},
        {"cursor=.", "cursor", 0, 0, NULL},
        {"cursor=1764547200123", "cursor", 0, 0, NULL},
        {"cursor=1764547200123.", "cursor", 0, 0, NULL},
        {"cursor=1764547200123." ID "0", "cursor", 0, 0, NULL},
        {"cursor=now." ID, "cursor", 0, 0, NULL},
        {"cursor=253402300800000." ID, "cursor", 0, 0, NULL},
        {"cursor=9223372036854775808." ID, "cursor", 0, 0, NULL},
        {"cursor=1.%27%20OR%20%27%27=%27", "cursor", 0, 0, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct keyset page;
        struct request r = asks("/api/audit", rows[i].query);
        enum error e = paging_read(&r, &page);
        if (e != (rows[i].field ? ERR_INVALID_FIELD : ERR_OK) ||
            !str_eq(r.field, str_of(rows[i].field)))
            fail_msg("%s: error %d", rows[i].query, e);
        if (!e && (page.limit != rows[i].limit + 1 || page.before != rows[i].time ||
                   !str_eq(page.before_id, str_of(rows[i].id))))
            fail_msg("%s: another page", rows[i].query);
    }
}

static void the_next_page_is_linked(void **state)
{
    static const struct {
        const char *path, *query, *link;
    } rows[] = {
        {"/api/audit", NULL, "</api/audit?cursor=12." ID ">; rel=\"next\""},
        {"/api/audit", "limit=5&action=sign_in",
         "</api/audit?limit=5&action=sign_in&cursor=12." ID ">; rel=\"next\""},
        {"/api/audit", "cursor=99." ID "&limit=5&&cursor=1",
         "</api/audit?limit=5&cursor=12." ID ">; rel=\"next\""},
        {"/api/audit", "actor=a>b,<\"\xC3\xA4\"&q=%3E+",
         "</api/audit?actor=a%3Eb,%3C%22%C3%A4%22&q=%3E+&cursor=12." ID ">; rel=\"next\""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct request r = asks(rows[i].path, rows[i].query);
        paging_next(&r, 12, STR(ID));
        struct str line = arena_printf(arena, "Link: %s\r\n", rows[i].link);
        assert_string_equal(arena_str(arena, buf_str(&r.response.headers)).p, line.p);
    }
}

/* What a client reads in Link is what paging_read() takes. */
static void a_link_can_be_followed(void **state)
{
    (void)state;
    struct request r = asks("/api/audit", "limit=3");
    struct keyset page;
    struct str head, query;
    paging_next(&r, 1764547200123, STR(ID));
    assert_true(str_cut(buf_str(&r.response.headers), '?', NULL, &query));
    assert_true(str_cut(query, '>', &query, NULL));
    head = arena_str(arena, query);
    struct request next = asks("/api/audit", head.p);
    assert_int_equal(paging_read(&next, &page), ERR_OK);
    assert_int_equal(page.limit, 4);
    assert_int_equal(page.before, 1764547200123);
    assert_true(str_eq(page.before_id, STR(ID)));
}

/* A row more than was asked for is fetched, and not shown. */
static void the_row_too_many_tells_that_there_are_more(void **state)
{
    (void)state;
    struct request r = asks("/api/audit", "limit=3");
    struct keyset page;
    size_t n;
    assert_int_equal(paging_read(&r, &page), ERR_OK);
    for (size_t fetched = 0; fetched <= 4; fetched++) {
        n = fetched;
        assert_int_equal(paging_has_more(&page, &n), fetched == 4);
        assert_int_equal(n, fetched == 4 ? 3 : fetched);
    }
}

static void parameters_have_types(void **state)
{
    static const struct {
        const char *query;
        enum error text, id;
    } rows[] = {
        {"", ERR_OK, ERR_MISSING_FIELD},
        {"p=", ERR_OK, ERR_INVALID_FIELD},
        {"p=12345678", ERR_OK, ERR_INVALID_FIELD},
        {"p=123456789", ERR_INVALID_FIELD, ERR_INVALID_FIELD},
        {"p=%F0%9F%9A%A2", ERR_OK, ERR_INVALID_FIELD},
        {"p=%FF", ERR_INVALID_FIELD, ERR_INVALID_FIELD},
        {"p=a%00", ERR_OK, ERR_MISSING_FIELD},
        {"p=" ID, ERR_INVALID_FIELD, ERR_OK},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct str value;
        struct request r = asks("/api/keys", rows[i].query);
        if (param_text(&r, "p", 8, &value) != rows[i].text ||
            param_id(&r, "p", &value) != rows[i].id)
            fail_msg("%s: otherwise", rows[i].query);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_are_asked_for),
        cmocka_unit_test(the_next_page_is_linked),
        cmocka_unit_test(a_link_can_be_followed),
        cmocka_unit_test(the_row_too_many_tells_that_there_are_more),
        cmocka_unit_test(parameters_have_types),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
