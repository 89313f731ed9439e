/* webhook_url: which addresses a channel may have, and what is shown of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "scratch.h"
#include "service/webhook_url.h"

static const struct webhook_policy strict = {false, {"", 0}},
                                   loose = {true, {"127.0.0.0/8 10.1.0.0/16", 23}};

#define LABEL  "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde"
#define LONG   LABEL "." LABEL "." LABEL "."
#define GOOD   NULL
#define INSIDE "inside a network"
#define USUAL  "usual form"

static const struct {
    const char *url;
    const char *strict, *loose; /* words of the problem */
} rows[] = {
    {"https://hooks.slack.com/services/T0/B0/x", GOOD, GOOD},
    {"HTTPS://Hooks.Example.com", GOOD, GOOD},
    {"https://example.com:8443/a?b=c#d", GOOD, GOOD},
    {"https://example.com.", GOOD, GOOD},
    {"https://a_b-c.example.com/%40", GOOD, GOOD},
    {"https://receiver", GOOD, GOOD},
    {"https://192.0.78.9/", GOOD, GOOD},
    {"https://[2606:4700::1111]/", GOOD, GOOD},
    {"https://example.com/a@b", GOOD, GOOD},
    {"https://1e100.net/", GOOD, GOOD},
    {"https://" LONG LABEL "/", "no name has", "no name has"}, /* 255 */
    {"https://" LONG "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abc/", GOOD, GOOD},
    {"http://example.com/", "begin with https://", GOOD},
    {"ftp://example.com/", "begin with https://", "begin with https:// or http://"},
    {"//example.com/", "begin", "begin"},
    {"https:/example.com/", "begin", "begin"},
    {"example.com", "begin", "begin"},
    {"", "begin", "begin"},
    {"https://", "no host", "no host"},
    {"https:///path", "no host", "no host"},
    {"https://?q", "no host", "no host"},
    {"https://:443/", "no host", "no host"},
    {"https://.example.com/", "no name has", "no name has"},
    {"https://example..com/", "no name has", "no name has"},
    {"https://./", "no host", "no host"},
    {"https://exa%6dple.com/", "no name has", "no name has"},
    {"https://exa*ple.com/", "no name has", "no name has"},
    {"https://b\xC3\xBC"
     "cher.example/",
     "ASCII", "ASCII"},
    {" https://example.com/", "blanks", "blanks"},
    {"https://example.com/ x", "blanks", "blanks"},
    {"https://example.com/\r\nHost: x", "blanks", "blanks"},
    {"https://example.com\\@evil.example/", "backslashes", "backslashes"},
    {"https://user@example.com/", "user name", "user name"},
    {"https://user:pass@example.com/", "user name", "user name"},
    {"https://example.com@10.0.0.1/", "user name", "user name"},
    {"https://example.com:/", "makes no sense", "makes no sense"},
    {"https://example.com:0/", "makes no sense", "makes no sense"},
    {"https://example.com:65535/", GOOD, GOOD},
    {"https://example.com:65536/", "makes no sense", "makes no sense"},
    {"https://example.com:+80/", "makes no sense", "makes no sense"},
    {"https://a:b:1/", "makes no sense", "makes no sense"},
    {"https://[::1", "makes no sense", "makes no sense"},
    {"https://[::1]x/", "makes no sense", "makes no sense"},
    {"https://[::1]:/", "makes no sense", "makes no sense"},
    {"https://[]/", "not an address", "not an address"},
    {"https://[example.com]/", "not an address", "not an address"},
    {"https://[192.0.78.9]/", "not an address", "not an address"},
    {"https://[fe80::1%25eth0]/", "not an address", "not an address"},
    {"https://127.0.0.1/", INSIDE, GOOD},
    {"https://10.1.2.3/", INSIDE, GOOD},
    {"https://10.2.2.3/", INSIDE, INSIDE},
    {"https://192.168.0.1:8080/", INSIDE, INSIDE},
    {"https://169.254.169.254/latest/meta-data", INSIDE, INSIDE},
    {"https://0.0.0.0/", INSIDE, INSIDE},
    {"https://[::1]/", INSIDE, INSIDE},
    {"https://[::ffff:127.0.0.1]/", INSIDE, GOOD},
    {"https://[::ffff:10.0.0.1]/", INSIDE, INSIDE},
    {"https://[fd00:ec2::254]/", INSIDE, INSIDE},
    {"https://[fe80::1]/", INSIDE, INSIDE},
    {"https://localhost/", INSIDE, GOOD},
    {"https://LocalHost.:8080/", INSIDE, GOOD},
    {"https://a.localhost/", INSIDE, GOOD},
    {"https://localhost.example.com/", GOOD, GOOD},
    {"https://2130706433/", USUAL, USUAL},
    {"https://0x7f000001/", USUAL, USUAL},
    {"https://0x7f.1/", USUAL, USUAL},
    {"https://127.1/", USUAL, USUAL},
    {"https://0177.0.0.1/", USUAL, USUAL},
    {"https://127.0.0.1./", USUAL, USUAL},
    {"https://1.2.3.4.5/", USUAL, USUAL},
    {"https://example.0x10/", USUAL, USUAL},
};

static void expect(const char *url, const struct webhook_policy *policy, const char *words)
{
    const char *problem = webhook_url_problem(str_of(url), policy);
    if (!words != !problem || (words && !strstr(problem, words)))
        fail_msg("%s: %s instead of %s", url, problem ? problem : "good", words ? words : "good");
}

static void urls_are_good_or_have_a_problem(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        expect(rows[i].url, &strict, rows[i].strict);
        expect(rows[i].url, &loose, rows[i].loose);
    }
}

static void long_ones_are_refused(void **state)
{
    (void)state;
    char url[WEBHOOK_URL_MAX + 2];
    memset(url, 'a', sizeof url);
    memcpy(url, "https://example.com/", 20);
    url[WEBHOOK_URL_MAX] = '\0';
    expect(url, &strict, GOOD);
    url[WEBHOOK_URL_MAX] = 'a';
    url[WEBHOOK_URL_MAX + 1] = '\0';
    expect(url, &strict, "too long");
}

static void only_the_host_is_shown(void **state)
{
    (void)state;
    static const struct {
        const char *url, *masked;
    } shown[] = {
        {"https://hooks.slack.com/services/T0/B0/x", "https://hooks.slack.com/..."},
        {"HTTPS://example.com", "https://example.com/..."},
        {"http://example.com:8080?token=x", "http://example.com:8080/..."},
        {"https://example.com#x", "https://example.com/..."},
        {"https://[2606:4700::1111]:1/x", "https://[2606:4700::1111]:1/..."},
    };
    for (size_t i = 0; i < COUNT(shown); i++)
        assert_true(
            str_eq(webhook_url_masked(arena, str_of(shown[i].url)), str_of(shown[i].masked)));
}

static void the_host_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *url, *host;
    } hosts[] = {
        {"https://hooks.slack.com/services/T0/B0/x", "hooks.slack.com"},
        {"HTTPS://Example.com.", "Example.com."},
        {"http://example.com:8080?token=x", "example.com"},
        {"https://example.com#x", "example.com"},
        {"https://192.0.2.1:1/@y", "192.0.2.1"},
        {"https://[2606:4700::1111]:1/x", "2606:4700::1111"},
        {"https://[2606:4700::1111]", "2606:4700::1111"},
    };
    for (size_t i = 0; i < COUNT(hosts); i++)
        assert_true(str_eq(webhook_url_host(str_of(hosts[i].url)), str_of(hosts[i].host)));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(urls_are_good_or_have_a_problem),
        cmocka_unit_test(long_ones_are_refused),
        cmocka_unit_test(only_the_host_is_shown),
        cmocka_unit_test(the_host_is_told),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
