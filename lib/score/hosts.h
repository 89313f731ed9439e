/* hosts: which ingresses ask for which host and path. */
#ifndef LOADLINE_SCORE_HOSTS_H
#define LOADLINE_SCORE_HOSTS_H

#include "score/check.h"

/* Made by judge_prepare(). */
struct hosts *hosts_build(struct arena *arena, const struct cluster *cluster);

/* Another ingress of the same class that claims this host and path of the ingress; NULL: none.
 * Paths of type Exact and others do not meet. A canary of the NGINX controller claims nothing: it
 * is there to share. */
const struct ingress *hosts_rival(const struct check_context *context,
                                  const struct ingress *ingress, const struct ingress_rule *rule,
                                  const struct ingress_path *path);

#endif
