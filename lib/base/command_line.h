/* command_line: the options of a program, which stand in a table. Reads them from the command line
 * (getopt_long(3)) and the environment, complains in one wording, and writes their --help. What a
 * value means is for the program to know.
 */
#ifndef LOADLINE_BASE_COMMAND_LINE_H
#define LOADLINE_BASE_COMMAND_LINE_H

#include "base/buf.h"

/* The texts are those of the table: they outlive the command line. */
struct command_option {
    const char *heading;  /* of the options that follow; the row is then nothing else */
    const char *name;     /* --name */
    const char *argument; /* what its value is called; "" of a switch, whose value is "" */
    const char *variable; /* of the environment, for when it is not on the command line; "": none */
    const char *wanted;   /* what a value must be, as in "is not WANTED"; "": take() complains */
    const char *help;     /* lines */
};

struct command_line {
    const char *program; /* complaints begin with its name */
    const struct command_option *options;
    size_t n; /* at most COMMAND_OPTIONS_MAX */
    /* Takes the value of options[option]; a NUL follows it. False when it is not what is wanted. */
    bool (*take)(void *to, size_t option, struct str value);
    void *to;
};
enum { COMMAND_OPTIONS_MAX = 64 };

/* Takes what the variables of the environment say; empty ones say nothing. False after a complaint
 * on stderr. */
bool command_line_environment(const struct command_line *line);
/* Takes the options, -h as --help; optind is then the first argument that is none. False after a
 * complaint on stderr. */
bool command_line_parse(const struct command_line *line, int argc, char **argv);
/* The option of that name, or n. */
size_t command_line_find(const struct command_line *line, const char *name);
/* Writes "PROGRAM: SENTENCE" on stderr. Always false. */
__attribute__((format(printf, 2, 3))) bool command_line_complain(const struct command_line *line,
                                                                 const char *format, ...);
/* Headings and options for --help; what they do begins in that column. */
void command_line_help(const struct command_line *line, size_t column, struct buf *out);

#endif
