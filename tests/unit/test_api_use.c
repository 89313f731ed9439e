/* Which API versions in use some release does not serve, and how they are stored for the gate. */
#include "reading.h"
#include "store/api_use_text.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h> /* after check.h: both have a fail() */

#define LIST_OF(items) "{'apiVersion':'v1','kind':'List','items':[" items "]}"
#define LIVE(version, kind, name, more)                                                            \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'namespace':'shop','name':'" name   \
    "','uid':'u-" name "'" more "}}"
#define WRITTEN(version, kind, name) /* as manifests are */                                        \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'namespace':'shop','name':'" name   \
    "'}}"
#define MANAGED(version) "{'manager':'m','operation':'Update','apiVersion':'" version "'}"

static const struct {
    const char *name, *document, *text;
} rows[] = {
    {"nothing old", LIST_OF(WRITTEN("policy/v1", "PodDisruptionBudget", "a")), ""},
    {"as it was written", LIST_OF(WRITTEN("policy/v1beta1", "PodDisruptionBudget", "a")),
     "25|PodDisruptionBudget|policy/v1beta1|policy/v1|1|shop|poddisruptionbudget/a|\n"},
    {"several are counted, the first is named",
     LIST_OF(WRITTEN("policy/v1beta1", "PodDisruptionBudget",
                     "b") "," WRITTEN("policy/v1beta1", "PodDisruptionBudget",
                                      "a") "," WRITTEN("policy/v1", "PodDisruptionBudget", "c")),
     "25|PodDisruptionBudget|policy/v1beta1|policy/v1|2|shop|poddisruptionbudget/a|\n"},
    {"the API server converts: what it hands out tells nothing",
     LIST_OF(LIVE("policy/v1beta1", "PodDisruptionBudget", "a", "")), ""},
    {"what was applied tells",
     LIST_OF(LIVE("networking.k8s.io/v1", "Ingress", "a",
                  ",'annotations':{'kubectl.kubernetes.io/last-applied-configuration':'{\\"
                  "'apiVersion\\':\\'extensions/v1beta1\\',\\'kind\\':\\'Ingress\\'}'}")),
     "22|Ingress|extensions/v1beta1|networking.k8s.io/v1|1|shop|ingress/a|\n"},
    {"of several managers the one that goes first counts, once",
     LIST_OF(LIVE("autoscaling/v2", "HorizontalPodAutoscaler", "a",
                  ",'managedFields':[" MANAGED("autoscaling/v2beta2") "," MANAGED(
                      "autoscaling/v2beta1") "," MANAGED("autoscaling/v2") "]")),
     "25|HorizontalPodAutoscaler|autoscaling/v2beta1|autoscaling/v2|1|shop|"
     "horizontalpodautoscaler/a|\n"},
    {"of no namespace, and gone without a successor",
     LIST_OF("{'apiVersion':'policy/v1beta1','kind':'PodSecurityPolicy','metadata':{'name':'p'}}"),
     "25|PodSecurityPolicy|policy/v1beta1|the admission controller "
     "PodSecurity|1||podsecuritypolicy/p|\n"},
    {"not of the cluster's own namespaces",
     LIST_OF("{'apiVersion':'policy/v1beta1','kind':'PodDisruptionBudget',"
             "'metadata':{'name':'p','namespace':'kube-system'}}"),
     ""},
    {"not what somebody else calls so",
     LIST_OF(WRITTEN("example.com/v1beta1", "PodDisruptionBudget",
                     "a") "," WRITTEN("policy/v1", "PodDisruptionBudget", "b")),
     ""},
};

static struct str text_of(struct reading *reading)
{
    struct score_policy policy = score_policy_default();
    assert_non_null(reading->cluster);
    api_use_list uses = api_use_of(reading->arena, reading->cluster, &policy);
    struct str text = api_use_text(reading->arena, &uses);
    char *shown = arena_bytes(reading->arena, text.n + 1);
    for (size_t i = 0; i < text.n; i++)
        shown[i] = text.p[i] == '\t' ? '|' : text.p[i];
    return (struct str){shown, text.n};
}

static void what_is_in_use(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct reading reading = reading_open(rows[i].document, READING_PLAIN, 0);
        if (!reading.cluster)
            fail_msg("%s: not read", rows[i].name);
        struct str text = text_of(&reading);
        if (!str_eq(text, str_of(rows[i].text)))
            fail_msg("%s\n     got: %" STR_FMT "\nexpected: %s", rows[i].name, STR_ARG(text),
                     rows[i].text);
        reading_close(&reading);
    }
}

static void there_and_back(void **state)
{
    (void)state;
    struct reading reading =
        reading_open(LIST_OF(WRITTEN("policy/v1beta1", "PodDisruptionBudget",
                                     "a\\tb\\n") "," WRITTEN("batch/v1beta1", "CronJob", "c")),
                     READING_PLAIN, 0);
    struct score_policy policy = score_policy_default();
    api_use_list uses = api_use_of(reading.arena, reading.cluster, &policy);
    gate_api_list apis = api_use_read(arena, api_use_text(reading.arena, &uses));
    assert_int_equal(apis.n, 2);
    for (uint32_t i = 0; i < 2; i++) {
        bool is_budget = str_eq(apis.items[i].kind, STR("PodDisruptionBudget"));
        assert_true(str_eq(apis.items[i].resource,
                           is_budget ? STR("poddisruptionbudget/a?b?") : STR("cronjob/c")));
        assert_true(
            str_eq(apis.items[i].replacement, is_budget ? STR("policy/v1") : STR("batch/v1")));
        assert_int_equal(apis.items[i].removed, 25);
        assert_int_equal(apis.items[i].objects, 1);
    }
    assert_int_equal(api_use_read(arena, STR("")).n, 0);
    assert_int_equal(api_use_read(arena, STR("25\tX")).n,
                     1); /* what is cut reads as far as it goes */
    reading_close(&reading);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_in_use),
        cmocka_unit_test(there_and_back),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
