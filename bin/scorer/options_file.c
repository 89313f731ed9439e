/* A configuration file: lines of "name = value", by the names of the options. */
#include <errno.h>
#include <ini.h>
#include <stdio.h>

#include "options.h"

enum { NESTED_MAX = 1 };

struct loading {
    struct options *options;
    const char *path;
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

bool options_read(struct options *options, const char *path)
{
    struct loading loading = {.options = options, .path = path};
    if (options->configs == NESTED_MAX)
        return complain(path, "", "a configuration file cannot name another one");
    options->configs++;
    errno = 0;
    int wrong = ini_parse(path, take_line, &loading);
    options->configs--;
    if (wrong < 0)
        return complain(path, "", errno ? strerror(errno) : "it cannot be read");
    if (wrong > 0 && !loading.failed) {
        fprintf(stderr, "loadline-score: %s:%d: this is not a \"name = value\" line\n", path,
                wrong);
        return false;
    }
    return !loading.failed;
}
