/* guessable: what people choose, and what they do not; the longest; how long it takes. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "base/clock.h"
#include "service/guessable.h"

static const char email[] = "ada.lovelace+x@example.com";

static void what_people_choose_is_guessed(void **state)
{
    (void)state;
    static const struct {
        const char *password;
        bool guessed;
    } rows[] = {
        {"", true},
        {"12345678", true},
        {"password", true},
        {"Passw0rd", true},
        {"P@ssw0rd123", true},
        {"qwertyui", true},
        {"iloveyou", true},
        {"11111111", true},
        {"trustno1", true},
        {"changeme", true},
        {"ada.lovelace+x@example.com", true},
        {"Lovelace1", true},
        {"ecalevol", true}, /* backwards */
        {"example1234", true},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", true},
        {"correct-horse-1", false},
        {"kp7#Lq2x", false},
        {"Turing1936-decidable", false},
        {"\xd0\xbf\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c-\xf0\x9f\x90\xb4", false},
        {"\xff\xfe\xff\xfe\xfd\xfc\xfb\xfa", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (guessable(str_of(rows[i].password), str_of(email), 100000) != rows[i].guessed)
            fail_msg("%s should%s be guessed", rows[i].password, rows[i].guessed ? "" : " not");
    assert_false(guessable(STR("12345678"), str_of(email), 0));
}

static void what_a_person_is_called_counts(void **state)
{
    (void)state;
    assert_true(guessable(STR("zworykin7"), STR("zworykin@example.com"), 100000));
    assert_false(guessable(STR("zworykin7"), STR("somebody@example.com"), 100000));
    assert_false(guessable(STR("zworykin7"), STR(""), 100000));
}

/* Addresses and passwords of every length up to one over, of nothing but separators too. */
static void no_length_is_too_much(void **state)
{
    (void)state;
    static const char *const fills[] = {"a", ".", "@a", "4@$5", "12345678909", "p4ssw0rd", "\xff"};
    char text[600];
    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
        size_t period = strlen(fills[i]);
        for (size_t n = 0; n < sizeof text; n++)
            text[n] = fills[i][n % period];
        for (size_t n = 0; n < 300; n += n < 252 ? 36 : 1)
            guessable((struct str){text, n * 2}, (struct str){text, n}, 100000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_people_choose_is_guessed),
        cmocka_unit_test(what_a_person_is_called_counts),
        cmocka_unit_test(no_length_is_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
