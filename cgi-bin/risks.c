/* risks: what a cluster's score is made of, at any moment that is kept, and why it moved between
 * two. */
#include "codec/hundredths.h"
#include "risks/filter.h"
#include "routes.h"
#include "score/difference.h"
#include "report/report.h"
#include "store/open_risks.h"
#include "store/risk_row.h"
#include "store/stored_exemption.h"
#include "web/app.h"
#include "web/page.h"
#include "web/paging.h"
#include "web/param.h"

#include <stdlib.h>

/* Where a risk stands in a list: by points, most first, then by id. */
struct place {
    int64_t points;
    struct str id;
};

struct asking {
    struct request *r;
    struct str cluster_name;
    int64_t at, since; /* TIME_NONE: not said */
    struct filter filter;
    int64_t limit;
    struct place after; /* the last risk of the page before; id absent: the first page */
    struct cluster_row *cluster;
    struct stored_ledger *to, *from; /* from: NULL without `since` */
    struct open_risks open;          /* without `since` */
    exemption_list pending;          /* of now: what the next snapshot will be judged by */
    struct risk_rows texts;          /* with it */
};

/* ---- what is asked ---- */

static bool read_time(struct str text, int64_t *time)
{
    struct clock_parts parts;
    return str_to_i64(text, time) && clock_split(*time, &parts);
}

/* A cursor is "AT.SINCE.POINTS.ID": a page is of the same ledgers as the first one, whatever was
 * pushed meanwhile, and begins behind that place. SINCE is empty without one. */
static bool read_cursor(struct asking *a, struct str cursor)
{
    struct str at, since, points, rest;
    uint64_t id;
    a->since = TIME_NONE;
    return str_cut(cursor, '.', &at, &rest) && str_cut(rest, '.', &since, &rest) &&
           str_cut(rest, '.', &points, &a->after.id) && read_time(at, &a->at) &&
           (since.n == 0 || read_time(since, &a->since)) && str_to_i64(points, &a->after.points) &&
           risk_id_parse(a->after.id, &id);
}

static enum error read_times(struct asking *a)
{
    struct request *r = a->r;
    struct str cursor = request_param(r, "cursor");
    enum error e = param_int(r, "limit", 1, PAGING_MAX, PAGING_DEFAULT, &a->limit);
    if (!e)
        e = param_time(r, "at", TIME_NONE, &a->at);
    if (!e)
        e = param_time(r, "since", TIME_NONE, &a->since);
    if (!e && a->at != TIME_NONE && a->since > a->at)
        e = refuse_field(r, ERR_INVALID_FIELD, "since", "must not be after at.");
    if (!e && cursor.p && !read_cursor(a, cursor))
        e = refuse_field(r, ERR_INVALID_FIELD, "cursor",
                         "is not one of a Link header of this release: begin with the first page.");
    return e;
}

static enum error read_asking(struct request *r, struct asking *a)
{
    a->r = r;
    enum error e = read_times(a);
    if (!e)
        e = filter_read(r, &a->filter);
    return e ? e : param_cluster_name(r, "clusterId", &a->cluster_name);
}

/* ---- what is kept ---- */

static enum error find_ledger(struct db *db, struct asking *a, const char *field, int64_t time,
                              struct stored_ledger **kept)
{
    int64_t oldest;
    char text[CLOCK_TEXT_SIZE];
    enum error e = stored_ledger_find(db, a->r->arena, a->cluster->id, time, kept);
    if (e || *kept)
        return e;
    e = stored_ledger_oldest(db, a->r->arena, a->cluster->id, &oldest);
    if (e || oldest == TIME_NONE)
        return e ? e : ERR_NO_LEDGER;
    return refuse_field(a->r, ERR_NO_LEDGER, field,
                        "is too early: the oldest score that is kept is of %s.",
                        clock_format(oldest, text).p);
}

/* Of the latest ledger, also on the pages that follow its first. */
static enum error find_pending(struct db *db, struct asking *a)
{
    struct arena *arena = a->r->arena;
    struct stored_ledger *latest = a->to;
    enum error e = ERR_OK;
    if (a->at != TIME_NONE)
        e = stored_ledger_find(db, arena, a->cluster->id, a->cluster->taken, &latest);
    if (e || !latest || latest->time != a->to->time)
        return e;
    return exemption_pending(db, arena, a->cluster, a->r->now, &a->pending);
}

static enum error read_kept(struct db *db, void *arg)
{
    struct asking *a = arg;
    struct arena *arena = a->r->arena;
    enum error e = cluster_find(db, arena, a->cluster_name, &a->cluster);
    if (e || !a->cluster)
        return e ? e : ERR_UNKNOWN_CLUSTER;
    if (a->cluster->taken == TIME_NONE)
        return ERR_NO_SNAPSHOT;
    e = find_ledger(db, a, "at", a->at == TIME_NONE ? a->cluster->taken : a->at, &a->to);
    if (!e)
        e = find_pending(db, a);
    if (!e && a->since == TIME_NONE)
        return open_risks_of(db, arena, a->cluster->id, a->to, &a->open);
    if (!e)
        e = find_ledger(db, a, "since", a->since, &a->from);
    if (e)
        return e;
    int64_t first = a->from->time < a->to->time ? a->from->time : a->to->time;
    return risk_list(db, arena, a->cluster->id, first, &a->texts);
}

/* ---- pages ---- */

/* Walks through a list in its order: which of its risks are on this page? */
struct page_walk {
    const struct asking *a;
    int64_t left;
    struct place last;
    bool more;
};

static struct page_walk page_walk(const struct asking *a)
{
    return (struct page_walk){.a = a, .left = a->limit};
}

static bool is_behind(struct place place, struct place last)
{
    return place.points != last.points ? place.points < last.points
                                       : str_cmp(place.id, last.id) > 0;
}

/* points: those by which the list is sorted. */
static bool page_takes(struct page_walk *walk, const struct risk *risk, int64_t points)
{
    struct place place = {points, {risk->id, RISK_ID_LEN}};
    if (walk->a->after.id.p && !is_behind(place, walk->a->after))
        return false;
    if (!filter_passes(&walk->a->filter, risk))
        return false;
    walk->more |= walk->left == 0;
    if (walk->left == 0)
        return false;
    walk->left--;
    walk->last = (struct place){points, arena_str(walk->a->r->arena, place.id)};
    return true;
}

static void link_next(const struct page_walk *walk)
{
    const struct asking *a = walk->a;
    struct buf cursor = buf_init(a->r->arena, 256);
    buf_printf(&cursor, "%lld.", (long long)a->to->time);
    if (a->from)
        buf_printf(&cursor, "%lld", (long long)a->from->time);
    buf_printf(&cursor, ".%lld.%" STR_FMT, (long long)walk->last.points, STR_ARG(walk->last.id));
    if (walk->more)
        paging_link(a->r, buf_str(&cursor));
}

/* ---- answers ---- */

static void write_risk(struct jw *w, const struct risk *risk, int64_t first_seen, int64_t time)
{
    /* One that was gone and is back was first seen later than this. */
    report_risk(w, risk, STR("cluster"), first_seen > time ? TIME_NONE : first_seen);
}

static struct str check_set_text(const struct asking *a, const struct stored_ledger *kept)
{
    char text[RISK_ID_LEN + 1];
    return arena_str(a->r->arena, risk_id_text((uint64_t)kept->check_set, text));
}

static void add_headers(const struct asking *a)
{
    struct arena *arena = a->r->arena;
    char time[CLOCK_TEXT_SIZE], score[HUNDREDTHS_SIZE];
    struct http_response *response = &a->r->response;
    http_add_header(response, STR("X-Score-Time"), clock_format(a->to->time, time));
    hundredths_format_padded(impacts_score(&a->to->impacts), score);
    http_add_header(response, STR("X-Score-Exact"), arena_str(arena, str_of(score)));
    http_add_header(response, STR("X-Check-Set"), check_set_text(a, a->to));
    http_add_header(response, STR("X-Score-Formula"),
                    arena_printf(arena, "%lld", (long long)a->to->formula));
}

/* NULL: none. One that is exempt already needs none. */
static const struct exemption *pending_of(const struct asking *a, const struct risk *risk)
{
    if (risk->exempt)
        return NULL;
    return exemption_find(&a->pending, risk->check, risk->namespace, risk->resource);
}

static enum error answer_list(struct asking *a)
{
    struct page page;
    struct page_walk walk = page_walk(a);
    page_begin(a->r, &page);
    jw_array(&page.jw);
    for (uint32_t i = 0; i < a->open.n; i++) {
        struct risk *risk = &a->open.items[i];
        if (!page_takes(&walk, risk, risk->impact))
            continue;
        risk->pending = pending_of(a, risk);
        write_risk(&page.jw, risk, a->open.first_seen[i], a->to->time);
    }
    jw_array_end(&page.jw);
    add_headers(a);
    link_next(&walk);
    return page_json_tagged(a->r, &page);
}

static void write_hundredths(struct jw *w, struct str key, int64_t n)
{
    jw_key(w, key);
    jw_hundredths(w, n);
}

static void write_end(const struct asking *a, struct jw *w, struct str key,
                      const struct stored_ledger *kept)
{
    uint32_t exact = impacts_score(&kept->impacts);
    jw_key(w, key);
    jw_object(w);
    JW_TIME(w, "time", kept->time);
    JW_INT(w, "score", score_rounded(kept->formula, exact));
    write_hundredths(w, STR("score_exact"), exact);
    jw_key(w, STR("lost"));
    jw_object(w);
    for (int c = 0; c < CATEGORY_COUNT; c++)
        write_hundredths(w, category_name((enum category)c), kept->impacts.lost[c]);
    jw_object_end(w);
    JW_STR(w, "check_set", check_set_text(a, kept));
    JW_INT(w, "formula", kept->formula);
    jw_object_end(w);
}

/* Two versions of the formula give one cluster two scores: no risk is the cause of that. */
static void write_formula(const struct asking *a, struct jw *w)
{
    int64_t from = a->from->formula, to = a->to->formula;
    if (from == to)
        return;
    jw_key(w, STR("formula"));
    jw_object(w);
    JW_INT(w, "from", from);
    JW_INT(w, "to", to);
    JW_STR(w, "message",
           arena_printf(a->r->arena,
                        "The score is made by another formula (version %lld, it was %lld): risks "
                        "cost other points than before, also where the cluster has not changed.",
                        (long long)to, (long long)from));
    jw_object_end(w);
}

static const char *const kind_names[] = {[DIFFERENCE_OPENED] = "opened",
                                         [DIFFERENCE_RESOLVED] = "resolved",
                                         [DIFFERENCE_CHANGED] = "changed",
                                         [DIFFERENCE_UNCHANGED] = "unchanged"};

static void write_sums(struct jw *w, const struct difference *d)
{
    jw_key(w, STR("sums"));
    jw_object(w);
    for (int kind = 0; kind < DIFFERENCE_KINDS; kind++) {
        jw_key(w, str_of(kind_names[kind]));
        jw_object(w);
        JW_INT(w, "count", d->sums[kind].count);
        write_hundredths(w, STR("points"), d->sums[kind].points);
        jw_object_end(w);
    }
    jw_object_end(w);
}

static void write_entry(const struct asking *a, struct jw *w, const struct difference_entry *entry,
                        const struct risk_row *row)
{
    bool resolved = entry->kind == DIFFERENCE_RESOLVED;
    struct risk risk = row->risk;
    risk.impact = resolved ? entry->before : entry->after;
    int64_t time = resolved ? a->from->time : a->to->time;
    if (entry->kind != DIFFERENCE_CHANGED) {
        write_risk(w, &risk, row->first_seen, time);
        return;
    }
    jw_object(w);
    write_hundredths(w, STR("before"), entry->before);
    write_hundredths(w, STR("after"), entry->after);
    jw_key(w, STR("risk"));
    write_risk(w, &risk, row->first_seen, time);
    jw_object_end(w);
}

static void write_entries(const struct asking *a, struct jw *w, const struct difference *d,
                          const bool *taken, enum difference_kind kind)
{
    jw_key(w, str_of(kind_names[kind]));
    jw_array(w);
    for (uint32_t i = 0; i < d->entries.n; i++) {
        if (!taken[i] || d->entries.items[i].kind != kind)
            continue;
        struct risk_row row = risk_find(&a->texts, d->entries.items[i].id);
        write_entry(a, w, &d->entries.items[i], &row);
    }
    jw_array_end(w);
}

/* A page is a piece of all entries together, the weightiest first. */
static enum error answer_difference(struct asking *a)
{
    struct page page;
    struct page_walk walk = page_walk(a);
    struct difference d = difference_of(a->r->arena, &a->from->impacts, &a->to->impacts);
    bool *taken = ARENA_ARRAY(a->r->arena, d.entries.n, bool);
    for (uint32_t i = 0; i < d.entries.n; i++) {
        const struct difference_entry *entry = &d.entries.items[i];
        struct risk_row row = risk_find(&a->texts, entry->id);
        taken[i] = page_takes(&walk, &row.risk, llabs(difference_points(entry)));
    }
    page_begin(a->r, &page);
    struct jw *w = &page.jw;
    jw_object(w);
    write_end(a, w, STR("from"), a->from);
    write_end(a, w, STR("to"), a->to);
    write_hundredths(w, STR("change"), d.change);
    JW_BOOL(w, "check_set_changed", a->from->check_set != a->to->check_set);
    write_formula(a, w);
    write_sums(w, &d);
    for (int kind = 0; kind < DIFFERENCE_UNCHANGED; kind++)
        write_entries(a, w, &d, taken, (enum difference_kind)kind);
    jw_object_end(w);
    link_next(&walk);
    return page_json_tagged(a->r, &page);
}

enum error risks_list(struct request *r)
{
    struct asking a = {0};
    enum error e = read_asking(r, &a);
    if (!e)
        e = db_read(r->db, read_kept, &a);
    if (e)
        return e;
    return a.from ? answer_difference(&a) : answer_list(&a);
}

int main(int argc, char **argv)
{
    return app_run(argc, argv, "risks", routes());
}
