/* body: JSON bodies of requests, read with json-c: strict, one object, unknown members ignored, of
 * several members of one name the last one.
 *
 * Slices point into the body's tree and live until the request is over.
 */
#ifndef LOADLINE_WEB_BODY_H
#define LOADLINE_WEB_BODY_H

#include "web/request.h"

struct json_object;

/* The body as an object. NOT_JSON (Content-Type says something else), UNSUPPORTED_ENCODING,
 * BAD_JSON. */
enum error body_object(struct request *r, struct json_object **object);

/* Takes a member out of the body before body_object() reads it: its JSON as it stands, unchecked,
 * absent when there is none; the last of several. For what is too large for a tree. The rest of the
 * body, which then has null in its place, may have `rest` bytes: TOO_LARGE. */
enum error body_cut(struct request *r, const char *name, size_t rest, struct str *json);

/* Is there such a member, be it null? */
bool body_has(struct json_object *object, const char *name);

/* Is there one that is not null? */
bool body_gives(struct json_object *object, const char *name);

enum body_presence { BODY_OPTIONAL, BODY_REQUIRED };

/* A string member of at most max bytes, without NUL. Absent when it is missing or null and
 * optional. MISSING_FIELD, INVALID_FIELD (naming it). A required one must not be empty. */
enum error body_text(struct request *r, struct json_object *object, const char *name,
                     enum body_presence presence, size_t max, struct str *out);
/* The same, and not only blanks either. */
enum error body_filled(struct request *r, struct json_object *object, const char *name,
                       enum body_presence presence, size_t max, struct str *out);
/* The same for what people shall recognise a thing by: without control characters, too. */
enum error body_name(struct request *r, struct json_object *object, const char *name,
                     enum body_presence presence, size_t max, struct str *out);
/* A time (RFC 3339); TIME_NONE when it is missing or null. INVALID_FIELD. */
enum error body_time(struct request *r, struct json_object *object, const char *name,
                     int64_t *time);
/* true or false; `otherwise` when it is missing or null. INVALID_FIELD. */
enum error body_bool(struct request *r, struct json_object *object, const char *name,
                     bool otherwise, bool *out);
/* A whole number from min to max; `otherwise` when it is missing or null. INVALID_FIELD. */
enum error body_int(struct request *r, struct json_object *object, const char *name, int64_t min,
                    int64_t max, int64_t otherwise, int64_t *out);
/* An array of 1 to max different ids (UUIDs), as words separated by blanks; absent when it is
 * missing or null. INVALID_FIELD. */
enum error body_ids(struct request *r, struct json_object *object, const char *name, size_t max,
                    struct str *words);
/* An array of at most max texts that good() takes, none with a blank, as words separated by blanks,
 * at most `bytes` in all; what stands in it twice is there twice. Absent when it is missing, null
 * or empty. what: "ranges". */
struct body_words {
    const char *what;
    size_t max, bytes;
    bool (*good)(struct str text);
};
enum error body_words(struct request *r, struct json_object *object, const char *name,
                      const struct body_words *wanted, struct str *words);
/* The name of a cluster of the tenant, in the member clusterId; absent when it is missing or null.
 * INVALID_FIELD, UNKNOWN_CLUSTER. */
enum error body_cluster(struct request *r, struct json_object *object, struct str *name);
/* The id (a UUID) that the request is about: the query parameter id, else the member id of the
 * body, which may be NULL. MISSING_FIELD, INVALID_FIELD. */
enum error body_or_param_id(struct request *r, struct json_object *object, struct str *id);
/* The same where the body says nothing else, and may be missing. */
enum error body_only_id(struct request *r, struct str *id);
/* The same as body_text(), required and wiped when the request is over. */
enum error body_secret(struct request *r, struct json_object *object, const char *name, size_t max,
                       struct str *out);

#endif
