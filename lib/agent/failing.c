#include "agent/failing.h"

#include "base/clock.h"

/* ---- what a container's status says ---- */

static bool has_failed(const struct container_terminated *run)
{
    return run && run->exit_code != NUMBER_ABSENT && run->exit_code != 0;
}

/* False when it does not fail; else *one tells how. */
static bool judge(const struct container_status *status, struct failing *one)
{
    one->restarts = status->restart_count;
    one->since = status->running_since;
    one->ended =
        has_failed(status->terminated) ||
        (!status->terminated && status->ready != TRI_TRUE && has_failed(status->last_terminated));
    one->previous = one->ended && !status->terminated;
    bool serves = status->role == CONTAINER_MAIN || status->role == CONTAINER_SIDECAR;
    return one->ended ||
           (serves && status->ready == TRI_FALSE && status->running_since != TIME_NONE);
}

/* ---- the table ---- */

static bool is_of(const struct failing *one, struct str namespace, struct str pod)
{
    return str_eq(str_of(one->pod), pod) && str_eq(str_of(one->namespace), namespace);
}

static struct failing *find(struct failing_table *table, const struct pod *pod,
                            struct str container)
{
    for (size_t i = 0; i < table->n; i++) {
        struct failing *one = &table->items[i];
        if (is_of(one, pod->object.meta.namespace, pod->object.meta.name) &&
            str_eq(str_of(one->container), container))
            return one;
    }
    return NULL;
}

struct failing *failing_find(struct failing_table *table, uint64_t id)
{
    for (size_t i = 0; i < table->n; i++)
        if (table->items[i].id == id)
            return &table->items[i];
    return NULL;
}

void failing_remove(struct failing_table *table, struct failing *one)
{
    free(one->namespace);
    free(one->pod);
    free(one->container);
    *one = table->items[--table->n];
}

void failing_forget(struct failing_table *table, struct str namespace, struct str pod)
{
    for (size_t i = 0; i < table->n;)
        if (is_of(&table->items[i], namespace, pod))
            failing_remove(table, &table->items[i]); /* the last one takes its place */
        else
            i++;
}

void failing_free(struct failing_table *table)
{
    while (table->n)
        failing_remove(table, &table->items[table->n - 1]);
    free(table->items);
    *table = (struct failing_table){.n = 0};
}

static struct failing *add(struct failing_table *table, const struct pod *pod, struct str container)
{
    if (table->n == FAILING_MAX)
        return NULL;
    if (table->n == table->room) {
        table->room = table->room ? 2 * table->room : 16;
        table->items = memory_resize(table->items, table->room * sizeof *table->items);
    }
    struct failing *one = &table->items[table->n++];
    *one = (struct failing){.id = ++table->ids,
                            .namespace = memory_text(pod->object.meta.namespace),
                            .pod = memory_text(pod->object.meta.name),
                            .container = memory_text(container)};
    return one;
}

static void note(struct failing_table *table, const struct pod *pod,
                 const struct container_status *status)
{
    struct failing is = {.id = 0}, *one = find(table, pod, status->name);
    bool fails = pod->object.meta.deleted == TIME_NONE && judge(status, &is);
    if (!fails && one)
        failing_remove(table, one);
    if (!fails)
        return;
    bool is_new = !one;
    if (is_new && !(one = add(table, pod, status->name)))
        return;
    if (!is_new && (one->restarts != is.restarts || one->ended != is.ended)) {
        one->told = false;
        one->newest = 0;
    }
    one->ended = is.ended;
    one->previous = is.previous;
    one->restarts = is.restarts;
    one->since = is.since;
}

void failing_note(struct failing_table *table, const struct pod *pod)
{
    const struct container_status *status;
    LIST_EACH (status, pod->containers)
        note(table, pod, status);
}

bool failing_is_due(const struct failing *one, int64_t wall, int64_t now)
{
    if (now < one->not_before)
        return false;
    return one->ended ? !one->told : wall - one->since >= FAILING_READY_MS;
}
