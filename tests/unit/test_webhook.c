/* webhook: signatures that others made of the same bytes, and what is no secret. */
#include "service/webhook.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* Bits 0 to 31 as the key; the expected values are OpenSSL's command line's. */
#define SECRET "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
#define OTHER  "whsec_//79/Pv6+fj39vX08/Lx8O/u7ezr6uno5+bl5OPi4eA="
static const struct webhook_message message = {
    .id = {"msg_1", 5}, .time = 1700000000999, .body = {"{\"event\":\"Test\"}", 16}};
#define SIGNED_BY_SECRET "v1,Yi0dSEmyhZVydg32Xz1f+scNBBwx27BOuAZYMH4UwC8="
#define SIGNED_BY_OTHER  "v1,LucHFZ38mY6cfNl76/ccYPcIIlufx6DFaxdSbiq6TkI="

static void signs_with_each_secret(void **state)
{
    static const struct {
        const char *secrets[WEBHOOK_SIGNATURES_MAX], *want;
    } rows[] = {
        {{SECRET, NULL}, SIGNED_BY_SECRET},
        {{SECRET, OTHER}, SIGNED_BY_SECRET " " SIGNED_BY_OTHER},
        {{NULL, OTHER}, SIGNED_BY_OTHER},
        {{NULL, NULL}, ""},
        {{"", "whsec_"}, ""},
        {{"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", SECRET}, SIGNED_BY_SECRET},
        {{"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdH!8=", SECRET}, SIGNED_BY_SECRET},
        {{"WHSEC_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", SECRET}, SIGNED_BY_SECRET},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str secrets[] = {str_of(rows[i].secrets[0]), str_of(rows[i].secrets[1])};
        char signatures[WEBHOOK_SIGNATURE_SIZE];
        webhook_sign(&message, secrets, signatures);
        assert_string_equal(signatures, rows[i].want);
    }
}

static void makes_secrets(void **state)
{
    char one[WEBHOOK_SECRET_TEXT + 1], two[WEBHOOK_SECRET_TEXT + 1];
    char signatures[WEBHOOK_SIGNATURE_SIZE];
    (void)state;
    webhook_secret_new(one);
    webhook_secret_new(two);
    assert_int_equal(strlen(one), WEBHOOK_SECRET_TEXT);
    assert_string_not_equal(one, two);
    struct str secrets[] = {str_of(one), str_of(two)};
    webhook_sign(&message, secrets, signatures);
    assert_int_equal(strlen(signatures), WEBHOOK_SIGNATURE_SIZE - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_with_each_secret),
        cmocka_unit_test(makes_secrets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
