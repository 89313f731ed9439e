/* export: what is stored of a cluster, in full. Such answers are large and take a while, so they
 * have workers of their own. What they need of the database is read at one moment, into memory and
 * spool files, before the first byte goes out. */
#include "base/hash.h"
#include "codec/inflate.h"
#include "routes.h"
#include "store/cluster_document.h"
#include "store/snapshot.h"
#include "web/app.h"
#include "web/page.h"
#include "web/param.h"

/* What is stored of one cluster. */
struct stored {
    struct request *r;
    struct str name; /* of the cluster */
    struct cluster_row *cluster;
    struct open_risks risks;
    struct spool *body; /* gzip */
    /* Called when the cluster is known: true when no more of it is needed. Or NULL. */
    bool (*is_enough)(struct stored *stored, void *context);
    void *context;
};

static void release_spool(void *spool)
{
    spool_free(spool);
}

static void release_inflate(void *in)
{
    inflate_free(in);
}

static struct spool *open_spool(struct request *r)
{
    struct spool *spool = spool_open(r->conf->spool_directory.s);
    if (spool)
        request_defer(r, release_spool, spool);
    return spool;
}

static enum error read_cluster_name(struct request *r, const char *parameter, struct str *name)
{
    *name = request_param(r, parameter);
    if (!name->p)
        return refuse_field(r, ERR_MISSING_FIELD, parameter, "is required.");
    return check_cluster_name(r, parameter, *name);
}

static enum error read_stored(struct db *db, void *arg)
{
    struct stored *s = arg;
    struct arena *arena = s->r->arena;
    enum error e = cluster_find(db, arena, s->name, &s->cluster);
    if (e || !s->cluster)
        return e ? e : ERR_UNKNOWN_CLUSTER;
    if (s->cluster->taken == TIME_NONE)
        return ERR_NO_SNAPSHOT;
    if (s->is_enough && s->is_enough(s, s->context))
        return ERR_OK;
    s->body = open_spool(s->r);
    if (!s->body)
        return ERR_INTERNAL;
    e = open_risks_fetch(db, arena, s->cluster->id, s->cluster->taken, &s->risks);
    return e ? e : snapshot_spool(db, arena, s->cluster->id, s->body);
}

static enum error fetch_stored(struct stored *s)
{
    return db_read(s->r->db, read_stored, s);
}

/* The snapshot inflated. */
static enum error open_snapshot(struct stored *s, struct source *source)
{
    struct inflate *in = inflate_open(spool_source(s->body), UINT64_MAX);
    if (!in)
        return ERR_OUT_OF_MEMORY;
    request_defer(s->r, release_inflate, in);
    *source = inflate_source(in);
    return ERR_OK;
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

/* A tag stands for the bytes of the answer: it changes with each push, and with what is asked for.
 */
static bool is_shown_already(struct stored *s, void *context)
{
    struct showing *showing = context;
    const struct cluster_row *row = s->cluster;
    const int64_t parts[] = {row->received, row->taken, row->brief_hash,
                             (int64_t)showing->view.kinds, showing->view.risks};
    uint64_t hash =
        hash_bytes(hash_bytes(0, row->id), (struct str){(const char *)parts, sizeof parts});
    showing->tag = arena_printf(s->r->arena, "%016llx%s", (unsigned long long)hash,
                                showing->gzip ? "-gzip" : "");
    showing->known = page_client_has(s->r, showing->tag);
    return showing->known || s->r->http.method == HTTP_HEAD;
}

static enum error read_document(struct stored *stored, struct cluster_document *document)
{
    struct source source;
    document->text = open_spool(stored->r);
    if (!document->text)
        return ERR_INTERNAL;
    enum error e = open_snapshot(stored, &source);
    return e ? e : cluster_document_read(document, source);
}

enum error export_cluster(struct request *r)
{
    struct showing showing = {.gzip = page_gzip(r)};
    struct stored stored = {.r = r, .is_enough = is_shown_already, .context = &showing};
    enum error e = read_view(r, &showing.view);
    if (!e)
        e = read_cluster_name(r, "id", &stored.name);
    if (!e)
        e = fetch_stored(&stored);
    if (e || showing.known)
        return e ? e : page_not_modified(r, showing.tag);
    struct cluster_document *document = ARENA_NEW(r->arena, struct cluster_document);
    *document = (struct cluster_document){
        .arena = r->arena, .cluster = stored.cluster, .view = showing.view, .risks = stored.risks};
    if (stored.body)
        e = read_document(&stored, document);
    if (e)
        return e;
    page_tag(r, showing.tag);
    return page_stream(r, STR("application/json"), showing.gzip, cluster_document_put, document);
}

int main(void)
{
    return app_run("export", routes());
}
