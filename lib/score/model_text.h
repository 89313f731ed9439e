/* model_text: values of the model as messages show them. */
#ifndef LOADLINE_SCORE_MODEL_TEXT_H
#define LOADLINE_SCORE_MODEL_TEXT_H

#include "score/check.h"

/* "app=web, tier=front"; the first twenty demands "and 3 more", here and below. */
struct str pairs_text(struct arena *arena, pair_list pairs);
/* "app=web, tier In (front, back), beta DoesNotExist" */
struct str selector_text(struct arena *arena, const struct label_selector *selector);
/* "get, list, watch" of all, or of the first six "and 3 more"; an empty one as "\"\"". */
struct str list_text(struct arena *arena, str_list list);
/* At most max bytes of the text in one line: what breaks lines, steers terminals or has no width
 * is a blank, for names and messages are what somebody wrote. */
struct str line_text(struct arena *arena, struct str text, size_t max);

#endif
