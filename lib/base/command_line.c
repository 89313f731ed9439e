#include "base/command_line.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/asserts.h"

enum { FIRST_LETTER = 256, HELP_LETTER = 'h' };

bool command_line_complain(const struct command_line *line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", line->program);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return false;
}

size_t command_line_find(const struct command_line *line, const char *name)
{
    size_t i = 0;
    while (i < line->n && (line->options[i].heading || strcmp(line->options[i].name, name) != 0))
        i++;
    return i;
}

/* origin: the variable, or the option with its dashes. */
static bool take(const struct command_line *line, size_t option, const char *dashes,
                 const char *origin, const char *value)
{
    const char *wanted = line->options[option].wanted;
    if (line->take(line->to, option, str_of(value)))
        return true;
    return *wanted &&
           command_line_complain(line, "%s%s: \"%s\" is not %s", dashes, origin, value, wanted);
}

bool command_line_environment(const struct command_line *line)
{
    bool good = true;
    for (size_t i = 0; i < line->n && good; i++) {
        const struct command_option *option = &line->options[i];
        const char *value = option->heading || !*option->variable ? NULL : getenv(option->variable);
        if (value && *value)
            good = take(line, i, "", option->variable, value);
    }
    return good;
}

static void make_long_options(const struct command_line *line, struct option *long_options)
{
    size_t n = 0;
    for (size_t i = 0; i < line->n; i++)
        if (!line->options[i].heading)
            long_options[n++] =
                (struct option){line->options[i].name, *line->options[i].argument ? 1 : 0, NULL,
                                FIRST_LETTER + (int)i};
    long_options[n] = (struct option){0};
}

bool command_line_parse(const struct command_line *line, int argc, char **argv)
{
    struct option long_options[COMMAND_OPTIONS_MAX + 1];
    int letter;
    assert(line->n <= COMMAND_OPTIONS_MAX);
    make_long_options(line, long_options);
    while ((letter = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
        if (letter == '?') { /* getopt has complained */
            fprintf(stderr, "Try %s --help.\n", line->program);
            return false;
        }
        size_t option = letter == HELP_LETTER ? command_line_find(line, "help")
                                              : (size_t)(letter - FIRST_LETTER);
        if (!take(line, option, "--", line->options[option].name, optarg ? optarg : ""))
            return false;
    }
    return true;
}

static void help_row(const struct command_option *option, size_t column, struct buf *out)
{
    struct str text, rest = str_of(option->help);
    size_t from = out->n;
    bool more = true;
    buf_printf(out, "  --%s%s%s", option->name, *option->argument ? " " : "", option->argument);
    if (out->n - from >= column) {
        buf_putc(out, '\n');
        from = out->n;
    }
    while (more) {
        more = str_cut(rest, '\n', &text, &rest);
        while (out->n - from < column)
            buf_putc(out, ' ');
        buf_put(out, text);
        buf_putc(out, '\n');
        from = out->n;
    }
    if (*option->variable)
        buf_printf(out, "%*s(%s)\n", (int)column, "", option->variable);
}

void command_line_help(const struct command_line *line, size_t column, struct buf *out)
{
    for (size_t i = 0; i < line->n; i++)
        if (line->options[i].heading)
            buf_printf(out, "\n%s:\n", line->options[i].heading);
        else
            help_row(&line->options[i], column, out);
}
