#include "gate/outcome.h"

#include "kube/kinds.h"

static const struct str names[] = {[OUTCOME_NONE] = STR(""),
                                   [OUTCOME_SUCCESS] = STR("success"),
                                   [OUTCOME_FAILURE] = STR("failure"),
                                   [OUTCOME_ROLLED_BACK] = STR("rolled_back")};

struct str outcome_name(enum outcome outcome)
{
    return names[outcome];
}

enum outcome outcome_find(struct str name)
{
    for (int i = OUTCOME_SUCCESS; i <= OUTCOME_ROLLED_BACK; i++)
        if (str_eq(names[i], name))
            return (enum outcome)i;
    return OUTCOME_NONE;
}

static const struct outcome_step go_on = {false, OUTCOME_NONE, false};

static struct outcome_step ended(enum outcome outcome)
{
    return (struct outcome_step){true, outcome, false};
}

/* Before it began: another template, or a workload that was not there. */
static struct outcome_step look_for_start(const struct outcome_watch *watch,
                                          const struct workload_state *now, int64_t taken)
{
    if (taken - watch->decided > OUTCOME_START_MS)
        return ended(OUTCOME_NONE);
    bool was_there = workload_state_is_known(&watch->before);
    bool began = now && (was_there ? workload_state_differs(&watch->before, now)
                                   : workload_state_is_known(now));
    return began ? (struct outcome_step){.began = true} : go_on;
}

static bool is_as_before(const struct outcome_watch *watch, const struct workload_state *now)
{
    return workload_state_is_known(&watch->before) && !workload_state_differs(&watch->before, now);
}

/* A third template is another change: what became of the first one, before it was through, nobody
 * knows. */
struct outcome_step outcome_judge(const struct outcome_watch *watch,
                                  const struct workload_state *now, int64_t taken)
{
    if (taken <= watch->decided)
        return go_on;
    if (watch->began == TIME_NONE)
        return look_for_start(watch, now, taken);
    if (!now)
        return ended(OUTCOME_NONE);
    if (workload_state_differs(&watch->after, now))
        return ended(is_as_before(watch, now) ? OUTCOME_ROLLED_BACK : OUTCOME_NONE);
    if (now->stuck)
        return ended(OUTCOME_FAILURE);
    /* What has no replicas (any more) shows nothing of what they would do. */
    bool complete = workload_state_is_complete(now), shown = !now->unsure && now->desired != 0;
    if (complete && shown)
        return taken - watch->began >= OUTCOME_HOLD_MS ? ended(OUTCOME_SUCCESS) : go_on;
    if (taken - watch->began <= OUTCOME_FINISH_MS)
        return go_on;
    return ended(complete ? OUTCOME_NONE : OUTCOME_FAILURE);
}

/* A decision about a name alone has no kind before its workload was seen. */
bool outcome_is_hidden(const struct outcome_watch *watch, const struct cluster *snapshot)
{
    struct str name = watch->before.kind.n ? watch->before.kind : watch->after.kind;
    enum kind kind = name.n ? kind_find(name, (struct str){0}) : KIND_NONE;
    return kind != KIND_NONE && cluster_lacks(snapshot, kind);
}

struct outcome_step outcome_judge_hidden(const struct outcome_watch *watch, int64_t taken)
{
    if (watch->began == TIME_NONE)
        return outcome_judge(watch, NULL, taken);
    return taken - watch->began > OUTCOME_HIDDEN_MS ? ended(OUTCOME_NONE) : go_on;
}

bool outcome_is_about(const struct outcome_watch *watch, struct str kind, struct str namespace,
                      struct str name)
{
    const struct workload_state *target = &watch->before;
    return str_eq(target->name, name) && str_eq(target->namespace, namespace) &&
           (!target->kind.n || str_eq(target->kind, kind));
}

bool outcome_is_superseded(const struct outcome_watch *watch, const struct outcome_watch *later)
{
    const struct workload_state *target = &later->before;
    return watch->began == TIME_NONE && later->began == TIME_NONE &&
           outcome_is_about(watch, target->kind, target->namespace, target->name);
}
