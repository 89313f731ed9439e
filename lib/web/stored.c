#include "web/stored.h"

#include "store/snapshot_text.h"

struct snapshot_stored *stored_new(struct request *r)
{
    struct snapshot_stored *stored = ARENA_NEW(r->arena, struct snapshot_stored);
    stored->body = request_spool(r);
    stored->added = request_spool(r);
    stored->room = request_spool(r);
    return stored->body && stored->added && stored->room ? stored : NULL;
}

bool stored_is_to_blame(const struct snapshot_stored *stored)
{
    return !spool_failed(stored->body) && !spool_failed(stored->added) &&
           !spool_failed(stored->room);
}

static void release(void *text)
{
    snapshot_text_free(text);
}

enum error stored_open(struct request *r, const struct snapshot_stored *stored,
                       struct source *source)
{
    struct snapshot_text *text = snapshot_open(stored);
    if (!text)
        return ERR_OUT_OF_MEMORY;
    request_defer(r, release, text);
    *source = snapshot_text_source(text);
    return ERR_OK;
}
