#include "gate/gate.h"

#include "base/buf.h"
#include "kube/api_removal.h"
#include "kube/image_ref.h"

enum {
    WARN_CAP = SCORE_SAFE - 1,
    BLOCK_CAP = SCORE_WARN - 1,
    NO_CAP = 100,
    MESSAGE_MAX = 4096,
    FINDING_TEXT_MAX = 1500,
    SAME_MAX = 60, /* bytes of how many more there are */
    APIS_NAMED = 3
};

static const char judged_partly[] = "It is a score of the namespaces shown only.";

enum finding_of { FINDING_OF_CLUSTER, FINDING_OF_CHANGE };

static const struct gate_row {
    struct check check;
    enum finding_of of;
} rows[GATE_CHECKS] = {
#define GATE_CHECK(name, id_, category_, severity_, of_, title_, recommendation_)                  \
    [GATE_##name] = {.check = {.id = id_,                                                          \
                               .category = CATEGORY_##category_,                                   \
                               .severity = SEVERITY_##severity_,                                   \
                               .title = title_,                                                    \
                               .recommendation = recommendation_,                                  \
                               .frameworks = ""},                                                  \
                     .of = FINDING_OF_##of_},
#include "gate/gate_checks.def"
#undef GATE_CHECK
};

struct judging {
    struct arena *arena;
    const struct gate_question *question;
    struct gate_answer *answer;
    struct str stale; /* why the score counts less by now; absent: it does not */
    /* That nothing hinders one, or that nobody knows; absent: it is not asked. */
    struct str upgrade;
};

/* Names and messages of a manifest are as long as it likes. Whoever keeps all findings of an answer
 * has 64 KiB for them, as JSON: there is no text in them with bytes that take six each. */
static struct str shorten(struct arena *arena, struct str text)
{
    struct str kept = str_utf8_prefix(text, FINDING_TEXT_MAX);
    char *p = arena_bytes(arena, kept.n);
    for (size_t i = 0; i < kept.n; i++)
        p[i] = (unsigned char)kept.p[i] < ' ' ? '?' : kept.p[i];
    return (struct str){p, kept.n};
}

static void find(struct judging *j, enum gate_check id, uint32_t impact, struct str message)
{
    const struct gate_change *change = &j->question->change;
    struct gate_finding *finding = &j->answer->findings[j->answer->findings_n++];
    *finding = (struct gate_finding){.risk = {.check = &rows[id].check,
                                              .severity = rows[id].check.severity,
                                              .resource = STR("cluster"),
                                              .message = shorten(j->arena, message),
                                              .count = 1,
                                              .impact = impact},
                                     .of_change = rows[id].of == FINDING_OF_CHANGE};
    if (finding->of_change) {
        finding->risk.namespace = shorten(j->arena, change->namespace);
        if (change->resource.n)
            finding->risk.resource = shorten(j->arena, change->resource);
    }
    risk_identify(&finding->risk);
}

/* A score is current or it counts less: the older the snapshot, the lower the most it may say. */
static int cap_at_age(int64_t age, int64_t stale_warn, int64_t stale_block)
{
    return age > stale_block ? BLOCK_CAP : age > stale_warn ? WARN_CAP : NO_CAP;
}

int gate_score_at_age(int score, int64_t age, int64_t stale_warn, int64_t stale_block)
{
    int cap = cap_at_age(age, stale_warn, stale_block);
    return score < cap ? score : cap;
}

static void judge_freshness(struct judging *j)
{
    const struct gate_question *q = j->question;
    char age[CLOCK_TEXT_SIZE];
    int cap = cap_at_age(q->age, q->stale_warn, q->stale_block);
    j->answer->score = gate_score_at_age(q->score, q->age, q->stale_warn, q->stale_block);
    j->answer->decision = decision_of(j->answer->score);
    if (cap == NO_CAP)
        return;
    struct str text = clock_format_age(q->age, age);
    struct str message =
        q->score > cap
            ? arena_printf(j->arena,
                           "The snapshot is %" STR_FMT
                           " old: the score counts %d at most (it was %d).",
                           STR_ARG(text), cap, q->score)
            : arena_printf(j->arena,
                           "The snapshot is %" STR_FMT " old: a score would count %d at most.",
                           STR_ARG(text), cap);
    find(j, GATE_stale, (uint32_t)(q->score - j->answer->score) * 100, message);
    if (j->answer->score < q->score)
        j->stale = message;
}

static void judge_image(struct judging *j)
{
    struct str image = j->question->change.image;
    if (image.n && image_is_mutable(image_parse(image)))
        find(j, GATE_mutable_tag, 0,
             arena_printf(j->arena,
                          "The image %" STR_FMT
                          " has no fixed version: what runs can change unnoticed.",
                          STR_ARG(image)));
}

static void judge_workload(struct judging *j)
{
    const struct gate_target *t = &j->question->target;
    bool counted = t->desired != NUMBER_ABSENT && t->available != NUMBER_ABSENT;
    if (counted && t->available < t->desired)
        find(j, GATE_target_degraded, 0,
             arena_printf(j->arena,
                          "%" STR_FMT " %" STR_FMT
                          " is degraded already: %lld of %lld replicas are available.",
                          STR_ARG(t->kind), STR_ARG(t->name), (long long)t->available,
                          (long long)t->desired));
    if (t->rolling)
        find(j, GATE_target_rolling, 0,
             arena_printf(j->arena, "A rollout of %" STR_FMT " %" STR_FMT " is in progress.",
                          STR_ARG(t->kind), STR_ARG(t->name)));
}

static void judge_target(struct judging *j)
{
    const struct gate_change *change = &j->question->change;
    if (j->question->target.state == GATE_TARGET_FOUND)
        judge_workload(j);
    else if (j->question->target.state == GATE_TARGET_MISSING &&
             !str_eq_nocase(change->action, STR("create")))
        find(j, GATE_target_missing, 0,
             arena_printf(j->arena,
                          "%" STR_FMT " is not in namespace %" STR_FMT " of this cluster.",
                          STR_ARG(change->resource), STR_ARG(change->namespace)));
}

/* ---- an upgrade ---- */

/* "Kubernetes 1.25 does not serve 2 API versions in use: policy/v1beta1 PodDisruptionBudget (3
 * objects, as shop/poddisruptionbudget/a), ..." */
static struct str removed_in_words(const struct judging *j)
{
    const gate_api_list *removed = &j->answer->removed;
    struct release target = j->question->upgrade.target;
    struct buf text = buf_init(j->arena, MESSAGE_MAX);
    buf_printf(&text, "Kubernetes %lld.%lld does not serve %u API version%s in use: ",
               (long long)target.major, (long long)target.minor, removed->n,
               removed->n == 1 ? "" : "s");
    for (uint32_t i = 0; i < removed->n && i < APIS_NAMED; i++) {
        const struct gate_api *api = &removed->items[i];
        buf_printf(&text,
                   "%s%" STR_FMT " %" STR_FMT " (%lld object%s, as %" STR_FMT "%s%" STR_FMT ")",
                   i ? ", " : "", STR_ARG(api->api_version), STR_ARG(api->kind),
                   (long long)api->objects, api->objects == 1 ? "" : "s", STR_ARG(api->namespace),
                   api->namespace.n ? "/" : "", STR_ARG(api->resource));
    }
    if (removed->n > APIS_NAMED)
        buf_printf(&text, " and %u more", removed->n - APIS_NAMED);
    buf_putc(&text, '.');
    return buf_str(&text);
}

static void judge_upgrade(struct judging *j)
{
    const struct gate_upgrade *upgrade = &j->question->upgrade;
    const struct gate_api *api;
    if (!upgrade->target.major)
        return;
    LIST_EACH (api, upgrade->apis)
        if (api_removal_reaches(&(struct api_removal){.removed = api->removed}, upgrade->target))
            LIST_ADD(j->arena, j->answer->removed, *api);
    if (j->answer->removed.n)
        find(j, GATE_api_removed, 0, removed_in_words(j));
    else if (!release_is_known(upgrade->target))
        j->upgrade =
            arena_printf(j->arena,
                         "Whether Kubernetes %lld.%lld serves the API versions in use is not "
                         "known: this version "
                         "of Loadline knows 1.%lld to 1.%lld.",
                         (long long)upgrade->target.major, (long long)upgrade->target.minor,
                         (long long)release_oldest_known(), (long long)release_newest_known());
    else
        j->upgrade = arena_printf(
            j->arena,
            upgrade->known ? "Kubernetes %lld.%lld serves all API versions that the snapshot shows."
                           : "Whether Kubernetes %lld.%lld serves the API versions in use is known "
                             "after the next push.",
            (long long)upgrade->target.major, (long long)upgrade->target.minor);
}

/* ---- in words ---- */

static struct str score_in_words(const struct judging *j)
{
    int score = j->answer->score;
    switch (j->answer->decision) {
    case DECISION_SAFE:
        return arena_printf(j->arena, "The score is %d: %d or more is SAFE.", score, SCORE_SAFE);
    case DECISION_WARN:
        return arena_printf(j->arena, "The score is %d: below %d is WARN.", score, SCORE_SAFE);
    case DECISION_BLOCK:
        break;
    }
    return arena_printf(j->arena, "The score is %d: below %d is BLOCK.", score, SCORE_WARN);
}

/* The verdict of the snapshot. When it counts less by now, the reason comes first. */
static struct str message_of(const struct judging *j)
{
    const struct gate_question *q = j->question;
    struct buf message = buf_init(j->arena, MESSAGE_MAX);
    if (j->stale.p)
        buf_printf(&message, "%" STR_FMT " %s", STR_ARG(j->stale), q->verdict.n ? "It said: " : "");
    if (q->verdict.n)
        buf_put(&message, q->verdict);
    else
        buf_printf(&message, "Cluster %" STR_FMT " scores %d: %" STR_FMT ", %lld active risks.",
                   STR_ARG(q->cluster_name), j->answer->score,
                   STR_ARG(decision_name(j->answer->decision)),
                   (long long)(q->risks + j->answer->findings_n));
    if (q->partial)
        buf_printf(&message, " %s", judged_partly);
    return buf_str(&message);
}

/* It is about an object of the manifest, and not about what the question names. */
static void find_of_manifest(struct judging *j, enum gate_check id,
                             const struct rollout_finding *found)
{
    struct str message = found->message;
    if (found->more)
        message = arena_printf(j->arena, "%" STR_FMT " The same goes for %u more object%s.",
                               STR_ARG(str_utf8_prefix(message, FINDING_TEXT_MAX - SAME_MAX)),
                               found->more, found->more == 1 ? "" : "s");
    find(j, id, 0, message);
    struct risk *risk = &j->answer->findings[j->answer->findings_n - 1].risk;
    risk->namespace = shorten(j->arena, found->namespace);
    risk->resource = shorten(j->arena, found->resource);
    risk_identify(risk);
}

static void judge_forecast(struct judging *j)
{
    const struct gate_question *q = j->question;
    const struct rollout *rollout = &q->forecast.rollout;
    const struct {
        enum gate_check check;
        struct rollout_finding finding;
    } found[] = {{GATE_value_refused, rollout->value},
                 {GATE_selector_refused, rollout->selector},
                 {GATE_pods_refused, rollout->pod_security},
                 {GATE_no_room, rollout->room},
                 {GATE_quota_exceeded, rollout->quota}};
    if (!q->forecast.asked)
        return;
    j->answer->predicted =
        gate_score_at_age(q->forecast.score, q->age, q->stale_warn, q->stale_block);
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        if (found[i].finding.message.p)
            find_of_manifest(j, found[i].check, &found[i].finding);
}

static struct str forecast_in_words(const struct judging *j)
{
    int score = j->answer->predicted;
    return arena_printf(j->arena, "With the manifest the score will be %d: %" STR_FMT ".", score,
                        STR_ARG(decision_name(decision_of(score))));
}

/* "ada@example.com overrides the gate until ...: why. Without that it is BLOCK." */
static struct str override_in_words(const struct judging *j)
{
    const struct override *override = j->answer->override;
    char until[CLOCK_TEXT_SIZE];
    struct str end = clock_format_short(override->until, until);
    struct str decision = decision_name(j->answer->decision);
    return arena_printf(j->arena,
                        "%" STR_FMT " overrides the gate%s%" STR_FMT " until %" STR_FMT
                        ": %" STR_FMT " (without that: %" STR_FMT ").",
                        STR_ARG(override->by), override->namespace.n ? " in " : "",
                        STR_ARG(override->namespace), STR_ARG(end), STR_ARG(override->reason),
                        STR_ARG(decision));
}

static str_list reasons_of(const struct judging *j)
{
    str_list reasons;
    LIST_RESERVE(j->arena, reasons, GATE_CHECKS + 5);
    LIST_PUT(reasons, score_in_words(j));
    if (j->question->forecast.asked)
        LIST_PUT(reasons, forecast_in_words(j));
    if (j->answer->override)
        LIST_PUT(reasons, override_in_words(j));
    if (j->question->partial)
        LIST_PUT(reasons, str_of(judged_partly));
    for (uint32_t i = 0; i < j->answer->findings_n; i++)
        LIST_PUT(reasons, j->answer->findings[i].risk.message);
    if (j->upgrade.p)
        LIST_PUT(reasons, j->upgrade);
    return reasons;
}

struct gate_answer *gate_judge(struct arena *arena, const struct gate_question *question)
{
    struct judging j = {arena, question, ARENA_NEW(arena, struct gate_answer), {0}, {0}};
    judge_freshness(&j);
    judge_image(&j);
    judge_target(&j);
    judge_upgrade(&j);
    judge_forecast(&j);
    j.answer->override = override_for(&question->overrides, &question->namespaces, question->now);
    j.answer->message = message_of(&j);
    j.answer->reasons = reasons_of(&j);
    return j.answer;
}
