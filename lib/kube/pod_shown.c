#include "kube/pod_shown.h"

#include "kube/status.h"

static int64_t code_of(const struct container_terminated *end)
{
    return end->exit_code == NUMBER_ABSENT ? 0 : end->exit_code;
}

static struct str end_word(struct arena *arena, const struct container_terminated *end)
{
    if (end->reason.n)
        return end->reason;
    if (end->signal != NUMBER_ABSENT && end->signal != 0)
        return arena_printf(arena, "Signal:%lld", (long long)end->signal);
    return arena_printf(arena, "ExitCode:%lld", (long long)code_of(end));
}

/* ---- init containers ---- */

static bool is_first(enum container_role role)
{
    return role == CONTAINER_INIT || role == CONTAINER_SIDECAR;
}

/* May the next one start? */
static bool is_through(const struct container_status *status)
{
    return (status->terminated && code_of(status->terminated) == 0) ||
           (status->role == CONTAINER_SIDECAR && status->started == TRI_TRUE);
}

static uint32_t first_containers(const struct pod_spec *spec)
{
    const struct container *container;
    uint32_t n = 0;
    if (spec)
        LIST_EACH (container, spec->containers)
            n += is_first(container->role);
    return n;
}

/* Of the first one that is not through, `done` of them before it are. */
static struct str init_word(struct arena *arena, const struct pod *pod,
                            const struct container_status *status, uint32_t done)
{
    struct str word = waiting_reason(status);
    if (status->terminated)
        word = end_word(arena, status->terminated);
    if (!word.n || (!status->terminated && str_eq(word, STR("PodInitializing"))))
        return arena_printf(arena, "Init:%u/%u", done, first_containers(pod->spec));
    return arena_printf(arena, "Init:%" STR_FMT, STR_ARG(word));
}

/* Whether one of them is not through. `sidecars`: restarts of those that stay. */
static bool show_init(struct arena *arena, const struct pod *pod, struct pod_shown *shown,
                      int64_t *sidecars)
{
    const struct container_status *status;
    uint32_t done = 0;
    LIST_EACH (status, pod->containers) {
        if (!is_first(status->role))
            continue;
        int64_t restarts = number_or_zero(status->restart_count);
        shown->restarts += restarts;
        *sidecars += status->role == CONTAINER_SIDECAR ? restarts : 0;
        if (!is_through(status)) {
            shown->status = init_word(arena, pod, status, done);
            return true;
        }
        done++;
    }
    return false;
}

/* ---- the others ---- */

static struct str main_word(struct arena *arena, const struct container_status *status)
{
    if (waiting_reason(status).n)
        return waiting_reason(status);
    return status->terminated ? end_word(arena, status->terminated) : (struct str){NULL, 0};
}

/* The first one that has a word tells it. */
static void show_main(struct arena *arena, const struct pod *pod, struct pod_shown *shown)
{
    const struct container_status *status;
    struct str found = {NULL, 0};
    bool runs = false;
    LIST_EACH (status, pod->containers) {
        if (status->role != CONTAINER_MAIN)
            continue;
        struct str word = main_word(arena, status);
        shown->restarts += number_or_zero(status->restart_count);
        runs = runs || (!word.n && !status->waiting && status->ready == TRI_TRUE);
        if (!found.n)
            found = word;
    }
    if (found.n)
        shown->status = found;
    if (runs && str_eq(shown->status, STR("Completed")))
        shown->status = pod_is_ready(pod) ? STR("Running") : STR("NotReady");
}

/* ---- the pod ---- */

static struct str pod_word(const struct pod *pod)
{
    const struct condition *scheduled = condition_find(pod->conditions, STR("PodScheduled"));
    if (scheduled && str_eq(scheduled->reason, STR("SchedulingGated")))
        return scheduled->reason;
    return pod->reason.n ? pod->reason : pod->phase;
}

struct pod_shown pod_shown(struct arena *arena, const struct pod *pod)
{
    struct pod_shown shown = {.status = pod_word(pod)};
    int64_t sidecars = 0;
    if (!show_init(arena, pod, &shown, &sidecars) ||
        condition_is(pod->conditions, STR("Initialized"), STR("True"))) {
        shown.restarts = sidecars;
        show_main(arena, pod, &shown);
    }
    if (pod_is_terminating(pod)) {
        if (str_eq(pod->reason, STR("NodeLost")))
            shown.status = STR("Unknown");
        else if (!pod_has_ended(pod))
            shown.status = STR("Terminating");
    }
    return shown;
}
