/* letters: when mail is tried again; mail: how the mail program is asked, and what it may do wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "deliver/letters.h"
#include "deliver/mail.h"

static void letters_are_tried_five_times(void **state)
{
    (void)state;
    static const int64_t minutes[] = {1, 4, 9, 16};
    for (int64_t i = 1; i <= 4; i++)
        assert_int_equal(letters_again(i, 1000), 1000 + minutes[i - 1] * 60000);
    assert_true(letters_again(5, 1000) == TIME_NONE);
}

static char script[] = "/tmp/loadline-test-mail-XXXXXX", taken[64];

static int make_script(void **state)
{
    (void)state;
    int fd = mkstemp(script);
    snprintf(taken, sizeof taken, "%s.taken", script);
    FILE *file = fdopen(fd, "w");
    fprintf(file, "#!/bin/sh\n{ echo \"$#:$*\"; cat; } >%s\n", taken);
    fclose(file);
    return chmod(script, 0700);
}

static int remove_script(void **state)
{
    (void)state;
    unlink(taken);
    return unlink(script);
}

static void a_message_is_handed_over_whole(void **state)
{
    (void)state;
    char text[4096], got[8192] = "";
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    struct mail mail = {"a@example.com", "-oQ@example.com", "A subject", text};
    assert_true(mail_send(script, &mail));
    FILE *file = fopen(taken, "r");
    size_t n = fread(got, 1, sizeof got - 1, file);
    fclose(file);
    assert_true(n > sizeof text);
    assert_ptr_equal(strstr(got, "5:-i -f a@example.com -- -oQ@example.com\n"), got);
    assert_non_null(
        strstr(got, "\nFrom: a@example.com\nTo: -oQ@example.com\nSubject: A subject\n"));
    assert_ptr_equal(strstr(got, text), got + n - strlen(text));
}

static void what_is_not_taken_is_not_sent(void **state)
{
    (void)state;
    static char long_text[9000];
    memset(long_text, 'x', sizeof long_text - 1);
    struct mail mail = {"a@example.com", "b@example.com", "A subject", "text\n"};
    assert_false(mail_send("/bin/false", &mail));
    assert_false(mail_send("/nonexistent/sendmail", &mail));
    assert_true(mail_send("/bin/true", &mail)); /* which reads nothing */
    mail.text = long_text;
    assert_false(mail_send(script, &mail));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_are_tried_five_times),
        cmocka_unit_test(a_message_is_handed_over_whole),
        cmocka_unit_test(what_is_not_taken_is_not_sent),
    };
    return cmocka_run_group_tests(tests, make_script, remove_script);
}
