/* warm: pushes of one cluster, each read with what is remembered of the ones before (warm) and
 * without (cold): nothing may tell the two apart. */
#ifndef LOADLINE_TESTS_WARM_H
#define LOADLINE_TESTS_WARM_H

#include "reader/object_memory.h"
#include "reader/snapshot_reader.h"
#include "score/verdict_memory.h"

struct warm;

/* Aborts without memory. max: as of object_memory_new(). */
struct warm *warm_new(size_t max);
void warm_free(struct warm *warm);

/* WARM_PARTS: redacts, too, and of the document before has the objects in pieces: where one is the
 * same, it need not be read (document_index.h). WARM_RUNS: and takes several of them at once. */
enum warm_mode { WARM_REDACT, WARM_FIND, WARM_PARTS, WARM_RUNS, WARM_MODES };

/* The time of the snapshot that is pushed next. Each one that follows comes some time after or
 * before the one before. */
void warm_at(struct warm *warm, int64_t time);

/* Reads a document both ways, in pieces of `piece` bytes (0: at once), and judges it. What differs,
 * as a static text; NULL: nothing. Compared are what is refused and where, the redacted copy,
 * where objects stand in it and its delta, what was counted, the whole report, and the work that it
 * took. Places of the same content, here or in an earlier document, must have the same bytes. */
const char *warm_push(struct warm *warm, struct str document, enum warm_mode mode, size_t piece);
/* Of the last warm_push(). */
struct object_memory_use warm_use(const struct warm *warm);
/* Of its last judgement. */
struct verdict_memory_use warm_verdict_use(const struct warm *warm);
/* Bytes that the source gave to it. */
uint64_t warm_given(const struct warm *warm);
struct object_memory *warm_memory(struct warm *warm);

#endif
