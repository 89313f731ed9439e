#include "score/score.h"

#include "score/judge.h"
#include "score/ledger.h"

struct str decision_name(enum decision decision)
{
    static const char *const names[] = {"SAFE", "WARN", "BLOCK"};
    return str_of(names[decision]);
}

enum decision decision_of(int csc_score)
{
    return csc_score >= SCORE_SAFE   ? DECISION_SAFE
           : csc_score >= SCORE_WARN ? DECISION_WARN
                                     : DECISION_BLOCK;
}

struct score_policy score_policy_default(void)
{
    static struct str names[] = {
        {"kube-system", 11}, {"kube-public", 11}, {"kube-node-lease", 15}, {"loadline", 8}};
    return (struct score_policy){.system_namespaces = {names, sizeof names / sizeof *names}};
}

struct ledger *score(struct arena *arena, const struct cluster *cluster,
                     const struct score_policy *policy, int64_t time)
{
    struct findings *findings = judge_cluster(arena, cluster, policy, time);
    struct ledger *ledger = ledger_build(arena, findings);
    ledger->nodes = cluster->nodes.n;
    ledger->pods = cluster->pods.n;
    return ledger;
}
