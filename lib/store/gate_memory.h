/* gate_memory: the summaries that a worker of the gate has unpacked. An answer takes what is
 * remembered only when the cluster's row, which it has read just now, names that summary: so it
 * never answers by an older one than the database has. What is remembered may be lost at any time
 * and changes nothing but time.
 *
 * It also remembers that a decision has kept the summary's risks. Who has seen that may count on it
 * for a while: see store/retention.c, which marks what no decision refers to, and removes it an
 * hour later.
 */
#ifndef LOADLINE_STORE_GATE_MEMORY_H
#define LOADLINE_STORE_GATE_MEMORY_H

#include "store/cluster.h"
#include "store/gate_summary.h"

/* Of a process; a summary that is larger than a quarter of it is not kept, and what is told of
 * targets fills no more than a quarter. For so long it is known that risks are kept; what was not
 * asked for so long goes when others come. */
enum {
    GATE_MEMORY_BYTES = 32 << 20,
    GATE_MEMORY_KEPT_MS = 10 * 60 * 1000,
    GATE_MEMORY_UNUSED_MS = 60 * 60 * 1000
};

struct gate_memory;

/* What is remembered of the cluster: *summary then points into it, until gate_memory_release().
 * NULL when that is not the present one, or when it must be looked again whether its risks are
 * kept. connection: db_connection(): another server need not have what the one of before had. */
struct gate_memory *gate_memory_find(const struct cluster_row *cluster, uint64_t connection,
                                     int64_t now, struct gate_summary *summary);
void gate_memory_release(void *memory);
/* Remembers a summary that was just read, in place of the one of before. */
void gate_memory_keep(struct str cluster, uint64_t connection, int64_t now,
                      const struct gate_summary *summary);
/* A decision about the cluster is stored, and so are the risks that it refers to. */
void gate_memory_kept(struct str cluster, uint64_t connection, int64_t now, int64_t risks_hash);
/* When the risk of that id was first seen. False when that is not remembered. */
bool gate_memory_first_seen(const struct gate_memory *memory, struct str id, int64_t *first_seen);
/* Remembers it; TIME_NONE is not remembered. Who asks the database for it does so after it has
 * named the summary. Where there is no room it is not remembered either. */
void gate_memory_note_first_seen(struct gate_memory *memory, struct str id, int64_t first_seen);

/* What answers tell of a target, see gate/scope.h. */
struct gate_told {
    struct str state; /* in words */
    struct str risks; /* JSON objects, with commas between them */
    uint32_t shown;   /* so many of them, of */
    uint32_t total;
    int64_t points, shown_points; /* hundredths; what all cost, and those that are shown */
};

/* What the summary tells of a target: a namespace, and a resource as it was asked; absent: the
 * namespace itself. *told is valid until another is noted. False when it is not remembered. */
bool gate_memory_told(const struct gate_memory *memory, struct str namespace, struct str resource,
                      struct gate_told *told);
/* Remembers it, in place of another target now and then. Where there is no room it does not. */
void gate_memory_note_told(struct gate_memory *memory, struct str namespace, struct str resource,
                           const struct gate_told *told);

/* How many bytes are remembered, for tests. */
size_t gate_memory_bytes(void);

#endif
