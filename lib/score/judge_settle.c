/* How a judgement takes a verdict: what it cost, and whether the finding is exempt. */
#include "score/judge.h"
#include "score/around.h"
#include "score/judge_run.h"

#include "kube/kinds.h"
#include "kube/replicas.h"
#include "kube/selector.h"
#include "score/recall.h"
#include "score/view.h"

enum { STEPS_A_QUESTION = 3, STEPS_A_FINDING = 110, EXEMPTIONS_A_STEP = 4 };

/* ---- what is asked ---- */

static bool is_system(const struct score_policy *policy, struct str namespace)
{
    const struct str *name;
    if (policy->all_namespaces)
        return false;
    LIST_EACH (name, policy->system_namespaces)
        if (str_eq(*name, namespace))
            return true;
    return false;
}

static bool is_in_system(const struct score_policy *policy, const struct object *object)
{
    bool is_namespace = object->kind == KIND_NAMESPACE;
    return is_system(policy, is_namespace ? object->meta.name : object->meta.namespace);
}

/* What has ended is asked nothing that looks ahead: it is down to nobody, and dilutes nothing. */
static bool has_ended(const struct object *object)
{
    return (object->kind == KIND_NONE || kind_has_pods(object->kind)) &&
           workload_has_ended((const struct workload *)object);
}

bool judge_leaves_out(const struct score_policy *policy, const struct object *object)
{
    return is_in_system(policy, object) || has_ended(object);
}

bool judge_asks(const struct check *check, const struct object *object, bool left_out)
{
    if (!(check->kinds >> object->kind & 1))
        return false;
    return !left_out || (check->category != CATEGORY_POLICY && check->category != CATEGORY_HISTORY);
}

static uint32_t containers_of(const struct pod_spec *spec)
{
    return spec ? spec->containers.n : 0;
}

/* Some checks walk the containers of a workload and some its pods. */
static uint64_t walked_of(const struct workload *workload, const struct shown_by_pods *shown)
{
    return containers_of(workload->spec) + shown->live.n + (uint64_t)workload->pods.n;
}

void judge_enter(struct judge_run *run, const struct object *object, enum subject subject,
                 uint32_t asked)
{
    const struct workload *workload = NULL;
    const struct shown_by_pods *shown = NULL;
    const struct around *around = NULL;
    if (subject == SUBJECT_workload) {
        workload = (const struct workload *)object;
        const struct workload_view *view = view_workload(&run->context, workload);
        shown = &view->shown;
        around = &run->context.arounds[view->ordinal];
    }
    uint64_t walked = workload ? walked_of(workload, shown) : 0;
    run->context.shown = run->local.shown = shown;
    run->context.around = run->local.around = around;
    run->context.effort->object = object;
    effort_spend(run->context.effort, EFFORT_checks, asked * (STEPS_A_QUESTION + walked * 3 / 2));
}

/* ---- what is found ---- */

/* The annotation is "<check>[,<check>...]: reason". Without a reason it does not count. */
static bool exempted(const struct judge_run *run, const struct check *check,
                     const struct object *object, struct str *reason)
{
    struct str ids, id;
    if (!run->context.policy->allow_exemptions)
        return false;
    if (!str_cut(pair_value(object->meta.annotations, STR("loadline.io/exempt")), ':', &ids,
                 reason))
        return false;
    *reason = str_trim(*reason);
    while (ids.n && reason->n) {
        str_cut(ids, ',', &id, &ids);
        if (str_eq(str_trim(id), str_of(check->id)))
            return true;
    }
    return false;
}

static void look_up_exemption(const struct judge_run *run, struct finding *finding)
{
    const exemption_list *list = &run->context.policy->exemptions;
    if (!run->has_exemptions[finding->check - checks])
        return;
    effort_spend(run->context.effort, EFFORT_findings, list->n / EXEMPTIONS_A_STEP);
    struct str resource = resource_name(run->context.arena, finding->object);
    const struct exemption *exemption =
        exemption_find(list, finding->check, finding->object->meta.namespace, resource);
    finding->exemption = exemption;
    if (!exemption || exemption->expires <= run->context.time)
        return;
    finding->exempt = true;
    finding->exempt_reason = exemption->reason;
}

static struct finding *add_finding(struct judge_run *run)
{
    if (!run->last || run->last->n == FINDINGS_A_CHUNK) {
        struct findings_chunk *chunk = arena_raw(run->context.arena, sizeof *chunk);
        chunk->n = 0;
        chunk->next = NULL;
        *(run->last ? &run->last->next : &run->first) = chunk;
        run->last = chunk;
    }
    run->findings->n++;
    return &run->last->items[run->last->n++];
}

/* The verdict on the snapshot as it was pushed. */
static enum verdict recall_verdict(struct judge_run *run, const struct check *check,
                                   const struct object *object, enum verdict verdict)
{
    struct str resource = resource_name(run->context.arena, object);
    const struct recalled *known =
        recall_find(run->context.policy->recall, check, object->meta.namespace, resource);
    if (!known)
        return verdict;
    if (!known->found) {
        run->draft.count = 0;
        return verdict == FAILED ? PASSED : verdict;
    }
    run->draft = (struct verdict_draft){.severity = known->risk->severity,
                                        .container = known->risk->container,
                                        .message = known->risk->message,
                                        .count = known->risk->count};
    return FAILED;
}

struct check_context *judge_begin(struct judge_run *run, struct check_context *context,
                                  const struct check *check)
{
    context->check = check;
    run->draft = (struct verdict_draft){.severity = check->severity};
    return context;
}

struct finding *judge_note_failed(struct judge_run *run, const struct check *check,
                                  uint32_t ordinal, const struct object *object)
{
    run->findings->checks[check - checks].failed++;
    effort_spend(run->context.effort, EFFORT_findings, STEPS_A_FINDING);
    struct finding *finding = add_finding(run);
    *finding = (struct finding){.check = check, .object = object, .ordinal = ordinal};
    finding->exempt = exempted(run, check, object, &finding->exempt_reason);
    if (!finding->exempt)
        look_up_exemption(run, finding);
    run->findings->any_exempt |= finding->exempt;
    return finding;
}

/* It failed, and said so in the draft. */
static const struct finding *take_draft(struct judge_run *run, const struct check *check,
                                        uint32_t ordinal, const struct object *object)
{
    struct finding *finding = judge_note_failed(run, check, ordinal, object);
    finding->severity = run->draft.severity;
    finding->container = run->draft.container;
    finding->message = run->draft.message;
    finding->count = run->draft.count;
    return finding;
}

const struct finding *judge_settle(struct judge_run *run, const struct check *check,
                                   uint32_t ordinal, const struct object *object,
                                   enum verdict verdict)
{
    uint32_t number = (uint32_t)(check - checks);
    if (run->recalls[number])
        verdict = recall_verdict(run, check, object, verdict);
    if (verdict == NOT_EVALUATED)
        return NULL;
    run->evaluated[number / 64] |= UINT64_C(1) << number % 64;
    judge_note_evaluated(run, number, ordinal);
    ASSERT_SLOW((verdict == FAILED) == (run->draft.count > 0));
    return verdict == PASSED ? NULL : take_draft(run, check, ordinal, object);
}
