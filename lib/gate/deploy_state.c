#include "gate/deploy_state.h"

#include "codec/varint.h"
#include "gate/outcome.h"

/* ---- bytes: VERSION, the number of workloads, these, the number of configs, these ----
 *
 * A workload is a byte of flags, its key and version, and what its flags say is there. */

enum {
    VERSION = 1, /* another one when hashes or what they are of become others */
    WORD = 8,
    MEMORY_MAX = 96,
    HAS_PREVIOUS = 1,
    HAS_CAUSE = 2,
    HAS_DECISION = 4,
    PHASE = 8, /* times that */
    KIND = 32  /* likewise */
};

static void put_word(struct buf *out, uint64_t n)
{
    char bytes[WORD];
    for (size_t i = 0; i < WORD; i++)
        bytes[i] = (char)(n >> (8 * i));
    buf_put(out, (struct str){bytes, WORD});
}

static bool take_word(struct str *bytes, uint64_t *n)
{
    *n = 0;
    if (bytes->n < WORD)
        return false;
    for (size_t i = 0; i < WORD; i++)
        *n |= (uint64_t)(unsigned char)bytes->p[i] << (8 * i);
    *bytes = str_sub(*bytes, WORD, bytes->n);
    return true;
}

static void put_version(struct buf *out, struct workload_version version)
{
    put_word(out, version.revision);
    put_word(out, version.images);
}

static bool take_version(struct str *bytes, struct workload_version *version)
{
    return take_word(bytes, &version->revision) && take_word(bytes, &version->images);
}

static void put_memory(struct buf *out, const struct deploy_memory *m)
{
    bool previous = m->previous.revision || m->previous.images;
    bool decision = m->has_decision && m->phase != DEPLOY_IDLE;
    buf_putc(out, (char)((previous ? HAS_PREVIOUS : 0) | (m->cause ? HAS_CAUSE : 0) |
                         (decision ? HAS_DECISION : 0) | (unsigned)m->phase * PHASE |
                         (unsigned)m->kind * KIND));
    put_word(out, m->key);
    put_version(out, m->version);
    varint_put(out, m->replicas >= 0 ? (uint64_t)m->replicas + 1 : 0);
    if (previous)
        put_version(out, m->previous);
    if (m->cause)
        put_word(out, m->cause);
    if (m->phase != DEPLOY_IDLE)
        varint_put(out, m->began > 0 ? (uint64_t)m->began : 0);
    if (decision)
        buf_put(out, (struct str){m->decision, DEPLOY_DECISION});
}

static bool take_decision(struct str *bytes, struct deploy_memory *m)
{
    if (bytes->n < DEPLOY_DECISION)
        return false;
    m->has_decision = true;
    memcpy(m->decision, bytes->p, DEPLOY_DECISION);
    *bytes = str_sub(*bytes, DEPLOY_DECISION, bytes->n);
    return true;
}

static bool take_memory(struct str *bytes, struct deploy_memory *m)
{
    uint64_t n;
    *m = (struct deploy_memory){.replicas = NUMBER_ABSENT, .began = TIME_NONE};
    if (!bytes->n)
        return false;
    unsigned flags = (unsigned char)bytes->p[0];
    *bytes = str_sub(*bytes, 1, bytes->n);
    unsigned phase = flags % KIND / PHASE, kind = flags / KIND;
    if (phase >= DEPLOY_PHASES || kind >= DEPLOY_KINDS || !take_word(bytes, &m->key) ||
        !take_version(bytes, &m->version) || !varint_take(bytes, INT64_MAX, &n))
        return false;
    m->phase = (enum deploy_phase)phase;
    m->kind = (enum deploy_kind)kind;
    if (n)
        m->replicas = (int64_t)n - 1;
    if ((flags & HAS_PREVIOUS && !take_version(bytes, &m->previous)) ||
        (flags & HAS_CAUSE && !take_word(bytes, &m->cause)))
        return false;
    if (m->phase != DEPLOY_IDLE) {
        if (!varint_take(bytes, INT64_MAX, &n))
            return false;
        m->began = (int64_t)n;
    }
    return !(flags & HAS_DECISION) || take_decision(bytes, m);
}

struct str deploy_state_pack(struct arena *arena, const struct deploy_state *state)
{
    size_t most =
        ((size_t)state->workloads.n + 1) * MEMORY_MAX + ((size_t)state->configs.n + 1) * 2 * WORD;
    struct buf out = buf_init(arena, most);
    const struct deploy_memory *memory;
    const struct deploy_config_memory *config;
    buf_putc(&out, VERSION);
    varint_put(&out, state->workloads.n);
    LIST_EACH (memory, state->workloads)
        put_memory(&out, memory);
    varint_put(&out, state->configs.n);
    LIST_EACH (config, state->configs) {
        put_word(&out, config->key);
        put_word(&out, config->version);
    }
    assert(!out.full);
    return buf_str(&out);
}

bool deploy_state_unpack(struct arena *arena, struct str bytes, struct deploy_state *state)
{
    uint64_t n;
    *state = (struct deploy_state){.workloads = {0}};
    if (!bytes.n || bytes.p[0] != VERSION)
        return false;
    bytes = str_sub(bytes, 1, bytes.n);
    if (!varint_take(&bytes, DEPLOY_WORKLOADS_MAX, &n))
        return false;
    LIST_RESERVE(arena, state->workloads, (uint32_t)n);
    for (; n > 0; n--) {
        struct deploy_memory memory;
        if (!take_memory(&bytes, &memory))
            return false;
        LIST_PUT(state->workloads, memory);
    }
    if (!varint_take(&bytes, DEPLOY_CONFIGS_MAX, &n))
        return false;
    LIST_RESERVE(arena, state->configs, (uint32_t)n);
    for (; n > 0; n--) {
        struct deploy_config_memory config;
        if (!take_word(&bytes, &config.key) || !take_word(&bytes, &config.version))
            return false;
        LIST_PUT(state->configs, config);
    }
    return bytes.n == 0;
}

/* ---- when to look again ---- */

int64_t deploy_state_due(const struct deploy_state *state, int64_t taken)
{
    int64_t due = TIME_NONE;
    const struct deploy_memory *memory;
    LIST_EACH (memory, state->workloads) {
        if (memory->phase == DEPLOY_ROLLING && taken - memory->began <= OUTCOME_FINISH_MS)
            return taken;
        if (memory->phase != DEPLOY_IDLE)
            due = taken + DEPLOY_LOOK_MS;
    }
    return due;
}
