#include "kube/pod_log.h"

static int by_family(const void *a, const void *b)
{
    const struct pod_log *x = a, *y = b;
    int order = str_cmp(x->namespace, y->namespace);
    if (order == 0)
        order = str_cmp(x->family.base, y->family.base);
    return order ? order : (int)x->family.shape - (int)y->family.shape;
}

void pod_logs_sort(pod_log_list logs)
{
    LIST_SORT(logs, by_family);
}

const struct pod_log *pod_log_find(pod_log_list logs, struct str namespace,
                                   struct pod_family family)
{
    const struct pod_log wanted = {.namespace = namespace, .family = family};
    return LIST_FIND(logs, &wanted, by_family);
}
