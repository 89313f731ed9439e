/* conf: what a file may say, and how it is told what is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <unistd.h>

#include "service/conf.h"

static char path[] = "/tmp/loadline-test-conf-XXXXXX";

static bool load(const char *text, struct conf *conf, char error[CONF_ERROR_SIZE])
{
    FILE *file = fopen(path, "we");
    fputs(text, file);
    fclose(file);
    return conf_load(conf, path, error);
}

struct refusal {
    const char *text, *line, *says;
};

static void are_refused(const struct refusal *rows, size_t n)
{
    struct conf conf;
    char error[CONF_ERROR_SIZE];
    for (size_t i = 0; i < n; i++) {
        assert_false(load(rows[i].text, &conf, error));
        assert_non_null(strstr(error, path));
        if (!strstr(error, rows[i].line) || !strstr(error, rows[i].says))
            fail_msg("row %zu said: %s", i, error);
    }
}

static void refusals_name_file_line_and_key(void **state)
{
    (void)state;
    static const struct refusal rows[] = {
        {"stale_warn = 1\nunknown = 2\n", ":2:", "unknown key \"unknown\""},
        {"log_level = loudy\n", "", "log_level must be"},
        {"log_level = rror\n", "", "log_level must be"},
        {"log_level = verbose\n", "", "log_level must be error, warn, info or debug"},
        {"log_level = all\n", "", "log_level must be error, warn, info or debug"},
        {"log_level =\n", "", "log_level must be error, warn, info or debug"},
        {"metrics_token = 0123456789abcde\n", "", "metrics_token must have at least 16"},
        {"signup = maybe\n", "", "signup must be open, invite or closed"},
        {"deploys_in_score = yes\n", "", "deploys_in_score must be off or on"},
        {"deploys_in_score = ON\n", "", "deploys_in_score must be off or on"},
        {"deploys_in_score = true\n", "", "deploys_in_score must be off or on"},
        {"signup = opened-\n", "", "signup must be open, invite or closed"},
        {"signup =\n", "", "signup must be open, invite or closed"},
        {"public_url = loadline.example\n", "", "public_url must begin with"},
        {"public_url = https://loadline.example/\n", "", "public_url must not end with /"},
        {"mail_from = Loadline <a@example.com>\n", "", "mail_from must be an address alone"},
        {"mail_from = -oQ/tmp\n", "", "mail_from must be an address alone"},
        {"mail_program = sendmail\n", "", "mail_program must be a whole path"},
        {"oidc_issuer = http://x.example\n", "", "oidc_issuer must begin with https://"},
        {"oidc_issuer = https://x.example/\n", "", "oidc_issuer must begin with https:// and not"},
        {"oidc_issuer = https://x.example\noidc_client = c\n", "",
         "needs oidc_client and public_url"},
        {"oidc_join = nobody\noidc_domains = x.example\n", "", "oidc_join must be the id"},
        {"oidc_join = 00112233-4455-4677-8899-aabbccddeeff\n", "", "needs oidc_domains"},
        {"mail_program = /usr/sbin/sendmail\n", "", "needs mail_from and public_url"},
        {"mail_program = /usr/sbin/sendmail\nmail_from = a@b\n", "", "needs mail_from and"},
        {"[section]\nstale_warn = 1\n", ":2:", "sections are not used"},
        {"stale_warn = 1\nthis is no line\n", ":2:", "key = value"},
        {"stale_warn = 500\nstale_block = 400\n", "",
         "stale_warn must not be more than stale_block"},
        {"stale_block = 100\n\nsignup = open\n", ":1:", "stale_warn must not be more"},
        {"\nsignup = maybe\nstale_warn = 7\n", ":2:", "signup must be"},
    };
    are_refused(rows, sizeof rows / sizeof rows[0]);
}

static void refusals_of_numbers_name_the_range(void **state)
{
    (void)state;
    static const struct refusal rows[] = {
        {"\n\n\nstale_warn = many\n", ":4:", "stale_warn must be a whole number"},
        {"stale_warn = 1.5\n", ":1:", "whole number"},
        {"stale_warn = 0\n", ":1:", "whole number from 1 to 604800: \"0\""},
        {"stale_warn = 604801\n", ":1:", "whole number from 1 to 604800: \"604801\""},
        {"stale_warn = 99999999999999999999\n", ":1:", "whole number"},
        {"stale_warn =\n", ":1:", "whole number"},
        {"session_lifetime = 9\n", ":1:", "from 10 to 2592000"},
        {"session_lifetime = 2592001\n", ":1:", "from 10 to 2592000"},
        {"database =\n", ":1:", "database must have 1 to 199 bytes"},
        {"agent_namespace = "
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
         ":1:", "agent_namespace must have 0 to 63 bytes"},
        {"login_fail_limit = 10\n", ":1:", "COUNT/SECONDS"},
        {"login_fail_limit = 10/0\n", ":1:", "and SECONDS from 1 to 86400: \"10/0\""},
        {"login_fail_limit = 10/86401\n", ":1:", "and SECONDS from 1 to 86400"},
        {"login_fail_limit = -1/10\n", ":1:", "a COUNT from 0 to 1000000"},
        {"login_fail_limit = 1000001/10\n", ":1:", "a COUNT from 0 to 1000000"},
    };
    are_refused(rows, sizeof rows / sizeof rows[0]);
}

static void words_that_would_never_be_met_are_refused(void **state)
{
    (void)state;
    static const struct refusal rows[] = {
        {"system_namespaces = kube-system, kube-public\n", "", "must be names of namespaces"},
        {"system_namespaces = openshift-*\n", "", "must be names of namespaces"},
        {"system_namespaces = Kube-System\n", "", "must be names of namespaces"},
        {"trusted_registries = ghcr.io, quay.io\n", "", "trusted_registries must be places"},
        {"trusted_registries = https://ghcr.io\n", "", "trusted_registries must be places"},
        {"trusted_registries = ghcr.io *.example.com\n", "",
         "separated by spaces: \"*.example.com\""},
        {"trusted_registries = bitnami\n", "", "trusted_registries must be places"},
        {"oidc_domains = example.com, example.org\n", "", "oidc_domains must be domains"},
        {"oidc_domains = @example.com\n", "", "oidc_domains must be domains"},
        {"oidc_domains = *.example.com\n", "", "oidc_domains must be domains"},
        {"components = dns:a/b \\\nnetwork:a\n", "", "components must be role:"},
        {"stale_warn = 7 \\\n8\n", ":2:", "only a list goes on"},
        {"database = /a \\\n  b\n", ":2:", "only a list goes on"},
        {"\\\nstale_warn = 7\n", ":2:", "only a list goes on"},
        {"system_namespaces = a \\\n\\\n[section]\n", ":1:", "system_namespaces must be names"},
        {"metrics_allow = 10.0.0.0/8 localhost\n", "", "metrics_allow must be addresses"},
        {"metrics_allow = 10.0.0.0/33\n", "", "metrics_allow must be addresses"},
        {"trusted_proxies = 10.0.0.1, 10.0.0.2\n", "", "trusted_proxies must be"},
        {"trusted_proxies = proxy.example.com\n", "", "trusted_proxies must be"},
        {"trusted_proxies = 10.0.0.0/33\n", "", "trusted_proxies must be"},
        {"webhook_allow = receiver.example.com\n", "", "webhook_allow must be addresses"},
        {"oidc_domains = a b,\nsignup = open\n", ":1:", "oidc_domains must be"},
        {"signup = open\nwebhook_allow = here\n\n\n", ":2:", "webhook_allow must be"},
    };
    are_refused(rows, sizeof rows / sizeof rows[0]);
}

static void a_line_that_is_indented_is_one_of_its_own(void **state)
{
    struct conf conf;
    char error[CONF_ERROR_SIZE];
    (void)state;
    assert_true(load("  stale_warn = 7\n    stale_block = 9\n\tsignup = invite\n", &conf, error));
    assert_int_equal(conf.stale_warn, 7);
    assert_int_equal(conf.stale_block, 9);
    assert_string_equal(conf.signup.s, "invite");
    assert_false(load("stale_warn = 7\n    unknown = 9\n", &conf, error));
    assert_non_null(strstr(error, ":2: unknown key"));
}

static void a_line_that_is_too_long_is_not_cut_silently(void **state)
{
    (void)state;
    char text[512] = "system_namespaces = ";
    struct conf conf;
    char error[CONF_ERROR_SIZE];
    memset(text + strlen(text), 'a', 400);
    assert_false(load(text, &conf, error));
    assert_non_null(strstr(error, ":1: the line is longer than 198 bytes; behind a \\"));
}

static void a_list_goes_on_behind_a_backslash(void **state)
{
    (void)state;
    static const struct {
        const char *text, *list;
        int64_t stale_warn;
    } rows[] = {
        {"system_namespaces = a \\\n  b c\\  \n\td\nstale_warn = 7\n", "a b c d", 7},
        {"system_namespaces =\\\na\nstale_warn = 7\n", " a", 7},
        {"system_namespaces = a \\\n# b\nstale_warn = 7\n", "a", 7},
        {"system_namespaces = a \\\n\nstale_warn = 7\n", "a", 7},
        {"system_namespaces = a \\\nb ; c\n  stale_warn = 7\n", "a b", 7},
        {"system_namespaces = a\\\r\nb\r\nstale_warn = 7\r\n", "a b", 7},
        {"system_namespaces = a \\\nb\nsystem_namespaces = c\\\nd", "c d", 300},
        {"system_namespaces = a\tb \\", "a b", 300},
    };
    struct conf conf;
    char error[CONF_ERROR_SIZE];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!load(rows[i].text, &conf, error))
            fail_msg("row %zu said: %s", i, error);
        assert_string_equal(conf.system_namespaces.s, rows[i].list);
        assert_int_equal(conf.stale_warn, rows[i].stale_warn);
    }
}

static void a_list_has_a_longest_length(void **state)
{
    (void)state;
    struct conf conf;
    char error[CONF_ERROR_SIZE], text[4096] = "trusted_registries =";
    enum { WORDS = CONF_LIST_MAX / 50 };
    for (int i = 0; i < WORDS; i++) /* 50 bytes each, with the blank in front */
        snprintf(text + strlen(text), 64, " \\\nr.io/%044d", i);
    assert_true(load(text, &conf, error));
    assert_int_equal(strlen(conf.trusted_registries.s), WORDS * 50);
    snprintf(text + strlen(text), 64, " \\\nr.io/%043d", 0);
    assert_true(load(text, &conf, error));
    assert_int_equal(strlen(conf.trusted_registries.s), CONF_LIST_MAX);
    snprintf(text + strlen(text), 8, "0");
    assert_false(load(text, &conf, error));
    assert_non_null(strstr(error, ":41: trusted_registries must have 0 to 1999 bytes"));
}

static void defaults_hold_until_the_file_says_otherwise(void **state)
{
    (void)state;
    struct conf conf;
    char error[CONF_ERROR_SIZE];
    assert_true(load("", &conf, error));
    assert_int_equal(conf.stale_warn, 300);
    assert_int_equal(conf.login_fail_limit.count, 10);
    assert_int_equal(conf.login_fail_limit.seconds, 300);
    assert_string_equal(conf.database.s, "/etc/loadline/db.cnf");
    assert_false(conf_has_metrics(&conf));
    assert_true(load("metrics_token = 0123456789abcdef\n", &conf, error));
    assert_true(conf_has_metrics(&conf));
    assert_true(load("metrics_allow = ::1 10.0.0.0/8\n", &conf, error));
    assert_true(conf_has_metrics(&conf));
    assert_true(
        load("# comment\n; comment\n  \nstale_warn=30\nstale_warn = 40 ; the last one wins\n"
             "login_fail_limit = 0 / 1\ndatabase = /a b\n",
             &conf, error));
    assert_int_equal(conf.stale_warn, 40);
    assert_int_equal(conf.login_fail_limit.count, 0);
    assert_string_equal(conf.database.s, "/a b");
}

static void a_key_may_have_its_name_of_before(void **state)
{
    (void)state;
    struct conf conf;
    char error[CONF_ERROR_SIZE];
    assert_true(load("partition_database = /srv/maintain.cnf\n", &conf, error));
    assert_string_equal(conf.maintain_database.s, "/srv/maintain.cnf");
    assert_false(load("partition_database =\nmaintained = x\n", &conf, error));
    assert_non_null(strstr(error, "unknown key \"maintained\""));
}

static void a_missing_file_is_told(void **state)
{
    (void)state;
    struct conf conf;
    char error[CONF_ERROR_SIZE];
    assert_false(conf_load(&conf, "/nonexistent/loadline.conf", error));
    assert_string_equal(error, "/nonexistent/loadline.conf: No such file or directory");
    assert_false(conf_load(&conf, "/tmp", error));
}

static void the_environment_names_the_file(void **state)
{
    (void)state;
    setenv("LOADLINE_CONF", "/x", 1);
    assert_string_equal(conf_path(), "/x");
    unsetenv("LOADLINE_CONF");
    assert_string_equal(conf_path(), "/etc/loadline/loadline.conf");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals_name_file_line_and_key),
        cmocka_unit_test(refusals_of_numbers_name_the_range),
        cmocka_unit_test(words_that_would_never_be_met_are_refused),
        cmocka_unit_test(a_line_that_is_indented_is_one_of_its_own),
        cmocka_unit_test(a_line_that_is_too_long_is_not_cut_silently),
        cmocka_unit_test(a_list_goes_on_behind_a_backslash),
        cmocka_unit_test(a_list_has_a_longest_length),
        cmocka_unit_test(defaults_hold_until_the_file_says_otherwise),
        cmocka_unit_test(a_key_may_have_its_name_of_before),
        cmocka_unit_test(a_missing_file_is_told),
        cmocka_unit_test(the_environment_names_the_file),
    };
    int file = mkstemp(path);
    if (file < 0)
        return 1;
    close(file);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
