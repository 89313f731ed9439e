/* history: what was when: scores, decisions of the gate, and the audit trail. */
#include "codec/csv.h"
#include "routes.h"
#include "score/score.h"
#include "store/decision.h"
#include "store/history.h"
#include "web/app.h"
#include "web/allowance.h"
#include "web/audit_trail.h"
#include "web/page.h"
#include "web/paging.h"
#include "web/param.h"
#include "web/risks_answer.h"

enum {
    STEP_MAX = 7 * 86400,
    POINT_BYTES = 96 /* of JSON, about */,
    LISTED_RISKS = 3,
    SOURCE_MAX = 512,
    CALIBRATION_DAYS = 30
};

/* ---- scores ---- */

static enum error read_range(struct request *r, struct history_range *range)
{
    enum error e = param_time(r, "from", PARAM_TIME_MIN, &range->from);
    if (!e)
        e = param_time(r, "to", PARAM_TIME_MAX, &range->to);
    if (!e)
        e = param_int(r, "step", 1, STEP_MAX, 0, &range->step);
    range->step *= 1000;
    range->points_from = r->now - r->conf->history_days * CLOCK_DAY;
    return e;
}

static void write_point(struct jw *w, const struct history_point *point)
{
    jw_object(w);
    JW_TIME(w, "timestamp", point->time);
    JW_INT(w, "score", point->score);
    JW_INT(w, "nodes", point->nodes);
    JW_INT(w, "pods", point->pods);
    JW_INT(w, "risks", point->risks);
    if (point->points) {
        jw_key(w, STR("mean"));
        jw_hundredths(w, point->mean);
        JW_INT(w, "last", point->last);
        JW_TIME(w, "worst_at", point->worst_at);
        JW_INT(w, "points", point->points);
    }
    if (point->formula != SCORE_FORMULA)
        JW_INT(w, "formula", point->formula);
    jw_object_end(w);
}

static enum error answer_json(struct request *r, const struct history *history)
{
    struct page page;
    page_begin(r, &page);
    buf_reserve(&page.buf, history->n * POINT_BYTES + 1);
    jw_array(&page.jw);
    for (size_t i = 0; i < history->n; i++)
        write_point(&page.jw, &history->points[i]);
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

static enum error answer_csv(struct request *r, const struct history *history)
{
    struct buf out = buf_init(r->arena, PAGE_MAX);
    struct csv csv;
    buf_put(&out, STR("timestamp,score,nodes,pods,risks\n"));
    csv_init(&csv, &out);
    for (size_t i = 0; i < history->n; i++) {
        const struct history_point *point = &history->points[i];
        csv_time(&csv, point->time);
        csv_int(&csv, point->score);
        csv_int(&csv, point->nodes);
        csv_int(&csv, point->pods);
        csv_int(&csv, point->risks);
        csv_end_row(&csv);
    }
    return page_csv(r, "score-history.csv", &out);
}

enum error history_scores(struct request *r)
{
    struct cluster_row *cluster;
    struct history history;
    struct history_range range;
    enum param_format format;
    enum error e = param_format(r, &format);
    if (!e)
        e = read_range(r, &range);
    if (!e)
        e = param_cluster(r, "clusterId", &cluster);
    if (!e)
        e = history_fetch(r->db, r->arena, cluster, &range, &history);
    if (e)
        return e;
    return format == FORMAT_CSV ? answer_csv(r, &history) : answer_json(r, &history);
}

/* ---- decisions ---- */

static void write_decision(struct jw *w, const struct kept_decision *decision)
{
    const struct decision_row *row = &decision->row;
    jw_object(w);
    JW_STR(w, "id", row->id);
    JW_TIME(w, "decided_at", row->time);
    JW_STR(w, "cluster_id", decision->cluster_name);
    JW_STR(w, "decision", row->decision);
    JW_INT(w, "csc_score", row->score);
    stored_outcome_write(w, &decision->outcome);
    jw_key(w, STR("override"));
    if (decision->override.id.p)
        override_write(w, &decision->override);
    else
        jw_null(w);
    JW_TIME(w, "score_time", row->score_time);
    JW_STR_OR_NULL(w, "resource", row->resource);
    JW_STR_OR_NULL(w, "namespace", row->namespace);
    JW_STR_OR_NULL(w, "action", row->action);
    JW_STR_OR_NULL(w, "image", row->image);
    JW_STR_OR_NULL(w, "user", row->user);
    JW_STR_OR_NULL(w, "source", row->source);
    JW_STR(w, "key_id", row->key);
    JW_STR_OR_NULL(w, "key_name", decision->key_name);
    JW_STR_OR_NULL(w, "message", row->message);
    jw_key(w, STR("reasons"));
    jw_raw(w, row->reasons.n ? row->reasons : STR("[]"));
    JW_INT(w, "risks_total", row->risks_total);
    risks_answer_write(w, row->findings, row->risks);
    jw_object_end(w);
}

static enum error read_decision_filter(struct request *r, struct decision_filter *filter)
{
    struct str decision = request_param(r, "decision");
    enum error e = paging_read(r, &filter->page);
    if (!e)
        e = param_time(r, "from", PARAM_TIME_MIN, &filter->from);
    if (!e)
        e = param_time(r, "to", PARAM_TIME_MAX, &filter->to);
    if (!e && decision.n && !str_eq(decision, STR("SAFE")) && !str_eq(decision, STR("WARN")) &&
        !str_eq(decision, STR("BLOCK")))
        e = refuse_field(r, ERR_INVALID_FIELD, "decision", "must be SAFE, WARN or BLOCK.");
    if (!e)
        e = param_text(r, "source", SOURCE_MAX, &filter->source);
    filter->decision = decision;
    filter->risks = LISTED_RISKS;
    return e;
}

static enum error answer_decisions(struct request *r)
{
    struct decision_filter filter = {0};
    struct kept_decisions decisions;
    struct cluster_row *cluster;
    struct page page;
    enum error e = read_decision_filter(r, &filter);
    if (!e && request_param(r, "clusterId").p) {
        e = param_cluster(r, "clusterId", &cluster);
        filter.cluster = e ? filter.cluster : cluster->id;
    }
    if (!e)
        e = decision_list(r->db, r->arena, &filter, &decisions);
    if (e)
        return e;
    if (paging_has_more(&filter.page, &decisions.n)) {
        const struct decision_row *last = &decisions.items[decisions.n - 1].row;
        paging_next(r, last->time, last->id);
    }
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < decisions.n; i++)
        write_decision(&page.jw, &decisions.items[i]);
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

static enum error answer_decision(struct request *r)
{
    struct kept_decision *decision;
    struct str id;
    struct page page;
    enum error e = param_id(r, "id", &id);
    if (!e)
        e = decision_find(r->db, r->arena, id, &decision);
    if (!e && !decision)
        e = ERR_UNKNOWN_DECISION;
    if (e)
        return e;
    page_begin(r, &page);
    write_decision(&page.jw, decision);
    return page_json_tagged(r, &page);
}

enum error history_decisions(struct request *r)
{
    return request_param(r, "id").p ? answer_decision(r) : answer_decisions(r);
}

/* ---- how often a decision was right ---- */

static void write_calibration(struct jw *w, struct str decision,
                              const struct calibration *calibration)
{
    struct calibration_row row = {.decision = decision};
    for (size_t i = 0; i < calibration->n; i++)
        if (str_eq(calibration->items[i].decision, decision))
            row = calibration->items[i];
    int64_t known = row.success + row.failure + row.rolled_back;
    jw_object(w);
    JW_STR(w, "decision", decision);
    JW_INT(w, "decisions", row.decisions);
    JW_INT(w, "known", known);
    JW_INT(w, "success", row.success);
    JW_INT(w, "failure", row.failure);
    JW_INT(w, "rolled_back", row.rolled_back);
    JW_INT(w, "reported", row.reported);
    jw_key(w, STR("failed_percent"));
    if (known)
        jw_hundredths(w, (row.failure + row.rolled_back) * 10000 / known);
    else
        jw_null(w);
    jw_object_end(w);
}

enum error history_calibration(struct request *r)
{
    struct calibration calibration;
    struct cluster_row *cluster = NULL;
    struct page page;
    int64_t from, to;
    enum error e = param_time(r, "from", r->now - CALIBRATION_DAYS * CLOCK_DAY, &from);
    if (!e)
        e = param_time(r, "to", PARAM_TIME_MAX, &to);
    if (!e && request_param(r, "clusterId").p)
        e = param_cluster(r, "clusterId", &cluster);
    if (!e)
        e = outcome_calibration(r->db, r->arena, cluster ? cluster->id : (struct str){0}, from, to,
                                &calibration);
    if (e)
        return e;
    page_begin(r, &page);
    jw_array(&page.jw);
    write_calibration(&page.jw, STR("SAFE"), &calibration);
    write_calibration(&page.jw, STR("WARN"), &calibration);
    write_calibration(&page.jw, STR("BLOCK"), &calibration);
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

/* ---- audit trail ---- */

static enum error read_audit_filter(struct request *r, struct audit_filter *filter)
{
    enum audit_action action;
    enum error e = paging_read(r, &filter->page);
    if (!e)
        e = param_time(r, "from", PARAM_TIME_MIN, &filter->from);
    if (!e)
        e = param_time(r, "to", PARAM_TIME_MAX, &filter->to);
    if (!e)
        e = param_text(r, "actor", AUDIT_ACTOR_MAX, &filter->actor);
    if (e)
        return e;
    filter->action = request_param(r, "action");
    if (filter->action.n && !audit_action_find(filter->action, &action))
        return refuse_field(
            r, ERR_INVALID_FIELD, "action",
            "is not the name of an action; docs/api.md lists them at GET /api/audit.");
    return ERR_OK;
}

static enum error answer_audit_json(struct request *r, const struct audit_rows *rows)
{
    struct page page;
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < rows->n; i++) {
        const struct audit_row *row = &rows->items[i];
        jw_object(&page.jw);
        JW_STR(&page.jw, "id", row->id);
        JW_TIME(&page.jw, "timestamp", row->time);
        JW_STR(&page.jw, "action", row->action);
        JW_STR_OR_NULL(&page.jw, "actor", row->actor);
        JW_STR_OR_NULL(&page.jw, "actorId", row->actor_id);
        JW_STR_OR_NULL(&page.jw, "address", row->address);
        JW_STR(&page.jw, "subject", row->subject);
        JW_STR(&page.jw, "result", row->result);
        jw_object_end(&page.jw);
    }
    jw_array_end(&page.jw);
    return page_json_tagged(r, &page);
}

static enum error answer_audit_csv(struct request *r, const struct audit_rows *rows)
{
    struct buf out = buf_init(r->arena, PAGE_MAX);
    struct csv csv;
    buf_put(&out, STR("timestamp,action,actor,actorId,address,subject,result,id\n"));
    csv_init(&csv, &out);
    for (size_t i = 0; i < rows->n; i++) {
        const struct audit_row *row = &rows->items[i];
        csv_time(&csv, row->time);
        csv_str(&csv, row->action);
        csv_str(&csv, row->actor);
        csv_str(&csv, row->actor_id);
        csv_str(&csv, row->address);
        csv_str(&csv, row->subject);
        csv_str(&csv, row->result);
        csv_str(&csv, row->id);
        csv_end_row(&csv);
    }
    return page_csv(r, "audit.csv", &out);
}

enum error history_audit(struct request *r)
{
    struct audit_filter filter;
    struct audit_rows rows;
    enum param_format format;
    enum error e = param_format(r, &format);
    if (!e && format == FORMAT_CSV)
        e = allowance_take(r, RATE_CHANGE);
    if (!e)
        e = read_audit_filter(r, &filter);
    if (!e)
        e = audit_list(r->db, r->arena, &filter, &rows);
    if (e)
        return e;
    if (paging_has_more(&filter.page, &rows.n))
        paging_next(r, rows.items[rows.n - 1].time, rows.items[rows.n - 1].id);
    if (format == FORMAT_CSV) /* each page: anybody can write a cursor */
        e = audit_done(r, AUDIT_EXPORT, STR("audit trail (csv)"));
    if (e)
        return e;
    return format == FORMAT_CSV ? answer_audit_csv(r, &rows) : answer_audit_json(r, &rows);
}

int main(int argc, char **argv)
{
    return app_run(argc, argv, "history", routes());
}
