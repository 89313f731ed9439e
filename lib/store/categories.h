/* categories: what a score has lost in each category, as a cluster's row keeps it (JSON). */
#ifndef LOADLINE_STORE_CATEGORIES_H
#define LOADLINE_STORE_CATEGORIES_H

#include "codec/jw.h"
#include "score/score.h"

/* The column clusters.categories, as report_categories() writes them. */
struct str categories_text(struct arena *arena, const struct category_result *categories);
/* Reads it back: zeros where it says nothing, as of the hazard in rows of before the second
 * formula.
 */
void categories_read(struct str json, struct category_result categories[CATEGORY_COUNT]);
/* Writes what the column says as report_categories() does: as it stands, but for rows of before. */
void categories_write(struct jw *w, struct str json);

#endif
