/* The gate's forecast: what becomes of a proposed object, what a redacted copy recalls, and points
 * that add up. */
#include "gate/ill_typed.h"
#include "gate/prediction.h"
#include "gate/proposal.h"
#include "gate/settle.h"
#include "reading.h"
#include "kube/credential.h"
#include "score/recall.h"
#include "score/score.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { CEILING = 256 * 1024 * 1024 };

static struct str unquote(struct arena *arena, const char *text)
{
    struct str copy = arena_str(arena, str_of(text));
    for (size_t i = 0; i < copy.n; i++)
        if (copy.p[i] == '\'')
            ((char *)copy.p)[i] = '"';
    return copy;
}

/* ---- what becomes of an object ---- */

static void an_object_keeps_what_the_cluster_gave_it(void **state)
{
    (void)state;
#define GIVEN "'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'a'"
    static const struct {
        const char *manifest, *old, *applied;
    } table[] = {
        {"{" GIVEN "},'spec':{'replicas':2}}",
         "{" GIVEN ",'uid':'u','generation':3},'spec':{'replicas':2},'status':{'replicas':2}}",
         "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'uid':'u','generation':3,"
         "'name':'a','namespace':'n'},'spec':{'replicas':2},'status':{'replicas':2}}"},
        {"{" GIVEN ",'uid':'other','labels':{'l':'new'}},'status':{'replicas':9},'spec':{}}",
         "{'metadata':{'uid':'u','labels':{'l':'old'},'ownerReferences':[1]},'spec':{}}",
         "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'uid':'u','ownerReferences':[1],"
         "'name':'a','labels':{'l':'new'},'namespace':'n'},'spec':{}}"},
        {"{" GIVEN ",'annotations':{'a':'b'}}}",
         "{'metadata':{'annotations':{'a':'x','mine':'y','deployment.kubernetes.io/revision':'4',"
         "'kubectl.kubernetes.io/last-applied-configuration':''}}}",
         "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'a','namespace':'n',"
         "'annotations':{'deployment.kubernetes.io/revision':'4','a':'b'}}}"},
        /* an autoscaler's replicas */
        {"{" GIVEN "},'spec':{'paused':true}}", "{'spec':{'replicas':7},'status':{'replicas':7}}",
         "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'a','namespace':'n'},"
         "'spec':{'replicas':7,'paused':true},'status':{'replicas':7}}"},
        /* one of three is missing: it stays missing */
        {"{" GIVEN "},'spec':{'replicas':5}}",
         "{'spec':{'replicas':3},'status':{'x':1,'replicas':3,'readyReplicas':2,"
         "'availableReplicas':2,'updatedReplicas':3,'unavailableReplicas':1}}",
         "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'a','namespace':'n'},"
         "'spec':{'replicas':5},'status':{'x':1,'replicas':5,'readyReplicas':4,"
         "'availableReplicas':4,'updatedReplicas':5,'currentReplicas':2,'fullyLabeledReplicas':2,"
         "'unavailableReplicas':1}}"},
        {"{" GIVEN "},'spec':{'replicas':1}}",
         "{'spec':{'replicas':3},'status':{'replicas':3,'readyReplicas':2,'availableReplicas':2,"
         "'unavailableReplicas':1}}",
         "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'a','namespace':'n'},"
         "'spec':{'replicas':1},'status':{'replicas':1,'readyReplicas':1,'availableReplicas':1,"
         "'updatedReplicas':0,'currentReplicas':0,'fullyLabeledReplicas':0}}"},
        /* OpenShift's and Argo's workloads are scaled as others are */
        {"{'apiVersion':'argoproj.io/"
         "v1alpha1','kind':'Rollout','metadata':{'name':'a'},'spec':{'replicas':2}}",
         "{'spec':{'replicas':1},'status':{'replicas':1,'readyReplicas':1,'availableReplicas':1,"
         "'updatedReplicas':1}}",
         "{'apiVersion':'argoproj.io/"
         "v1alpha1','kind':'Rollout','metadata':{'name':'a','namespace':'n'},"
         "'spec':{'replicas':2},'status':{'replicas':2,'readyReplicas':2,'availableReplicas':2,"
         "'updatedReplicas':2,'currentReplicas':1,'fullyLabeledReplicas':1}}"},
        {"{'apiVersion':'apps.openshift.io/"
         "v1','kind':'DeploymentConfig','metadata':{'name':'a'},'spec':{'paused':true}}",
         "{'spec':{'replicas':4},'status':{'replicas':4}}",
         "{'apiVersion':'apps.openshift.io/"
         "v1','kind':'DeploymentConfig','metadata':{'name':'a','namespace':'n'},"
         "'spec':{'replicas':4,'paused':true},'status':{'replicas':4}}"},
#define QUOTA "'apiVersion':'v1','kind':'ResourceQuota','metadata':{'name':'q'"
        {"{" QUOTA "},'spec':{'hard':{'pods':'5'}}}",
         "{'spec':{'hard':{'pods':'9'}},'status':{'hard':{'pods':'9'},'used':{'pods':'4'}}}",
         "{" QUOTA ",'namespace':'n'},'spec':{'hard':{'pods':'5'}},"
         "'status':{'hard':{'pods':'5'},'used':{'pods':'4'}}}"},
        {"{" QUOTA "},'spec':{'hard':{'pods':'5'}}}", "{}",
         "{" QUOTA
         ",'namespace':'n'},'spec':{'hard':{'pods':'5'}},'status':{'hard':{'pods':'5'}}}"},
        {"{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'c'}}", NULL,
         "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'c',"
         "'namespace':'n','uid':'00000000-0000-0000-0000-000000000000',"
         "'creationTimestamp':'1970-01-01T00:00:00.000Z'},'status':{'phase':'Bound'}}"},
        {"{'apiVersion':'v1','kind':'Node','metadata':{'name':'c','namespace':'x'}}", "{}",
         "{'apiVersion':'v1','kind':'Node','metadata':{'name':'c'}}"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct arena *arena = arena_new(CEILING);
        struct proposal proposal =
            proposal_read(arena, unquote(arena, table[i].manifest), STR("n"));
        assert_int_equal(proposal.problem, PROPOSAL_FINE);
        assert_int_equal(proposal.objects.n, 1);
        if (table[i].old)
            proposal.objects.items[0].old = unquote(arena, table[i].old);
        struct str applied = proposal_applied(arena, &proposal.objects.items[0], 0);
        assert_text(applied, arena_str(arena, unquote(arena, table[i].applied)).p);
        arena_free(arena);
    }
}

/* ---- what the controllers do then ---- */

#define META "'metadata':{'namespace':'n','uid':'u','name':"
#define DEPLOYMENT(name, replicas)                                                                 \
    "{'apiVersion':'apps/v1','kind':'Deployment'," META "'" name "'},'spec':{'replicas':" replicas \
    ",'template':{'metadata':{'labels':{'app':'" name "'}}}}}"
#define BUDGET(spec)                                                                               \
    "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget'," META "'b'},'spec':{" spec "}"
#define OF_A   "'selector':{'matchLabels':{'app':'a'}}"
#define OF_ALL "'selector':{}"
#define STATUS ",'status':{'expectedPods':3,'currentHealthy':3,'disruptionsAllowed':1}}"

/* expected: NUMBER_ABSENT where the controllers selected tell it. */
static void budgets_are_counted_anew(void **state)
{
    (void)state;
    static const struct {
        const char *before, *proposed; /* of a budget with status */
        int64_t expected, allowed;
    } table[] = {
        {BUDGET("'minAvailable':1," OF_A) STATUS, DEPLOYMENT("a", "3"), 3, 1},
        {BUDGET("'minAvailable':1," OF_A) STATUS, DEPLOYMENT("a", "1"), 1, NUMBER_ABSENT},
        {BUDGET("'minAvailable':1," OF_A) STATUS, DEPLOYMENT("a", "7"), 7, NUMBER_ABSENT},
        {BUDGET("'minAvailable':1," OF_A) STATUS, DEPLOYMENT("a", "0"), 0, NUMBER_ABSENT},
        {BUDGET("'minAvailable':1," OF_A) STATUS, DEPLOYMENT("new", "2"), 3, 1},
        {BUDGET("'minAvailable':1," OF_ALL) STATUS, DEPLOYMENT("new", "2"), 5, NUMBER_ABSENT},
        {BUDGET("'minAvailable':1") STATUS, DEPLOYMENT("a", "1"), 3, 1},
        {BUDGET("'minAvailable':1," OF_A) "}", DEPLOYMENT("a", "1"), NUMBER_ABSENT, NUMBER_ABSENT},
        {BUDGET("'minAvailable':1," OF_A) STATUS, BUDGET("'minAvailable':1," OF_A) STATUS, 3, 1},
        {BUDGET("'minAvailable':1," OF_A) STATUS, BUDGET("'minAvailable':3," OF_A) STATUS, 3,
         NUMBER_ABSENT},
        {BUDGET("'minAvailable':1," OF_A) STATUS, BUDGET("'minAvailable':1," OF_ALL) STATUS,
         NUMBER_ABSENT, NUMBER_ABSENT},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct arena *arena = arena_new(CEILING);
        bool is_budget = strstr(table[i].proposed, "PodDisruptionBudget") != NULL;
        const char *list = "{'kind':'List','apiVersion':'v1','items':[%s,%s,%s]}";
        char before_text[2048], after_text[2048];
        snprintf(before_text, sizeof before_text, list, DEPLOYMENT("a", "3"), table[i].before,
                 DEPLOYMENT("other", "9"));
        snprintf(after_text, sizeof after_text, list,
                 is_budget ? DEPLOYMENT("a", "3") : table[i].proposed,
                 is_budget ? table[i].proposed : table[i].before, DEPLOYMENT("other", "9"));
        struct reading before = reading_open(before_text, READING_PLAIN, 0);
        struct reading after = reading_open(after_text, READING_PLAIN, 0);
        struct proposal proposal =
            proposal_read(arena, unquote(arena, table[i].proposed), STR("n"));
        assert_int_equal(proposal.problem, PROPOSAL_FINE);
        settle(&proposal, before.cluster, after.cluster);
        assert_int_equal(after.cluster->pdbs.n, 1);
        assert_int_equal(after.cluster->pdbs.items[0]->expected_pods, table[i].expected);
        assert_int_equal(after.cluster->pdbs.items[0]->disruptions_allowed, table[i].allowed);
        reading_close(&before);
        reading_close(&after);
        arena_free(arena);
    }
}

/* ---- a redacted copy ---- */

#define POD_SPEC                                                                                   \
    "{'containers':[{'name':'c','image':'x:1','env':[{'name':'API_TOKEN',"                         \
    "'value':'hunter2-Xk29fjQ8sLw0'},{'name':'ALLOW_EMPTY_PASSWORD','value':'yes'}]}]}"
#define CLUSTER                                                                                    \
    "{'kind':'List','apiVersion':'v1','items':["                                                   \
    "{'apiVersion':'apps/"                                                                         \
    "v1','kind':'Deployment','metadata':{'name':'a','namespace':'n','uid':'u'}"                    \
    ",'spec':{'replicas':1,'template':{'spec':" POD_SPEC "}}},"                                    \
    "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m','namespace':'n','uid':'v'},"     \
    "'data':{'password':'hunter2-Xk29fjQ8sLw0'}}]}"

/* As releases kept it that left no marks in the place of what they cut out. */
static struct str without_marks(struct arena *arena, struct str text)
{
    struct buf out = buf_init(arena, text.n);
    struct str mark = STR(CREDENTIAL_CUT);
    while (text.n) {
        bool cut = str_has_prefix(text, mark);
        const char *end = cut ? memchr(text.p, '"', text.n) : text.p + 1;
        assert_non_null(end);
        if (!cut)
            buf_putc(&out, text.p[0]);
        text = str_sub(text, (size_t)(end - text.p), text.n);
    }
    return buf_str(&out);
}

static void recalls(bool marked, uint32_t expected)
{
    struct reading pushed = reading_open(CLUSTER, READING_REDACT, 0);
    struct str kept = marked ? pushed.redacted : without_marks(pushed.arena, pushed.redacted);
    struct reading copy = reading_of(kept, READING_PLAIN, 0);
    struct score_policy policy = score_policy_default();
    struct ledger *first = score(pushed.arena, pushed.cluster, &policy, 0);
    struct ledger *blind = score(copy.arena, copy.cluster, &policy, 0);
    assert_true(blind->risks.n < first->risks.n); /* else there is nothing to test */
    struct recall recall =
        recall_difference(copy.arena, first->risks.items, first->risks.n, blind, true);
    assert_int_equal(recall.items.n, expected);
    policy.recall = &recall;
    struct ledger *again = score(copy.arena, copy.cluster, &policy, 0);
    assert_int_equal(again->score_exact, first->score_exact);
    assert_int_equal(again->risks.n, first->risks.n);
    for (uint32_t i = 0; i < first->risks.n; i++) {
        assert_string_equal(again->risks.items[i].id, first->risks.items[i].id);
        assert_int_equal(again->risks.items[i].impact, first->risks.items[i].impact);
        assert_true(str_eq(again->risks.items[i].message, first->risks.items[i].message));
    }
    reading_close(&copy);
    reading_close(&pushed);
}

/* Marks tell what variables were, and nothing tells what was in the ConfigMap. */
static void what_a_redacted_copy_lacks_is_recalled(void **state)
{
    (void)state;
    recalls(true, 1);
    recalls(false, 3);
}

/* ---- points ---- */

static struct ledger ledger_of(struct arena *arena, const char *impacts)
{
    struct ledger ledger = {.score_exact = SCORE_EXACT_MAX};
    struct str rest = str_of(impacts), word, name, points;
    while (str_next_word(&rest, &word)) {
        struct risk risk = {.check = &checks[0], .count = 1};
        int64_t n = 0;
        str_cut(word, '=', &name, &points);
        assert_true(str_to_i64(points, &n));
        snprintf(risk.id, sizeof risk.id, "%016x", (unsigned)(unsigned char)name.p[0]);
        risk.resource = name;
        risk.impact = (uint32_t)n;
        risk.severity = name.n > 1 ? SEVERITY_LOW : SEVERITY_HIGH; /* "a!": said anew */
        ledger.score_exact -= risk.impact;
        LIST_ADD(arena, ledger.risks, risk);
    }
    return ledger;
}

static void points_add_up(void **state)
{
    (void)state;
    static const struct {
        const char *before, *after;
        int64_t score;
        const char *entries;
    } table[] = {
        {"a=100 b=50", "a=100 b=50", 9850, ""},
        {"a=100", "a=100 b=50", 9900, "new b -50"},
        {"a=100 b=50", "a=100", 9850, "gone b 50"},
        {"a=100", "a=97 b=50", 9900, "new b -47"},  /* the others cost less */
        {"a=100 b=50", "a=104", 9850, "gone b 46"}, /* or more */
        {"a=100", "a=97 b=50 c=25", 9900, "new b -48 new c -24"},
        {"a=100", "a!=60", 9900, "gone a! 40 changed"},
        {"a=100 b=3", "a=90 b=2", 9897, "gone a 10 changed gone b 1 changed"}, /* shared by more */
        {"a=100", "a=90 b=0", 9900, "new b 10"}, /* it costs nothing itself */
        {"a=100", "b=100", 9900, "gone a 100 new b -100"},
        {"a=100", "a=100 b=50", 9000, "new b -50"}, /* the copy is judged otherwise */
        {"a=100", "a=100 b=50", 20, "new b -20"},   /* no score is below 0 */
        {"a=100 b=50", "a=100", 9990, "gone b 10"}, /* nor above 100 */
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct arena *arena = arena_new(CEILING);
        struct ledger before = ledger_of(arena, table[i].before);
        struct ledger after = ledger_of(arena, table[i].after);
        struct prediction p = prediction_of(arena, table[i].score, &before, &after);
        struct buf text = buf_init(arena, 4096);
        int64_t sum = 0;
        const struct predicted_risk *entry;
        LIST_EACH (entry, p.entries) {
            sum += entry->points;
            buf_printf(&text, "%s%s %" STR_FMT " %lld%s", text.n ? " " : "",
                       entry->resolved ? "gone" : "new", STR_ARG(entry->risk->resource),
                       (long long)entry->points, entry->changed ? " changed" : "");
        }
        assert_text(buf_str(&text), table[i].entries);
        assert_int_equal(sum, p.predicted - p.score);
        arena_free(arena);
    }
}

/* ---- what the API server refuses for its type ---- */

static void what_is_of_another_type_is_told(void **state)
{
    (void)state;
#define POD(name, members)                                                                         \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name "'}," members "}"
    static const struct {
        const char *manifest, *told; /* NULL: nothing */
    } table[] = {
        {POD("a", "'spec':{'containers':[{'name':'c'}],'hostNetwork':null}"), NULL},
        {POD("a", "'spec':{'containers':{}}"),
         "Pod a in n will be refused: spec.containers is an object, where a list belongs. It "
         "counts as left out."},
        {"[" POD("a", "'spec':{}") "," POD("b", "'spec':{'nodeName':5}") "]",
         "Pod b in n will be refused: spec.nodeName is a number, where a string belongs. It counts "
         "as left out."},
        {POD("a", "'spec':{'nodeName':5,'containers':1}"),
         "Pod a in n will be refused: spec.nodeName is a number, where a string belongs; 1 more "
         "value is like that. They count as left out."},
        {"[" POD("a", "'spec':[]") "," POD("b", "'spec':{'nodeName':5,'containers':1}") "]",
         "Pod a in n will be refused: spec is a list, where an object belongs; 2 more values are "
         "like that. They count as left out."},
        /* never what a text says */
        {POD("a", "'spec':{'containers':[{'resources':{'limits':{'cpu':'hunter2'}}}]}"),
         "Pod a in n will be refused: spec.containers[0].resources.limits.cpu is not an amount. It "
         "counts as left out."},
        {"{'spec':7,'metadata':{'name':'v'},'kind':'PersistentVolume','apiVersion':'v1'}",
         "PersistentVolume v will be refused: spec is a number, where an object belongs. It counts "
         "as "
         "left out."},
        /* kinds that are not read */
        {"{'apiVersion':'example.com/v1','kind':'Pod','metadata':{'name':'a'},'spec':7}", NULL},
        {"{'apiVersion':'v1','kind':'PodList','metadata':{'name':'a'},'items':7}", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct arena *arena = arena_new(CEILING);
        struct effort *effort;
        struct proposal proposal =
            proposal_read(arena, unquote(arena, table[i].manifest), STR("n"));
        assert_int_equal(proposal.problem, PROPOSAL_FINE);
        struct str told = ill_typed_of(arena, &proposal, NULL, &effort).message;
        if (table[i].told)
            assert_text(told, table[i].told);
        else
            assert_null(told.p);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_keeps_what_the_cluster_gave_it),
        cmocka_unit_test(budgets_are_counted_anew),
        cmocka_unit_test(what_is_of_another_type_is_told),
        cmocka_unit_test(what_a_redacted_copy_lacks_is_recalled),
        cmocka_unit_test(points_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
