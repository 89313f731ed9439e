/* model: what the checks read of a cluster, in Kubernetes' own terms.
 *
 * Structures mirror the API types (k8s.io/api) of the same name; only fields that some check reads
 * are here. Everything lives in one arena and is read-only after snapshot_read(). Strings are
 * interned: equal strings share their bytes.
 *
 * Absent, null and (for strings) empty are one thing: p == NULL or n == 0, a NULL pointer, an empty
 * list, TRI_ABSENT, NUMBER_ABSENT, TIME_NONE. Nothing is defaulted here: a check that needs the API
 * server's default applies it itself, because a manifest lacks it and a live object does not.
 */
#ifndef LOADLINE_KUBE_MODEL_H
#define LOADLINE_KUBE_MODEL_H

#include "kube/addons.h"
#include "kube/effort.h"
#include "kube/pod.h"
#include "kube/pod_log.h"

/* ---- pod-bearing kinds ---- */

struct job_condition_counts {
    int64_t active, succeeded, failed;
};

/* Pod, Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Job, CronJob, and
 * what OpenShift and Argo have beside Deployment: DeploymentConfig and Rollout. Fields of a kind
 * that lacks them stay absent. */
struct workload {
    struct object object;
    struct pod_spec *spec; /* of the template; NULL: not in the snapshot */
    pair_list template_labels;
    pair_list template_annotations;

    int64_t replicas; /* spec; absent counts as 1 where the kind has it */
    struct label_selector *selector;
    struct str strategy;                   /* strategy.type or updateStrategy.type */
    struct str max_unavailable, max_surge; /* IntOrString as text */
    int64_t partition;       /* StatefulSet: pods of lower ordinals keep the older revision */
    struct str service_name; /* StatefulSet */
    enum tri paused, suspend;
    int64_t progress_deadline, revision_history_limit;
    struct str schedule; /* CronJob */
    int64_t starting_deadline, ttl_after_finished;
    int64_t parallelism, completions; /* Job */

    int64_t observed_generation;
    int64_t status_replicas, ready_replicas, available_replicas, unavailable_replicas,
        updated_replicas;                         /* DaemonSet: the *Number* fields */
    int64_t desired_scheduled, misscheduled;      /* DaemonSet */
    struct str current_revision, update_revision; /* StatefulSet */
    struct job_condition_counts job;
    int64_t job_completion, last_schedule, last_successful; /* times */
    condition_list conditions;

    /* set by link */
    struct workload *owner; /* direct controller, NULL at the top */
    bool synthesized; /* known only from its pods' owner references: no spec of its own but the
                         pods' */
    /* ReplicaSets of a Deployment, Jobs of a CronJob; ordered by namespace, name. */
    LIST(struct workload *) children;
    LIST(struct controller_revision *) revisions; /* StatefulSet, DaemonSet; ordered by revision */
    LIST(struct pod *) pods;                      /* all pods below it, ordered by name */
};

struct container_image {
    struct str name, image;
};

struct controller_revision {
    struct object object;
    int64_t revision;
    LIST(struct container_image) images, init_images; /* of the template in data */
};

/* ---- everything else ---- */

struct service_port {
    struct str name, protocol, target_port; /* target_port: name, or the number as text */
    int64_t port, node_port;
};

struct service {
    struct object object;
    struct str type, cluster_ip;
    pair_list selector;
    LIST(struct service_port) ports;
    str_list external_ips, load_balancer_source_ranges;
    bool has_load_balancer; /* status.loadBalancer names an address */
    /* set by link */
    LIST(struct workload *) workloads; /* topmost ones whose template or pods it selects */
    LIST(struct pod *) pods;
    bool endpoints_known;          /* EndpointSlices or Endpoints of it are in the snapshot */
    uint32_t ready_endpoints;      /* a pod with an address of each family is one */
    uint32_t ready_endpoints_ipv6; /* of these */
    uint64_t only_endpoint[2];     /* of each family, while one is counted: as in endpoint_slice */
};

struct endpoint_slice { /* an EndpointSlice, or an Endpoints object */
    struct object object;
    struct str service;
    struct str address_type; /* "IPv4", "IPv6", "FQDN"; absent of Endpoints */
    uint32_t ready;          /* endpoints; conditions.ready nil counts as ready */
    uint64_t last_ready;     /* hash of the address of the last one; 0: not known */
};

struct ingress_backend {
    struct str service, port; /* port: name, or the number as text */
    bool resource;
};

struct ingress_path {
    struct str path, path_type;
    struct ingress_backend backend;
};

struct ingress_rule {
    struct str host;
    LIST(struct ingress_path) paths;
};

struct ingress_tls {
    struct str secret_name;
    str_list hosts;
};

struct ingress {
    struct object object;
    struct str class_name;
    struct ingress_backend *default_backend;
    LIST(struct ingress_rule) rules;
    LIST(struct ingress_tls) tls;
};

struct network_policy_peer {
    struct label_selector *pod_selector, *namespace_selector;
    struct str cidr;
    str_list except;
};

struct network_policy_rule {
    LIST(struct network_policy_peer) peers;
    uint32_t ports;
};

struct network_policy {
    struct object object;
    struct label_selector *pod_selector;
    str_list policy_types;
    bool has_egress; /* the egress key exists */
    LIST(struct network_policy_rule) ingress, egress;
};

struct pod_disruption_budget {
    struct object object;
    struct label_selector *selector;
    struct str min_available, max_unavailable, unhealthy_pod_eviction_policy;
    int64_t current_healthy, disruptions_allowed, expected_pods;
    condition_list conditions;
};

struct autoscaler { /* HorizontalPodAutoscaler, and KEDA's ScaledObject */
    struct object object;
    struct str target_kind, target_name, target_api_version;
    int64_t min_replicas, max_replicas, current_replicas;
    int64_t idle_replicas; /* ScaledObject: while nothing asks for it */
    int64_t last_scale;
    bool uses_resources; /* cpu or memory of its pods */
    condition_list conditions;
};

struct service_account {
    struct object object;
    enum tri automount_token;
    str_list image_pull_secrets;
};

struct policy_rule {
    str_list verbs, api_groups, resources, resource_names, non_resource_urls;
};

struct role { /* Role, ClusterRole */
    struct object object;
    LIST(struct policy_rule) rules;
    LIST(struct label_selector) aggregates; /* any of them picks ClusterRoles whose rules it gets */
};

struct rbac_subject {
    struct str kind, name, namespace;
};

struct role_binding { /* RoleBinding, ClusterRoleBinding */
    struct object object;
    struct str role_kind, role_name;
    LIST(struct rbac_subject) subjects;
};

struct config_map { /* ConfigMap, Secret: keys only, values are never kept */
    struct object object;
    struct str type; /* Secret */
    str_list keys;
    str_list credential_keys; /* ConfigMap: keys whose name or value looks like a credential */
};

struct namespace
{
    struct object object;
    struct str phase;
    condition_list conditions;
    bool foreign_network_policies; /* Cilium or Calico policies are in it; filled by the linker */
};

struct taint {
    struct str key, value, effect;
};

struct node {
    struct object object;
    enum tri unschedulable;
    LIST(struct taint) taints;
    struct str provider_id;
    struct resource_list allocatable;
    condition_list conditions;
    struct str kubelet_version, runtime_version, operating_system, os_image;
    /* set by link */
    LIST(struct pod *) pods;            /* not Succeeded or Failed */
    struct resource_list requested;     /* what these reserve: pod_requests() */
    struct lease *lease;                /* of kube-node-lease, by name */
    int64_t restarted;                  /* node_restart_of(); TIME_NONE: not seen */
    uint32_t restart_ended, containers; /* of the containers of its pods */
};

struct lease {
    struct object object;
    int64_t renew_time;
};

struct event { /* core/v1 and events.k8s.io, each uid once */
    struct object object;
    struct str type, reason, message; /* message cut at 256 bytes */
    struct str involved_kind, involved_namespace, involved_name;
    int64_t count; /* count or series.count, at least 1 */
    int64_t first;
    int64_t last; /* series.lastObservedTime, else lastTimestamp, else eventTime, else creation */
};

struct persistent_volume_claim {
    struct object object;
    struct str phase, storage_class, volume_name;
    condition_list conditions;
    struct str resize; /* status.allocatedResourceStatuses.storage */
};

struct persistent_volume {
    struct object object;
    struct str phase, storage_class;
};

struct storage_class {
    struct object object;
    struct str volume_binding_mode;
};

struct priority_class {
    struct object object;
    enum tri global_default;
};

struct quota_entry {
    struct str resource;
    int64_t hard, used; /* thousandths */
};

struct resource_quota { /* ResourceQuota; a LimitRange has no entries */
    struct object object;
    LIST(struct quota_entry) entries;
    bool scoped; /* it is about some pods only */
};

struct webhook {
    struct str name, failure_policy, service_name, service_namespace;
    struct label_selector *namespace_selector;
    bool is_asked;     /* it has a rule at all */
    bool matches_pods; /* a rule covers create of pods */
    bool is_choosy;    /* asked about some objects only: objectSelector, matchConditions */
};

struct webhook_configuration {
    struct object object;
    LIST(struct webhook) webhooks;
};

struct api_service {
    struct object object;
    struct str service_name, service_namespace;
    bool has_status;
    condition_list conditions;
};

/* What the snapshot holds of a kind that is not read. */
struct unread_kind {
    struct str kind, api_version; /* the name of a collection has no version */
    uint32_t objects;             /* 0: a collection, nobody knows of how many */
};
typedef LIST(struct unread_kind) unread_list;

/* An object of a kind that is not read, or is in no list of lists.def, written for an API version
 * that is no longer served everywhere (api_removal.h). Of its metadata it has what tells that, and
 * name, namespace, uid and creation. */
struct outdated_object {
    struct object object; /* of KIND_UNREAD */
};

/* ---- the cluster ---- */

struct cluster {
    /* Lists in the order of namespace and name, whatever the order of the snapshot; first those of
     * lists.def. Workloads are all pod-bearing objects but owned pods; synthesized owners too. */
#define JUDGED(list, walked, subject, type) LIST(struct type *) list;
#include "kube/lists.def"
#undef JUDGED
    LIST(struct workload *) roots; /* workloads without owner: the units of judgement */
    LIST(struct pod *) pods;
    LIST(struct endpoint_slice *) endpoint_slices;
    LIST(struct lease *) leases;
    LIST(struct event *) events;
    LIST(struct controller_revision *) controller_revisions;
    LIST(struct pod_metrics *) pod_metrics;
    LIST(struct node_metrics *) node_metrics;
    pod_log_list pod_logs; /* sorted; not of the snapshot: see pod_log.h */

    uint64_t seen; /* bit per enum kind: the snapshot said something about this kind, be it an empty
                      collection */
    uint64_t forbidden; /* the same of a kind that the agent is not allowed to list; it says so */
    bool names_kinds; /* its objects come in collections of one kind each: a kind that is not named
                         was not asked for */
    uint32_t counts[KIND_COUNT];
    uint32_t objects;                   /* known Kubernetes objects read */
    uint32_t unknown_objects;           /* of kinds that are kept out */
    uint32_t unknown_members;           /* of a collection document */
    unread_list unread;                 /* both by kind, those of most objects first */
    bool foreign_network_policies;      /* Cilium or Calico policies are in the snapshot */
    bool foreign_policies_everywhere;   /* some are the cluster's, or do not tell whose */
    str_list foreign_policy_namespaces; /* of the others; may repeat */
    bool policy_engine;        /* Kyverno, Gatekeeper, ... seen by their webhooks or kinds */
    struct str server_version; /* newest kubelet, "v1.33.2"; absent when no node says */
    uint64_t seed;             /* for hashes: nobody can know which names collide */
    struct effort *effort;     /* what may be done about it */
};

/* Did the snapshot say anything about this kind? */
static inline bool cluster_has(const struct cluster *cluster, enum kind kind)
{
    return cluster->seen >> kind & 1;
}

/* Does it say of itself that it does not show this kind? Then nobody knows of its objects. */
static inline bool cluster_lacks(const struct cluster *cluster, enum kind kind)
{
    bool forbidden = cluster->forbidden >> kind & 1;
    return (cluster->names_kinds || forbidden) && !cluster_has(cluster, kind);
}

#endif
