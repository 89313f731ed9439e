#include "scope_answer.h"

#include "report/report.h"
#include "store/risk.h"
#include "web/page.h"

static bool is_asked(const struct change *change)
{
    return change->resource.n || change->namespace.n;
}

static struct scope *read_scope(struct arena *arena, const struct change *change,
                                struct str namespace, const struct gate_target *target,
                                const struct gate_summary *summary)
{
    struct scope_target of = {.namespace = namespace,
                              .resource = change->resource,
                              .is_workload = target->state != GATE_TARGET_NOT_ASKED,
                              .is_hidden = target->state == GATE_TARGET_HIDDEN,
                              .kind = target->kind,
                              .name = target->name};
    return scope_read(arena, summary->scope, &of);
}

static bool is_remembered(const struct gate_memory *memory, struct scope *scope)
{
    bool all = memory != NULL;
    for (uint32_t i = 0; all && i < scope->shown; i++)
        all = gate_memory_first_seen(memory, str_of(scope->risks[i].risk.id),
                                     &scope->risks[i].first_seen);
    return all;
}

static enum error find_first_seen(struct request *r, struct str cluster, struct gate_memory *memory,
                                  struct scope *scope)
{
    struct str ids[SCOPE_SHOWN_MAX];
    int64_t first_seen[SCOPE_SHOWN_MAX];
    if (is_remembered(memory, scope))
        return ERR_OK;
    for (uint32_t i = 0; i < scope->shown; i++)
        ids[i] = str_of(scope->risks[i].risk.id);
    enum error e = risk_first_seen_of(r->db, r->arena, cluster, ids, scope->shown, first_seen);
    for (uint32_t i = 0; !e && i < scope->shown; i++) {
        scope->risks[i].first_seen = first_seen[i];
        if (memory)
            gate_memory_note_first_seen(memory, ids[i], first_seen[i]);
    }
    return e;
}

static void write_risk(struct jw *w, const struct risk *risk, struct str scope, struct str concerns,
                       int64_t first_seen)
{
    jw_object(w);
    JW_STR(w, "concerns", concerns);
    report_risk_members(w, risk, scope, TIME_NONE);
    jw_key(w, STR("first_seen"));
    if (first_seen == TIME_NONE)
        jw_null(w);
    else
        jw_time(w, first_seen);
    jw_object_end(w);
}

static struct gate_told told_of(struct request *r, const struct scope *scope)
{
    struct gate_told told = {.state = scope->state,
                             .shown = scope->shown,
                             .total = scope->total,
                             .points = scope->points};
    struct page page;
    page_begin(r, &page);
    jw_array(&page.jw);
    for (uint32_t i = 0; i < scope->shown; i++) {
        const struct scope_risk *risk = &scope->risks[i];
        write_risk(&page.jw, &risk->risk, STR("cluster"), scope_relation_name(risk->relation),
                   risk->first_seen);
        told.shown_points += risk->risk.impact;
    }
    jw_array_end(&page.jw);
    told.risks = str_sub(buf_str(&page.buf), 1, page.buf.n - 2);
    return told;
}

/* What is not known yet may be known later. */
static bool is_final(const struct scope *scope)
{
    bool all = true;
    for (uint32_t i = 0; i < scope->shown; i++)
        all = all && scope->risks[i].first_seen != TIME_NONE;
    return all;
}

enum error scope_tell(struct request *r, const struct change *change, struct str namespace,
                      const struct gate_target *target, const struct gate_summary *summary,
                      struct str cluster, struct gate_memory *memory, struct gate_told **told)
{
    *told = is_asked(change) ? ARENA_NEW(r->arena, struct gate_told) : NULL;
    if (!*told || (memory && gate_memory_told(memory, namespace, change->resource, *told)))
        return ERR_OK;
    struct scope *scope = read_scope(r->arena, change, namespace, target, summary);
    enum error e = find_first_seen(r, cluster, memory, scope);
    if (e)
        return e;
    **told = told_of(r, scope);
    if (memory && is_final(scope))
        gate_memory_note_told(memory, namespace, change->resource, *told);
    return ERR_OK;
}

/* Returns how many of them are about the change. */
static uint32_t write_risks(struct jw *w, const struct gate_told *told,
                            const struct gate_answer *answer, int64_t now)
{
    uint32_t changes = 0;
    jw_key(w, STR("target_risks"));
    jw_array(w);
    for (uint32_t i = 0; i < answer->findings_n; i++) {
        const struct gate_finding *finding = &answer->findings[i];
        changes += finding->of_change;
        if (finding->of_change)
            write_risk(w, &finding->risk, STR("change"), STR("change"), now);
    }
    if (told->shown)
        jw_raw(w, told->risks);
    jw_array_end(w);
    return changes;
}

static void write_left_out(struct jw *w, const struct gate_told *told)
{
    if (told->total <= told->shown)
        return;
    jw_key(w, STR("target_risks_left_out"));
    jw_object(w);
    JW_INT(w, "count", told->total - told->shown);
    jw_key(w, STR("points"));
    jw_hundredths(w, told->points - told->shown_points);
    jw_object_end(w);
}

void scope_write(struct jw *w, const struct gate_told *told, const struct gate_answer *answer,
                 int64_t now)
{
    if (!told)
        return;
    JW_STR(w, "target_state", told->state);
    uint32_t changes = write_risks(w, told, answer, now);
    write_left_out(w, told);
    JW_INT(w, "target_risks_total", told->total + changes);
    jw_key(w, STR("target_points"));
    jw_hundredths(w, told->points);
}
