#include "scope_answer.h"

#include "report/report.h"
#include "store/risk.h"

bool scope_is_asked(const struct change *change)
{
    return change->resource.n || change->namespace.n;
}

struct scope *scope_find(struct arena *arena, const struct change *change, struct str namespace,
                         const struct gate_target *target, const struct gate_summary *summary)
{
    struct scope_target of = {.namespace = namespace,
                              .resource = change->resource,
                              .is_workload = target->state != GATE_TARGET_NOT_ASKED,
                              .kind = target->kind,
                              .name = target->name};
    return scope_is_asked(change) ? scope_read(arena, summary->scope, &of) : NULL;
}

static bool is_remembered(const struct gate_memory *memory, struct scope *scope)
{
    bool all = memory != NULL;
    for (uint32_t i = 0; all && i < scope->shown; i++)
        all = gate_memory_first_seen(memory, str_of(scope->risks[i].risk.id),
                                     &scope->risks[i].first_seen);
    return all;
}

enum error scope_find_first_seen(struct request *r, struct str cluster, struct gate_memory *memory,
                                 struct scope *scope)
{
    struct str ids[SCOPE_SHOWN_MAX];
    int64_t first_seen[SCOPE_SHOWN_MAX];
    if (!scope || is_remembered(memory, scope))
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

/* Returns how many of them are about the change. */
static uint32_t write_risks(struct jw *w, const struct scope *scope,
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
    for (uint32_t i = 0; i < scope->shown; i++)
        write_risk(w, &scope->risks[i].risk, STR("cluster"),
                   scope_relation_name(scope->risks[i].relation), scope->risks[i].first_seen);
    jw_array_end(w);
    return changes;
}

static void write_left_out(struct jw *w, const struct scope *scope)
{
    int64_t points = scope->points;
    for (uint32_t i = 0; i < scope->shown; i++)
        points -= scope->risks[i].risk.impact;
    if (scope->total <= scope->shown)
        return;
    jw_key(w, STR("target_risks_left_out"));
    jw_object(w);
    JW_INT(w, "count", scope->total - scope->shown);
    jw_key(w, STR("points"));
    jw_hundredths(w, points);
    jw_object_end(w);
}

void scope_write(struct jw *w, const struct scope *scope, const struct gate_answer *answer,
                 int64_t now)
{
    if (!scope)
        return;
    JW_STR(w, "target_state", scope->state);
    uint32_t changes = write_risks(w, scope, answer, now);
    write_left_out(w, scope);
    JW_INT(w, "target_risks_total", scope->total + changes);
    jw_key(w, STR("target_points"));
    jw_hundredths(w, scope->points);
}
