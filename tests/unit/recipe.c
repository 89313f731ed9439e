#include "recipe.h"

/* How one application is kept. */
struct app {
    bool limits, requests, probes, context, account, token, versioned, pinned, replicated, spread;
    bool policies, budget, secret_in_env, own_namespace;
    bool loops, stalls;
    unsigned number;
};

struct kitchen {
    struct arena *arena;
    const struct recipe *recipe;
    struct objects objects;
    uint64_t seed;
};

/* JSON with ' in the place of ". */
static void put(struct kitchen *kitchen, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(struct kitchen *kitchen, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    struct str text = arena_vprintf(kitchen->arena, format, args);
    va_end(args);
    char *p = (char *)text.p;
    for (size_t i = 0; i < text.n; i++)
        if (p[i] == '\'')
            p[i] = '"';
    objects_add(kitchen->arena, &kitchen->objects, text);
}

/* ---- nodes ---- */

#define CONDITION(type)                                                                            \
    "{'type':'" type "','status':'%s','lastTransitionTime':'%s',"                                  \
    "'lastHeartbeatTime':'2026-03-17T11:58:00Z'}"

static void put_node(struct kitchen *kitchen, unsigned number)
{
    const struct recipe *recipe = kitchen->recipe;
    bool dead = number < recipe->dead_nodes, good = recipe->care == CARE_FULL;
    bool full = !dead && number < recipe->dead_nodes + recipe->full_nodes;
    const char *since = dead || full ? "2026-03-17T11:00:00Z" : "2026-03-01T00:00:00Z";
    const char *pressed = dead ? "Unknown" : full ? "True" : "False";
    put(kitchen,
        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'node-%u','uid':'n%u',"
        "'creationTimestamp':'2026-01-01T00:00:00Z','labels':{'topology.kubernetes.io/zone':"
        "'zone-%u'%s}},'spec':{},'status':{'allocatable':{'cpu':'16','memory':'64Gi','pods':'110'}"
        ",'nodeInfo':{'kubeletVersion':'%s','containerRuntimeVersion':'%s'},'conditions':"
        "[" CONDITION("Ready") "," CONDITION("MemoryPressure") "," CONDITION("DiskPressure") "]}}",
        number, number, good ? number % 3 : 0,
        good || number ? "" : ",'node-role.kubernetes.io/control-plane':''",
        recipe->care == CARE_NONE ? "v1.28.2" : "v1.34.1",
        recipe->care == CARE_NONE ? "docker://20.10.5" : "containerd://2.1.0",
        dead ? "Unknown" : "True", since, pressed, since, pressed, since);
}

/* ---- applications ---- */

/* Names, labels and times that the objects of one application share. */
#define META   "'name':'%s','namespace':'%s','uid':'%s','creationTimestamp':'2026-03-%02uT09:00:00Z'"
#define LABELS "'labels':{'app':'app-%u','pod-template-hash':'5d8'}"

static const char *namespace_of(const struct app *app)
{
    return app->own_namespace ? "shop" : "default";
}

static const char *pod_spec(const struct kitchen *kitchen, const struct app *app)
{
    const char *environment = app->secret_in_env
                                  ? "'env':[{'name':'KEY','valueFrom':{'secretKeyRef':{'name':'s',"
                                    "'key':'k'}}}],"
                                  : "";
    return arena_printf(
               kitchen->arena,
               "%s%s%s'securityContext':{%s},'containers':[{'name':'main',"
               "'image':'registry.example.com/"
               "app%s%s','imagePullPolicy':'%s',%s'resources':{%s%s%s},"
               "'ports':[{'name':'http','containerPort':8080}]%s%s}]%s",
               app->account ? "'serviceAccountName':'app'," : "",
               app->token ? "" : "'automountServiceAccountToken':false,",
               app->budget ? "'priorityClassName':'normal'," : "",
               app->context ? "'runAsNonRoot':true,'runAsUser':20000,'runAsGroup':20000,"
                              "'seccompProfile':{'type':'RuntimeDefault'}"
                            : "",
               app->versioned ? ":1.4.2" : "",
               app->pinned ? "@sha256:"
                             "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
                           : "",
               app->versioned ? "IfNotPresent" : "Always", environment,
               app->limits ? "'limits':{'cpu':'500m','memory':'256Mi','ephemeral-storage':'1Gi'}"
                           : "",
               app->limits && app->requests ? "," : "",
               app->requests ? "'requests':{'cpu':'250m','memory':'256Mi'}" : "",
               app->context ? ",'securityContext':{'allowPrivilegeEscalation':false,"
                              "'readOnlyRootFilesystem':true,'capabilities':{'drop':['ALL']}}"
                            : "",
               app->probes ? ",'readinessProbe':{'httpGet':{'path':'/ready','port':'http'}},"
                             "'livenessProbe':{'httpGet':{'path':'/live','port':'http'}}"
                           : "",
               app->spread ? ",'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':"
                             "'kubernetes.io/hostname','whenUnsatisfiable':'ScheduleAnyway',"
                             "'labelSelector':{'matchLabels':{}}}]"
                           : "")
        .p;
}

static unsigned replicas_of(const struct app *app)
{
    return app->replicated ? 2 : 1;
}

static void put_deployment(struct kitchen *kitchen, const struct app *app, const char *name)
{
    unsigned replicas = replicas_of(app);
    put(kitchen,
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{" META ",'generation':3},'spec':{"
        "'replicas':%u,'selector':{'matchLabels':{'app':'app-%u'}},'template':{'metadata':{" LABELS
        "},'spec':{%s}}},'status':{'observedGeneration':3,'replicas':%u,'updatedReplicas':%u,"
        "'readyReplicas':%u,'availableReplicas':%u,'conditions':[{'type':'Available','status':'%s',"
        "'lastTransitionTime':'2026-03-17T09:00:00Z'},{'type':'Progressing','status':'%s','reason':"
        "'%s','lastTransitionTime':'2026-03-17T09:10:00Z','lastUpdateTime':'2026-03-17T09:10:00Z'}"
        "]}}",
        name, namespace_of(app), name, 2, replicas, app->number, app->number,
        pod_spec(kitchen, app), replicas, replicas, app->loops ? 0 : replicas,
        app->loops ? 0 : replicas, app->loops ? "False" : "True", app->stalls ? "False" : "True",
        app->stalls ? "ProgressDeadlineExceeded" : "NewReplicaSetAvailable");
    put(kitchen,
        "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{" META "," LABELS ",'annotations':"
        "{'deployment.kubernetes.io/revision':'3'},'ownerReferences':[{'apiVersion':'apps/v1',"
        "'kind':'Deployment','name':'%s','controller':true}]},'spec':{'replicas':%u,'template':{"
        "'metadata':{" LABELS "},'spec':{%s}}},'status':{'replicas':%u,'readyReplicas':%u,"
        "'observedGeneration':1}}",
        arena_printf(kitchen->arena, "%s-5d8", name).p, namespace_of(app), name, 3, app->number,
        name, replicas, app->number, pod_spec(kitchen, app), replicas, app->loops ? 0 : replicas);
}

static void put_pods(struct kitchen *kitchen, const struct app *app, const char *name)
{
    static const char *const well =
        "'ready':true,'restartCount':0,'state':{'running':{'startedAt':'2026-03-04T09:00:00Z'}}";
    static const char *const loops =
        "'ready':false,'restartCount':12,'state':{'waiting':{'reason':'CrashLoopBackOff'}},"
        "'lastState':{'terminated':{'exitCode':1,'reason':'Error','startedAt':"
        "'2026-03-17T11:57:00Z','finishedAt':'2026-03-17T11:57:20Z'}}";
    for (unsigned i = 0; i < replicas_of(app); i++)
        put(kitchen,
            "{'apiVersion':'v1','kind':'Pod','metadata':{" META "," LABELS ",'ownerReferences':[{"
            "'apiVersion':'apps/v1','kind':'ReplicaSet','name':'%s-5d8','controller':true}]},"
            "'spec':{%s,'nodeName':'node-%u'},'status':{'phase':'Running','conditions':[{'type':"
            "'Ready','status':'%s','lastTransitionTime':'2026-03-17T09:00:00Z'}],"
            "'containerStatuses':[{'name':'main',%s}]}}",
            arena_printf(kitchen->arena, "%s-5d8-%u", name, i).p, namespace_of(app), name, 4,
            app->number, name, pod_spec(kitchen, app), (app->number + i) % kitchen->recipe->nodes,
            app->loops ? "False" : "True", app->loops ? loops : well);
}

static void put_service(struct kitchen *kitchen, const struct app *app, const char *name)
{
    const char *endpoint =
        app->loops ? "{'conditions':{'ready':false}}" : "{'conditions':{'ready':true}}";
    put(kitchen,
        "{'apiVersion':'v1','kind':'Service','metadata':{" META "},'spec':{'type':'ClusterIP',"
        "'selector':{'app':'app-%u'},'ports':[{'port':80,'targetPort':'http'}]}}",
        name, namespace_of(app), name, 2, app->number);
    put(kitchen,
        "{'apiVersion':'discovery.k8s.io/v1','kind':'EndpointSlice','metadata':{" META
        ",'labels':{'kubernetes.io/service-name':'%s'}},'endpoints':[%s%s%s]}",
        name, namespace_of(app), name, 2, name, endpoint, app->replicated ? "," : "",
        app->replicated ? endpoint : "");
    if (app->budget)
        put(kitchen,
            "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{" META "},'spec':{"
            "'maxUnavailable':1,'unhealthyPodEvictionPolicy':'AlwaysAllow','selector':{"
            "'matchLabels':{'app':'app-%u'}}}}",
            name, namespace_of(app), name, 2, app->number);
    if (app->policies)
        put(kitchen,
            "{'apiVersion':'networking.k8s.io/v1','kind':'NetworkPolicy','metadata':{" META
            "},'spec':{'podSelector':{'matchLabels':{'app':'app-%u'}},'policyTypes':['Ingress',"
            "'Egress'],'ingress':[{'from':[{'namespaceSelector':{}}]}],'egress':[{'to':[{"
            "'namespaceSelector':{}}]}]}}",
            name, namespace_of(app), name, 2, app->number);
}

/* ---- the whole ---- */

/* One of `of` in CARE_COMMON, none in CARE_NONE, all in CARE_FULL. */
static bool kept(struct kitchen *kitchen, unsigned number, unsigned of)
{
    switch (kitchen->recipe->care) {
    case CARE_NONE:
        return false;
    case CARE_COMMON:
        return of && number % of != 0;
    case CARE_FULL:
        return true;
    default:
        return objects_throw(&kitchen->seed, 2);
    }
}

static struct app app_of(struct kitchen *kitchen, unsigned number)
{
    enum { NEVER = 0, HALF = 2, MOSTLY = 3 };
    struct app app = {.number = number,
                      .loops = number < kitchen->recipe->looping,
                      .stalls = number < kitchen->recipe->stalled};
    app.limits = app.requests = kept(kitchen, number, MOSTLY);
    app.probes = kept(kitchen, number + 1, MOSTLY);
    app.context = kept(kitchen, number, NEVER);
    app.account = kept(kitchen, number, HALF);
    app.token = !kept(kitchen, number, NEVER);
    app.versioned = kitchen->recipe->care == CARE_COMMON || kept(kitchen, number, MOSTLY);
    app.pinned = kept(kitchen, number, NEVER);
    app.replicated = kept(kitchen, number + 1, HALF);
    app.spread = kept(kitchen, number, NEVER);
    app.policies = kept(kitchen, number, NEVER);
    app.budget = kept(kitchen, number, NEVER);
    app.secret_in_env = !kept(kitchen, number, MOSTLY);
    app.own_namespace = kitchen->recipe->care != CARE_NONE;
    return app;
}

static void put_app(struct kitchen *kitchen, unsigned number)
{
    struct app app = app_of(kitchen, number);
    const char *name = arena_printf(kitchen->arena, "app-%u", number).p;
    put_deployment(kitchen, &app, name);
    put_pods(kitchen, &app, name);
    put_service(kitchen, &app, name);
}

static void put_namespace(struct kitchen *kitchen, const char *name)
{
    bool good = kitchen->recipe->care == CARE_FULL;
    put(kitchen,
        "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'%s','uid':'ns',"
        "'creationTimestamp':'2026-01-01T00:00:00Z','labels':{%s}}}",
        name, good ? "'pod-security.kubernetes.io/enforce':'restricted'" : "");
    put(kitchen,
        "{'apiVersion':'v1','kind':'ServiceAccount','metadata':{'name':'default','namespace':'%s'"
        ",'uid':'sa','creationTimestamp':'2026-01-01T00:00:00Z'}%s}",
        name, good ? ",'automountServiceAccountToken':false" : "");
    put(kitchen,
        "{'apiVersion':'v1','kind':'ServiceAccount','metadata':{'name':'app','namespace':'%s',"
        "'uid':'sb','creationTimestamp':'2026-01-01T00:00:00Z'}%s}",
        name, good ? ",'automountServiceAccountToken':false" : "");
    if (!good)
        return;
    put(kitchen,
        "{'apiVersion':'v1','kind':'ResourceQuota','metadata':{'name':'q','namespace':'%s','uid':"
        "'q'},'status':{'hard':{'pods':'1000'},'used':{'pods':'60'}}}",
        name);
    put(kitchen,
        "{'apiVersion':'v1','kind':'LimitRange','metadata':{'name':'l','namespace':'%s',"
        "'uid':'l'}}",
        name);
}

struct objects recipe_objects(struct arena *arena, const struct recipe *recipe)
{
    struct kitchen kitchen = {.arena = arena, .recipe = recipe, .seed = recipe->seed};
    put_namespace(&kitchen, recipe->care == CARE_NONE ? "default" : "shop");
    for (unsigned i = 0; i < recipe->nodes; i++)
        put_node(&kitchen, i);
    for (unsigned i = 0; i < recipe->apps; i++)
        put_app(&kitchen, i);
    return kitchen.objects;
}
