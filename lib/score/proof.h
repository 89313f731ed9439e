/* proof: which ConfigMaps and Secrets are there because pods run with them. */
#ifndef LOADLINE_SCORE_PROOF_H
#define LOADLINE_SCORE_PROOF_H

#include "score/check.h"

/* Made by judge_prepare(). */
struct proofs *proofs_build(struct arena *arena);

/* Does a pod of the workload run that could not have started without it? Whoever asks about one
 * workload several times in a row has its pods looked through once. */
bool proof_exists(const struct check_context *context, const struct workload *workload,
                  enum kind kind, struct str name);

#endif
