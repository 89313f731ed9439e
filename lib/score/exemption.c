#include "score/exemption.h"

static bool is_of(const struct exemption *exemption, struct str namespace, struct str resource)
{
    struct str name;
    if (exemption->namespace.n && !str_eq(exemption->namespace, namespace))
        return false;
    if (!exemption->workload.n)
        return true;
    str_cut(resource, '/', NULL, &name);
    bool has_kind = memchr(exemption->workload.p, '/', exemption->workload.n) != NULL;
    return str_eq(exemption->workload, has_kind ? resource : name);
}

const struct exemption *exemption_find(const exemption_list *list, const struct check *check,
                                       struct str namespace, struct str resource)
{
    const struct exemption *exemption, *found = NULL;
    LIST_EACH (exemption, *list)
        if (exemption->check == check && is_of(exemption, namespace, resource) &&
            (!found || exemption->expires > found->expires))
            found = exemption;
    return found;
}
