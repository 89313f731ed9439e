/* param: query parameters and headers with a type. */
#ifndef LOADLINE_WEB_PARAM_H
#define LOADLINE_WEB_PARAM_H

#include "store/cluster.h"
#include "web/request.h"

/* The name of a cluster. MISSING_FIELD, INVALID_FIELD. */
enum error param_cluster_name(struct request *r, const char *name, struct str *cluster_name);
/* The same of a filter; absent when the parameter is missing. INVALID_FIELD. */
enum error param_filter_cluster(struct request *r, const char *name, struct str *cluster_name);
/* The tenant's cluster of that name. MISSING_FIELD, INVALID_FIELD, UNKNOWN_CLUSTER. */
enum error param_cluster(struct request *r, const char *name, struct cluster_row **cluster);
/* Is it a name that a cluster can have? field: where it came from. INVALID_FIELD. */
enum error param_check_cluster_name(struct request *r, const char *field, struct str name);
/* The cluster of that name. field: where it came from. INVALID_FIELD, UNKNOWN_CLUSTER. */
enum error param_find_cluster(struct request *r, const char *field, struct str name,
                              struct cluster_row **cluster);
/* Is the API key of the request good for the cluster of that name? FORBIDDEN_CLUSTER, in words and
 * noted in the audit trail. */
enum error param_check_bound(struct request *r, struct str cluster_name);
/* Text of at most max bytes, UTF-8 without NUL; absent when the parameter is missing or empty.
 * INVALID_FIELD. */
enum error param_text(struct request *r, const char *name, size_t max, struct str *text);
/* The id (a UUID) of one of our things. MISSING_FIELD, INVALID_FIELD. */
enum error param_id(struct request *r, const char *name, struct str *id);
/* The whole of what DATETIME holds. */
#define PARAM_TIME_MIN (-62135596800000)
#define PARAM_TIME_MAX 253402300799999
/* RFC 3339, also a day alone (its first moment) or without an offset (UTC). TIME_NONE when it is no
 * time. */
int64_t param_parse_time(struct arena *arena, struct str text);
/* Such a time; `otherwise` when the parameter is missing. INVALID_FIELD. */
enum error param_time(struct request *r, const char *name, int64_t otherwise, int64_t *time);
/* A whole number from min to max; `otherwise` when the parameter is missing. INVALID_FIELD. */
enum error param_int(struct request *r, const char *name, int64_t min, int64_t max,
                     int64_t otherwise, int64_t *number);

enum param_format { FORMAT_JSON, FORMAT_CSV };
/* format=json or csv; JSON when it is missing. INVALID_FIELD. */
enum error param_format(struct request *r, enum param_format *format);

#endif
