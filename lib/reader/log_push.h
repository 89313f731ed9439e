/* log_push: pushed lines of a container's log, read from
 * {"namespace", "pod", "container", "lines": [{"timestamp", "message", "level"}]}.
 *
 * Strict JSON and UTF-8, read as a stream; unknown members are passed by, of several of one name
 * the last one counts, null is the same as none. Messages are kept byte for byte, U+0000 included,
 * but for secrets, which are cut out (log_secrets.h).
 */
#ifndef LOADLINE_READER_LOG_PUSH_H
#define LOADLINE_READER_LOG_PUSH_H

#include "codec/jr.h"
#include "kube/pod_name.h"

enum {
    LOG_LINES_MAX = 5000,
    LOG_NAME_MAX = 253,           /* bytes of namespace, pod and container */
    LOG_MESSAGE_MAX = 16 * 1024,  /* bytes; what is longer is cut, and a mark says so */
    LOG_LEVEL_MAX = 32,           /* bytes; what is longer is cut */
    LOG_AHEAD_MS = 5 * 60 * 1000, /* how far clocks may be ahead of ours */
    LOG_JSON_MAX = 4 << 20        /* bytes of the document */
};

/* The database holds these numbers: none is ever changed. */
enum log_severity {
    LOG_TRACE = 0,
    LOG_DEBUG = 1,
    LOG_INFO = 2,
    LOG_WARN = 3,
    LOG_ERROR = 4,
    LOG_FATAL = 5,
    LOG_SEVERITY_COUNT
};

struct str log_severity_name(enum log_severity severity); /* "ERROR" */
/* In any case of letters. False, with INFO, when it is none of them. */
bool log_severity_find(struct str name, enum log_severity *severity);

struct log_line {
    int64_t time;
    int nanos;         /* beyond its milliseconds */
    uint32_t position; /* in the push */
    int64_t id;        /* tells lines of one time apart: a hash of stream and message */
    enum log_severity severity;
    struct str level; /* as it was given; absent when severity says it */
    struct str message;
};

struct log_push {
    struct str namespace, pod, container;
    struct pod_family family;
    int64_t stream;              /* a hash of the three names */
    LIST(struct log_line) lines; /* by time and id */
    uint32_t skipped;            /* too old or too far ahead */
};

enum log_push_code {
    LOG_PUSH_OK,
    LOG_PUSH_E_JSON,    /* error->json tells */
    LOG_PUSH_E_MISSING, /* error->field is missing or empty */
    LOG_PUSH_E_INVALID, /* error->field is wrong: error->problem */
    LOG_PUSH_E_LINES    /* more than LOG_LINES_MAX */
};

struct log_push_error {
    enum log_push_code code;
    struct jr_error json;
    char field[48];      /* "lines[17].message" */
    const char *problem; /* the rest of a sentence that begins with the field */
};

/* A line without a time gets `now`, the lines of a push in their order. Lines before `oldest` or
 * more than LOG_AHEAD_MS after now are skipped. All in the arena; NULL when it cannot be read. */
struct log_push *log_push_read(struct arena *arena, struct source source, int64_t now,
                               int64_t oldest, struct log_push_error *error);

#endif
