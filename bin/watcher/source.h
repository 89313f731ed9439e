/* source: what the agent asks of the API server, and the state that all who ask share. */
#ifndef LOADLINE_BIN_WATCHER_SOURCE_H
#define LOADLINE_BIN_WATCHER_SOURCE_H

#include "agent/clean.h"
#include "agent/store.h"
#include "transfer.h"

struct source_counts {
    uint64_t lists, watches, errors, dropped; /* dropped: objects that could not be redacted */
};

struct api_source {
    struct transfers *transfers;
    const struct access *access;
    struct cleaner *cleaner;
    struct store *store;
    unsigned listing; /* lists that are under way */
    bool discover;    /* somebody found that what is served has changed */
    struct source_counts counts;
};

#endif
