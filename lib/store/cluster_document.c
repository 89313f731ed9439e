#include "store/cluster_document.h"

#include "base/log.h"
#include "kube/kinds.h"
#include "report/report.h"

enum { HEAD_MAX = 64 * 1024, RISK_MAX = 1024 * 1024 };

/* What most come for stands first; the other kinds follow. KIND_NONE stands for the risks. */
static const enum kind first[] = {
    KIND_POD,     KIND_DEPLOYMENT,  KIND_NODE,      KIND_EVENT,      KIND_NONE, KIND_SERVICE,
    KIND_INGRESS, KIND_STATEFULSET, KIND_DAEMONSET, KIND_REPLICASET, KIND_JOB,  KIND_CRONJOB,
};
enum { FIRST_COUNT = sizeof first / sizeof first[0] };

static uint64_t bit(enum kind kind)
{
    return (uint64_t)1 << kind;
}

struct cluster_view cluster_view_all(void)
{
    return (struct cluster_view){UINT64_MAX, true};
}

bool cluster_view_add(struct cluster_view *view, struct str name)
{
    enum kind kind = kind_of_collection(name);
    if (str_eq(name, STR("risks")))
        view->risks = true;
    else if (kind != KIND_NONE)
        view->kinds |= bit(kind);
    else
        return false;
    return true;
}

/* ---- reading ---- */

enum error cluster_document_read(struct cluster_document *document, struct source from)
{
    struct snapshot_error error;
    struct spool_tee tee = {from, document->text};
    document->locations = object_locations_read(document->arena, spool_tee_source(&tee), &error);
    if (document->locations)
        return ERR_OK;
    log_error("problem=\"a stored snapshot cannot be read\" cluster=%s json=%d offset=%llu",
              log_quote(document->cluster->id), (int)error.json.code,
              (unsigned long long)error.json.offset);
    return ERR_INTERNAL;
}

/* ---- writing ---- */

static bool put(struct sink out, struct str bytes)
{
    return bytes.n == 0 || out.put(out.context, bytes);
}

static bool put_head(const struct cluster_document *d, struct sink out)
{
    struct buf buf = buf_init(d->arena, HEAD_MAX);
    struct jw w;
    jw_init(&w, &buf);
    jw_object(&w);
    JW_STR(&w, "id", d->cluster->name);
    JW_INT(&w, "score", d->cluster->score);
    JW_TIME(&w, "taken_at", d->cluster->taken);
    JW_STR_OR_NULL(&w, "verdict", d->cluster->verdict);
    JW_STR(&w, "scope", report_scope(d->cluster->partial));
    return put(out, buf_str(&buf));
}

static bool put_key(struct str name, struct sink out)
{
    return put(out, STR(",\"")) && put(out, name) && put(out, STR("\":["));
}

static bool put_item(const struct cluster_document *d, const struct object_location *item,
                     struct sink out)
{
    const struct snapshot_object *object = &item->object;
    struct str type = object_location_type(d->arena, item);
    uint64_t without_brace = object->to - object->from - 1;
    return spool_copy(d->text, object->from, without_brace, out) && put(out, type) &&
           put(out, STR("}"));
}

static bool put_kind(const struct cluster_document *d, enum kind kind, struct sink out)
{
    const struct object_location *item;
    bool more = false, good = put_key(kind_plural(kind), out);
    LIST_EACH (item, d->locations->kinds[kind]) {
        if (item->repeated)
            continue;
        good = good && (!more || put(out, STR(","))) && put_item(d, item, out);
        more = true;
    }
    return good && put(out, STR("]"));
}

static bool put_risks(const struct cluster_document *d, struct sink out)
{
    struct buf buf = buf_init(d->arena, RISK_MAX);
    bool good = put_key(STR("risks"), out);
    for (uint32_t i = 0; good && i < d->risks.n; i++) {
        struct jw w;
        buf.n = 0;
        jw_init(&w, &buf);
        w.comma = i > 0;
        report_risk(&w, &d->risks.items[i], STR("cluster"), d->risks.first_seen[i]);
        good = !buf.full && put(out, buf_str(&buf));
    }
    return good && put(out, STR("]"));
}

bool cluster_document_put(void *document, struct sink out)
{
    const struct cluster_document *d = document;
    uint64_t left = d->view.kinds;
    bool good = put_head(d, out);
    for (size_t i = 0; good && i < FIRST_COUNT; i++) {
        enum kind kind = first[i];
        if (kind == KIND_NONE)
            good = !d->view.risks || put_risks(d, out);
        else if (left & bit(kind))
            good = put_kind(d, kind, out);
        left &= ~bit(kind);
    }
    for (enum kind kind = KIND_NONE + 1; good && kind < KIND_COUNT; kind++)
        if (left & bit(kind))
            good = put_kind(d, kind, out);
    return good && put(out, STR("}\n"));
}
