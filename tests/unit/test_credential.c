#include "kube/credential.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define TEN          "0123456789"

static void names(void **state)
{
    static const struct {
        const char *name;
        bool is;
    } rows[] = {
        {"DB_PASSWORD", true},
        {"dbPassword", true},
        {"mysqlpassword", true},
        {"api-token", true},
        {"APIToken", true},
        {"clientSecret", true},
        {"AWS_SECRET_ACCESS_KEY", true},
        {"API_KEY", true},
        {"apikey", true},
        {"PRIVATE_KEY", true},
        {"REDIS_PASS", true},
        {"spring.datasource.password", true},
        {"credentials.json", true},
        {"db-password.txt", true},
        {"api.key.properties", true},
        {"credential-operator-alerts.yaml", false},
        {"token.rules.json", false},
        {"PASSWORD_FILE", false},
        {"passwordFile", false},
        {"SECRET_NAME", false},
        {"TOKEN_URL", false},
        {"TOKEN_TTL", false},
        {"TOKEN_EXPIRY", false},
        {"CACHE_KEY", false},
        {"KEY", false},
        {"MAX_TOKENS", false},
        {"COMPASS", false},
        {"PASSENGER", false},
        {"BYPASS_LIST", false},
        {"SECRETARY", false},
        {"", false},
        {"___", false},
        {"a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s-t-u-v-w-x-y-z-1-2-3-4-5-6-7-8-9", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (credential_name(str_of(rows[i].name)) != rows[i].is)
            fail_msg("%s", rows[i].name);
}

static void values(void **state)
{
    static const struct {
        const char *value;
        bool is;
    } rows[] = {
        {"-----BEGIN RSA PRIVATE KEY-----\nMII", true},
        {"-----BEGIN PRIVATE KEY-----", true},
        {"-----BEGIN CERTIFICATE-----\nMII", false},
        {"AKIAIOSFODNN7EXAMPLE", true},
        {"AKIAIOSFODNN7EXAMPL", false},
        {"key: AKIAIOSFODNN7EXAMPLE\n", true},
        {"XAKIAIOSFODNN7EXAMPLE", false},
        {"ghp_" TEN TEN TEN "012345", true},
        {"ghp_" TEN TEN TEN "01234", false},
        {"AIza" TEN TEN TEN "01-_4", true},
        {"xoxb-" TEN, true},
        {"xoxb-", false},
        {"Bearer eyJhbGciOiJIUzI1NiJ9.e30.abcdefgh", true},
        {"postgres://user:hunter2@db:5432/app", true},
        {"postgres://user:$(PASSWORD)@db:5432/app", false},
        {"postgres://user@db/app", false},
        {"https://example.com/a:b@c", false},
        {"hello", false},
        {"", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (credential_value(str_of(rows[i].value)) != rows[i].is)
            fail_msg("%s", rows[i].value);
    assert_false(credential_value((struct str){"\0\0A", 3}));
}

static void pairs(void **state)
{
    static const struct {
        const char *name, *value;
        bool is;
    } rows[] = {
        {"DB_PASSWORD", "hunter2", true},
        {"DB_PASSWORD", "123456", true},
        {"DB_PASSWORD", "", false},
        {"USE_TOKEN", "True", false},
        {"TOKEN", "/var/run/secrets/token", false},
        {"TOKEN", "/9j2k==", true},
        {"SECRET", "https://vault.example", false},
        {"SECRET", "$(OTHER)", false},
        {"SECRET", "<change me>", false},
        {"GREETING", "hello", false},
        {"GREETING", "AKIAIOSFODNN7EXAMPLE", true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (credential_pair(str_of(rows[i].name), str_of(rows[i].value)) != rows[i].is)
            fail_msg("%s=%s", rows[i].name, rows[i].value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(values),
        cmocka_unit_test(pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
