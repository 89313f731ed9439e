/* unread: what a snapshot holds of kinds that are not read, so that it can be said. */
#ifndef LOADLINE_READER_UNREAD_H
#define LOADLINE_READER_UNREAD_H

#include "reader/reader.h"

/* Counts n objects (0: nobody knows how many) of a kind. kind: also the name of a collection, then
 * without api_version. Both are interned. Beyond UNREAD_KINDS_MAX kinds they count as "others", and
 * so do kinds with a name that is longer than Kubernetes takes. */
void unread_count(struct reader *reader, struct str kind, struct str api_version, uint32_t n);

/* One object that is not read, of what its list says where it does not itself; and what the checks
 * want to know of it. Whoever is told of objects is told. */
void unread_note(struct reader *reader, struct str kind, struct str api_version);
/* Is it a policy of the network, of another API than Kubernetes' own? */
bool unread_isolates_pods(struct str kind, struct str group);

/* A copy of a reader, with a cluster of its own, goes on counting by itself. */
void unread_separate(struct reader *copy);

/* Puts the kinds in order, those of most objects first. */
void unread_sort(struct cluster *cluster);

#endif
