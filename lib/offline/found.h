/* found: what the name of a file in a directory or an archive tells. */
#ifndef LOADLINE_OFFLINE_FOUND_H
#define LOADLINE_OFFLINE_FOUND_H

#include "kube/kinds.h"

/* Why a file of this path is not read; NULL: it is. */
const char *found_passed(struct str path);
/* What a list in it holds that does not say so itself, by the name of the file or its directory:
 * "pods.json", "core_v1_pods.json", "cluster-resources/network-policy/default.json". KIND_NONE: the
 * path does not tell. */
enum kind found_kind(struct str path);

#endif
