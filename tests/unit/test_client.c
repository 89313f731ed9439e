/* client: whose address a request has, whatever X-Forwarded-For says. */
#include "web/client.h"
#include "scratch.h"
#include "wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static const struct {
    const char *what, *proxies, *peer, *chain, *client, *range;
} rows[] = {
    {"nobody is trusted", "", "192.0.2.1", "198.51.100.1", "192.0.2.1", "192.0.2.1"},
    {"no header", "192.0.2.1", "192.0.2.1", NULL, "192.0.2.1", "192.0.2.1"},
    {"an empty one", "192.0.2.1", "192.0.2.1", "", "192.0.2.1", "192.0.2.1"},
    {"one proxy", "192.0.2.1", "192.0.2.1", "198.51.100.1", "198.51.100.1", "198.51.100.1"},
    {"from elsewhere", "192.0.2.1", "192.0.2.2", "198.51.100.1", "192.0.2.2", "192.0.2.2"},
    {"a forged beginning", "192.0.2.1", "192.0.2.1", "203.0.113.9, 198.51.100.1", "198.51.100.1",
     "198.51.100.1"},
    {"two proxies", "192.0.2.1 10.0.0.0/8", "192.0.2.1", "203.0.113.9,198.51.100.1,10.2.3.4",
     "198.51.100.1", "198.51.100.1"},
    {"proxies all the way", "192.0.2.1 10.0.0.0/8", "192.0.2.1", "10.1.1.1, 10.2.2.2", "10.1.1.1",
     "10.1.1.1"},
    {"a range of IPv6", "2001:db8:1::/48", "2001:db8:1::9", "198.51.100.1", "198.51.100.1",
     "198.51.100.1"},
    {"a mapped peer", "192.0.2.1", "::ffff:192.0.2.1", "198.51.100.1", "198.51.100.1",
     "198.51.100.1"},
    {"a mapped client", "192.0.2.1", "192.0.2.1", "::ffff:198.51.100.1", "198.51.100.1",
     "198.51.100.1"},
    {"another way to write it", "2001:db8::1", "2001:DB8:0:0::1", "2001:DB8:0:1:0:0:0:5",
     "2001:db8:0:1::5", "2001:db8:0:1::/64"},
    {"the same /64", "192.0.2.1", "192.0.2.1", "2001:db8:0:1:ffff::9", "2001:db8:0:1:ffff::9",
     "2001:db8:0:1::/64"},
    {"IPv6 without a proxy", "", "2001:db8::7", NULL, "2001:db8::7", "2001:db8::/64"},
    {"a port", "192.0.2.1", "192.0.2.1", "198.51.100.1:4711", "198.51.100.1", "198.51.100.1"},
    {"brackets and a port", "192.0.2.1", "192.0.2.1", "[2001:db8::5]:4711", "2001:db8::5",
     "2001:db8::/64"},
    {"commas", "192.0.2.1", "192.0.2.1", ", 198.51.100.1 ,,  ,", "198.51.100.1", "198.51.100.1"},
    {"commas only", "192.0.2.1", "192.0.2.1", ",,,,", "192.0.2.1", "192.0.2.1"},
    {"a name", "192.0.2.1", "192.0.2.1", "198.51.100.1, unknown", "192.0.2.1", "192.0.2.1"},
    {"garbage", "192.0.2.1", "192.0.2.1", "198.51.100.1, \x1b[31m\"x\\", "192.0.2.1", "192.0.2.1"},
    {"octal", "192.0.2.1", "192.0.2.1", "0300.0.2.1", "192.0.2.1", "192.0.2.1"},
    {"a zone", "192.0.2.1", "192.0.2.1", "fe80::1%eth0", "192.0.2.1", "192.0.2.1"},
    {"a bracket that stays open", "192.0.2.1", "192.0.2.1", "[2001:db8::5", "2001:db8::5",
     "2001:db8::/64"},
    {"no peer", "192.0.2.1", NULL, "198.51.100.1", "", ""},
    {"a peer that is no address", "192.0.2.1", "unix:", "198.51.100.1", "unix:", "unix:"},
    {"everybody is trusted", "0.0.0.0/0 ::/0", "192.0.2.1", "2001:db8::5, 198.51.100.1",
     "2001:db8::5", "2001:db8::/64"},
};

static void addresses(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct wire wire;
        struct conf conf;
        struct request r = {.arena = arena, .conf = &conf};
        struct http_transport transport;
        conf_defaults(&conf);
        snprintf(conf.trusted_proxies.s, sizeof conf.trusted_proxies.s, "%s", rows[i].proxies);
        wire_start(&wire, "GET", "/");
        wire_set(&wire, "REMOTE_ADDR", rows[i].peer);
        wire_set(&wire, "HTTP_X_FORWARDED_FOR", rows[i].chain);
        transport = wire_transport(&wire);
        assert_int_equal(http_read_head(r.arena, &transport, &r.http), ERR_OK);
        client_find(&r);
        if (!str_eq(r.client, str_of(rows[i].client)) ||
            !str_eq(r.client_range, str_of(rows[i].range)))
            fail_msg("%s: %" STR_FMT " of %" STR_FMT, rows[i].what, STR_ARG(r.client),
                     STR_ARG(r.client_range));
    }
}

/* As much as a header can hold costs no more than its length. */
static void a_long_chain_ends(void **state)
{
    (void)state;
    static char chain[64 * 1024];
    struct wire wire;
    struct conf conf;
    struct request r = {.arena = arena, .conf = &conf};
    conf_defaults(&conf);
    snprintf(conf.trusted_proxies.s, sizeof conf.trusted_proxies.s, "192.0.2.1");
    for (size_t i = 0; i + 10 < sizeof chain; i += 10)
        memcpy(chain + i, "192.0.2.1,", 10);
    wire_start(&wire, "GET", "/");
    wire_set(&wire, "HTTP_X_FORWARDED_FOR", chain);
    struct http_transport transport = wire_transport(&wire);
    assert_int_equal(http_read_head(r.arena, &transport, &r.http), ERR_OK);
    client_find(&r);
    assert_true(str_eq(r.client, STR("192.0.2.1")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(addresses),
                                       cmocka_unit_test(a_long_chain_ends)};
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
