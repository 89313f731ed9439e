/* Has anything changed that a summary tells? With most pushes nothing has: no text is made to see
 * it. */
#include "store/gate_summary.h"

#include "base/hash.h"

/* What was hashed lately, by its address: many risks have one message. */
enum { MESSAGES = 256 }; /* a power of two */
struct hashed_message {
    struct str text;
    uint64_t hash;
};

static uint64_t hash_message(struct hashed_message *messages, struct str text)
{
    struct hashed_message *known = &messages[hash_pointer(text.p) % MESSAGES];
    if (text.p != known->text.p || text.n != known->text.n)
        *known = (struct hashed_message){text, hash_bytes(0, text)};
    return known->hash;
}

static uint64_t hash_risk(uint64_t hash, const struct risk *risk, uint64_t message)
{
    const struct exemption *exemption = risk->exemption;
    uint64_t payer = risk->absorbed_by ? 1 + (uint64_t)(risk->absorbed_by - checks) : 0;
    struct {
        char id[RISK_ID_LEN];
        uint64_t message, numbers[3];
    } fixed = {.message = message,
               .numbers = {(uint64_t)risk->impact << 32 | risk->count,
                           (uint64_t)risk->would_cost << 32 | payer,
                           (uint64_t)risk->severity << 1 | risk->exempt}};
    memcpy(fixed.id, risk->id, sizeof fixed.id);
    hash = hash_bytes(hash, (struct str){(const char *)&fixed, sizeof fixed});
    if (risk->exempt_reason.n)
        hash = hash_bytes(hash, risk->exempt_reason);
    if (exemption) {
        hash = hash_bytes(hash, exemption->id);
        hash = hash_bytes(hash, exemption->owner);
        hash = hash_bytes(hash, (struct str){(const char *)&exemption->expires, sizeof(int64_t)});
    }
    return hash;
}

/* Which kinds put_hidden() may name. */
static uint64_t hash_lacking(uint64_t hash, const struct cluster *cluster)
{
    uint64_t lacking = 0;
    for (enum kind kind = KIND_NONE + 1; kind < KIND_COUNT; kind++)
        lacking |= (uint64_t)cluster_lacks(cluster, kind) << kind;
    return hash_bytes(hash, (struct str){(const char *)&lacking, sizeof lacking});
}

int64_t gate_summary_hash(struct arena *arena, const struct cluster *cluster,
                          const struct workload_state *states, const struct ledger *ledger,
                          struct str api_use, uint64_t links)
{
    struct hashed_message *messages = ARENA_ARRAY(arena, MESSAGES, struct hashed_message);
    const struct risk *risk;
    uint64_t hash = hash_bytes(hash_lacking(links, cluster), api_use);
    for (uint32_t i = 0; i < cluster->workloads.n; i++)
        if (workload_is_topmost(cluster->workloads.items[i]))
            hash = workload_state_hash(hash, &states[i]);
    LIST_EACH (risk, ledger->risks)
        hash = hash_risk(hash, risk, hash_message(messages, risk->message));
    return (int64_t)hash;
}

enum { COUNT_BITS = 16 };

int64_t gate_summary_name(int64_t stored, int64_t hash)
{
    const uint64_t counts = ((uint64_t)1 << COUNT_BITS) - 1, before = (uint64_t)stored;
    if ((before ^ (uint64_t)hash) >> COUNT_BITS == 0)
        return stored;
    return (int64_t)(((uint64_t)hash & ~counts) | ((before + 1) & counts));
}
