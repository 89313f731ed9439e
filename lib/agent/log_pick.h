/* log_pick: the errors in a container's log, as the API server tells it with timestamps, become
 * what POST /ingest/logs takes. They are redacted by the code that reads these pushes
 * (reader/log_push.h), all lines before any is picked: a private key goes over several.
 */
#ifndef LOADLINE_AGENT_LOG_PICK_H
#define LOADLINE_AGENT_LOG_PICK_H

#include "base/arena.h"

enum {
    LOG_PICK_TEXT_MAX = 256 * 1024, /* what is longer is cut at the end of a line */
    LOG_PICK_LINES_MAX = 1000,      /* that are looked at */
    LOG_PICK_LAST = 10              /* of a run that has failed, whatever their level */
};

struct log_picked {
    struct str document; /* absent when there is nothing to push */
    uint32_t lines;
    int64_t newest; /* time of the newest line that was looked at; TIME_NONE: there was none */
};

/* failed: the log is of a run that has ended with an error, and the end says why. A line without a
 * time, or more than five minutes ahead of `now`, is left out. All in the arena. */
struct log_picked log_pick(struct arena *arena, struct str namespace, struct str pod,
                           struct str container, bool failed, struct str text, int64_t now);

#endif
