#include "score/score.h"

#include "score/evidence.h"
#include "score/hazard.h"
#include "score/judge.h"
#include "score/ledger.h"
#include "score/verdict_memory.h"

int64_t score_rounded(int64_t formula, int64_t score_exact)
{
    return (score_exact + (formula == 1 ? 50 : 0)) / 100;
}

static uint64_t hash_number(uint64_t hash, uint64_t n)
{
    return str_hash(hash, (struct str){(const char *)&n, sizeof n});
}

static uint64_t hash_words(uint64_t hash, str_list words)
{
    const struct str *word;
    LIST_EACH (word, words)
        hash = hash_number(str_hash(hash, *word), word->n);
    return hash_number(hash, words.n);
}

static uint64_t hash_check(uint64_t hash, const struct check *check)
{
    const struct hazard *hazard = hazard_of(check);
    const uint64_t numbers[] = {check->category, check->severity,
                                check->subject,  check->cause,
                                check->kinds,    check->needs,
                                hazard->part,    hazard->least,
                                hazard->rank,    (uint64_t)(hazard->amount * 1000 + 0.5)};
    hash = str_hash(hash, str_of(check->id));
    return str_hash(hash, (struct str){(const char *)numbers, sizeof numbers});
}

static uint64_t hash_exemptions(uint64_t hash, const exemption_list *list)
{
    const struct exemption *exemption;
    LIST_EACH (exemption, *list) {
        hash = str_hash(hash, str_of(exemption->check->id));
        hash = hash_number(str_hash(hash, exemption->namespace), exemption->namespace.n);
        hash = hash_number(str_hash(hash, exemption->workload), (uint64_t)exemption->expires);
    }
    return hash;
}

/* Of what is the same for all: made once a process. */
static uint64_t hash_of_tables(void)
{
    static uint64_t made; /* 0: not yet */
    uint64_t hash = SCORE_FORMULA;
    if (made)
        return made;
    for (int i = 0; i < CHECK_COUNT; i++)
        hash = hash_check(hash, &checks[i]);
    for (int i = 0; i < EVIDENCE_COUNT; i++)
        hash = hash_number(hash, (uint64_t)(evidence[i].prior * 100 + 0.5));
    made = hash;
    return made;
}

int64_t score_version(const struct score_policy *policy)
{
    uint64_t hash = hash_of_tables();
    hash = hash_words(hash, policy->system_namespaces);
    hash = hash_words(hash, policy->trusted_registries);
    hash = hash_words(hash, policy->components);
    hash = hash_number(hash, (uint64_t)(policy->target.major * 1000 + policy->target.minor));
    hash = hash_number(hash, policy->all_namespaces);
    hash = hash_number(hash, policy->partial);
    hash = hash_exemptions(hash, &policy->exemptions);
    if (policy->deploys)
        hash = str_hash(hash, STR("deploys"));
    return (int64_t)hash_number(hash, policy->allow_exemptions);
}

/* The ledger that there would be if nothing were exempt. The findings themselves stay as they are.
 */
static struct ledger *bare_ledger(struct arena *arena, const struct findings *findings)
{
    struct findings bare = *findings;
    bare.items = ARENA_ARRAY(arena, bare.n, struct finding *);
    for (uint32_t i = 0; i < bare.n; i++) {
        bare.items[i] = arena_copy(arena, findings->items[i], sizeof **findings->items);
        bare.items[i]->exempt = false;
    }
    return ledger_build(arena, &bare);
}

static void price_exempt(struct arena *arena, struct ledger *ledger, const struct ledger *bare)
{
    risk_index index = risks_by_id(arena, bare->risks.items, bare->risks.n);
    for (uint32_t i = 0; i < ledger->risks.n; i++) {
        struct risk *risk = &ledger->risks.items[i];
        const struct risk *same = risk->exempt ? risk_same(&index, risk) : NULL;
        risk->would_cost = same ? same->impact : 0;
    }
}

struct ledger *score(struct arena *arena, const struct cluster *cluster,
                     const struct score_policy *policy, int64_t time)
{
    return score_again(arena, cluster, policy, time, NULL);
}

struct ledger *score_again(struct arena *arena, const struct cluster *cluster,
                           const struct score_policy *policy, int64_t time,
                           struct verdict_memory *memory)
{
    struct findings *findings = judge_cluster(arena, cluster, policy, time, memory);
    const struct ledger *bare = findings->any_exempt ? bare_ledger(arena, findings) : NULL;
    struct ledger *ledger = ledger_build(arena, findings);
    if (bare)
        price_exempt(arena, ledger, bare);
    ledger->nodes = cluster->nodes.n;
    ledger->pods = cluster->pods.n;
    ledger->shown = cluster->seen;
    ledger->unread = cluster->unread;
    verdict_recall_end(findings->recall, findings);
    return ledger;
}
