/* cluster_document: what GET /api/cluster shows: the stored snapshot of a cluster by kind, with its
 * score and its risks.
 */
#ifndef LOADLINE_STORE_CLUSTER_DOCUMENT_H
#define LOADLINE_STORE_CLUSTER_DOCUMENT_H

#include "reader/object_locations.h"
#include "service/spool.h"
#include "store/cluster.h"
#include "store/open_risks.h"

/* Which collections are shown. */
struct cluster_view {
    uint64_t kinds; /* a bit per enum kind */
    bool risks;
};

struct cluster_view cluster_view_all(void);
/* Adds the collection of that name: "risks", or one of kind_of_collection(). False when there is
 * none of that name. */
bool cluster_view_add(struct cluster_view *view, struct str name);

struct cluster_document {
    struct arena *arena;
    const struct cluster_row *cluster;
    struct cluster_view view;
    struct open_risks risks;
    struct spool *text; /* the snapshot, inflated */
    struct object_locations *locations;
};

/* Keeps the snapshot, which `from` gives, in document->text and looks where its objects stand.
 * INTERNAL when it cannot be read: the log says why. */
enum error cluster_document_read(struct cluster_document *document, struct source from);

/* {"id", "score", "taken_at", "verdict", "scope", "pods": [...], ...}, in pieces. document: a
 * struct cluster_document.
 */
bool cluster_document_put(void *document, struct sink out);

#endif
