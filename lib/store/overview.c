#include "store/overview.h"

enum error overview_fetch(struct db *db, struct arena *arena, struct overview *overview)
{
    struct db_rows clusters, deliveries;
    enum error e = db_rows(db, arena, STMT_overview_clusters, DB_NO_ARGS, &clusters);
    if (!e)
        e = db_rows(db, arena, STMT_overview_deliveries, DB_NO_ARGS, &deliveries);
    if (e)
        return e;
    *overview = (struct overview){
        .n = clusters.n, .clusters = ARENA_ARRAY(arena, clusters.n, struct overview_cluster)};
    for (size_t i = 0; i < clusters.n; i++) {
        const struct db_value *row = clusters.items[i];
        overview->clusters[i] = (struct overview_cluster){row[0].s, row[1].s, row[2].i, row[3].i};
    }
    for (size_t i = 0; i < deliveries.n; i++) {
        const struct db_value *row = deliveries.items[i];
        *(str_eq(row[0].s, STR("queued")) ? &overview->queued : &overview->gave_up) = row[1].i;
    }
    return ERR_OK;
}
