/* alert_story: a cluster's snapshots one after the other, as rows, and what is said about them. */
#ifndef LOADLINE_TESTS_ALERT_STORY_H
#define LOADLINE_TESTS_ALERT_STORY_H

#include "alert/alert.h"

/* One snapshot. */
struct story_row {
    const char *name; /* of a history that begins here, with a score of 90, channel a and no rules;
                         NULL: the one above goes on */
    /* When, in seconds or as "4h" or "4h+10", and what has changed since the row above:
     *   score=N
     *   rules=ID KIND THRESHOLD [CHANNEL]..., ...     without channels: all; "-": none
     *   channels=ID ...
     *   silence=on, silence=off
     *   scope=namespaces
     *   apps=NAMESPACE/NAME AVAILABLE/DESIRED, ...    "?" instead of replicas: not told;
     *                                                 "?" alone: a snapshot without deployments */
    const char *what;
    const char *want; /* "CHANNEL: TITLE | DETAIL\n" for each message; "": none */
};

struct story {
    struct alert_setup setup;
    struct alert_facts facts;
    struct alert_state states[64];
    uint32_t states_n;
    struct alert_owed owed[64];
    uint32_t owed_n;
};

/* A score of 90, channel a, no rules. */
struct story story_begin(void);
/* what: as a row has it. Returns the time in seconds. */
int64_t story_change(struct story *story, const char *what);
/* A snapshot at that second; keeps what the database would. */
struct alert_outcome story_judge(struct story *story, int64_t at);
/* Fails where the messages are not those of the row. */
void story_play(const struct story_row *rows, size_t n);

#define DROP(channel, score, threshold)                                                            \
    channel ": Cluster production CSC score dropped to " score " (threshold: " threshold           \
            ") | 5 active risks detected\n"
#define LATE_DROP(channel, score, threshold, lasted)                                               \
    channel ": Cluster production CSC score dropped to " score " (threshold: " threshold           \
            ") | 5 active risks detected; below the threshold for " lasted "\n"
#define STILL(channel, score, threshold, lasted)                                                   \
    channel ": Cluster production CSC score is still at " score " (threshold: " threshold          \
            ") | 5 active risks detected; below the threshold for " lasted "\n"
#define BACK(channel, score, threshold, lasted)                                                    \
    channel ": Cluster production CSC score recovered to " score " (threshold: " threshold         \
            ") | 5 active risks detected; it was below the threshold for " lasted "\n"

#endif
