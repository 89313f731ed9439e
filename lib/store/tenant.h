/* tenant: an account, and its plan. */
#ifndef LOADLINE_STORE_TENANT_H
#define LOADLINE_STORE_TENANT_H

#include "db/db.h"

struct plan {
    struct str name;
    int64_t clusters;  /* known at a time */
    int64_t retention; /* days of score history */
    int64_t objects;   /* of a snapshot */
    int64_t bytes;     /* kept of all clusters */
};

/* NULL when there is none of that name. */
const struct plan *plan_find(struct str name);
/* The first of plans.def when there is none of that name. */
const struct plan *plan_of(struct str name);

/* What every plan allows: objects of a snapshot; bytes of a cluster, when all have as many. */
int64_t plan_least_objects(void);
int64_t plan_least_share(void);

/* The plan of who signs up. anybody: may anybody do so? Else it is the operator, or somebody whom
 * the operator has invited. */
const struct plan *plan_at_signup(bool anybody);

/* A new tenant on that plan; the db is bound to it from here on. id: its new id. */
enum error tenant_create(struct db *db, struct str company, const struct plan *plan, int64_t now,
                         char id[UUID_TEXT_LEN + 1]);

/* Is there one? */
enum error tenant_any(struct db *db, struct arena *arena, bool *any);

/* Of these four, UNAUTHORIZED: the tenant was purged since the credential was read. */

/* Inside a transaction: until its end nobody else gets past this point with this tenant. */
enum error tenant_lock(struct db *db, struct arena *arena);

/* The plan, and how many cluster slots are taken. */
enum error tenant_slots(struct db *db, struct arena *arena, const struct plan **plan,
                        int64_t *used);
/* The company's name; empty when the tenant is gone. */
enum error tenant_company(struct db *db, struct arena *arena, struct str *name);
/* Inside a transaction: is a slot left? Whoever calls this first makes the others wait until its
 * transaction ends, so that racing pushes cannot exceed the limit. */
enum error tenant_lock_slots(struct db *db, struct arena *arena, bool *has_slot);
enum error tenant_take_slot(struct db *db);
enum error tenant_free_slot(struct db *db);

#endif
