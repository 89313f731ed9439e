/* What a pod shares with its node: namespaces, ports, kernel settings, and the host that its probes
 * ask. */
#include "kube/release.h"
#include "score/checks.h"
#include "score/policy.h"
#include "score/walk.h"

enum verdict check_host_pid(struct check_context *context, const struct workload *workload)
{
    const struct pod_spec *spec = template_of(workload);
    if (!spec)
        return NOT_EVALUATED;
    if (spec->host_pid != TRI_TRUE)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "The pod sees all processes of its node and may signal them (hostPID: true).");
}

enum verdict check_host_ipc(struct check_context *context, const struct workload *workload)
{
    const struct pod_spec *spec = template_of(workload);
    if (!spec)
        return NOT_EVALUATED;
    if (spec->host_ipc != TRI_TRUE)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "The pod shares the memory segments and queues of its node (hostIPC: true).");
}

enum verdict check_host_network(struct check_context *context, const struct workload *workload)
{
    const struct pod_spec *spec = template_of(workload);
    if (!spec)
        return NOT_EVALUATED;
    if (spec->host_network != TRI_TRUE)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "The pod uses the network of its node and all its addresses (hostNetwork: true).");
}

enum verdict check_share_process_namespace(struct check_context *context,
                                           const struct workload *workload)
{
    const struct pod_spec *spec = template_of(workload);
    if (!spec)
        return NOT_EVALUATED;
    if (spec->share_process_namespace != TRI_TRUE)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "The containers of the pod see each other's processes and "
                "files (shareProcessNamespace: true).");
}

static bool binds_host_port(struct check_context *context, struct place at)
{
    const struct container_port *port;
    LIST_EACH (port, at.container->ports)
        if (port->host_port > 0) {
            fail(context, at.container->name, "Container %" STR_FMT " binds port %lld of its node.",
                 STR_ARG(at.container->name), (long long)port->host_port);
            return true;
        }
    return false;
}

/* On the node's network every port is one of the node's, and the API server copies containerPort
 * into hostPort: host-network tells all of it. */
enum verdict check_host_port(struct check_context *context, const struct workload *workload)
{
    const struct pod_spec *spec = template_of(workload);
    if (spec && spec->host_network == TRI_TRUE)
        return PASSED;
    return walk_containers(context, workload, ROLES_ALL, binds_host_port);
}

static bool is_host_process(struct check_context *context, const struct security_context *security,
                            struct str container)
{
    if (security->host_process != TRI_TRUE)
        return false;
    if (container.n)
        fail(context, container,
             "Container %" STR_FMT " runs as a process of its Windows node (hostProcess: true).",
             STR_ARG(container));
    else
        fail(context, container,
             "The pod runs as processes of its Windows node (hostProcess: true).");
    return true;
}

enum verdict check_windows_host_process(struct check_context *context,
                                        const struct workload *workload)
{
    return walk_contexts(context, workload, is_host_process);
}

/* ---- sysctls ---- */

/* Those that belong to the pod's own namespaces, with the first 1.x that lets every pod set them.
 */
static bool sysctl_is_safe(struct str name, int64_t minor)
{
    static const struct {
        const char *name;
        int64_t since;
    } safe[] = {
        {"kernel.shm_rmid_forced", 0},
        {"net.ipv4.ip_local_port_range", 0},
        {"net.ipv4.ip_unprivileged_port_start", 0},
        {"net.ipv4.tcp_syncookies", 0},
        {"net.ipv4.ping_group_range", 0},
        {"net.ipv4.ip_local_reserved_ports", 27},
        {"net.ipv4.tcp_keepalive_time", 29},
        {"net.ipv4.tcp_fin_timeout", 29},
        {"net.ipv4.tcp_keepalive_intvl", 29},
        {"net.ipv4.tcp_keepalive_probes", 29},
        {"net.ipv4.tcp_rmem", 32},
        {"net.ipv4.tcp_wmem", 32},
        {"net.ipv4.tcp_slow_start_after_idle", 37},
        {"net.ipv4.tcp_notsent_lowat", 37},
    };
    for (size_t i = 0; i < sizeof safe / sizeof *safe; i++)
        if (str_eq(name, str_of(safe[i].name)))
            return minor >= safe[i].since;
    return false;
}

/* The version of the cluster; where no node tells it, the one that is to take the manifests, else
 * the newest. */
enum verdict check_unsafe_sysctl(struct check_context *context, const struct workload *workload)
{
    const struct pod_spec *spec = template_of(workload);
    const struct str *name;
    enum verdict verdict = PASSED;
    if (!spec)
        return NOT_EVALUATED;
    LIST_EACH (name, context_or_none(spec->security)->sysctls)
        if (!sysctl_is_safe(*name, context->setting.server_minor))
            verdict = fail(context, NO_CONTAINER,
                           "The pod sets kernel parameter %" STR_FMT
                           ", which is not among the safe ones.",
                           STR_ARG(*name));
    return verdict;
}

/* ---- probes ---- */

static struct str host_of_probe(const struct probe *probe)
{
    return probe ? probe->handler.host : (struct str){0};
}

static struct str host_of_hook(const struct handler *hook)
{
    return hook ? hook->host : (struct str){0};
}

static bool asks_another_host(struct check_context *context, struct place at)
{
    const struct {
        const char *name;
        struct str host;
    } handlers[] = {
        {"livenessProbe", host_of_probe(at.container->liveness)},
        {"readinessProbe", host_of_probe(at.container->readiness)},
        {"startupProbe", host_of_probe(at.container->startup)},
        {"postStart hook", host_of_hook(at.container->post_start)},
        {"preStop hook", host_of_hook(at.container->pre_stop)},
    };
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++)
        if (handlers[i].host.n) {
            fail(context, at.container->name,
                 "The %s of container %" STR_FMT " makes the kubelet ask host %" STR_FMT
                 " instead of the pod.",
                 handlers[i].name, STR_ARG(at.container->name), STR_ARG(handlers[i].host));
            return true;
        }
    return false;
}

enum verdict check_probe_host_override(struct check_context *context,
                                       const struct workload *workload)
{
    return walk_containers(context, workload, ROLES_TEMPLATE, asks_another_host);
}
