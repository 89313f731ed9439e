/* One page that needs nothing else: no scripts, no fonts, no pictures from anywhere. */
#include "base/version.h"
#include "codec/markup.h"
#include "report/report.h"
#include "report/report_out.h"

static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;"
    "color:#1b1f24;background:#fff}h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;"
    "border-bottom:1px solid #d8dee4;vertical-align:top}td.n,th.n{text-align:right;"
    "font-variant-numeric:tabular-nums}.SAFE{color:#116329}.WARN{color:#7d4e00}.BLOCK{color:#"
    "a40e26}"
    ".critical,.high{color:#a40e26}.medium{color:#7d4e00}.low{color:#0a5394}"
    "summary{cursor:pointer}small{color:#57606a}"
    "@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}"
    "th,td{border-color:#30363d}.SAFE{color:#3fb950}.WARN,.medium{color:#d29922}"
    ".BLOCK,.critical,.high{color:#ff7b72}.low{color:#79c0ff}small{color:#9198a1}}";

struct page {
    struct buf out;
    struct sink sink;
    const struct ledger *ledger;
    const struct report_extras *extras;
    bool ok;
};

static void text(struct page *page, struct str text)
{
    markup_text(&page->out, text);
}

static void points(struct page *page, uint32_t hundredths)
{
    buf_printf(&page->out, "<td class=\"n\">%u.%02u</td>", hundredths / 100, hundredths % 100);
}

static void cell(struct page *page, struct str value)
{
    buf_put(&page->out, STR("<td>"));
    text(page, value);
    buf_put(&page->out, STR("</td>"));
}

static void spill(struct page *page)
{
    page->ok = page->ok && report_spill(&page->out, page->sink, REPORT_PIECE);
}

static void head(struct page *page, struct report_terms terms)
{
    const struct ledger *ledger = page->ledger;
    char time[CLOCK_TEXT_SIZE];
    struct str decision = decision_name(ledger->decision);
    buf_put(&page->out,
            STR("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'unsafe-inline'\"><meta name=\"viewport\" "
                "content=\"width=device-width\"><title>Loadline: "));
    buf_printf(&page->out, "%d, %" STR_FMT "</title><style>%s</style></head>\n<body>",
               ledger->csc_score, STR_ARG(decision), style);
    buf_printf(&page->out, "<h1 class=\"%" STR_FMT "\">Score %d of 100: %" STR_FMT "</h1>\n<p>",
               STR_ARG(decision), ledger->csc_score, STR_ARG(decision));
    text(page, ledger->verdict);
    buf_printf(&page->out,
               "</p>\n<p><small>Exactly %u.%02u; %u pods, %u nodes%s. Judged at %" STR_FMT
               ". Loadline %s.</small></p>\n",
               ledger->score_exact / 100, ledger->score_exact % 100, ledger->pods, ledger->nodes,
               terms.partial ? "; namespaces shown only" : "",
               STR_ARG(clock_format_short(terms.time, time)), LOADLINE_VERSION);
}

static void categories(struct page *page)
{
    buf_put(&page->out, STR("<table><tr><th>Category</th><th class=\"n\">Lost</th><th class=\"n\">"
                            "Checks evaluated</th></tr>\n"));
    for (enum category c = 0; c < CATEGORY_COUNT; c++) {
        const struct category_result *category = &page->ledger->categories[c];
        buf_put(&page->out, STR("<tr>"));
        cell(page, category_name(c));
        points(page, category->lost);
        buf_printf(&page->out, "<td class=\"n\">%u of %u</td></tr>\n", category->evaluated,
                   category->checks);
    }
    buf_put(&page->out, STR("</table>\n"));
}

static void sums(struct page *page, enum report_by by, const char *title)
{
    report_sum_list list = report_sums(page->out.arena, page->ledger, page->extras, by);
    const struct report_sum *sum;
    buf_printf(&page->out,
               "<h2>By %s</h2><table><tr><th>%s</th><th class=\"n\">Lost</th><th class=\"n\">"
               "Risks</th><th>Worst</th></tr>\n",
               title, title);
    LIST_EACH (sum, list) {
        buf_put(&page->out, STR("<tr>"));
        cell(page, sum->name.n ? sum->name : STR("(none)"));
        points(page, sum->lost);
        buf_printf(&page->out, "<td class=\"n\">%u</td>", sum->risks);
        cell(page, severity_name(sum->worst));
        buf_put(&page->out, STR("</tr>\n"));
        spill(page);
    }
    buf_put(&page->out, STR("</table>\n"));
}

static void exemption_words(struct page *page, const struct risk *risk)
{
    char time[CLOCK_TEXT_SIZE];
    if (!risk->exempt && !risk->exemption)
        return;
    buf_put(&page->out, risk->exempt ? STR("<br><small>Exempt: ")
                                     : STR("<br><small>The exemption has expired: "));
    text(page, risk->exempt ? risk->exempt_reason : risk->exemption->reason);
    if (risk->exemption) {
        buf_put(&page->out, STR(" ("));
        text(page, risk->exemption->owner);
        buf_put(&page->out, STR(", until "));
        text(page, clock_format_short(risk->exemption->expires, time));
        buf_put(&page->out, STR(")"));
    }
    if (risk->would_cost)
        buf_printf(&page->out, " It would cost %u.%02u.", risk->would_cost / 100,
                   risk->would_cost % 100);
    buf_put(&page->out, STR("</small>"));
}

static void where(struct page *page, const struct risk *risk, const struct report_note *note)
{
    buf_put(&page->out, STR("<td>"));
    if (risk->namespace.n) {
        text(page, risk->namespace);
        buf_putc(&page->out, '/');
    }
    text(page, risk->resource);
    if (note && note->file.n) {
        buf_put(&page->out, STR("<br><small>"));
        text(page, note->file);
        buf_printf(&page->out, ":%llu</small>", (unsigned long long)note->line);
    }
    buf_put(&page->out, STR("</td>"));
}

static void risk_row(struct page *page, uint32_t i)
{
    const struct risk *risk = &page->ledger->risks.items[i];
    const struct report_extras *extras = page->extras;
    struct str severity = severity_name(risk->severity);
    buf_put(&page->out, STR("<tr>"));
    points(page, risk->impact);
    buf_printf(&page->out, "<td class=\"%" STR_FMT "\">%" STR_FMT "%s</td>", STR_ARG(severity),
               STR_ARG(severity), report_is_new(extras, i) ? " <b>new</b>" : "");
    where(page, risk, extras && extras->notes ? &extras->notes[i] : NULL);
    buf_put(&page->out, STR("<td><details><summary>"));
    text(page, risk->message);
    buf_put(&page->out, STR("</summary>"));
    text(page, str_of(risk->check->recommendation));
    buf_printf(&page->out, " <small>%s</small></details>", risk->check->id);
    exemption_words(page, risk);
    buf_put(&page->out, STR("</td></tr>\n"));
}

static void risks(struct page *page)
{
    uint32_t hidden = report_hidden(page->ledger, page->extras);
    buf_printf(&page->out, "<h2>%u risks</h2>\n", page->ledger->risks.n - hidden);
    if (hidden)
        buf_printf(&page->out, "<p><small>%u more were left out by filters.</small></p>\n", hidden);
    buf_put(&page->out, STR("<table><tr><th class=\"n\">Costs</th><th>Severity</th><th>Object</th>"
                            "<th>What is wrong, and what to do</th></tr>\n"));
    for (uint32_t i = 0; page->ok && i < page->ledger->risks.n; i++) {
        if (report_shows(page->extras, i))
            risk_row(page, i);
        spill(page);
    }
    buf_put(&page->out, STR("</table>\n</body></html>\n"));
}

bool report_html(struct arena *arena, const struct ledger *ledger, struct report_terms terms,
                 const struct report_extras *extras, struct sink sink)
{
    struct page page = {.out = buf_init(arena, REPORT_BUFFER),
                        .sink = sink,
                        .ledger = ledger,
                        .extras = extras,
                        .ok = true};
    head(&page, terms);
    categories(&page);
    if (extras && extras->by_namespace)
        sums(&page, REPORT_BY_NAMESPACE, "namespace");
    if (extras && extras->by_owner)
        sums(&page, REPORT_BY_OWNER, "owner");
    risks(&page);
    return page.ok && report_spill(&page.out, sink, 0);
}
