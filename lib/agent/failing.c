#include "agent/failing.h"

#include "base/clock.h"
#include "kube/status.h"

/* ---- what a container's status says ---- */

static bool has_failed(const struct container_terminated *run)
{
    return run && run->exit_code != NUMBER_ABSENT && run->exit_code != 0;
}

/* A run has ended with an error, and it is not ready again. False when not; else *one tells which.
 */
static bool run_failed(const struct container_status *status, struct failing *one)
{
    const struct container_terminated *run =
        status->terminated ? status->terminated : status->last_terminated;
    if (!has_failed(run) || (!status->terminated && status->ready == TRI_TRUE))
        return false;
    one->previous = !status->terminated;
    one->run = (struct failing_run){run->started, run->finished};
    return true;
}

/* It runs, and is not ready. */
static bool is_not_ready(const struct container_status *status, struct failing *one)
{
    bool serves = container_serves(status->role);
    one->run = (struct failing_run){status->running_since, TIME_NONE};
    return serves && status->ready == TRI_FALSE && status->running_since != TIME_NONE;
}

bool failing_is_same_run(struct failing_run a, struct failing_run b)
{
    return a.started == b.started && a.finished == b.finished;
}

/* ---- the table ---- */

static bool is_of(const struct failing *one, struct str namespace, struct str pod)
{
    return str_eq(str_of(one->pod), pod) && str_eq(str_of(one->namespace), namespace);
}

static struct failing *find(struct failing_table *table, const struct pod *pod,
                            struct str container, bool ended)
{
    for (size_t i = 0; i < table->n; i++) {
        struct failing *one = &table->items[i];
        if (one->ended == ended && is_of(one, pod->object.meta.namespace, pod->object.meta.name) &&
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
                 const struct container_status *status, bool ended)
{
    struct failing is = {.id = 0}, *one = find(table, pod, status->name, ended);
    bool fails = pod->object.meta.deleted == TIME_NONE &&
                 (ended ? run_failed(status, &is) : is_not_ready(status, &is));
    if (!fails && one)
        failing_remove(table, one);
    if (!fails || (!one && !(one = add(table, pod, status->name))))
        return;
    if (!failing_is_same_run(one->run, is.run)) {
        one->told = false;
        one->newest = 0;
    }
    one->ended = ended;
    one->previous = is.previous;
    one->run = is.run;
}

void failing_note(struct failing_table *table, const struct pod *pod)
{
    const struct container_status *status;
    LIST_EACH (status, pod->containers) {
        note(table, pod, status, true);
        note(table, pod, status, false);
    }
}

/* Whether a run that has just ended is the previous one by now is told a moment later. */
static bool is_settled(const struct failing *one, int64_t wall)
{
    int64_t finished = one->run.finished;
    return one->previous || finished == TIME_NONE || wall < finished ||
           wall - finished >= FAILING_SETTLE_MS;
}

bool failing_is_due(const struct failing *one, int64_t wall, int64_t now)
{
    if (now < one->not_before)
        return false;
    if (one->ended)
        return !one->told && is_settled(one, wall);
    return wall - one->run.started >= FAILING_READY_MS;
}
