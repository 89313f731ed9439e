/* history: scores over time. */
#include "codec/csv.h"
#include "routes.h"
#include "store/history.h"
#include "web/app.h"
#include "web/page.h"
#include "web/param.h"

enum { STEP_MAX = 7 * 86400, POINT_BYTES = 96 /* of JSON, about */ };

static const int64_t day_ms = 86400000;

static enum error read_range(struct request *r, struct history_range *range)
{
    enum error e = param_time(r, "from", PARAM_TIME_MIN, &range->from);
    if (!e)
        e = param_time(r, "to", PARAM_TIME_MAX, &range->to);
    if (!e)
        e = param_int(r, "step", 1, STEP_MAX, 0, &range->step);
    range->step *= 1000;
    range->points_from = r->now - r->conf->history_days * day_ms;
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
    return page_json(r, 200, &page);
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

int main(void)
{
    return app_run("history", routes());
}
