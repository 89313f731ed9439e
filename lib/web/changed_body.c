#include "web/changed_body.h"

#include "base/log.h"
#include "reader/changes.h"
#include "service/metrics.h"
#include "store/cluster.h"
#include "web/stored.h"
#include "web/upload.h"

enum { PIECE = 64 * 1024 };

enum error changed_body_refuse(struct request *r, const char *why)
{
    metrics_add(METRIC_CHANGES_REFUSED, 1);
    return refuse(r, ERR_SEND_WHOLE, "Push the whole snapshot: %s.", why);
}

/* All of it, at most `max` bytes: then *full. False when the source failed. */
static bool read_all(struct arena *arena, struct source source, size_t max, struct str *text,
                     bool *full)
{
    struct buf buf = buf_init(arena, max + PIECE);
    ptrdiff_t n = 1;
    *full = false;
    while (n > 0 && !*full) {
        char *at = buf_reserve(&buf, PIECE);
        *full = !at || buf.n > max;
        if (*full)
            break;
        n = source.read(source.context, at, PIECE);
        if (n > 0)
            buf_commit(&buf, (size_t)n);
    }
    *text = buf_str(&buf);
    return n >= 0;
}

/* ---- the list ---- */

static enum error read_text(struct changed_body *body, struct upload *upload, struct str *text)
{
    struct request *r = body->r;
    bool full;
    enum error e = upload_open(r, body->compression, CHANGED_BODY_MAX, upload);
    if (e)
        return e;
    if (!read_all(r->arena, upload->source, CHANGED_BODY_MAX, text, &full))
        return upload_refuse(upload, &(struct jr_error){.code = JR_E_SOURCE});
    return full ? refuse(r, ERR_TOO_LARGE,
                         "The list of changes is longer than %d MiB: push the whole snapshot.",
                         CHANGED_BODY_MAX >> 20)
                : ERR_OK;
}

static enum error read_changes(struct changed_body *body, struct changes *changes)
{
    struct upload upload;
    struct changes_error error;
    struct str text;
    enum error e = read_text(body, &upload, &text);
    if (e || changes_read(body->r->arena, text, changes, &error))
        return e;
    if (!error.field)
        return upload_refuse(&upload, &error.json);
    return refuse_field(body->r, error.missing ? ERR_MISSING_FIELD : ERR_INVALID_FIELD, error.field,
                        "%s", error.why);
}

/* ---- the document that is stored ---- */

struct fetching {
    struct arena *arena;
    struct str cluster;
    struct snapshot_stored *stored;
};

static enum error fetch(struct db *db, void *arg)
{
    struct fetching *fetching = arg;
    return snapshot_fetch(db, fetching->arena, fetching->cluster, fetching->stored);
}

/* Pushed whole it needs no spool. */
static enum error refuse_for_room(struct request *r)
{
    return changed_body_refuse(r, "there is no room to put it together");
}

/* Whoever reads it first says so, and the whole snapshot that comes now replaces it. */
static enum error distrust(struct changed_body *body, const struct snapshot_stored *stored)
{
    struct request *r = body->r;
    struct cluster_row row = {.id = body->before->cluster};
    if (!stored_is_to_blame(stored))
        return refuse_for_room(r);
    log_error("problem=\"a stored snapshot cannot be read\" cluster=%s", log_quote(row.id));
    enum error e = cluster_distrust(r->db, &row);
    return e ? e : changed_body_refuse(r, "the stored one cannot be read");
}

static enum error read_stored(struct changed_body *body, struct str base,
                              struct document_index *index)
{
    struct request *r = body->r;
    struct snapshot_stored *stored = stored_new(r);
    struct fetching fetching = {r->arena, body->before->cluster, stored};
    struct snapshot_error error;
    struct source source;
    struct str text;
    bool full;
    if (!stored)
        return refuse_for_room(r);
    enum error e = db_read(r->db, fetch, &fetching);
    if (e)
        return e == ERR_INTERNAL && !stored_is_to_blame(stored) ? refuse_for_room(r) : e;
    if (!str_eq(base, str_of(snapshot_name_of_stored(stored).text)))
        return changed_body_refuse(r, "another one has come meanwhile");
    e = stored_open(r, stored, &source);
    if (e)
        return e;
    if (!read_all(r->arena, source, CHANGED_DOCUMENT_MAX, &text, &full))
        return distrust(body, stored);
    if (full)
        return changed_body_refuse(r, "it is too long to be put together");
    return document_index_read(r->arena, text, index, &error) ? ERR_OK : distrust(body, stored);
}

/* The document of that name, by what is remembered or by the database; in any case it is the one
 * that is stored. */
static enum error find_base(struct changed_body *body, struct str base,
                            const struct document_index **index)
{
    struct request *r = body->r;
    const struct push_before *before = body->before;
    struct snapshot_name name;
    if (!before || before->base.n != SNAPSHOT_BASE || before->wear.surplus < 0)
        return changed_body_refuse(r, "there is none to which these changes could be made");
    enum error e =
        snapshot_stored_name(r->db, r->arena, before->cluster, before->base, before->delta_digest,
                             (size_t)r->conf->base_memory_mib << 20, &name);
    if (e)
        return e;
    if (!str_eq(base, str_of(name.text)))
        return changed_body_refuse(r, "what is stored is not the base of these changes");
    *index = body->known ? document_memory_find(body->known->document, r->arena, base) : NULL;
    if (*index)
        return ERR_OK;
    struct document_index *read = ARENA_NEW(r->arena, struct document_index);
    *index = read;
    return read_stored(body, base, read);
}

/* ---- both ---- */

enum error changed_body_read(struct changed_body *body)
{
    struct request *r = body->r;
    struct changes changes;
    unsigned char digest[SHA256];
    const struct document_index *base = NULL;
    const char *why;
    enum error e = read_changes(body, &changes);
    if (!e)
        e = find_base(body, changes.base, &base);
    if (e)
        return e;
    body->document = changes_apply(r->arena, base, &changes, CHANGED_DOCUMENT_MAX, digest, &why);
    if (!body->document)
        return changed_body_refuse(r, why);
    return memcmp(digest, changes.digest, SHA256) == 0
               ? ERR_OK
               : changed_body_refuse(r, "these changes do not make the objects of the digest");
}

void changed_body_keep(const struct changed_body *body, struct str name, text_part_list places)
{
    metrics_add(METRIC_CHANGES_APPLIED, 1);
    if (body->known)
        document_memory_keep(body->known->document, name, body->document, places);
}
