/* What local checks said is recalled while it holds, and no longer: sequences of pushes, each
 * judged with what was said before and without (warm.h). */
#include "score/verdict_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#include "change.h"
#include "judge.h"
#include "mutations.h"
#include "recipe.h"
#include "scratch.h"
#include "trials.h"
#include "warm.h"

enum { MAX = 64 << 20, EPOCHS = 15, EPOCH = 40, BLOCK = 66 << 10 /* of an arena */ };

static int64_t noon(void)
{
    return clock_parse(str_of(JUDGE_TIME));
}

static void same(struct warm *warm, struct str document, const char *what)
{
    const char *differs = warm_push(warm, document, WARM_REDACT, 0);
    if (differs)
        fail_msg("%s, after \"%s\":\n%" STR_FMT, differs, what,
                 STR_ARG(str_sub(document, 0, 2000)));
}

/* ---- clusters that change ---- */

static const struct recipe recipes[] = {
    {.name = "anything", .care = CARE_RANDOM, .nodes = 4, .apps = 5, .seed = 7, .system = true},
    {.name = "ill",
     .care = CARE_COMMON,
     .nodes = 4,
     .apps = 6,
     .looping = 1,
     .unpullable = 1,
     .partial = 1,
     .dead_nodes = 1,
     .full_nodes = 1,
     .jobs = 2,
     .failed_jobs = 1,
     .cronjobs = 2,
     .bare_pods = 2,
     .evicted = 1,
     .completed = 1},
};

/* One of all mutations, by a throw. Returns its name. */
static const char *mutate(struct arena *epoch, struct objects *objects, uint64_t *seed)
{
    const struct mutation_table *table = mutation_tables[objects_throw(seed, MUTATION_TABLES)];
    const struct mutation *mutation = &table->rows[objects_throw(seed, (uint32_t)table->n)];
    const struct inventory *inventory = inventory_of(epoch, objects);
    struct change change = change_begin(epoch, inventory, objects, noon(), *seed);
    change.what = mutation->what;
    if (mutation->apply(&change))
        *objects = change.objects;
    return mutation->name;
}

static void without_gaps(struct objects *objects)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < objects->n; i++)
        if (objects->items[i].n)
            objects->items[n++] = objects->items[i];
    objects->n = n;
}

/* From the recipe on. Between two changes the cluster stays as it is for some pushes. Returns how
 * often something was known. */
static uint64_t change_for_a_while(struct warm *warm, const struct recipe *recipe, uint64_t *seed)
{
    struct arena *epoch = arena_new((size_t)256 << 20);
    struct objects objects = recipe_objects(epoch, recipe);
    uint64_t known = 0;
    warm_at(warm, noon());
    for (unsigned push = 0; push < EPOCH; push++) {
        const char *what = push % 3 ? "nothing" : mutate(epoch, &objects, seed);
        without_gaps(&objects);
        same(warm, objects_list(epoch, &objects), what);
        known += warm_verdict_use(warm).known;
    }
    arena_free(epoch);
    return known;
}

static void clusters_that_change(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(recipes); i++) {
        uint64_t seed = trials_seed() + i, known = 0;
        unsigned epochs = trials_rounds(EPOCHS);
        struct warm *warm = warm_new(MAX);
        for (unsigned epoch = 0; epoch < epochs; epoch++)
            known += change_for_a_while(warm, &recipes[i], &seed);
        assert_true(known > epochs * EPOCH); /* it is not the same for being asked */
        warm_free(warm);
    }
}

/* ---- what is known ---- */

#define META(name) "'metadata':{'name':'" name "','namespace':'shop','uid':'u-" name "'"
#define OWNER(kind, name)                                                                          \
    "'ownerReferences':[{'kind':'" kind "','name':'" name                                          \
    "','apiVersion':'apps/v1','controller':true}]"
#define SPEC(image) "'spec':{'nodeName':'n','containers':[{'name':'c','image':'" image "'}]}"
#define WORKLOAD(kind, name, image)                                                                \
    "{'apiVersion':'apps/v1','kind':'" kind                                                        \
    "'," META(name) "},'spec':{'template':{" SPEC(image) "}}}"
#define CART  WORKLOAD("Deployment", "cart", "i:1") ","
#define WEB   WORKLOAD("Deployment", "web", "i:1") ","
#define STORE WORKLOAD("StatefulSet", "store", "i:1") ","
#define SET(replicas)                                                                              \
    "{'apiVersion':'apps/v1','kind':'ReplicaSet'," META("web-1") "," OWNER(                        \
        "Deployment", "web") "},'spec':{'replicas':" replicas "}},"
#define REVISION(number)                                                                           \
    "{'apiVersion':'apps/v1','kind':'ControllerRevision'," META("store-1") "," OWNER(              \
        "StatefulSet", "store") "},'revision':" number "},"
#define STATUS(ready, container)                                                                   \
    "'status':{'phase':'Running','conditions':[{'type':'Ready','status':'" ready                   \
    "','lastTransitionTime':'2026-03-17T11:59:30Z'}]" container "}}"
#define POD_OF(owner, name, ready, container)                                                      \
    "{'apiVersion':'v1','kind':'Pod'," META(name) owner                                            \
        ",'creationTimestamp':'2026-03-17T11:00:00Z'}," SPEC("i:1") "," STATUS(ready, container)
#define POD_OF_WEB(name, ready) POD_OF("," OWNER("ReplicaSet", "web-1"), name, ready, "") ","
/* What ended its container's last run but one. */
#define ENDED(code)                                                                                \
    ",'containerStatuses':[{'name':'c','ready':false,'restartCount':3,'lastState':{'terminated':{" \
    "'exitCode':" code ",'reason':'Error','finishedAt':'2026-03-17T11:55:00Z'}}}]"
#define LOST(code) POD_OF("," OWNER("ReplicaSet", "web-1"), "p", "False", ENDED(code)) ","
#define BARE(code) POD_OF("", "bare", "False", ENDED(code))
#define NODE(ready)                                                                                \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'},'status':{'conditions':[{'type':"    \
    "'Ready','status':'" ready "','lastTransitionTime':'2026-03-17T11:00:00Z'}]}},"
/* null ends the list, as the redacted copy has it. */
#define LIST_(...) "{'apiVersion':'v1','kind':'List','items':[" __VA_ARGS__ "null]}"
#define SHOP       CART WEB SET("2")

/* Pushes it as often; then of how many workloads something was known. */
static uint32_t known_after(struct warm *warm, const char *document, unsigned times)
{
    for (unsigned i = 0; i < times; i++) {
        warm_at(warm, noon());
        same(warm, json_of(document), document);
    }
    return warm_verdict_use(warm).known;
}

/* An object has a number when it was met twice. */
static void from_the_third_time_on(void **state)
{
    (void)state;
    struct warm *warm = warm_new(MAX);
    const char *document = LIST_(SHOP POD_OF_WEB("p", "True") NODE("True"));
    assert_int_equal(known_after(warm, document, 2), 0);
    assert_int_equal(known_after(warm, document, 1), 2);
    assert_int_equal(warm_verdict_use(warm).asked, 0);
    warm_free(warm);
}

/* Of what has changed nothing is known, of all else it is. */
static void what_is_known(void **state)
{
    (void)state;
    static const struct {
        const char *name, *before, *after;
        uint32_t known;
    } rows[] = {
        {"nothing", LIST_(SHOP POD_OF_WEB("p", "True")), LIST_(SHOP POD_OF_WEB("p", "True")), 2},
        {"a pod", LIST_(SHOP POD_OF_WEB("p", "True")), LIST_(SHOP POD_OF_WEB("p", "False")), 1},
        {"one pod more", LIST_(SHOP POD_OF_WEB("p", "True")),
         LIST_(SHOP POD_OF_WEB("p", "True") POD_OF_WEB("q", "True")), 1},
        {"one pod less", LIST_(SHOP POD_OF_WEB("p", "True") POD_OF_WEB("q", "True")),
         LIST_(SHOP POD_OF_WEB("p", "True")), 1},
        {"no pod any more: other checks are asked", LIST_(SHOP POD_OF_WEB("p", "True")),
         LIST_(SHOP), 0},
        {"a ReplicaSet", LIST_(SHOP), LIST_(CART WEB SET("3")), 1},
        {"no ReplicaSet any more", LIST_(SHOP POD_OF_WEB("p", "True")),
         LIST_(CART WEB POD_OF_WEB("p", "True")), 0},
        {"a Deployment", LIST_(SHOP), LIST_(CART WORKLOAD("Deployment", "web", "i:2") "," SET("2")),
         1},
        {"a revision", LIST_(CART STORE REVISION("1")), LIST_(CART STORE REVISION("2")), 1},
        {"a node that is not ready", LIST_(SHOP POD_OF_WEB("p", "False") NODE("True")),
         LIST_(SHOP POD_OF_WEB("p", "False") NODE("False")), 1},
        {"a node that is gone", LIST_(SHOP POD_OF_WEB("p", "False") NODE("False")),
         LIST_(SHOP POD_OF_WEB("p", "False")), 1},
        {"a node that restarted, as another pod tells",
         LIST_(SHOP LOST("255") NODE("True") BARE("1") ","),
         LIST_(SHOP LOST("255") NODE("True") BARE("255") ","), 1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct warm *warm = warm_new(MAX);
        known_after(warm, rows[i].before, 4);
        uint32_t known = known_after(warm, rows[i].after, 1);
        if (known != rows[i].known)
            fail_msg("%s: %u known, should be %u", rows[i].name, known, rows[i].known);
        known_after(warm, rows[i].before, 2);
        known_after(warm, rows[i].after, 2);
        warm_free(warm);
    }
}

/* ---- what is around a workload ---- */

#define IN_SHOP(version, kind, name, ...)                                                          \
    "{'apiVersion':'" version "','kind':'" kind "'," META(name) "}" __VA_ARGS__ "},"
#define ACCOUNT(name, ...) IN_SHOP("v1", "ServiceAccount", name, __VA_ARGS__)
#define REFUSES            ",'automountServiceAccountToken':false"
#define SELECTOR           "{'app':'web'}"
#define SERVICE(name)      IN_SHOP("v1", "Service", name, ",'spec':{'selector':" SELECTOR "}")
#define POLICY(name, labels)                                                                       \
    IN_SHOP("networking.k8s.io/v1", "NetworkPolicy", name,                                         \
            ",'spec':{'podSelector':{'matchLabels':" labels "}}")
#define BUDGET                                                                                     \
    IN_SHOP("policy/v1", "PodDisruptionBudget", "web",                                             \
            ",'spec':{'selector':{'matchLabels':" SELECTOR "}}")
#define SCALER(least)                                                                              \
    IN_SHOP("autoscaling/v2", "HorizontalPodAutoscaler", "web",                                    \
            ",'spec':{'minReplicas':" least ",'maxReplicas':9,"                                    \
            "'scaleTargetRef':{'kind':'Deployment','name':'front'}}")
#define PRIORITY IN_SHOP("scheduling.k8s.io/v1", "PriorityClass", "all", ",'globalDefault':true")
#define NAMESPACE(team)                                                                            \
    "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'shop','labels':{'team':'" team      \
    "'}}},"
#define KUBELET(version)                                                                           \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'},'status':{'nodeInfo':"               \
    "{'kubeletVersion':'" version "'},'conditions':[{'type':'Ready','status':'True'}]}},"
/* A Deployment with labels, an account of its own, and the affinity of the parameter. */
#define FRONT(affinity)                                                                            \
    "{'apiVersion':'apps/v1','kind':'Deployment'," META(                                           \
        "front") ",'generation':1},"                                                               \
                 "'spec':{'replicas':2,'strategy':{'type':'Recreate'},'template':{'metadata':{'"   \
                 "labels':" SELECTOR "},'spec':{'serviceAccountName':'mine'," affinity             \
                 "'securityContext':{'sysctls':"                                                   \
                 "[{'name':'net.ipv4.tcp_keepalive_time','value':'1'}]},'containers':[{'name':'c'" \
                 ",'image':'i:1'"                                                                  \
                 "}]}}},'status':{'replicas':2,'readyReplicas':1,'availableReplicas':1,'"          \
                 "observedGeneration':1}},"
#define APART                                                                                      \
    "'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"           \
    "'topologyKey':'kubernetes.io/hostname','labelSelector':{'matchLabels':" SELECTOR              \
    "},'namespaceSelector':{'matchLabels':{'team':'a'}}}]}},"

/* The workload stays as it is, and something else does not. known: of cart and front. */
static void what_is_around(void **state)
{
    (void)state;
    static const struct {
        const char *name, *before, *after;
        uint32_t known;
    } rows[] = {
        {"its account", LIST_(CART FRONT("") ACCOUNT("default") ACCOUNT("mine")),
         LIST_(CART FRONT("") ACCOUNT("default") ACCOUNT("mine", REFUSES)), 1},
        {"another account", LIST_(CART FRONT("") ACCOUNT("default") ACCOUNT("mine") ACCOUNT("x")),
         LIST_(CART FRONT("") ACCOUNT("default") ACCOUNT("mine") ACCOUNT("x", REFUSES)), 2},
        {"its account is gone", LIST_(CART FRONT("") ACCOUNT("default") ACCOUNT("mine")),
         LIST_(CART FRONT("") ACCOUNT("default")), 1},
        {"the account of the others", LIST_(CART FRONT("") ACCOUNT("default") ACCOUNT("mine")),
         LIST_(CART FRONT("") ACCOUNT("default", REFUSES) ACCOUNT("mine")), 1},
        {"a Service", LIST_(CART FRONT("") SERVICE("b")),
         LIST_(CART FRONT("") SERVICE("b") SERVICE("a")), 1},
        {"another name of the Service", LIST_(CART FRONT("") SERVICE("long-enough-for-two")),
         LIST_(CART FRONT("") SERVICE("long-enough-for-tow")), 1},
        {"a policy that selects it", LIST_(CART FRONT("") POLICY("p", SELECTOR)),
         LIST_(CART FRONT("") POLICY("p", "{'app':'x'}")), 1},
        {"policies of the namespace", LIST_(CART FRONT("") POLICY("p", SELECTOR)),
         LIST_(CART FRONT("") POLICY("p", SELECTOR) POLICY("q", "{'app':'x'}")), 0},
        {"a budget", LIST_(CART FRONT("") BUDGET), LIST_(CART FRONT("")), 0},
        {"an autoscaler's minimum", LIST_(CART FRONT("") SCALER("1")),
         LIST_(CART FRONT("") SCALER("3")), 1},
        {"an autoscaler that may leave nothing", LIST_(CART FRONT("") SCALER("2")),
         LIST_(CART FRONT("") SCALER("2,'idleReplicaCount':0")), 1},
        {"a class for all pods", LIST_(CART FRONT("") PRIORITY), LIST_(CART FRONT("")), 0},
        {"the labels of its namespace", LIST_(CART FRONT(APART) NAMESPACE("a")),
         LIST_(CART FRONT(APART) NAMESPACE("b")), 1},
        {"labels that nobody asks for", LIST_(CART FRONT("") NAMESPACE("a")),
         LIST_(CART FRONT("") NAMESPACE("b")), 2},
        {"a namespace that is gone", LIST_(CART FRONT(APART) NAMESPACE("a")),
         LIST_(CART FRONT(APART)), 1},
        {"another release", LIST_(CART FRONT("") KUBELET("v1.28.1")),
         LIST_(CART FRONT("") KUBELET("v1.30.1")), 0},
        {"a patch of the release", LIST_(CART FRONT("") KUBELET("v1.30.0")),
         LIST_(CART FRONT("") KUBELET("v1.30.1")), 2},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct warm *warm = warm_new(MAX);
        const char *before = rows[i].before, *after = rows[i].after;
        assert_int_equal(known_after(warm, before, 4), 2);
        uint32_t known = known_after(warm, after, 1);
        if (known != rows[i].known)
            fail_msg("%s: %u known, should be %u", rows[i].name, known, rows[i].known);
        known_after(warm, before, 2);
        known_after(warm, after, 2);
        warm_free(warm);
    }
}

/* Whose bytes hold a secret has no number. */
static void secrets(void **state)
{
    (void)state;
    struct warm *warm = warm_new(MAX);
    const char *document = LIST_(CART "{'apiVersion':'v1','kind':'Pod'," META(
        "p") "},'spec':{'containers':[{'name':'c','args':['--password=correct-horse-battery-9'"
             "]}]}},");
    assert_int_equal(known_after(warm, document, 5), 1);
    warm_free(warm);
}

/* ---- what risks cost ---- */

#define NAMELESS(image)                                                                            \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'shop'},'spec':{'containers':[{"      \
    "'name':'c','image':'" image "'}]}},"

/* Prices are known while no hazard changes, also when what is said does. */
static void what_risks_cost(void **state)
{
    (void)state;
    static const struct {
        const char *name, *before, *after;
        bool priced;
    } rows[] = {
        {"nothing", LIST_(SHOP NODE("True")), LIST_(SHOP NODE("True")), true},
        {"another image", LIST_(SHOP),
         LIST_(CART WORKLOAD("Deployment", "web", "i:2") "," SET("2")), true},
        {"one workload more", LIST_(SHOP), LIST_(SHOP STORE), false},
        {"one workload less", LIST_(SHOP STORE), LIST_(SHOP), false},
        {"a node that is not ready", LIST_(SHOP NODE("True")), LIST_(SHOP NODE("False")), false},
        /* Their risks have one id, and are told apart by what is said: that is their order. */
        {"what two have that have no name", LIST_(NAMELESS("a") NAMELESS("b")),
         LIST_(NAMELESS("b") NAMELESS("a")), false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct warm *warm = warm_new(MAX);
        known_after(warm, rows[i].before, 4);
        assert_true(warm_verdict_use(warm).priced);
        known_after(warm, rows[i].after, 1);
        if (warm_verdict_use(warm).priced != rows[i].priced)
            fail_msg("%s: prices are %s", rows[i].name, rows[i].priced ? "not known" : "known");
        known_after(warm, rows[i].before, 2);
        known_after(warm, rows[i].after, 2);
        warm_free(warm);
    }
}

/* ---- the time ---- */

/* Each second around the moments at which something else is said, there and back. */
static void until_it_is_older(void **state)
{
    (void)state;
    static const struct {
        const char *document;
        int from, to; /* seconds after noon */
    } rows[] = {
        /* not ready since 30 s: from 60 s on, and the message counts seconds, minutes, hours */
        {LIST_(SHOP POD_OF_WEB("p", "False")), -40, 200},
        {LIST_(SHOP POD_OF_WEB("p", "False")), 3600 - 60, 3600 + 60},
        {LIST_(SHOP POD_OF_WEB("p", "False")), 86400 - 60, 86400 + 60},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct warm *warm = warm_new(MAX);
        int n = rows[i].to - rows[i].from;
        known_after(warm, rows[i].document, 4);
        for (int step = 0; step < 2 * n; step++) {
            int at = step < n ? rows[i].from + step : rows[i].to - (step - n);
            warm_at(warm, noon() + at * CLOCK_SECOND);
            same(warm, json_of(rows[i].document), "a second");
        }
        warm_free(warm);
    }
}

/* ---- what else it depends on, and its limit ---- */

struct judged {
    struct arena *arena;
    struct cluster *cluster;
    struct object_memory *objects;
    struct verdict_memory *verdicts;
    struct score_policy policy;
    struct ledger *warm, *cold;
};

static void judge_both(void *context)
{
    struct judged *judged = context;
    struct str document = json_of(LIST_(SHOP POD_OF_WEB("p", "False") NODE("True")));
    struct snapshot_error error;
    struct snapshot_options options = {.stop_at_sensitive = true, .memory = judged->objects};
    judged->cluster = snapshot_read(judged->arena, source_of(&document), &options, &error);
    judged->warm =
        score_again(judged->arena, judged->cluster, &judged->policy, noon(), judged->verdicts);
    judged->cold = score(judged->arena, judged->cluster, &judged->policy, noon());
}

static bool has(const struct ledger *ledger, const char *check)
{
    const struct risk *risk;
    LIST_EACH (risk, ledger->risks)
        if (str_eq(str_of(risk->check->id), str_of(check)))
            return true;
    return false;
}

/* Judges once more, by the policy as it is now. */
static uint32_t known_now(struct judged *judged)
{
    arena_reset(judged->arena);
    assert_true(arena_guard(judged->arena, judge_both, judged));
    assert_int_equal(judged->warm->score_exact, judged->cold->score_exact);
    assert_int_equal(judged->warm->risks.n, judged->cold->risks.n);
    for (uint32_t i = 0; i < judged->warm->risks.n; i++) {
        assert_string_equal(judged->warm->risks.items[i].id, judged->cold->risks.items[i].id);
        assert_int_equal(judged->warm->risks.items[i].impact, judged->cold->risks.items[i].impact);
    }
    return verdict_memory_use(judged->verdicts).known;
}

static struct judged judged_begin(size_t max)
{
    struct judged judged = {.arena = arena_new(MAX),
                            .objects = object_memory_new(MAX),
                            .verdicts = verdict_memory_new(max),
                            .policy = score_policy_default()};
    return judged;
}

static void judged_end(struct judged *judged)
{
    verdict_memory_free(judged->verdicts);
    object_memory_free(judged->objects);
    arena_free(judged->arena);
}

static void by_the_policy(void **state)
{
    (void)state;
    struct judged judged = judged_begin(MAX);
    struct str mine = STR("registry.shop"), shop = STR("shop");
    const deployed_list none = {0};
    for (int i = 0; i < 4; i++)
        known_now(&judged);
    assert_int_equal(known_now(&judged), 2);
    assert_false(has(judged.warm, "image-registry-untrusted"));
    judged.policy.trusted_registries = (str_list)LIST_SLICE(&mine, 1);
    assert_int_equal(known_now(&judged), 0);
    assert_true(has(judged.warm, "image-registry-untrusted"));
    assert_int_equal(known_now(&judged), 2);
    assert_true(has(judged.warm, "image-registry-untrusted"));
    judged.policy.system_namespaces = (str_list)LIST_SLICE(&shop, 1); /* nothing of policy there */
    assert_int_equal(known_now(&judged), 0);
    assert_false(has(judged.warm, "image-registry-untrusted"));
    assert_int_equal(known_now(&judged), 2);
    judged.policy.deploys = &none; /* checks of history look for them then */
    assert_int_equal(known_now(&judged), 0);
    assert_int_equal(known_now(&judged), 2);
    judged_end(&judged);
}

static void exempt(void **state)
{
    (void)state;
    struct judged judged = judged_begin(MAX);
    struct exemption exemption = {.check = check_find(STR("capabilities-not-dropped")),
                                  .expires = noon() + CLOCK_DAY,
                                  .reason = STR("later")};
    for (int i = 0; i < 4; i++)
        known_now(&judged);
    uint32_t score = judged.warm->score_exact;
    judged.policy.exemptions = (exemption_list)LIST_SLICE(&exemption, 1);
    assert_int_equal(known_now(&judged), 2);
    assert_true(judged.warm->score_exact > score);
    judged.policy.exemptions.n = 0;
    assert_int_equal(known_now(&judged), 2);
    assert_int_equal(judged.warm->score_exact, score);
    judged_end(&judged);
}

/* Without room all is asked each time. What it takes stays within the limit. */
static void limit(void **state)
{
    (void)state;
    static const size_t limits[] = {0, 1, 1000, 20000, 100000};
    for (size_t i = 0; i < COUNT(limits); i++) {
        struct judged judged = judged_begin(limits[i]);
        for (int round = 0; round < 5; round++)
            known_now(&judged);
        assert_true(verdict_memory_bytes(judged.verdicts) <= limits[i] + BLOCK);
        judged_end(&judged);
    }
    verdict_memory_free(NULL);
}

/* ---- a judgement that does not end ---- */

struct unwinding {
    struct judged *judged;
    uint64_t steps; /* that it may take after the first judgement */
};

static void judge_then_unwind(void *context)
{
    struct unwinding *unwinding = context;
    struct judged *judged = unwinding->judged;
    judge_both(judged);
    struct effort *effort = judged->cluster->effort;
    effort->allowed = effort->spent + unwinding->steps;
    effort->look_at = effort->allowed + 1;
    score_again(judged->arena, judged->cluster, &judged->policy, noon(), judged->verdicts);
}

/* Wherever it was unwound, the next one is as if it had not been. */
static void unwound(void **state)
{
    (void)state;
    struct judged judged = judged_begin(MAX);
    struct unwinding unwinding = {&judged, 0};
    unsigned forgotten = 0;
    bool ended = false;
    for (int i = 0; i < 4; i++)
        known_now(&judged);
    for (; !ended; unwinding.steps += 97) {
        arena_reset(judged.arena);
        ended = arena_guard(judged.arena, judge_then_unwind, &unwinding);
        forgotten += known_now(&judged) == 0;
        assert_int_equal(known_now(&judged), 2);
    }
    assert_true(forgotten > 10);
    judged_end(&judged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_that_change),
        cmocka_unit_test(from_the_third_time_on),
        cmocka_unit_test(what_is_known),
        cmocka_unit_test(what_is_around),
        cmocka_unit_test(secrets),
        cmocka_unit_test(what_risks_cost),
        cmocka_unit_test(until_it_is_older),
        cmocka_unit_test(by_the_policy),
        cmocka_unit_test(exempt),
        cmocka_unit_test(limit),
        cmocka_unit_test(unwound),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
