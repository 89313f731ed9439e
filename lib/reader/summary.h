/* summary: an item that says little, as tools print them: no metadata, all at its top level. */
#ifndef LOADLINE_READER_SUMMARY_H
#define LOADLINE_READER_SUMMARY_H

#include "reader/reader.h"

/* How it says that it is ready: as the status of a condition ("True", "False", "Unknown"; absent:
 * in no such word), and in numbers: how many are, and of how many. */
struct summary_ready {
    struct str status;
    int64_t count, of;
};

/* Members of an item that are not its kind's own: what every object has, and what a summary item
 * says at its top level. */
struct summary {
    struct str api_version, kind;
    struct object_meta meta;
    bool has_metadata;

    struct str name, namespace, status, phase, reason, image, node;
    pair_list labels;
    condition_list conditions;
    struct summary_ready ready;
    int64_t restarts, replicas, ready_replicas, available_replicas;
};

/* Puts what a summary item says where its kind keeps it. */
void summary_fill(struct reader *reader, enum kind kind, const struct summary *summary,
                  void *structure);

/* The same of a pod's status (summary_pod.c). */
void summary_fill_pod(struct decoder *decoder, const struct summary *summary, struct pod *pod);

#endif
