#include "kube/credential.h"
#include "ordinary_env.h"

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
        enum credential_name is;
    } rows[] = {
        {"DB_PASSWORD", CREDENTIAL_NAME_SECRET},
        {"dbPassword", CREDENTIAL_NAME_SECRET},
        {"mysqlpassword", CREDENTIAL_NAME_SECRET},
        {"api-token", CREDENTIAL_NAME_SECRET},
        {"APIToken", CREDENTIAL_NAME_SECRET},
        {"clientSecret", CREDENTIAL_NAME_SECRET},
        {"AWS_SECRET_ACCESS_KEY", CREDENTIAL_NAME_SECRET},
        {"API_KEY", CREDENTIAL_NAME_SECRET},
        {"apikey", CREDENTIAL_NAME_SECRET},
        {"PRIVATE_KEY", CREDENTIAL_NAME_SECRET},
        {"REDIS_PASS", CREDENTIAL_NAME_SECRET},
        {"DB_PASSWORD_PROD", CREDENTIAL_NAME_SECRET},
        {"DB_PASSWORD_2", CREDENTIAL_NAME_SECRET},
        {"DB_PASSWORD2", CREDENTIAL_NAME_SECRET},
        {"password1", CREDENTIAL_NAME_SECRET},
        {"API_KEY1", CREDENTIAL_NAME_SECRET},
        {"PASSWORD_FILE2", CREDENTIAL_NAME_NONE},
        {"COMPASS2", CREDENTIAL_NAME_NONE},
        {"SHA256", CREDENTIAL_NAME_NONE},
        {"S3", CREDENTIAL_NAME_NONE},
        {"spring.datasource.password", CREDENTIAL_NAME_SECRET},
        {"credentials.json", CREDENTIAL_NAME_SECRET},
        {"db-password.txt", CREDENTIAL_NAME_SECRET},
        {"api.key.properties", CREDENTIAL_NAME_SECRET},
        {"oauth.client.secret", CREDENTIAL_NAME_SECRET},
        {"manager.serving-cert.secret", CREDENTIAL_NAME_OBJECT},
        {"TOKEN_GITHUB", CREDENTIAL_NAME_LIKELY},
        {"SECRET_BLAH", CREDENTIAL_NAME_LIKELY},
        {"FOO_SECRET_BAR", CREDENTIAL_NAME_LIKELY},
        {"SECRET_KEY_BASE", CREDENTIAL_NAME_LIKELY},
        {"mysqlPasswordShop", CREDENTIAL_NAME_LIKELY},
        {"PASSWORDS", CREDENTIAL_NAME_LIKELY},
        {"SHOP_SECRETS_PROD", CREDENTIAL_NAME_LIKELY},
        {"passwords.txt", CREDENTIAL_NAME_LIKELY},
        {"secret.blah", CREDENTIAL_NAME_LIKELY},
        {"SECRETS_DIR", CREDENTIAL_NAME_NONE},
        {"SECRETS_STORE_CSI", CREDENTIAL_NAME_NONE},
        {"IMAGE_PULL_SECRETS", CREDENTIAL_NAME_NONE},
        {"PULL_SECRET_NAME_SHOP", CREDENTIAL_NAME_NONE},
        {"PASSWORD_FILE_SHOP", CREDENTIAL_NAME_HINT},
        {"TOKEN_TTL_DEFAULT", CREDENTIAL_NAME_HINT},
        {"PASSWORD_COMPLEXITY", CREDENTIAL_NAME_HINT},
        {"PWD_LINK", CREDENTIAL_NAME_HINT},
        {"TOKENREVIEWS", CREDENTIAL_NAME_NONE},
        {"PASSENGERS", CREDENTIAL_NAME_NONE},
        {"AZURE_BATCH_KEY", CREDENTIAL_NAME_HINT},
        {"CACHE_KEY", CREDENTIAL_NAME_HINT},
        {"PASS_THROUGH", CREDENTIAL_NAME_HINT},
        {"credential-operator-alerts.yaml", CREDENTIAL_NAME_NONE},
        {"token.rules.json", CREDENTIAL_NAME_NONE},
        {"PASSWORD_FILE", CREDENTIAL_NAME_NONE},
        {"passwordFile", CREDENTIAL_NAME_NONE},
        {"PASSWORD_ENCODER", CREDENTIAL_NAME_NONE},
        {"SECRET_NAME", CREDENTIAL_NAME_NONE},
        {"TOKEN_URL", CREDENTIAL_NAME_NONE},
        {"TOKEN_TTL", CREDENTIAL_NAME_NONE},
        {"TOKEN_TTL_SECONDS", CREDENTIAL_NAME_NONE},
        {"TOKEN_EXPIRY", CREDENTIAL_NAME_NONE},
        {"SSH_PUBLIC_KEY", CREDENTIAL_NAME_NONE},
        {"KEY", CREDENTIAL_NAME_NONE},
        {"MAX_TOKENS", CREDENTIAL_NAME_NONE},
        {"MAX_TOKEN", CREDENTIAL_NAME_NONE},
        {"COMPASS", CREDENTIAL_NAME_NONE},
        {"PASSENGER", CREDENTIAL_NAME_NONE},
        {"BYPASS_LIST", CREDENTIAL_NAME_NONE},
        {"SECRETARY", CREDENTIAL_NAME_NONE},
        {"", CREDENTIAL_NAME_NONE},
        {"___", CREDENTIAL_NAME_NONE},
        {"a-b-c-d-e-f-g-h-i-j-k-l-m-n-o-p-q-r-s-t-u-v-w-x-y-z-1-2-3-4-5-6-7-8-9",
         CREDENTIAL_NAME_NONE},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (credential_name(str_of(rows[i].name)) != rows[i].is)
            fail_msg("%s: %d", rows[i].name, (int)credential_name(str_of(rows[i].name)));
}

static void long_words(void **state)
{
    (void)state;
    assert_int_equal(credential_name(STR("MYAPPLICATIONDATABASEPASSWORD")), CREDENTIAL_NAME_SECRET);
    assert_int_equal(credential_name(STR("myapplicationdatabasepassword2")),
                     CREDENTIAL_NAME_SECRET);
    assert_int_equal(credential_name(STR("passwordofmyapplicationdatabase")), CREDENTIAL_NAME_NONE);
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
        {"sk-ant-api03-" TEN TEN, true},
        {"sk-ant-x", false},
        {"sk-proj-" TEN TEN TEN, true},
        {"GOCSPX-" TEN TEN "01234567", true},
        {"hf_" TEN TEN TEN "0123", true},
        {"dckr_pat_" TEN TEN "0123456", true},
        {"glsa_" TEN TEN TEN "_0", true},
        {"pypi-AgEIcHlwaS5vcmc" TEN TEN TEN, true},
        {"rubygems_" TEN TEN TEN TEN "01234567", true},
        {"shpat_" TEN TEN TEN "01", true},
        {"SG." TEN TEN "01." TEN TEN TEN TEN, true},
        {"https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX", true},
        {"https://hooks.slack.com/services/", false},
        {"https://discord.com/api/webhooks/1234567890/abcdefghijklmnop", true},
        {"https://x.webhook.office.com/webhookb2/1@2/IncomingWebhook/3/4", true},
        {"Bearer eyJhbGciOiJIUzI1NiJ9.e30.abcdefgh", true},
        {"postgres://user:hunter2@db:5432/app", true},
        {"postgres://user:$(PASSWORD)@db:5432/app", false},
        {"postgres://user:%40hunter2@db/app", true},
        {"postgres://user@db/app", false},
        {"DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=Zm9vYmFy;EndpointSuffix=x",
         true},
        {"DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=;EndpointSuffix=x", false},
        {"Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=abc=",
         true},
        {"Server=db;Database=app;User Id=sa;Password=hunter2;", true},
        {"Password=hunter2;Server=db", true},
        {"Server=db;User Id=sa; Pwd = x;", false},
        {"Server=db;User Id=sa; Pwd=x;", true},
        {"Server=db;Password=${PW};", false},
        {"jdbc:mysql://db:3306/app?user=app&password=hunter2", true},
        {"jdbc:mysql://db:3306/app?user=app&password=", false},
        {"jdbc:sqlserver://db:1433;databaseName=app;user=sa;password=hunter2", true},
        {"https://api.example.com/v1?api_key=abc123", true},
        {"https://api.example.com/v1?apikey={{key}}", false},
        {"host=db user=app password=hunter2 dbname=app", true},
        {"# set password=x first", false},
        {"; password=x", false},
        {"a\nServer=db;Password=hunter2\nb", true},
        {"https://example.com/a:b@c", false},
        {"hello", false},
        {"", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (!(credential_value(str_of(rows[i].value)) & CREDENTIAL_VALUE_KNOWN) != !rows[i].is)
            fail_msg("%s", rows[i].value);
    assert_false(credential_value((struct str){"\0\0A", 3}) & CREDENTIAL_VALUE_KNOWN);
}

static void pairs(void **state)
{
    static const struct {
        const char *name, *value;
        bool is;
    } rows[] = {
        {"DB_PASSWORD", "hunter2", true},
        {"DB_PASSWORD", "123456", true},
        {"DB_PASSWORD", "changeme", true},
        {"DB_PASSWORD", "REDACTED", true},
        {"DB_PASSWORD", "", false},
        {"POSTGRES_PASSWORD", "postgres", true},
        {"MYSQL_ROOT_PASSWORD", "root", true},
        {"RABBITMQ_DEFAULT_PASS", "guest", true},
        {"MINIO_ROOT_PASSWORD", "minio123", true},
        {"REDIS_PASSWORD", "s3cr3t", true},
        {"GF_SECURITY_ADMIN_PASSWORD", "admin", true},
        {"JWT_SECRET", "my-jwt-secret", true},
        {"SESSION_SECRET", "keyboard cat", true},
        {"DJANGO_SECRET_KEY", "django-insecure-abc", true},
        {"SECRET_KEY_BASE", "0a1b2c3d4e5f60718293a4b5c6d7e8f9", true},
        {"OAUTH_CLIENT_SECRET", "abc-def", true},
        {"AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", true},
        {"AZURE_BATCH_KEY", "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJCrze8SNFZ4kA==", true},
        {"AZURE_STORAGE_KEY", "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ", true},
        {"NEW_RELIC_LICENSE_KEY", "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1bNRAL", true},
        {"TOKEN_GITHUB", "0a1b2c3d4e5f60718293a4b5c6d7e8f9", true},
        {"TOKEN_GITHUB", "hunter2", true},
        {"SECRET_KEY_BASE", "hunter2", true},
        {"PASSWORDS", "hunter2,hunter3", true},
        {"TOKENS", "4096", false},
        {"TOKENS_A_MINUTE", "1000", false},
        {"TOKEN_GITHUB", "true", false},
        {"TOKEN_GITHUB", "$(TOKEN)", false},
        {"TOKEN_GITHUB", "/run/secrets/token", false},
        {"TOKEN_GITHUB", "https://github.com", false},
        {"PASSWORD_FILE_SHOP", "hunter2", false},
        {"PASS_THROUGH", "hunter2", false},
        {"DATADOG_API_KEY", "0a1b2c3d4e5f60718293a4b5c6d7e8f9", true},
        {"TELEGRAM_BOT_TOKEN", "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw", true},
        {"ENCRYPTION_KEY", "0123456789abcdef", true},
        {"API_TOKEN_PROD", "abc", true},
        {"APP_PASSPHRASE", "correct horse", true},
        {"ANTHROPIC", "sk-ant-api03-" TEN TEN, true},
        {"ALERT_URL", "https://hooks.slack.com/services/T00000000/B00000000/" TEN TEN, true},
        {"USE_TOKEN", "True", false},
        {"TOKEN", "/var/run/secrets/token", false},
        {"TOKEN", "/9j2k==", true},
        {"SECRET", "https://vault.example", false},
        {"SECRET", "$(OTHER)", false},
        {"SECRET", "<change me>", false},
        {"manager.serving-cert.secret", "Yjk0ZDI3Yjk5MzRkM2UwOGE1MmU1MmQ3ZGE3ZGFiZmE=", false},
        {"manager.serving-cert.secret", "9f86d081884c7d659a2feaa0c55ad015", false},
        {"manager.serving-cert.secret", "REDACTED", false},
        {"manager.serving-cert.secret", "hunter2", true},
        {"client.secret", "9f86d081884c7d659a2feaa0c55ad015", true},
        {"GREETING", "hello", false},
        {"GREETING", "AKIAIOSFODNN7EXAMPLE", true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (credential_pair(str_of(rows[i].name), str_of(rows[i].value)) != rows[i].is)
            fail_msg("%s=%s", rows[i].name, rows[i].value);
}

static void ordinary_variables_are_none(void **state)
{
    uint32_t wrong = 0;
    (void)state;
    assert_true(COUNT(ordinary_env) > 300);
    for (size_t i = 0; i < COUNT(ordinary_env); i++) {
        struct str name, value;
        str_cut(str_of(ordinary_env[i]), '=', &name, &value);
        if (credential_pair(name, value)) {
            print_error("%s\n", ordinary_env[i]);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

static void waivers(void **state)
{
    static const struct {
        const char *name, *value;
        bool is;
    } rows[] = {
        {"ALLOW_EMPTY_PASSWORD", "yes", true},
        {"MYSQL_ALLOW_EMPTY_PASSWORD", "1", true},
        {"MYSQL_ALLOW_EMPTY_PASSWORD", "True", true},
        {"MARIADB_ALLOW_EMPTY_ROOT_PASSWORD", "true", true},
        {"MYSQL_ALLOW_EMPTY_PASSWORD", "no", false},
        {"MYSQL_ALLOW_EMPTY_PASSWORD", "", false},
        {"DISALLOW_EMPTY_PASSWORD", "yes", false},
        {"ALLOW_EMPTY_PASSWORD_FILE", "yes", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (credential_waived(str_of(rows[i].name), str_of(rows[i].value)) != rows[i].is)
            fail_msg("%s=%s", rows[i].name, rows[i].value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(long_words),
        cmocka_unit_test(values),
        cmocka_unit_test(pairs),
        cmocka_unit_test(ordinary_variables_are_none),
        cmocka_unit_test(waivers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
