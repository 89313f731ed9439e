/* judging: how a request reads and judges a cluster: by the operator's policy, within a budget of
 * work and a deadline (kube/effort.h). */
#ifndef LOADLINE_WEB_JUDGING_H
#define LOADLINE_WEB_JUDGING_H

#include "kube/effort.h"
#include "score/policy.h"
#include "web/request.h"

struct judging {
    struct request *r;
    struct effort_limits limits;
    struct effort *effort; /* of the reading that is under way, or was the last; or NULL */
    int64_t deadline;      /* clock_monotonic() */
    enum error error;      /* of the work that is guarded */
};

/* Sets everything; the deadline counts from now. `judging` must not move. */
void judging_begin(struct judging *judging, struct request *r);

/* What the configuration says of judging. In the request's arena. */
struct score_policy judging_policy(struct request *r);

/* Does it say that what was deployed counts (deploy_recent())? */
bool judging_reads_deploys(const struct request *r);

/* Work that may take too much. It touches nothing but the arena, and what was deferred; it sets
 * judging->error. TOO_COMPLEX, with what took most, when it took too much. */
enum error judging_guard(struct judging *judging, void (*work)(void *context), void *context);

#endif
