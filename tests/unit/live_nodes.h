/* live_nodes: texts of nodes and of pods that run on them, as an API server shows them. */
#ifndef LOADLINE_TESTS_LIVE_NODES_H
#define LOADLINE_TESTS_LIVE_NODES_H

#include "live.h"

/* A Node with these labels, spec and status. */
#define NODE(name, labels, spec, status)                                                           \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'" name "','labels':{" labels             \
    "},'creationTimestamp':'2026-03-01T00:00:00Z'},'spec':{" spec "},'status':{" status "}}"
#define IS(type, status)                                                                           \
    "{'type':'" type "','status':'" status                                                         \
    "','lastTransitionTime':'2026-03-10T00:00:00Z','lastHeartbeatTime':'2026-03-17T11:56:00Z'}"
#define CONDITIONS(conditions) "'conditions':[" conditions "]"
#define GOOD                   CONDITIONS(IS("Ready", "True"))
#define ROOM(cpu, memory, pods)                                                                    \
    GOOD ",'allocatable':{'cpu':'" cpu "','memory':'" memory "','pods':'" pods                     \
         "'},'capacity':{'cpu':'64','memory':'64Gi','pods':'500'}"
#define ON(name, node, meta, phase, cpu, memory, spec)                                             \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'shop'," meta "'name':'" name         \
    "'},'spec':{" spec "'nodeName':'" node                                                         \
    "','containers':[{'name':'c','resources':{'requests':{'cpu':'" cpu "','memory':'" memory       \
    "'}}}]},'status':{'phase':'" phase "'}}"
#define RUNS_ON(name, node, cpu, memory) ON(name, node, "", "Running", cpu, memory, "")

#endif
