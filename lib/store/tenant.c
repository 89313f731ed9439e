#include "store/tenant.h"

static const struct plan plans[] = {
#define PLAN(name, clusters, retention) {{#name, sizeof(#name) - 1}, clusters, retention},
#include "store/plans.def"
#undef PLAN
};

const struct plan *plan_find(struct str name)
{
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++)
        if (str_eq(plans[i].name, name))
            return &plans[i];
    return NULL;
}

const struct plan *plan_of(struct str name)
{
    const struct plan *plan = plan_find(name);
    return plan ? plan : &plans[0];
}

enum error tenant_create(struct db *db, struct str company, int64_t now, char id[UUID_TEXT_LEN + 1])
{
    rand_uuid(id);
    db_set_tenant(db, str_of(id));
    return db_run(db, STMT_tenant_insert,
                  DB_ARGS(db_text(company), db_text(plans[0].name), db_time(now)), NULL);
}

static enum error fetch_slots(struct db *db, struct arena *arena, enum stmt stmt,
                              const struct plan **plan, int64_t *used)
{
    struct db_value *row;
    enum error e = db_row(db, arena, stmt, DB_NO_ARGS, &row);
    if (e || !row)
        return e ? e : ERR_INTERNAL;
    *plan = plan_of(row[0].s);
    *used = row[1].i;
    return ERR_OK;
}

enum error tenant_slots(struct db *db, struct arena *arena, const struct plan **plan, int64_t *used)
{
    return fetch_slots(db, arena, STMT_tenant_slots, plan, used);
}

enum error tenant_lock(struct db *db, struct arena *arena)
{
    const struct plan *plan;
    int64_t used;
    return fetch_slots(db, arena, STMT_tenant_lock, &plan, &used);
}

enum error tenant_lock_slots(struct db *db, struct arena *arena, bool *has_slot)
{
    const struct plan *plan;
    int64_t used;
    enum error e = fetch_slots(db, arena, STMT_tenant_lock, &plan, &used);
    *has_slot = !e && used < plan->clusters;
    return e;
}

enum error tenant_take_slot(struct db *db)
{
    return db_run(db, STMT_tenant_take_slot, DB_NO_ARGS, NULL);
}

enum error tenant_free_slot(struct db *db)
{
    return db_run(db, STMT_tenant_free_slot, DB_NO_ARGS, NULL);
}
