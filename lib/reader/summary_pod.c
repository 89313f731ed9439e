/* What the STATUS column of kubectl says of a pod, put where Kubernetes keeps it, so that checks
 * see what they would see of the pod itself (printPod() of
 * kubernetes/pkg/printers/internalversion): the phase, status.reason, "Terminating", or why a
 * container waits or how it ended, behind "Init:" when it is one that comes before the others. */
#include "kube/pod_reason.h"
#include "reader/decode.h"
#include "reader/summary.h"

static bool is_phase(struct str text)
{
    static const char *const phases[] = {"Pending", "Running", "Succeeded",
                                         "Failed",  "Unknown", NULL};
    return str_in(text, phases);
}

static bool is_waiting(struct str word)
{
    return str_has_suffix(word, STR("BackOff")) || pod_reason_is_pull(word) ||
           pod_reason_is_config(word);
}

/* An end without a reason is shown by its code. */
static bool is_termination(struct str word)
{
    static const char *const words[] = {"Error", "OOMKilled", "ContainerStatusUnknown", NULL};
    return str_in(word, words) || pod_reason_is_start(word) ||
           str_has_prefix(word, STR("ExitCode:")) || str_has_prefix(word, STR("Signal:"));
}

/* The one container whose status is told. */
static struct container_status *told_container(struct decoder *decoder, struct pod *pod)
{
    if (!pod->containers.n) {
        struct container_status *status = ARENA_NEW(decoder->arena, struct container_status);
        memcpy(status, decode_absent(decoder, &container_status_schema), sizeof *status);
        status->ready = pod->summary_ready;
        status->restart_count = pod->summary_restarts;
        pod->containers = (container_status_list)LIST_SLICE(status, 1);
    }
    return pod->containers.items;
}

static void put_container(struct decoder *decoder, struct str word, enum container_role role,
                          struct pod *pod)
{
    if (!is_waiting(word) && !is_termination(word))
        return;
    struct container_status *status = told_container(decoder, pod);
    status->role = role;
    if (is_waiting(word)) {
        status->waiting = ARENA_NEW(decoder->arena, struct container_waiting);
        status->waiting->reason = word;
        return;
    }
    status->terminated = ARENA_NEW(decoder->arena, struct container_terminated);
    *status->terminated =
        (struct container_terminated){word, NUMBER_ABSENT, NUMBER_ABSENT, TIME_NONE, TIME_NONE};
}

static bool may_have_failed(struct str phase)
{
    return !phase.n || str_eq(phase, STR("Pending"));
}

static void put_word(struct decoder *decoder, struct str word, struct pod *pod)
{
    if (str_has_prefix(word, STR("Init:"))) {
        if (!pod->phase.n)
            pod->phase = STR("Pending");
        put_container(decoder, str_sub(word, 5, word.n), CONTAINER_INIT, pod);
    } else if (str_eq(word, STR("NotReady"))) { /* a container has ended, others run */
        if (!pod->phase.n)
            pod->phase = STR("Running");
        if (pod->summary_ready == TRI_ABSENT)
            pod->summary_ready = TRI_FALSE;
    } else if (pod_reason_is_end(word) && may_have_failed(pod->phase)) {
        pod->phase = STR("Failed");
    } else {
        put_container(decoder, word, CONTAINER_MAIN, pod);
    }
}

/* What waits has ended before. */
static void order_states(struct container_status *status)
{
    if (!waiting_reason(status).n)
        return;
    status->last_terminated = status->terminated;
    status->terminated = NULL;
}

/* A status that a reason beside it only explains. */
static bool is_final(struct str state)
{
    return pod_reason_is_end(state) || str_eq(state, STR("Error")) ||
           str_eq(state, STR("Terminating"));
}

static enum tri tri_of(struct str status)
{
    if (str_eq(status, STR("True")))
        return TRI_TRUE;
    return str_eq(status, STR("False")) ? TRI_FALSE : TRI_ABSENT;
}

void summary_fill_pod(struct decoder *decoder, const struct summary *summary, struct pod *pod)
{
    struct str none = {NULL, 0}, phase = none, state = summary->status;
    if (is_phase(state)) {
        phase = state;
        state = none;
    }
    pod->phase = summary->phase.n ? summary->phase : phase;
    pod->reason = !summary->reason.n || is_final(state) ? state : summary->reason;
    pod->conditions = summary->conditions;
    pod->summary_restarts = summary->restarts;
    pod->summary_ready = tri_of(summary->ready.status);
    put_word(decoder, state, pod);
    put_word(decoder, summary->reason, pod);
    if (pod->containers.n)
        order_states(pod->containers.items);
}
