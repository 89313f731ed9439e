/* The report of a cluster, in each of its formats. */
#include "report/posture.h"

#include <json-c/json.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "reading.h"
#include "report/report.h"
#include "scratch.h"

static const int64_t TAKEN = INT64_C(1773749659000);

static bool put(void *context, struct str bytes)
{
    buf_put(context, bytes);
    return true;
}

static bool refuse(void *context, struct str bytes)
{
    (void)bytes;
    return --*(int *)context > 0;
}

static struct posture posture_of(const char *document)
{
    struct reading reading = {.arena = arena};
    struct str json = arena_str(arena, str_of(document));
    for (size_t i = 0; i < json.n; i++)
        if (json.p[i] == '\'')
            ((char *)json.p)[i] = '"';
    struct snapshot_options options = {.total_max = 0};
    reading.cluster = snapshot_read(arena, source_of(&json), &options, &reading.error);
    assert_non_null(reading.cluster);
    struct score_policy policy = score_policy_default();
    struct ledger *ledger = score(arena, reading.cluster, &policy, TAKEN);
    int64_t *first_seen = ARENA_ARRAY(arena, ledger->risks.n, int64_t);
    for (uint32_t i = 0; i < ledger->risks.n; i++)
        first_seen[i] = i % 3 == 0 ? TAKEN : i % 3 == 1 ? TAKEN - 1000 : TIME_NONE;
    struct posture posture = {.cluster_name = STR("c"),
                              .provider = STR("aws"),
                              .region = STR("x"),
                              .generated = TAKEN + 5000,
                              .taken = TAKEN,
                              .score = ledger->csc_score,
                              .score_exact = ledger->score_exact,
                              .cluster = reading.cluster,
                              .risks = ledger->risks.items,
                              .first_seen = first_seen,
                              .risks_n = ledger->risks.n};
    memcpy(posture.categories, ledger->categories, sizeof posture.categories);
    return posture;
}

typedef bool (*writer)(struct arena *arena, const struct posture *posture, struct sink out);

/* A NUL follows it. */
static struct str written(const struct posture *posture, writer write)
{
    struct buf out = buf_init(arena, SIZE_MAX);
    assert_true(write(arena, posture, (struct sink){put, &out}));
    buf_putc(&out, '\0');
    return str_sub(buf_str(&out), 0, out.n - 1);
}

static struct json_object *list_of(struct json_object *report, const char *name)
{
    struct json_object *list = NULL;
    assert_true(json_object_object_get_ex(report, name, &list));
    return list;
}

/* The record of a list with this name, as JSON. */
static struct str record(const char *document, const char *list, const char *name)
{
    struct posture posture = posture_of(document);
    struct json_object *report = json_tokener_parse(written(&posture, posture_json).p), *all;
    assert_non_null(report);
    all = list_of(report, list);
    struct str found = STR("not there");
    for (size_t i = 0; i < json_object_array_length(all); i++) {
        struct json_object *one = json_object_array_get_idx(all, i), *member = NULL;
        json_object_object_get_ex(one, "name", &member);
        if (member && strcmp(json_object_get_string(member), name) == 0)
            found = arena_str(arena, str_of(json_object_to_json_string_ext(one, 0)));
    }
    json_object_put(report);
    return found;
}

#define POD(rest) "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'n'" rest "}"
#define NULLS                                                                                      \
    "\"containers\":null,\"ready\":0,\"restarts\":0,\"node\":null,\"owner\":null,\"images\":null," \
    "\"created_at\":null}"

static void records(void **state)
{
    (void)state;
    static const struct {
        const char *document, *list, *name, *record;
    } table[] = {
        {POD("}"), "pods", "p",
         "{\"namespace\":\"n\",\"name\":\"p\",\"status\":null,\"reason\":null," NULLS},
        {POD("},'status':{'phase':'Pending','reason':'Evicted'}"), "pods", "p",
         "{\"namespace\":\"n\",\"name\":\"p\",\"status\":\"Pending\",\"reason\":"
         "\"Evicted\"," NULLS},
        {POD(",'deletionTimestamp':'2026-03-17T12:00:00Z'},'status':{'phase':'Running'}"), "pods",
         "p",
         "{\"namespace\":\"n\",\"name\":\"p\",\"status\":\"Running\",\"reason\":"
         "\"Terminating\"," NULLS},
        {POD("},'spec':{'containers':[{'name':'a','image':'i'},{'name':'b','image':'i'},{'name':'c'"
             "}],"
             "'initContainers':[{'name':'s','image':'j','restartPolicy':'Always'},{'name':'t'}]},"
             "'status':{'containerStatuses':[{'name':'a','ready':true,'restartCount':3},"
             "{'name':'b','ready':false,'restartCount':-1}],'initContainerStatuses':["
             "{'name':'s','ready':true,'started':true,'restartCount':2},{'name':'t','ready':true,"
             "'restartCount':9,'state':{'terminated':{'exitCode':0}}}]}"),
         "pods", "p",
         "{\"namespace\":\"n\",\"name\":\"p\",\"status\":null,\"reason\":null,\"containers\":4,"
         "\"ready\":2,\"restarts\":5,\"node\":null,\"owner\":null,\"images\":\"i "
         "j\",\"created_at\":null}"},
        {"{'nodes':[{'name':'n','status':'Ready,SchedulingDisabled'},{'name':'m'}]}", "nodes", "n",
         "{\"name\":\"n\",\"status\":\"Ready,SchedulingDisabled\",\"version\":null,"
         "\"operating_system\":null,\"os_image\":null,\"container_runtime\":null,"
         "\"cpu_millicores\":null,\"memory_bytes\":null,\"pods\":0,\"created_at\":null}"},
        {"{'nodes':[{'name':'m'}]}", "nodes", "m",
         "{\"name\":\"m\",\"status\":null,\"version\":null,"
         "\"operating_system\":null,\"os_image\":null,\"container_runtime\":null,"
         "\"cpu_millicores\":null,\"memory_bytes\":null,\"pods\":0,\"created_at\":null}"},
        {"{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d'},'spec':{}}",
         "deployments", "d",
         "{\"namespace\":null,\"name\":\"d\",\"desired\":1,\"updated\":null,\"ready\":null,"
         "\"available\":null,\"images\":null,\"created_at\":null}"},
        {"{'apiVersion':'apps/"
         "v1','kind':'Deployment','metadata':{'name':'d'},'spec':{'replicas':2},"
         "'status':{'observedGeneration':1}}",
         "deployments", "d",
         "{\"namespace\":null,\"name\":\"d\",\"desired\":2,\"updated\":0,\"ready\":0,"
         "\"available\":0,\"images\":null,\"created_at\":null}"},
        {"{'deployments':[{'name':'d'}]}", "deployments", "d",
         "{\"namespace\":null,\"name\":\"d\",\"desired\":null,\"updated\":null,\"ready\":null,"
         "\"available\":null,\"images\":null,\"created_at\":null}"},
        {"{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'name':'s'},'spec':{}}",
         "deployments", "s", "not there"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct str got = record(table[i].document, table[i].list, table[i].name);
        if (!str_eq(got, str_of(table[i].record)))
            fail_msg("%s\n     got: %" STR_FMT "\nexpected: %s", table[i].document, STR_ARG(got),
                     table[i].record);
    }
}

#define SHOWN(rest)                                                                                \
    POD("},'spec':{'containers':[{'name':'a'},{'name':'b'}],'initContainers':[{'name':'i'},{"      \
        "'name':'s','restartPolicy':'Always'}]},'status':{'phase':" rest)
#define INIT(state)                                                                                \
    "'Pending','initContainerStatuses':[{'name':'i','restartCount':7,'state':" state               \
    "},{'name':'s','restartCount':1,'state':{'waiting':{'reason':'PodInitializing'}}}],"           \
    "'containerStatuses':[{'name':'a','restartCount':0,'state':{'waiting':{'reason':"              \
    "'PodInitializing'}}}]}"
#define OVER                                                                                       \
    "'initContainerStatuses':[{'name':'i','restartCount':7,'state':{'terminated':{'exitCode':0}}}" \
    ",{'name':'s','restartCount':1,'ready':true,'started':true,'state':{'running':{}}}],"
#define RUNS(ready) "{'name':'a','restartCount':2,'ready':" ready ",'state':{'running':{}}}"
#define ENDED(how)  "{'name':'b','restartCount':3,'state':{'terminated':{" how "}}}"

/* What printPod() of kubernetes/pkg/printers/internalversion makes of a pod. */
static void pods_as_kubectl_prints_them(void **state)
{
    (void)state;
    static const struct {
        const char *document, *reason, *restarts;
    } table[] = {
        {SHOWN(INIT("{'waiting':{'reason':'CrashLoopBackOff'}}")), "\"Init:CrashLoopBackOff\"",
         "7"},
        {SHOWN(INIT("{'waiting':{'reason':'PodInitializing'}}")), "\"Init:0\\/2\"", "7"},
        {SHOWN(INIT("{'waiting':{}}")), "\"Init:0\\/2\"", "7"},
        {SHOWN(INIT("{'running':{}}")), "\"Init:0\\/2\"", "7"},
        {SHOWN(INIT("{'terminated':{'exitCode':1,'reason':'Error'}}")), "\"Init:Error\"", "7"},
        {SHOWN(INIT("{'terminated':{'exitCode':-1073741510}}")), "\"Init:ExitCode:-1073741510\"",
         "7"},
        {SHOWN(INIT("{'terminated':{'exitCode':137,'signal':9}}")), "\"Init:Signal:9\"", "7"},
        {SHOWN(INIT("{'terminated':{'exitCode':0,'reason':'Completed'}}")), "\"Init:1\\/2\"", "8"},
        /* It has been through once: the others tell the status, these count no more. */
        {SHOWN("'Running','conditions':[{'type':'Initialized','status':'True'}],"
               "'initContainerStatuses':[{'name':'i','restartCount':7,'state':{'running':{}}}],"
               "'containerStatuses':[" RUNS("true") "]}"),
         "\"Init:0\\/2\"", "2"},
        {SHOWN("'Running'," OVER "'containerStatuses':[" RUNS("true") "]}"), "null", "3"},
        {SHOWN("'Running'," OVER "'containerStatuses':[" RUNS("true") "," ENDED(
             "'exitCode':0,'reason':'Completed'") "]}"),
         "\"NotReady\"", "6"},
        {SHOWN("'Running','conditions':[{'type':'Ready','status':'True'}]," OVER
               "'containerStatuses':[" RUNS("true") "," ENDED(
                   "'exitCode':0,'reason':'Completed'") "]}"),
         "null", "6"},
        {SHOWN("'Running'," OVER "'containerStatuses':[" RUNS("false") "," ENDED(
             "'exitCode':0,'reason':'Completed'") "]}"),
         "\"Completed\"", "6"},
        {SHOWN("'Failed'," OVER "'containerStatuses':[" ENDED("'exitCode':3") "]}"),
         "\"ExitCode:3\"", "4"},
        {SHOWN("'Failed'," OVER "'containerStatuses':[" ENDED("'signal':15") "]}"), "\"Signal:15\"",
         "4"},
        {SHOWN("'Succeeded','containerStatuses':[" ENDED("'reason':'Completed'") "]}"),
         "\"Completed\"", "3"},
        {SHOWN("'Failed','reason':'Evicted','containerStatuses':[" ENDED("'reason':'Error'") "]}"),
         "\"Error\"", "3"},
        {SHOWN("'Pending','conditions':[{'type':'PodScheduled','status':'False','reason':"
               "'SchedulingGated'}]}"),
         "\"SchedulingGated\"", "0"},
        {POD(",'deletionTimestamp':'2026-03-17T12:00:00Z'},'status':{'phase':'Running','reason':"
             "'NodeLost'}"),
         "\"Unknown\"", "0"},
        {POD(",'deletionTimestamp':'2026-03-17T12:00:00Z'},'status':{'phase':'Failed','reason':"
             "'Evicted'}"),
         "\"Evicted\"", "0"},
        {POD("},'status':{'phase':'Running','reason':'NodeLost'}"), "\"NodeLost\"", "0"},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        struct str got = record(table[i].document, "pods", "p");
        struct str reason = arena_printf(arena, ",\"reason\":%s,", table[i].reason);
        struct str restarts = arena_printf(arena, ",\"restarts\":%s,", table[i].restarts);
        if (!str_has(got, reason) || !str_has(got, restarts))
            fail_msg("%s\n     got: %" STR_FMT "\nexpected: reason %s, restarts %s",
                     table[i].document, STR_ARG(got), table[i].reason, table[i].restarts);
    }
}

static size_t lines(struct str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n';
    return n;
}

/* Many pods with names to quote: several pieces. */
static struct posture large(size_t pods)
{
    struct buf document = buf_init(arena, SIZE_MAX);
    for (size_t i = 0; i < pods; i++)
        buf_printf(&document,
                   "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"=p,%zu\\\"\"},"
                   "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"web:latest\"}]}}\n",
                   i);
    buf_putc(&document, '\0');
    return posture_of(document.p);
}

static void every_format_has_all(void **state)
{
    (void)state;
    enum { PODS = 1200 };
    struct posture posture = large(PODS);
    struct str json = written(&posture, posture_json), csv = written(&posture, posture_csv),
               ocsf = written(&posture, posture_ocsf);
    struct json_object *report = json_tokener_parse(json.p);
    assert_non_null(report);
    assert_int_equal(json_object_array_length(list_of(report, "pods")), PODS);
    assert_int_equal(json_object_array_length(list_of(report, "risks")), posture.risks_n);
    json_object_put(report);
    assert_int_equal(lines(csv), 1 + 1 + CATEGORY_COUNT + PODS + posture.risks_n);
    assert_true(str_has(csv, STR(",\"'=p,7\"\"\",")));
    assert_int_equal(lines(ocsf), posture.risks_n);
}

static void a_sink_that_refuses_ends_it(void **state)
{
    (void)state;
    static const writer writers[] = {posture_json, posture_csv, posture_ocsf};
    struct posture posture = large(1000);
    for (size_t i = 0; i < COUNT(writers); i++) {
        for (int pieces = 1; pieces < 4; pieces++) {
            int left = pieces;
            assert_false(writers[i](arena, &posture, (struct sink){refuse, &left}));
            assert_int_equal(left, 0);
        }
    }
}

static void events_of_the_schema(void **state)
{
    (void)state;
    struct posture posture =
        posture_of(POD("},'spec':{'containers':[{'name':'c','image':'web'}]}"));
    struct check foreign = {.id = "gone",
                            .title = "",
                            .recommendation = "",
                            .frameworks = "",
                            .severity = SEVERITY_LOW};
    struct risk *risks = ARENA_ARRAY(arena, 2, struct risk);
    int64_t first_seen[] = {TAKEN, TIME_NONE};
    risks[0] = posture.risks[0];
    risks[1] = (struct risk){.check = &foreign,
                             .severity = SEVERITY_LOW,
                             .resource = STR("cluster"),
                             .message = STR("m\n\xff"),
                             .exempt = true,
                             .exempt_reason = STR("why")};
    posture.risks = risks;
    posture.risks_n = 2;
    posture.first_seen = first_seen;
    struct str text = written(&posture, posture_ocsf), line, second;
    assert_true(str_cut(text, '\n', &line, &second));
    assert_true(str_has(line, STR("\"activity_id\":1,")) &&
                str_has(line, STR("\"type_uid\":200301,")));
    assert_true(str_has(line, STR("\"first_seen_time\":1773749659000")));
    assert_true(str_has(second, STR("\"activity_id\":2,")));
    assert_true(str_has(second, STR("\"status_id\":3,\"status\":\"Suppressed\"")));
    assert_true(str_has(second, STR("\"message\":\"m\\n\xEF\xBF\xBD\"")));
    assert_true(str_has(second, STR("\"standards\":[\"Loadline\"],")));
    assert_true(str_has(second, STR("\"title\":\"gone\"")));
    assert_true(str_has(second, STR("\"name\":\"cluster\",\"type\":\"cluster\",")));
    assert_false(str_has(second, STR("first_seen_time")));
    struct buf sarif = buf_init(arena, SIZE_MAX);
    struct ledger ledger = {.risks = LIST_SLICE(risks, 2)};
    assert_true(report_sarif(arena, &ledger, STR("a"), NULL, (struct sink){put, &sarif}));
    struct str results = buf_str(&sarif);
    assert_true(str_has(results, STR("{\"ruleId\":\"gone\",\"level\":\"note\"")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records),
        cmocka_unit_test(pods_as_kubectl_prints_them),
        cmocka_unit_test(every_format_has_all),
        cmocka_unit_test(a_sink_that_refuses_ends_it),
        cmocka_unit_test(events_of_the_schema),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
