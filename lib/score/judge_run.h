/* judge_run: what the files that judge share: a judgement that is under way, and how it takes
 * verdicts. Nobody but judge.c, judge_local.c and judge_settle.c includes it. */
#ifndef LOADLINE_SCORE_JUDGE_RUN_H
#define LOADLINE_SCORE_JUDGE_RUN_H

#include "score/verdict_memory.h"

enum { SUBJECT_COUNT = SUBJECT_cluster + 1, FINDINGS_A_CHUNK = 128 };

/* Findings as they come up. */
struct findings_chunk {
    struct finding items[FINDINGS_A_CHUNK];
    uint32_t n;
    struct findings_chunk *next;
};

struct judge_run {
    struct check_context context;
    struct check_context local; /* what local checks are shown */
    struct score_policy local_policy;
    struct validity valid; /* of what local checks say */
    struct verdict_draft draft;
    struct findings *findings;
    bool has_exemptions[CHECK_COUNT];
    bool recalls[CHECK_COUNT]; /* something is recalled of the check */
    struct findings_chunk *first, *last;
    /* Those that have what they need in the snapshot; of workloads, those that are not local. */
    LIST(const struct check *) checks[SUBJECT_COUNT];
    LIST(const struct check *) local_checks;
    uint64_t local_asked[CHECK_WORDS];
    uint64_t evaluated[CHECK_WORDS];         /* since it was emptied: a bit a check */
    const struct finding *said[CHECK_COUNT]; /* of the workload that local checks are asked about */
    uint32_t said_n;
    struct asked *asked[CHECK_COUNT]; /* those of each check's account */
};

/* Before checks are asked about an object: so many. Takes the steps of asking them. */
void judge_enter(struct judge_run *run, const struct object *object, enum subject subject,
                 uint32_t asked);
/* Is the check to be asked about this object at all? left_out: judge_leaves_out(). */
bool judge_asks(const struct check *check, const struct object *object, bool left_out);
/* Before a check is asked; what it is to be given. */
struct check_context *judge_begin(struct judge_run *run, struct check_context *context,
                                  const struct check *check);
/* Takes its verdict. Returns what it found, or NULL. */
const struct finding *judge_settle(struct judge_run *run, const struct check *check,
                                   uint32_t ordinal, const struct object *object,
                                   enum verdict verdict);

/* What judge_settle() does, for verdicts that are known: the check of that number was evaluated; it
 * failed. Of the finding everything is set but what the check says. */
static inline void judge_note_evaluated(struct judge_run *run, uint32_t check, uint32_t ordinal)
{
    struct asked *asked = run->asked[check];
    assert(ordinal / 64 < asked->words);
    asked->bits[ordinal / 64] |= UINT64_C(1) << ordinal % 64;
    run->findings->checks[check].evaluated++;
}
/* The same for ordinals from 64 * `at` on: those whose bits are set. */
static inline void judge_note_many(struct judge_run *run, uint32_t check, uint32_t at,
                                   uint64_t ordinals)
{
    struct asked *asked = run->asked[check];
    assert(at < asked->words);
    asked->bits[at] |= ordinals;
    run->findings->checks[check].evaluated += (uint32_t)__builtin_popcountll(ordinals);
}
struct finding *judge_note_failed(struct judge_run *run, const struct check *check,
                                  uint32_t ordinal, const struct object *object);

/* Asks local checks about all workloads, or recalls what they said. */
void judge_local(struct judge_run *run);

#endif
