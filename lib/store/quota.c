#include "store/quota.h"

#define STATEMENTS "store/quota.def"
#include "db/statements.inc"

bool quota_is_ordinary(int64_t bytes, uint32_t objects)
{
    return objects <= plan_least_objects() && bytes <= plan_least_share();
}

enum error quota_fetch(struct db *db, struct arena *arena, struct quota *quota)
{
    int64_t clusters;
    enum error e = tenant_slots(db, arena, &quota->plan, &clusters);
    return e ? e : DB_NUMBER(db, arena, &quota->bytes, quota_bytes);
}

int64_t quota_aged(int64_t kept, int64_t since, int64_t now, int64_t retention)
{
    int64_t days = since == TIME_NONE ? 0 : now / CLOCK_DAY - since / CLOCK_DAY;
    if (days >= 2 * retention)
        return 0;
    for (; days > 0; days--)
        kept -= (kept + retention - 1) / retention;
    return kept;
}
