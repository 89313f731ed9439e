/* pod: PodSpec, Container and Pod, as the checks read them. See model.h for what holds for all of
 * it.
 */
#ifndef LOADLINE_KUBE_POD_H
#define LOADLINE_KUBE_POD_H

#include "kube/meta.h"

/* Quantities are in thousandths (milli-CPU, milli-bytes), saturated; NUMBER_ABSENT: not given. */
struct resource_list {
    int64_t cpu, memory, ephemeral_storage, pods;
};

struct resource_requirements {
    struct resource_list requests, limits;
};

struct capabilities {
    str_list add, drop;
};

struct selinux_options {
    struct str type, user, role;
};

struct security_profile { /* seccompProfile, appArmorProfile */
    struct str type;
};

/* PodSecurityContext and SecurityContext: the fields of both. */
struct security_context {
    enum tri privileged, allow_privilege_escalation, read_only_root_filesystem; /* container only */
    enum tri run_as_non_root;
    enum tri host_process; /* windowsOptions.hostProcess */
    int64_t run_as_user, run_as_group;
    struct capabilities *capabilities; /* container only */
    struct str proc_mount;             /* container only */
    struct security_profile *seccomp, *apparmor;
    struct selinux_options *selinux;
    int64_t fs_group; /* pod only, as the next two */
    LIST(int64_t) supplemental_groups;
    str_list sysctls; /* names */
};

struct container_port {
    struct str name, protocol;
    int64_t container_port, host_port;
};

/* Where an env entry, envFrom entry or volume takes its content from. */
struct object_key_ref {
    enum kind of; /* KIND_SECRET or KIND_CONFIGMAP; KIND_NONE: from neither */
    enum tri optional;
    struct str name, key; /* key absent: the whole object */
};
typedef LIST(struct object_key_ref) object_key_ref_list;

struct env_var {
    struct str name;
    bool credential;      /* credential_pair() held of name and value, which itself is not kept */
    bool password_waived; /* credential_waived() held of them */
    struct object_key_ref from;
};

/* The API server gives each pod a volume "kube-api-access-x7k2p"; its name is kept as
 * "kube-api-access-", here and in struct volume. */
struct volume_mount {
    struct str name, mount_path;
    enum tri read_only;
};

enum handler_type { HANDLER_NONE, HANDLER_HTTP, HANDLER_TCP, HANDLER_GRPC, HANDLER_EXEC };

struct handler { /* of a probe or a lifecycle hook */
    enum handler_type type;
    struct str port, host, path, scheme; /* port: a name, or the number as text */
    pair_list headers;                   /* httpHeaders, in their order */
    struct str service;                  /* grpc */
    uint64_t command; /* exec: a hash of the arguments; who is equal runs it too */
};

struct probe {
    struct handler handler;
    int64_t initial_delay, period, failure_threshold; /* seconds; the threshold: a count */
};

enum container_role {
    CONTAINER_MAIN,
    CONTAINER_INIT,    /* run once */
    CONTAINER_SIDECAR, /* in initContainers with restartPolicy Always */
    CONTAINER_EPHEMERAL
};

struct container {
    enum container_role role;
    struct str name, image, image_pull_policy, restart_policy;
    struct security_context *security;
    struct resource_requirements *resources;
    LIST(struct container_port) ports;
    LIST(struct env_var) env;
    object_key_ref_list env_from;
    LIST(struct volume_mount) mounts;
    struct probe *liveness, *readiness, *startup;
    struct handler *post_start, *pre_stop;
    struct str program; /* of the control plane, that the command runs: "etcd"; else absent */
    str_list command_flags, arg_flags; /* "--name=value", those of control_plane.def */
};
typedef LIST(struct container) container_list;

enum volume_source {
    VOLUME_NONE, /* no source key: an emptyDir */
    VOLUME_HOST_PATH,
    VOLUME_CONFIG_MAP,
    VOLUME_SECRET,
    VOLUME_EMPTY_DIR,
    VOLUME_PVC,
    VOLUME_PROJECTED,
    VOLUME_DOWNWARD_API,
    VOLUME_CSI,
    VOLUME_EPHEMERAL,
    VOLUME_IMAGE,
    VOLUME_OTHER /* any other source key; its name is in `reference` */
};

struct volume {
    struct str name;
    enum volume_source source;
    struct str reference; /* path of hostPath, name of configMap, secret, claim or driver; source
                             key of VOLUME_OTHER */
    enum tri optional;
    struct str medium;          /* emptyDir */
    int64_t size_limit;         /* emptyDir, thousandths of a byte */
    bool service_account_token; /* projected: has such a source */
    /* Projected sources, one a key (key absent: all of the object), or the items of a configMap or
     * secret volume, or the Secret that a CSI driver mounts with. Secrets come first. */
    object_key_ref_list refs;
};

struct topology_spread {
    struct str topology_key, when_unsatisfiable;
    int64_t max_skew, min_domains;
    struct label_selector *selector;
};

struct pod_affinity_term {
    struct str topology_key;
    struct label_selector *selector;
    str_list namespaces; /* of the pods that it looks at; neither this nor the next: its own */
    struct label_selector *namespace_selector;
};

struct toleration {
    struct str effect, key, operator, value;
};

/* Without what each pod has of its own, so that the pods of an owner share one. */
struct pod_spec {
    bool partial; /* of a summary item: container images only */
    /* spec.containers, then initContainers, then ephemeralContainers: see role. */
    container_list containers;
    LIST(struct volume) volumes;
    LIST(struct topology_spread) topology_spread;
    LIST(struct pod_affinity_term) anti_affinity; /* required and preferred terms */
    LIST(struct toleration) tolerations;
    enum tri host_pid, host_ipc, host_network, host_users, share_process_namespace;
    enum tri automount_service_account_token;
    /* Its nodeSelector or required node affinity leaves it Windows nodes only. */
    bool windows_nodes;
    bool tolerates_all; /* a toleration without a key lets it be scheduled on any node */
    struct str service_account_name, service_account, priority_class, restart_policy, os_name;
    struct security_context *security;
    struct resource_requirements *resources; /* pod level */
    struct resource_list *overhead;
    str_list image_pull_secrets, scheduling_gates;
};

struct container_terminated {
    struct str reason;
    int64_t exit_code, signal, started, finished;
};

struct container_waiting {
    struct str reason, message;
};

struct container_status {
    enum container_role role; /* from the list it stood in and the spec */
    struct str name;
    enum tri ready, started; /* started: its startup probe is through */
    int64_t restart_count;
    struct container_waiting *waiting;
    int64_t running_since; /* TIME_NONE: not running */
    struct container_terminated *terminated, *last_terminated;
};
typedef LIST(struct container_status) container_status_list;

/* Absent where it does not wait. */
static inline struct str waiting_reason(const struct container_status *status)
{
    return status->waiting ? status->waiting->reason : (struct str){NULL, 0};
}

static inline struct str waiting_message(const struct container_status *status)
{
    return status->waiting ? status->waiting->message : (struct str){NULL, 0};
}

struct pod {
    struct object object;
    struct pod_spec *spec;
    struct str node_name; /* spec.nodeName */
    struct str phase, reason, message;
    condition_list conditions;
    container_status_list containers; /* containerStatuses, then init, then ephemeral */
    int64_t start_time;
    /* of a summary item */
    int64_t summary_restarts;
    enum tri summary_ready;
    /* set by pod_note_status(), when all of the above is there; waits: a container does; lost: the
     * runtime has lost one */
    bool ended, active, ready, waits, lost;
    uint32_t serving; /* statuses of main containers and sidecars: container_serves() */
    /* set by link */
    struct workload *workload; /* the topmost owner, never NULL: a pod of its own makes one */
    struct node *node;         /* NULL: not scheduled, or not in the snapshot */
};

#endif
