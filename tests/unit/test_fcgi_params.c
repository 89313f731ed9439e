/* fcgi_params: heads as web servers write them, whole, in pieces and broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "service/fcgi_params.h"

enum { ROOM = 64 * 1024, BEGIN = 1, PARAMS = 4, STDIN = 5 };

static unsigned char records[ROOM];
static size_t records_n;
static struct fcgi_params params;

static int start(void **state)
{
    (void)state;
    records_n = 0;
    return 0;
}

static void put_record(int type, const void *bytes, size_t n, size_t padding)
{
    const unsigned char head[8] = {1,
                                   (unsigned char)type,
                                   0,
                                   1,
                                   (unsigned char)(n >> 8),
                                   (unsigned char)n,
                                   (unsigned char)padding};
    memcpy(records + records_n, head, sizeof head);
    if (n)
        memcpy(records + records_n + sizeof head, bytes, n);
    memset(records + records_n + sizeof head + n, 'p', padding);
    records_n += sizeof head + n + padding;
}

static const char begin[8] = {0, 1};
/* A long name's length takes four bytes; so does a short one's, if somebody likes it so. */
static const char pairs[] = "\x0e\x03HTTP_X_API_KEYkey"
                            "\x80\x00\x00\x11\x04HTTP_X_CLUSTER_IDprod"
                            "\x05\x00"
                            "EMPTY";
enum { PAIRS = sizeof pairs - 1 };

static void put_head(size_t first)
{
    put_record(BEGIN, begin, sizeof begin, 0);
    put_record(PARAMS, pairs, first, 3);
    if (first < PAIRS)
        put_record(PARAMS, pairs + first, PAIRS - first, 0);
    put_record(PARAMS, NULL, 0, 0);
}

/* Of a copy that has no byte more, so that a sanitizer sees what reads beyond. */
static bool is_read(size_t n)
{
    char *copy = malloc(n + 1);
    assert_non_null(copy);
    memcpy(copy, records, n);
    char *exact = realloc(copy, n ? n : 1);
    bool read = fcgi_params_read((struct str){exact, n}, &params);
    free(exact);
    return read;
}

static void assert_found(const char *name, const char *value)
{
    struct str found = fcgi_params_find(&params, str_of(name));
    assert_non_null(found.p);
    assert_int_equal(found.n, strlen(value));
    assert_memory_equal(found.p, value, found.n);
}

static void test_a_head_in_one_record_or_in_several(void **state)
{
    (void)state;
    for (size_t first = 1; first <= PAIRS; first++) {
        records_n = 0;
        put_head(first);
        put_record(STDIN, "body", 4, 0);
        assert_true(is_read(records_n));
        assert_found("HTTP_X_API_KEY", "key");
        assert_found("HTTP_X_CLUSTER_ID", "prod");
        assert_found("EMPTY", "");
        assert_null(fcgi_params_find(&params, STR("HTTP_X_API")).p);
    }
}

static void test_what_is_not_whole(void **state)
{
    (void)state;
    put_head(7);
    for (size_t n = 0; n < records_n; n++)
        assert_false(is_read(n));
    assert_true(is_read(records_n));
}

static void test_what_is_no_head(void **state)
{
    (void)state;
    put_record(STDIN, "body", 4, 0);
    put_head(PAIRS);
    assert_false(is_read(records_n));
    records_n = 0;
    put_head(PAIRS);
    records[0] = 2;
    assert_false(is_read(records_n));
    assert_false(fcgi_params_read(STR("GET / HTTP/1.1\r\n\r\n"), &params));
}

static void test_more_than_there_is_room_for(void **state)
{
    (void)state;
    static const char zeros[FCGI_PARAMS_MAX];
    put_record(BEGIN, begin, sizeof begin, 0);
    put_record(PARAMS, zeros, sizeof zeros, 0);
    size_t without = records_n;
    put_record(PARAMS, NULL, 0, 0);
    assert_true(is_read(records_n));
    records_n = without;
    put_record(PARAMS, zeros, 1, 0);
    put_record(PARAMS, NULL, 0, 0);
    assert_false(is_read(records_n));
}

static void find_in(const char *bytes, size_t n)
{
    memcpy(params.bytes, bytes, n);
    params.n = n;
    assert_null(fcgi_params_find(&params, STR("NAME")).p);
}

static void test_lengths_that_lie(void **state)
{
    (void)state;
    find_in("\x04\x05NAMEabcd", 10);
    find_in("\x40\x01NAMEa", 7);
    find_in("\xff\xff\xff\xff\x01NAMEa", 10);
    find_in("\x04\xff\xff\xff\xffNAMEa", 10);
    find_in("\x04\xff\xff", 3);
    find_in("\x04", 1);
}

static void test_a_connection_keeps_what_was_peeked(void **state)
{
    (void)state;
    int ends[2];
    char got[ROOM];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    put_head(PAIRS);
    assert_int_equal(send(ends[0], records, records_n / 2, 0), records_n / 2);
    assert_false(fcgi_params_peek(ends[1], &params));
    size_t rest = records_n - records_n / 2;
    assert_int_equal(send(ends[0], records + records_n / 2, rest, 0), rest);
    for (int i = 0; i < 2; i++) {
        assert_true(fcgi_params_peek(ends[1], &params));
        assert_found("HTTP_X_CLUSTER_ID", "prod");
    }
    assert_int_equal(recv(ends[1], got, sizeof got, MSG_DONTWAIT), records_n);
    assert_memory_equal(got, records, records_n);
    close(ends[0]);
    assert_false(fcgi_params_peek(ends[1], &params));
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_a_head_in_one_record_or_in_several, start),
        cmocka_unit_test_setup(test_what_is_not_whole, start),
        cmocka_unit_test_setup(test_what_is_no_head, start),
        cmocka_unit_test_setup(test_more_than_there_is_room_for, start),
        cmocka_unit_test_setup(test_lengths_that_lie, start),
        cmocka_unit_test_setup(test_a_connection_keeps_what_was_peeked, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
