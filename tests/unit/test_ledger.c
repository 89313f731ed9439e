/* The ledger's properties, on findings thrown at a cluster: sums, bounds, monotony, order, payers.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "codec/source.h"
#include "reader/snapshot_reader.h"
#include "score/hazard.h"
#include "score/ledger.h" /* before cmocka.h, whose fail() would hide ours */

#include <cmocka.h>

enum { ROUNDS = 200, APPS_MAX = 40 };

static uint64_t seed;

static uint32_t pick(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

/* ---- a cluster ---- */

/* JSON with ' in the place of ". */
static void put(struct buf *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct buf *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct str text = arena_vprintf(out->arena, format, args);
    va_end(args);
    for (size_t i = 0; i < text.n; i++)
        buf_putc(out, text.p[i] == '\'' ? '"' : text.p[i]);
    buf_putc(out, '\n');
}

#define STATUS                                                                                     \
    "'status':{'observedGeneration':1,'replicas':2,'readyReplicas':%u,'availableReplicas':%u}"

static void put_deployment(struct buf *out, const char *namespace, const char *name, uint32_t there)
{
    put(out,
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'%s','namespace':'%s',"
        "'uid':'%s','generation':1},'spec':{'replicas':2,'template':{'spec':{'containers':[{"
        "'name':'c'}]}}}," STATUS "}",
        name, namespace, name, there, there);
}

static void put_pod(struct buf *out, const char *owner, uint32_t number, uint32_t node, bool ready)
{
    put(out,
        "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'%s-%u','namespace':'shop',"
        "'ownerReferences':[{'apiVersion':'apps/v1','kind':'Deployment','name':'%s',"
        "'controller':true}]},'spec':{'nodeName':'node-%u'},'status':{'phase':'Running',"
        "'conditions':[{'type':'Ready','status':'%s'}]}}",
        owner, number, owner, node, ready ? "True" : "False");
}

static void put_node(struct buf *out, uint32_t number, bool dead)
{
    put(out,
        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'node-%u'},'status':{'conditions':[{"
        "'type':'Ready','status':'%s'}]}}",
        number, dead ? "Unknown" : "True");
}

/* One of each kind that a row of hazards.def is asked of, and some of which others are. */
static void put_others(struct buf *out)
{
    static const char *const others[] = {
        "'v1','kind':'Service','metadata':{'namespace':'shop',",
        "'v1','kind':'PersistentVolumeClaim','metadata':{'namespace':'shop',",
        "'v1','kind':'ResourceQuota','metadata':{'namespace':'shop',",
        "'autoscaling/v2','kind':'HorizontalPodAutoscaler','metadata':{'namespace':'shop',",
        "'networking.k8s.io/v1','kind':'NetworkPolicy','metadata':{'namespace':'shop',",
        "'policy/v1','kind':'PodDisruptionBudget','metadata':{'namespace':'shop',",
        "'rbac.authorization.k8s.io/v1','kind':'Role','metadata':{'namespace':'shop',",
        "'v1','kind':'Namespace','metadata':{",
        "'admissionregistration.k8s.io/v1','kind':'ValidatingWebhookConfiguration','metadata':{",
        "'apiregistration.k8s.io/v1','kind':'APIService','metadata':{",
        "'config.openshift.io/v1','kind':'ClusterOperator','metadata':{",
        "'machineconfiguration.openshift.io/v1','kind':'MachineConfigPool','metadata':{",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        for (uint32_t n = 0; n < 3; n++)
            put(out, "{'apiVersion':%s'name':'o-%u'}}", others[i], n);
}

static struct cluster *read_cluster(struct buf *document)
{
    const struct snapshot_options options = {0};
    struct snapshot_error error = {0};
    struct str text = buf_str(document);
    struct cluster *cluster = snapshot_read(document->arena, source_of(&text), &options, &error);
    assert_non_null(cluster);
    return cluster;
}

/* As many Deployments, copies times, some of which have pods, and components of the cluster itself;
 * what of all that is there is thrown. */
static struct cluster *throw_cluster(struct arena *arena, uint32_t apps)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    uint32_t nodes = 1 + pick(6), dead = pick(3) ? 0 : pick(nodes + 1);
    for (uint32_t i = 0; i < nodes; i++)
        put_node(&out, i, i < dead);
    for (uint32_t i = 0; i < apps; i++) {
        const char *name = arena_printf(arena, "app-%u", i).p;
        uint32_t there = pick(2) ? 2 : pick(3);
        put_deployment(&out, "shop", name, there);
        for (uint32_t n = 0; pick(2) && n < 2; n++)
            put_pod(&out, name, n, pick(nodes), n < there);
    }
    put_deployment(&out, "kube-system", "coredns", pick(3));
    put_deployment(&out, "ingress", "traefik", pick(3));
    put_others(&out);
    return read_cluster(&out);
}

/* Deployments of which only the first may lack replicas, on sound nodes. */
static struct cluster *sound_cluster(struct arena *arena, uint32_t apps, uint32_t there,
                                     uint32_t nodes)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    for (uint32_t i = 0; i < nodes; i++)
        put_node(&out, i, false);
    for (uint32_t i = 0; i < apps; i++)
        put_deployment(&out, "shop", arena_printf(arena, "app-%u", i).p, i ? 2 : there);
    return read_cluster(&out);
}

/* ---- findings ---- */

/* The object that a check of this subject is asked about under that ordinal; NULL: there is none.
 */
static const struct object *object_at(const struct cluster *cluster, enum subject subject,
                                      uint32_t i)
{
    static const struct object whole = {.kind_name = STR("cluster"), .meta.name = STR("cluster")};
    switch (subject) {
#define JUDGED(list, walked, subject, type)                                                        \
    case SUBJECT_##subject:                                                                        \
        return i < cluster->walked.n ? &cluster->walked.items[i]->object : NULL;
#include "kube/lists.def"
#undef JUDGED
    case SUBJECT_object:
        return i < cluster->roots.n ? &cluster->roots.items[i]->object : NULL;
    case SUBJECT_cluster:
        return i == 0 ? &whole : NULL;
    default:
        return NULL;
    }
}

static bool is_asked(const struct check *check, const struct object *object)
{
    return object && check->kinds >> object->kind & 1;
}

/* No finding; every check was asked about every object that it is for. */
static struct findings *no_findings(struct arena *arena, const struct cluster *cluster)
{
    struct score_policy *policy = ARENA_NEW(arena, struct score_policy);
    *policy = score_policy_default();
    struct findings *f = judge_cluster(arena, cluster, policy, 0, NULL);
    f->items = ARENA_ARRAY(arena, CHECK_COUNT * (cluster->roots.n + 50), struct finding *);
    f->n = 0;
    for (int c = 0; c < CHECK_COUNT; c++) {
        struct asked *asked = &f->asked[check_account(&checks[c])];
        for (uint32_t i = 0; i < asked->words * 64; i++)
            if (is_asked(&checks[c], object_at(cluster, checks[c].subject, i)))
                asked->bits[i / 64] |= UINT64_C(1) << i % 64;
    }
    return f;
}

static struct finding *add(struct findings *f, const struct check *check, uint32_t ordinal)
{
    struct finding finding = {.check = check,
                              .object = object_at(f->context->cluster, check->subject, ordinal),
                              .ordinal = ordinal,
                              .severity = check->severity,
                              .message = STR("x."),
                              .count = 1};
    struct finding *added = arena_copy(f->context->arena, &finding, sizeof finding);
    f->items[f->n++] = added;
    return added;
}

static struct finding *add_by_id(struct findings *f, const char *id, uint32_t ordinal)
{
    const struct check *check = check_find(str_of(id));
    assert_non_null(check);
    return add(f, check, ordinal);
}

static struct findings *throw_findings(struct arena *arena, const struct cluster *cluster)
{
    struct findings *f = no_findings(arena, cluster);
    uint32_t density = pick(100);
    for (int c = 0; c < CHECK_COUNT; c++)
        for (uint32_t i = 0; i < cluster->roots.n + 3; i++) {
            bool fails = pick(100) < density / (1 + pick(8));
            if (!fails || !is_asked(&checks[c], object_at(cluster, checks[c].subject, i)))
                continue;
            struct finding *finding = add(f, &checks[c], i);
            finding->severity = pick(8) ? finding->severity : (enum severity)pick(4);
            finding->exempt = pick(20) == 0;
        }
    return f;
}

static struct findings *throw_all(struct arena *arena)
{
    return throw_findings(arena, throw_cluster(arena, 1 + pick(APPS_MAX)));
}

static struct findings *copy_of(struct arena *arena, const struct findings *from)
{
    struct findings *f = ARENA_NEW(arena, struct findings);
    *f = *from;
    f->items = ARENA_ARRAY(arena, from->n, struct finding *);
    for (uint32_t i = 0; i < from->n; i++)
        f->items[i] = arena_copy(arena, from->items[i], sizeof *from->items[i]);
    return f;
}

static void each_round(void (*test)(struct arena *arena))
{
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        struct arena *arena = arena_new(SIZE_MAX / 2);
        seed = round;
        test(arena);
        arena_free(arena);
    }
}

/* ---- sums ---- */

static void sums(struct arena *arena)
{
    struct ledger *ledger = ledger_build(arena, throw_all(arena));
    uint32_t impacts[CATEGORY_COUNT] = {0}, total = 0, hazard = 0;
    for (uint32_t i = 0; i < ledger->risks.n; i++) {
        const struct risk *risk = &ledger->risks.items[i];
        impacts[risk->check->category] += risk->impact;
        if (i)
            assert_true(risk_order(risk - 1, risk) <= 0);
    }
    for (int c = 0; c < CATEGORY_COUNT; c++) {
        assert_int_equal(impacts[c], ledger->categories[c].lost);
        total += impacts[c];
        hazard += ledger->categories[c].hazard;
    }
    assert_int_equal(ledger->score_exact, 10000 - total);
    assert_int_equal(ledger->hazard, hazard);
    assert_in_range(ledger->csc_score, 0, 100);
    assert_int_equal(ledger->csc_score, ledger->score_exact / 100);
    assert_int_equal(ledger->decision, decision_of(ledger->csc_score));
}

static void impacts_sum_to_losses_and_losses_to_the_score(void **state)
{
    (void)state;
    each_round(sums);
}

/* ---- who pays ---- */

static bool is_paid_by(const struct ledger *ledger, const struct check *check)
{
    for (uint32_t i = 0; i < ledger->risks.n; i++) {
        const struct risk *risk = &ledger->risks.items[i];
        if (risk->check == check && !risk->exempt && !risk->absorbed_by)
            return true;
    }
    return false;
}

static void payers(struct arena *arena)
{
    struct ledger *ledger = ledger_build(arena, throw_all(arena));
    for (uint32_t i = 0; i < ledger->risks.n; i++) {
        const struct risk *risk = &ledger->risks.items[i];
        if ((risk->exempt || risk->absorbed_by) && risk->impact)
            fail_msg("%s costs, though nobody or another pays for it", risk->check->id);
        if (risk->exempt && risk->absorbed_by)
            fail_msg("%s is exempt, and absorbed by %s", risk->check->id, risk->absorbed_by->id);
        if (risk->absorbed_by && !is_paid_by(ledger, risk->absorbed_by))
            fail_msg("%s is absorbed by %s, which pays nothing", risk->check->id,
                     risk->absorbed_by->id);
    }
}

static void absorbed_and_exempt_findings_cost_nothing(void **state)
{
    (void)state;
    each_round(payers);
}

/* Whether an exempt finding is there at all makes no difference. */
static void exempt(struct arena *arena)
{
    struct findings *all = throw_all(arena), *fewer = copy_of(arena, all);
    fewer->n = 0;
    for (uint32_t i = 0; i < all->n; i++)
        if (!all->items[i]->exempt)
            fewer->items[fewer->n++] = all->items[i];
    assert_int_equal(ledger_build(arena, all)->score_exact,
                     ledger_build(arena, fewer)->score_exact);
}

static void exempt_findings_are_as_if_they_were_not(void **state)
{
    (void)state;
    each_round(exempt);
}

/* ---- mending ---- */

static void mend(struct arena *arena)
{
    struct findings *all = throw_all(arena);
    uint32_t before = ledger_build(arena, copy_of(arena, all))->score_exact;
    for (int tries = 0; all->n && tries < 20; tries++) {
        struct findings *fewer = copy_of(arena, all);
        uint32_t mended = pick(all->n);
        const struct check *check = all->items[mended]->check;
        fewer->items[mended] = fewer->items[--fewer->n];
        uint32_t after = ledger_build(arena, fewer)->score_exact;
        if (after < before)
            fail_msg("%u, and without %s %u", before, check->id, after);
    }
}

static void mending_one_finding_never_lowers_the_score(void **state)
{
    (void)state;
    each_round(mend);
}

/* ---- order ---- */

static void shuffle(struct arena *arena)
{
    struct findings *one = throw_all(arena), *two = copy_of(arena, one);
    for (uint32_t i = two->n; i > 1; i--) {
        struct finding **a = &two->items[i - 1], **b = &two->items[pick(i)], *keep = *a;
        *a = *b;
        *b = keep;
    }
    struct ledger *x = ledger_build(arena, one), *y = ledger_build(arena, two);
    /* Sums of doubles in another order may differ in their last bit. */
    assert_in_range(x->score_exact + 1 - y->score_exact, 0, 2);
    assert_int_equal(x->risks.n, y->risks.n);
}

static void order_of_findings_does_not_matter(void **state)
{
    (void)state;
    each_round(shuffle);
}

/* Equal findings, of which one has to have a hundredth more: always the one with the lowest id. */
static void ties_go_by_id(void **state)
{
    (void)state;
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct findings *f = no_findings(arena, sound_cluster(arena, 7, 2, 1));
    for (uint32_t i = 0; i < 7; i++)
        add_by_id(f, "privileged-container", i);
    struct ledger *ledger = ledger_build(arena, f);
    const struct risk *risks = ledger->risks.items;
    uint32_t least = risks[6].impact, more = 0;
    assert_true(least > 0 && (10000 - ledger->score_exact) % 7 > 0);
    for (uint32_t i = 0; i < 7; i++) {
        assert_in_range(risks[i].impact, least, least + 1);
        more += risks[i].impact > least;
    }
    for (uint32_t i = 0; i < more; i++)
        for (uint32_t j = more; j < 7; j++)
            assert_true(strcmp(risks[i].id, risks[j].id) < 0);
    arena_free(arena);
}

/* ---- how many there are ---- */

/* Posture of half as many applications, each of them twice. */
static void twice(struct arena *arena)
{
    uint32_t apps = 5 + pick(APPS_MAX), density = 1 + pick(60);
    struct findings *one = no_findings(arena, sound_cluster(arena, apps, 2, 3));
    struct findings *two = no_findings(arena, sound_cluster(arena, 2 * apps, 2, 3));
    for (int c = 0; c < CHECK_COUNT; c++)
        for (uint32_t i = 0; i < apps; i++)
            if (checks[c].subject == SUBJECT_workload && pick(100) < density &&
                is_asked(&checks[c], object_at(one->context->cluster, SUBJECT_workload, i)) &&
                hazard_of(&checks[c])->part == PART_POSTURE) {
                add(one, &checks[c], i);
                add(two, &checks[c], 2 * i);
                add(two, &checks[c], 2 * i + 1);
            }
    uint32_t once = ledger_build(arena, one)->score_exact;
    assert_in_range(once + 1 - ledger_build(arena, two)->score_exact, 0, 2);
}

static void posture_is_a_matter_of_shares(void **state)
{
    (void)state;
    each_round(twice);
}

/* Of twice as many, twice as many down are worse, but not by much: a small cluster's share is
 * smoothed. */
static void twice_as_many_down_cost_as_much(void **state)
{
    (void)state;
    static const uint32_t apps[] = {10, 20, 40, 80, 160, 320};
    uint32_t before = 10000;
    for (size_t i = 0; i < sizeof apps / sizeof *apps; i++) {
        struct arena *arena = arena_new(SIZE_MAX / 2);
        struct findings *f = no_findings(arena, sound_cluster(arena, apps[i], 2, 1));
        for (uint32_t n = 0; n < apps[i] / 10; n++)
            add_by_id(f, "container-crash-loop", n);
        uint32_t score = ledger_build(arena, f)->score_exact;
        assert_in_range(score, before == 10000 ? 0 : before - 60, before);
        before = score;
        arena_free(arena);
    }
}

/* What is down dilutes nothing: with half of the applications gone, posture is shared by the
 * others, and theirs stays in the sum. */
static void what_is_down_is_not_among_those_asked(void **state)
{
    (void)state;
    struct arena *arena = arena_new(SIZE_MAX / 2);
    struct findings *one = no_findings(arena, sound_cluster(arena, 12, 2, 1)), *two;
    two = no_findings(arena, sound_cluster(arena, 12, 0, 1));
    for (uint32_t i = 0; i < 2; i++) {
        add_by_id(one, "privileged-container", i);
        add_by_id(two, "privileged-container", i);
    }
    add_by_id(two, "container-crash-loop", 0);
    ledger_build(arena, one);
    ledger_build(arena, two);
    /* x = sqrt(50 / 12) = 2.0412 and sqrt(50 / 11) = 2.1320; 0.62 * (1 - exp(-(x / 46)^2)) */
    double quiet = one->items[0]->hazard + one->items[1]->hazard;
    double loud = (two->items[0]->hazard + two->items[1]->hazard) * exp(two->items[2]->hazard);
    assert_int_equal((int)(quiet * 1e6), 1219);
    assert_int_equal((int)(loud * 1e6), 1330);
    arena_free(arena);
}

/* ---- figures ---- */

/* One object among n fails one check: the loss of the cluster, in hundredths. there: the replicas
 * that the first application has, of two. */
static uint32_t loss_of_one(struct arena *arena, const char *check, uint32_t n, uint32_t there)
{
    bool node = check_find(str_of(check))->subject == SUBJECT_node;
    struct findings *f =
        no_findings(arena, sound_cluster(arena, node ? 1 : n, there, node ? n : 1));
    add_by_id(f, check, 0);
    return 10000 - ledger_build(arena, f)->score_exact;
}

/* The formula, by hand: 3 * share^0.85 of 1 / (500 + 0.998), of 1 / 1, of half a workload's 1/8 /
 * (9 + 0.986), of 0.2 / (9 + 0.978) with nothing missing, of 0.01 where nobody complains but of a
 * change. Posture: x = sqrt(25 / 5), sqrt(25 / 100). Nodes: 1.2 / 3, and 0.15 of that. */
static void figures_computed_by_hand(void **state)
{
    (void)state;
    struct arena *arena = arena_new(SIZE_MAX / 2);
    assert_int_equal(loss_of_one(arena, "container-crash-loop", 500, 0), 151);
    assert_int_equal(loss_of_one(arena, "container-crash-loop", 1, 0), 9503);
    assert_int_equal(loss_of_one(arena, "pod-not-ready", 9, 1), 699);
    assert_int_equal(loss_of_one(arena, "rollout-stalled", 9, 2), 1025);
    assert_int_equal(loss_of_one(arena, "recent-image-change", 9, 0), 85);
    assert_int_equal(loss_of_one(arena, "privileged-container", 4, 2), 15);
    assert_int_equal(loss_of_one(arena, "privileged-container", 100, 2), 1);
    assert_int_equal(loss_of_one(arena, "node-not-ready", 3, 2), 3297);
    assert_int_equal(loss_of_one(arena, "node-cordoned", 3, 2), 583);
    arena_free(arena);
}

static void causes_are_of_one_kind(void **state)
{
    const struct check *first[CAUSE_COUNT] = {NULL};
    (void)state;
    for (int i = 0; i < CHECK_COUNT; i++) {
        const struct check *check = &checks[i], **one = &first[check->cause];
        *one = *one ? *one : check;
        if (check->cause == CAUSE_none)
            continue;
        if (check->category != (*one)->category || check->subject != (*one)->subject)
            fail_msg("%s and %s share a cause", check->id, (*one)->id);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(causes_are_of_one_kind),
        cmocka_unit_test(impacts_sum_to_losses_and_losses_to_the_score),
        cmocka_unit_test(absorbed_and_exempt_findings_cost_nothing),
        cmocka_unit_test(exempt_findings_are_as_if_they_were_not),
        cmocka_unit_test(mending_one_finding_never_lowers_the_score),
        cmocka_unit_test(order_of_findings_does_not_matter),
        cmocka_unit_test(ties_go_by_id),
        cmocka_unit_test(posture_is_a_matter_of_shares),
        cmocka_unit_test(twice_as_many_down_cost_as_much),
        cmocka_unit_test(what_is_down_is_not_among_those_asked),
        cmocka_unit_test(figures_computed_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
