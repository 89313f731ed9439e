#include "store/tenant.h"

struct slots {
    struct str plan;
    int64_t clusters; /* taken */
};

struct company {
    struct str name;
};

#define STATEMENTS "store/tenant.def"
#include "db/statements.inc"

static const struct plan plans[] = {
#define PLAN(name, clusters, retention, objects, gib)                                              \
    {{#name, sizeof(#name) - 1}, clusters, retention, objects, INT64_C(gib) << 30},
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

int64_t plan_least_objects(void)
{
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++)
        if (plans[i].objects < least)
            least = plans[i].objects;
    return least;
}

int64_t plan_least_share(void)
{
    int64_t least = INT64_MAX;
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++)
        if (plans[i].bytes / plans[i].clusters < least)
            least = plans[i].bytes / plans[i].clusters;
    return least;
}

const struct plan *plan_at_signup(bool anybody)
{
    return &plans[anybody ? 0 : sizeof plans / sizeof plans[0] - 1];
}

enum error tenant_create(struct db *db, struct str company, const struct plan *plan, int64_t now,
                         char id[UUID_TEXT_LEN + 1])
{
    rand_uuid(id);
    db_set_tenant(db, str_of(id));
    return DB_RUN(db, tenant_insert, .company = company, .plan = plan->name, .created_at = now);
}

enum error tenant_any(struct db *db, struct arena *arena, bool *any)
{
    int64_t count;
    enum error e = DB_NUMBER(db, arena, &count, tenant_any);
    *any = count > 0;
    return e;
}

enum error tenant_company(struct db *db, struct arena *arena, struct str *name)
{
    struct company *company;
    enum error e = DB_ROW(db, arena, &company, tenant_company);
    *name = !e && company ? company->name : STR("");
    return e;
}

enum error tenant_slots(struct db *db, struct arena *arena, const struct plan **plan, int64_t *used)
{
    struct slots *slots;
    enum error e = DB_ROW(db, arena, &slots, tenant_slots);
    if (e || !slots)
        return e ? e : ERR_UNAUTHORIZED;
    *plan = plan_of(slots->plan);
    *used = slots->clusters;
    return ERR_OK;
}

enum error tenant_lock(struct db *db, struct arena *arena)
{
    bool has_slot;
    return tenant_lock_slots(db, arena, &has_slot);
}

enum error tenant_lock_slots(struct db *db, struct arena *arena, bool *has_slot)
{
    struct slots *slots;
    enum error e = DB_ROW(db, arena, &slots, tenant_lock);
    *has_slot = slots && slots->clusters < plan_of(slots->plan)->clusters;
    return e || slots ? e : ERR_UNAUTHORIZED;
}

enum error tenant_take_slot(struct db *db)
{
    return DB_RUN(db, tenant_take_slot);
}

enum error tenant_free_slot(struct db *db)
{
    return DB_RUN(db, tenant_free_slot);
}
