#include "kitchen.h"

enum { REPLICAS_MAX = 2 };

/* How one application is kept. */
struct app {
    bool limits, requests, probes, context, account, token, versioned, pinned, replicated, spread;
    bool policies, budget, secret_in_env, own_namespace;
    bool stalls, privileged;
    unsigned number, replicas, ready;
    enum pod_state pods[REPLICAS_MAX];
};

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
               app->privileged ? ",'securityContext':{'privileged':true,'runAsUser':0}"
               : app->context  ? ",'securityContext':{'allowPrivilegeEscalation':false,"
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

static void put_deployment(struct kitchen *kitchen, const struct app *app, const char *name)
{
    unsigned replicas = app->replicas;
    kitchen_put(
        kitchen,
        "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{" META ",'generation':3},'spec':{"
        "'replicas':%u,'selector':{'matchLabels':{'app':'app-%u'}},'template':{'metadata':{" LABELS
        "},'spec':{%s}}},'status':{'observedGeneration':3,'replicas':%u,'updatedReplicas':%u,"
        "'readyReplicas':%u,'availableReplicas':%u,'conditions':[{'type':'Available','status':'%s',"
        "'lastTransitionTime':'2026-03-17T09:00:00Z'},{'type':'Progressing','status':'%s','reason':"
        "'%s','lastTransitionTime':'2026-03-17T09:10:00Z','lastUpdateTime':'2026-03-17T09:10:00Z'}"
        "]}}",
        name, namespace_of(app), name, 2, replicas, app->number, app->number,
        pod_spec(kitchen, app), replicas, replicas, app->ready, app->ready,
        app->ready ? "True" : "False", app->stalls ? "False" : "True",
        app->stalls ? "ProgressDeadlineExceeded" : "NewReplicaSetAvailable");
    kitchen_put(
        kitchen,
        "{'apiVersion':'apps/v1','kind':'ReplicaSet','metadata':{" META "," LABELS ",'annotations':"
        "{'deployment.kubernetes.io/revision':'3'},'ownerReferences':[{'apiVersion':'apps/v1',"
        "'kind':'Deployment','name':'%s','controller':true}]},'spec':{'replicas':%u,'template':{"
        "'metadata':{" LABELS "},'spec':{%s}}},'status':{'replicas':%u,'readyReplicas':%u,"
        "'observedGeneration':1}}",
        arena_printf(kitchen->arena, "%s-5d8", name).p, namespace_of(app), name, 3, app->number,
        name, replicas, app->number, pod_spec(kitchen, app), replicas, app->ready);
}

static void put_pods(struct kitchen *kitchen, const struct app *app, const char *name)
{
    for (unsigned i = 0; i < app->replicas; i++)
        kitchen_put(
            kitchen,
            "{'apiVersion':'v1','kind':'Pod','metadata':{" META "," LABELS ",'ownerReferences':[{"
            "'apiVersion':'apps/v1','kind':'ReplicaSet','name':'%s-5d8','controller':true}]},"
            "'spec':{%s,'nodeName':'node-%u'},%s}",
            arena_printf(kitchen->arena, "%s-5d8-%u", name, i).p, namespace_of(app), name, 4,
            app->number, name, pod_spec(kitchen, app), kitchen_node(kitchen, app->number, i),
            kitchen_pod_status(kitchen, app->pods[i], "main"));
}

static void put_service(struct kitchen *kitchen, const struct app *app, const char *name)
{
    static const char *const endpoints[] = {"{'conditions':{'ready':false}}",
                                            "{'conditions':{'ready':true}}"};
    kitchen_put(kitchen,
                "{'apiVersion':'v1','kind':'Service','metadata':{" META
                "},'spec':{'type':'ClusterIP',"
                "'selector':{'app':'app-%u'},'ports':[{'port':80,'targetPort':'http'}]}}",
                name, namespace_of(app), name, 2, app->number);
    kitchen_put(kitchen,
                "{'apiVersion':'discovery.k8s.io/v1','kind':'EndpointSlice','metadata':{" META
                ",'labels':{'kubernetes.io/service-name':'%s'}},'endpoints':[%s%s%s]}",
                name, namespace_of(app), name, 2, name, endpoints[app->pods[0] == POD_WELL],
                app->replicas > 1 ? "," : "",
                app->replicas > 1 ? endpoints[app->pods[1] == POD_WELL] : "");
    if (app->budget)
        kitchen_put(kitchen,
                    "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{" META
                    "},'spec':{"
                    "'maxUnavailable':1,'unhealthyPodEvictionPolicy':'AlwaysAllow','selector':{"
                    "'matchLabels':{'app':'app-%u'}}}}",
                    name, namespace_of(app), name, 2, app->number);
    if (app->policies)
        kitchen_put(
            kitchen,
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

/* The states of its pods, by its number. */
static void put_states(const struct kitchen *kitchen, struct app *app)
{
    const struct recipe *recipe = kitchen->recipe;
    unsigned unpullable = recipe->looping + recipe->unpullable;
    bool partly = app->number >= unpullable && app->number < unpullable + recipe->partial;
    app->replicas = app->replicated || partly ? 2 : 1;
    for (unsigned i = 0; i < app->replicas; i++) {
        bool stranded = kitchen_is_dead(kitchen, kitchen_node(kitchen, app->number, i));
        app->pods[i] = app->number < recipe->looping || (partly && i == 0) ? POD_LOOPS
                       : app->number < unpullable                          ? POD_UNPULLABLE
                       : stranded                                          ? POD_STRANDED
                                                                           : POD_WELL;
        app->ready += app->pods[i] == POD_WELL;
    }
}

static struct app app_of(struct kitchen *kitchen, unsigned number)
{
    enum { NEVER = 0, HALF = 2, MOSTLY = 3 };
    struct app app = {.number = number,
                      .stalls = number < kitchen->recipe->stalled,
                      .privileged = kitchen->recipe->privileged};
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
    put_states(kitchen, &app);
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
    kitchen_put(kitchen,
                "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'%s','uid':'ns',"
                "'creationTimestamp':'2026-01-01T00:00:00Z','labels':{%s}}}",
                name, good ? "'pod-security.kubernetes.io/enforce':'restricted'" : "");
    kitchen_put(
        kitchen,
        "{'apiVersion':'v1','kind':'ServiceAccount','metadata':{'name':'default','namespace':'%s'"
        ",'uid':'sa','creationTimestamp':'2026-01-01T00:00:00Z'}%s}",
        name, good ? ",'automountServiceAccountToken':false" : "");
    kitchen_put(
        kitchen,
        "{'apiVersion':'v1','kind':'ServiceAccount','metadata':{'name':'app','namespace':'%s',"
        "'uid':'sb','creationTimestamp':'2026-01-01T00:00:00Z'}%s}",
        name, good ? ",'automountServiceAccountToken':false" : "");
    if (!good)
        return;
    kitchen_put(
        kitchen,
        "{'apiVersion':'v1','kind':'ResourceQuota','metadata':{'name':'q','namespace':'%s','uid':"
        "'q'},'status':{'hard':{'pods':'1000'},'used':{'pods':'60'}}}",
        name);
    kitchen_put(kitchen,
                "{'apiVersion':'v1','kind':'LimitRange','metadata':{'name':'l','namespace':'%s',"
                "'uid':'l'}}",
                name);
}

struct objects recipe_objects(struct arena *arena, const struct recipe *recipe)
{
    struct kitchen kitchen = {.arena = arena, .recipe = recipe, .seed = recipe->seed};
    const char *namespace = recipe->care == CARE_NONE ? "default" : "shop";
    put_namespace(&kitchen, namespace);
    kitchen_put_nodes(&kitchen);
    for (unsigned i = 0; i < recipe->apps; i++)
        put_app(&kitchen, i);
    kitchen_put_batch(&kitchen, namespace);
    if (recipe->system)
        kitchen_put_system(&kitchen);
    kitchen_put_operators(&kitchen);
    return kitchen.objects;
}
