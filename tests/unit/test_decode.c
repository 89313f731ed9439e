/* The tables of schemas, and what a pod says once read. */
#include "reader/decode.h"
#include "kube/selector.h"
#include "reading.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct schema *const schemas[] = {
#define SCHEMA(name) &name##_schema,
#include "reader/schema.def"
#undef SCHEMA
};

/* Keys in order, each once; not more than a schema_index holds; places inside the structure. */
static void tables_are_sound(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(schemas); i++) {
        const struct schema *schema = schemas[i];
        assert_int_equal(schema->id, i);
        assert_true(schema->fields_n <= SCHEMA_FIELDS_MAX && schema->kept <= schema->size);
        for (size_t k = 0; k < schema->fields_n; k++) {
            const struct field *field = &schema->fields[k];
            assert_true(field->offset + field->size <= schema->size);
            assert_true(field->accepts != 0 && strlen(field->key) <= UINT8_MAX);
            if (k > 0 && strcmp(schema->fields[k - 1].key, field->key) >= 0)
                fail_msg("%s comes after %s", field->key, schema->fields[k - 1].key);
        }
    }
}

static struct pod *pod_of(struct reading *reading, const char *spec, const char *status)
{
    char document[4096];
    snprintf(document, sizeof document, "{'kind':'Pod','spec':{%s},'status':{%s}}", spec, status);
    *reading = reading_open(document, READING_PLAIN, 1);
    assert_non_null(reading->cluster);
    return reading->cluster->pods.items[0];
}

static struct container *container_of(struct reading *reading, const char *members)
{
    char spec[4096];
    snprintf(spec, sizeof spec, "'containers':[{%s}]", members);
    struct pod *pod = pod_of(reading, spec, "");
    assert_int_equal(pod->spec->containers.n, 1);
    return &pod->spec->containers.items[0];
}

static void numbers(void **state)
{
    static const struct {
        const char *json;
        int64_t number;
    } rows[] = {
        {"0", 0},
        {"3", 3},
        {"-3", -3},
        {"'3'", 3},
        {"3.0", 3},
        {"3e2", 300},
        {"3.5", NUMBER_ABSENT},
        {"''", NUMBER_ABSENT},
        {"'x'", NUMBER_ABSENT},
        {"null", NUMBER_ABSENT},
        {"true", NUMBER_ABSENT},
        {"[3]", NUMBER_ABSENT},
        {"{}", NUMBER_ABSENT},
        {"9223372036854775807", INT64_MAX},
        {"9223372036854775808", INT64_MAX},
        {"'99999999999999999999'", INT64_MAX},
        {"-99999999999999999999", -INT64_MAX},
        {"1e30", INT64_MAX},
        {"1,'runAsUser':null", NUMBER_ABSENT},
        {"1,'runAsUser':2", 2},
        {"1,'runAsUser':'x'", NUMBER_ABSENT},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char members[128];
        struct reading reading;
        snprintf(members, sizeof members, "'securityContext':{'runAsUser':%s}", rows[i].json);
        const struct container *container = container_of(&reading, members);
        if (container->security->run_as_user != rows[i].number)
            fail_msg("%s", rows[i].json);
        assert_true(container->security->fs_group == NUMBER_ABSENT);
        reading_close(&reading);
    }
}

static void quantities_and_ports(void **state)
{
    (void)state;
    struct reading reading;
    const struct container *container = container_of(
        &reading, "'resources':{'limits':{'cpu':2,'memory':'1Gi','ephemeral-storage':'1k'},"
                  "'requests':{'cpu':'x','memory':null,'cpu':'100m'}},"
                  "'livenessProbe':{'httpGet':{'port':80,'path':'/a','host':'h','scheme':'HTTP'},"
                  "'initialDelaySeconds':'7'},'readinessProbe':{'tcpSocket':{'port':'http'}},"
                  "'startupProbe':{'exec':{'command':['sh','-c','true']}},"
                  "'lifecycle':{'preStop':{'grpc':{'port':1,'service':'s'}},'postStart':{}},"
                  "'ports':[{'containerPort':80,'hostPort':0,'name':'a','protocol':'TCP'},7,null,"
                  "{'hostPort':81}]");
    assert_true(container->resources->limits.cpu == 2000);
    assert_true(container->resources->limits.memory == (int64_t)1000 << 30);
    assert_true(container->resources->limits.ephemeral_storage == 1000000);
    assert_true(container->resources->requests.cpu == 100);
    assert_true(container->resources->requests.memory == NUMBER_ABSENT);
    assert_int_equal(container->liveness->handler.type, HANDLER_HTTP);
    assert_text(container->liveness->handler.port, "80");
    assert_text(container->liveness->handler.host, "h");
    assert_true(container->liveness->initial_delay == 7);
    assert_true(container->readiness->initial_delay == NUMBER_ABSENT);
    assert_int_equal(container->readiness->handler.type, HANDLER_TCP);
    assert_text(container->readiness->handler.port, "http");
    assert_true(container->startup->handler.command != 0);
    assert_int_equal(container->pre_stop->type, HANDLER_GRPC);
    assert_text(container->pre_stop->service, "s");
    assert_int_equal(container->post_start->type, HANDLER_NONE);
    assert_int_equal(container->ports.n, 2);
    assert_true(container->ports.items[0].host_port == 0);
    assert_true(container->ports.items[1].host_port == 81);
    assert_true(container->ports.items[1].container_port == NUMBER_ABSENT);
    reading_close(&reading);
}

static void environment(void **state)
{
    static const struct {
        const char *entry;
        bool credential;
    } rows[] = {
        {"{'name':'DB_PASSWORD','value':'hunter2'}", true},
        {"{'value':'hunter2','name':'DB_PASSWORD'}", true},
        {"{'name':'DB_PASSWORD','value':''}", false},
        {"{'name':'DB_PASSWORD'}", false},
        {"{'name':'DB_PASSWORD','value':'true'}", false},
        {"{'name':'DB_PASSWORD','value':'a','value':null}", false},
        {"{'name':'GREETING','value':'hello'}", false},
        {"{'name':'KEY','value':'AKIAIOSFODNN7EXAMPLE'}", true},
        {"{'name':'DB_PASSWORD','value':7}", false},
        {"{'name':'X','valueFrom':{'secretKeyRef':{'name':'s','key':'k'}}}", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char members[256];
        struct reading reading;
        snprintf(members, sizeof members, "'env':[%s,%s]", rows[i].entry, rows[i].entry);
        const struct container *container = container_of(&reading, members);
        for (int k = 0; k < 2; k++)
            if (container->env.items[k].credential != rows[i].credential)
                fail_msg("%s", rows[i].entry);
        reading_close(&reading);
    }
}

static void containers_and_roles(void **state)
{
    (void)state;
    struct reading reading;
    const struct pod *pod = pod_of(
        &reading,
        "'initContainers':[{'name':'i'},{'name':'s','restartPolicy':'Always'}],"
        "'containers':[{'name':'m','restartPolicy':'Always'}],'ephemeralContainers':[{'name':'e'}]",
        "'initContainerStatuses':[{'name':'s','restartCount':2},{'name':'i','state':{'terminated':"
        "{'exitCode':1,'reason':'Error','finishedAt':'2026-01-01T00:00:00Z'}}}],"
        "'ephemeralContainerStatuses':[{'name':'e'}],"
        "'containerStatuses':[{'name':'m','ready':true,'state':{'waiting':{'reason':'X'}},"
        "'lastState':{'terminated':{'exitCode':137}}}]");
    static const struct {
        const char *name;
        enum container_role role;
    } spec[] = {{"m", CONTAINER_MAIN},
                {"i", CONTAINER_INIT},
                {"s", CONTAINER_SIDECAR},
                {"e", CONTAINER_EPHEMERAL}},
      status[] = {{"m", CONTAINER_MAIN},
                  {"s", CONTAINER_SIDECAR},
                  {"i", CONTAINER_INIT},
                  {"e", CONTAINER_EPHEMERAL}};
    assert_int_equal(pod->spec->containers.n, 4);
    assert_int_equal(pod->containers.n, 4);
    for (int i = 0; i < 4; i++) {
        assert_text(pod->spec->containers.items[i].name, spec[i].name);
        assert_int_equal(pod->spec->containers.items[i].role, spec[i].role);
        assert_text(pod->containers.items[i].name, status[i].name);
        assert_int_equal(pod->containers.items[i].role, status[i].role);
    }
    assert_text(pod->containers.items[0].waiting->reason, "X");
    assert_true(pod->containers.items[0].last_terminated->exit_code == 137);
    assert_true(pod->containers.items[0].running_since == TIME_NONE);
    assert_true(pod->containers.items[0].restart_count == NUMBER_ABSENT);
    assert_true(pod->containers.items[1].restart_count == 2);
    assert_null(pod->containers.items[1].terminated);
    assert_true(pod->containers.items[2].terminated->started == TIME_NONE);
    reading_close(&reading);
}

static void volumes(void **state)
{
    static const struct {
        const char *volume;
        enum volume_source source;
        const char *reference;
    } rows[] = {
        {"{'name':'v'}", VOLUME_NONE, ""},
        {"{'name':'v','emptyDir':{}}", VOLUME_EMPTY_DIR, ""},
        {"{'hostPath':{'path':'/etc','type':''},'name':'v'}", VOLUME_HOST_PATH, "/etc"},
        {"{'configMap':{'name':'c'}}", VOLUME_CONFIG_MAP, "c"},
        {"{'secret':{'secretName':'s'}}", VOLUME_SECRET, "s"},
        {"{'persistentVolumeClaim':{'claimName':'p'}}", VOLUME_PVC, "p"},
        {"{'csi':{'driver':'d'}}", VOLUME_CSI, "d"},
        {"{'image':{'reference':'i'}}", VOLUME_IMAGE, "i"},
        {"{'downwardAPI':{}}", VOLUME_DOWNWARD_API, ""},
        {"{'ephemeral':{}}", VOLUME_EPHEMERAL, ""},
        {"{'nfs':{'server':'x'},'name':'v'}", VOLUME_OTHER, "nfs"},
        {"{'scaleIO':{'secretRef':{'name':'s'}},'name':'v'}", VOLUME_OTHER, "scaleIO"},
        {"{'rbd':null,'name':'v'}", VOLUME_NONE, ""},
        {"{'hostPath':null,'name':'v'}", VOLUME_NONE, ""},
        {"{'nfs':null,'x':1,'name':'v'}", VOLUME_NONE, ""},
        {"{'hostPath':{'path':'/a'},'hostPath':null}", VOLUME_NONE, ""},
        {"{'projected':{'sources':[]}}", VOLUME_PROJECTED, ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char spec[256];
        struct reading reading;
        snprintf(spec, sizeof spec, "'volumes':[%s]", rows[i].volume);
        const struct volume *volume = &pod_of(&reading, spec, "")->spec->volumes.items[0];
        if (volume->source != rows[i].source)
            fail_msg("%s", rows[i].volume);
        assert_text(volume->reference, rows[i].reference);
        reading_close(&reading);
    }
}

static void projections(void **state)
{
    (void)state;
    struct reading reading;
    const struct pod *pod = pod_of(
        &reading,
        "'volumes':[{'name':'kube-api-access-x7k2p','projected':{'sources':[{'serviceAccountToken':"
        "{}},{'configMap':{'name':'c','items':[{'key':'k'},{'key':'l'}]}},{'secret':{'name':'s',"
        "'optional':true}},{'configMap':{}}]}},{'name':'t','secret':{'secretName':'s','items':"
        "[{'key':'k'}]}}],'containers':[{'volumeMounts':[{'name':'kube-api-access-x7k2p'},"
        "{'name':'t'}]}]",
        "");
    const struct volume *projected = &pod->spec->volumes.items[0];
    const struct volume *secret = &pod->spec->volumes.items[1];
    assert_text(projected->name, "kube-api-access-");
    assert_text(pod->spec->containers.items[0].mounts.items[0].name, "kube-api-access-");
    assert_true(projected->service_account_token && !secret->service_account_token);
    assert_int_equal(projected->refs.n, 3);
    assert_int_equal(projected->refs.items[0].of, KIND_SECRET);
    assert_text(projected->refs.items[0].key, "");
    assert_int_equal(projected->refs.items[0].optional, TRI_TRUE);
    assert_int_equal(projected->refs.items[2].of, KIND_CONFIGMAP);
    assert_text(projected->refs.items[2].name, "c");
    assert_text(projected->refs.items[2].key, "l");
    assert_int_equal(secret->refs.n, 1);
    assert_int_equal(secret->refs.items[0].of, KIND_SECRET);
    assert_text(secret->refs.items[0].name, "s");
    assert_text(secret->refs.items[0].key, "k");
    reading_close(&reading);
}

static void metadata(void **state)
{
    (void)state;
    struct reading reading = reading_open(
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d','creationTimestamp':"
        "'2026-01-01T00:00:00Z','generation':3,'labels':{'b':'2','a':'1','c':7,'a':'3','d':''},"
        "'annotations':{'loadline.io/exempt':'x','other':'y','deployment.kubernetes.io/revision':"
        "'4','kubectl.kubernetes.io/last-applied-configuration':'{\\'apiVersion\\':"
        "\\'apps/v1beta1\\',\\'spec\\':{\\'replicas\\':2,\\'template\\':{\\'spec\\':"
        "{\\'serviceAccount\\':\\'sa\\'}}}}'},'managedFields':[{'apiVersion':'v1'},{'apiVersion':"
        "'v2'},{'apiVersion':'v1'},{}]}}",
        READING_PLAIN, 3);
    const struct object_meta *meta = &reading.cluster->roots.items[0]->object.meta;
    assert_int_equal(meta->labels.n, 3);
    assert_text(meta->labels.items[0].value, "3");
    assert_text(meta->labels.items[1].key, "b");
    assert_true(pair_has(meta->labels, STR("d")));
    assert_int_equal(meta->annotations.n, 2);
    assert_text(pair_value(meta->annotations, STR("deployment.kubernetes.io/revision")), "4");
    assert_text(meta->applied->api_version, "apps/v1beta1");
    assert_true(meta->applied->replicas == 2);
    assert_text(meta->applied->service_account, "sa");
    assert_text(meta->applied->service_account_name, "");
    assert_int_equal(meta->managed_versions.n, 2);
    assert_true(meta->deleted == TIME_NONE && meta->generation == 3);
    reading_close(&reading);
}

static void applied_may_be_anything(void **state)
{
    static const char *const rows[] = {"", "x", "[]", "{", "{\\'spec\\':[]}", "7", "{\\'a\\'"};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char document[256];
        snprintf(document, sizeof document,
                 "{'kind':'Pod','metadata':{'annotations':{'kubectl.kubernetes.io/"
                 "last-applied-configuration':'%s'}}}",
                 rows[i]);
        struct reading reading = reading_open(document, READING_PLAIN, 0);
        assert_non_null(reading.cluster);
        reading_close(&reading);
    }
}

static void config_maps(void **state)
{
    (void)state;
    struct reading reading = reading_open(
        "{'kind':'ConfigMap','metadata':{'name':'c'},'data':{'a':'b','db.password':'hunter2',"
        "'x':'-----BEGIN PRIVATE KEY-----'},'binaryData':{'token':'AAAA'}}"
        "{'kind':'Secret','metadata':{'name':'s'},'data':{'token':'AAAA'},'type':'Opaque'}",
        READING_PLAIN, 0);
    const struct config_map *map = reading.cluster->config_maps.items[0];
    const struct config_map *secret = reading.cluster->secrets.items[0];
    assert_int_equal(map->keys.n, 4);
    assert_int_equal(map->credential_keys.n, 2);
    assert_text(map->credential_keys.items[1], "x");
    assert_int_equal(secret->keys.n, 1);
    assert_int_equal(secret->credential_keys.n, 0);
    assert_text(secret->type, "Opaque");
    reading_close(&reading);
}

static void events(void **state)
{
    static const struct {
        const char *members;
        int64_t count;
        const char *first, *last;
    } rows[] = {
        {"'count':3,'firstTimestamp':'2026-01-01T00:00:00Z','lastTimestamp':'2026-01-02T00:00:00Z'",
         3, "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"},
        {"'eventTime':'2026-01-03T00:00:00.000000Z','series':{'count':9,'lastObservedTime':"
         "'2026-01-04T00:00:00.000000Z'},'firstTimestamp':null,'lastTimestamp':null",
         9, "2026-01-03T00:00:00Z", "2026-01-04T00:00:00Z"},
        {"'count':0", 1, "2025-01-01T00:00:00Z", "2025-01-01T00:00:00Z"},
        {"'deprecatedCount':4,'deprecatedLastTimestamp':'2026-01-02T00:00:00Z'", 4,
         "2025-01-01T00:00:00Z", "2026-01-02T00:00:00Z"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char document[512];
        snprintf(document, sizeof document,
                 "{'kind':'Event','metadata':{'name':'e','creationTimestamp':"
                 "'2025-01-01T00:00:00Z'},'regarding':{'kind':'Pod','name':'p'},%s}",
                 rows[i].members);
        struct reading reading = reading_open(document, READING_PLAIN, 0);
        const struct event *event = reading.cluster->events.items[0];
        assert_true(event->count == rows[i].count);
        assert_true(event->first == clock_parse(str_of(rows[i].first)));
        assert_true(event->last == clock_parse(str_of(rows[i].last)));
        assert_text(event->involved_kind, "Pod");
        reading_close(&reading);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_sound),
        cmocka_unit_test(numbers),
        cmocka_unit_test(quantities_and_ports),
        cmocka_unit_test(environment),
        cmocka_unit_test(containers_and_roles),
        cmocka_unit_test(volumes),
        cmocka_unit_test(projections),
        cmocka_unit_test(metadata),
        cmocka_unit_test(applied_may_be_anything),
        cmocka_unit_test(config_maps),
        cmocka_unit_test(events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
