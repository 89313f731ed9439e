/* A snapshot takes work in proportion to its bytes, or is refused. */
#include "reading.h"
#include "score/score.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { N = 2000, ORDINARY_PERCENT = 36, LIST_MAX = 32 * 1024 * 1024 };
static const int64_t TIME = INT64_C(1793232000000);

struct attempt {
    struct arena *arena;
    struct str document;
    struct effort_limits limits;
    struct effort *effort;
    struct ledger *ledger;
};

static void attempt_work(void *context)
{
    struct attempt *attempt = context;
    struct str bytes = attempt->document;
    struct snapshot_error error = {.code = SNAPSHOT_OK};
    struct snapshot_options options = {.effort = &attempt->effort,
                                       .effort_limits = &attempt->limits};
    struct score_policy policy = score_policy_default();
    struct cluster *cluster = snapshot_read(attempt->arena, source_of(&bytes), &options, &error);
    assert_non_null(cluster);
    attempt->ledger = score(attempt->arena, cluster, &policy, TIME);
}

/* n times the pattern, with ' for ", and a number in the place of each #. */
static void put_objects(struct buf *out, const char *pattern, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        if (out->p[out->n - 1] == '}')
            buf_putc(out, ',');
        for (const char *p = pattern; *p; p++)
            if (*p == '#')
                buf_printf(out, "%u", i);
            else
                buf_putc(out, *p == '\'' ? '"' : *p);
    }
}

static struct attempt attempt_open(const char *const *patterns, unsigned n)
{
    struct attempt attempt = {.arena = arena_new(256 << 20)};
    struct buf out = buf_init(attempt.arena, LIST_MAX);
    buf_put(&out, STR("["));
    for (; *patterns; patterns++)
        put_objects(&out, *patterns, n);
    buf_put(&out, STR("]"));
    assert_false(out.full);
    attempt.document = buf_str(&out);
    return attempt;
}

/* False when it was too much. */
static bool attempt_run(struct attempt *attempt)
{
    return arena_guard(attempt->arena, attempt_work, attempt);
}

#define META(rest) "'metadata':{'namespace':'d'" rest "}"
#define POD(rest)  "{'apiVersion':'v1','kind':'Pod'," META(",'name':'p#'" rest) "}"
#define AB         "{'matchLabels':{'a':'b'}}"
#define BUDGET(meta)                                                                               \
    "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget'," META(meta) ",'spec':{'selector':" AB \
                                                                         "}}"
#define JOB_POD                                                                                    \
    "{'apiVersion':'v1','kind':'Pod'," META(                                                       \
        ",'name':'p#','ownerReferences':[{'apiVersion':"                                           \
        "'batch/v1','kind':'Job','name':'j','controller':true}]") ",'status':{'phase':'Failed'}}"
#define POLICY(selector)                                                                           \
    "{'apiVersion':'networking.k8s.io/v1','kind':'NetworkPolicy'," META(                           \
        ",'name':'n#'") ",'spec':{'podSelector':" selector "}}"

static void products_are_refused(void **state)
{
    static const struct {
        const char *patterns[4], *most;
    } rows[] = {
        {{POD(",'labels':{'a':'b'}"), BUDGET(",'name':'b#'")},
         "holding labels of pods against selectors of NetworkPolicies and PodDisruptionBudgets"},
        {{POD(",'labels':{'a':'b'}"), POLICY("{}")},
         "holding labels of pods against selectors of NetworkPolicies and PodDisruptionBudgets"},
        {{POD(",'labels':{'a':'b'}"), "{'apiVersion':'v1','kind':'Service'," META(
                                          ",'name':'s#'") ",'spec':{'selector':{'a':'b'}}}"},
         "holding labels of pods against selectors of Services"},
        {{"{'apiVersion':'v1','kind':'Pod'," META("") "}",
          "{'apiVersion':'v1','kind':'Event'," META(
              ",'name':'e#'") ",'involvedObject':{'kind':'Pod','namespace':'d'}}"},
         "looking through the events of objects"},
        {{"{'apiVersion':'rbac.authorization.k8s.io/"
          "v1','kind':'ClusterRole','metadata':{'name':'r#'"
          "},'aggregationRule':{'clusterRoleSelectors':[{}]}}"},
         "holding roles and service accounts against role bindings"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct attempt attempt = attempt_open(rows[i].patterns, N);
        assert_false(attempt_run(&attempt));
        assert_int_equal(attempt.effort->end, EFFORT_TOO_MUCH);
        assert_string_equal(effort_most(attempt.effort), rows[i].most);
        arena_free(attempt.arena);
    }
}

/* Twice as many take at most a little more than twice as much. */
static void some_are_no_products_any_more(void **state)
{
    static const char *const rows[][4] = {
        {BUDGET("")}, /* without names */
        {JOB_POD},    /* of a Job that is not there */
        {POD(",'labels':{'a':'b'}"), POLICY("{'matchLabels':{'a':'b','x':'#'}}")},
        {"{'apiVersion':'networking.k8s.io/v1','kind':'Ingress'," META(
            ",'name':'i'") ",'spec':{'rules':[{'host':'h','http':{'paths':[{'path':'/'}]}}]}}"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct attempt one = attempt_open(rows[i], N), two = attempt_open(rows[i], 2 * N);
        assert_true(attempt_run(&one) && attempt_run(&two));
        assert_in_range(two.effort->spent, 0, one.effort->spent * 5 / 2);
        arena_free(one.arena);
        arena_free(two.arena);
    }
}

/* What people run. Manifests have the fewest bytes for what there is to ask about them: what a
 * cluster tells takes a twentieth. */
static void ordinary_ones_have_wide_room(void **state)
{
    static const char *const patterns[] = {
        "{'apiVersion':'apps/v1','kind':'Deployment'," META(
            ",'name':'d#','labels':{'app':'d#','team':'t'},'annotations':{'a':'a "
            "sentence'}") ",'spec':{"
                          "'replicas':2,'selector':{'matchLabels':{'app':'d#'}},'template':"
                          "{'metadata':{'labels':{"
                          "'app':'d#','team':'t'}},'spec':{'serviceAccountName':'d#','"
                          "containers':[{'name':'c','image':"
                          "'registry.example.com/team/"
                          "d#:1.2.3','env':[{'name':'MODE','value':'production'}],"
                          "'resources':{'requests':{'cpu':'100m','memory':'64Mi'},'limits':"
                          "{'memory':'64Mi'}},"
                          "'readinessProbe':{'httpGet':{'path':'/"
                          "ready','port':8080}},'livenessProbe':{'httpGet':{"
                          "'path':'/"
                          "live','port':8080}},'securityContext':{'runAsNonRoot':true,"
                          "'allowPrivilegeEscalation':false,'readOnlyRootFilesystem':true,'"
                          "capabilities':{'drop':["
                          "'ALL']},'seccompProfile':{'type':'RuntimeDefault'}}}]}}},'"
                          "status':{'observedGeneration':1,"
                          "'replicas':2,'readyReplicas':2,'availableReplicas':2,'"
                          "updatedReplicas':2}}",
        "{'apiVersion':'v1','kind':'Service'," META(
            ",'name':'d#'") ",'spec':{'selector':{'app':'d#'},'ports':[{'port':80,'"
                            "targetPort':8080}]}}",
        BUDGET(",'name':'b#'"), NULL};
    struct attempt attempt = attempt_open(patterns, 300);
    (void)state;
    assert_true(attempt_run(&attempt));
    assert_in_range(attempt.effort->spent, 1, attempt.effort->allowed * ORDINARY_PERCENT / 100);
    arena_free(attempt.arena);
}

/* 10,000 pods that nothing owns: as an API server gives them, and as an agent pushes them that
 * leaves out what no check asks about. */
static void many_pods_without_owners_are_scored(void **state)
{
    static const char *const lean[] = {
        "{'apiVersion':'v1','kind':'Pod'," META(
            ",'name':'job-#','labels':{'app':'a','run':'#'},'uid':'00000000-aaaa-"
            "bbbb-cccc-#'") ","
                            "'spec':{'nodeName':'n1','containers':[{'name':'main',"
                            "'image':'registry.example.com/a:1',"
                            "'resources':{'requests':{'cpu':'100m','memory':'"
                            "128Mi'}},'env':[{'name':'A'}]}]},"
                            "'status':{'phase':'Running','hostIP':'10.0.0.1','"
                            "podIP':'10.1.0.1','qosClass':'Burstable',"
                            "'startTime':'2026-10-01T00:00:00Z','conditions':[{'"
                            "type':'Ready','status':'True'},"
                            "{'type':'PodScheduled','status':'True'}],'"
                            "containerStatuses':[{'name':'main','ready':true,"
                            "'restartCount':0,'state':{'running':{'startedAt':'"
                            "2026-10-01T00:00:00Z'}}}]}}",
        NULL};
    enum { PODS = 10000 };
    struct attempt attempt = attempt_open(lean, PODS);
    (void)state;
    assert_in_range(attempt.document.n / PODS, 600, 660); /* a real one has 2,000 and more */
    assert_true(attempt_run(&attempt));
    assert_true(attempt.ledger->risks.n > 15 * PODS);
    arena_free(attempt.arena);
}

static bool at_once(const void *context)
{
    (void)context;
    return true;
}

static void a_deadline_ends_it(void **state)
{
    static const char *const patterns[] = {POD(""), NULL};
    struct attempt attempt = attempt_open(patterns, 10);
    (void)state;
    attempt.limits = (struct effort_limits){.is_late = at_once};
    assert_false(attempt_run(&attempt));
    assert_int_equal(attempt.effort->end, EFFORT_LATE);
    assert_non_null(strstr(effort_text(attempt.arena, attempt.effort).p, "takes longer"));
    arena_free(attempt.arena);
}

/* One step fewer than it takes, and as many. */
static void the_limit_is_exact(void **state)
{
    static const char *const patterns[] = {POD(""), NULL};
    (void)state;
    struct attempt free = attempt_open(patterns, 20);
    assert_true(attempt_run(&free));
    for (int64_t fewer = 0; fewer <= 1; fewer++) {
        struct attempt attempt = attempt_open(patterns, 20);
        attempt.limits = (struct effort_limits){.steps_least = free.effort->spent - (uint64_t)fewer,
                                                .steps_per_kib = 1};
        assert_true(attempt.document.n < 1024 * 2 && attempt.document.n >= 1024);
        assert_int_equal(attempt_run(&attempt), !fewer);
        arena_free(attempt.arena);
    }
    arena_free(free.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_refused),
        cmocka_unit_test(some_are_no_products_any_more),
        cmocka_unit_test(ordinary_ones_have_wide_room),
        cmocka_unit_test(many_pods_without_owners_are_scored),
        cmocka_unit_test(a_deadline_ends_it),
        cmocka_unit_test(the_limit_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
