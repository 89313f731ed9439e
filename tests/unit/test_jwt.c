/* jwt: what is no token at all; signed ones are in tests/e2e/24-oidc.t, where openssl signs them.
 * The tokens here are those of RFC 7515, appendix A, whose claims are nobody's: a good signature is
 * told by what is refused next. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "scratch.h"
#include "service/jwt.h"

#define RSA_KEY                                                                                    \
    "{\"kty\":\"RSA\",\"n\":\"ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-"   \
    "Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7"  \
    "OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3"   \
    "qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRW"   \
    "yuXpoQ\",\"e\":\"AQAB\"}"
#define EC_KEY                                                                                     \
    "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","     \
    "\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}"
#define BODY                                                                                       \
    ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnV" \
    "lfQ."
#define RSA_SIGNATURE                                                                              \
    "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5" \
    "jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMH"   \
    "lb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2"   \
    "w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
#define EC_SIGNATURE                                                                               \
    "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
#define SET(keys) "{\"keys\":[" keys "]}"

static void what_is_believed(void **state)
{
    static const char signed_right[] = "is of another issuer"; /* what is looked at next */
    static const char no_token[] = "is no token",
                      no_key[] = "is signed with a key that the issuer "
                                 "does not have",
                      wrong[] = "has a signature that is wrong",
                      no_algorithm[] = "is not signed by RS256 or ES256";
    static const struct {
        const char *what, *token, *keys, *why;
    } rows[] = {
        {"RS256", "eyJhbGciOiJSUzI1NiJ9" BODY RSA_SIGNATURE, SET(RSA_KEY), signed_right},
        {"ES256", "eyJhbGciOiJFUzI1NiJ9" BODY EC_SIGNATURE, SET(EC_KEY), signed_right},
        {"of two keys the one that fits", "eyJhbGciOiJFUzI1NiJ9" BODY EC_SIGNATURE,
         SET(RSA_KEY "," EC_KEY), signed_right},
        {"of two that fit neither", "eyJhbGciOiJFUzI1NiJ9" BODY EC_SIGNATURE,
         SET(EC_KEY "," EC_KEY), no_key},
        {"a key of the other kind", "eyJhbGciOiJFUzI1NiJ9" BODY EC_SIGNATURE, SET(RSA_KEY), no_key},
        {"no keys", "eyJhbGciOiJFUzI1NiJ9" BODY EC_SIGNATURE, SET(""), no_key},
        {"no set", "eyJhbGciOiJFUzI1NiJ9" BODY EC_SIGNATURE, "[]", no_key},
        {"no JSON", "eyJhbGciOiJFUzI1NiJ9" BODY EC_SIGNATURE, "<html>", no_key},
        {"keys that are none", "eyJhbGciOiJFUzI1NiJ9" BODY EC_SIGNATURE,
         SET("1,null,{\"kty\":\"EC\"}"), no_key},
        {"a point that is on no curve", "eyJhbGciOiJFUzI1NiJ9" BODY EC_SIGNATURE,
         SET("{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":"
             "\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
             "\"y\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\"}"),
         no_key},
        {"a modulus of eight bits", "eyJhbGciOiJSUzI1NiJ9" BODY RSA_SIGNATURE,
         SET("{\"kty\":\"RSA\",\"n\":\"_w\",\"e\":\"AQAB\"}"), no_key},
        {"the other signature", "eyJhbGciOiJFUzI1NiJ9" BODY RSA_SIGNATURE, SET(EC_KEY), wrong},
        {"a signature of zeros",
         "eyJhbGciOiJFUzI1NiJ9" BODY
         "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
         SET(EC_KEY), wrong},
        {"another algorithm in the head", "eyJhbGciOiJSUzI1NiIgfQ" BODY RSA_SIGNATURE, SET(RSA_KEY),
         wrong},
        {"none", "eyJhbGciOiJub25lIn0" BODY "AA", SET(RSA_KEY), no_algorithm},
        {"none, without a signature", "eyJhbGciOiJub25lIn0" BODY, SET(RSA_KEY), no_token},
        {"HS256", "eyJhbGciOiJIUzI1NiJ9" BODY "AA", SET(RSA_KEY), no_algorithm},
        {"no algorithm", "e30" BODY "AA", SET(RSA_KEY), no_algorithm},
        {"a head that is no object", "W10" BODY "AA", SET(RSA_KEY), no_algorithm},
        {"crit", "eyJhbGciOiJSUzI1NiIsImNyaXQiOlsieCJdfQ" BODY RSA_SIGNATURE, SET(RSA_KEY),
         no_algorithm},
        {"padding", "eyJhbGciOiJub25lIn0=" BODY "AA", SET(RSA_KEY), no_token},
        {"bits left over", "eyJhbGciOiJSUzI1NiJ9" BODY "AB", SET(RSA_KEY), no_token},
        {"two parts", "eyJhbGciOiJSUzI1NiJ9.e30", SET(RSA_KEY), no_token},
        {"four parts", "eyJhbGciOiJSUzI1NiJ9.e30.AA.AA", SET(RSA_KEY), no_token},
        {"nothing", "", SET(RSA_KEY), no_token},
        {"dots", "..", SET(RSA_KEY), no_token},
    };
    const struct jwt_wanted wanted = {.issuer = STR("https://x.example"),
                                      .client = STR("loadline"),
                                      .nonce = STR("nonce"),
                                      .now = INT64_C(1300819000000)};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct jwt_claims claims;
        const char *why = NULL;
        enum jwt_verdict verdict =
            jwt_verify(arena, str_of(rows[i].token), str_of(rows[i].keys), &wanted, &claims, &why);
        if (verdict == JWT_GOOD || !why || strcmp(why, rows[i].why) != 0)
            fail_msg("%s: %s", rows[i].what, why ? why : "believed");
        assert_int_equal(verdict, rows[i].why == no_key ? JWT_UNKNOWN_KEY : JWT_BAD);
        assert_null(claims.subject.p);
    }
}

static void one_byte_more_than_there_may_be(void **state)
{
    static char text[JWT_MAX + 1];
    const struct jwt_wanted wanted = {.issuer = STR("x")};
    struct jwt_claims claims;
    const char *why;
    (void)state;
    memset(text, 'A', sizeof text);
    memcpy(text, "e30.", 4);
    text[JWT_MAX - 4] = '.';
    assert_int_equal(
        jwt_verify(arena, (struct str){text, JWT_MAX}, STR("{}"), &wanted, &claims, &why), JWT_BAD);
    assert_string_equal(why, "is not signed by RS256 or ES256");
    assert_int_equal(
        jwt_verify(arena, (struct str){text, JWT_MAX + 1}, STR("{}"), &wanted, &claims, &why),
        JWT_BAD);
    assert_string_equal(why, "is no token");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_believed),
        cmocka_unit_test(one_byte_more_than_there_may_be),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
