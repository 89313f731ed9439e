/* extras: what loadline-score knows about the risks of a ledger beside the ledger: where an object
 * stands, who owns it, whether a former report had the risk, and whether it is to be shown. */
#ifndef LOADLINE_REPORT_EXTRAS_H
#define LOADLINE_REPORT_EXTRAS_H

#include "score/score.h"

struct report_note {
    bool hidden; /* left out by a filter */
    bool is_new; /* the baseline does not have it */
    struct str owner;
    struct str file; /* where its object stands; absent: not known */
    uint64_t line;   /* from 1 */
};

/* The writers of reports accept NULL for "nothing is known". */
struct report_extras {
    const struct report_note *notes; /* one a risk of the ledger, in its order */
    bool has_baseline;
    uint32_t gone;               /* risks of the baseline that are not there any more */
    bool by_namespace, by_owner; /* summaries that are wanted */
};

/* Is the risk to be shown? */
bool report_shows(const struct report_extras *extras, uint32_t risk);
uint32_t report_hidden(const struct ledger *ledger, const struct report_extras *extras);
/* The baseline does not have it. False without one. */
bool report_is_new(const struct report_extras *extras, uint32_t risk);

/* The shown risks of one namespace or owner. */
struct report_sum {
    struct str name; /* empty: of those in no namespace, or whose owner is not known */
    uint32_t risks, new_risks, lost;
    enum severity worst;
};

enum report_by { REPORT_BY_NAMESPACE, REPORT_BY_OWNER };

typedef LIST(struct report_sum) report_sum_list;

/* Costliest first. */
report_sum_list report_sums(struct arena *arena, const struct ledger *ledger,
                            const struct report_extras *extras, enum report_by by);

#endif
