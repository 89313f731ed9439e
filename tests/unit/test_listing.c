/* listing: lists that end, and the ways in which one may not. */
#include "agent/listing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#define MIB ((size_t)1024 * 1024)

static struct listing listing;

static int begin(void **state)
{
    (void)state;
    listing_begin(&listing, 1000);
    return 0;
}

static int end(void **state)
{
    (void)state;
    listing_free(&listing);
    listing = (struct listing){.pages = 0};
    return 0;
}

static void expect(const char *problem)
{
    const char *got = listing_problem(&listing, 1000);
    if (!got != !problem || (got && !strstr(got, problem)))
        fail_msg("%s, and not %s", got ? got : "fine", problem ? problem : "fine");
}

/* A page with so many objects; the token of the next is this number. */
static void page(unsigned objects, unsigned next)
{
    char token[16];
    snprintf(token, sizeof token, "%u", next);
    for (unsigned i = 0; i < objects; i++)
        listing_take_object(&listing);
    listing_end_page(&listing, str_of(token));
}

static void pages_have_a_largest_number(void **state)
{
    (void)state;
    for (unsigned i = 1; i <= LISTING_PAGES_MAX; i++) {
        page(1, i);
        expect(NULL);
    }
    page(1, LISTING_PAGES_MAX + 1);
    expect("more than 4,000 pages");
}

static void the_last_page_has_no_token(void **state)
{
    (void)state;
    page(500, 1);
    page(500, 2);
    listing_end_page(&listing, STR(""));
    expect(NULL);
    assert_int_equal(listing.next.n, 0);
    assert_int_equal(listing.pages, 3);
    assert_int_equal(listing.objects, 1000);
}

/* Pages in which everything was filtered out are allowed. */
static void pages_without_an_object(void **state)
{
    (void)state;
    for (unsigned i = 1; i <= LISTING_FRUITLESS_MAX; i++)
        page(0, i);
    expect(NULL);
    page(1, 1000);
    for (unsigned i = 1; i <= LISTING_FRUITLESS_MAX; i++)
        page(0, 1000 + i);
    expect(NULL);
    page(0, 2000);
    expect("without an object");
}

static void objects_have_a_largest_number(void **state)
{
    (void)state;
    for (unsigned i = 0; i < LISTING_OBJECTS_MAX; i++)
        listing_take_object(&listing);
    expect(NULL);
    listing_take_object(&listing);
    expect("more than 1,000,000 objects");
}

static void bytes_have_a_largest_number(void **state)
{
    (void)state;
    for (unsigned i = 0; i < LISTING_MIB_MAX; i++)
        listing_take_bytes(&listing, MIB);
    expect(NULL);
    listing_take_bytes(&listing, 1);
    expect("more than 2 GiB");
}

static void it_has_a_longest_time(void **state)
{
    (void)state;
    assert_null(listing_problem(&listing, 1000 + LISTING_MS_MAX));
    assert_non_null(strstr(listing_problem(&listing, 1001 + LISTING_MS_MAX), "15 minutes"));
}

static void a_token_has_a_largest_size(void **state)
{
    static char text[LISTING_TOKEN_MAX + 1];
    (void)state;
    memset(text, 'x', sizeof text);
    listing_end_page(&listing, (struct str){text, LISTING_TOKEN_MAX});
    expect(NULL);
    listing_end_page(&listing, (struct str){text, LISTING_TOKEN_MAX + 1});
    expect("continue token of more");
}

/* lead pages with tokens of their own, then `cycle` tokens again and again. */
static unsigned pages_until_noticed(unsigned lead, unsigned cycle)
{
    begin(NULL);
    while (!listing_problem(&listing, 1000)) {
        unsigned n = listing.pages;
        assert_true(n < LISTING_PAGES_MAX);
        page(1, n < lead ? n : lead + (n - lead) % cycle);
    }
    expect("repeats its continue token");
    return listing.pages;
}

static void repeated_tokens_are_noticed(void **state)
{
    (void)state;
    assert_int_equal(pages_until_noticed(0, 1), 2);
    for (unsigned lead = 0; lead < 40; lead += 3)
        for (unsigned cycle = 1; cycle < 40; cycle++)
            assert_true(pages_until_noticed(lead, cycle) <= 3 * (lead + cycle) + 2);
}

static void a_token_is_doubted(void **state)
{
    static const struct {
        int status;
        unsigned tries; /* 0: it is not */
    } rows[] = {
        {400, 1}, {404, 1}, {410, 1}, {422, 1}, {499, 1}, {401, 0}, {403, 0}, {408, 0},
        {429, 0}, {500, 3}, {503, 3}, {504, 3}, {0, 3},   {200, 3}, {302, 3}, {399, 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned tries = 1;
        listing_begin(&listing, 1000);
        assert_false(listing_fail_page(&listing, rows[i].status)); /* there is no token */
        page(1, 7);
        while (tries < 100 && !listing_fail_page(&listing, rows[i].status))
            tries++;
        if (tries != (rows[i].tries ? rows[i].tries : 100))
            fail_msg("%d: after %u tries", rows[i].status, tries);
    }
}

static void failures_of_other_pages_do_not_count(void **state)
{
    (void)state;
    for (unsigned i = 1; i < 10; i++) {
        page(1, i);
        assert_false(listing_fail_page(&listing, 503));
        assert_false(listing_fail_page(&listing, 503));
        assert_false(listing_fail_page(&listing, 429));
    }
    assert_true(listing_fail_page(&listing, 503));
}

static void it_begins_anew(void **state)
{
    (void)state;
    page(1, 7);
    page(1, 7);
    expect("repeats");
    listing_begin(&listing, 1000);
    expect(NULL);
    assert_int_equal(listing.next.n, 0);
    page(1, 7);
    expect(NULL);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    static const struct CMUnitTest tests[] = {
        TEST(pages_have_a_largest_number),
        TEST(the_last_page_has_no_token),
        TEST(pages_without_an_object),
        TEST(objects_have_a_largest_number),
        TEST(bytes_have_a_largest_number),
        TEST(it_has_a_longest_time),
        TEST(a_token_has_a_largest_size),
        TEST(repeated_tokens_are_noticed),
        TEST(a_token_is_doubted),
        TEST(failures_of_other_pages_do_not_count),
        TEST(it_begins_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
