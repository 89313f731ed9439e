/* numbered: pods that their controllers number, in labels that no template has. */
#ifndef LOADLINE_SCORE_NUMBERED_H
#define LOADLINE_SCORE_NUMBERED_H

#include "score/check.h"

/* Does the selector mean one pod of a StatefulSet or a Job of the namespace, by its name or number,
 * one that need not be there yet? Any will do of what is scaled to zero. */
bool numbered_is_selected(struct check_context *context, struct str namespace,
                          const struct label_selector *selector);

#endif
