/* options: what loadline-score was told, on the command line and in a configuration file. */
#ifndef LOADLINE_BIN_OPTIONS_H
#define LOADLINE_BIN_OPTIONS_H

#include "base/buf.h"
#include "score/policy.h"
#include "score/score.h"

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_SARIF, FORMAT_JUNIT, FORMAT_HTML, FORMAT_COUNT };
enum filter_of { FILTER_CHECK, FILTER_NAMESPACE, FILTER_OWNER, FILTER_COUNT };

struct filter {
    enum filter_of of;
    bool exclude;
    const char *pattern; /* of the shell: fnmatch(3) */
};

struct options {
    struct arena *arena; /* of what grows, and of the configuration file */
    enum format format;
    uint64_t top, fail_below;
    enum severity fail_on; /* SEVERITY_COUNT: none */
    int64_t time;          /* TIME_NONE: not said */
    struct score_policy policy;
    LIST(struct filter) filters;
    bool by_namespace, by_owner, verbose;
    struct str owner_label;
    const char *baseline, *exemption_file, *deploys, *explain;
    bool list_checks, help, version;
    const char *const *files;
    size_t files_n;
    unsigned configs; /* configuration files that are open: one may name another */
};

/* False after a complaint on stderr. */
bool options_parse(struct options *options, struct arena *arena, int argc, char **argv);
/* Takes a value by the option's name. NULL, or why not: "" after a complaint on stderr. */
const char *options_take(struct options *options, const char *name, const char *value);
/* From a file of "name = value" lines. False after a complaint on stderr. */
bool options_read(struct options *options, const char *path);
/* The whole --help. */
void options_help(struct buf *out);

#endif
