/* fcgi_records: what an answer is on the wire, over a socket pair. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "service/fcgi_records.h"

enum { REQUEST = 258, ROOM = 4 << 20, PIPE = 4 << 20 };

static struct fcgi_records records;
static int here, there;
static unsigned char got[ROOM];
static size_t got_n;

static int start(void **state)
{
    (void)state;
    int ends[2], room = PIPE;
    records.n = 0;
    records.gone = false;
    got_n = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return 1;
    here = ends[0];
    there = ends[1];
    return setsockopt(here, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
}

static int stop(void **state)
{
    (void)state;
    close(here);
    return close(there);
}

static void receive(void)
{
    ssize_t n;
    while ((n = recv(there, got + got_n, sizeof got - got_n, MSG_DONTWAIT)) > 0)
        got_n += (size_t)n;
}

/* Reads the records into text, which has room enough. Returns how many bytes they have, and whether
 * the last one says that the request is over. */
static size_t read_records(char *text, bool *over)
{
    size_t n = 0;
    *over = false;
    for (size_t at = 0; at < got_n;) {
        const unsigned char *head = got + at;
        size_t length = (size_t)head[4] << 8 | head[5];
        assert_int_equal(head[0], 1);
        assert_int_equal(head[2] << 8 | head[3], REQUEST);
        assert_int_equal(head[6], 0);
        assert_false(*over);
        at += 8;
        *over = head[1] == 3;
        if (head[1] == 6)
            memcpy(text + n, got + at, length);
        n += head[1] == 6 ? length : 0;
        at += length;
        assert_true(at <= got_n);
    }
    return n;
}

static struct str make(size_t n)
{
    char *p = malloc(n);
    for (size_t i = 0; i < n; i++)
        p[i] = (char)('a' + i % 23);
    return (struct str){p, n};
}

static void nothing_goes_out_before_the_end(void **state)
{
    (void)state;
    char text[64];
    bool over;
    assert_true(fcgi_records_put(&records, here, REQUEST, STR("Status: 200 OK\r\n\r\n")));
    assert_true(fcgi_records_put(&records, here, REQUEST, STR("{}")));
    receive();
    assert_int_equal(got_n, 0);
    assert_true(fcgi_records_flush(&records, here, REQUEST, true));
    receive();
    assert_int_equal(read_records(text, &over), 20);
    assert_memory_equal(text, "Status: 200 OK\r\n\r\n{}", 20);
    assert_true(over);
}

static void an_answer_that_is_cut_has_no_end(void **state)
{
    (void)state;
    char text[64];
    bool over;
    fcgi_records_put(&records, here, REQUEST, STR("begun"));
    assert_true(fcgi_records_flush(&records, here, REQUEST, false));
    receive();
    assert_int_equal(read_records(text, &over), 5);
    assert_false(over);
}

static void any_length_arrives_whole(void **state)
{
    (void)state;
    static const size_t lengths[] = {0,
                                     1,
                                     FCGI_RECORD_MAX - 1,
                                     FCGI_RECORD_MAX,
                                     FCGI_RECORD_MAX + 1,
                                     2 * FCGI_RECORD_MAX - 1,
                                     2 * FCGI_RECORD_MAX,
                                     2 * FCGI_RECORD_MAX + 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct str bytes = make(lengths[i]);
        char *text = malloc(ROOM);
        bool over;
        got_n = 0;
        assert_true(fcgi_records_put(&records, here, REQUEST, STR("head")));
        assert_true(fcgi_records_put(&records, here, REQUEST, bytes));
        assert_true(fcgi_records_flush(&records, here, REQUEST, true));
        receive();
        assert_int_equal(read_records(text, &over), lengths[i] + 4);
        assert_memory_equal(text, "head", 4);
        assert_memory_equal(text + 4, bytes.p, bytes.n);
        assert_true(over);
        free((char *)bytes.p);
        free(text);
    }
}

static void put_from_a_child(struct str bytes)
{
    pid_t child = fork();
    if (child == 0) {
        bool fine = fcgi_records_put(&records, here, REQUEST, STR("head")) &&
                    fcgi_records_put(&records, here, REQUEST, bytes) &&
                    fcgi_records_put(&records, here, REQUEST, STR("foot")) &&
                    fcgi_records_flush(&records, here, REQUEST, true);
        _exit(fine ? 0 : 1);
    }
    close(here); /* the child has one, too */
    here = dup(there);
}

/* A socket that is full takes a part, and the rest later. */
static void a_slow_reader_gets_all(void **state)
{
    static const size_t lengths[] = {3 * FCGI_RECORD_MAX, 14 * FCGI_RECORD_MAX + 1,
                                     15 * FCGI_RECORD_MAX, 16 * FCGI_RECORD_MAX,
                                     40 * FCGI_RECORD_MAX - 1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        int small = 4096;
        assert_int_equal(i ? stop(state) || start(state) : 0, 0);
        setsockopt(here, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
        struct str bytes = make(lengths[i]);
        put_from_a_child(bytes);
        for (ssize_t n; (n = recv(there, got + got_n, 1000, 0)) > 0;)
            got_n += (size_t)n;
        char *text = malloc(ROOM);
        bool over;
        assert_int_equal(read_records(text, &over), bytes.n + 8);
        assert_memory_equal(text, "head", 4);
        assert_memory_equal(text + 4, bytes.p, bytes.n);
        assert_memory_equal(text + 4 + bytes.n, "foot", 4);
        assert_true(over);
        free((char *)bytes.p);
        free(text);
    }
}

static void who_has_gone_is_told_nothing_more(void **state)
{
    (void)state;
    struct str bytes = make(sizeof records.bytes + 1);
    shutdown(there, SHUT_RDWR);
    assert_false(fcgi_records_put(&records, here, REQUEST, bytes));
    assert_false(fcgi_records_put(&records, here, REQUEST, STR("more")));
    assert_false(fcgi_records_flush(&records, here, REQUEST, true));
    free((char *)bytes.p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_goes_out_before_the_end, start, stop),
        cmocka_unit_test_setup_teardown(an_answer_that_is_cut_has_no_end, start, stop),
        cmocka_unit_test_setup_teardown(any_length_arrives_whole, start, stop),
        cmocka_unit_test_setup_teardown(a_slow_reader_gets_all, start, stop),
        cmocka_unit_test_setup_teardown(who_has_gone_is_told_nothing_more, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
