#include "generate_maker.h"

static void put_owner(struct maker *m, const char *kind, struct str name, struct str uid)
{
    struct jw *w = &m->w;
    begin_list(w, "ownerReferences");
    jw_object(w);
    put_pairs(w, "apiVersion=apps/v1");
    JW_BOOL(w, "blockOwnerDeletion", true);
    JW_BOOL(w, "controller", true);
    JW_STR(w, "kind", str_of(kind));
    JW_STR(w, "name", name);
    JW_STR(w, "uid", uid);
    jw_object_end(w);
    jw_array_end(w);
}

static void put_probe(struct jw *w, const char *key, const char *path)
{
    begin(w, key);
    JW_INT(w, "failureThreshold", 3);
    begin(w, "httpGet");
    JW_STR(w, "path", str_of(path));
    put_pairs(w, "port=http scheme=HTTP");
    jw_object_end(w);
    JW_INT(w, "initialDelaySeconds", 10);
    JW_INT(w, "periodSeconds", 10);
    JW_INT(w, "successThreshold", 1);
    JW_INT(w, "timeoutSeconds", 1);
    jw_object_end(w);
}

/* What a variable is set to: the same for all pods of an application. */
static struct str setting(struct maker *m, const struct app *app, unsigned i)
{
    static const char *const PLAIN[] = {"true", "30s", "json", "0.25", "info", "eu-central-1"};
    uint64_t hash = str_hash(app->index * 64 + i + 1, STR("setting"));
    unsigned number = (unsigned)(hash >> 40);
    if (i % 3 == 0)
        return str_of(PLAIN[number % (sizeof PLAIN / sizeof PLAIN[0])]);
    if (i % 3 == 1)
        return arena_printf(m->arena, "http://service-%u.team-%u.svc.cluster.local:%u/v%u",
                            number % 200, number % 12, 8000 + number % 90, number % 3);
    return arena_printf(m->arena, "%016llx", (unsigned long long)hash);
}

static void put_variable(struct maker *m, const struct app *app, unsigned i)
{
    struct jw *w = &m->w;
    jw_object(w);
    JW_STR(w, "name", maker_variable(m, i));
    if (i % 6 == 5 || m->what.plain) {
        begin(w, "valueFrom");
        begin(w, "secretKeyRef");
        JW_STR(w, "key", arena_printf(m->arena, "key-%u", i));
        JW_STR(w, "name", app->name);
        jw_object_end(w);
        jw_object_end(w);
    } else {
        JW_STR(w, "value", setting(m, app, i));
    }
    jw_object_end(w);
}

static void put_env(struct maker *m, const struct app *app, unsigned from, unsigned to)
{
    begin_list(&m->w, "env");
    for (unsigned i = from; i < to; i++)
        put_variable(m, app, i);
    jw_array_end(&m->w);
}

static void put_mounts(struct jw *w, struct str token)
{
    begin_list(w, "volumeMounts");
    for (unsigned i = 0; i < 6; i++) {
        char path[] = "/etc/service/volume-0", name[] = "volume-0";
        path[sizeof path - 2] = name[sizeof name - 2] = (char)('0' + i);
        jw_object(w);
        JW_STR(w, "mountPath", str_of(path));
        JW_STR(w, "name", str_of(name));
        JW_BOOL(w, "readOnly", true);
        jw_object_end(w);
    }
    jw_object(w);
    put_pairs(w, "mountPath=/var/run/secrets/kubernetes.io/serviceaccount");
    JW_STR(w, "name", token);
    JW_BOOL(w, "readOnly", true);
    jw_object_end(w);
    jw_array_end(w);
}

static void put_container(struct maker *m, const struct app *app, bool sidecar, struct str token)
{
    struct jw *w = &m->w;
    jw_object(w);
    put_env(m, app, sidecar ? SERVICE_VARIABLES : 0, sidecar ? VARIABLES : SERVICE_VARIABLES);
    JW_STR(w, "image", app->image);
    put_pairs(w, "imagePullPolicy=IfNotPresent");
    put_probe(w, "livenessProbe", "/health/live");
    JW_STR(w, "name", sidecar ? STR("sidecar") : STR("service"));
    begin_list(w, "ports");
    jw_object(w);
    JW_INT(w, "containerPort", 8080);
    put_pairs(w, "name=http protocol=TCP");
    jw_object_end(w);
    jw_array_end(w);
    put_probe(w, "readinessProbe", "/health/ready");
    begin(w, "resources");
    begin(w, "limits");
    put_pairs(w, "cpu=500m memory=512Mi");
    jw_object_end(w);
    begin(w, "requests");
    put_pairs(w, "cpu=100m memory=256Mi");
    jw_object_end(w);
    jw_object_end(w);
    if (app->index % 3) {
        begin(w, "securityContext");
        JW_BOOL(w, "allowPrivilegeEscalation", false);
        JW_BOOL(w, "readOnlyRootFilesystem", app->index % 2);
        JW_BOOL(w, "runAsNonRoot", true);
        jw_object_end(w);
    }
    put_pairs(w, "terminationMessagePath=/dev/termination-log terminationMessagePolicy=File");
    put_mounts(w, token);
    jw_object_end(w);
}

static void put_token_volume(struct jw *w, struct str name)
{
    jw_object(w);
    JW_STR(w, "name", name);
    begin(w, "projected");
    JW_INT(w, "defaultMode", 420);
    begin_list(w, "sources");
    jw_object(w);
    begin(w, "serviceAccountToken");
    JW_INT(w, "expirationSeconds", 3607);
    put_pairs(w, "path=token");
    jw_object_end(w);
    jw_object_end(w);
    jw_array_end(w);
    jw_object_end(w);
    jw_object_end(w);
}

static void put_volumes(struct jw *w, const struct app *app, struct str token)
{
    begin_list(w, "volumes");
    for (unsigned i = 0; i < 6; i++) {
        char name[] = "volume-0";
        name[sizeof name - 2] = (char)('0' + i);
        jw_object(w);
        begin(w, i % 2 ? "configMap" : "secret");
        JW_INT(w, "defaultMode", 420);
        JW_STR(w, "name", app->name);
        jw_object_end(w);
        JW_STR(w, "name", str_of(name));
        jw_object_end(w);
    }
    put_token_volume(w, token);
    jw_array_end(w);
}

static void put_tolerations(struct jw *w)
{
    begin_list(w, "tolerations");
    for (int i = 0; i < 2; i++) {
        jw_object(w);
        put_pairs(w, i ? "effect=NoExecute key=node.kubernetes.io/unreachable operator=Exists"
                       : "effect=NoExecute key=node.kubernetes.io/not-ready operator=Exists");
        JW_INT(w, "tolerationSeconds", 300);
        jw_object_end(w);
    }
    jw_array_end(w);
}

void put_pod_spec(struct maker *m, const struct app *app, struct str node)
{
    struct jw *w = &m->w;
    struct str token =
        arena_printf(m->arena, "kube-api-access-%" STR_FMT, STR_ARG(maker_suffix(m, 5)));
    begin(w, "spec");
    begin_list(w, "containers");
    put_container(m, app, false, token);
    put_container(m, app, true, token);
    jw_array_end(w);
    put_pairs(w, "dnsPolicy=ClusterFirst");
    JW_BOOL(w, "enableServiceLinks", true);
    if (node.p)
        JW_STR(w, "nodeName", node);
    put_pairs(w, "preemptionPolicy=PreemptLowerPriority restartPolicy=Always "
                 "schedulerName=default-scheduler");
    begin(w, "securityContext");
    jw_object_end(w);
    JW_STR(w, "serviceAccount", app->name);
    JW_STR(w, "serviceAccountName", app->name);
    JW_INT(w, "terminationGracePeriodSeconds", 30);
    put_tolerations(w);
    put_volumes(w, app, token);
    jw_object_end(w);
}

void put_conditions(struct jw *w, const char *types, int64_t since, bool bad)
{
    struct str rest = str_of(types), type;
    begin_list(w, "conditions");
    while (rest.p && rest.n) {
        str_cut(rest, ' ', &type, &rest);
        jw_object(w);
        put_time(w, "lastTransitionTime", since);
        JW_STR(w, "status", bad && str_has(type, STR("Ready")) ? STR("False") : STR("True"));
        JW_STR(w, "type", type);
        jw_object_end(w);
    }
    jw_array_end(w);
}

static void put_container_status(struct maker *m, const struct app *app, const char *name,
                                 int64_t since, bool bad)
{
    struct jw *w = &m->w;
    jw_object(w);
    JW_STR(w, "containerID",
           arena_printf(m->arena, "containerd://%" STR_FMT, STR_ARG(maker_hex(m, 64))));
    JW_STR(w, "image", app->image);
    JW_STR(w, "imageID",
           arena_printf(m->arena, "registry.example.com/x@sha256:%" STR_FMT,
                        STR_ARG(maker_hex(m, 64))));
    begin(w, "lastState");
    jw_object_end(w);
    JW_STR(w, "name", str_of(name));
    JW_BOOL(w, "ready", !bad);
    JW_INT(w, "restartCount", bad ? 117 : maker_pick(m, 3));
    JW_BOOL(w, "started", !bad);
    begin(w, "state");
    begin(w, bad ? "waiting" : "running");
    if (bad)
        put_pairs(w, "message=back-off reason=CrashLoopBackOff");
    else
        put_time(w, "startedAt", since);
    jw_object_end(w);
    jw_object_end(w);
    jw_object_end(w);
}

static void put_pod_status(struct maker *m, const struct app *app, int64_t since, bool bad)
{
    struct jw *w = &m->w;
    struct str ip = arena_printf(m->arena, "10.%u.%u.%u", maker_pick(m, 64), maker_pick(m, 256),
                                 maker_pick(m, 256));
    begin(w, "status");
    put_conditions(w, "Initialized Ready ContainersReady PodScheduled", since, bad);
    begin_list(w, "containerStatuses");
    put_container_status(m, app, "service", since, bad);
    put_container_status(m, app, "sidecar", since, false);
    jw_array_end(w);
    JW_STR(w, "hostIP", ip);
    put_pairs(w, "phase=Running");
    JW_STR(w, "podIP", ip);
    put_pairs(w, "qosClass=Burstable");
    put_time(w, "startTime", since);
    jw_object_end(w);
}

static bool is_crashing(const struct maker *m, unsigned index)
{
    return index % 40 == 7 || (m->what.variant && index == m->what.variant * 40 - 20);
}

/* How often the pod has changed until this round. */
static unsigned changes_of(const struct maker *m, unsigned index)
{
    unsigned changes = 0;
    for (unsigned round = 1; round <= m->what.round; round++) {
        unsigned seed = m->what.drifting ? round : 1;
        changes += str_hash((uint64_t)seed << 32 | index, STR("change")) % 1000 < m->what.changing;
    }
    return changes;
}

struct str maker_pod(struct maker *m, unsigned index, struct app *app, struct str *set)
{
    *app = maker_app(m, index / PODS_AN_APP);
    maker_seed(m, 2, index);
    *set = arena_printf(m->arena, "%" STR_FMT "-%" STR_FMT, STR_ARG(app->name), STR_ARG(app->hash));
    return arena_printf(m->arena, "%" STR_FMT "-%" STR_FMT, STR_ARG(*set),
                        STR_ARG(maker_suffix(m, 5)));
}

void put_pod(struct maker *m, unsigned index)
{
    struct jw *w = &m->w;
    unsigned changes = changes_of(m, index);
    struct app app;
    struct str set, name = maker_pod(m, index, &app, &set);
    int64_t since = GENERATE_NOW - (int64_t)maker_pick(m, 30 * 24 * 3600) * 1000;
    jw_object(w);
    put_pairs(w, "apiVersion=v1 kind=Pod");
    put_metadata(m, &app, name, since);
    put_owner(m, "ReplicaSet", set, app.set_uid);
    JW_STR(w, "resourceVersion",
           arena_printf(m->arena, "%u", 80000000 + maker_pick(m, 9000000) + changes));
    JW_STR(w, "uid", maker_uid(m));
    jw_object_end(w);
    put_pod_spec(m, &app,
                 arena_printf(m->arena, "node-%u", maker_pick(m, index / PODS_A_NODE + 1)));
    if (changes)
        maker_seed(m, 4 + changes, index);
    put_pod_status(m, &app, since + (int64_t)changes * 1000, is_crashing(m, index));
    jw_object_end(w);
}
