#include "kitchen.h"

void kitchen_put(struct kitchen *kitchen, const char *format, ...)
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

unsigned kitchen_node(const struct kitchen *kitchen, unsigned workload, unsigned i)
{
    unsigned n = kitchen->recipe->nodes;
    uint32_t *order = ARENA_ARRAY(kitchen->arena, n, uint32_t);
    uint64_t seed = workload * UINT64_C(0x9e3779b97f4a7c15) + 1;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t other = objects_throw(&seed, k + 1);
        order[k] = order[other];
        order[other] = k;
    }
    return order[i % n];
}

/* Nodes fail in the order of their numbers, but the first, which has the control plane, fails last.
 */
static unsigned turn_of(const struct kitchen *kitchen, unsigned node)
{
    return (node + kitchen->recipe->nodes - 1) % kitchen->recipe->nodes;
}

bool kitchen_is_dead(const struct kitchen *kitchen, unsigned node)
{
    return turn_of(kitchen, node) < kitchen->recipe->dead_nodes;
}

const char *kitchen_pod_status(const struct kitchen *kitchen, enum pod_state state,
                               const char *container)
{
    static const struct {
        const char *phase, *ready, *since, *container;
    } states[POD_STATES] = {
        {"Running", "True", "2026-03-04T09:00:10Z",
         "'ready':true,'restartCount':0,'state':{'running':{'startedAt':'2026-03-04T09:00:00Z'}}"},
        {"Running", "False", "2026-03-17T09:00:00Z",
         "'ready':false,'restartCount':12,'state':{'waiting':{'reason':'CrashLoopBackOff'}},"
         "'lastState':{'terminated':{'exitCode':1,'reason':'Error','startedAt':"
         "'2026-03-17T11:57:00Z','finishedAt':'2026-03-17T11:57:20Z'}}"},
        {"Pending", "False", "2026-03-17T09:00:00Z",
         "'ready':false,'restartCount':0,'state':{'waiting':{'reason':'ImagePullBackOff'}}"},
        {"Running", "False", "2026-03-17T11:00:40Z",
         "'ready':true,'restartCount':0,'state':{'running':{'startedAt':'2026-03-04T09:00:00Z'}}"},
    };
    return arena_printf(kitchen->arena,
                        "'status':{'phase':'%s','conditions':[{'type':'Ready','status':'%s',"
                        "'lastTransitionTime':'%s'}],'containerStatuses':[{'name':'%s',%s}]}",
                        states[state].phase, states[state].ready, states[state].since, container,
                        states[state].container)
        .p;
}

/* ---- nodes ---- */

#define CONDITION(type)                                                                            \
    "{'type':'" type "','status':'%s','lastTransitionTime':'%s',"                                  \
    "'lastHeartbeatTime':'2026-03-17T11:58:00Z'}"

static void put_node(struct kitchen *kitchen, unsigned number)
{
    const struct recipe *recipe = kitchen->recipe;
    bool dead = kitchen_is_dead(kitchen, number), good = recipe->care == CARE_FULL;
    bool full = !dead && turn_of(kitchen, number) < recipe->dead_nodes + recipe->full_nodes;
    const char *since = dead || full ? "2026-03-17T11:00:00Z" : "2026-03-01T00:00:00Z";
    const char *pressed = dead ? "Unknown" : full ? "True" : "False";
    kitchen_put(
        kitchen,
        "{'apiVersion':'v1','kind':'Node','metadata':{'name':'node-%u','uid':'n%u',"
        "'creationTimestamp':'2026-01-01T00:00:00Z','labels':{'topology.kubernetes.io/zone':"
        "'zone-%u'%s}},'spec':{%s},'status':{'allocatable':{'cpu':'16','memory':'64Gi','pods':'110'"
        "},'nodeInfo':{'kubeletVersion':'%s','containerRuntimeVersion':'%s'},'conditions':"
        "[" CONDITION("Ready") "," CONDITION("MemoryPressure") "," CONDITION("DiskPressure") "]}}",
        number, number, good ? number % 3 : 0,
        good || number ? "" : ",'node-role.kubernetes.io/control-plane':''",
        number + recipe->cordoned < recipe->nodes ? "" : "'unschedulable':true",
        recipe->care == CARE_NONE ? "v1.28.2" : "v1.34.1",
        recipe->care == CARE_NONE ? "docker://20.10.5" : "containerd://2.1.0",
        dead ? "Unknown" : "True", since, pressed, since, pressed, since);
}

void kitchen_put_nodes(struct kitchen *kitchen)
{
    for (unsigned i = 0; i < kitchen->recipe->nodes; i++)
        put_node(kitchen, i);
}

/* ---- jobs, and pods of nobody ---- */

static void put_job(struct kitchen *kitchen, const char *namespace, unsigned number, bool failed)
{
    kitchen_put(kitchen,
                "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'job-%u','namespace':'%s'"
                ",'uid':'job-%u','creationTimestamp':'2026-03-17T08:00:00Z'},'spec':{"
                "'ttlSecondsAfterFinished':86400,'template':{'spec':{'restartPolicy':'Never',"
                "'containers':[{'name':'main','image':'registry.example.com/job:1.0.%u'}]}}},"
                "'status':{%s}}",
                number, namespace, number, number,
                failed ? "'failed':6,'conditions':[{'type':'Failed','status':'True','reason':"
                         "'BackoffLimitExceeded','lastTransitionTime':'2026-03-17T08:20:00Z'}]"
                       : "'succeeded':1,'completionTime':'2026-03-17T08:20:00Z','conditions':[{"
                         "'type':'Complete','status':'True','lastTransitionTime':"
                         "'2026-03-17T08:20:00Z'}]");
}

static void put_cronjob(struct kitchen *kitchen, const char *namespace, unsigned number)
{
    kitchen_put(kitchen,
                "{'apiVersion':'batch/v1','kind':'CronJob','metadata':{'name':'cron-%u',"
                "'namespace':'%s','uid':'cron-%u','creationTimestamp':'2026-03-01T08:00:00Z'},"
                "'spec':{'schedule':'0 * * * *','suspend':false,'jobTemplate':{'spec':{'template':{"
                "'spec':{'restartPolicy':'Never','containers':[{'name':'main',"
                "'image':'registry.example.com/cron:1.0.%u'}]}}}}},'status':{"
                "'lastScheduleTime':'2026-03-17T12:00:00Z','lastSuccessfulTime':"
                "'2026-03-17T11:00:30Z'}}",
                number, namespace, number, number);
}

static void put_pod(struct kitchen *kitchen, const char *namespace, const char *name,
                    const char *status)
{
    kitchen_put(
        kitchen,
        "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'%s','namespace':'%s',"
        "'uid':'%s','creationTimestamp':'2026-03-16T08:00:00Z'},'spec':{'nodeName':'node-%u'"
        ",'containers':[{'name':'main','image':'registry.example.com/bare:1'}]},%s}",
        name, namespace, name, kitchen->recipe->nodes ? kitchen->recipe->nodes - 1 : 0, status);
}

static void put_claim(struct kitchen *kitchen, const char *namespace, unsigned number)
{
    kitchen_put(kitchen,
                "{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'data-%u',"
                "'namespace':'%s','uid':'data-%u','creationTimestamp':'2026-03-01T08:00:00Z'},"
                "'spec':{'storageClassName':'fast','volumeName':'volume-%u'},'status':{'phase':"
                "'Bound'}}",
                number, namespace, number, number);
}

void kitchen_put_batch(struct kitchen *kitchen, const char *namespace)
{
    const struct recipe *recipe = kitchen->recipe;
    struct arena *arena = kitchen->arena;
    for (unsigned i = 0; i < recipe->jobs; i++)
        put_job(kitchen, namespace, i, i < recipe->failed_jobs);
    for (unsigned i = 0; i < recipe->cronjobs; i++)
        put_cronjob(kitchen, namespace, i);
    for (unsigned i = 0; i < recipe->claims; i++)
        put_claim(kitchen, namespace, i);
    for (unsigned i = 0; i < recipe->bare_pods; i++)
        put_pod(kitchen, namespace, arena_printf(arena, "bare-%u", i).p,
                kitchen_pod_status(kitchen, POD_WELL, "main"));
    for (unsigned i = 0; i < recipe->evicted; i++)
        put_pod(kitchen, namespace, arena_printf(arena, "evicted-%u", i).p,
                "'status':{'phase':'Failed','reason':'Evicted'}");
    for (unsigned i = 0; i < recipe->completed; i++)
        put_pod(kitchen, namespace, arena_printf(arena, "completed-%u", i).p,
                "'status':{'phase':'Succeeded'}");
}
