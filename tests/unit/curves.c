#include "curves.h"
#include "judge.h"
#include "properties.h"
#include "recipe.h"

/* ---- measuring ---- */

struct series {
    const char *title, *axis, *label;
    uint32_t of;
    struct recipe recipe;
    size_t down; /* where in the recipe the number stands of what is down */
};

#define ORDINARY(nodes_, apps_) .care = CARE_COMMON, .nodes = nodes_, .apps = apps_, .system = true
#define WORKLOADS(n, nodes)                                                                        \
    {                                                                                              \
        "Workloads down", "share of workloads that crash-loop", "of " #n, n,                       \
            {.name = "", ORDINARY(nodes, n)}, offsetof(struct recipe, looping)                     \
    }
#define NODES(n)                                                                                   \
    {                                                                                              \
        "Nodes down", "share of nodes that are not ready", "of " #n, n,                            \
            {.name = "", ORDINARY(n, 50)}, offsetof(struct recipe, dead_nodes)                     \
    }
#define REPLICAS(n)                                                                                \
    {                                                                                              \
        "DNS down", "share of DNS replicas that crash-loop", "of " #n, n,                          \
            {.name = "", ORDINARY(12, 50), .dns = n}, offsetof(struct recipe, dns_down)            \
    }

static const struct series all_series[CURVE_PANELS][CURVES_A_PANEL] = {
    {WORKLOADS(5, 6), WORKLOADS(50, 12), WORKLOADS(500, 60)},
    {NODES(3), NODES(12), NODES(48)},
    {REPLICAS(2), REPLICAS(4), REPLICAS(10)},
};

static uint32_t score_at(const struct series *series, uint32_t down)
{
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct recipe recipe = series->recipe;
    unsigned number = down;
    memcpy((char *)&recipe + series->down, &number, sizeof number);
    struct specimen specimen = {series->label, recipe_objects(arena, &recipe),
                                clock_parse(STR(JUDGE_TIME))};
    uint32_t score = score_of_specimen(&specimen);
    arena_free(arena);
    return score;
}

static void measure(const struct series *series, struct curve *curve)
{
    static const uint32_t percents[] = {0,  1,  2,  5,  10, 15, 20, 25, 30,
                                        40, 50, 60, 67, 75, 80, 90, 100};
    *curve = (struct curve){.label = series->label, .of = series->of};
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        uint32_t down = (percents[i] * series->of + 50) / 100;
        if (curve->n && curve->down[curve->n - 1] == down)
            continue;
        curve->down[curve->n] = down;
        curve->score[curve->n++] = score_at(series, down);
    }
}

struct curve_panels *curves_measure(struct arena *arena)
{
    struct curve_panels *panels = ARENA_NEW(arena, struct curve_panels);
    for (int i = 0; i < CURVE_PANELS; i++) {
        struct curve_panel *panel = &panels->panels[i];
        panel->title = all_series[i][0].title;
        panel->axis = all_series[i][0].axis;
        for (int k = 0; k < CURVES_A_PANEL; k++)
            measure(&all_series[i][k], &panel->curves[k]);
    }
    return panels;
}

struct str curves_table(struct arena *arena, const struct curve_panels *panels)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    for (int i = 0; i < CURVE_PANELS; i++)
        for (int k = 0; k < CURVES_A_PANEL; k++) {
            const struct curve *curve = &panels->panels[i].curves[k];
            for (uint32_t p = 0; p < curve->n; p++)
                buf_printf(&out, "%s\t%s\t%u\t%u\t%u.%02u\n", panels->panels[i].title, curve->label,
                           curve->down[p], curve->of, curve->score[p] / 100, curve->score[p] % 100);
        }
    return buf_str(&out);
}

/* ---- drawing ---- */

/* Lengths are tenths of a unit of the drawing, so that nothing depends on how floats print. */
enum {
    LEFT = 520,
    TOP = 520,
    WIDTH = 2500, /* of a panel's plot */
    HEIGHT = 2400,
    STEP = 3060 /* from a panel to the next one */
};

#define AT        "%u.%u"
#define TENTHS(n) (unsigned)(n) / 10, (unsigned)(n) % 10

/* Colours that stand out on white and on black; shapes for who cannot tell them apart. */
static const char head[] =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 940 396\" role=\"img\" "
    "font-family=\"system-ui, sans-serif\" font-size=\"12\">\n"
    "<title>The score against the share of workloads, nodes and DNS replicas that are "
    "down</title>\n"
    "<style>\n"
    ".t { fill: #768390 } .g { stroke: #8c959f; stroke-opacity: .35 } .a { stroke: #6e7781 }\n"
    ".m { stroke: #8c959f; stroke-dasharray: 4 3 }\n"
    ".c0 { stroke: #0072b2 } .c1 { stroke: #d55e00 } .c2 { stroke: #109e73 }\n"
    ".f0 { fill: #0072b2 } .f1 { fill: #d55e00 } .f2 { fill: #109e73 }\n"
    "polyline { fill: none; stroke-width: 2 }\n"
    "@media (prefers-color-scheme: light) { .t { fill: #24292f } }\n"
    "@media (prefers-color-scheme: dark) { .t { fill: #d0d7de } .c0 { stroke: #56b4e9 } "
    ".f0 { fill: #56b4e9 } }\n"
    "</style>\n";

static uint32_t x_at(int panel, uint32_t part, uint32_t of)
{
    return (uint32_t)(LEFT + panel * STEP) + (WIDTH * part + of / 2) / of;
}

static uint32_t y_at(uint32_t score)
{
    return TOP + HEIGHT - (HEIGHT * score + 5000) / 10000;
}

static void put_text(struct buf *out, uint32_t x, uint32_t y, const char *rest, const char *text)
{
    buf_printf(out, "<text class=\"t\" x=\"" AT "\" y=\"" AT "\"%s>%s</text>\n", TENTHS(x),
               TENTHS(y), rest, text);
}

static void put_line(struct buf *out, const char *class, uint32_t x1, uint32_t y1, uint32_t x2,
                     uint32_t y2)
{
    buf_printf(out,
               "<line class=\"%s\" x1=\"" AT "\" y1=\"" AT "\" x2=\"" AT "\" y2=\"" AT "\"/>\n",
               class, TENTHS(x1), TENTHS(y1), TENTHS(x2), TENTHS(y2));
}

static void put_axes(struct buf *out, struct arena *arena, int panel,
                     const struct curve_panel *what)
{
    uint32_t left = x_at(panel, 0, 1), right = x_at(panel, 1, 1);
    put_text(out, left, TOP - 160, " font-weight=\"600\" font-size=\"14\"", what->title);
    for (uint32_t score = 0; score <= 100; score += 10) {
        bool mark = score == 70 || score == 50;
        if (score % 20 && !mark)
            continue;
        put_line(out, mark ? "m" : "g", left, y_at(score * 100), right, y_at(score * 100));
        put_text(out, left - 60, y_at(score * 100) + 40, " text-anchor=\"end\"",
                 arena_printf(arena, "%u", score).p);
    }
    put_text(out, right, y_at(7000) - 40, " text-anchor=\"end\" font-size=\"10\"", "SAFE from 70");
    put_text(out, right, y_at(5000) - 40, " text-anchor=\"end\" font-size=\"10\"", "WARN from 50");
    for (uint32_t percent = 0; percent <= 100; percent += 25) {
        uint32_t x = x_at(panel, percent, 100);
        put_line(out, "a", x, TOP + HEIGHT, x, TOP + HEIGHT + 40);
        put_text(out, x, TOP + HEIGHT + 180, " text-anchor=\"middle\"",
                 arena_printf(arena, "%u %%", percent).p);
    }
    put_line(out, "a", left, TOP + HEIGHT, right, TOP + HEIGHT);
    put_line(out, "a", left, TOP, left, TOP + HEIGHT);
    put_text(out, (left + right) / 2, TOP + HEIGHT + 370, " text-anchor=\"middle\"", what->axis);
}

static void put_marker(struct buf *out, int shape, uint32_t x, uint32_t y)
{
    enum { R = 30 };
    if (shape == 0)
        buf_printf(out, "<circle class=\"f0\" cx=\"" AT "\" cy=\"" AT "\" r=\"3\"/>\n", TENTHS(x),
                   TENTHS(y));
    else if (shape == 1)
        buf_printf(out, "<rect class=\"f1\" x=\"" AT "\" y=\"" AT "\" width=\"6\" height=\"6\"/>\n",
                   TENTHS(x - R), TENTHS(y - R));
    else
        buf_printf(out, "<path class=\"f2\" d=\"M" AT " " AT "l3.6 6.4h-7.2z\"/>\n", TENTHS(x),
                   TENTHS(y - 40));
}

static void put_curve(struct buf *out, int panel, int number, const struct curve *curve)
{
    buf_printf(out, "<polyline class=\"c%d\" points=\"", number);
    for (uint32_t i = 0; i < curve->n; i++)
        buf_printf(out, "%s" AT "," AT, i ? " " : "",
                   TENTHS(x_at(panel, curve->down[i], curve->of)), TENTHS(y_at(curve->score[i])));
    buf_put(out, STR("\"/>\n"));
    for (uint32_t i = 0; i < curve->n; i++)
        put_marker(out, number, x_at(panel, curve->down[i], curve->of), y_at(curve->score[i]));
}

/* Returns where the next one goes. */
static uint32_t put_legend(struct buf *out, uint32_t x, int number, const struct curve *curve)
{
    enum { BEFORE_TEXT = 210, A_LETTER = 58, APART = 250 };
    uint32_t y = TOP + HEIGHT + 620;
    buf_printf(out, "<polyline class=\"c%d\" points=\"" AT "," AT " " AT "," AT "\"/>\n", number,
               TENTHS(x), TENTHS(y), TENTHS(x + 160), TENTHS(y));
    put_marker(out, number, x + 80, y);
    put_text(out, x + BEFORE_TEXT, y + 40, " font-size=\"11\"", curve->label);
    return x + BEFORE_TEXT + A_LETTER * (uint32_t)strlen(curve->label) + APART;
}

struct str curves_svg(struct arena *arena, const struct curve_panels *panels)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    buf_put(&out, str_of(head));
    for (int i = 0; i < CURVE_PANELS; i++) {
        const struct curve_panel *panel = &panels->panels[i];
        uint32_t legend = x_at(i, 0, 1);
        put_axes(&out, arena, i, panel);
        for (int k = 0; k < CURVES_A_PANEL; k++) {
            put_curve(&out, i, k, &panel->curves[k]);
            legend = put_legend(&out, legend, k, &panel->curves[k]);
        }
    }
    put_text(&out, 60, TOP - 160, "", "score");
    buf_put(&out, STR("</svg>\n"));
    return buf_str(&out);
}
