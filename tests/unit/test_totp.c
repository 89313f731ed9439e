/* totp: the codes of RFC 6238, the window around now, each code once. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "base/clock.h"
#include "scratch.h"
#include "service/totp.h"

/* RFC 6238, appendix B; its codes have eight digits, of which these are the last six. */
#define RFC_SECRET STR("12345678901234567890")

static void codes_are_those_of_the_rfc(void **state)
{
    static const struct {
        int64_t seconds, step;
        const char *code;
    } rows[] = {
        {59, 1, "287082"},
        {1111111109, 0x23523EC, "081804"},
        {1111111111, 0x23523ED, "050471"},
        {1234567890, 0x273EF07, "005924"},
        {2000000000, 0x3F940AA, "279037"},
        {20000000000, 0x27BC86AA, "353130"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t step = -1;
        assert_true(totp_check(RFC_SECRET, str_of(rows[i].code), rows[i].seconds * 1000, 0, &step));
        assert_int_equal(step, rows[i].step);
    }
}

static void what_is_accepted(void **state)
{
    enum { STEP = 0x23523EC };
    const int64_t begins = (int64_t)STEP * TOTP_STEP_MS;
    const struct {
        const char *what;
        struct str secret, code;
        int64_t now, last;
        bool good;
    } rows[] = {
        {"first millisecond", RFC_SECRET, STR("081804"), begins, 0, true},
        {"a step too slow, its last millisecond", RFC_SECRET, STR("081804"),
         begins + 2 * TOTP_STEP_MS - 1, 0, true},
        {"two steps too slow", RFC_SECRET, STR("081804"), begins + 2 * TOTP_STEP_MS, 0, false},
        {"a step too fast", RFC_SECRET, STR("081804"), begins - TOTP_STEP_MS, 0, true},
        {"a millisecond more", RFC_SECRET, STR("081804"), begins - TOTP_STEP_MS - 1, 0, false},
        {"an older one was taken", RFC_SECRET, STR("081804"), begins, STEP - 1, true},
        {"it was taken", RFC_SECRET, STR("081804"), begins, STEP, false},
        {"a newer one was taken", RFC_SECRET, STR("081804"), begins, STEP + 1, false},
        {"another digit", RFC_SECRET, STR("081805"), begins, 0, false},
        {"without its first", RFC_SECRET, STR("81804"), begins, 0, false},
        {"eight digits", RFC_SECRET, STR("07081804"), begins, 0, false},
        {"a NUL", RFC_SECRET, STR("08180\0"), begins, 0, false},
        {"nothing", RFC_SECRET, {NULL, 0}, begins, 0, false},
        {"another secret", STR("12345678901234567891"), STR("081804"), begins, 0, false},
        {"no secret", {NULL, 0}, STR("081804"), begins, 0, false},
        {"before 1970", RFC_SECRET, STR("081804"), -1, 0, false},
        {"no time", RFC_SECRET, STR("081804"), TIME_NONE, 0, false},
        {"1970", RFC_SECRET, STR("755224"), 0, -1, true}, /* RFC 4226, appendix D */
        {"1970, taken", RFC_SECRET, STR("755224"), 0, 0, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t step = -1;
        if (totp_check(rows[i].secret, rows[i].code, rows[i].now, rows[i].last, &step) !=
            rows[i].good)
            fail_msg("%s", rows[i].what);
        assert_int_equal(step >= 0, rows[i].good);
    }
}

static void secrets_as_apps_read_them(void **state)
{
    (void)state;
    struct str text = totp_text(arena, RFC_SECRET);
    assert_int_equal(text.n, TOTP_TEXT);
    assert_true(str_eq(text, STR("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")));
    assert_true(str_eq(totp_base32(arena, STR("fooba"), true), STR("mzxw6ytb")));
    struct str a = totp_secret(arena), b = totp_secret(arena);
    assert_int_equal(a.n, TOTP_SECRET);
    assert_false(str_eq(a, b));
}

static void addresses_as_apps_read_them(void **state)
{
#define REST                                                                                       \
    "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Loadline&algorithm=SHA1&digits=6&period=30"
    static const struct {
        const char *email, *uri;
    } rows[] = {
        {"ada@x.example", "otpauth://totp/Loadline:ada%40x.example" REST},
        {"a+b@x.example", "otpauth://totp/Loadline:a%2Bb%40x.example" REST},
        {"a&secret=x#?@x.example", "otpauth://totp/Loadline:a%26secret%3Dx%23%3F%40x.example" REST},
        {"j\xC3\xB6rg@x.example", "otpauth://totp/Loadline:j%C3%B6rg%40x.example" REST},
        {"%41/../@x.example", "otpauth://totp/Loadline:%2541%2F..%2F%40x.example" REST},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct str uri = totp_uri(arena, str_of(rows[i].email), totp_text(arena, RFC_SECRET));
        assert_true(str_eq(uri, str_of(rows[i].uri)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_are_those_of_the_rfc),
        cmocka_unit_test(what_is_accepted),
        cmocka_unit_test(secrets_as_apps_read_them),
        cmocka_unit_test(addresses_as_apps_read_them),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
