/* addons: what stands beside the core of Kubernetes and is judged all the same: OpenShift, the
 * Gateway API, cert-manager, Argo CD, Flux, and the metrics API.
 *
 * The rules of model.h hold: structures mirror the API types of the same name, everything lives in
 * the arena of the snapshot and is read-only.
 */
#ifndef LOADLINE_KUBE_ADDONS_H
#define LOADLINE_KUBE_ADDONS_H

#include "kube/meta.h"

/* What OpenShift is made of, and says of itself: ClusterOperator, ClusterVersion,
 * MachineConfigPool. */
struct platform_object {
    struct object object;
    condition_list conditions;
};

/* ---- ways in beside Ingress: OpenShift's Route, and the Gateway API ---- */

struct named_conditions {
    struct str name; /* of the listener, or of the router or Gateway that wrote them */
    condition_list conditions;
};

struct route_backend {
    struct str group, kind, name, namespace; /* kind absent: Service; namespace: the route's own */
};

struct route_rule {
    LIST(struct route_backend) backends;
};

struct parent_reference {
    struct str kind, name; /* kind absent: Gateway */
};

/* Route; HTTPRoute and GRPCRoute. */
struct traffic_route {
    struct object object;
    struct str host, tls_termination;          /* Route */
    struct route_backend to;                   /* Route */
    LIST(struct route_backend) alternates;     /* Route */
    LIST(struct route_rule) rules;             /* of the Gateway API */
    LIST(struct parent_reference) parents;     /* of the Gateway API */
    LIST(struct named_conditions) accepted_by; /* what routers and Gateways say of it */
};

struct gateway_listener {
    struct str name, protocol;
    struct str routes_from; /* allowedRoutes.namespaces.from */
};

struct gateway {
    struct object object;
    struct str gateway_class;
    LIST(struct gateway_listener) listeners;
    LIST(struct named_conditions) listener_conditions;
    condition_list conditions;
};

/* SecurityContextConstraints: what pods may ask for, and who may make such pods. */
struct security_constraints {
    struct object object;
    enum tri privileged, host_directories, host_ipc, host_network, host_pid;
    struct str run_as_user; /* runAsUser.type */
    str_list capabilities;  /* allowedCapabilities */
    str_list users, groups;
};

/* What a controller brings about, and how far it got: CertificateSigningRequest, cert-manager's
 * Certificate, Argo CD's Application, Flux' Kustomization and HelmRelease. */
struct reconciled_object {
    struct object object;
    condition_list conditions;
    struct str signer;                   /* CertificateSigningRequest */
    int64_t expires, renewal;            /* Certificate: notAfter, renewalTime */
    struct str health, health_message;   /* Application */
    struct str sync;                     /* Application: Synced, OutOfSync */
    struct str sync_phase, sync_message; /* Application: of the latest operation */
    enum tri suspend;                    /* of Flux */
    int64_t observed_generation;         /* of Flux */
};

struct container_usage {
    struct str name;
    int64_t cpu, memory; /* thousandths */
};

struct pod_metrics { /* metrics.k8s.io */
    struct object object;
    LIST(struct container_usage) containers;
};

struct resource_usage {
    int64_t memory; /* thousandths */
};

struct node_metrics { /* metrics.k8s.io */
    struct object object;
    struct resource_usage usage;
};

#endif
