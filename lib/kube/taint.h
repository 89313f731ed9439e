/* taint: which pods a node's taints keep off. */
#ifndef LOADLINE_KUBE_TAINT_H
#define LOADLINE_KUBE_TAINT_H

#include "kube/model.h"

/* Does it keep pods off that do not tolerate it? PreferNoSchedule does not. The taint that
 * cordoning adds is none of the node's own. */
bool taint_keeps_off(const struct taint *taint);
/* Is a pod with these tolerations kept off the node by none of its taints? */
bool taints_let_in(struct effort *effort, const struct node *node, const struct pod_spec *spec);

#endif
