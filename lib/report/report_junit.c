/* JUnit's XML, as CI servers read it: a suite a category, a case a check. */
#include "codec/markup.h"
#include "report/report_out.h"
#include "report/report.h"

/* What the shown risks of a check are. */
struct tally {
    uint32_t failing, exempt;
    enum severity worst;
};

/* With a baseline only what is new fails. */
static bool fails(const struct risk *risk, const struct report_extras *extras, uint32_t i)
{
    bool counts = !extras || !extras->has_baseline || report_is_new(extras, i);
    return report_shows(extras, i) && !risk->exempt && counts;
}

static void count(struct tally tallies[CHECK_COUNT], const struct ledger *ledger,
                  const struct report_extras *extras)
{
    for (uint32_t i = 0; i < ledger->risks.n; i++) {
        const struct risk *risk = &ledger->risks.items[i];
        struct tally *tally = &tallies[risk->check - checks];
        tally->exempt += report_shows(extras, i) && risk->exempt;
        if (!fails(risk, extras, i))
            continue;
        if (!tally->failing++ || risk->severity < tally->worst)
            tally->worst = risk->severity;
    }
}

static void attribute(struct buf *out, const char *name, struct str text)
{
    buf_printf(out, " %s=\"", name);
    markup_text(out, text);
    buf_putc(out, '"');
}

static void risk_line(struct buf *out, const struct risk *risk, const struct report_note *note)
{
    if (note && note->file.n) {
        markup_text(out, note->file);
        buf_printf(out, ":%llu: ", (unsigned long long)note->line);
    }
    if (risk->namespace.n) {
        markup_text(out, risk->namespace);
        buf_putc(out, '/');
    }
    markup_text(out, risk->resource);
    buf_put(out, STR(": "));
    markup_text(out, risk->message);
    buf_putc(out, '\n');
}

static bool failure(struct buf *out, const struct ledger *ledger,
                    const struct report_extras *extras, const struct check *check,
                    const struct tally *tally, struct sink sink)
{
    bool ok = true;
    buf_put(out, STR("      <failure"));
    attribute(out, "type", severity_name(tally->worst));
    buf_printf(out, " message=\"%u finding%s: ", tally->failing, tally->failing == 1 ? "" : "s");
    markup_text(out, str_of(check->recommendation));
    buf_put(out, STR("\">"));
    for (uint32_t i = 0; ok && i < ledger->risks.n; i++) {
        const struct risk *risk = &ledger->risks.items[i];
        if (risk->check == check && fails(risk, extras, i))
            risk_line(out, risk, extras && extras->notes ? &extras->notes[i] : NULL);
        ok = report_spill(out, sink, REPORT_PIECE);
    }
    buf_put(out, STR("</failure>\n"));
    return ok;
}

static bool test_case(struct buf *out, const struct ledger *ledger,
                      const struct report_extras *extras, const struct check *check,
                      const struct tally *tally, struct sink sink)
{
    bool ok = true, evaluated = ledger->checks[check - checks].evaluated > 0;
    buf_put(out, STR("    <testcase"));
    buf_printf(out, " classname=\"loadline.%" STR_FMT "\"",
               STR_ARG(category_name(check->category)));
    attribute(out, "name", str_of(check->id));
    if (evaluated && !tally->failing && !tally->exempt) {
        buf_put(out, STR("/>\n"));
        return report_spill(out, sink, REPORT_PIECE);
    }
    buf_put(out, STR(">\n"));
    if (tally->failing)
        ok = failure(out, ledger, extras, check, tally, sink);
    else
        buf_printf(out, "      <skipped message=\"%s\"/>\n",
                   tally->exempt ? "exempt" : "nothing to judge");
    buf_put(out, STR("    </testcase>\n"));
    return ok && report_spill(out, sink, REPORT_PIECE);
}

struct totals {
    uint32_t tests, failures, skipped;
};

static struct totals totals_of(const struct ledger *ledger, const struct tally *tallies,
                               enum category category)
{
    struct totals totals = {0};
    for (int i = 0; i < CHECK_COUNT; i++) {
        if (category != CATEGORY_COUNT && checks[i].category != category)
            continue;
        totals.tests++;
        totals.failures += tallies[i].failing > 0;
        totals.skipped +=
            !tallies[i].failing && (tallies[i].exempt || !ledger->checks[i].evaluated);
    }
    return totals;
}

static void put_totals(struct buf *out, struct totals totals)
{
    buf_printf(out, " tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"%u\" time=\"0\">\n",
               totals.tests, totals.failures, totals.skipped);
}

bool report_junit(struct arena *arena, const struct ledger *ledger,
                  const struct report_extras *extras, struct sink sink)
{
    struct buf out = buf_init(arena, REPORT_BUFFER);
    struct tally *tallies = ARENA_ARRAY(arena, CHECK_COUNT, struct tally);
    bool ok = true;
    count(tallies, ledger, extras);
    buf_put(&out, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"loadline\""));
    put_totals(&out, totals_of(ledger, tallies, CATEGORY_COUNT));
    for (enum category c = 0; c < CATEGORY_COUNT; c++) {
        buf_put(&out, STR("  <testsuite"));
        attribute(&out, "name", category_name(c));
        put_totals(&out, totals_of(ledger, tallies, c));
        for (int i = 0; ok && i < CHECK_COUNT; i++)
            if (checks[i].category == c)
                ok = test_case(&out, ledger, extras, &checks[i], &tallies[i], sink);
        buf_put(&out, STR("  </testsuite>\n"));
    }
    buf_put(&out, STR("</testsuites>\n"));
    return ok && report_spill(&out, sink, 0);
}
