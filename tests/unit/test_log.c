/* log writes whole lines that nobody can forge. */
#include "base/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static char path[] = "/tmp/loadline-test-log-XXXXXX";

/* The last line of the log. */
static const char *last_line(void)
{
    static char text[3 * LOG_LINE_MAX];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_true(n > 0 && text[n - 1] == '\n');
    text[n - 1] = '\0';
    char *line = strrchr(text, '\n');
    return line ? line + 1 : text;
}

static void lines(void **state)
{
    (void)state;
    log_info("started workers=%d", 4);
    assert_non_null(strstr(last_line(), " level=info program=test pid="));
    assert_non_null(strstr(last_line(), " started workers=4"));
    assert_null(strstr(last_line(), "request="));
    log_request(STR("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdefcut"));
    log_error("failed");
    assert_non_null(strstr(last_line(), " request=0123456789abcdef0123456789abcdef"
                                        "0123456789abcdef0123456789abcdef failed"));
    log_request((struct str){NULL, 0});
    log_warn("later");
    assert_null(strstr(last_line(), "request="));
    log_debug("not at this level");
    assert_non_null(strstr(last_line(), "later"));
}

static void no_forgery(void **state)
{
    (void)state;
    log_info("agent=%s", log_quote(STR("a\"b\\c\nlevel=error\x1B[0m\x7F\0z")));
    assert_non_null(
        strstr(last_line(), "agent=\"a\\\"b\\\\c\\x0alevel=error\\x1b[0m\\x7f\\x00z\""));
    log_info("agent=%s",
             log_quote(STR("\xC2\x9B[0m\xC2\xA0\xC3\xA4\x9B\xFF\xF0\x9F\x9A\xA2\xF0\x9F")));
    assert_non_null(strstr(last_line(), "agent=\"\\xc2\\x9b[0m\xC2\xA0\xC3\xA4\\x9b\\xff"
                                        "\xF0\x9F\x9A\xA2\\xf0\\x9f\""));
    log_info("agent=%s",
             log_quote(STR("a\u202Eb\u2069c\u200Fd\u2028e\u061Cf\uFEFFg\u2010\u202Fh")));
    assert_non_null(strstr(last_line(),
                           "agent=\"a\\xe2\\x80\\xaeb\\xe2\\x81\\xa9c\\xe2\\x80\\x8fd"
                           "\\xe2\\x80\\xa8e\\xd8\\x9cf\\xef\\xbb\\xbfg\u2010\u202Fh\""));
    log_info("raw %s", "two\nlines\r\x1B");
    assert_non_null(strstr(last_line(), "raw two?lines??"));
}

static void long_values(void **state)
{
    (void)state;
    static char text[10000];
    memset(text, '\n', sizeof text);
    const char *quoted = log_quote((struct str){text, sizeof text});
    assert_in_range(strlen(quoted), 480, 511);
    assert_int_equal(quoted[strlen(quoted) - 1], '"');
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    log_info("%s", text);
    assert_int_equal(strlen(last_line()), LOG_LINE_MAX - 1);
    const char *values[8];
    for (int i = 0; i < 8; i++) /* a ring: eight in one line */
        values[i] = log_quote((struct str){&"abcdefgh"[i], 1});
    for (int i = 0; i < 8; i++)
        assert_int_equal(values[i][1], "abcdefgh"[i]);
}

static void reopens(void **state)
{
    (void)state;
    char moved[sizeof path + 4];
    struct stat status;
    snprintf(moved, sizeof moved, "%s.1", path);
    assert_int_equal(rename(path, moved), 0);
    log_info("to the old file");
    log_reopen();
    log_info("to the new one");
    assert_non_null(strstr(last_line(), "to the new one"));
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0137, 0);
    unlink(moved);
    assert_false(log_open("test", "/nonexistent/directory/log", LOG_LEVEL_INFO));
}

static int set_up(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    if (fd < 0)
        return -1;
    close(fd);
    unlink(path);
    return !log_open("test", path, LOG_LEVEL_INFO);
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),
        cmocka_unit_test(no_forgery),
        cmocka_unit_test(long_values),
        cmocka_unit_test(reopens),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
