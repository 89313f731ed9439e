/* When a cluster was looked at, by what its objects tell. */
#include "reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "base/clock.h"
#include "kube/cluster_time.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A day and a time of 2026-03. */
#define AT(time) "'2026-03-" time "Z'"
#define MADE(kind, version, time)                                                                  \
    "{'apiVersion':'" version "','kind':'" kind                                                    \
    "','metadata':{'name':'made','namespace':'s','creationTimestamp':" AT(time) "}}"
#define CONFIG_MAP(time) MADE("ConfigMap", "v1", time)
#define NODE(ready, time)                                                                          \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'},'status':{'conditions':["            \
    "{'type':'Ready','status':'" ready "','lastHeartbeatTime':" AT(time) "}]}}"
#define NODE_SILENT                                                                                \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'},'status':{'conditions':["            \
    "{'type':'Ready','status':'True','lastTransitionTime':" AT("17T10:00:00") "}]}}"
#define LEASE(namespace, time)                                                                     \
    "{'apiVersion':'coordination.k8s.io/"                                                          \
    "v1','kind':'Lease','metadata':{'name':'n','namespace':'" namespace "'},'spec':{'renewTime'"   \
                                                                        ":" AT(time) "}}"
#define POD(time)                                                                                  \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'s'},'status':{"           \
    "'phase':'Running','startTime':" AT(time) "}}"
#define POD_ENDED(time)                                                                            \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'s'},'spec':{"             \
    "'containers':[{'name':'c'}]},'status':{'phase':'Running','containerStatuses':[{'name':'c',"   \
    "'lastState':{'terminated':{'exitCode':1,'finishedAt':" AT(time) "}}}]}}"
#define EVENT(time)                                                                                \
    "{'apiVersion':'v1','kind':'Event','metadata':{'name':'e','namespace':'s','uid':'1'},"         \
    "'lastTimestamp':" AT(time) "}"
#define DEPLOYMENT(time)                                                                           \
    "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d','namespace':'s'},"         \
    "'spec':{},'status':{'conditions':[{'type':'Available','status':'True',"                       \
    "'lastUpdateTime':" AT(time) "}]}}"

static const struct row {
    const char *document;
    const char *at, *object;     /* of the look; "" without a time */
    const char *newest, *latest; /* of all */
} rows[] = {
    /* none, or no heartbeat: the newest of all */
    {"{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'}}", "", "", "", ""},
    {POD("17T10:00:00") CONFIG_MAP("30T10:00:00"), "30T10:00:00", "ConfigMap", "30T10:00:00",
     "ConfigMap"},
    {EVENT("17T10:00:00") CONFIG_MAP("30T10:00:00"), "30T10:00:00", "ConfigMap", "30T10:00:00",
     "ConfigMap"},
    {NODE_SILENT CONFIG_MAP("30T10:00:00"), "30T10:00:00", "ConfigMap", "30T10:00:00", "ConfigMap"},
    /* a node that is not ready writes nothing, and a lease of something else is no node's */
    {NODE("Unknown", "17T10:00:00") CONFIG_MAP("30T10:00:00"), "30T10:00:00", "ConfigMap",
     "30T10:00:00", "ConfigMap"},
    {NODE("False", "17T10:00:00") CONFIG_MAP("30T10:00:00"), "30T10:00:00", "ConfigMap",
     "30T10:00:00", "ConfigMap"},
    {NODE_SILENT LEASE("s", "17T10:00:00") CONFIG_MAP("30T10:00:00"), "30T10:00:00", "ConfigMap",
     "30T10:00:00", "ConfigMap"},
    /* a heartbeat: up to an hour later, and not a second more */
    {NODE("True", "17T10:00:00") CONFIG_MAP("17T09:00:00"), "17T10:00:00", "Node", "17T10:00:00",
     "Node"},
    {NODE("True", "17T10:00:00") CONFIG_MAP("17T11:00:00"), "17T11:00:00", "ConfigMap",
     "17T11:00:00", "ConfigMap"},
    {NODE("True", "17T10:00:00") CONFIG_MAP("17T11:00:01"), "17T10:00:00", "Node", "17T11:00:01",
     "ConfigMap"},
    {NODE("True", "17T10:00:00") MADE("Secret", "v1", "17T10:30:00") CONFIG_MAP("30T10:00:00"),
     "17T10:30:00", "Secret", "30T10:00:00", "ConfigMap"},
    {NODE_SILENT LEASE("kube-node-lease", "17T10:00:10") CONFIG_MAP("30T10:00:00"), "17T10:00:10",
     "Lease", "30T10:00:00", "ConfigMap"},
    /* the newest of status, whose ever */
    {NODE("True", "17T10:00:00") POD("10T10:00:00"), "17T10:00:00", "Node", "17T10:00:00", "Node"},
    {NODE("True", "17T10:00:00") POD("19T10:00:00"), "19T10:00:00", "Pod", "19T10:00:00", "Pod"},
    {NODE("True", "17T10:00:00") POD_ENDED("19T10:00:00") CONFIG_MAP("19T10:59:00"), "19T10:59:00",
     "ConfigMap", "19T10:59:00", "ConfigMap"},
    {NODE("True", "17T10:00:00") EVENT("19T10:00:00"), "19T10:00:00", "Event", "19T10:00:00",
     "Event"},
    {NODE("True", "17T10:00:00") LEASE("s", "19T10:00:00"), "19T10:00:00", "Lease", "19T10:00:00",
     "Lease"},
    /* a Deployment's conditions come with it */
    {NODE("True", "17T10:00:00") DEPLOYMENT("17T10:10:00"), "17T10:10:00", "Deployment",
     "17T10:10:00", "Deployment"},
    {NODE("True", "17T10:00:00") DEPLOYMENT("30T10:00:00"), "17T10:00:00", "Node", "30T10:00:00",
     "Deployment"},
};

static void assert_told(struct told_time told, const char *time, const char *kind)
{
    char text[CLOCK_TEXT_SIZE], expected[CLOCK_TEXT_SIZE];
    assert_int_equal(told.time == TIME_NONE, !*time);
    assert_int_equal(told.object == NULL, !*time);
    if (!*time)
        return;
    snprintf(expected, sizeof expected, "2026-03-%sZ", time);
    assert_text(clock_format_short(told.time, text), expected);
    assert_text(told.object->kind_name, kind);
}

static void looks(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct reading reading = reading_open(rows[i].document, READING_PLAIN, 0);
        assert_non_null(reading.cluster);
        struct cluster_look look = cluster_look_of(reading.cluster);
        assert_told(look.at, rows[i].at, rows[i].object);
        assert_told(look.newest, rows[i].newest, rows[i].latest);
        reading_close(&reading);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(looks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
