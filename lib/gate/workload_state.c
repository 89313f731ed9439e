#include "gate/workload_state.h"

#include "base/hash.h"
#include "base/hex.h"
#include "kube/credential_cut.h"
#include "kube/revision.h"
#include "kube/rollout_progress.h"
#include "kube/status.h"

enum { FIELDS = 9 };

/* The status of an object from the API server leaves counts out that are zero. A manifest has no
 * status, and a summary item says what it knows: there an absent count is unknown. */
static int64_t count_of(const struct workload *w, int64_t count)
{
    return count == NUMBER_ABSENT && has_replica_status(w) && !w->object.summary ? 0 : count;
}

static int64_t desired_of(const struct workload *w)
{
    switch (w->object.kind) {
    case KIND_DAEMONSET:
        return count_of(w, w->desired_scheduled);
    case KIND_DEPLOYMENT:
    case KIND_STATEFULSET:
    case KIND_REPLICASET:
    case KIND_REPLICATIONCONTROLLER:
    case KIND_DEPLOYMENTCONFIG:
    case KIND_ROLLOUT:
        return w->replicas == NUMBER_ABSENT && !w->object.summary ? 1 : w->replicas;
    default:
        return NUMBER_ABSENT;
    }
}

/* A StatefulSet says which revision it goes to. Of the others the newest is the one. */
static struct str revision_of(const struct workload *w)
{
    if (w->update_revision.n)
        return w->update_revision;
    struct revision_history history = revision_history_of(w);
    if (!history.n)
        return STR("");
    return history.newest.replica_set ? history.newest.replica_set->object.meta.name
                                      : history.newest.controller->object.meta.name;
}

static struct str images_of(struct arena *arena, const struct workload *w)
{
    const struct container *container;
    uint64_t hash = 0;
    if (!w->spec)
        return STR("");
    LIST_EACH (container, w->spec->containers)
        hash = hash_bytes(hash_bytes(hash, container->name), container->image);
    char *digits = arena_bytes(arena, 17);
    hex_number(hash, digits);
    return (struct str){digits, 16};
}

/* A rollout that is paused, or of a kind that rollout_progress() does not know, is no rollout under
 * way, and pods of the older template are available, too. What counts no replicas (a Job, a
 * CronJob, a Pod) never says that all are. */
static bool is_unsure(const struct workload *w)
{
    struct rollout_progress progress = rollout_progress_of(w);
    int64_t desired = desired_of(w), updated = w->updated_replicas;
    if (desired == NUMBER_ABSENT || count_of(w, w->available_replicas) == NUMBER_ABSENT)
        return true;
    if (progress.known)
        return progress.incomplete || progress.unseen;
    if (w->object.kind == KIND_ROLLOUT || w->object.kind == KIND_DEPLOYMENTCONFIG)
        updated = count_of(w, updated);
    return updated != NUMBER_ABSENT && updated < desired;
}

struct workload_state workload_state_of(struct arena *arena, const struct workload *w)
{
    const struct condition *progressing = condition_find(w->conditions, STR("Progressing"));
    return (struct workload_state){
        .kind = w->object.kind_name,
        .namespace = w->object.meta.namespace,
        .name = w->object.meta.name,
        .desired = desired_of(w),
        .available = count_of(w, w->available_replicas),
        .rolling = rollout_is_under_way(w),
        .revision = revision_of(w),
        .images = images_of(arena, w),
        .stuck = progressing && str_eq(progressing->reason, STR("ProgressDeadlineExceeded")) &&
                 !status_is_stale(w),
        .unsure = is_unsure(w)};
}

bool workload_is_topmost(const struct workload *workload)
{
    return !workload->synthesized && !workload->owner;
}

const struct workload_state *workload_states(struct arena *arena, const struct cluster *cluster)
{
    uint32_t n = cluster->workloads.n;
    struct workload_state *states = ARENA_ARRAY(arena, n, struct workload_state);
    for (uint32_t i = 0; i < n; i++)
        if (workload_is_topmost(cluster->workloads.items[i]))
            states[i] = workload_state_of(arena, cluster->workloads.items[i]);
    return states;
}

/* ---- a line ---- */

uint64_t workload_state_hash(uint64_t hash, const struct workload_state *state)
{
    const struct str words[] = {state->kind, state->namespace, state->name, state->revision,
                                state->images};
    const uint64_t numbers[] = {(uint64_t)state->desired, (uint64_t)state->available,
                                (uint64_t)state->rolling << 1 | state->stuck};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        hash = hash_bytes(hash, words[i]);
    return hash_bytes(hash, (struct str){(const char *)numbers, sizeof numbers});
}

static void put_word(struct buf *out, struct str s)
{
    char *to = buf_reserve(out, s.n + 1);
    if (!to)
        return;
    for (size_t i = 0; i < s.n; i++)
        to[i] = (unsigned char)s.p[i] < ' ' ? '?' : s.p[i];
    to[s.n] = '\t';
    buf_commit(out, s.n + 1);
}

static void put_number(struct buf *out, int64_t n)
{
    if (n == NUMBER_ABSENT)
        buf_putc(out, '-');
    else
        buf_put_int(out, n);
    buf_putc(out, '\t');
}

void workload_state_put(struct arena *arena, struct buf *out, const struct workload_state *state)
{
    put_word(out, state->kind);
    put_word(out, credential_cut(arena, state->namespace));
    put_word(out, credential_cut(arena, state->name));
    put_number(out, state->desired);
    put_number(out, state->available);
    put_word(out, state->rolling ? STR("rolling") : STR("-"));
    put_word(out, state->revision);
    put_word(out, state->images);
    buf_put(out, state->stuck ? STR("stuck\n") : STR("-\n"));
}

static int64_t number_of(struct str text)
{
    int64_t n;
    return str_to_i64(text, &n) ? n : NUMBER_ABSENT;
}

struct workload_state workload_state_read(struct str line)
{
    struct str field[FIELDS] = {{0}};
    for (size_t i = 0; i < FIELDS; i++)
        str_cut(line, '\t', &field[i], &line);
    return (struct workload_state){.kind = field[0],
                                   .namespace = field[1],
                                   .name = field[2],
                                   .desired = number_of(field[3]),
                                   .available = number_of(field[4]),
                                   .rolling = str_eq(field[5], STR("rolling")),
                                   .revision = field[6],
                                   .images = field[7],
                                   .stuck = str_eq(field[8], STR("stuck"))};
}

/* ---- which version ---- */

bool workload_state_is_known(const struct workload_state *state)
{
    return state->revision.n || state->images.n;
}

/* 0 says that it is not known. */
static uint64_t hash_of(struct str text)
{
    uint64_t hash = text.n ? str_hash(0, text) : 0;
    return text.n && !hash ? 1 : hash;
}

struct workload_version workload_version_of(const struct workload_state *state)
{
    return (struct workload_version){hash_of(state->revision), hash_of(state->images)};
}

bool workload_version_differs(struct workload_version a, struct workload_version b)
{
    if (a.revision && b.revision)
        return a.revision != b.revision;
    return a.images && b.images && a.images != b.images;
}

bool workload_state_differs(const struct workload_state *a, const struct workload_state *b)
{
    return workload_version_differs(workload_version_of(a), workload_version_of(b));
}

bool workload_state_is_complete(const struct workload_state *state)
{
    return !state->rolling && !state->stuck &&
           (state->desired == NUMBER_ABSENT || state->available == NUMBER_ABSENT ||
            state->available >= state->desired);
}
