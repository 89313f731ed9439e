/* command_line: a table of options, from the command line and the environment. */
#include <getopt.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>

#include "base/command_line.h"

enum { NAME = 1, COUNT, QUIET, HELP, ROWS };

static const struct command_option rows[ROWS] = {
    {.heading = "What"},
    {NULL, "name", "NAME", "TEST_NAME", "a name", "what it is called"},
    {NULL, "a-long-option", "COUNT", "", "a number below 10", "how many\nof them"},
    {NULL, "quiet", "", "", "", "says nothing"},
    {NULL, "help", "", "", "", "this text"},
};

struct told {
    struct str name;
    uint64_t count;
    bool quiet, help;
};

static bool take(void *to, size_t option, struct str value)
{
    struct told *told = to;
    switch (option) {
    case NAME:
        told->name = value;
        return value.n > 0;
    case COUNT:
        return str_to_u64(value, &told->count) && told->count < 10;
    case QUIET:
        return told->quiet = true;
    default:
        return told->help = true;
    }
}

static bool parse(struct told *told, char **argv)
{
    struct command_line line = {"test", rows, ROWS, take, told};
    int argc = 0;
    while (argv[argc])
        argc++;
    optind = 0; /* getopt begins anew */
    *told = (struct told){0};
    return command_line_environment(&line) && command_line_parse(&line, argc, argv);
}
#define PARSE(told, ...) parse(told, (char *[]){"test", __VA_ARGS__, NULL})

static void values_are_taken_in_their_order(void **state)
{
    (void)state;
    struct told told;
    assert_true(PARSE(&told, "--name", "a", "--quiet", "--a-long-option=7", "--name=b", "rest"));
    assert_true(str_eq(told.name, STR("b")));
    assert_int_equal(told.count, 7);
    assert_true(told.quiet);
    assert_false(told.help);
    assert_int_equal(optind, 6);
    assert_true(PARSE(&told, "-h"));
    assert_true(told.help);
}

static void what_is_not_wanted_is_refused(void **state)
{
    (void)state;
    struct told told;
    assert_false(PARSE(&told, "--a-long-option", "10"));
    assert_false(PARSE(&told, "--a-long-option", "x"));
    assert_false(PARSE(&told, "--name", ""));
    assert_false(PARSE(&told, "--name"));
    assert_false(PARSE(&told, "--quiet=yes"));
    assert_false(PARSE(&told, "--unknown"));
}

static void the_command_line_goes_before_the_environment(void **state)
{
    (void)state;
    struct told told;
    setenv("TEST_NAME", "outside", 1);
    assert_true(PARSE(&told, "--quiet"));
    assert_true(str_eq(told.name, STR("outside")));
    assert_true(PARSE(&told, "--name", "inside"));
    assert_true(str_eq(told.name, STR("inside")));
    setenv("TEST_NAME", "", 1);
    assert_true(PARSE(&told, "--quiet"));
    assert_int_equal(told.name.n, 0);
    unsetenv("TEST_NAME");
}

static void an_option_is_found_by_its_name(void **state)
{
    (void)state;
    struct command_line line = {"test", rows, ROWS, take, NULL};
    assert_int_equal(command_line_find(&line, "quiet"), QUIET);
    assert_int_equal(command_line_find(&line, "What"), ROWS);
    assert_int_equal(command_line_find(&line, ""), ROWS);
}

static void help_stands_in_a_column(void **state)
{
    (void)state;
    struct command_line line = {"test", rows, ROWS, take, NULL};
    struct arena *arena = arena_new(1 << 20);
    struct buf out = buf_init(arena, 1 << 16);
    command_line_help(&line, 16, &out);
    buf_putc(&out, '\0');
    assert_string_equal(out.p, "\nWhat:\n"
                               "  --name NAME   what it is called\n"
                               "                (TEST_NAME)\n"
                               "  --a-long-option COUNT\n"
                               "                how many\n"
                               "                of them\n"
                               "  --quiet       says nothing\n"
                               "  --help        this text\n");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_taken_in_their_order),
        cmocka_unit_test(what_is_not_wanted_is_refused),
        cmocka_unit_test(the_command_line_goes_before_the_environment),
        cmocka_unit_test(an_option_is_found_by_its_name),
        cmocka_unit_test(help_stands_in_a_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
