/* evidence: what a snapshot does not show, and what follows from that for its score. */
#ifndef LOADLINE_SCORE_EVIDENCE_H
#define LOADLINE_SCORE_EVIDENCE_H

#include "score/check.h"

/* Above this no score gets without Nodes, and Pods or controllers with a status. */
enum { EVIDENCE_CAP = 69 };

enum {
#define EVIDENCE(id, hundredths, cluster_wide, what, command) EVIDENCE_##id,
#include "score/evidence.def"
#undef EVIDENCE
    EVIDENCE_COUNT
};

struct evidence {
    struct object object; /* "cluster/roles" */
    double prior;
    bool cluster_wide;
    const char *what, *command;
};

extern const struct evidence evidence[]; /* EVIDENCE_COUNT of them */

bool evidence_is_shown(struct check_context *context, const struct evidence *item);
/* Bits of its kinds that earlier snapshots held and this one does not. */
uint64_t evidence_lost(const struct check_context *context, const struct evidence *item);
/* Bits of its kinds that the agent is not allowed to list, and that nobody else has shown. */
uint64_t evidence_forbidden(const struct check_context *context, const struct evidence *item);

/* Which of the kinds without which no score is SAFE are not shown: "Nodes"; absent: none. */
struct str evidence_wanted(const struct check_context *context);

#endif
