#include "tenants.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/log.h"
#include "store/tenant_admin.h"

enum error admin_tenants_list(struct program *program)
{
    struct tenant_summaries tenants;
    enum error e = tenant_admin_tenants(program->db, program->arena, &tenants);
    if (e)
        return e;
    printf("%-36s  %-12s  %9s  %5s  %-24s  %s\n", "TENANT", "PLAN", "CLUSTERS", "USERS",
           "LAST PUSH", "COMPANY");
    for (size_t i = 0; i < tenants.n; i++) {
        const struct tenant_summary *t = &tenants.items[i];
        const struct plan *plan = plan_find(t->plan);
        char last[CLOCK_TEXT_SIZE];
        struct str push = clock_format(t->last_push, last);
        printf("%" STR_FMT "  %-12" STR_FMT "  %4lld/%-4lld  %5lld  %-24s  %s\n", STR_ARG(t->id),
               STR_ARG(t->plan), (long long)t->clusters, plan ? (long long)plan->clusters : 0,
               (long long)t->users, push.n ? last : "never", log_quote(t->company));
    }
    return ERR_OK;
}
