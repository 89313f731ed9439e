/* What was deployed between two snapshots, with what is told of it. */
#include "gate/deploy_compare.h"
#include "reader/snapshot_reader.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define NOW INT64_C(1773749000000) /* 2026-03-17T12:03:20Z */

static const struct cluster *cluster_from(struct str items)
{
    struct str json =
        arena_printf(arena, "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"items\":[%" STR_FMT "]}",
                     STR_ARG(items));
    char *text = arena_bytes(arena, json.n);
    for (size_t i = 0; i < json.n; i++)
        text[i] = json.p[i] == '\'' ? '"' : json.p[i];
    struct str bytes = {text, json.n};
    struct snapshot_options options = {0};
    struct snapshot_error error;
    struct cluster *cluster = snapshot_read(arena, source_of(&bytes), &options, &error);
    assert_non_null(cluster);
    return cluster;
}

#define SHOP "'metadata':{'namespace':'shop',"
/* meta: members of its metadata, with a comma first; volumes: the same of its pod's spec. */
#define API(meta, replicas, image, volumes)                                                        \
    "{'apiVersion':'apps/v1','kind':'Deployment'," SHOP                                            \
    "'name':'api','uid':'u','generation':2" meta "},'spec':{'replicas':" replicas                  \
    ",'template':{'spec':{'containers':[{'name':'api',"                                            \
    "'image':'" image "'},{'name':'proxy','image':'envoy:1'}]" volumes "}}},'status':{"            \
    "'observedGeneration':2,'replicas':" replicas ",'updatedReplicas':" replicas                   \
    ",'availableReplicas':" replicas "}}"
/* Without a status. */
#define MANIFEST(image)                                                                            \
    "{'apiVersion':'apps/v1','kind':'Deployment'," SHOP                                            \
    "'name':'api','uid':'u'},'spec':{'replicas':2,'template':{'spec':{'containers':[{"             \
    "'name':'api','image':'" image "'}]}}}}"
#define SET(name, number, image)                                                                   \
    ",{'apiVersion':'apps/v1','kind':'ReplicaSet'," SHOP "'name':'" name "','uid':'" name          \
    "','annotations':{'deployment.kubernetes.io/revision':'" number "'},'ownerReferences':[{"      \
    "'apiVersion':'apps/v1','kind':'Deployment','name':'api','uid':'u','controller':true}]},"      \
    "'spec':{'replicas':0,'template':{'spec':{'containers':[{'name':'api','image':'" image         \
    "'},{'name':'proxy','image':'envoy:1'}]}}}}"
#define CONFIG(kind, name, version)                                                                \
    ",{'apiVersion':'v1','kind':'" kind "'," SHOP "'name':'" name "','resourceVersion':'" version  \
    "'}}"
#define SCALER                                                                                     \
    ",{'apiVersion':'autoscaling/v2','kind':'HorizontalPodAutoscaler'," SHOP "'name':'x'},"        \
    "'spec':{'scaleTargetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'api'}}}"
#define POD "{'apiVersion':'v1','kind':'Pod'," SHOP "'name':'p'}}"
#define ONE "'spec':{'replicas':1,'template':{'spec':{'containers':[{'name':'c','image':'c:1'}]}}}}"
#define MADE(api, kind, name)                                                                      \
    ",{'apiVersion':'" api "','kind':'" kind "'," SHOP "'name':'" name                             \
    "','creationTimestamp':'2026-03-17T12:03:00Z'}," ONE
#define JOB         MADE("batch/v1", "Job", "once")
#define FRESH(name) MADE("apps/v1", "StatefulSet", name)
#define USES                                                                                       \
    ",'volumes':[{'name':'a','configMap':{'name':'files'}},{'name':'b','secret':{'secretName':'"   \
    "files'}},{'name':'c','projected':{'sources':[{'configMap':{'name':'more'}}]}}]"

#define SET_OF(image, revision)                                                                    \
    "{'apiVersion':'apps/v1','kind':'StatefulSet'," SHOP "'name':'db','uid':'d'},'spec':{"         \
    "'replicas':1,'template':{'spec':{'containers':[{'name':'c','image':'" image "'}]}}},"         \
    "'status':{'replicas':1,'availableReplicas':1,'currentRevision':'db-1','updateRevision':"      \
    "'" revision "'}}"
#define REVISION(n)                                                                                \
    ",{'apiVersion':'apps/v1','kind':'ControllerRevision','revision':" n                           \
    ",'metadata':{'namespace':'shop','name':'db-" n "','ownerReferences':[{'apiVersion':"          \
    "'apps/v1','kind':'StatefulSet','name':'db','uid':'d','controller':true}]},'data':{'spec':{"   \
    "'template':{'spec':{'containers':[{'name':'c','image':'c:" n "'}]}}}}}"

/* ---- told ---- */

static void put(struct buf *out, const struct deploy_found *f)
{
    buf_printf(out, "%" STR_FMT "/%" STR_FMT " %" STR_FMT " [%" STR_FMT "]", STR_ARG(f->kind),
               STR_ARG(f->name), STR_ARG(deploy_event_name(f->event)),
               STR_ARG(deploy_changes_text(arena, f->changes)));
    if (f->replicas_to != NUMBER_ABSENT)
        buf_printf(out, " %lld>%lld", (long long)f->replicas_from, (long long)f->replicas_to);
    buf_printf(out, " %" STR_FMT " %" STR_FMT " by=%" STR_FMT " cause=%" STR_FMT "\n",
               STR_ARG(f->images), STR_ARG(f->configs), STR_ARG(f->by), STR_ARG(f->cause));
}

static struct deploy_scan scan_of(const struct cluster *cluster)
{
    return deploy_scan(arena, cluster, workload_states(arena, cluster));
}

static struct deploy_compared compare(const struct deploy_state *was, const struct cluster *cluster)
{
    struct deploy_scan scan = scan_of(cluster);
    return deploy_compare(arena, was, &scan, NOW - 30000, NOW);
}

static struct str told(const char *before, const char *after)
{
    struct buf out = buf_init(arena, 1 << 20);
    struct deploy_compared first = compare(NULL, cluster_from(str_of(before)));
    assert_int_equal(first.found.n, 0);
    struct deploy_compared second = compare(&first.state, cluster_from(str_of(after)));
    const struct deploy_found *found;
    LIST_EACH (found, second.found)
        put(&out, found);
    return out.n ? buf_str(&out) : STR("");
}

static const struct row {
    const char *name, *before, *after, *told;
} rows[] = {
    {"nothing", API("", "2", "api:1", "") SET("api-1", "1", "api:1"),
     API("", "2", "api:1", "") SET("api-1", "1", "api:1"), ""},
    {"from which image to which, by the ReplicaSet of before",
     API("", "2", "api:1", "") SET("api-1", "1", "api:1"),
     API("", "2", "api:2", "") SET("api-1", "1", "api:1") SET("api-2", "2", "api:2"),
     "Deployment/api started [image] [{\"container\":\"api\",\"from\":\"api:1\",\"to\":\"api:2\"}] "
     "[] by= cause=\nDeployment/api finished [] [] [] by= cause=\n"},
    {"which may be gone", API("", "2", "api:1", "") SET("api-1", "1", "api:1"),
     API("", "2", "api:2", "") SET("api-2", "2", "api:2"),
     "Deployment/api started [image] [{\"container\":\"api\",\"from\":null,\"to\":\"api:2\"},"
     "{\"container\":\"proxy\",\"from\":null,\"to\":\"envoy:1\"}] [] by= cause=\n"
     "Deployment/api finished [] [] [] by= cause=\n"},
    {"without a status nothing shows that it is through", MANIFEST("api:1"), MANIFEST("api:2"),
     "Deployment/api started [image] [{\"container\":\"api\",\"from\":null,\"to\":\"api:2\"}] "
     "[] by= cause=\n"},
    {"and what looks like a secret is not told", API("", "2", "api:1", ""),
     API(",'annotations':{'kubernetes.io/change-cause':'kubectl --token=abcdefgh12345678'}", "2",
         "https://ci:hunter2hunter2@registry/api:2", ""),
     "Deployment/api started [image] [{\"container\":\"api\",\"from\":null,\"to\":\"https://"
     "ci:[redacted]@registry/api:2\"},{\"container\":\"proxy\",\"from\":null,\"to\":\"envoy:1\"}] "
     "[] by= cause=kubectl --token=[redacted]\nDeployment/api finished [] [] [] by= cause=\n"},
    {"nor is a whole manifest", API("", "2", "api:1", ""),
     API(",'annotations':{'kubernetes.io/change-cause':'apiVersion: v1\\nkind: Secret\\n"
         "stringData:\\n  a: b'}",
         "3", "api:1", ""),
     "Deployment/api changed [scale] 2>3 [] [] by= cause=[redacted]\n"},
    {"a release of Helm", API("", "2", "api:1", ""),
     API(",'annotations':{'meta.helm.sh/release-name':'shop'},'labels':{"
         "'app.kubernetes.io/managed-by':'Helm'}",
         "3", "api:1", ""),
     "Deployment/api changed [scale] 2>3 [] [] by=Helm release shop cause=\n"},
    {"an application of Argo CD", API("", "2", "api:1", ""),
     API(",'annotations':{'argocd.argoproj.io/tracking-id':'shop:apps/Deployment:shop/api'}", "0",
         "api:1", ""),
     "Deployment/api changed [scale] 2>0 [] [] by=Argo CD application shop cause=\n"},
    {"a kustomization of Flux", API("", "2", "api:1", ""),
     API(",'labels':{'kustomize.toolkit.fluxcd.io/name':'apps'}", "3", "api:1", ""),
     "Deployment/api changed [scale] 2>3 [] [] by=Flux kustomization apps cause=\n"},
    {"what somebody said before is not said of this",
     API(",'annotations':{'kubernetes.io/"
         "change-cause':'first'}",
         "2", "api:1", ""),
     API(",'annotations':{'kubernetes.io/change-cause':'first'}", "2", "api:1", "") SCALER, ""},
    {"an autoscaler's replicas", API("", "2", "api:1", "") SCALER, API("", "5", "api:1", "") SCALER,
     ""},
    {"a ConfigMap and a Secret, each once",
     API("", "2", "api:1", USES) CONFIG("ConfigMap", "files", "7") CONFIG("ConfigMap", "more", "7")
         CONFIG("Secret", "files", "7"),
     API("", "2", "api:1", USES) CONFIG("ConfigMap", "files", "8") CONFIG("ConfigMap", "more", "7")
         CONFIG("Secret", "files", "9"),
     "Deployment/api changed [configuration] [] [\"configmap/files\",\"secret/files\"] by= "
     "cause=\n"},
    {"of a projected volume", API("", "2", "api:1", USES) CONFIG("ConfigMap", "more", "7"),
     API("", "2", "api:1", USES) CONFIG("ConfigMap", "more", "8"),
     "Deployment/api changed [configuration] [] [\"configmap/more\"] by= cause=\n"},
    {"one that nobody uses", API("", "2", "api:1", USES) CONFIG("ConfigMap", "leader", "7"),
     API("", "2", "api:1", USES) CONFIG("ConfigMap", "leader", "8"), ""},
    {"one that was not there", API("", "2", "api:1", USES),
     API("", "2", "api:1", USES) CONFIG("ConfigMap", "files", "8"), ""},
    {"one whose version is not told",
     API("", "2", "api:1", USES) ",{'apiVersion':'v1','kind':'ConfigMap'," SHOP "'name':'files'}}",
     API("", "2", "api:1", USES) CONFIG("ConfigMap", "files", "8"), ""},
    {"a new workload", API("", "2", "api:1", ""), API("", "2", "api:1", "") FRESH("db"),
     "StatefulSet/db started [created] [{\"container\":\"c\",\"from\":null,\"to\":\"c:1\"}] [] by= "
     "cause=\n"},
    {"a StatefulSet, by its revisions", SET_OF("c:1", "db-1") REVISION("1"),
     SET_OF("c:2", "db-2") REVISION("1") REVISION("2"),
     "StatefulSet/db started [image] [{\"container\":\"c\",\"from\":\"c:1\",\"to\":\"c:2\"}] "
     "[] by= cause=\n"},
    {"a Job is no deploy", API("", "2", "api:1", ""), API("", "2", "api:1", "") JOB, ""},
    {"one that is gone", API("", "2", "api:1", "") FRESH("db"), API("", "2", "api:1", ""), ""},
    {"one that was made long ago and is shown for the first time", FRESH("db"),
     FRESH("db") "," API(",'creationTimestamp':'2026-03-17T12:00:00Z'", "2", "api:1", ""), ""},
};

static void is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *before = rows[i].before + (rows[i].before[0] == ',');
        const char *after = rows[i].after + (rows[i].after[0] == ',');
        struct str said = told(before, after);
        if (!str_eq(said, str_of(rows[i].told)))
            fail_msg("%s:\n%" STR_FMT, rows[i].name, STR_ARG(said));
    }
}

/* ---- what a snapshot lacks ---- */

static const struct cluster *collections(const char *text)
{
    struct str bytes = arena_printf(arena, "%s", text);
    char *json = arena_bytes(arena, bytes.n);
    for (size_t i = 0; i < bytes.n; i++)
        json[i] = bytes.p[i] == '\'' ? '"' : bytes.p[i];
    bytes.p = json;
    struct snapshot_options options = {0};
    struct snapshot_error error;
    struct cluster *cluster = snapshot_read(arena, source_of(&bytes), &options, &error);
    assert_non_null(cluster);
    return cluster;
}

/* An agent leaves a kind out when it does not know whether its list is right. */
static void a_kind_that_is_left_out(void **state)
{
    (void)state;
    const char *pods = "{'pods':[" POD "]}", *none = "{'pods':[" POD "],'deployments':[]}",
               *before = "{'deployments':[" API("", "2", "api:1", "") "]}",
               *after = "{'deployments':[" API("", "2", "api:2", "") "]}";
    struct deploy_compared first = compare(NULL, collections(before)),
                           gap = compare(&first.state, collections(pods)),
                           second = compare(&gap.state, collections(after));
    assert_int_equal(gap.found.n, 0);
    assert_true(
        str_eq(deploy_state_pack(arena, &gap.state), deploy_state_pack(arena, &first.state)));
    assert_int_equal(second.found.n, 2);
    gap = compare(&first.state, collections(none));
    assert_int_equal(gap.state.workloads.n, 0);
    assert_int_equal(compare(&gap.state, collections(after)).found.n, 0);
}

/* A workload of any kind, whose template stands where a CronJob has it, too. */
#define ANY(api, kind, image)                                                                      \
    "{'apiVersion':'" api "','kind':'" kind "'," SHOP "'name':'db','uid':'d'},'spec':{"            \
    "'template':{'spec':{'containers':[{'name':'c','image':'" image "'}]}},'jobTemplate':{"        \
    "'spec':{'template':{'spec':{'containers':[{'name':'c','image':'" image "'}]}}}}}}"
#define KIND(api, kind, collection)                                                                \
    {                                                                                              \
        collection, "'" collection "':[" ANY(api, kind, "c:1") "]",                                \
            "'" collection "':[" ANY(api, kind, "c:2") "]"                                         \
    }

static const struct {
    const char *name, *before, *after;
} any_kind[] = {
    KIND("apps/v1", "StatefulSet", "statefulsets"),
    KIND("apps/v1", "DaemonSet", "daemonsets"),
    KIND("batch/v1", "CronJob", "cronjobs"),
    KIND("apps.openshift.io/v1", "DeploymentConfig", "deploymentconfigs"),
    KIND("argoproj.io/v1alpha1", "Rollout", "rollouts"),
};
enum { ANY_KINDS = sizeof any_kind / sizeof *any_kind };

#define DEPLOYMENTS "'deployments':[" API("", "2", "api:1", "") "]"

static const struct cluster *both(const char *one, const char *other)
{
    return collections(arena_printf(arena, "{%s%s%s}", one, *other ? "," : "", other).p);
}

static bool tells_of_db(const struct deploy_compared *compared)
{
    return compared->found.n && str_eq(compared->found.items[0].name, STR("db"));
}

/* It is remembered while others are shown, and forgotten where it is said that there is none. */
static void any_kind_that_is_left_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < ANY_KINDS; i++) {
        const char *none = arena_printf(arena, "'pods':[" POD "],'%s':[]", any_kind[i].name).p;
        struct deploy_compared first = compare(NULL, both(DEPLOYMENTS, any_kind[i].before)),
                               gap = compare(&first.state, both(DEPLOYMENTS, "")),
                               second = compare(&gap.state, both(DEPLOYMENTS, any_kind[i].after)),
                               gone = compare(&first.state, both(none, ""));
        if (!tells_of_db(&second))
            fail_msg("%s: is not told", any_kind[i].name);
        if (gone.state.workloads.n != 1 || gone.state.workloads.items[0].kind != DEPLOY_DEPLOYMENT)
            fail_msg("%s: is not forgotten", any_kind[i].name);
    }
}

/* What was stored before kinds were told has DEPLOY_DEPLOYMENT in all places. */
static void a_state_of_before(void **state)
{
    (void)state;
    for (size_t i = 0; i < ANY_KINDS; i++) {
        struct deploy_compared first = compare(NULL, both(any_kind[i].before, ""));
        first.state.workloads.items[0].kind = DEPLOY_DEPLOYMENT;
        struct deploy_compared same = compare(&first.state, both(any_kind[i].before, "")),
                               gap = compare(&same.state, both(DEPLOYMENTS, "")),
                               second = compare(&gap.state, both(DEPLOYMENTS, any_kind[i].after));
        assert_int_equal(same.state.workloads.n, 1);
        if (!tells_of_db(&second))
            fail_msg("%s: is not told", any_kind[i].name);
    }
}

/* ---- the same in, the same out ---- */

static void the_order_of_a_snapshot_does_not_count(void **state)
{
    (void)state;
    const char *one = API("", "2", "api:1", USES) CONFIG("ConfigMap", "files", "7")
        CONFIG("Secret", "files", "7") FRESH("db") SET("api-1", "1", "api:1");
    const char *other = CONFIG("Secret", "files", "7") SET("api-1", "1", "api:1") FRESH("db")
        CONFIG("ConfigMap", "files", "7") "," API("", "2", "api:1", USES);
    const struct cluster *clusters[] = {cluster_from(str_of(one)), cluster_from(str_of(other + 1))};
    struct str packed[2];
    int64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        struct deploy_scan scan = scan_of(clusters[i]);
        struct deploy_compared compared = deploy_compare(arena, NULL, &scan, TIME_NONE, NOW);
        hashes[i] = scan.hash;
        packed[i] = deploy_state_pack(arena, &compared.state);
    }
    assert_true(str_eq(packed[0], packed[1]));
    assert_int_equal(hashes[0], hashes[1]);
}

/* What a push looks at first changes with everything that is told, and with nothing else. */
static void the_hash(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct cluster *before =
            cluster_from(str_of(rows[i].before + (rows[i].before[0] == ',')));
        const struct cluster *after =
            cluster_from(str_of(rows[i].after + (rows[i].after[0] == ',')));
        bool same = scan_of(before).hash == scan_of(after).hash;
        if (same && rows[i].told[0])
            fail_msg("%s: is not noticed", rows[i].name);
    }
    const char *one = API("", "2", "api:1", USES) CONFIG("ConfigMap", "files", "7");
    const char *other = API(",'annotations':{'x':'y'}", "2", "api:1", USES)
        CONFIG("ConfigMap", "files", "7") CONFIG("ConfigMap", "leader", "9") JOB;
    assert_int_equal(scan_of(cluster_from(str_of(one))).hash,
                     scan_of(cluster_from(str_of(other))).hash);
}

/* ---- bounds ---- */

static const struct cluster *many(const char *image)
{
    struct buf items = buf_init(arena, 1 << 20);
    for (int i = 0; i < DEPLOY_FOUND_MAX + 1; i++)
        buf_printf(&items,
                   "%s{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'namespace':'shop',"
                   "'name':'api-%04d'},'spec':{'replicas':1,'template':{'spec':{'containers':[{"
                   "'name':'c','image':'%s'}]}}},'status':{'replicas':1}}",
                   i ? "," : "", i, image);
    return cluster_from(buf_str(&items));
}

static void no_more_than_so_many(void **state)
{
    (void)state;
    struct deploy_compared first = compare(NULL, many("c:1")),
                           second = compare(&first.state, many("c:2")),
                           third = compare(&second.state, many("c:2"));
    assert_int_equal(second.found.n, DEPLOY_FOUND_MAX);
    assert_int_equal(third.found.n, 0);
    assert_true(str_eq(second.found.items[0].name, STR("api-0000")));
}

/* So many containers, of which the last has that image. */
static const struct cluster *crowded(int containers, const char *image)
{
    struct buf items = buf_init(arena, 1 << 20);
    buf_put(&items,
            STR("{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'namespace':'shop',"
                "'name':'api'},'spec':{'replicas':9999999999,'template':{'spec':{"
                "'containers':["));
    for (int i = 1; i < containers; i++)
        buf_printf(&items, "{'name':'c%d','image':'c:1'},", i);
    buf_printf(&items, "{'name':'last','image':'%s'}]}}}}", image);
    return cluster_from(buf_str(&items));
}

/* Containers of before are looked for among those of now: no more than 200 of either. */
static void a_crowded_pod(void **state)
{
    (void)state;
    struct deploy_compared first = compare(NULL, crowded(201, "c:1")),
                           second = compare(&first.state, crowded(201, "c:2"));
    assert_true(second.found.n > 0 && second.found.items[0].changes == DEPLOY_IMAGE);
    assert_null(strstr(arena_str(arena, second.found.items[0].images).p, "last"));
    first = compare(NULL, crowded(8, "c:1"));
    second = compare(&first.state, crowded(8, "c:2"));
    assert_non_null(strstr(arena_str(arena, second.found.items[0].images).p, "last"));
    assert_true(second.state.workloads.items[0].replicas == NUMBER_ABSENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_told),
        cmocka_unit_test(a_kind_that_is_left_out),
        cmocka_unit_test(any_kind_that_is_left_out),
        cmocka_unit_test(a_state_of_before),
        cmocka_unit_test(the_order_of_a_snapshot_does_not_count),
        cmocka_unit_test(the_hash),
        cmocka_unit_test(no_more_than_so_many),
        cmocka_unit_test(a_crowded_pod),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
