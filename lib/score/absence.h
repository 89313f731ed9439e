/* absence: may a snapshot's silence about a kind be taken for "there is none"?
 *
 * A List, as kubectl prints it, does not name the kinds of which the cluster has nothing, so "no
 * PodDisruptionBudget in the snapshot" has two readings. The rule is in docs/scoring.md.
 */
#ifndef LOADLINE_SCORE_ABSENCE_H
#define LOADLINE_SCORE_ABSENCE_H

#include "kube/model.h"

/* True when the snapshot holds objects of that kind, or can be trusted to lack them. */
bool absence_counts(const struct cluster *cluster, enum kind kind);

/* The same for all pod-bearing kinds together: true when a selector that matches nothing in the
 * snapshot matches nothing in the cluster. */
bool absence_counts_for_pods(const struct cluster *cluster);

#endif
