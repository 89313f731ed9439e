#include "store/alert_memory.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/rand.h"

#define STATEMENTS "store/alert_memory.def"
#include "db/statements.inc"

/* One block: the entry, its rules, channels and types, and their text. */
struct entry {
    int64_t revision, taken, kept;
    struct alert_known known;
    struct str cluster;
    char text[];
};

static struct entry *entries[ALERT_MEMORY_CLUSTERS];

static struct entry **place_of(struct str cluster)
{
    return &entries[hash_bytes(0, cluster) % ALERT_MEMORY_CLUSTERS];
}

bool alert_memory_find(struct str cluster, int64_t revision, int64_t taken, int64_t now,
                       struct alert_known *known)
{
    const struct entry *entry = *place_of(cluster);
    if (!revision || !entry || entry->revision != revision || !str_eq(entry->cluster, cluster) ||
        taken < entry->taken || now < entry->kept || now - entry->kept >= ALERT_MEMORY_MS)
        return false;
    *known = entry->known;
    return true;
}

static size_t text_bytes(const struct alert_known *known, struct str cluster)
{
    size_t bytes = cluster.n;
    const struct alert_rule *rule;
    const struct str *channel;
    LIST_EACH (rule, known->setup.rules)
        bytes += rule->id.n + rule->channels.n;
    LIST_EACH (channel, known->setup.channels)
        bytes += channel->n;
    return bytes;
}

/* An absent string stays absent. */
static struct str put(char **at, struct str text)
{
    struct str kept = {.p = text.p ? *at : NULL, .n = text.n};
    if (text.n)
        memcpy(*at, text.p, text.n);
    *at += text.n;
    return kept;
}

static void fill(struct entry *entry, struct str cluster, const struct alert_known *known)
{
    uint32_t rules = known->setup.rules.n, channels = known->setup.channels.n;
    struct alert_known *own = &entry->known;
    *own = *known;
    /* What wants most alignment first. */
    own->setup.rules.items = (struct alert_rule *)(void *)entry->text;
    own->setup.channels.items = (struct str *)(void *)(own->setup.rules.items + rules);
    own->types = (const struct channel_type **)(void *)(own->setup.channels.items + channels);
    char *at = (char *)(own->types + channels);
    for (uint32_t i = 0; i < rules; i++) {
        own->setup.rules.items[i] = known->setup.rules.items[i];
        own->setup.rules.items[i].id = put(&at, known->setup.rules.items[i].id);
        own->setup.rules.items[i].channels = put(&at, known->setup.rules.items[i].channels);
    }
    for (uint32_t i = 0; i < channels; i++) {
        own->setup.channels.items[i] = put(&at, known->setup.channels.items[i]);
        own->types[i] = known->types[i];
    }
    entry->cluster = put(&at, cluster);
}

void alert_memory_keep(struct str cluster, int64_t revision, int64_t taken, int64_t now,
                       const struct alert_known *known)
{
    struct entry **place = place_of(cluster);
    free(*place);
    *place = NULL;
    size_t bytes = sizeof **place + text_bytes(known, cluster) +
                   known->setup.rules.n * sizeof(struct alert_rule) +
                   known->setup.channels.n * (sizeof(struct str) + sizeof *known->types);
    assert(!known->setup.silenced);
    struct entry *entry = revision && bytes <= ALERT_MEMORY_BYTES_EACH ? calloc(1, bytes) : NULL;
    if (!entry)
        return;
    *entry = (struct entry){.revision = revision, .taken = taken, .kept = now};
    fill(entry, cluster, known);
    *place = entry;
}

/* Random, and not the next one: a database that is restored does not get one again that it had. */
enum error alert_setup_changed(struct db *db)
{
    int64_t revision = 0;
    rand_bytes(&revision, sizeof revision);
    revision &= INT64_MAX;
    return DB_RUN(db, alert_setup_changed, .alerting_revision = revision ? revision : 1);
}
