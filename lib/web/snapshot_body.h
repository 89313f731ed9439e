/* snapshot_body: the body of a pushed snapshot becomes the model and the copy that is stored. The
 * body is in memory as it came; it streams through inflater and reader into the model, and redacted
 * into what is stored: what has changed since the base that is stored, or all of it.
 */
#ifndef LOADLINE_WEB_SNAPSHOT_BODY_H
#define LOADLINE_WEB_SNAPSHOT_BODY_H

#include "kube/model.h"
#include "reader/document_index.h"
#include "store/snapshot.h"
#include "web/judging.h"
#include "web/known_cluster.h"

struct snapshot_body {
    struct request *r;
    enum compression compression;
    const struct document_index *document; /* in place of what came; NULL: that is read */
    struct judging *judging;
    const struct known_cluster *known; /* NULL: nothing is remembered of the cluster */
    const struct delta_base *base;     /* that is stored; NULL: the document is stored whole */
    struct str base_id;                /* with the base, as what is known of deltas against it */
    struct snapshot_wear wear;
    /* What becomes of it. */
    struct cluster *cluster;
    struct snapshot_copy *copy; /* of the redacted document */
    text_part_list places;      /* of its objects */
};

/* Inside of judging_guard(). SEND_WHOLE: a given document is not what would be stored of it, so
 * that changes of it would lead elsewhere. */
enum error snapshot_body_read(struct snapshot_body *body);

#endif
