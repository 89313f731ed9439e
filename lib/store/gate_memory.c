#include "store/gate_memory.h"

#include <stdlib.h>

#include "base/asserts.h"
#include "base/hash.h"

enum { PLACES = 1024, TEXTS = 5, LARGEST_PART = 4 };

struct gate_memory {
    char cluster[UUID_TEXT_LEN];
    struct gate_summary summary; /* of texts, which follow */
    uint64_t connection;
    int64_t kept_at; /* when it was known that the risks are kept, if they are */
    size_t bytes;
    unsigned holders;
    bool dropped; /* freed when nobody holds it any more */
    char texts[];
};

static struct {
    struct gate_memory *places[PLACES]; /* by the cluster; of two that share one the newer stays */
    size_t bytes;
    size_t next; /* that goes when there is no room */
} kept;

size_t gate_memory_bytes(void)
{
    return kept.bytes;
}

static size_t place_of(struct str cluster)
{
    return hash_bytes(0, cluster) % PLACES;
}

static void drop(size_t place)
{
    struct gate_memory *memory = kept.places[place];
    kept.places[place] = NULL;
    if (!memory)
        return;
    kept.bytes -= memory->bytes;
    memory->dropped = true;
    if (memory->holders == 0)
        free(memory);
}

void gate_memory_release(void *arg)
{
    struct gate_memory *memory = arg;
    assert(memory->holders > 0);
    if (--memory->holders == 0 && memory->dropped)
        free(memory);
}

static struct gate_memory *find(struct str cluster)
{
    struct gate_memory *memory = kept.places[place_of(cluster)];
    bool is_it = memory && str_eq((struct str){memory->cluster, UUID_TEXT_LEN}, cluster);
    return is_it ? memory : NULL;
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

void gate_memory_keep(struct str cluster, uint64_t connection, int64_t now,
                      const struct gate_summary *summary)
{
    struct gate_summary copy = *summary;
    struct str *texts[TEXTS];
    size_t place = place_of(cluster), bytes = sizeof(struct gate_memory) + 1;
    texts_of(&copy, texts);
    for (size_t i = 0; i < TEXTS; i++)
        bytes += texts[i]->n;
    drop(place);
    struct gate_memory *memory =
        cluster.n == UUID_TEXT_LEN && bytes <= GATE_MEMORY_BYTES / LARGEST_PART ? malloc(bytes)
                                                                                : NULL;
    if (!memory)
        return;
    *memory = (struct gate_memory){
        .summary = copy, .bytes = bytes, .connection = connection, .kept_at = now};
    memcpy(memory->cluster, cluster.p, cluster.n);
    copy_texts(memory);
    for (; kept.bytes + bytes > GATE_MEMORY_BYTES; kept.next = (kept.next + 1) % PLACES)
        drop(kept.next);
    kept.places[place] = memory;
    kept.bytes += bytes;
}
