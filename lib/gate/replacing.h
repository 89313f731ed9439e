/* replacing: the pods of a workload that gets another template are replaced. The new ones have its
 * containers, ports, requests, tolerations, priority and labels, and what admission had given the
 * old ones beside these. How they are, where they are and what they run with stays as it was:
 * nobody knows better before it is done. Pure, but for the pods.
 */
#ifndef LOADLINE_GATE_REPLACING_H
#define LOADLINE_GATE_REPLACING_H

#include "kube/model.h"

/* Gives the pods of `workload` new specs and labels when its template asks for something else of a
 * pod than that of `old` did, and its controller would replace them. Both may be NULL. For a
 * cluster whose services and nodes are not linked yet (reader/link.h). */
void replace_pods(struct arena *arena, const struct cluster *cluster, const struct workload *old,
                  const struct workload *workload);

#endif
