/* answer: is what came back from a push Loadline's? A page that answers everybody with 200, as that
 * of a proxy which wants a sign-in, has stored nothing. */
#ifndef LOADLINE_AGENT_ANSWER_H
#define LOADLINE_AGENT_ANSWER_H

#include "base/str.h"

/* Is it a JSON object with that member? Its end may be missing. */
bool answer_has(struct str answer, struct str member);

#endif
