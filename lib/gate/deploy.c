#include "gate/deploy.h"

#include "gate/outcome.h"

static const struct str events[DEPLOY_EVENTS] = {[DEPLOY_NONE] = STR(""),
                                                 [DEPLOY_STARTED] = STR("started"),
                                                 [DEPLOY_ROLLED_BACK] = STR("rolled_back"),
                                                 [DEPLOY_CHANGED] = STR("changed"),
                                                 [DEPLOY_FINISHED] = STR("finished"),
                                                 [DEPLOY_STALLED] = STR("stalled")};

struct str deploy_event_name(enum deploy_event event)
{
    return events[event];
}

enum deploy_event deploy_event_find(struct str name)
{
    for (int i = DEPLOY_STARTED; i < DEPLOY_EVENTS; i++)
        if (str_eq(events[i], name))
            return (enum deploy_event)i;
    return DEPLOY_NONE;
}

struct str deploy_changes_text(struct arena *arena, unsigned changes)
{
    static const char *const names[] = {"created", "image", "template", "scale", "configuration"};
    struct buf out = buf_init(arena, 64);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (changes >> i & 1)
            buf_printf(&out, "%s%s", out.n ? " " : "", names[i]);
    return out.n ? buf_str(&out) : STR("");
}

static bool is_known(struct workload_version version)
{
    return version.revision || version.images;
}

/* What is not shown this time is remembered on. As long as the revision is the same its images are:
 * others in the spec become a revision of their own, and are told then. */
static struct workload_version go_on(struct workload_version was, struct workload_version now)
{
    return (struct workload_version){now.revision ? now.revision : was.revision,
                                     was.images ? was.images : now.images};
}

static unsigned changes_of(const struct deploy_memory *was, const struct deploy_sight *now)
{
    unsigned changes = now->configured ? DEPLOY_CONFIGURATION : 0;
    if (was->replicas != NUMBER_ABSENT && now->replicas != NUMBER_ABSENT &&
        was->replicas != now->replicas)
        changes |= DEPLOY_SCALE;
    if (!workload_version_differs(was->version, now->version))
        return changes;
    bool images =
        was->version.images && now->version.images && was->version.images != now->version.images;
    return changes | (images ? DEPLOY_IMAGE : DEPLOY_TEMPLATE);
}

static void begin(struct deploy_step *step, int64_t taken)
{
    step->next.phase = DEPLOY_ROLLING;
    step->next.began = taken;
    step->next.has_decision = false;
}

static void see_new(struct deploy_step *step, const struct deploy_sight *now, int64_t taken)
{
    step->next = (struct deploy_memory){.kind = now->kind,
                                        .key = now->key,
                                        .version = now->version,
                                        .replicas = now->replicas,
                                        .cause = now->cause,
                                        .began = TIME_NONE};
    if (!now->created)
        return;
    step->change = now->rolls ? DEPLOY_STARTED : DEPLOY_CHANGED;
    step->changes = DEPLOY_CREATED;
    step->has_cause = now->cause != 0;
    if (now->rolls)
        begin(step, taken);
}

static void see_known(struct deploy_step *step, const struct deploy_memory *was,
                      const struct deploy_sight *now, int64_t taken)
{
    step->next = *was;
    step->next.kind = now->kind;
    step->changes = changes_of(was, now);
    step->has_cause = step->changes && now->cause && now->cause != was->cause;
    step->next.replicas = now->replicas;
    step->next.cause = now->cause;
    if (!(step->changes & (DEPLOY_IMAGE | DEPLOY_TEMPLATE))) {
        step->change = step->changes ? DEPLOY_CHANGED : DEPLOY_NONE;
        step->next.version = go_on(was->version, now->version);
        return;
    }
    bool back = is_known(was->previous) && !workload_version_differs(was->previous, now->version);
    step->next.previous = back ? (struct workload_version){0} : was->version;
    step->next.version = now->version;
    step->change = !now->rolls ? DEPLOY_CHANGED : back ? DEPLOY_ROLLED_BACK : DEPLOY_STARTED;
    if (now->rolls)
        begin(step, taken);
}

/* A rollout that has stalled may still go on. */
static enum deploy_event progress_of(const struct deploy_memory *memory,
                                     const struct deploy_sight *now, int64_t taken)
{
    if (memory->phase == DEPLOY_IDLE || now->paused)
        return DEPLOY_NONE;
    if (now->complete)
        return now->unsure ? DEPLOY_NONE : DEPLOY_FINISHED;
    bool late = now->stuck || taken - memory->began > OUTCOME_FINISH_MS;
    return late && memory->phase == DEPLOY_ROLLING ? DEPLOY_STALLED : DEPLOY_NONE;
}

static bool is_lost_sight_of(const struct deploy_memory *memory, const struct deploy_sight *now,
                             int64_t taken)
{
    return memory->phase != DEPLOY_IDLE && !now->paused && now->complete && now->unsure &&
           taken - memory->began > OUTCOME_FINISH_MS;
}

struct deploy_step deploy_judge(const struct deploy_memory *was, const struct deploy_sight *now,
                                int64_t taken)
{
    struct deploy_step step = {.change = DEPLOY_NONE, .progress = DEPLOY_NONE};
    if (was)
        see_known(&step, was, now, taken);
    else
        see_new(&step, now, taken);
    step.progress = progress_of(&step.next, now, taken);
    step.began = step.next.began;
    if (step.progress == DEPLOY_STALLED)
        step.next.phase = DEPLOY_STUCK;
    if (step.progress == DEPLOY_FINISHED || is_lost_sight_of(&step.next, now, taken)) {
        step.next.phase = DEPLOY_IDLE;
        step.next.began = TIME_NONE;
    }
    return step;
}
