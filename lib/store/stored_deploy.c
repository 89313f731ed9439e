#include "store/stored_deploy.h"

#include "base/hex.h"
#include "service/crypt.h"

struct deploy_state_row {
    int64_t kept; /* rows of deploys, about */
    struct str state;
};
struct recent_deploy {
    int64_t at;
    struct str kind, namespace, name, event, changes;
};
struct deploy_decision {
    struct str id, target;
};

#define STATEMENTS "store/stored_deploy.def"
#include "db/statements.inc"

enum { DECISIONS_MAX = 500 }; /* of which one may be about a deploy */

/* ---- ids ---- */

static struct str uuid_text(struct arena *arena, const unsigned char bytes[16])
{
    char hex[33];
    hex_encode(bytes, 16, hex);
    return arena_printf(arena, "%.8s-%.4s-%.4s-%.4s-%.12s", hex, hex + 8, hex + 12, hex + 16,
                        hex + 20);
}

static bool uuid_bytes(struct str text, char bytes[DEPLOY_DECISION])
{
    size_t digits = 0;
    for (size_t i = 0; i < text.n; i++) {
        int digit = hex_digit(text.p[i]);
        if (digit < 0)
            continue;
        if (digits == 2 * (size_t)DEPLOY_DECISION)
            return false;
        int high = digits % 2 ? (unsigned char)bytes[digits / 2] << 4 : 0;
        bytes[digits / 2] = (char)(high | digit);
        digits++;
    }
    return digits == 2 * (size_t)DEPLOY_DECISION;
}

/* The same event has the same one (RFC 9562, version 8), and those of a snapshot sort as they are
 * told, whichever end the database compares first. */
static struct str id_of(struct arena *arena, const struct cluster_row *row,
                        const struct deploy_found *found, size_t nth)
{
    unsigned char id[CRYPT_DIGEST];
    struct str event = deploy_event_name(found->event);
    crypt_sha256(
        arena_printf(arena,
                     "%" STR_FMT "\n%lld\n%" STR_FMT "\n%" STR_FMT "\n%" STR_FMT "\n%" STR_FMT,
                     STR_ARG(row->id), (long long)row->taken, STR_ARG(event), STR_ARG(found->kind),
                     STR_ARG(found->namespace), STR_ARG(found->name)),
        id);
    id[0] = id[10] = (unsigned char)(nth >> 8);
    id[1] = id[11] = (unsigned char)nth;
    id[6] = (unsigned char)((id[6] & 0x0f) | 0x80);
    id[8] = (unsigned char)((id[8] & 0x3f) | 0x81); /* MariaDB refuses 0x80 here in this version */
    return uuid_text(arena, id);
}

/* ---- which decision it was ---- */

static struct str decided(const struct deploy_decision *decisions, size_t n,
                          const struct deploy_found *found)
{
    for (size_t i = 0; i < n; i++) {
        struct str line, rest;
        str_cut(decisions[i].target, '\n', &line, &rest);
        struct outcome_watch watch = {.before = workload_state_read(line)};
        if (outcome_is_about(&watch, found->kind, found->namespace, found->name))
            return decisions[i].id;
    }
    return (struct str){0};
}

static bool begins(enum deploy_event event)
{
    return event == DEPLOY_STARTED || event == DEPLOY_ROLLED_BACK;
}

/* How a rollout goes on belongs to the decision about its beginning, which the state remembers. */
static enum error decide(struct db *db, struct arena *arena, const struct cluster_row *row,
                         struct deploy_compared *compared, struct str *ids)
{
    struct deploy_decision *decisions;
    size_t n;
    enum error e =
        DB_ROWS(db, arena, &decisions, &n, deploy_decisions, .cluster = row->id,
                .from = row->taken - DEPLOY_DECIDED_MS, .to = row->taken, .limit = DECISIONS_MAX);
    for (uint32_t i = 0; !e && i < compared->found.n; i++) {
        const struct deploy_found *found = &compared->found.items[i];
        struct deploy_memory *memory = &compared->state.workloads.items[found->workload];
        bool goes_on = found->event == DEPLOY_FINISHED || found->event == DEPLOY_STALLED;
        if (goes_on && memory->has_decision)
            ids[i] = uuid_text(arena, (const unsigned char *)memory->decision);
        if (!goes_on)
            ids[i] = decided(decisions, n, found);
        if (begins(found->event))
            memory->has_decision = ids[i].p && uuid_bytes(ids[i], memory->decision);
    }
    return e;
}

/* ---- rows ---- */

static int64_t kept_number(int64_t n)
{
    return n == NUMBER_ABSENT ? -1 : n;
}

static enum error insert(struct db *db, struct arena *arena, struct cluster_row *row,
                         const struct deploy_compared *compared, const struct str *ids)
{
    uint32_t n = compared->found.n;
    struct deploy_insert_args *args = ARENA_ARRAY(arena, n, struct deploy_insert_args);
    for (uint32_t i = 0; i < n; i++) {
        const struct deploy_found *found = &compared->found.items[i];
        struct str changes = deploy_changes_text(arena, found->changes);
        args[i] = STMT_ARGS(deploy_insert, .cluster = row->id, .at = row->taken,
                            .deploy_id = id_of(arena, row, found, i), .kind = found->kind,
                            .namespace = found->namespace, .name = found->name,
                            .event = deploy_event_name(found->event), .changes = changes,
                            .images = found->images, .configuration = found->configs,
                            .replicas_from = kept_number(found->replicas_from),
                            .replicas_to = kept_number(found->replicas_to),
                            .revision = found->revision, .began_at = found->began,
                            .deployed_by = found->by, .cause = found->cause, .decision_id = ids[i]);
    }
    row->kept_bytes += (int64_t)n * DEPLOY_BYTES;
    return DB_RUN_MANY(db, arena, deploy_insert, args, n);
}

/* What maintenance has removed is still counted: it is counted anew before any goes. */
static enum error trim(struct db *db, struct arena *arena, struct str cluster, int64_t *kept)
{
    if (*kept <= DEPLOYS_KEPT_MAX)
        return ERR_OK;
    enum error e = DB_NUMBER(db, arena, kept, deploy_count, .cluster = cluster);
    if (e || *kept <= DEPLOYS_KEPT_MAX)
        return e;
    int64_t removed = *kept - DEPLOYS_KEPT_MAX + DEPLOYS_KEPT_MAX / 10;
    *kept -= removed;
    return DB_RUN(db, deploy_forget, .cluster = cluster, .removed = removed);
}

static enum error add(struct db *db, struct arena *arena, struct cluster_row *row,
                      struct deploy_compared *compared, int64_t *kept)
{
    if (!compared->found.n)
        return ERR_OK;
    struct str *ids = ARENA_ARRAY(arena, compared->found.n, struct str);
    enum error e = decide(db, arena, row, compared, ids);
    if (!e)
        e = insert(db, arena, row, compared, ids);
    *kept += compared->found.n;
    return e ? e : trim(db, arena, row->id, kept);
}

/* ---- a push ---- */

/* A time that lies further ahead than any that is set here a wrong clock has told. */
static bool is_due(const struct cluster_row *row)
{
    int64_t due = row->deploys_due;
    return due != TIME_NONE && (row->taken >= due || due > row->taken + DEPLOY_LOOK_MS);
}

enum error deploy_note(struct db *db, struct arena *arena, struct cluster_row *row,
                       const struct cluster *model, const struct workload_state *states,
                       int64_t before)
{
    struct deploy_scan scan = deploy_scan(arena, model, states);
    struct deploy_state_row *stored;
    struct deploy_state was;
    if (scan.hash == row->deploys_hash && !is_due(row))
        return ERR_OK;
    enum error e = DB_ROW(db, arena, &stored, deploy_state_fetch, .cluster = row->id);
    if (e)
        return e;
    int64_t kept = stored ? stored->kept : 0;
    bool known = stored && deploy_state_unpack(arena, stored->state, &was);
    struct deploy_compared compared =
        deploy_compare(arena, known ? &was : NULL, &scan, before, row->taken);
    e = add(db, arena, row, &compared, &kept);
    struct str state = deploy_state_pack(arena, &compared.state);
    if (!e && !(stored && str_eq(stored->state, state)))
        e = DB_RUN(db, deploy_state_put, .cluster = row->id, .kept = kept, .state = state);
    row->deploys_hash = scan.hash;
    row->deploys_due = deploy_state_due(&compared.state, row->taken);
    return e;
}

/* ---- read back ---- */

enum error deploy_recent(struct db *db, struct arena *arena, struct str cluster, int64_t time,
                         deployed_list *list)
{
    struct recent_deploy *rows;
    size_t n;
    enum error e = DB_ROWS(db, arena, &rows, &n, deploy_recent, .cluster = cluster,
                           .after = time - DEPLOYED_MS, .until = time);
    if (e)
        return e;
    LIST_RESERVE(arena, *list, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        struct deployed deployed = {.at = rows[i].at,
                                    .namespace = rows[i].namespace,
                                    .name = rows[i].name,
                                    .kind = kind_of_workload(rows[i].kind)};
        if (deployed_take(rows[i].event, rows[i].changes, &deployed))
            LIST_PUT(*list, deployed);
    }
    deployed_sort(list);
    return ERR_OK;
}

enum error deploy_list(struct db *db, struct arena *arena, const struct deploy_filter *f,
                       struct kept_deploys *deploys)
{
    return DB_ROWS(db, arena, &deploys->items, &deploys->n, deploy_list, .cluster = f->cluster,
                   .namespace = str_or_empty(f->namespace), .kind = str_or_empty(f->kind),
                   .name = str_or_empty(f->name), .event = str_or_empty(f->event), .from = f->from,
                   .to = f->to, .before = f->page.before, .before_id = f->page.before_id,
                   .limit = f->page.limit);
}
