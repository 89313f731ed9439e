/* state: readings of an object's status that several checks share. */
#ifndef LOADLINE_SCORE_STATE_H
#define LOADLINE_SCORE_STATE_H

#include "score/check.h"

/* ---- time ---- */

/* Is `since` known, and more than `ms` before the judge's time? */
bool older_than(const struct judge *judge, int64_t since, int64_t ms);
/* Is `since` known, and not more than `ms` before the judge's time? What lies after it counts. */
bool within(const struct judge *judge, int64_t since, int64_t ms);
/* "12 min", "some time". */
struct str age_text(const struct judge *judge, int64_t since);
/* "for 12 min" and "12 min ago"; when nobody knows, "for some time" and "at an unknown
 * time". */
struct str for_time(const struct judge *judge, int64_t since);
struct str time_ago(const struct judge *judge, int64_t since);

/* ---- conditions, annotations and events ---- */

/* NULL when there is none of that type. */
const struct condition *condition_find(condition_list conditions, struct str type);
/* Is there one of that type with that status? */
bool condition_is(condition_list conditions, struct str type, struct str status);
/* What Kubernetes wrote as a message, for the end of a sentence: cut to a length people read, up to
 * the first line's end, without a full stop. */
struct str message_text(struct str message);
bool str_in(struct str s, const char *const *words); /* a list that ends with NULL */

/* The latest event of the last hour with that reason about the object; NULL: none. */
const struct event *latest_event(const struct judge *judge, const struct object *object,
                                 struct str reason);
/* How often the event came in the last hour: its whole count when it first came within it, else
 * its share of an even rate. */
int64_t event_count_last_hour(const struct judge *judge, const struct event *event);

/* ---- pods ---- */

/* Has the pod a status that containers can be judged by: not terminating, not ended? */
bool pod_is_active(const struct pod *pod);
bool pod_has_ended(const struct pod *pod); /* Succeeded or Failed */
bool pod_is_terminating(const struct pod *pod);
bool pod_is_ready(const struct pod *pod);
/* Does it run on a node of the snapshot that is not ready? Its readiness is the node's fault. */
bool pod_is_on_lost_node(const struct pod *pod);
/* What a summary item says of the state: "CrashLoopBackOff", "Running"; absent for others. */
struct str pod_summary_state(const struct pod *pod);
/* "Container api of pod api-0", for the beginning of a sentence; "Pod api-0" without a name. */
struct str container_of_pod(const struct judge *judge, const struct pod *pod, struct str name);
/* Asks about each pod of the workload. FAILED when one failed, PASSED when one was evaluated. */
enum verdict each_pod(struct judge *judge, const struct workload *workload,
                      enum verdict (*ask)(struct judge *, const struct pod *));

/* ---- workloads and nodes ---- */

/* Is status older than spec, so that its numbers say nothing? */
bool status_is_stale(const struct workload *workload);
/* spec.replicas, 1 when absent. */
int64_t wanted_replicas(const struct workload *workload);
/* Has its controller written a status, or the summary item its replicas? */
bool has_replica_status(const struct workload *workload);
/* availableReplicas; readyReplicas where a summary item or a DaemonSet does not tell them. */
int64_t available_replicas(const struct workload *workload);
/* A number of a spec or status: 0 when absent, as the API leaves zeros out, or negative; and never
 * so large that a sum could overflow. */
int64_t number_or_zero(int64_t number);
/* How many pods it has on nodes that are not ready. */
int64_t pods_on_lost_nodes(const struct workload *workload);
/* Has it pods that are not ready, all of them younger than ms? Then it is only starting. */
bool pods_are_starting(const struct judge *judge, const struct workload *workload, int64_t ms);

/* TRI_ABSENT: a summary item that does not say. No Ready condition at all counts as not ready. */
enum tri node_ready(const struct node *node);

#endif
