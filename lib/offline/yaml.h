/* yaml: YAML to JSON, as a stream and in bounded memory.
 *
 * Documents become JSON values one after another. Values are what Kubernetes reads (scalar.h);
 * aliases and merge keys ("<<") are written out. Tags that are not YAML's own make strings. Each
 * value of the JSON stands on the line of its value in the YAML, but for what aliases add.
 */
#ifndef LOADLINE_OFFLINE_YAML_H
#define LOADLINE_OFFLINE_YAML_H

#include "codec/source.h"

enum { YAML_SCALAR_MAX = 8 * 1024 * 1024, YAML_DEPTH_MAX = 64 };

struct yaml;

struct yaml_error {
    char text[256];        /* "" : the source failed, or nothing has happened */
    uint64_t line, column; /* from 1 */
};

/* NULL without memory. */
struct yaml *yaml_open(struct source from);
void yaml_close(struct yaml *yaml);
/* Lives as long as `yaml`. */
struct source yaml_source(struct yaml *yaml);
const struct yaml_error *yaml_error(const struct yaml *yaml);

#endif
