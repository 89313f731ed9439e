/* Lists of database hosts, and which of them is asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"
#include "db/db.h"
#include "db/hosts.h"
#include "scratch.h"

static const char *read_text(struct hosts *hosts, const char *text)
{
    char name[] = "/tmp/loadline-hosts-XXXXXX";
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    hosts_read(hosts, name);
    unlink(name);
    return hosts->list;
}

static void the_list_is_that_of_our_group(void **state)
{
    (void)state;
    static const struct {
        const char *file, *list;
    } rows[] = {
        {"", ""},
        {"[loadline]\nuser=u\n", ""},
        {"[loadline]\nhost=one\n", ""}, /* the client library's own affair */
        {"[loadline]\nhost=one,two:3307\n", "one,two:3307"},
        {"[loadline]\n host =\tone , two:3307 , three \r\n", "one,two:3307,three"},
        {"[loadline]\nhost=\"one,two\"\n", "one,two"},
        {"[loadline]\nhost=one,two", "one,two"},
        {"[client]\nhost=one,two\n[loadline]\nuser=u\n", ""},
        {"[client]\nhost=a,b\n[loadline]\nhost=one,two\n[mariadb-client]\nhost=c,d\n", "one,two"},
        {"[loadline]\n# host=a,b\n#host=c,d\nhost=one,two\n", "one,two"},
        {"[loadline]\nhost=a,b\nhost=one,two\n", "one,two"}, /* the last counts */
        {"[loadline]\nhost=a,b\nhost=one\n", ""},
        {"[loadline]\nghost=a,b\nhostname=c,d\nhost\n", ""},
        {"[loadline]\nhost=[::1]:3307,two\n", "[::1]:3307,two"},
        {"!include other\n[loadline]\nhost=one,two\n", "one,two"},
    };
    struct hosts hosts;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(read_text(&hosts, rows[i].file), rows[i].list);
        assert_int_equal(hosts_several(&hosts), rows[i].list[0] != '\0');
    }
    hosts_read(&hosts, "/nonexistent/db.cnf");
    assert_false(hosts_several(&hosts));
}

static void a_check_of_the_server_without_a_value(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        bool bare;
    } rows[] = {
        {"[loadline]\nssl-ca=/x\n", false},
        {"[loadline]\nssl-verify-server-cert\n", true},
        {"[loadline]\n ssl_verify_server_cert \r\n", true},
        {"[loadline]\nssl-verify-server-cert", true},
        {"[loadline]\nssl-verify-server-cert =\n", true},
        {"[loadline]\nssl-verify-server-cert = 1\n", false},
        {"[loadline]\nssl-verify-server-cert=0\n", false}, /* that is said clearly */
        {"[loadline]\nssl-verify-server-cert\nssl-verify-server-cert=1\n", false},
        {"[loadline]\n#ssl-verify-server-cert\nno-ssl-verify-server-cert\n", false},
        {"[client]\nssl-verify-server-cert\n[loadline]\nuser=u\n", false},
    };
    struct hosts hosts;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        read_text(&hosts, rows[i].file);
        assert_int_equal(hosts.bare_verify, rows[i].bare);
    }
    hosts_read(&hosts, "/nonexistent/db.cnf");
    assert_false(hosts.bare_verify);
}

static void a_list_that_is_too_long_is_none(void **state)
{
    (void)state;
    struct hosts hosts;
    char text[2 * HOSTS_MAX];
    for (int n = HOSTS_MAX - 2; n <= HOSTS_MAX + 1; n++) {
        int length = snprintf(text, sizeof text, "[loadline]\nhost=a,%0*d\n", n - 2, 0);
        assert_in_range(length, 1, sizeof text - 1);
        assert_int_equal(strlen(read_text(&hosts, text)), n < HOSTS_MAX ? n : 0);
    }
}

static void what_is_passed_over_comes_last(void **state)
{
    (void)state;
    static const struct {
        const char *list, *host;
        unsigned port;
        const char *then;
    } rows[] = {
        {"a,b,c", "a", 3306, "b,c,a"},
        {"a,b,c", "b", 3306, "c,a,b"},
        {"a,b,c", "c", 3306, "a,b,c"},
        {"a:1,a:2,a:3", "a", 2, "a:3,a:1,a:2"},
        {"a:1,a:12", "a", 12, "a:1,a:12"},
        {"a:1,a:12,b", "a", 1, "a:12,b,a:1"},
        {"ab,a,b", "a", 0, "b,ab,a"},
        {"a,b", "unknown", 3306, "b,a"},
        {"a,b", "", 0, "b,a"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct hosts hosts;
        snprintf(hosts.list, sizeof hosts.list, "%s", rows[i].list);
        hosts_pass_over(&hosts, rows[i].host, rows[i].port);
        assert_string_equal(hosts.list, rows[i].then);
    }
}

/* A server that takes connections and says nothing. */
static int frozen(unsigned *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
    assert_int_equal(listen(fd, 8), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &size), 0);
    *port = ntohs(at.sin_port);
    return fd;
}

static void who_is_frozen_is_not_asked_first_for_ever(void **state)
{
    (void)state;
    unsigned ports[2];
    int fds[] = {frozen(&ports[0]), frozen(&ports[1])};
    char options[] = "/tmp/loadline-hosts-XXXXXX";
    int file = mkstemp(options);
    assert_true(dprintf(file, "[loadline]\nhost=127.0.0.1:%u,127.0.0.1:%u\n", ports[0], ports[1]) >
                0);
    log_open("test_hosts", "/dev/null", LOG_LEVEL_INFO);
    struct db *db = db_new(options);
    db_set_limit(db, 2);
    assert_int_equal(db_ping(db), ERR_DATABASE_UNAVAILABLE);
    for (size_t i = 0; i < 2; i++) {
        struct pollfd asked = {.fd = fds[i], .events = POLLIN};
        assert_int_equal(poll(&asked, 1, 0), 1);
        close(fds[i]);
    }
    db_free(db);
    close(file);
    unlink(options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_is_that_of_our_group),
        cmocka_unit_test(a_check_of_the_server_without_a_value),
        cmocka_unit_test(a_list_that_is_too_long_is_none),
        cmocka_unit_test(what_is_passed_over_comes_last),
        cmocka_unit_test(who_is_frozen_is_not_asked_first_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
