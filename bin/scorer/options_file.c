/* A configuration file: lines of "name = value", by the names of the options. */
#include <errno.h>
#include <ini.h>
#include <stdio.h>
#include <string.h>

#include "options.h"

enum { NESTED_MAX = 1 };

struct loading {
    struct options *options;
    const char *path;
    FILE *file;
    int line;
    bool failed;
};

/* line: 0: of the whole file */
static bool complain(const struct loading *loading, int line, const char *what, const char *why)
{
    char number[16] = "";
    if (line)
        snprintf(number, sizeof number, ":%d", line);
    fprintf(stderr, "loadline-score: %s%s: %s%s%s\n", loading->path, number, what,
            *what ? ": " : "", why);
    return false;
}

static int take_line(void *context, const char *section, const char *name, const char *value)
{
    struct loading *loading = context;
    struct str kept = arena_str(loading->options->arena, str_of(value));
    const char *why = "there are no sections";
    if (loading->failed)
        return 1;
    if (!*section)
        why = options_take(loading->options, name, kept.p);
    if (why && *why)
        complain(loading, loading->line, name, why);
    loading->failed = why != NULL;
    return 1;
}

/* inih would go on in the middle of a line that is longer than its room, and with the value before
 * in a line that begins with blanks. */
static char *read_line(char *line, int size, void *context)
{
    struct loading *loading = context;
    if (loading->failed || !fgets(line, size, loading->file))
        return NULL;
    loading->line++;
    if (!strchr(line, '\n') && !feof(loading->file)) {
        char why[64];
        snprintf(why, sizeof why, "the line is longer than %d bytes", size - 2);
        complain(loading, loading->line, "", why);
        loading->failed = true;
        return NULL;
    }
    size_t blanks = strspn(line, " \t");
    memmove(line, line + blanks, strlen(line + blanks) + 1);
    return line;
}

static bool read_lines(struct loading *loading)
{
    int wrong = ini_parse_stream(read_line, loading, take_line, loading);
    if (ferror(loading->file))
        return complain(loading, 0, "", strerror(errno));
    if (wrong > 0 && !loading->failed)
        return complain(loading, wrong, "", "this is not a \"name = value\" line");
    return !loading->failed;
}

bool options_read(struct options *options, const char *path)
{
    struct loading loading = {.options = options, .path = path};
    if (options->configs == NESTED_MAX)
        return complain(&loading, 0, "", "a configuration file cannot name another one");
    loading.file = fopen(path, "re");
    if (!loading.file)
        return complain(&loading, 0, "", strerror(errno));
    options->configs++;
    bool good = read_lines(&loading);
    fclose(loading.file);
    options->configs--;
    return good;
}
