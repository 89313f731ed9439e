/* changed_body: the body of a push that says what has changed (reader/changes.h). Together with the
 * stored document it makes the one that is read, judged and stored, as if it had been pushed whole.
 */
#ifndef LOADLINE_WEB_CHANGED_BODY_H
#define LOADLINE_WEB_CHANGED_BODY_H

#include "codec/decompress.h"
#include "web/cluster_memory.h"
#include "store/push.h"
#include "web/request.h"

enum {
    CHANGED_BODY_MAX = 32 << 20,    /* bytes of JSON */
    CHANGED_DOCUMENT_MAX = 64 << 20 /* of the document: longer ones are pushed whole */
};

struct changed_body {
    struct request *r;
    enum compression compression;
    const struct push_before *before;  /* NULL: the cluster is new */
    const struct known_cluster *known; /* or NULL */
    /* What becomes of it: the document, in the arena. */
    const struct document_index *document;
};

/* SEND_WHOLE: the base is not what is stored, or what they make is not what the sender has. Errors
 * of upload.h. */
enum error changed_body_read(struct changed_body *body);
/* The document is stored under that name: it is remembered. places: those of its objects. */
void changed_body_keep(const struct changed_body *body, struct str name, text_part_list places);

/* Refuses: the sender is to push the whole snapshot. why: ends a sentence. */
enum error changed_body_refuse(struct request *r, const char *why);

#endif
