/* log writes whole lines that nobody can forge. */
#include "base/log.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
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

/* systemd starts workers with UMask=0077, and the group shall read the log all the same. */
static void mode_of_a_new_one(void **state)
{
    (void)state;
    static const mode_t masks[] = {0077, 0, 0027, 0777};
    struct stat file;
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        mode_t before = umask(masks[i]);
        unlink(path);
        log_reopen();
        assert_int_equal(umask(before), masks[i]);
        assert_int_equal(stat(path, &file), 0);
        assert_int_equal(file.st_mode & 07777, 0640);
    }
    chmod(path, 0600);
    log_reopen();
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(file.st_mode & 07777, 0600); /* one that is there is somebody's */
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

static long file_size(void)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return (long)status.st_size;
}

/* The end of the file after so many bytes, each newline shown as "|". */
static const char *shown_from(long start)
{
    static char text[1024];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fseek(file, start, SEEK_SET), 0);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (char *p = text; *p; p++)
        *p = *p == '\n' ? '|' : *p;
    return text;
}

/* A file that may not grow takes what a full disk takes: a part of the line. */
static void room(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_cut_line_ends(void **state)
{
    (void)state;
    long start = file_size();
    signal(SIGXFSZ, SIG_IGN);
    room((rlim_t)start + 30);
    log_info("cut off");
    log_info("lost");
    room(RLIM_INFINITY);
    assert_int_equal(file_size(), start + 30);
    log_info("first=1");
    log_info("second=1");
    assert_int_equal(shown_from(start)[30], '|');
    assert_null(strstr(shown_from(start), "lost"));
    assert_null(strstr(shown_from(start), "||"));
    assert_non_null(strstr(shown_from(start), "first=1|"));
    assert_non_null(strstr(shown_from(start), "second=1|"));
}

/* Workers of a program share a file: who goes on need not be who was cut. */
static void another_s_cut_line_ends(void **state)
{
    (void)state;
    FILE *other = fopen(path, "a");
    assert_non_null(other);
    fputs("half a line", other);
    fclose(other);
    long end = file_size();
    log_info("third=1");
    assert_int_equal(shown_from(end)[0], '|');
    assert_non_null(strstr(shown_from(end), "third=1|"));
    end = file_size();
    log_reopen();
    log_info("fourth=1");
    assert_int_not_equal(shown_from(end)[0], '|');
}

/* Also where standard error is the file, as below scripts/up. */
static void standard_error_too(void **state)
{
    (void)state;
    int kept = dup(STDERR_FILENO), fd = open(path, O_WRONLY | O_APPEND);
    assert_true(kept >= 0 && fd >= 0);
    dup2(fd, STDERR_FILENO);
    bool opened = log_open("test", "", LOG_LEVEL_INFO);
    long end = file_size();
    bool written = write(fd, "half", 4) == 4;
    log_info("fifth=1");
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(fd);
    assert_true(opened && written && log_open("test", path, LOG_LEVEL_INFO));
    assert_memory_equal(shown_from(end), "half|", 5);
    assert_non_null(strstr(shown_from(end), "fifth=1|"));
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
        cmocka_unit_test(mode_of_a_new_one),
        cmocka_unit_test(reopens),
        cmocka_unit_test(a_cut_line_ends),
        cmocka_unit_test(another_s_cut_line_ends),
        cmocka_unit_test(standard_error_too),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
