/* log_query: kept lines, newest first, a page at a time and at a bounded cost. */
#ifndef LOADLINE_STORE_LOG_QUERY_H
#define LOADLINE_STORE_LOG_QUERY_H

#include "reader/log_push.h"
#include "db/db.h"

enum {
    LOG_SCAN_MAX = 10000,         /* lines that one page looks at, */
    LOG_SCAN_BYTES = 4096 * 1024, /* and bytes of their messages, and the rest of the last one */
    LOG_PAGE_BYTES = 1 << 20,     /* of messages in a page; one line is always in it */
    LOG_TEXT_MAX = 200            /* bytes of text */
};

/* Where a line stands; those of one time in the order of their ids. */
struct log_place {
    int64_t time;
    int nanos;
    int64_t id;
};

/* Absent members ask for nothing. */
struct log_filter {
    struct str namespace, pod, container;
    struct str workload; /* its name; of pods whose names have one of the shapes: 1 << shape */
    unsigned shapes;
    enum log_severity least;
    struct str text; /* somewhere in the message, in any case of letters */
    int64_t from;    /* included */
    struct log_place before;
    int64_t limit; /* lines */
};

struct log_found {
    struct log_line line; /* its id is not told */
    struct str namespace, pod, container;
};

struct log_page {
    size_t n;
    struct log_found *lines; /* newest first */
    bool more;               /* ask again with `before`: next */
    struct log_place next;
};

/* The first place after all lines of that millisecond. */
struct log_place log_place_after(int64_t time);

/* A page may hold fewer lines than asked for, or none, and still have more to come: when it has
 * looked at LOG_SCAN_MAX lines or LOG_SCAN_BYTES, or has LOG_PAGE_BYTES. */
enum error log_fetch(struct db *db, struct arena *arena, struct str cluster,
                     const struct log_filter *filter, struct log_page *page);

#endif
