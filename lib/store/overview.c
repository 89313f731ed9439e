#include "store/overview.h"

struct queue {
    struct str state;
    int64_t messages;
};

#define STATEMENTS "store/overview.def"
#include "db/statements.inc"

enum error overview_fetch(struct db *db, struct arena *arena, struct overview *overview)
{
    struct queue *queues;
    size_t n;
    *overview = (struct overview){0};
    enum error e = DB_ROWS(db, arena, &overview->clusters, &overview->n, overview_clusters);
    if (!e)
        e = DB_ROWS(db, arena, &queues, &n, overview_deliveries);
    for (size_t i = 0; !e && i < n; i++) {
        bool queued = str_eq(queues[i].state, STR("queued"));
        *(queued ? &overview->queued : &overview->gave_up) = queues[i].messages;
    }
    return e;
}
