/* live: objects with a status, for the tests of checks that read one. Documents as in judge.h. */
#ifndef LOADLINE_TESTS_LIVE_H
#define LOADLINE_TESTS_LIVE_H

#include "judge.h"

#define ROWS(rows) judge_rows((rows), sizeof(rows) / sizeof *(rows))

/* A Pod "a", two hours old, with one container "c"; spec and meta end with a comma or are "". */
#define LIVE(meta, spec, status)                                                                   \
    "{'apiVersion':'v1','kind':'Pod','metadata':{" meta "'name':'a','namespace':'shop',"           \
    "'creationTimestamp':'2026-03-17T10:00:00Z'},'spec':{" spec                                    \
    "'containers':[{'name':'c','image':'shop/c:1','resources':{'limits':{'memory':'256Mi'}}}]},"   \
    "'status':{" status "}}"
#define RUNNING(statuses) LIVE("", "", "'phase':'Running','containerStatuses':[" statuses "]")
#define CONTAINER(rest)   "{'name':'c','ready':false," rest "}"
#define UP                "'state':{'running':{'startedAt':'2026-03-17T11:59:00Z'}}"
#define ENDED(reason, code, started, finished)                                                     \
    "{'terminated':{'reason':'" reason "','exitCode':" code ",'startedAt':'2026-03-" started       \
    "Z','finishedAt':'2026-03-" finished "Z'}}"
#define WAITING(reason) "'state':{'waiting':{'reason':'" reason "'}}"

#define READY(status, since, rest)                                                                 \
    "'phase':'Running','conditions':[{'type':'Ready','status':'" status                            \
    "','lastTransitionTime':'2026-03-17T" since "Z'" rest "}]"
#define LOST_NODE                                                                                  \
    "{'apiVersion':'v1','kind':'Node','metadata':{'name':'n'},'status':{'conditions':["            \
    "{'type':'Ready','status':'Unknown','lastTransitionTime':'2026-03-17T11:00:00Z'}]}}"

#define OWNED(kind)                                                                                \
    "'ownerReferences':[{'apiVersion':'v1','kind':'" kind                                          \
    "','name':'o','uid':'u','controller':true}],"

#define EVENT(kind, name, rest)                                                                    \
    "{'apiVersion':'v1','kind':'Event','metadata':{'name':'" name "." rest                         \
    "','namespace':'shop','uid':'" name rest "'},'involvedObject':{'kind':'" kind                  \
    "','namespace':'shop','name':'" name "'},"
#define WARNING(kind, name, reason, count, last)                                                   \
    EVENT(kind, name, reason count last)                                                           \
    "'type':'Warning','reason':'" reason "','count':" count                                        \
    ",'firstTimestamp':'2026-03-17T11:10:00Z',"                                                    \
    "'lastTimestamp':'2026-03-17T" last "Z','message':'m'}"

#define CONTROLLER(kind, meta, spec, status)                                                       \
    "{'apiVersion':'apps/v1','kind':'" kind "','metadata':{'name':'a','namespace':'shop'," meta    \
    "'creationTimestamp':'2026-03-10T10:00:00Z'},'spec':{" spec                                    \
    "'template':{'spec':{'containers':[{'name':'c','image':'c:1'}]}}},'status':{" status "}}"
#define DEPLOY(spec, status)                                                                       \
    CONTROLLER("Deployment", "'generation':2,", spec, "'observedGeneration':2," status)

#endif
