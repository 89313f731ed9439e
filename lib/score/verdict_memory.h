/* verdict_memory: what local checks (struct check) said of the workloads of the cluster that
 * was judged last, for the next judgement of it.
 *
 * A verdict is taken from here when all that it follows from is the same: the workload, its
 * children, revisions and pods, by the numbers of what they were read from (struct object), the
 * readiness of the pods' nodes, what is around it (around.h), the setting, and which of these
 * checks are asked. Numbers are compared, not a hash of them. It holds for a span of time, up to
 * the next age at which a check would say something else. What no number is known of is asked anew
 * each time.
 *
 * It is a cache. What is judged with it is the same as without, and takes the same steps
 * (kube/effort.h), but less time. Messages are kept as they are published: without secrets.
 */
#ifndef LOADLINE_SCORE_VERDICT_MEMORY_H
#define LOADLINE_SCORE_VERDICT_MEMORY_H

#include "score/findings.h"

struct verdict_memory;

/* Keeps at most `max` bytes of verdicts. NULL without memory; free with verdict_memory_free(),
 * which takes NULL. A ledger that was made with it points into it until it is freed, or until the
 * next judgement with it. */
struct verdict_memory *verdict_memory_new(size_t max);
void verdict_memory_free(struct verdict_memory *memory);

/* What it takes now. */
size_t verdict_memory_bytes(const struct verdict_memory *memory);
/* Of the last judgement with it: workloads of which verdicts were known, and that were
 * asked. */
struct verdict_memory_use {
    uint32_t known, asked;
    bool priced; /* what its risks cost was known, too */
};
struct verdict_memory_use verdict_memory_use(const struct verdict_memory *memory);

/* ---- for judge.c ---- */

enum { CHECK_WORDS = (CHECK_COUNT + 63) / 64 };

/* A check failed. */
struct local_finding {
    const struct check *check;
    struct str container, message;
    uint64_t id; /* of the risk */
    enum severity severity;
    uint32_t count;
};

/* What all local checks said of a workload. */
struct local_verdicts {
    struct validity valid;
    uint64_t evaluated[CHECK_WORDS]; /* a bit a check */
    uint64_t spent[EFFORT_COUNT];    /* steps that the checks took */
    const struct local_finding *findings;
    uint32_t n;
};

/* A judgement with it, in the arena of the judgement. */
struct verdict_recall;

/* memory may be NULL: nothing is recalled then, and nothing kept. context: of the judgement, as
 * judge_prepare() makes it; asked: bits of the local checks that are asked. */
struct verdict_recall *verdict_recall_begin(struct verdict_memory *memory,
                                            const struct check_context *context,
                                            const uint64_t asked[CHECK_WORDS]);
/* Of the workload with that ordinal among cluster->roots; NULL: ask it. left_out: it is asked
 * nothing of policy and history. */
const struct local_verdicts *verdict_recall_find(struct verdict_recall *recall, uint32_t ordinal,
                                                 bool left_out);
/* It was asked, after verdict_recall_find(). said: its n findings, which stay where they are and
 * have their ids when the judgement is over; those of verdicts are not looked at. */
void verdict_recall_note(struct verdict_recall *recall, uint32_t ordinal,
                         const struct local_verdicts *verdicts, const struct finding *const *said,
                         uint32_t n);
/* What the risks of the judgement before cost; NULL: nobody knows. recall may be NULL. */
const struct priced *verdict_recall_priced(const struct verdict_recall *recall);
/* The judgement is over, and its risks are priced. */
void verdict_recall_end(struct verdict_recall *recall, const struct findings *findings);

#endif
