/* state: readings of an object's status that several checks share. */
#ifndef LOADLINE_SCORE_STATE_H
#define LOADLINE_SCORE_STATE_H

#include "kube/status.h"
#include "score/check.h"

/* ---- time ----
 *
 * From when to when it holds what is told here is noted (context->valid). A local check has no
 * other time to look at. */

/* Is `since` known, and more than `ms` before the snapshot's time? */
bool age_exceeds(const struct check_context *context, int64_t since, int64_t ms);
/* Is `since` known, and not more than `ms` before the snapshot's time? What lies after it counts.
 */
bool age_within(const struct check_context *context, int64_t since, int64_t ms);
/* The same, but less than `ms` before it: "younger than". */
bool age_below(const struct check_context *context, int64_t since, int64_t ms);
/* How many whole units, in ms, have passed since; 0 of what lies ahead. `since` is known. */
int64_t age_in(const struct check_context *context, int64_t since, int64_t unit);
/* "12 min", "some time". */
struct str age_text(const struct check_context *context, int64_t since);
/* "for 12 min" and "12 min ago"; when nobody knows, "for some time" and "at an unknown
 * time". */
struct str for_time(const struct check_context *context, int64_t since);
struct str time_ago(const struct check_context *context, int64_t since);

/* ---- conditions, annotations and events ---- */

/* What Kubernetes wrote as a message, for the end of a sentence: cut to a length people read, up to
 * the first line's end, without a full stop. */
struct str message_text(struct str message);

/* The same of an error that wraps others ("...: failed to pull: x: not found"), shortened at its
 * front: what went wrong stands last. */
struct str message_cause(struct str message);

/* The latest event of the last hour with that reason about the object; NULL: none. */
const struct event *latest_event(const struct check_context *context, const struct object *object,
                                 struct str reason);
/* How often the event came in the last hour: its whole count when it first came within it, else
 * its share of an even rate. */
int64_t event_count_last_hour(const struct check_context *context, const struct event *event);

/* ---- pods ---- */

/* "Container api of pod api-0", for the beginning of a sentence; "Pod api-0" without a name. */
struct str container_of_pod(const struct check_context *context, const struct pod *pod,
                            struct str name);
/* Asks about each pod of the workload. FAILED when one failed, PASSED when one was evaluated. */
enum verdict each_pod(struct check_context *context, const struct workload *workload,
                      enum verdict (*ask)(struct check_context *, const struct pod *));

/* How many seconds a pod that is deleted has to end, at most a day. */
int64_t pod_deletion_grace(const struct pod *pod);
/* Should it have gone? Its deletionTimestamp is when that time is over. The kubelet and finalizers
 * get as long again, and five minutes. */
bool pod_is_overdue(const struct check_context *context, const struct pod *pod);

/* ---- workloads and nodes ---- */

/* Has it pods that are not ready, all of them younger than ms? Then it is only starting. */
bool pods_are_starting(const struct check_context *context, const struct workload *workload,
                       int64_t ms);

#endif
