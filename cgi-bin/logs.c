/* logs: lines of pods' logs, pushed by agents and read back by people. */
#include "kube/kinds.h"
#include "routes.h"
#include "service/metrics.h"
#include "store/log_lines.h"
#include "store/log_query.h"
#include "web/app.h"
#include "web/page.h"
#include "web/paging.h"
#include "web/param.h"
#include "web/push_head.h"
#include "web/upload.h"

/* ---- POST /ingest/logs ---- */

static enum error refuse_push(const struct upload *upload, const struct log_push_error *error)
{
    struct request *r = upload->r;
    char *field = arena_bytes(r->arena, sizeof error->field);
    memcpy(field, error->field, sizeof error->field);
    switch (error->code) {
    case LOG_PUSH_E_MISSING:
        return refuse_field(r, ERR_MISSING_FIELD, field, "is required.");
    case LOG_PUSH_E_INVALID:
        return refuse_field(r, ERR_INVALID_FIELD, field, "%s", error->problem);
    case LOG_PUSH_E_LINES:
        return refuse_field(r, ERR_TOO_LARGE, field, "must be at most %d.", LOG_LINES_MAX);
    case LOG_PUSH_E_JSON:
    case LOG_PUSH_OK:
        break;
    }
    return upload_refuse(upload, &error->json);
}

static enum error read_push(struct request *r, struct log_push **push)
{
    struct upload upload;
    struct log_push_error error;
    enum compression compression;
    enum error e = upload_compression(r, &compression);
    if (!e)
        e = upload_open(r, compression, LOG_JSON_MAX, &upload);
    if (e)
        return e;
    *push = log_push_read(r->arena, upload.source, r->now,
                          r->now - r->conf->log_retention_days * CLOCK_DAY, &error);
    return *push ? ERR_OK : refuse_push(&upload, &error);
}

struct logs_pushed {
    struct request *r;
    struct str cluster;
    const struct log_push *push;
    struct push_id id;
    struct push_before *before;
    struct page page;
};

static struct str write_answer(void *context, const struct log_added *added)
{
    struct logs_pushed *pushed = context;
    struct jw *jw = &pushed->page.jw;
    page_begin(pushed->r, &pushed->page);
    jw_object(jw);
    JW_STR(jw, "status", STR("ok"));
    JW_INT(jw, "accepted", pushed->push->lines.n);
    JW_INT(jw, "duplicates", (int64_t)added->duplicates);
    JW_INT(jw, "skipped", pushed->push->skipped);
    jw_object_end(jw);
    return buf_str(&pushed->page.buf);
}

static enum error read_id(struct logs_pushed *pushed)
{
    struct request *r = pushed->r;
    struct str key;
    enum error e = push_head_key(r, &key);
    if (!e)
        pushed->id = push_identify(r->arena, STR("logs"), key, TIME_NONE, &r->http.body, 1);
    return e;
}

static enum error store_lines(struct logs_pushed *pushed)
{
    struct request *r = pushed->r;
    struct log_limit limit = {r->conf->log_limit.count * MIB, r->conf->log_limit.seconds};
    struct log_answer answer = {&pushed->id, write_answer, pushed};
    struct log_added added;
    bool answered;
    enum error e = log_lines_add(r->db, r->arena, pushed->cluster, pushed->push, r->now, limit,
                                 &answer, &added);
    if (e == ERR_IDEMPOTENCY_CONFLICT) { /* another worker had the same push meanwhile */
        e = upload_replay(r, pushed->cluster, &pushed->id, TIME_NONE, &pushed->before, &answered);
        return e || answered ? e : ERR_DATABASE_BUSY;
    }
    if (e == ERR_LOG_LIMIT)
        r->retry_after = added.wait;
    if (e)
        return e;
    metrics_add(METRIC_LOG_LINES_STORED, pushed->push->lines.n - added.duplicates);
    metrics_add(METRIC_LOG_LINES_DUPLICATE, added.duplicates);
    metrics_add(METRIC_LOG_LINES_SKIPPED, pushed->push->skipped);
    write_answer(pushed, &added);
    return page_json(r, 200, &pushed->page);
}

enum error logs_push(struct request *r)
{
    struct logs_pushed pushed = {.r = r};
    struct log_push *push = NULL;
    bool answered = false;
    enum error e = upload_cluster(r, &pushed.cluster);
    if (!e)
        e = read_id(&pushed);
    if (!e && push_has_id(&pushed.id))
        e = upload_replay(r, pushed.cluster, &pushed.id, TIME_NONE, &pushed.before, &answered);
    if (e || answered)
        return e;
    e = read_push(r, &push);
    pushed.push = push;
    return e ? e : store_lines(&pushed);
}

/* ---- GET /api/logs ---- */

static enum error read_workload(struct request *r, struct log_filter *filter)
{
    struct str text, word, name;
    enum kind kind = KIND_NONE;
    enum error e = param_text(r, "workload", 2 * LOG_NAME_MAX, &text);
    if (e)
        return e;
    filter->workload = text;
    if (str_cut(text, '/', &word, &name)) {
        filter->workload = name;
        kind = kind_of_workload(word);
        if (!kind || !name.n)
            return refuse_field(r, ERR_INVALID_FIELD, "workload",
                                "must be a name, or one with a kind such as deployment/api.");
    }
    filter->shapes = pod_shapes_of(kind);
    if (kind == KIND_POD) {
        filter->pod = filter->workload;
        filter->workload = (struct str){0};
    }
    return ERR_OK;
}

static enum error read_level(struct request *r, struct log_filter *filter)
{
    struct str text = request_param(r, "level");
    filter->least = LOG_TRACE;
    if (text.n && !log_severity_find(text, &filter->least))
        return refuse_field(r, ERR_INVALID_FIELD, "level",
                            "must be trace, debug, info, warn, error or fatal.");
    return ERR_OK;
}

/* An hour, unless both ends are given. */
static enum error read_range(struct request *r, struct log_filter *filter)
{
    int64_t to;
    enum error e = param_time(r, "to", PARAM_TIME_MAX, &to);
    if (e)
        return e;
    filter->before = log_place_after(to);
    return param_time(r, "from", (to < r->now ? to : r->now) - CLOCK_HOUR, &filter->from);
}

/* A cursor is "TIME.NANOS.ID.FROM": where the page ended, and what `from` was on the first one. */
static bool parse_cursor(struct str cursor, struct log_filter *filter)
{
    struct str part[4];
    struct log_place *before = &filter->before;
    struct clock_parts parts;
    int64_t nanos;
    for (size_t i = 0; i < 4; i++)
        if (str_cut(cursor, '.', &part[i], &cursor) == (i == 3))
            return false;
    bool parsed = str_to_i64(part[0], &before->time) && str_to_i64(part[1], &nanos) &&
                  str_to_i64(part[2], &before->id) && str_to_i64(part[3], &filter->from);
    before->nanos = parsed ? (int)nanos : 0;
    return parsed && nanos >= 0 && nanos < 1000000 && clock_split(before->time, &parts) &&
           clock_split(filter->from, &parts);
}

static enum error read_filter(struct request *r, struct log_filter *filter)
{
    struct str cursor = request_param(r, "cursor");
    enum error e = param_text(r, "namespace", LOG_NAME_MAX, &filter->namespace);
    if (!e)
        e = param_text(r, "container", LOG_NAME_MAX, &filter->container);
    if (!e)
        e = param_text(r, "q", LOG_TEXT_MAX, &filter->text);
    if (!e)
        e = param_text(r, "pod", LOG_NAME_MAX, &filter->pod);
    if (!e)
        e = read_workload(r, filter);
    if (!e)
        e = read_level(r, filter);
    if (!e)
        e = read_range(r, filter);
    if (!e)
        e = param_int(r, "limit", 1, PAGING_MAX, PAGING_DEFAULT, &filter->limit);
    if (!e && cursor.p && !parse_cursor(cursor, filter))
        e = refuse_field(r, ERR_INVALID_FIELD, "cursor", "is not one of a Link header.");
    return e;
}

static void write_line(struct jw *w, const struct log_found *found)
{
    const struct log_line *line = &found->line;
    char time[CLOCK_TEXT_SIZE];
    jw_object(w);
    JW_STR(w, "timestamp", clock_format_nanos(line->time, line->nanos, time));
    JW_STR(w, "level", line->level.n ? line->level : log_severity_name(line->severity));
    JW_STR(w, "namespace", found->namespace);
    JW_STR(w, "pod", found->pod);
    JW_STR(w, "container", found->container);
    JW_STR(w, "message", line->message);
    jw_object_end(w);
}

static enum error answer(struct request *r, const struct log_filter *filter,
                         const struct log_page *found)
{
    struct page page;
    page_begin(r, &page);
    jw_array(&page.jw);
    for (size_t i = 0; i < found->n; i++)
        write_line(&page.jw, &found->lines[i]);
    jw_array_end(&page.jw);
    if (found->more)
        paging_link(r, arena_printf(r->arena, "%lld.%d.%lld.%lld", (long long)found->next.time,
                                    found->next.nanos, (long long)found->next.id,
                                    (long long)filter->from));
    return page_json_tagged(r, &page);
}

enum error logs_list(struct request *r)
{
    struct cluster_row *cluster;
    struct log_filter filter = {0};
    struct log_page page;
    enum error e = read_filter(r, &filter);
    if (!e)
        e = param_cluster(r, "cluster", &cluster);
    if (!e)
        e = log_fetch(r->db, r->arena, cluster->id, &filter, &page);
    return e ? e : answer(r, &filter, &page);
}

int main(int argc, char **argv)
{
    return app_run(argc, argv, "logs", routes());
}
