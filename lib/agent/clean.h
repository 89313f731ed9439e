/* clean: an object as the API server tells it becomes what may leave the cluster: redacted by the
 * code that the server runs over what is pushed (reader/snapshot_reader.h).
 */
#ifndef LOADLINE_AGENT_CLEAN_H
#define LOADLINE_AGENT_CLEAN_H

#include "kube/meta.h"

struct cleaner;

/* NULL without memory. */
struct cleaner *cleaner_new(void);
void cleaner_free(struct cleaner *cleaner);

/* What an object says of itself; valid until the next call of the cleaner. */
struct clean_identity {
    struct str namespace, name, version; /* version: its resourceVersion */
};

enum clean_event { CLEAN_PUT, CLEAN_DELETED, CLEAN_BOOKMARK, CLEAN_ERROR, CLEAN_UNKNOWN };

/* One event of a watch. False when it is not well formed. */
struct clean_watch {
    enum clean_event event;
    struct str object;  /* as it came, in the text that was given */
    int64_t error_code; /* of CLEAN_ERROR: the status code; 0 when there is none */
};
bool clean_watch(struct cleaner *cleaner, struct str text, struct clean_watch *watch);

/* The head of a list (agent/split.h). False when it is not well formed, or none of a list. */
struct clean_head {
    struct str version, next; /* next: the token of the next page; empty on the last */
};
bool clean_head(struct cleaner *cleaner, struct str text, struct clean_head *head);

/* From now on each pod that is cleaned is told, as the reader sees it: valid until `tell` returns.
 */
struct pod;
void cleaner_tell_pods(struct cleaner *cleaner, void (*tell)(void *context, const struct pod *pod),
                       void *context);

/* False when it is not well formed; of what stands before the fault something may be known all the
 * same. */
bool clean_identify(struct cleaner *cleaner, struct str object, struct clean_identity *identity);
/* Is what was wrong with it only that it is nested deeper than a push may be? */
bool clean_is_too_deep(const struct cleaner *cleaner);

/* The object without what must not leave, nor the kind and the API version at its beginning when
 * they are those of the list. Absent when that is not sure: it is not well formed, too
 * large, of another kind, or more than 48 MiB of memory are wanted to read it. front: what stands
 * before the items of a list of its kind (agent/store.h). */
struct str clean_object(struct cleaner *cleaner, struct str front, struct str object);

#endif
