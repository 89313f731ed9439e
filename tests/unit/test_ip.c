/* ip: which addresses are addresses, and which of them are public. */
#include "base/ip.h"
#include "scratch.h"

#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void parses(void **state)
{
    static const struct {
        const char *text;
        bool good;
    } rows[] = {
        {"192.0.2.1", true},
        {"255.255.255.255", true},
        {"::", true},
        {"::1", true},
        {"2001:db8::1", true},
        {"::ffff:10.0.0.1", true},
        {"", false},
        {" 192.0.2.1", false},
        {"192.0.2", false},
        {"192.0.2.1.", false},
        {"192.0.2.256", false},
        {"0300.0.2.1", false},
        {"3221225985", false},
        {"0x7f000001", false},
        {"127.1", false},
        {"fe80::1%eth0", false},
        {"[::1]", false},
        {"::1::", false},
        {"192.0.2.1/32", false},
        {"localhost", false},
        {"12345::", false},
        {"1:2:3:4:5:6:7:8:9", false},
        {"0000:0000:0000:0000:0000:ffff:192.168.100.2280000", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ip ip;
        print_message("# %s\n", rows[i].text);
        assert_int_equal(ip_parse(str_of(rows[i].text), &ip), rows[i].good);
    }
    struct ip ip;
    assert_false(ip_parse((struct str){"::1\0", 4}, &ip));
    assert_false(ip_parse((struct str){0}, &ip));
}

static void one_address_has_one_text(void **state)
{
    static const char *const rows[][2] = {
        {"192.0.2.1", "192.0.2.1"},
        {"::ffff:192.0.2.1", "192.0.2.1"},
        {"::FFFF:c000:201", "192.0.2.1"},
        {"2001:DB8:0:0:0:0:0:1", "2001:db8::1"},
        {"::", "::"},
        {"::1", "::1"},
        {"0:0:0:0:0:0:0:0001", "::1"},
        {"::192.0.2.1", "::192.0.2.1"},
        {"64:ff9b::c000:201", "64:ff9b::c000:201"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ip ip;
        char text[IP_TEXT_SIZE];
        assert_true(ip_parse(str_of(rows[i][0]), &ip));
        assert_true(str_eq(ip_format(&ip, text), str_of(rows[i][1])));
        assert_int_equal(ip_is_v4(&ip), strchr(rows[i][1], ':') == NULL);
    }
}

static void ranges_hold(void **state)
{
    static const struct {
        const char *ip, *ranges;
        bool in;
    } rows[] = {
        {"10.1.2.3", "10.0.0.0/8", true},
        {"11.1.2.3", "10.0.0.0/8", false},
        {"::ffff:10.1.2.3", "10.0.0.0/8", true},
        {"10.1.2.3", "::ffff:10.0.0.0/104", true},
        {"10.1.2.3", "10.1.2.3", true},
        {"10.1.2.4", "10.1.2.3", false},
        {"10.1.2.4", "10.1.2.3/0", true},
        {"2001:db8::1", "0.0.0.0/0", false},
        {"10.1.2.4", "::/0", true},
        {"10.1.2.130", "10.1.2.129/25", true},
        {"10.1.2.127", "10.1.2.129/25", false},
        {"fe80::1", "fe80::/10", true},
        {"febf::1", "fe80::/10", true},
        {"fec0::1", "fe80::/10", false},
        {"10.1.2.3", "", false},
        {"10.1.2.3", "nonsense 10.0.0.0/33 10.0.0.0/ 10.0.0.0/-1 10/8", false},
        {"10.1.2.3", "192.0.2.0/24  10.1.0.0/16", true},
        {"::1", "::1/128", true},
        {"::2", "::1/128", false},
        {"::1", "::1/129", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct ip ip;
        print_message("# %s in %s\n", rows[i].ip, rows[i].ranges);
        assert_true(ip_parse(str_of(rows[i].ip), &ip));
        assert_int_equal(ip_in_ranges(&ip, str_of(rows[i].ranges)), rows[i].in);
    }
    assert_true(ip_is_range(STR("10.0.0.0/8")));
    assert_true(ip_is_range(STR("::1")));
    assert_false(ip_is_range(STR("10.0.0.0/8 ")));
    assert_false(ip_is_range(STR("example.com/8")));
    assert_true(ip_are_ranges(STR("")));
    assert_true(ip_are_ranges(STR("10.0.0.0/8  ::1")));
    assert_false(ip_are_ranges(STR("10.0.0.0/8, ::1")));
}

/* First and last of each range that is set aside, and their neighbours. */
static const struct {
    const char *ip;
    bool is_public;
} addresses[] = {
    {"0.0.0.0", false},
    {"0.255.255.255", false},
    {"1.0.0.0", true},
    {"9.255.255.255", true},
    {"10.0.0.0", false},
    {"10.255.255.255", false},
    {"11.0.0.0", true},
    {"100.63.255.255", true},
    {"100.64.0.0", false},
    {"100.127.255.255", false},
    {"100.128.0.0", true},
    {"126.255.255.255", true},
    {"127.0.0.1", false},
    {"127.255.255.255", false},
    {"128.0.0.0", true},
    {"169.253.255.255", true},
    {"169.254.169.254", false},
    {"169.255.0.0", true},
    {"172.15.255.255", true},
    {"172.16.0.0", false},
    {"172.31.255.255", false},
    {"172.32.0.0", true},
    {"192.0.0.192", false},
    {"192.0.1.0", true},
    {"192.0.2.1", false},
    {"192.88.99.1", false},
    {"192.167.255.255", true},
    {"192.168.0.1", false},
    {"192.169.0.0", true},
    {"198.17.255.255", true},
    {"198.18.0.0", false},
    {"198.19.255.255", false},
    {"198.20.0.0", true},
    {"198.51.100.9", false},
    {"203.0.113.9", false},
    {"223.255.255.255", true},
    {"224.0.0.1", false},
    {"239.255.255.255", false},
    {"240.0.0.0", false},
    {"255.255.255.255", false},
    {"::", false},
    {"::1", false},
    {"::127.0.0.1", false},
    {"::8.8.8.8", false},
    {"::ffff:127.0.0.1", false},
    {"::ffff:10.0.0.1", false},
    {"::ffff:8.8.8.8", true},
    {"64:ff9b::7f00:1", false},
    {"64:ff9b::a9fe:a9fe", false},
    {"64:ff9b::808:808", true},
    {"64:ff9b:1::1", false},
    {"100::1", false},
    {"2001::1", false},
    {"2001:1ff::1", false},
    {"2001:200::1", true},
    {"2001:db8::1", false},
    {"2001:db9::1", true},
    {"2002:7f00:1::1", false},
    {"2003::1", true},
    {"2606:4700::1111", true},
    {"3fff::1", false},
    {"3ffe::1", true},
    {"3fff:1000::1", true},
    {"4000::1", false},
    {"168.63.129.16", false},
    {"168.63.129.17", true},
    {"100.100.100.200", false},
    {"fc00::1", false},
    {"fdff::1", false},
    {"fe80::1", false},
    {"fec0::1", false},
    {"ff02::1", false},
    {"fd00:ec2::254", false},
};

static void tells_public_addresses(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(addresses); i++) {
        struct ip ip;
        print_message("# %s\n", addresses[i].ip);
        assert_true(ip_parse(str_of(addresses[i].ip), &ip));
        assert_int_equal(ip_is_public(&ip), addresses[i].is_public);
    }
}

static void reads_socket_addresses(void **state)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x0a000001)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    struct sockaddr other = {.sa_family = AF_UNIX};
    struct ip ip;
    (void)state;
    assert_true(ip_of_sockaddr((struct sockaddr *)&v4, &ip));
    assert_true(ip_in_ranges(&ip, STR("10.0.0.1")));
    assert_true(ip_of_sockaddr((struct sockaddr *)&v6, &ip));
    assert_true(ip_in_ranges(&ip, STR("::1")));
    assert_false(ip_of_sockaddr(&other, &ip));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parses),
        cmocka_unit_test(one_address_has_one_text),
        cmocka_unit_test(ranges_hold),
        cmocka_unit_test(tells_public_addresses),
        cmocka_unit_test(reads_socket_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
