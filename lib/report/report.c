#include "report/report.h"

#include "report/report_out.h"

/* What the next snapshot will be judged by. */
static void pending_json(struct jw *w, const struct exemption *pending)
{
    if (!pending)
        return;
    jw_key(w, STR("exemption_pending"));
    jw_object(w);
    JW_STR(w, "id", pending->id);
    JW_STR(w, "reason", pending->reason);
    JW_STR(w, "owner", pending->owner);
    JW_TIME(w, "expires", pending->expires);
    jw_object_end(w);
}

void report_exemption(struct jw *w, const struct risk *risk)
{
    const struct exemption *exemption = risk->exemption;
    if (risk->exempt)
        JW_STR(w, "exempt", risk->exempt_reason);
    if (risk->would_cost) {
        jw_key(w, STR("would_cost"));
        jw_hundredths(w, risk->would_cost);
    }
    if (exemption && !risk->exempt)
        JW_STR(w, "exemption_expired", exemption->reason);
    pending_json(w, risk->pending);
    if (!exemption)
        return;
    if (exemption->id.n)
        JW_STR(w, "exemption_id", exemption->id);
    JW_STR(w, "exemption_owner", exemption->owner);
    JW_TIME(w, "exemption_expires", exemption->expires);
}

void report_risk_members(struct jw *w, const struct risk *risk, struct str scope,
                         int64_t first_seen)
{
    JW_STR(w, "id", str_of(risk->id));
    JW_STR(w, "check", str_of(risk->check->id));
    JW_STR(w, "category", category_name(risk->check->category));
    JW_STR(w, "severity", severity_name(risk->severity));
    JW_STR(w, "scope", scope);
    JW_STR(w, "namespace", risk->namespace);
    JW_STR(w, "resource", risk->resource);
    if (risk->container.n)
        JW_STR(w, "container", risk->container);
    JW_STR(w, "message", risk->message);
    JW_STR(w, "recommendation", str_of(risk->check->recommendation));
    jw_key(w, STR("impact"));
    jw_hundredths(w, risk->impact);
    JW_INT(w, "count", risk->count);
    if (risk->absorbed_by)
        JW_STR(w, "absorbed_by", str_of(risk->absorbed_by->id));
    report_exemption(w, risk);
    report_frameworks(w, risk->check->frameworks);
    if (first_seen != TIME_NONE)
        JW_TIME(w, "first_seen", first_seen);
}

void report_risk(struct jw *w, const struct risk *risk, struct str scope, int64_t first_seen)
{
    jw_object(w);
    report_risk_members(w, risk, scope, first_seen);
    jw_object_end(w);
}

struct str report_scope(bool partial)
{
    return partial ? STR("namespaces") : STR("cluster");
}

void report_categories(struct jw *w, const struct category_result categories[CATEGORY_COUNT])
{
    jw_object(w);
    for (int c = 0; c < CATEGORY_COUNT; c++) {
        jw_key(w, category_name((enum category)c));
        jw_object(w);
        jw_key(w, STR("lost"));
        jw_hundredths(w, categories[c].lost);
        jw_key(w, STR("hazard"));
        jw_ten_thousandths(w, categories[c].hazard);
        JW_INT(w, "checks", categories[c].checks);
        JW_INT(w, "evaluated", categories[c].evaluated);
        jw_object_end(w);
    }
    jw_object_end(w);
}

static void check_coverage_json(struct jw *w, const struct ledger *ledger)
{
    jw_key(w, STR("by_check"));
    jw_object(w);
    for (int i = 0; i < CHECK_COUNT; i++) {
        jw_key(w, str_of(checks[i].id));
        jw_object(w);
        JW_INT(w, "evaluated", ledger->checks[i].evaluated);
        JW_INT(w, "failed", ledger->checks[i].failed);
        jw_object_end(w);
    }
    jw_object_end(w);
}

static uint32_t objects_unread(unread_list unread)
{
    uint32_t n = 0;
    const struct unread_kind *kind;
    LIST_EACH (kind, unread)
        n += kind->objects;
    return n;
}

void report_unread(struct jw *w, unread_list unread, uint32_t most)
{
    jw_object(w);
    JW_INT(w, "objects", objects_unread(unread));
    jw_key(w, STR("kinds"));
    jw_array(w);
    for (uint32_t i = 0; i < unread.n && i < most; i++) {
        const struct unread_kind *kind = &unread.items[i];
        jw_object(w);
        JW_STR(w, "kind", kind->kind);
        if (kind->api_version.n)
            JW_STR(w, "api_version", kind->api_version);
        JW_INT(w, "objects", kind->objects);
        jw_object_end(w);
    }
    jw_array_end(w);
    jw_object_end(w);
}

void report_unread_words(struct buf *out, unread_list unread)
{
    for (uint32_t i = 0; i < unread.n && i < REPORT_UNREAD_NAMED; i++) {
        const struct unread_kind *kind = &unread.items[i];
        struct str name = kind->kind.n ? kind->kind : STR("what names no kind");
        buf_printf(out, "%s%" STR_FMT, i ? ", " : "", STR_ARG(report_plain(out->arena, name)));
        if (kind->objects)
            buf_printf(out, " (%u)", kind->objects);
    }
    if (unread.n > REPORT_UNREAD_NAMED)
        buf_printf(out, " and %u more kind%s", unread.n - REPORT_UNREAD_NAMED,
                   unread.n - REPORT_UNREAD_NAMED == 1 ? "" : "s");
}

/* Checks that had at least one object to say something about, of all checks. */
static void coverage_json(struct jw *w, const struct ledger *ledger)
{
    jw_key(w, STR("coverage"));
    jw_object(w);
    for (int c = 0; c < CATEGORY_COUNT; c++) {
        jw_key(w, category_name((enum category)c));
        jw_object(w);
        JW_INT(w, "checks", ledger->categories[c].checks);
        JW_INT(w, "evaluated", ledger->categories[c].evaluated);
        jw_object_end(w);
    }
    check_coverage_json(w, ledger);
    jw_key(w, STR("not_read"));
    report_unread(w, ledger->unread, UINT32_MAX);
    jw_object_end(w);
}

static void terms_json(struct jw *w, struct report_terms terms)
{
    JW_STR(w, "scope", report_scope(terms.partial));
    if (terms.time == TIME_NONE)
        return;
    JW_TIME(w, "time", terms.time);
    JW_STR(w, "time_source", str_of(terms.time_source));
}

static void sums_json(struct jw *w, struct arena *arena, const struct ledger *ledger,
                      const struct report_extras *extras, enum report_by by)
{
    struct str key = by == REPORT_BY_OWNER ? STR("owner") : STR("namespace");
    report_sum_list sums = report_sums(arena, ledger, extras, by);
    const struct report_sum *sum;
    jw_key(w, by == REPORT_BY_OWNER ? STR("by_owner") : STR("by_namespace"));
    jw_array(w);
    LIST_EACH (sum, sums) {
        jw_object(w);
        jw_key(w, key);
        jw_str(w, sum->name);
        jw_key(w, STR("lost"));
        jw_hundredths(w, sum->lost);
        JW_INT(w, "risks", sum->risks);
        JW_STR(w, "worst", severity_name(sum->worst));
        if (extras->has_baseline)
            JW_INT(w, "new", sum->new_risks);
        jw_object_end(w);
    }
    jw_array_end(w);
}

static void extras_json(struct jw *w, struct arena *arena, const struct ledger *ledger,
                        const struct report_extras *extras)
{
    uint32_t hidden = report_hidden(ledger, extras), fresh = 0;
    if (hidden)
        JW_INT(w, "left_out", hidden);
    if (extras->by_namespace)
        sums_json(w, arena, ledger, extras, REPORT_BY_NAMESPACE);
    if (extras->by_owner)
        sums_json(w, arena, ledger, extras, REPORT_BY_OWNER);
    if (!extras->has_baseline)
        return;
    for (uint32_t i = 0; i < ledger->risks.n; i++)
        fresh += report_shows(extras, i) && report_is_new(extras, i);
    jw_key(w, STR("baseline"));
    jw_object(w);
    JW_INT(w, "new", fresh);
    JW_INT(w, "gone", extras->gone);
    jw_object_end(w);
}

static void noted_risk(struct jw *w, const struct ledger *ledger,
                       const struct report_extras *extras, uint32_t i)
{
    const struct report_note *note = extras && extras->notes ? &extras->notes[i] : NULL;
    if (!report_shows(extras, i))
        return;
    jw_object(w);
    report_risk_members(w, &ledger->risks.items[i], STR("cluster"), TIME_NONE);
    if (extras && extras->has_baseline)
        JW_BOOL(w, "new", report_is_new(extras, i));
    if (note && note->owner.n)
        JW_STR(w, "owner", note->owner);
    jw_object_end(w);
}

bool report_json(struct arena *arena, const struct ledger *ledger, struct report_terms terms,
                 const struct report_extras *extras, struct sink sink)
{
    struct buf out = buf_init(arena, REPORT_BUFFER);
    struct jw w;
    bool ok = true;
    jw_init(&w, &out);
    jw_object(&w);
    JW_INT(&w, "csc_score", ledger->csc_score);
    jw_key(&w, STR("score_exact"));
    jw_hundredths(&w, ledger->score_exact);
    JW_STR(&w, "decision", decision_name(ledger->decision));
    JW_STR(&w, "verdict", ledger->verdict);
    jw_key(&w, STR("hazard"));
    jw_ten_thousandths(&w, ledger->hazard);
    JW_INT(&w, "formula", SCORE_FORMULA);
    terms_json(&w, terms);
    jw_key(&w, STR("categories"));
    report_categories(&w, ledger->categories);
    coverage_json(&w, ledger);
    if (extras)
        extras_json(&w, arena, ledger, extras);
    jw_key(&w, STR("risks"));
    jw_array(&w);
    for (uint32_t i = 0; ok && i < ledger->risks.n; i++) {
        noted_risk(&w, ledger, extras, i);
        ok = report_spill(&out, sink, REPORT_PIECE);
    }
    jw_array_end(&w);
    jw_object_end(&w);
    buf_putc(&out, '\n');
    return ok && report_spill(&out, sink, 0);
}
