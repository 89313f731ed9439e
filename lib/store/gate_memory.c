#include "store/gate_memory.h"

#include <stdlib.h>

#include "base/asserts.h"
#include "base/hash.h"
#include "score/result.h"

enum {
    WAYS = 8,
    PLACES = 512 * WAYS,
    TEXTS = 5,
    LARGEST_PART = 4,
    LOOKED_AT = 64,
    SEEN = 1024,
    PROBES = 8,
    TARGETS = 16
};

/* id: of the risk, as a number; it is a hash. */
struct seen {
    uint64_t id;
    int64_t first_seen; /* 0: there is none here */
};

struct target {
    struct str namespace, resource;
    struct gate_told told; /* of texts, which follow */
    size_t bytes;
    char texts[];
};

struct gate_memory {
    char cluster[UUID_TEXT_LEN];
    struct gate_summary summary; /* of texts, which follow */
    uint64_t connection;
    int64_t kept_at; /* when it was known that the risks are kept, if they are */
    int64_t used_at;
    size_t bytes;
    struct seen *seen;               /* SEEN of them; NULL: nothing is known yet */
    struct target *targets[TARGETS]; /* by their names; of two that share one the newer stays */
    unsigned holders;
    bool dropped; /* freed when nobody holds it any more */
    char texts[];
};

static struct {
    struct gate_memory *places[PLACES]; /* a cluster is in one of WAYS, by its id */
    size_t bytes;
    size_t told;   /* of them, those about targets */
    size_t next;   /* that goes when there is no room */
    size_t looked; /* at whose age is looked next */
} kept;

size_t gate_memory_bytes(void)
{
    return kept.bytes;
}

static size_t first_place_of(struct str cluster)
{
    return hash_bytes(0, cluster) % (PLACES / WAYS) * WAYS;
}

/* What a dropped memory had is not counted any more. */
static void forget_target(struct gate_memory *memory, size_t at)
{
    struct target *target = memory->targets[at];
    memory->targets[at] = NULL;
    if (target && !memory->dropped) {
        memory->bytes -= target->bytes;
        kept.bytes -= target->bytes;
        kept.told -= target->bytes;
    }
    free(target);
}

static void forget(struct gate_memory *memory)
{
    for (size_t i = 0; i < TARGETS; i++)
        forget_target(memory, i);
    free(memory->seen);
    free(memory);
}

static void drop(size_t place)
{
    struct gate_memory *memory = kept.places[place];
    kept.places[place] = NULL;
    if (!memory)
        return;
    kept.bytes -= memory->bytes;
    for (size_t i = 0; i < TARGETS; i++)
        kept.told -= memory->targets[i] ? memory->targets[i]->bytes : 0;
    memory->dropped = true;
    if (memory->holders == 0)
        forget(memory);
}

void gate_memory_release(void *arg)
{
    struct gate_memory *memory = arg;
    assert(memory->holders > 0);
    if (--memory->holders == 0 && memory->dropped)
        forget(memory);
}

static bool is_of(const struct gate_memory *memory, struct str cluster)
{
    return memory && str_eq((struct str){memory->cluster, UUID_TEXT_LEN}, cluster);
}

static struct gate_memory *find(struct str cluster)
{
    size_t first = first_place_of(cluster);
    for (size_t place = first; place < first + WAYS; place++)
        if (is_of(kept.places[place], cluster))
            return kept.places[place];
    return NULL;
}

/* Where the cluster is, or else what may be put in its place: nothing, or what was asked for least
 * recently. */
static size_t place_for(struct str cluster)
{
    size_t first = first_place_of(cluster), best = first;
    for (size_t place = first; place < first + WAYS; place++) {
        const struct gate_memory *memory = kept.places[place], *oldest = kept.places[best];
        if (is_of(memory, cluster))
            return place;
        if (oldest && (!memory || memory->used_at < oldest->used_at))
            best = place;
    }
    return best;
}

struct gate_memory *gate_memory_find(const struct cluster_row *cluster, uint64_t connection,
                                     int64_t now, struct gate_summary *summary)
{
    struct gate_memory *memory = find(cluster->id);
    if (!memory || memory->summary.hash != cluster->gate_summary_hash)
        return NULL;
    if (memory->summary.risks_kept &&
        (memory->connection != connection || now - memory->kept_at > GATE_MEMORY_KEPT_MS))
        return NULL;
    memory->holders++;
    memory->used_at = now;
    *summary = memory->summary;
    return memory;
}

void gate_memory_kept(struct str cluster, uint64_t connection, int64_t now, int64_t risks_hash)
{
    struct gate_memory *memory = find(cluster);
    if (!memory || memory->summary.risks_hash != risks_hash || memory->summary.risks_kept)
        return;
    memory->summary.risks_kept = true;
    memory->connection = connection;
    memory->kept_at = now;
}

static void texts_of(struct gate_summary *summary, struct str *texts[TEXTS])
{
    texts[0] = &summary->reasons;
    texts[1] = &summary->risks;
    texts[2] = &summary->workloads;
    texts[3] = &summary->api_use;
    texts[4] = &summary->scope;
}

static void copy_texts(struct gate_memory *memory)
{
    struct str *texts[TEXTS];
    char *p = memory->texts;
    texts_of(&memory->summary, texts);
    for (size_t i = 0; i < TEXTS; i++) {
        if (!texts[i]->p) /* it is absent, which is not the same as empty */
            continue;
        if (texts[i]->n)
            memcpy(p, texts[i]->p, texts[i]->n);
        texts[i]->p = p;
        p += texts[i]->n;
    }
}

/* Of some, so that all have been looked at before long: their clusters may be gone. */
static void drop_unused(int64_t now)
{
    for (size_t i = 0; i < LOOKED_AT; i++, kept.looked = (kept.looked + 1) % PLACES) {
        const struct gate_memory *memory = kept.places[kept.looked];
        if (memory && now - memory->used_at > GATE_MEMORY_UNUSED_MS)
            drop(kept.looked);
    }
}

void gate_memory_keep(struct str cluster, uint64_t connection, int64_t now,
                      const struct gate_summary *summary)
{
    struct gate_summary copy = *summary;
    struct str *texts[TEXTS];
    size_t place = place_for(cluster), bytes = sizeof(struct gate_memory) + 1;
    texts_of(&copy, texts);
    for (size_t i = 0; i < TEXTS; i++)
        bytes += texts[i]->n;
    drop(place);
    drop_unused(now);
    struct gate_memory *memory =
        cluster.n == UUID_TEXT_LEN && bytes <= GATE_MEMORY_BYTES / LARGEST_PART ? malloc(bytes)
                                                                                : NULL;
    if (!memory)
        return;
    *memory = (struct gate_memory){
        .summary = copy, .bytes = bytes, .connection = connection, .kept_at = now, .used_at = now};
    memcpy(memory->cluster, cluster.p, cluster.n);
    copy_texts(memory);
    for (; kept.bytes + bytes > GATE_MEMORY_BYTES; kept.next = (kept.next + 1) % PLACES)
        drop(kept.next);
    kept.places[place] = memory;
    kept.bytes += bytes;
}

/* ---- when risks were first seen ---- */

/* Where the risk is, or may be put: in one of a few places, of which an earlier one goes when all
 * are taken. */
static struct seen *place_of_seen(struct seen *seen, uint64_t id)
{
    for (size_t i = 0; i < PROBES; i++) {
        struct seen *at = &seen[(id + i) % SEEN];
        if (at->id == id || !at->first_seen)
            return at;
    }
    return &seen[id % SEEN];
}

bool gate_memory_first_seen(const struct gate_memory *memory, struct str id, int64_t *first_seen)
{
    uint64_t number;
    if (!memory->seen || !risk_id_parse(id, &number))
        return false;
    const struct seen *at = place_of_seen(memory->seen, number);
    if (at->id != number || !at->first_seen)
        return false;
    *first_seen = at->first_seen;
    return true;
}

static bool make_room_for_seen(struct gate_memory *memory)
{
    size_t bytes = SEEN * sizeof *memory->seen;
    if (memory->seen)
        return true;
    if (memory->dropped || kept.bytes + bytes > GATE_MEMORY_BYTES)
        return false;
    memory->seen = calloc(SEEN, sizeof *memory->seen);
    if (!memory->seen)
        return false;
    memory->bytes += bytes;
    kept.bytes += bytes;
    return true;
}

void gate_memory_note_first_seen(struct gate_memory *memory, struct str id, int64_t first_seen)
{
    uint64_t number;
    if (first_seen == TIME_NONE || !risk_id_parse(id, &number) || !make_room_for_seen(memory))
        return;
    *place_of_seen(memory->seen, number) = (struct seen){number, first_seen};
}

/* ---- what answers tell of targets ---- */

static size_t place_of_target(struct str namespace, struct str resource)
{
    return hash_bytes(hash_bytes(0, namespace), resource) % TARGETS;
}

bool gate_memory_told(const struct gate_memory *memory, struct str namespace, struct str resource,
                      struct gate_told *told)
{
    const struct target *target = memory->targets[place_of_target(namespace, resource)];
    if (!target || !str_eq(target->namespace, namespace) || !str_eq(target->resource, resource))
        return false;
    *told = target->told;
    return true;
}

static struct str copy_text(char **p, struct str text)
{
    char *copy = *p;
    if (text.n)
        memcpy(copy, text.p, text.n);
    *p += text.n;
    return (struct str){copy, text.n};
}

void gate_memory_note_told(struct gate_memory *memory, struct str namespace, struct str resource,
                           const struct gate_told *told)
{
    size_t at = place_of_target(namespace, resource);
    size_t bytes = sizeof(struct target) + namespace.n + resource.n + told->state.n + told->risks.n;
    forget_target(memory, at);
    bool room = !memory->dropped && kept.bytes + bytes <= GATE_MEMORY_BYTES &&
                kept.told + bytes <= GATE_MEMORY_BYTES / LARGEST_PART;
    struct target *target = room ? malloc(bytes) : NULL;
    if (!target)
        return;
    char *p = target->texts;
    *target = (struct target){.told = *told, .bytes = bytes};
    target->namespace = copy_text(&p, namespace);
    target->resource = copy_text(&p, resource);
    target->told.state = copy_text(&p, told->state);
    target->told.risks = copy_text(&p, told->risks);
    memory->targets[at] = target;
    memory->bytes += bytes;
    kept.bytes += bytes;
    kept.told += bytes;
}
