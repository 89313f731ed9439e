/* curves: how the score answers to more and more that is down, measured on clusters made to order
 * (recipe.h), as numbers and as a drawing. */
#ifndef LOADLINE_TESTS_CURVES_H
#define LOADLINE_TESTS_CURVES_H

#include "base/buf.h"

enum { CURVE_PANELS = 3, CURVES_A_PANEL = 3, CURVE_POINTS_MAX = 24 };

struct curve {
    const char *label;
    uint32_t of, n;                   /* so many of what may be down; points */
    uint32_t down[CURVE_POINTS_MAX];  /* ascending, from 0 to `of` */
    uint32_t score[CURVE_POINTS_MAX]; /* score_exact, hundredths */
};

struct curve_panel {
    const char *title, *axis; /* axis: what the share is of */
    struct curve curves[CURVES_A_PANEL];
};

struct curve_panels {
    struct curve_panel panels[CURVE_PANELS];
};

struct curve_panels *curves_measure(struct arena *arena);
/* Lines of "panel, curve, down, of, score" with tabs between. */
struct str curves_table(struct arena *arena, const struct curve_panels *panels);
/* The same panels, the same bytes. */
struct str curves_svg(struct arena *arena, const struct curve_panels *panels);

#endif
