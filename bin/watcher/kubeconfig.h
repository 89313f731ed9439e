/* kubeconfig: access to a cluster from outside, from a file as kubectl has it. */
#ifndef LOADLINE_BIN_WATCHER_KUBECONFIG_H
#define LOADLINE_BIN_WATCHER_KUBECONFIG_H

#include "access.h"

/* Of the context with that name; NULL: of the current one. allow_insecure: its word counts that the
 * certificate is not to be checked. False after a complaint on stderr. */
bool kubeconfig_read(const char *path, const char *context, bool allow_insecure,
                     struct access *access);

#endif
