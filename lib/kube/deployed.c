#include "kube/deployed.h"

bool deployed_take(struct str event, struct str changes, struct deployed *deployed)
{
    struct str word;
    bool template = false;
    deployed->image = false;
    deployed->rolled_back = str_eq(event, STR("rolled_back"));
    while (str_next_word(&changes, &word)) {
        deployed->image |= str_eq(word, STR("image"));
        template |= str_eq(word, STR("template"));
    }
    return (deployed->rolled_back || str_eq(event, STR("started"))) &&
           (deployed->image || template);
}

static int by_workload(const struct deployed *x, const struct deployed *y)
{
    int order = str_cmp(x->namespace, y->namespace);
    if (order == 0)
        order = str_cmp(x->name, y->name);
    return order ? order : (int)x->kind - (int)y->kind;
}

static int by_all(const void *a, const void *b)
{
    const struct deployed *x = a, *y = b;
    int order = by_workload(x, y);
    if (order)
        return order;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (2 * x->rolled_back + x->image) - (2 * y->rolled_back + y->image);
}

void deployed_sort(deployed_list *list)
{
    uint32_t n = 0;
    LIST_SORT(*list, by_all);
    for (uint32_t i = 0; i < list->n; i++)
        if (!n || by_all(&list->items[n - 1], &list->items[i]))
            list->items[n++] = list->items[i];
    list->n = n;
}

deployed_list deployed_of(const deployed_list *list, enum kind kind, struct str namespace,
                          struct str name)
{
    const struct deployed wanted = {.namespace = namespace, .name = name, .kind = kind};
    uint32_t from, end;
    LIST_LOWER_BOUND(*list, from, by_workload(&list->items[from], &wanted) < 0);
    end = from;
    while (end < list->n && by_workload(&list->items[end], &wanted) == 0)
        end++;
    return (deployed_list)LIST_SLICE(list->items + from, end - from);
}
