#include "others.h"

#include <json-c/json.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

enum { WINDOW = 64 * 1024, GZIP_WINDOW = 15 + 16, DEPTH = 64 };

static unsigned char window[WINDOW];

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

/* Inflates and hands on a window at a time. */
static void inflate_to(struct str gzip, void (*put)(void *context, size_t n), void *context)
{
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)gzip.p, .avail_in = (uInt)gzip.n};
    int status = inflateInit2(&z, GZIP_WINDOW);
    while (status == Z_OK) {
        z.next_out = window;
        z.avail_out = WINDOW;
        status = inflate(&z, Z_NO_FLUSH);
        if (put)
            put(context, WINDOW - z.avail_out);
    }
    if (status != Z_STREAM_END)
        die("inflate failed");
    inflateEnd(&z);
}

void others_inflate(struct str gzip)
{
    inflate_to(gzip, NULL, NULL);
}

/* ---- json-c ---- */

/* What is read of an object: a member, and what of it. A list's elements are read alike; "*" is
 * every member. */
struct field {
    const char *key;
    const struct field *of;
};

#define FIELDS(name) static const struct field name[]

FIELDS(all) = {{"*", NULL}, {NULL, NULL}};
FIELDS(owner) = {{"kind", NULL}, {"name", NULL}, {"controller", NULL}, {NULL, NULL}};
FIELDS(metadata) = {{"name", NULL},
                    {"namespace", NULL},
                    {"labels", all},
                    {"annotations", all},
                    {"generation", NULL},
                    {"creationTimestamp", NULL},
                    {"ownerReferences", owner},
                    {"deletionTimestamp", NULL},
                    {NULL, NULL}};
FIELDS(from) = {{"secretKeyRef", all}, {"configMapKeyRef", all}, {NULL, NULL}};
FIELDS(env) = {{"name", NULL}, {"value", NULL}, {"valueFrom", from}, {NULL, NULL}};
FIELDS(security) = {{"privileged", NULL},
                    {"allowPrivilegeEscalation", NULL},
                    {"readOnlyRootFilesystem", NULL},
                    {"runAsNonRoot", NULL},
                    {"runAsUser", NULL},
                    {"capabilities", all},
                    {"seccompProfile", all},
                    {NULL, NULL}};
FIELDS(resources) = {{"limits", all}, {"requests", all}, {NULL, NULL}};
FIELDS(port) = {{"containerPort", NULL}, {"hostPort", NULL}, {"name", NULL}, {NULL, NULL}};
FIELDS(mount) = {{"name", NULL}, {"mountPath", NULL}, {"readOnly", NULL}, {NULL, NULL}};
FIELDS(probe) = {{"httpGet", all}, {"periodSeconds", NULL}, {NULL, NULL}};
FIELDS(container) = {{"name", NULL},
                     {"image", NULL},
                     {"imagePullPolicy", NULL},
                     {"command", NULL},
                     {"args", NULL},
                     {"env", env},
                     {"resources", resources},
                     {"securityContext", security},
                     {"ports", port},
                     {"volumeMounts", mount},
                     {"livenessProbe", probe},
                     {"readinessProbe", probe},
                     {"startupProbe", probe},
                     {NULL, NULL}};
FIELDS(volume) = {
    {"name", NULL}, {"hostPath", all}, {"secret", all}, {"configMap", all}, {NULL, NULL}};
FIELDS(pod_spec) = {{"containers", container},
                    {"initContainers", container},
                    {"volumes", volume},
                    {"nodeName", NULL},
                    {"serviceAccountName", NULL},
                    {"automountServiceAccountToken", NULL},
                    {"hostNetwork", NULL},
                    {"hostPID", NULL},
                    {"hostIPC", NULL},
                    {"restartPolicy", NULL},
                    {"securityContext", security},
                    {"terminationGracePeriodSeconds", NULL},
                    {"tolerations", all},
                    {NULL, NULL}};
FIELDS(template) = {{"metadata", metadata}, {"spec", pod_spec}, {NULL, NULL}};
FIELDS(selector) = {{"matchLabels", all}, {NULL, NULL}};
FIELDS(spec) = {{"containers", container},
                {"initContainers", container},
                {"volumes", volume},
                {"nodeName", NULL},
                {"serviceAccountName", NULL},
                {"automountServiceAccountToken", NULL},
                {"hostNetwork", NULL},
                {"hostPID", NULL},
                {"hostIPC", NULL},
                {"restartPolicy", NULL},
                {"securityContext", security},
                {"terminationGracePeriodSeconds", NULL},
                {"tolerations", all},
                {"replicas", NULL},
                {"selector", selector},
                {"template", template},
                {"progressDeadlineSeconds", NULL},
                {"unschedulable", NULL},
                {NULL, NULL}};
FIELDS(condition) = {{"type", NULL},
                     {"status", NULL},
                     {"reason", NULL},
                     {"message", NULL},
                     {"lastTransitionTime", NULL},
                     {NULL, NULL}};
FIELDS(state) = {{"waiting", all}, {"running", all}, {"terminated", all}, {NULL, NULL}};
FIELDS(container_status) = {{"name", NULL},   {"image", NULL},        {"imageID", NULL},
                            {"ready", NULL},  {"restartCount", NULL}, {"started", NULL},
                            {"state", state}, {"lastState", state},   {NULL, NULL}};
FIELDS(status) = {{"phase", NULL},
                  {"reason", NULL},
                  {"startTime", NULL},
                  {"qosClass", NULL},
                  {"conditions", condition},
                  {"containerStatuses", container_status},
                  {"initContainerStatuses", container_status},
                  {"observedGeneration", NULL},
                  {"replicas", NULL},
                  {"readyReplicas", NULL},
                  {"updatedReplicas", NULL},
                  {"availableReplicas", NULL},
                  {"capacity", all},
                  {"allocatable", all},
                  {"nodeInfo", all},
                  {NULL, NULL}};
FIELDS(item) = {{"apiVersion", NULL}, {"kind", NULL},     {"metadata", metadata},
                {"spec", spec},       {"status", status}, {NULL, NULL}};
FIELDS(list) = {{"items", item}, {NULL, NULL}};

/* Volatile, so that looking at a field is not optimised away. */
static volatile size_t sum;

static void look_at(struct json_object *value)
{
    if (json_object_is_type(value, json_type_string))
        sum += (size_t)json_object_get_string_len(value) +
               (unsigned char)json_object_get_string(value)[0];
    else if (!json_object_is_type(value, json_type_object))
        sum += (size_t)json_object_get_int64(value);
}

static size_t walk(struct json_object *value, const struct field *fields);

static size_t walk_members(struct json_object *value, const struct field *fields)
{
    struct json_object *member;
    size_t n = 0;
    if (fields->key[0] == '*') {
        json_object_object_foreach(value, key, each)
        {
            sum += (unsigned char)key[0];
            n += walk(each, NULL);
        }
        return n;
    }
    for (; fields->key; fields++)
        if (json_object_object_get_ex(value, fields->key, &member))
            n += walk(member, fields->of);
    return n;
}

static size_t walk(struct json_object *value, const struct field *fields)
{
    size_t n = 0;
    if (fields && json_object_is_type(value, json_type_array)) {
        for (size_t i = 0; i < json_object_array_length(value); i++)
            n += walk(json_object_array_get_idx(value, i), fields);
        return n;
    }
    if (fields && json_object_is_type(value, json_type_object))
        return walk_members(value, fields);
    look_at(value);
    return 1;
}

struct parsing {
    struct json_tokener *tokener;
    struct json_object *document;
};

static void parse_window(void *context, size_t n)
{
    struct parsing *p = context;
    if (p->document)
        return;
    p->document = json_tokener_parse_ex(p->tokener, (const char *)window, (int)n);
    if (!p->document && json_tokener_get_error(p->tokener) != json_tokener_continue)
        die("not JSON");
}

static struct json_object *parse(struct str gzip)
{
    struct parsing p = {json_tokener_new_ex(DEPTH), NULL};
    json_tokener_set_flags(p.tokener, JSON_TOKENER_VALIDATE_UTF8);
    inflate_to(gzip, parse_window, &p);
    json_tokener_free(p.tokener);
    if (!p.document)
        die("not JSON");
    return p.document;
}

void others_json_c(struct str gzip)
{
    json_object_put(parse(gzip));
}

void others_json_c_walk(struct str gzip)
{
    struct json_object *document = parse(gzip);
    if (walk(document, list) == 0)
        die("no object in the list");
    json_object_put(document);
}

void others_forget(void)
{
    malloc_trim(0);
}
