/* options: what loadline-agent was told, on the command line and by the environment. */
#ifndef LOADLINE_BIN_WATCHER_OPTIONS_H
#define LOADLINE_BIN_WATCHER_OPTIONS_H

#include "base/buf.h"

struct options {
    struct str url; /* without a slash at the end */
    const char *cluster, *api_key, *api_key_file, *ca_file, *kubeconfig, *context, *listen;
    int interval; /* seconds between pushes of what changes */
    bool allow_insecure, once, dry_run, changes, logs, verbose, help, version;
};

/* False after a complaint on stderr. */
bool options_parse(struct options *options, int argc, char **argv);
/* The whole --help. */
void options_help(struct buf *out);

#endif
