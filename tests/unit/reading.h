/* reading: what unit tests of the snapshot reader share: a document in, a model or what it says as
 * text out. Documents are JSON with ' in the place of ". */
#ifndef LOADLINE_TESTS_READING_H
#define LOADLINE_TESTS_READING_H

#include "base/buf.h"
#include "reader/snapshot_reader.h"

struct reading {
    struct arena *arena;
    struct str document, redacted; /* redacted: when it was asked for */
    struct snapshot_error error;
    struct cluster *cluster; /* NULL on error */
    text_part_list places;
};

/* Each checks, too, that the places of the objects are right. */
enum reading_mode { READING_PLAIN, READING_FIND, READING_REDACT };

/* Reads it in pieces of `piece` bytes (0: at once). Close with reading_close. */
struct reading reading_open(const char *document, enum reading_mode mode, size_t piece);
/* The same for text that is JSON already. */
struct reading reading_of(struct str document, enum reading_mode mode, size_t piece);
void reading_close(struct reading *reading);

/* "Pod 2, Node 1; unknown 1; members 1; seen Secret": what was read, in the order of kinds.def.
 * "seen" names kinds without an object. Errors are "no objects", "sensitive", "JSON 3 at 17". */
struct str reading_counts(struct reading *reading);
/* Fails the running test unless the document, read once more for where its objects stand, has as
 * many of each kind. */
void assert_located(struct reading *reading, struct str document);
/* The units of judgement with their pods and children, a line each:
 * "shop/Deployment/api: api-1 api-2 < ReplicaSet/api-7d". */
struct str reading_roots(struct reading *reading);
/* Fails the running test when it is another text. */
void assert_text(struct str got, const char *expected);

#endif
