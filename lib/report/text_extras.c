#include "report/text_extras.h"

#include "report/report.h"
#include "report/report_out.h"

static bool sums(struct buf *out, const struct ledger *ledger, const struct report_extras *extras,
                 enum report_by by, struct sink sink)
{
    report_sum_list list = report_sums(out->arena, ledger, extras, by);
    const struct report_sum *sum;
    bool ok = true;
    buf_printf(out, "\n  lost  risks  worst     by %s\n",
               by == REPORT_BY_OWNER ? "owner" : "namespace");
    LIST_EACH (sum, list) {
        struct str name = sum->name.n ? report_plain(out->arena, sum->name) : STR("(none)");
        buf_printf(out, "%3u.%02u %6u  %-8" STR_FMT "  %" STR_FMT "\n", sum->lost / 100,
                   sum->lost % 100, sum->risks, STR_ARG(severity_name(sum->worst)), STR_ARG(name));
        ok = ok && report_spill(out, sink, REPORT_PIECE);
    }
    return ok;
}

static void exemption_line(struct buf *out, const struct risk *risk)
{
    char time[CLOCK_TEXT_SIZE];
    struct arena *arena = out->arena;
    const struct exemption *exemption = risk->exemption;
    uint32_t cost = risk->exempt ? risk->would_cost : risk->impact;
    buf_printf(out, "%3u.%02u  %s  ", cost / 100, cost % 100, risk->check->id);
    if (risk->namespace.n)
        buf_printf(out, "%" STR_FMT "/", STR_ARG(report_plain(arena, risk->namespace)));
    buf_printf(out, "%" STR_FMT ": %" STR_FMT, STR_ARG(report_plain(arena, risk->resource)),
               STR_ARG(report_plain(arena, exemption ? exemption->reason : risk->exempt_reason)));
    if (exemption)
        buf_printf(out, " (%" STR_FMT ", until %" STR_FMT ")",
                   STR_ARG(report_plain(arena, exemption->owner)),
                   STR_ARG(clock_format_short(exemption->expires, time)));
    buf_putc(out, '\n');
}

/* The risks that are exempt, or those whose exemption has expired. */
static bool exemptions(struct buf *out, const struct ledger *ledger,
                       const struct report_extras *extras, bool expired, struct sink sink)
{
    bool ok = true, any = false;
    for (uint32_t i = 0; ok && i < ledger->risks.n; i++) {
        const struct risk *risk = &ledger->risks.items[i];
        bool wanted = expired ? !risk->exempt && risk->exemption : risk->exempt;
        if (!wanted || !report_shows(extras, i))
            continue;
        if (!any)
            buf_put(out, expired ? STR("\n costs  exemptions that have expired\n")
                                 : STR("\n would cost  exempt\n"));
        any = true;
        exemption_line(out, risk);
        ok = report_spill(out, sink, REPORT_PIECE);
    }
    return ok;
}

static void baseline_line(struct buf *out, const struct ledger *ledger,
                          const struct report_extras *extras)
{
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < ledger->risks.n; i++)
        fresh += report_shows(extras, i) && report_is_new(extras, i);
    buf_printf(out, "\nAgainst the baseline: %u new risk%s, %u gone.\n", fresh,
               report_plural(fresh), extras->gone);
}

bool report_text_extras(struct buf *out, const struct ledger *ledger,
                        const struct report_extras *extras, struct sink sink)
{
    uint32_t hidden = report_hidden(ledger, extras);
    bool ok =
        exemptions(out, ledger, extras, false, sink) && exemptions(out, ledger, extras, true, sink);
    if (ok && extras && extras->by_namespace)
        ok = sums(out, ledger, extras, REPORT_BY_NAMESPACE, sink);
    if (ok && extras && extras->by_owner)
        ok = sums(out, ledger, extras, REPORT_BY_OWNER, sink);
    if (hidden)
        buf_printf(out, "\n%u risk%s left out by filters; the score counts them.\n", hidden,
                   hidden == 1 ? " is" : "s are");
    if (extras && extras->has_baseline)
        baseline_line(out, ledger, extras);
    return ok;
}
