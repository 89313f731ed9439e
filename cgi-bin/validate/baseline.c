#include "baseline.h"

#include "report/report.h"
#include "store/decision.h"
#include "store/open_risks.h"
#include "web/page.h"

/* Clocks of pipelines differ a little from ours. */
enum { FRESH_MAX = 100, AHEAD_MS = 5 * 60 * 1000 };

static bool is_last_safe(struct str asked)
{
    return str_eq(asked, STR("last_safe"));
}

enum error baseline_check(struct request *r, struct str asked)
{
    if (!asked.n || is_last_safe(asked) || str_is_uuid(asked))
        return ERR_OK;
    int64_t time = clock_parse(asked);
    if (time == TIME_NONE)
        return refuse_field(r, ERR_INVALID_FIELD, "baseline",
                            "must be last_safe, the id of a decision, or a time such as "
                            "2026-03-17T12:00:00Z.");
    if (time > r->now + AHEAD_MS)
        return refuse_field(r, ERR_INVALID_FIELD, "baseline",
                            "must not be in the future: nothing could ever be new.");
    return ERR_OK;
}

struct finding_baseline {
    struct request *r;
    const struct cluster_row *cluster;
    const struct ledger *after;
    struct asked_baseline *b;
    struct stored_ledger *then;
    struct open_risks now;
};

static enum error find_moment(struct db *db, struct finding_baseline *f)
{
    struct asked_baseline *b = f->b;
    struct decision_moment *moment = NULL;
    bool last_safe = is_last_safe(b->asked);
    b->time = clock_parse(b->asked);
    if (b->time != TIME_NONE)
        return ERR_OK;
    enum error e = decision_moment(db, f->r->arena, f->cluster->id,
                                   last_safe ? (struct str){0} : b->asked, &moment);
    if (!e && !moment && !last_safe)
        e = ERR_UNKNOWN_DECISION;
    if (e || !moment)
        return e;
    b->decision_id = moment->id;
    b->time = moment->score_time;
    return ERR_OK;
}

/* An answer tells FRESH_MAX of them: the others are only counted. */
static enum error read_fresh(struct db *db, struct finding_baseline *f)
{
    struct stored_ledger *now;
    struct arena *arena = f->r->arena;
    struct str cluster = f->cluster->id;
    const struct impacts *then = f->then ? &f->then->impacts : NULL;
    enum error e = stored_ledger_find(db, arena, cluster, f->cluster->taken, &now);
    return e || !now ? e : open_risks_fresh(db, arena, cluster, now, then, FRESH_MAX, &f->now);
}

static enum error read_kept(struct db *db, void *arg)
{
    struct finding_baseline *f = arg;
    struct arena *arena = f->r->arena;
    enum error e = find_moment(db, f);
    if (!e && f->b->time != TIME_NONE)
        e = stored_ledger_find(db, arena, f->cluster->id, f->b->time, &f->then);
    if (!e && f->b->time != TIME_NONE && !f->then && !is_last_safe(f->b->asked))
        e = ERR_NO_LEDGER;
    if (!e && !f->after)
        e = read_fresh(db, f);
    return e;
}

enum error baseline_find(struct request *r, const struct cluster_row *cluster,
                         const struct ledger *after, struct asked_baseline *b)
{
    struct finding_baseline f = {.r = r, .cluster = cluster, .after = after, .b = b};
    enum error e = db_read(r->db, read_kept, &f);
    if (e)
        return e;
    const struct impacts *then = f.then ? &f.then->impacts : NULL;
    b->time = f.then ? f.then->time : TIME_NONE;
    b->baseline =
        after
            ? baseline_judge(r->arena, then, after->risks.items, after->risks.n, after->score_exact)
            : baseline_judge(r->arena, then, f.now.items, f.now.n, (uint32_t)cluster->score_exact);
    return ERR_OK;
}

void baseline_write(struct jw *w, const struct asked_baseline *b)
{
    if (!b->asked.n)
        return;
    JW_INT(w, "score_new", b->score);
    JW_STR(w, "decision_new", decision_name(decision_of(b->score)));
    jw_key(w, STR("baseline"));
    jw_object(w);
    JW_STR(w, "asked", b->asked);
    JW_STR_OR_NULL(w, "decision_id", b->decision_id);
    JW_TIME(w, "time", b->time);
    JW_INT(w, "risks_total", b->baseline.fresh.n);
    jw_key(w, STR("risks"));
    jw_array(w);
    for (uint32_t i = 0; i < b->baseline.fresh.n && i < FRESH_MAX; i++)
        report_risk(w, b->baseline.fresh.items[i], STR("cluster"), TIME_NONE);
    jw_array_end(w);
    jw_object_end(w);
}
