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

static bool complain(const char *path, const char *what, const char *why)
{
    fprintf(stderr, "loadline-score: %s: %s%s%s\n", path, what, *what ? ": " : "", why);
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
        complain(loading->path, name, why);
    loading->failed = why != NULL;
    return 1;
}

/* inih would go on in the middle of a line that is longer than its room. */
static char *read_line(char *line, int size, void *context)
{
    struct loading *loading = context;
    if (loading->failed || !fgets(line, size, loading->file))
        return NULL;
    loading->line++;
    if (!strchr(line, '\n') && !feof(loading->file)) {
        fprintf(stderr, "loadline-score: %s:%d: the line is longer than %d bytes\n", loading->path,
                loading->line, size - 2);
        loading->failed = true;
        return NULL;
    }
    return line;
}

static bool read_lines(struct loading *loading)
{
    int wrong = ini_parse_stream(read_line, loading, take_line, loading);
    if (ferror(loading->file))
        return complain(loading->path, "", strerror(errno));
    if (wrong > 0 && !loading->failed) {
        fprintf(stderr, "loadline-score: %s:%d: this is not a \"name = value\" line\n",
                loading->path, wrong);
        return false;
    }
    return !loading->failed;
}

bool options_read(struct options *options, const char *path)
{
    struct loading loading = {.options = options, .path = path};
    if (options->configs == NESTED_MAX)
        return complain(path, "", "a configuration file cannot name another one");
    loading.file = fopen(path, "re");
    if (!loading.file)
        return complain(path, "", strerror(errno));
    options->configs++;
    bool good = read_lines(&loading);
    fclose(loading.file);
    options->configs--;
    return good;
}
