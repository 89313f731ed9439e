/* crypt: against published vectors where there are some. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "base/hex.h"
#include "service/crypt.h"

enum { COST = 15 };

static void assert_hex(const unsigned char *bytes, const char *expected)
{
    char text[2 * CRYPT_DIGEST + 1];
    hex_encode(bytes, CRYPT_DIGEST, text);
    assert_string_equal(text, expected);
}

/* FIPS 180-4 examples, RFC 4231 cases 1, 2 and 6. */
static void digests_are_the_published_ones(void **state)
{
    (void)state;
    unsigned char digest[CRYPT_DIGEST];
    char key[131];
    crypt_sha256(STR(""), digest);
    assert_hex(digest, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    crypt_sha256((struct str){0}, digest);
    assert_hex(digest, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    crypt_sha256(STR("abc"), digest);
    assert_hex(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    memset(key, 0x0b, 20);
    crypt_hmac_sha256((struct str){key, 20}, &STR("Hi There"), 1, digest);
    assert_hex(digest, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    crypt_hmac_sha256(STR("Jefe"), &STR("what do ya want for nothing?"), 1, digest);
    assert_hex(digest, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    memset(key, 0xaa, sizeof key);
    crypt_hmac_sha256((struct str){key, sizeof key},
                      &STR("Test Using Larger Than Block-Size Key - Hash Key First"), 1, digest);
    assert_hex(digest, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

static void passwords_fit_their_hash_only(void **state)
{
    (void)state;
    char mcf[CRYPT_MCF_SIZE], again[CRYPT_MCF_SIZE], longest[CRYPT_PASSWORD_MAX + 1];
    assert_true(crypt_password_hash(STR("correct horse \xF0\x9F\x90\xB4"), COST, mcf));
    assert_true(str_has_prefix(str_of(mcf), STR("$s1$0f0803$"))); /* 2^15, 8, 3 */
    assert_true(crypt_password_verify(STR("correct horse \xF0\x9F\x90\xB4"), str_of(mcf), COST));
    assert_false(crypt_password_verify(STR("correct horse"), str_of(mcf), COST));
    assert_false(crypt_password_verify(STR(""), str_of(mcf), COST));
    assert_false(crypt_password_verify(STR("x"), (struct str){0}, COST));
    assert_false(crypt_password_verify(STR("x"), STR("$s1$not a hash"), COST));
    assert_true(crypt_password_hash(STR("correct horse \xF0\x9F\x90\xB4"), COST, again));
    assert_string_not_equal(mcf, again); /* salted */
    memset(longest, 'a', sizeof longest);
    assert_true(crypt_password_hash((struct str){longest, CRYPT_PASSWORD_MAX}, COST, mcf));
    assert_true(
        crypt_password_verify((struct str){longest, CRYPT_PASSWORD_MAX}, str_of(mcf), COST));
    assert_false(
        crypt_password_verify((struct str){longest, CRYPT_PASSWORD_MAX - 1}, str_of(mcf), COST));
    assert_false(crypt_password_hash((struct str){longest, CRYPT_PASSWORD_MAX + 1}, COST, mcf));
    assert_false(crypt_password_hash((struct str){"ab\0cd", 5}, COST, mcf));
}

static void a_cost_is_kept_with_the_hash(void **state)
{
    (void)state;
    char mcf[CRYPT_MCF_SIZE];
    assert_true(crypt_password_hash(STR("correct horse"), 10, mcf));
    assert_true(str_has_prefix(str_of(mcf), STR("$s1$0a0803$")));
    assert_true(crypt_password_verify(STR("correct horse"), str_of(mcf), COST));
    assert_false(crypt_password_verify(STR("correct horses"), str_of(mcf), COST));
    assert_true(crypt_password_is_weak(str_of(mcf), COST));
    assert_false(crypt_password_is_weak(str_of(mcf), 10));
    assert_false(crypt_password_is_weak(str_of(mcf), 9));
}

static void weaker_parameters_are_seen(void **state)
{
    static const struct {
        const char *mcf;
        bool weak;
    } rows[] = {
        {"$s1$0f0803$salt$hash", false},
        {"$s1$0e0803$salt$hash", true},
        {"$s1$0f0703$salt$hash", true},
        {"$s1$0f0802$salt$hash", true},
        {"$s1$0f0804$salt$hash", false},
        {"$s1$100803$salt$hash", false},
        {"$s1$100802$salt$hash", false}, /* more memory, more work */
        {"$s1$100801$salt$hash", true},  /* more memory, less work */
        {"$s1$0e080c$salt$hash", true},  /* less memory, more work */
        {"$s1$0F0803$salt$hash", false},
        {"$s1$0f0800$salt$hash", true},
        {"$s1$ff0801$salt$hash", false},
        {"$s1$0f08", true},
        {"$s1$0g0803$salt$hash", true},
        {"$2b$12$salt", true},
        {"", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (crypt_password_is_weak(str_of(rows[i].mcf), COST) != rows[i].weak)
            fail_msg("%s: otherwise", rows[i].mcf);
}

static void secrets_are_found_again_by_their_hash(void **state)
{
    (void)state;
    struct crypt_secret secret, other;
    unsigned char hash[CRYPT_DIGEST];
    crypt_secret_new(CRYPT_KEY_PREFIX, &secret);
    crypt_secret_new(CRYPT_KEY_PREFIX, &other);
    struct str text = str_of(secret.text);
    assert_int_equal(text.n, 3 + 43);
    assert_string_not_equal(secret.text, other.text);
    assert_true(crypt_secret_hash(CRYPT_KEY_PREFIX, text, hash));
    assert_true(crypt_equal(hash, secret.hash, CRYPT_DIGEST));
    assert_false(crypt_secret_hash(CRYPT_TOKEN_PREFIX, text, hash));
    assert_false(crypt_secret_hash(CRYPT_KEY_PREFIX, str_sub(text, 0, 45), hash));
    secret.text[10] = '+';
    assert_false(crypt_secret_hash(CRYPT_KEY_PREFIX, text, hash));
    secret.text[10] = '\0';
    assert_false(crypt_secret_hash(CRYPT_KEY_PREFIX, text, hash));
    crypt_secret_new(CRYPT_TOKEN_PREFIX, &secret);
    assert_int_equal(strlen(secret.text), 4 + 43);
    assert_true(crypt_secret_hash(CRYPT_TOKEN_PREFIX, str_of(secret.text), hash));
    crypt_wipe(&secret, sizeof secret);
    for (size_t i = 0; i < sizeof secret; i++)
        assert_int_equal(((unsigned char *)&secret)[i], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests_are_the_published_ones),
        cmocka_unit_test(passwords_fit_their_hash_only),
        cmocka_unit_test(a_cost_is_kept_with_the_hash),
        cmocka_unit_test(weaker_parameters_are_seen),
        cmocka_unit_test(secrets_are_found_again_by_their_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
