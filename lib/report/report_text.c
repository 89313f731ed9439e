#include "report/report.h"

#include <stdlib.h>

#include "report/report.h"
#include "report/report_out.h"
#include "report/text_extras.h"
#include "score/hardening.h"
#include "score/hazard.h"
#include "score/reasons.h"

/* A check that failed, with the risks of it that cost most. */
struct group {
    const struct check *check;
    const struct risk *first;
    uint32_t objects, impact, exempt, fresh; /* fresh: not in the baseline */
    enum severity severity;
};

static const char *color(struct report_style style, const char *escape)
{
    return style.color ? escape : "";
}

static const char *severity_color(struct report_style style, enum severity severity)
{
    static const char *const escapes[] = {"\033[1;31m", "\033[31m", "\033[33m", "\033[36m"};
    return color(style, escapes[severity]);
}

static const char *decision_color(struct report_style style, enum decision decision)
{
    static const char *const escapes[] = {"\033[1;32m", "\033[1;33m", "\033[1;31m"};
    return color(style, escapes[decision]);
}

static const char *points(char text[16], uint32_t hundredths)
{
    snprintf(text, 16, "%u.%02u", hundredths / 100, hundredths % 100);
    return text;
}

static void time_line(struct buf *out, struct report_terms terms)
{
    char text[CLOCK_TEXT_SIZE];
    const char *source = terms.later_left_out
                             ? "when its nodes were looked at; it has later times too"
                         : strcmp(terms.time_source, "snapshot") == 0 ? "its newest time"
                         : strcmp(terms.time_source, "option") == 0   ? "as told"
                                                                      : "now: it tells no time";
    buf_printf(out, "Judged as of %" STR_FMT ", %s.\n",
               STR_ARG(clock_format_short(terms.time, text)), source);
}

static void headline(struct buf *out, const struct ledger *ledger, struct report_style style)
{
    char exact[16];
    buf_printf(out, "%sCSC score %d of 100: %" STR_FMT "%s  (exactly %s; %u pod%s, %u node%s%s)\n",
               decision_color(style, ledger->decision), ledger->csc_score,
               STR_ARG(decision_name(ledger->decision)), color(style, "\033[0m"),
               points(exact, ledger->score_exact), ledger->pods, report_plural(ledger->pods),
               ledger->nodes, report_plural(ledger->nodes),
               style.terms.partial ? "; namespaces shown only" : "");
    if (ledger->verdict.n)
        buf_printf(out, "%" STR_FMT "\n", STR_ARG(report_plain(out->arena, ledger->verdict)));
    time_line(out, style.terms);
    buf_putc(out, '\n');
}

/* The bars are shares of the 100 points. */
static void category_table(struct buf *out, const struct ledger *ledger)
{
    enum { BAR = 20 };
    char lost[16];
    buf_put(out, STR("category     lost  checks evaluated\n"));
    for (int c = 0; c < CATEGORY_COUNT; c++) {
        const struct category_result *category = &ledger->categories[c];
        uint32_t filled = (category->lost * BAR + SCORE_EXACT_MAX / 2) / SCORE_EXACT_MAX;
        buf_printf(out, "%-10" STR_FMT " %6s  %3u of %-3u   ",
                   STR_ARG(category_name((enum category)c)), points(lost, category->lost),
                   category->evaluated, category->checks);
        for (uint32_t i = 0; i < BAR; i++)
            buf_put(out, i < filled ? STR("█") : STR("░"));
        buf_putc(out, '\n');
    }
    buf_putc(out, '\n');
}

/* A score of which little was looked at must not pass for a good one. */
static void coverage_note(struct buf *out, const struct ledger *ledger)
{
    enum { LITTLE = 4 };
    uint32_t evaluated = 0, all = 0;
    for (int c = 0; c < CATEGORY_COUNT; c++) {
        evaluated += ledger->categories[c].evaluated;
        all += ledger->categories[c].checks;
    }
    if (evaluated * LITTLE < all)
        buf_printf(out,
                   "Only %u of %u checks found something to judge: this is a score of what was "
                   "shown, no more.\n\n",
                   evaluated, all);
}

/* What no check looked at must not be taken for judged. */
static void unread_note(struct buf *out, unread_list unread)
{
    if (!unread.n)
        return;
    buf_put(out, STR("No check is about "));
    report_unread_words(out, unread);
    buf_printf(out, "%s: that was not read.\n\n",
               unread.n > REPORT_UNREAD_NAMED ? " (--format json names them)" : "");
}

static int by_cost(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    bool x_outage = risk_is_outage(x->first), y_outage = risk_is_outage(y->first);
    if (!x->impact != !y->impact)
        return x->impact ? -1 : 1;
    if (x_outage != y_outage)
        return x_outage ? -1 : 1;
    if (x->impact != y->impact)
        return x->impact > y->impact ? -1 : 1;
    if (x->severity != y->severity)
        return x->severity < y->severity ? -1 : 1;
    return (x->check > y->check) - (x->check < y->check);
}

/* The failed checks: what is down first, then hardening, and last what costs
 * nothing; of each the costliest first. Risks come costliest first, so the first of a check is the
 * one to show. */
static uint32_t group_risks(struct group *groups, const struct ledger *ledger,
                            const struct report_extras *extras)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < ledger->risks.n; i++) {
        const struct risk *risk = &ledger->risks.items[i];
        struct group *group = &groups[risk->check - checks];
        if (!report_shows(extras, i))
            continue;
        if (!group->first)
            *group =
                (struct group){.check = risk->check, .first = risk, .severity = risk->severity};
        group->objects++;
        group->impact += risk->impact;
        group->exempt += risk->exempt;
        group->fresh += report_is_new(extras, i);
        if (risk->severity < group->severity)
            group->severity = risk->severity;
    }
    for (int i = 0; i < CHECK_COUNT; i++)
        if (groups[i].first)
            groups[n++] = groups[i];
    qsort(groups, n, sizeof *groups, by_cost);
    return n;
}

static bool is_printable(struct str text)
{
    bool all = true;
    for (size_t i = 0; i < text.n; i++)
        all &= text.p[i] >= 0x20 && text.p[i] < 0x7F;
    return all;
}

struct str report_plain(struct arena *arena, struct str text)
{
    if (is_printable(text))
        return text;
    char *p = arena_bytes(arena, text.n + 1), *out = p;
    for (size_t n; text.n > 0; text = str_sub(text, n, text.n), out += n) {
        n = str_utf8_length(text);
        n = n ? n : 1;
        if (str_visible_length(text))
            memcpy(out, text.p, n);
        else
            memset(out, '?', n);
    }
    *out = '\0';
    return (struct str){p, (size_t)(out - p)};
}

static void where(struct buf *out, const struct risk *risk)
{
    if (risk->namespace.n)
        buf_printf(out, "%" STR_FMT "/", STR_ARG(report_plain(out->arena, risk->namespace)));
    buf_put(out, report_plain(out->arena, risk->resource));
}

static void group_lines(struct buf *out, const struct group *group, struct report_style style)
{
    char lost[16];
    buf_printf(out, "%6s  %s%-8" STR_FMT "%s  %s: %s\n", points(lost, group->impact),
               severity_color(style, group->severity), STR_ARG(severity_name(group->severity)),
               color(style, "\033[0m"), group->check->id, group->check->title);
    buf_put(out, STR("        "));
    where(out, group->first);
    buf_printf(out, ": %" STR_FMT, STR_ARG(report_plain(out->arena, group->first->message)));
    if (group->objects > 1)
        buf_printf(out, " And %u more.", group->objects - 1);
    if (group->first->absorbed_by)
        buf_printf(out, " Paid for by %s.", group->first->absorbed_by->id);
    if (group->exempt)
        buf_printf(out, " %u exempt.", group->exempt);
    if (group->fresh)
        buf_printf(out, " %u new.", group->fresh);
    buf_printf(out, "\n        %sTo do: %s%s\n", color(style, "\033[2m"),
               group->check->recommendation, color(style, "\033[0m"));
}

bool report_text(struct arena *arena, const struct ledger *ledger, struct report_style style,
                 struct sink sink)
{
    struct buf out = buf_init(arena, REPORT_BUFFER);
    struct group *groups = ARENA_ARRAY(arena, CHECK_COUNT, struct group);
    uint32_t n = group_risks(groups, ledger, style.extras);
    bool ok = true;
    headline(&out, ledger, style);
    category_table(&out, ledger);
    coverage_note(&out, ledger);
    unread_note(&out, ledger->unread);
    if (n)
        buf_put(&out, STR("  lost  severity  check: what is wrong\n"));
    for (uint32_t i = 0; ok && i < n && i < style.top; i++) {
        group_lines(&out, &groups[i], style);
        ok = report_spill(&out, sink, REPORT_PIECE);
    }
    if (n > style.top)
        buf_printf(&out, "\n%u more check%s failed (--top %u shows all); %u risks in all.\n",
                   n - style.top, report_plural(n - style.top), n,
                   ledger->risks.n - report_hidden(ledger, style.extras));
    ok = ok && report_text_extras(&out, ledger, style.extras, sink);
    return ok && report_spill(&out, sink, 0);
}

/* docs/scoring.md explains the figures. */
static void hazard_line(struct buf *out, const struct check *check)
{
    const struct hazard *hazard = hazard_of(check);
    double percent = 100 * hazard->amount;
    buf_put(out, STR("  weighs      "));
    switch (hazard->part) {
    case PART_POSTURE:
        buf_printf(out, "%.4g of posture, when every object that is asked has it\n",
                   hardening_cost(check->severity));
        break;
    case PART_WORKLOAD:
        buf_printf(out, "a workload with it is down, by %.4g %% at least\n", percent);
        break;
    case PART_MASS:
        buf_printf(out, "as much as %.4g %% of a workload that is down\n", percent);
        break;
    case PART_NODE:
        buf_printf(out, "%.4g %% of the node is gone\n", percent);
        break;
    case PART_CONTROL:
        buf_printf(out, "the control plane fails by %.4g unit%s\n", hazard->amount,
                   report_plural((uint32_t)hazard->amount));
        break;
    case PART_DNS:
    case PART_NETWORK:
    case PART_INGRESS:
        buf_put(out, STR("the share of its replicas that is missing; nothing dilutes it\n"));
        break;
    case PART_EVIDENCE:
        buf_put(out, STR("what could not be judged\n"));
        break;
    }
}

void report_check(struct buf *out, const struct check *check)
{
    buf_printf(out, "%s: %s\n\n", check->id, check->title);
    buf_printf(out, "  category    %" STR_FMT "\n", STR_ARG(category_name(check->category)));
    buf_printf(out, "  severity    %" STR_FMT "\n", STR_ARG(severity_name(check->severity)));
    hazard_line(out, check);
    if (check->cause != CAUSE_none)
        buf_printf(out, "  cause       %s; an object pays once for it\n", cause_text(check->cause));
    buf_printf(out, "  frameworks  %s\n", *check->frameworks ? check->frameworks : "-");
    buf_printf(out, "  to do       %s\n", check->recommendation);
}

void report_checks(struct buf *out)
{
    for (int i = 0; i < CHECK_COUNT; i++)
        buf_printf(out, "%-34s %-8" STR_FMT " %-8" STR_FMT "  %s\n", checks[i].id,
                   STR_ARG(category_name(checks[i].category)),
                   STR_ARG(severity_name(checks[i].severity)), checks[i].title);
}
