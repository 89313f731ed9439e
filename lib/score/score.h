/* score: a cluster becomes a ledger. Pure: the same cluster, policy and time give the same bytes.
 *
 * The formula is in docs/scoring.md. Every published figure is a whole number of hundredths of a
 * point; the impacts of a category's risks sum to its loss, the losses to 100 - score_exact.
 */
#ifndef LOADLINE_SCORE_SCORE_H
#define LOADLINE_SCORE_SCORE_H

#include "score/check.h"

enum decision { DECISION_SAFE, DECISION_WARN, DECISION_BLOCK };

enum { SCORE_SAFE = 70, SCORE_WARN = 50 }; /* the lowest csc_score of each */
enum { SCORE_EXACT_MAX = 10000 };          /* of score_exact: nothing is lost */
enum { SCORE_FORMULA = 2 };                /* version of the formula: docs/scoring.md */

struct str decision_name(enum decision decision); /* "SAFE" */
enum decision decision_of(int csc_score);

/* The whole points of a score as that version of the formula rounds it: the first half up, others
 * down. */
int64_t score_rounded(int64_t formula, int64_t score_exact);

struct score_policy {
    str_list system_namespaces; /* left out of policy and history */
    bool all_namespaces;        /* nothing is left out */
    bool allow_exemptions;      /* the annotation loadline.io/exempt counts */
    str_list trusted_registries;
    str_list components; /* "role:namespace/name": see component.h */
    bool partial; /* its owner says: the snapshots show some namespaces only. Nodes are not asked
                     for */
    uint64_t shown_before; /* bits of enum kind: what earlier snapshots of the cluster held */
};

/* kube-system, kube-public, kube-node-lease, loadline; exemptions off. */
struct score_policy score_policy_default(void);

enum { RISK_ID_LEN = 16 };

struct risk {
    char
        id[RISK_ID_LEN + 1]; /* of check, namespace, resource, container: stable across snapshots */
    const struct check *check;
    enum severity severity;                    /* of this finding */
    struct str namespace, resource, container; /* container absent: the whole object */
    struct str message;
    uint32_t count;                  /* places (containers, pods) where it fails, at least 1 */
    uint32_t impact;                 /* hundredths of a point */
    const struct check *absorbed_by; /* NULL, or the check of the same cause that pays */
    bool exempt;
    struct str exempt_reason;
};

/* Sets the id. */
void risk_identify(struct risk *risk);
/* <0, 0, >0 in the order of a ledger. */
int risk_order(const struct risk *a, const struct risk *b);
/* An id as a number, and back. False when it is not RISK_ID_LEN lower-case hexadecimal digits. */
struct str risk_id_text(uint64_t id, char out[RISK_ID_LEN + 1]);
bool risk_id_parse(struct str text, uint64_t *id);

struct check_result {
    uint32_t evaluated, failed; /* objects; with none evaluated the check is not evaluated */
};

struct category_result {
    uint32_t lost;              /* hundredths */
    uint32_t hazard;            /* ten-thousandths: its part of the hazard that makes the score */
    uint32_t checks, evaluated; /* coverage */
};

struct ledger {
    uint32_t score_exact; /* hundredths */
    int csc_score;        /* score_exact, rounded down */
    enum decision decision;
    struct category_result categories[CATEGORY_COUNT];
    struct check_result *checks; /* CHECK_COUNT of them */
    LIST(struct risk) risks;     /* costliest first; then as risk_order() says */
    uint32_t nodes, pods;
    uint32_t hazard;    /* ten-thousandths: score_exact is 100 * exp(-hazard) */
    struct str verdict; /* one sentence: the decision, and what it is for */
    uint64_t shown;     /* bits of enum kind: what the snapshot holds */
};

/* What a score depends on beside the cluster and the time: the formula, which checks there are,
 * their severities and hazards, and the policy. A check whose function alone was mended keeps it.
 */
int64_t score_version(const struct score_policy *policy);

/* The whole judgement. Time is the snapshot's; everything returned is in the arena and may point
 * into the cluster. Exhaustion of the arena unwinds as arena.h says. */
struct ledger *score(struct arena *arena, const struct cluster *cluster,
                     const struct score_policy *policy, int64_t time);

#endif
