/* spool: bytes that are too many for memory, kept for the length of a request in a file without a
 * name: it is gone when the process is.
 */
#ifndef LOADLINE_SERVICE_SPOOL_H
#define LOADLINE_SERVICE_SPOOL_H

#include "codec/source.h"

struct spool;

/* An empty one in this directory. NULL when it cannot be had: the log says why. */
struct spool *spool_open(const char *directory);
void spool_free(struct spool *spool);

/* Appends. False when the disk is full or fails: the log says so. */
bool spool_put(struct spool *spool, struct str bytes);

/* Puts n bytes from an offset on into `out`, in pieces. False when it refuses, or the file cannot
 * be read: then the log says so. */
bool spool_copy(struct spool *spool, uint64_t offset, uint64_t n, struct sink out);
/* Could something not be put or read until now, by whatever it was asked? */
bool spool_failed(const struct spool *spool);
/* Its bytes from the first one on; a source that was made before starts over. */
struct source spool_source(struct spool *spool);

/* What is read of a source is appended to a spool on the way. */
struct spool_tee {
    struct source from;
    struct spool *to;
};

/* Fails when either does. */
struct source spool_tee_source(struct spool_tee *tee);

#endif
