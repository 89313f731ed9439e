/* The forms that a snapshot has, and the awkward ones. */
#include "reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define POD(name)    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name "'}}"
#define NODE         "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'}}"
#define BARE(name)   "{'metadata':{'name':'" name "'}}"

struct row {
    const char *document, *counts;
};

/* Read whole, and in pieces that cut it everywhere; a redacting reader reads the same. */
static void check(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t piece = 0; piece < 3; piece++) {
            struct reading reading = reading_open(rows[i].document, READING_PLAIN, piece);
            struct reading redacting = reading_open(rows[i].document, READING_REDACT, piece);
            struct str got = reading_counts(&reading), again = reading_counts(&redacting);
            if (!str_eq(got, str_of(rows[i].counts)) || !str_eq(got, again))
                fail_msg("%s\nin pieces of %zu:\n      got: %" STR_FMT "\nredacting: %" STR_FMT
                         "\n expected: %s",
                         rows[i].document, piece, STR_ARG(got), STR_ARG(again), rows[i].counts);
            if (reading.cluster)
                assert_located(&reading, reading.document);
            if (redacting.cluster)
                assert_located(&redacting, redacting.redacted);
            reading_close(&reading);
            reading_close(&redacting);
        }
    }
}

static void lists(void **state)
{
    static const struct row rows[] = {
        {"{'apiVersion':'v1','kind':'List','items':[" POD("a") "," NODE "," POD("b") "]}",
         "Pod 2, Node 1"},
        {"{'apiVersion':'v1','items':[" POD(
             "a") "],'kind':'List','metadata':{'resourceVersion':''}}",
         "Pod 1"},
        {"{'items':[" POD("a") "]}", "Pod 1"},
        {"[" POD("a") ",null," NODE "]", "Pod 1, Node 1"},
        /* no list of Kubernetes has such items: the first ends it */
        {"[" POD("a") ",1,{]", "JSON 3 at 58"},
        {"[" POD("a") ",true]", "JSON 3 at 58"},
        {"[" POD("a") ",[" POD("b") "]]", "JSON 3 at 58"},
        {"{'pods':['x']}", "JSON 3 at 9"},
        {"{'kind':'List','items':[{'kind':'List','items':[7]}]}", "JSON 3 at 48"},
        /* an object that has nothing but its kind, and items behind it */
        {"[{}," POD("a") ",{'kind':'X'}," NODE "]", "Pod 1, Node 1; unknown 2"},
        {"[{'kind':'List','items':[" POD("a") "]}," NODE "]", "Pod 1, Node 1"},
        {"{'kind':'List','items':[{'kind':'List','items':[" POD("a") "]}]}", "Pod 1"},
        /* typed: the items do not say what they are */
        {"{'kind':'PodList','apiVersion':'v1','metadata':{},'items':[" BARE("a") "," BARE("b") "]}",
         "Pod 2"},
        {"{'apiVersion':'v1','items':[" BARE("a") "],'kind':'PodList','metadata':{}}", "Pod 1"},
        {"{'apiVersion':'apps/v1','items':[" BARE("a") "],'kind':'DeploymentList'}",
         "Deployment 1"},
        {"{'kind':'PodList','apiVersion':'v1','items':[]}" NODE, "Node 1; seen Pod"},
        {"{'items':[],'apiVersion':'v1','kind':'PodList'}" NODE, "Node 1; seen Pod"},
        {"{'kind':'PodList','apiVersion':'v1','items':null}" NODE, "Node 1"},
        {"{'kind':'WidgetList','apiVersion':'example.com/v1','items':[" BARE("a") "]}" NODE,
         "Node 1; unknown 1"},
        /* nothing at all must never become a score */
        {"{'kind':'List','items':[]}", "no objects"},
        {"{'kind':'PodList','apiVersion':'v1','items':[]}", "no objects"},
        {"{'kind':'List','items':{'a':" POD("a") "}}", "no objects"},
        {"{'kind':'List','items':[1,2,'x']}", "JSON 3 at 24"},
        {"[]", "no objects"},
        {"{}", "no objects"},
        {"", "no objects"},
        {"  ", "no objects"},
        {"null", "no objects"},
        {"1 2 'x' true", "no objects"},
        {"{'foo':1}", "no objects"},
        {"{'kind':1}", "no objects"},
        {"{'kind':'Pod'}", "Pod 1"},
    };
    (void)state;
    check(rows, COUNT(rows));
}

static void values(void **state)
{
    static const struct row rows[] = {
        {POD("a") POD("b") "\n" NODE, "Pod 2, Node 1"},
        {"{'kind':'List','items':[" POD("a") "]}{'kind':'List','items':[" NODE "]}",
         "Pod 1, Node 1"},
        {POD("a") " 7 " NODE, "Pod 1, Node 1"},
        {POD("a") ",", "JSON 3 at 56"},
        {POD("a") "{", "JSON 2 at 57"},
        {"{'kind':'List','items':[" POD("a"), "JSON 2 at 80"},
        /* the same object again: one of them counts */
        {POD("a") POD("a"), "Pod 1"},
        {POD("a") "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','namespace':'b'}}",
         "Pod 2"},
        /* what has no name cannot be told apart */
        {"{'kind':'Pod','metadata':{}}{'kind':'Pod','metadata':{}}", "Pod 2"},
    };
    (void)state;
    check(rows, COUNT(rows));
}

static void collections(void **state)
{
    static const struct row rows[] = {
        {"{'pods':[" BARE("a") "," BARE("b") "],'nodes':[" BARE("n") "]}", "Pod 2, Node 1"},
        {"{'pods':{'kind':'PodList','items':[" BARE("a") "]},'nodes':{'items':[" BARE("n") "]}}",
         "Pod 1, Node 1"},
        {"{'pods':{'items':[" BARE("a") "],'kind':'List'}}", "Pod 1"},
        {"{'Pods':[" BARE("a") "],'statefulSets':[" BARE("s") "],'config-maps':[" BARE(
             "c") "],"
                  "'persistent_volume_claims':[" BARE("p") "],'deployments.apps':[" BARE("d") "]}",
         "Pod 1, Deployment 1, StatefulSet 1, ConfigMap 1, PersistentVolumeClaim 1"},
        {"{'pvcs':[" BARE("a") "],'hpas':[" BARE("a") "],'pdbs':[" BARE("a") "],'pvs':[" BARE(
             "a") "]}",
         "PodDisruptionBudget 1, HorizontalPodAutoscaler 1, PersistentVolumeClaim 1, "
         "PersistentVolume 1"},
        {"{'clusterOperators':[" BARE("o") "],'cluster-versions':[" BARE(
             "v") "],"
                  "'machineconfigpools.machineconfiguration.openshift.io':[" BARE("p") "]}",
         "ClusterOperator 1, ClusterVersion 1, MachineConfigPool 1"},
        {"{'pods':[],'secrets':{'items':[]},'nodes':[" BARE("n") "]}",
         "Node 1; seen Pod; seen Secret"},
        {"{'pods':null,'nodes':[" BARE("n") "]}", "Node 1; members 1"},
        {"{'pods':[]}", "no objects"},
        {"{'cluster':'prod','at':12,'widgets':[{'a':1}],'pods':[" BARE("a") "]}",
         "Pod 1; members 3"},
        {"{'widgets':{'x':{}},'pods':[" BARE("a") "]}", "Pod 1; members 1"},
        {"{'metadata':{'a':1},'pods':[" BARE("a") "]}", "Pod 1; members 1"},
        /* twice the same collection: both are read */
        {"{'pods':[" BARE("a") "],'pods':[" BARE("b") "]}", "Pod 2"},
        /* an item's own kind counts, also late; one that contradicts is kept out */
        {"{'pods':[" POD("a") "]}", "Pod 1"},
        {"{'pods':[" NODE "]}", "Node 1; seen Pod"},
        {"{'pods':[{'metadata':{'name':'a'},'kind':'Pod','apiVersion':'v1'}]}", "Pod 1"},
        {"{'pods':[{'metadata':{'name':'a'},'kind':'Secret','apiVersion':'v1'}," BARE("b") "]}",
         "Pod 1; unknown 1"},
        /* no object of Kubernetes */
        {"{'pods':[{},{'foo':1},null," BARE("b") "]}", "Pod 1; unknown 2"},
        {"{'pods':[{'metadata':{}}]}", "Pod 1"},
        {"{'pods':'a','nodes':7}", "no objects"},
        {"{'pods':{'a':" BARE("a") "}}", "no objects"},
        /* what is not known does not end the look for them */
        {"{'a':{},'b':[],'c':[[" BARE("x") "]],'d':{'items':{}},'pods':[" BARE("a") "]}",
         "Pod 1; members 4"},
        {"{'a':{'kind':'Agent'},'kind':'Dump','pods':[" BARE("a") "]}", "Pod 1; members 2"},
        {"{'a':{},'apiVersion':'v1','pods':[" BARE("a") "]}", "Pod 1; members 2"},
        {"{'a':{},'apiVersion':'v1','pods':[" BARE("a") "],'kind':'Dump'}", "Pod 1; members 3"},
        {"{'widgets':[" BARE("w") "],'apiVersion':'v1','kind':'Dump','pods':[" BARE("a") "]}",
         "Pod 1; members 3"},
        {"{'widgets':{'kind':'WidgetList'},'pods':[" BARE("a") "]}", "Pod 1; members 1"},
        {"{'pods':[{'name':'a','phase':'Running'}]}", "Pod 1"},
    };
    (void)state;
    check(rows, COUNT(rows));
}

#define CONSTRAINTS                                                                                \
    "'apiVersion':'security.openshift.io/v1','kind':'SecurityContextConstraints',"                 \
    "'metadata':{'name':'x'}"

/* Members that come before an object says what it is. */
static void objects_that_begin_otherwise(void **state)
{
    static const struct row rows[] = {
        {"{'x-limits':{'limits':{'memory':'64Mi'}},'apiVersion':'v1','kind':'Pod',"
         "'metadata':{'name':'a'}}",
         "Pod 1"},
        {"{'x-pods':[" BARE("x") "],'kind':'Pod','metadata':{'name':'a'}}", "Pod 1"},
        {"{'.limits':{'a':[{'metadata':{}}]},'kind':'Pod','apiVersion':'v1'}", "Pod 1"},
        {"{'allowHostDirVolumePlugin':true,'allowedCapabilities':['*']," CONSTRAINTS
         ",'users':['system:anonymous']}",
         "SecurityContextConstraints 1"},
        {"{'allowedFlexVolumes':[{'driver':'x'}],'fsGroup':{'type':'RunAsAny'}," CONSTRAINTS "}",
         "SecurityContextConstraints 1"},
        {"{'allowedUnsafeSysctls':[]," CONSTRAINTS "}", "SecurityContextConstraints 1"},
        {"{'secrets':[{'name':'s'}],'apiVersion':'v1','kind':'ServiceAccount'}",
         "ServiceAccount 1"},
        {"{'endpoints':[{'addresses':['1.2.3.4']}],'kind':'EndpointSlice',"
         "'apiVersion':'discovery.k8s.io/v1','metadata':{'name':'a'}}",
         "EndpointSlice 1"},
        {"{'targets':[{'kind':'Pod'}],'apiVersion':'v1','kind':'ConfigMap'}", "ConfigMap 1"},
        {"{'a':{},'kind':'PodList','apiVersion':'v1','items':[" BARE("a") "]}", "Pod 1"},
        {"{'a':{},'items':[" POD("a") "]}", "Pod 1"},
        /* one that cannot be told from collections is not passed over */
        {"{'objects':[" BARE("x") "],'apiVersion':'v1','kind':'Pod'}" NODE, "JSON 3 at 70"},
        {"{'objects':[" BARE("x") "],'apiVersion':'v1','kind':7}" NODE, "Node 1; members 3"},
    };
    (void)state;
    check(rows, COUNT(rows));
}

/* What is not known is looked at for an object's kind as far as can be gone back. */
static void unknown_members_are_large(void **state)
{
    static const struct {
        size_t bytes;
        const char *behind, *counts;
    } rows[] = {
        {1000 * 1000, "'apiVersion':'v1','kind':'Pod','metadata':{}", "Pod 1"},
        {1100 * 1000, "'apiVersion':'v1','kind':'Pod','metadata':{}", "JSON 3 at 1100048"},
        {20 * 1000 * 1000, "'pods':[" BARE("a") "]", "Pod 1; members 1"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        size_t room = rows[i].bytes + 256, n = 0;
        char *document = malloc(room);
        assert_non_null(document);
        n += (size_t)snprintf(document, room, "{'a':{'b':[0");
        while (n < rows[i].bytes)
            n += (size_t)snprintf(document + n, room - n, ",0");
        snprintf(document + n, room - n, "]},%s}", rows[i].behind);
        struct reading reading = reading_open(document, READING_PLAIN, 0);
        struct str got = reading_counts(&reading);
        if (!str_eq(got, str_of(rows[i].counts)))
            fail_msg("%zu: %" STR_FMT, i, STR_ARG(got));
        reading_close(&reading);
        free(document);
    }
}

static void kinds(void **state)
{
    static const struct row rows[] = {
        /* by name and group */
        {"{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'a'}}", "Deployment 1"},
        {"{'apiVersion':'extensions/v1beta1','kind':'Deployment','metadata':{'name':'a'}}",
         "Deployment 1"},
        {"{'apiVersion':'serving.knative.dev/v1','kind':'Service','metadata':{'name':'a'}}",
         "no objects"},
        {"{'apiVersion':'config.openshift.io/v1','kind':'Ingress','metadata':{'name':'a'}}" NODE,
         "Node 1; unknown 1"},
        {"{'apiVersion':'events.k8s.io/v1','kind':'Event','metadata':{'name':'a'}}", "Event 1"},
        {"{'apiVersion':'v1','kind':'Event','metadata':{'name':'a'}}"
         "{'apiVersion':'events.k8s.io/v1','kind':'Event','metadata':{'name':'a'}}",
         "Event 1"},
        {"{'kind':'Deployment','metadata':{'name':'a'}}", "Deployment 1"},
        {"{'apiVersion':7,'kind':'Pod','metadata':{'name':'a'}}", "Pod 1"},
        {"{'apiVersion':'v1','kind':'pod','metadata':{'name':'a'}}", "no objects"},
        /* wherever the kind stands */
        {"{'data':{'a':'b'},'metadata':{'name':'c'},'apiVersion':'v1','kind':'ConfigMap'}",
         "ConfigMap 1"},
        {"{'apiVersion':'v1','data':{'a':{'kind':'Pod'}},'kind':'ConfigMap'}", "ConfigMap 1"},
        {"{'addressType':'IPv4','apiVersion':'discovery.k8s.io/v1','endpoints':[],"
         "'kind':'EndpointSlice','metadata':{'name':'a'}}",
         "EndpointSlice 1"},
        {"{'aggregationRule':{},'apiVersion':'rbac.authorization.k8s.io/v1','kind':'ClusterRole'}",
         "ClusterRole 1"},
        {"{'allowedTopologies':[{}],'apiVersion':'storage.k8s.io/v1','kind':'StorageClass'}",
         "StorageClass 1"},
        {"{'metadata':{'name':'a'},'spec':{},'status':{},'kind':'Pod','apiVersion':'v1'}", "Pod 1"},
        {"{'\\u006bind':'P\\u006fd','metadata':{'name':'a'}}", "Pod 1"},
        /* twice: the last one */
        {"{'kind':'Pod','kind':'Node','metadata':{'name':'a'}}", "Node 1"},
        {"{'kind':'Thing','kind':'ThingList','metadata':{'name':'a'}}" NODE, "Node 1"},
        {"{'metadata':null,'kind':'Pod'}", "Pod 1"},
        {"{'metadata':[],'spec':'x','status':7,'kind':'Pod'}", "Pod 1"},
    };
    (void)state;
    check(rows, COUNT(rows));
}

static void errors(void **state)
{
    static const struct {
        const char *document;
        enum jr_code code;
    } rows[] = {
        {"{'kind':'Pod','metadata':{'name':'\xff'}}", JR_E_UTF8},
        {"{'kind':'Pod','metadata':{'name':'a'}", JR_E_TRUNCATED},
        {"{'kind':'Pod','metadata':{'name':'a',}}", JR_E_SYNTAX},
        {"{'kind':'Pod','status':{'phase':tru}}", JR_E_SYNTAX},
        {"{'kind':'Widget','x':[01]}", JR_E_SYNTAX},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (enum reading_mode mode = READING_PLAIN; mode <= READING_REDACT; mode++) {
            struct reading reading = reading_open(rows[i].document, mode, 0);
            assert_null(reading.cluster);
            if (reading.error.code != SNAPSHOT_E_SENSITIVE) {
                assert_int_equal(reading.error.code, SNAPSHOT_E_JSON);
                assert_int_equal(reading.error.json.code, rows[i].code);
            }
            reading_close(&reading);
        }
}

/* A deep document is an error, one level less is not. */
static void depth(void **state)
{
    (void)state;
    for (size_t deep = SNAPSHOT_DEPTH_MAX; deep <= SNAPSHOT_DEPTH_MAX + 1; deep++) {
        struct arena *arena = arena_new(1 << 20);
        struct buf text = buf_init(arena, SIZE_MAX);
        buf_put(&text, STR("{\"kind\":\"Pod\",\"x\":"));
        for (size_t i = 1; i < deep; i++)
            buf_putc(&text, '[');
        for (size_t i = 1; i < deep; i++)
            buf_putc(&text, ']');
        buf_putc(&text, '}');
        struct reading reading = reading_of(buf_str(&text), READING_PLAIN, 0);
        assert_int_equal(reading.cluster != NULL, deep == SNAPSHOT_DEPTH_MAX);
        assert_int_equal(reading.error.json.code, reading.cluster ? JR_OK : JR_E_DEPTH);
        reading_close(&reading);
        arena_free(arena);
    }
}

static struct str filled(struct arena *arena, const char *before, size_t n, const char *after)
{
    struct buf text = buf_init(arena, SIZE_MAX);
    buf_put(&text, str_of(before));
    for (size_t i = 0; i < n; i++)
        buf_putc(&text, 'x');
    buf_put(&text, str_of(after));
    return buf_str(&text);
}

/* An object that does not say what it is within 8 MiB is kept out; it cannot be redacted. */
static void kind_comes_too_late(void **state)
{
    (void)state;
    struct arena *arena = arena_new((size_t)64 << 20);
    struct str text = filled(arena, "{\"kind\":\"List\",\"items\":[{\"data\":{\"a\":\"", 9 << 20,
                             "\"},\"apiVersion\":\"v1\",\"kind\":\"Secret\"},"
                             "{\"apiVersion\":\"v1\",\"kind\":\"Pod\"}]}");
    struct reading reading = reading_of(text, READING_PLAIN, 0);
    assert_text(reading_counts(&reading), "Pod 1; unknown 1");
    reading_close(&reading);
    reading = reading_of(text, READING_FIND, 0);
    assert_int_equal(reading.error.code, SNAPSHOT_E_SENSITIVE);
    reading_close(&reading);
    reading = reading_of(text, READING_REDACT, 0);
    assert_null(reading.cluster);
    assert_int_equal(reading.error.code, SNAPSHOT_E_JSON);
    assert_int_equal(reading.error.json.code, JR_E_TOTAL);
    reading_close(&reading);
    arena_free(arena);
}

static void input_limit(void **state)
{
    static const char document[] = "{\"kind\":\"Pod\"}";
    (void)state;
    struct arena *arena = arena_new(1 << 20);
    for (uint64_t less = 0; less < 2; less++) {
        struct str bytes = str_of(document);
        struct snapshot_options options = {.total_max = sizeof document - 1 - less};
        struct snapshot_error error;
        struct cluster *cluster = snapshot_read(arena, source_of(&bytes), &options, &error);
        assert_int_equal(cluster != NULL, less == 0);
        assert_int_equal(error.json.code, less ? JR_E_TOTAL : JR_OK);
        arena_reset(arena);
    }
    arena_free(arena);
}

static void foreign_policies(void **state)
{
    static const struct {
        const char *document;
        bool isolates, admits;
    } rows[] = {
        {NODE, false, false},
        {NODE "{'apiVersion':'cilium.io/v2','kind':'CiliumNetworkPolicy'}", true, false},
        {NODE "{'apiVersion':'crd.projectcalico.org/v1','kind':'NetworkPolicy'}", true, false},
        {NODE "{'apiVersion':'projectcalico.org/v3','kind':'GlobalNetworkPolicy'}", true, false},
        {NODE "{'apiVersion':'cilium.io/v2','kind':'CiliumNode'}", false, false},
        {NODE "{'apiVersion':'kyverno.io/v1','kind':'ClusterPolicy'}", false, true},
        {NODE "{'apiVersion':'policies.kyverno.io/v1','kind':'ValidatingPolicy'}", false, true},
        {NODE "{'apiVersion':'reports.kyverno.io/v1','kind':'EphemeralReport'}", false, false},
        {NODE "{'apiVersion':'constraints.gatekeeper.sh/v1beta1','kind':'K8sAllowedRepos'}", false,
         true},
        {"{'nodes':[" BARE("n") "],'ciliumnetworkpolicies':[{}]}", true, false},
        {"{'nodes':[" BARE("n") "],'ciliumnetworkpolicies':[]}", false, false},
        {"{'nodes':[" BARE("n") "],'clusterpolicies':[{}]}", false, true},
        {"{'apiVersion':'admissionregistration.k8s.io/v1','kind':'ValidatingWebhookConfiguration',"
         "'metadata':{'name':'k'},'webhooks':[{'name':'validate.kyverno.svc-fail'}]}",
         false, true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        for (enum reading_mode mode = READING_PLAIN; mode <= READING_REDACT; mode += 2) {
            struct reading reading = reading_open(rows[i].document, mode, 0);
            assert_non_null(reading.cluster);
            assert_int_equal(reading.cluster->foreign_network_policies, rows[i].isolates);
            assert_int_equal(reading.cluster->policy_engine, rows[i].admits);
            reading_close(&reading);
        }
}

#define COPY(meta, phase)                                                                          \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a'" meta "},'status':{'phase':'" phase    \
    "'}}"
#define AT_VERSION(n) ",'resourceVersion':'" n "'"
#define MADE(time)    ",'creationTimestamp':'2026-03-17T" time "Z'"

/* Whatever the order; what nothing tells apart counts as manifests do that are applied in turn. */
static void the_newest_copy_counts(void **state)
{
    static const struct {
        const char *one, *other;
        const char *phase, *turned; /* in this order, and in the other one */
    } rows[] = {
        {COPY(AT_VERSION("9"), "Pending"), COPY(AT_VERSION("10"), "Running"), "Running", "Running"},
        {COPY(AT_VERSION("1"), "Pending"), COPY("", "Running"), "Pending", "Pending"},
        {COPY(AT_VERSION("2") MADE("01:00:00"), "Pending"),
         COPY(AT_VERSION("1") MADE("02:00:00"), "Running"), "Pending", "Pending"},
        {COPY(MADE("01:00:00"), "Pending"), COPY(MADE("02:00:00"), "Running"), "Running",
         "Running"},
        {COPY(AT_VERSION("1") ",'generation':2", "Pending"),
         COPY(AT_VERSION("1") ",'generation':1", "Running"), "Pending", "Pending"},
        {COPY("", "Pending','conditions':[{'lastTransitionTime':'2026-03-17T02:00:00Z'}],'x':'"),
         COPY("", "Running','conditions':[{'lastTransitionTime':'2026-03-17T01:00:00Z'}],'x':'"),
         "Pending", "Pending"},
        {COPY(AT_VERSION("x") MADE("01:00:00"), "Pending"), COPY("", "Running"), "Pending",
         "Pending"},
        {COPY("", "Pending"), COPY("", "Running"), "Running", "Pending"},
    };
    (void)state;
    for (size_t i = 0; i < 2 * COUNT(rows); i++) {
        bool turned = i % 2;
        char document[1024];
        snprintf(document, sizeof document, "%s%s", turned ? rows[i / 2].other : rows[i / 2].one,
                 turned ? rows[i / 2].one : rows[i / 2].other);
        struct reading reading = reading_open(document, READING_PLAIN, 0);
        assert_non_null(reading.cluster);
        assert_int_equal(reading.cluster->pods.n, 1);
        assert_text(reading.cluster->pods.items[0]->phase,
                    turned ? rows[i / 2].turned : rows[i / 2].phase);
        reading_close(&reading);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(values),
        cmocka_unit_test(collections),
        cmocka_unit_test(objects_that_begin_otherwise),
        cmocka_unit_test(unknown_members_are_large),
        cmocka_unit_test(kinds),
        cmocka_unit_test(errors),
        cmocka_unit_test(depth),
        cmocka_unit_test(kind_comes_too_late),
        cmocka_unit_test(input_limit),
        cmocka_unit_test(foreign_policies),
        cmocka_unit_test(the_newest_copy_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
