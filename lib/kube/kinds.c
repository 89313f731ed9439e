#include "kube/kinds.h"

enum { NAME_MAX_LENGTH = 64 };

static const struct {
    struct str name, plural, groups;
} KINDS[] = {
    [KIND_NONE] = {STR(""), STR(""), STR("")},
#define KIND(id, name, plural, api_groups, list, schema, pods)                                     \
    [KIND_##id] = {STR(name), STR(plural), STR(api_groups)},
#include "kube/kinds.def"
#undef KIND
};

struct str api_group(struct str api_version)
{
    struct str group;
    return str_cut(api_version, '/', &group, NULL) ? group : STR("");
}

struct str kind_name(enum kind kind)
{
    assert(kind < KIND_COUNT);
    return KINDS[kind].name;
}

struct str kind_plural(enum kind kind)
{
    return KINDS[kind].plural;
}

/* wanted: empty: the one without a name. */
static bool has_group(enum kind kind, struct str wanted)
{
    struct str group, rest = KINDS[kind].groups;
    if (!wanted.n)
        wanted = STR("core");
    while (rest.n) {
        str_cut(rest, ',', &group, &rest);
        if (str_eq(group, wanted))
            return true;
    }
    return false;
}

static bool is_of_group(enum kind kind, struct str api_version)
{
    return !api_version.n || has_group(kind, api_group(api_version));
}

enum kind kind_find(struct str name, struct str api_version)
{
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        if (str_eq(name, KINDS[kind].name))
            return is_of_group(kind, api_version) ? kind : KIND_NONE;
    return KIND_NONE;
}

enum kind kind_of_collection(struct str name)
{
    static const struct {
        struct str name;
        enum kind kind;
    } shorts[] = {
        {STR("hpas"), KIND_HORIZONTALPODAUTOSCALER},
        {STR("pdbs"), KIND_PODDISRUPTIONBUDGET},
        {STR("pvcs"), KIND_PERSISTENTVOLUMECLAIM},
        {STR("pvs"), KIND_PERSISTENTVOLUME},
    };
    char lower[NAME_MAX_LENGTH];
    size_t n = 0;
    str_cut(name, '.', &name, NULL);
    for (size_t i = 0; i < name.n && n < sizeof lower; i++)
        if (name.p[i] != '-' && name.p[i] != '_')
            lower[n++] = str_lower(name.p[i]);
    struct str plain = {lower, n};
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        if (str_eq(plain, KINDS[kind].plural))
            return kind;
    for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++)
        if (str_eq(plain, shorts[i].name))
            return shorts[i].kind;
    return KIND_NONE;
}

bool kind_has_replicas(enum kind kind)
{
    return kind == KIND_DEPLOYMENT || kind == KIND_STATEFULSET || kind == KIND_REPLICASET ||
           kind == KIND_REPLICATIONCONTROLLER || kind == KIND_DEPLOYMENTCONFIG ||
           kind == KIND_ROLLOUT;
}

enum kind kind_of_workload(struct str word)
{
    static const struct {
        struct str names; /* each between blanks */
        enum kind kind;
    } workloads[] = {
        {STR(" deployment deployments deploy "), KIND_DEPLOYMENT},
        {STR(" statefulset statefulsets sts "), KIND_STATEFULSET},
        {STR(" daemonset daemonsets ds "), KIND_DAEMONSET},
        {STR(" replicaset replicasets rs "), KIND_REPLICASET},
        {STR(" replicationcontroller replicationcontrollers rc "), KIND_REPLICATIONCONTROLLER},
        {STR(" job jobs "), KIND_JOB},
        {STR(" cronjob cronjobs cj "), KIND_CRONJOB},
        {STR(" deploymentconfig deploymentconfigs dc "), KIND_DEPLOYMENTCONFIG},
        {STR(" rollout rollouts ro "), KIND_ROLLOUT},
        {STR(" pod pods po "), KIND_POD},
    };
    char wanted[NAME_MAX_LENGTH] = " ";
    str_cut(word, '.', &word, NULL);
    if (word.n == 0 || word.n > sizeof wanted - 3 || memchr(word.p, ' ', word.n))
        return KIND_NONE;
    for (size_t i = 0; i < word.n; i++)
        wanted[i + 1] = str_lower(word.p[i]);
    wanted[word.n + 1] = ' ';
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
        if (str_has(workloads[i].names, (struct str){wanted, word.n + 2}))
            return workloads[i].kind;
    return KIND_NONE;
}

static enum kind kind_of_short(struct str word)
{
    static const struct {
        struct str word;
        enum kind kind;
    } shorts[] = {
        {STR("svc"), KIND_SERVICE},
        {STR("ep"), KIND_ENDPOINTS},
        {STR("ing"), KIND_INGRESS},
        {STR("netpol"), KIND_NETWORKPOLICY},
        {STR("pdb"), KIND_PODDISRUPTIONBUDGET},
        {STR("hpa"), KIND_HORIZONTALPODAUTOSCALER},
        {STR("so"), KIND_SCALEDOBJECT},
        {STR("sa"), KIND_SERVICEACCOUNT},
        {STR("cm"), KIND_CONFIGMAP},
        {STR("ns"), KIND_NAMESPACE},
        {STR("no"), KIND_NODE},
        {STR("ev"), KIND_EVENT},
        {STR("pvc"), KIND_PERSISTENTVOLUMECLAIM},
        {STR("pv"), KIND_PERSISTENTVOLUME},
        {STR("sc"), KIND_STORAGECLASS},
        {STR("pc"), KIND_PRIORITYCLASS},
        {STR("quota"), KIND_RESOURCEQUOTA},
        {STR("limits"), KIND_LIMITRANGE},
        {STR("csr"), KIND_CERTIFICATESIGNINGREQUEST},
        {STR("co"), KIND_CLUSTEROPERATOR},
        {STR("mcp"), KIND_MACHINECONFIGPOOL},
        {STR("scc"), KIND_SECURITYCONTEXTCONSTRAINTS},
        {STR("gtw"), KIND_GATEWAY},
    };
    for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++)
        if (str_eq_nocase(word, shorts[i].word))
            return shorts[i].kind;
    return KIND_NONE;
}

enum kind kind_by_word(struct str word)
{
    struct str name, suffix = {0}, group = {0};
    bool has_suffix = str_cut(word, '.', &name, &suffix);
    enum kind found = kind_of_workload(name);
    if (!found)
        found = kind_of_short(name);
    for (enum kind kind = KIND_NONE + 1; !found && kind < KIND_COUNT; kind++)
        if (str_eq_nocase(name, KINDS[kind].name) || str_eq_nocase(name, KINDS[kind].plural))
            found = kind;
    if (!has_suffix || !found || has_group(found, suffix))
        return found;
    return str_cut(suffix, '.', NULL, &group) && has_group(found, group) ? found : KIND_NONE;
}

bool kind_is_cluster_wide(enum kind kind)
{
    switch (kind) {
    case KIND_NAMESPACE:
    case KIND_NODE:
    case KIND_NODEMETRICS:
    case KIND_PERSISTENTVOLUME:
    case KIND_STORAGECLASS:
    case KIND_PRIORITYCLASS:
    case KIND_CLUSTERROLE:
    case KIND_CLUSTERROLEBINDING:
    case KIND_VALIDATINGWEBHOOKCONFIGURATION:
    case KIND_MUTATINGWEBHOOKCONFIGURATION:
    case KIND_APISERVICE:
    case KIND_CERTIFICATESIGNINGREQUEST:
    case KIND_CLUSTEROPERATOR:
    case KIND_CLUSTERVERSION:
    case KIND_MACHINECONFIGPOOL:
    case KIND_SECURITYCONTEXTCONSTRAINTS:
        return true;
    default:
        return false;
    }
}

struct str kind_resource(struct arena *arena, struct str kind, struct str name)
{
    char *p = arena_bytes(arena, kind.n + 1 + name.n);
    for (size_t i = 0; i < kind.n; i++)
        p[i] = str_lower(kind.p[i]);
    p[kind.n] = '/';
    if (name.n)
        memcpy(p + kind.n + 1, name.p, name.n);
    return (struct str){p, kind.n + 1 + name.n};
}
