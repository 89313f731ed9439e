/* categories: what a score has lost in each category, as a cluster's row keeps it (JSON). */
#ifndef LOADLINE_STORE_CATEGORIES_H
#define LOADLINE_STORE_CATEGORIES_H

#include "score/score.h"

/* Of the column clusters.categories; zeros where it says nothing. */
void categories_read(struct str json, struct category_result categories[CATEGORY_COUNT]);

#endif
