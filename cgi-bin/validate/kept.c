#include "kept.h"

#include "service/metrics.h"
#include "store/gate_memory.h"

static enum error keep(struct db *db, struct arena *arena, struct request *const *requests,
                       size_t n)
{
    const struct decision_row **rows = ARENA_ARRAY(arena, n, const struct decision_row *);
    const struct audit_entry **entries = ARENA_ARRAY(arena, n, const struct audit_entry *);
    for (size_t i = 0; i < n; i++) {
        const struct kept *kept = requests[i]->left.what;
        rows[i] = &kept->row;
        entries[i] = &kept->entry;
    }
    enum error e = decision_add(db, arena, rows, n);
    return e ? e : audit_add_all(db, arena, entries, n);
}

static void note(void *what)
{
    const struct kept *kept = what;
    enum decision decision = kept->decision;
    gate_memory_kept(kept->row.cluster, kept->connection, kept->row.time, kept->row.risks_hash);
    metrics_add(decision == DECISION_SAFE   ? METRIC_GATE_SAFE
                : decision == DECISION_WARN ? METRIC_GATE_WARN
                                            : METRIC_GATE_BLOCK,
                1);
}

void kept_leave(struct request *r, struct kept *kept)
{
    kept->connection = db_connection(r->db);
    r->left.keep = keep;
    r->left.what = kept;
    r->left.kept = note;
}
