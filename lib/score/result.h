/* result: what a judgement gives: a decision, and a ledger of risks with the points they cost.
 *
 * Every published figure is a whole number of hundredths of a point; the impacts of a category's
 * risks sum to its loss, the losses to 100 - score_exact.
 */
#ifndef LOADLINE_SCORE_RESULT_H
#define LOADLINE_SCORE_RESULT_H

#include "score/check.h"

enum decision { DECISION_SAFE, DECISION_WARN, DECISION_BLOCK };

enum { SCORE_SAFE = 70, SCORE_WARN = 50 }; /* the lowest csc_score of each */
enum { SCORE_EXACT_MAX = 10000 };          /* of score_exact: nothing is lost */

struct str decision_name(enum decision decision); /* "SAFE" */
enum decision decision_of(int csc_score);

enum { RISK_ID_LEN = 16 };

struct exemption;

/* What is hashed of each risk stands together: most pushes look at no more of it. */
struct risk {
    /* Of check, namespace, resource, container: stable across snapshots. */
    char id[RISK_ID_LEN + 1];
    bool exempt;
    enum severity severity; /* of this finding */
    uint32_t impact;        /* hundredths of a point */
    uint32_t count;         /* places (containers, pods) where it fails, at least 1 */
    const struct check *check;
    const struct check *absorbed_by; /* NULL, or the check of the same cause that pays */
    struct str message;
    struct str exempt_reason;
    /* The row of the operator's list that is for it. NULL: none, as of an annotation. When the
     * risk is not exempt all the same, the row has expired. */
    const struct exemption *exemption;
    uint32_t would_cost; /* hundredths, of one that is exempt: if nothing were exempt */
    struct str namespace, resource, container; /* container absent: the whole object */
    const struct object *object;     /* that it is about; NULL: it was stored, and not just found */
    const struct exemption *pending; /* one that counts from the next snapshot on; NULL: none */
};

/* Sets the id. Returns it as a number. */
uint64_t risk_identify(struct risk *risk);
/* <0, 0, >0 in the order of a ledger. */
int risk_order(const struct risk *a, const struct risk *b);
/* Risks sorted by id, for risk_same(): pointers into `risks`. */
typedef LIST(const struct risk *) risk_index;
risk_index risks_by_id(struct arena *arena, const struct risk *risks, uint32_t n);
/* The one with the id of that one; NULL: there is none. */
const struct risk *risk_same(const risk_index *index, const struct risk *risk);
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
    unread_list unread; /* what it holds of kinds that no check is about */
};

#endif
