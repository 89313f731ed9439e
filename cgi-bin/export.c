/* export: what is stored of a cluster, in full. Such answers are large and take a while, so they
 * have workers of their own. What they need of the database is read at one moment, into memory and
 * spool files, before the first byte goes out. */
#include "base/hash.h"
#include "base/log.h"
#include "routes.h"
#include "report/posture.h"
#include "report/report.h"
#include "store/categories.h"
#include "store/cluster_document.h"
#include "store/stored_exemption.h"
#include "web/app.h"
#include "web/audit_trail.h"
#include "web/page.h"
#include "web/param.h"
#include "web/stored.h"

enum { FILE_NAME_MAX = 256, TO_THE_SECOND = 19 /* bytes of a time */ };

/* What is stored of one cluster. */
struct stored {
    struct request *r;
    struct str name; /* of the cluster */
    struct cluster_row *cluster;
    struct open_risks risks;
    struct snapshot_stored *copy; /* NULL when it is not needed */
    bool without_body;
    /* Called when the cluster is known: *enough says that no more of it is needed. Or NULL. */
    enum error (*look)(struct stored *stored, void *context, bool *enough);
    void *context;
};

static enum error read_stored(struct db *db, void *arg)
{
    struct stored *s = arg;
    struct arena *arena = s->r->arena;
    enum error e = cluster_find(db, arena, s->name, &s->cluster);
    if (e || !s->cluster)
        return e ? e : ERR_UNKNOWN_CLUSTER;
    if (s->cluster->taken == TIME_NONE)
        return ERR_NO_SNAPSHOT;
    bool enough = false;
    if (s->look)
        e = s->look(s, s->context, &enough);
    if (e || enough)
        return e;
    e = open_risks_fetch(db, arena, s->cluster->id, s->cluster->taken, &s->risks);
    if (e || s->without_body)
        return e;
    s->copy = stored_new(s->r);
    return s->copy ? snapshot_fetch(db, arena, s->cluster->id, s->copy) : ERR_INTERNAL;
}

static enum error fetch_stored(struct stored *s)
{
    return db_read(s->r->db, read_stored, s);
}

/* The log has said that it cannot be read. */
static enum error distrust(struct stored *s)
{
    enum error e = stored_is_to_blame(s->copy) ? cluster_distrust(s->r->db, s->cluster) : ERR_OK;
    return e ? e : ERR_INTERNAL;
}

/* ---- GET /api/cluster ---- */

static enum error read_view(struct request *r, struct cluster_view *view)
{
    struct str names = request_param(r, "include"), name;
    *view = cluster_view_all();
    if (names.n)
        *view = (struct cluster_view){0};
    while (names.n) {
        str_cut(names, ',', &name, &names);
        name = str_trim(name);
        struct str shown = str_utf8_prefix(name, 64);
        if (!cluster_view_add(view, name))
            return refuse_field(r, ERR_INVALID_FIELD, "include",
                                "has an unknown collection: \"%" STR_FMT "\".", STR_ARG(shown));
    }
    return ERR_OK;
}

struct showing {
    struct cluster_view view;
    bool gzip;
    struct str tag;
    bool known; /* the client has it already */
};

/* Risks are shown in the words of this release. */
static uint64_t hash_words(uint64_t hash)
{
    for (int i = 0; i < CHECK_COUNT; i++) {
        hash = hash_bytes(hash, str_of(checks[i].recommendation));
        hash = hash_bytes(hash, str_of(checks[i].frameworks));
    }
    return hash;
}

/* A tag stands for the bytes of the answer: it changes with each push, with what is asked for,
 * with the scope, and with the exemptions that risks tell of. */
static enum error look_at_tag(struct stored *s, void *context, bool *enough)
{
    struct showing *showing = context;
    struct request *r = s->r;
    int64_t revision, exemptions = 0;
    enum error e = snapshot_revision(r->db, r->arena, s->cluster->id, &revision);
    if (!e && showing->view.risks)
        e = exemption_revision(r->db, r->arena, s->cluster->name, &exemptions);
    const int64_t parts[] = {revision,
                             exemptions,
                             s->cluster->received,
                             s->cluster->taken,
                             (int64_t)showing->view.kinds,
                             showing->view.risks,
                             s->cluster->partial};
    uint64_t hash = hash_bytes(hash_words(0), s->cluster->id);
    hash = hash_bytes(hash, (struct str){(const char *)parts, sizeof parts});
    showing->tag =
        arena_printf(r->arena, "%016llx%s", (unsigned long long)hash, showing->gzip ? "-gzip" : "");
    showing->known = page_client_has(r, showing->tag);
    *enough = showing->known || r->http.method == HTTP_HEAD;
    return e;
}

static enum error read_document(struct stored *stored, struct cluster_document *document)
{
    struct source source;
    document->text = request_spool(stored->r);
    if (!document->text)
        return ERR_INTERNAL;
    enum error e = stored_open(stored->r, stored->copy, &source);
    if (!e && cluster_document_read(document, source))
        e = spool_failed(document->text) ? ERR_INTERNAL : distrust(stored);
    return e;
}

enum error export_cluster(struct request *r)
{
    struct showing showing = {.gzip = page_gzip(r)};
    struct stored stored = {.r = r, .look = look_at_tag, .context = &showing};
    enum error e = read_view(r, &showing.view);
    if (!e)
        e = param_cluster_name(r, "id", &stored.name);
    if (!e)
        e = fetch_stored(&stored);
    if (e || showing.known)
        return e ? e : page_not_modified(r, showing.tag);
    struct cluster_document *document = ARENA_NEW(r->arena, struct cluster_document);
    *document = (struct cluster_document){
        .arena = r->arena, .cluster = stored.cluster, .view = showing.view, .risks = stored.risks};
    if (stored.copy)
        e = read_document(&stored, document);
    if (e)
        return e;
    page_tag(r, showing.tag);
    return page_stream(r, STR("application/json"), showing.gzip, cluster_document_put, document);
}

/* ---- GET /api/export ---- */

struct report {
    struct request *r;
    const struct report_format *format;
    struct posture posture;
    struct str artifact; /* what SARIF's results are about */
};

static bool put_json(void *report, struct sink out)
{
    const struct report *p = report;
    return posture_json(p->r->arena, &p->posture, out);
}

static bool put_csv(void *report, struct sink out)
{
    const struct report *p = report;
    return posture_csv(p->r->arena, &p->posture, out);
}

static bool put_ocsf(void *report, struct sink out)
{
    const struct report *p = report;
    return posture_ocsf(p->r->arena, &p->posture, out);
}

static bool put_sarif(void *report, struct sink out)
{
    const struct report *p = report;
    struct ledger ledger = {.risks =
                                LIST_SLICE((struct risk *)p->posture.risks, p->posture.risks_n)};
    return report_sarif(p->r->arena, &ledger, p->artifact, NULL, out);
}

static const struct report_format {
    struct str name, type, ending;
    bool needs_snapshot;
    bool (*put)(void *report, struct sink out);
} formats[] = {
    {STR("json"), STR("application/json"), STR("json"), true, put_json},
    {STR("csv"), STR("text/csv; charset=utf-8"), STR("csv"), true, put_csv},
    {STR("ocsf"), STR("application/x-ndjson"), STR("ocsf.jsonl"), false, put_ocsf},
    {STR("sarif"), STR("application/sarif+json"), STR("sarif"), false, put_sarif},
};

static enum error read_format(struct request *r, const struct report_format **format)
{
    struct str name = request_param(r, "format");
    *format = &formats[0];
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (name.n == 0 || str_eq(formats[i].name, name)) {
            *format = &formats[i];
            return ERR_OK;
        }
    return refuse_field(r, ERR_INVALID_FIELD, "format", "must be json, csv, ocsf or sarif.");
}

/* loadline-production-20260317T121419Z.csv: a cluster's name has characters that a file's has not.
 */
static void name_file(const struct report *p)
{
    struct buf name = buf_init(p->r->arena, FILE_NAME_MAX);
    struct str cluster = p->posture.cluster_name, ending = p->format->ending;
    char text[CLOCK_TEXT_SIZE];
    struct str time = str_sub(clock_format(p->posture.generated, text), 0, TO_THE_SECOND);
    buf_put(&name, STR("attachment; filename=\"loadline-"));
    for (size_t i = 0; i < cluster.n; i++)
        buf_putc(&name, cluster.p[i] == '/' || cluster.p[i] == ':' ? '-' : cluster.p[i]);
    buf_putc(&name, '-');
    for (size_t i = 0; i < time.n; i++)
        if (time.p[i] != '-' && time.p[i] != ':')
            buf_putc(&name, time.p[i]);
    buf_printf(&name, "Z.%" STR_FMT "\"", STR_ARG(ending));
    http_add_header(&p->r->response, STR("Content-Disposition"), buf_str(&name));
}

static enum error read_model(struct stored *stored, struct posture *posture)
{
    struct snapshot_options options = {.total_max = UINT64_MAX};
    struct snapshot_error error;
    struct source source;
    enum error e = stored_open(stored->r, stored->copy, &source);
    if (e)
        return e;
    posture->cluster = snapshot_read(stored->r->arena, source, &options, &error);
    if (posture->cluster)
        return ERR_OK;
    log_error("problem=\"a stored snapshot cannot be read\" cluster=%s",
              log_quote(stored->cluster->id));
    return distrust(stored);
}

static enum error make_report(struct stored *stored, struct report *report)
{
    const struct cluster_row *row = stored->cluster;
    struct request *r = stored->r;
    report->posture = (struct posture){.cluster_name = row->name,
                                       .provider = row->provider,
                                       .region = row->region,
                                       .verdict = row->verdict,
                                       .partial = row->partial,
                                       .generated = r->now,
                                       .taken = row->taken,
                                       .score = row->score,
                                       .score_exact = row->score_exact,
                                       .risks = stored->risks.items,
                                       .first_seen = stored->risks.first_seen,
                                       .risks_n = stored->risks.n};
    categories_read(row->categories, report->posture.categories);
    report->artifact = arena_printf(r->arena, "clusters/%" STR_FMT, STR_ARG(row->name));
    return stored->copy ? read_model(stored, &report->posture) : ERR_OK;
}

enum error export_report(struct request *r)
{
    struct stored stored = {.r = r};
    struct report *report = ARENA_NEW(r->arena, struct report);
    bool gzip = page_gzip(r);
    report->r = r;
    enum error e = read_format(r, &report->format);
    if (!e)
        e = param_cluster_name(r, "clusterId", &stored.name);
    stored.without_body = !e && !report->format->needs_snapshot;
    if (!e)
        e = fetch_stored(&stored);
    if (!e)
        e = make_report(&stored, report);
    struct str name = stored.name, format = e ? STR("") : report->format->name;
    if (!e)
        e = audit_done(
            r, AUDIT_EXPORT,
            arena_printf(r->arena, "%" STR_FMT " (%" STR_FMT ")", STR_ARG(name), STR_ARG(format)));
    if (e)
        return e;
    name_file(report);
    return page_stream(r, report->format->type, gzip, report->format->put, report);
}

int main(int argc, char **argv)
{
    return app_run(argc, argv, "export", routes());
}
