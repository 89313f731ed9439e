#include "store/alerting.h"

#include "store/alert_memory.h"
#include "store/ended_alert.h"
#include "store/outbox.h"
#include "store/quota.h"

/* A rule, a channel, a silence, what is firing, an end that is owed, or the tenant's revision. */
struct setup_row {
    struct str what, id, kind;
    int64_t threshold; /* or the revision */
    struct str channels, subject;
    int64_t since, sent, clear_since;
};

#define STATEMENTS "store/alerting.def"
#include "db/statements.inc"

struct running {
    struct db *db;
    struct arena *arena;
    const struct alerting *a;
    struct alert_known known;
    alert_state_list states;
    alert_owed_list owed;
};

/* ---- what is there ---- */

static void take_rule(struct running *run, const struct setup_row *row)
{
    struct alert_rule rule = {
        .id = row->id, .threshold = (int)row->threshold, .channels = row->channels};
    if (alert_kind_find(row->kind, &rule.kind))
        LIST_PUT(run->known.setup.rules, rule);
}

static void take_channel(struct running *run, const struct setup_row *row)
{
    const struct channel_type *type = channel_type_find(row->kind);
    if (!type)
        return;
    run->known.types[run->known.setup.channels.n] = type;
    LIST_PUT(run->known.setup.channels, row->id);
}

static void take_state(struct running *run, const struct setup_row *row)
{
    LIST_PUT(run->states, ((struct alert_state){.rule = row->id,
                                                .subject = row->subject,
                                                .since = row->since,
                                                .sent = row->sent,
                                                .clear_since = row->clear_since}));
}

static void take_row(struct running *run, const struct setup_row *row, int64_t *revision)
{
    if (str_eq(row->what, STR("rule")))
        take_rule(run, row);
    else if (str_eq(row->what, STR("channel")))
        take_channel(run, row);
    else if (str_eq(row->what, STR("state")))
        take_state(run, row);
    else if (str_eq(row->what, STR("owed")))
        LIST_PUT(run->owed, ((struct alert_owed){row->id, row->channels}));
    else if (str_eq(row->what, STR("revision")))
        *revision = row->threshold;
    else
        run->known.setup.silenced = true;
}

/* All of it is of one moment: one statement reads it. */
static enum error read_setup(struct running *run)
{
    struct setup_row *rows;
    size_t n;
    int64_t revision = 0;
    enum error e = DB_ROWS(run->db, run->arena, &rows, &n, alert_setup, .cluster = run->a->cluster,
                           .cluster_name = run->a->cluster_name, .now = run->a->taken);
    if (e)
        return e;
    run->known.setup.rules.n = run->known.setup.channels.n = run->states.n = run->owed.n =
        (uint32_t)n;
    LIST_ROOM(run->arena, run->known.setup.rules);
    LIST_ROOM(run->arena, run->known.setup.channels);
    LIST_ROOM(run->arena, run->states);
    LIST_ROOM(run->arena, run->owed);
    run->known.types = ARENA_ARRAY(run->arena, n, const struct channel_type *);
    for (size_t i = 0; i < n; i++)
        take_row(run, &rows[i], &revision);
    if (!run->known.setup.silenced)
        alert_memory_keep(run->a->cluster, revision, run->a->taken, run->a->received, &run->known);
    return ERR_OK;
}

/* Of a calm cluster there is nothing to read but what the worker may know. */
static enum error find_setup(struct running *run)
{
    const struct alerting *a = run->a;
    enum error e = ERR_OK;
    if (!alert_memory_find(a->cluster, a->revision, a->taken, a->received, &run->known))
        e = read_setup(run);
    run->known.setup.repeat_ms = a->repeat_ms;
    run->known.setup.clear_ms = a->clear_ms;
    return e;
}

/* ---- what comes of it ---- */

static enum error put_states(struct running *run, const alert_state_list *states)
{
    struct alert_state_put_args *args =
        ARENA_ARRAY(run->arena, states->n, struct alert_state_put_args);
    for (uint32_t i = 0; i < states->n; i++) {
        const struct alert_state *state = &states->items[i];
        args[i] = STMT_ARGS(alert_state_put, .cluster = run->a->cluster, .rule_id = state->rule,
                            .subject = state->subject, .since = state->since,
                            .sent_at = state->sent, .clear_since = state->clear_since);
    }
    return DB_RUN_MANY(run->db, run->arena, alert_state_put, args, states->n);
}

static enum error drop_states(struct running *run, const alert_state_list *states)
{
    struct alert_state_drop_args *args =
        ARENA_ARRAY(run->arena, states->n, struct alert_state_drop_args);
    for (uint32_t i = 0; i < states->n; i++) {
        const struct alert_state *state = &states->items[i];
        args[i] = STMT_ARGS(alert_state_drop, .cluster = run->a->cluster, .rule_id = state->rule,
                            .subject = state->subject);
    }
    return DB_RUN_MANY(run->db, run->arena, alert_state_drop, args, states->n);
}

static enum error put_owed(struct running *run, const alert_owed_list *owed)
{
    struct owed_end_put_args *args = ARENA_ARRAY(run->arena, owed->n, struct owed_end_put_args);
    for (uint32_t i = 0; i < owed->n; i++)
        args[i] = STMT_ARGS(owed_end_put, .cluster = run->a->cluster,
                            .rule_id = owed->items[i].rule, .channel_id = owed->items[i].channel);
    return DB_RUN_MANY(run->db, run->arena, owed_end_put, args, owed->n);
}

static enum error drop_owed(struct running *run, const alert_owed_list *paid)
{
    struct owed_end_drop_args *args = ARENA_ARRAY(run->arena, paid->n, struct owed_end_drop_args);
    for (uint32_t i = 0; i < paid->n; i++)
        args[i] = STMT_ARGS(owed_end_drop, .cluster = run->a->cluster,
                            .rule_id = paid->items[i].rule, .channel_id = paid->items[i].channel);
    return DB_RUN_MANY(run->db, run->arena, owed_end_drop, args, paid->n);
}

static const struct channel_type *type_of(const struct running *run, struct str channel)
{
    uint32_t i = 0;
    while (!str_eq(run->known.setup.channels.items[i], channel))
        i++;
    return run->known.types[i];
}

static enum error queue(struct running *run, const struct alert_outcome *outcome, int64_t *kept)
{
    size_t n = outcome->messages.n;
    struct outbox_message *queued = ARENA_ARRAY(run->arena, n, struct outbox_message);
    for (size_t i = 0; i < n; i++) {
        const struct alert_message *message = &outcome->messages.items[i];
        queued[i] = (struct outbox_message){
            .channel = message->channel,
            .cluster_name = message->cluster_name,
            .event = alert_event_name(message->event),
            .title = message->title,
            .body = channel_type_render(run->arena, type_of(run, message->channel), message)};
        *kept += QUOTA_MESSAGE_BYTES + (int64_t)(queued[i].title.n + queued[i].body.n);
    }
    return outbox_add(run->db, run->arena, queued, n, run->a->received);
}

static bool asks_for_apps(const struct alert_setup *setup)
{
    const struct alert_rule *rule;
    LIST_EACH (rule, setup->rules)
        if (rule->kind == ALERT_DEGRADED_APP)
            return true;
    return false;
}

static int64_t ended_bytes(const alert_state_list *states)
{
    const struct alert_state *state;
    int64_t bytes = 0;
    LIST_EACH (state, *states)
        bytes += QUOTA_ENDED_BYTES + (int64_t)state->subject.n;
    return bytes;
}

enum error alerting_run(struct db *db, struct arena *arena, const struct alerting *alerting,
                        const struct cluster *cluster, const struct ledger *ledger, int64_t *kept,
                        bool *calm)
{
    struct running run = {.db = db, .arena = arena, .a = alerting};
    enum error e = find_setup(&run);
    if (e)
        return e;
    struct alert_facts facts = alert_facts(arena, alerting->cluster_name, cluster, ledger,
                                           asks_for_apps(&run.known.setup));
    facts.partial = alerting->partial;
    struct alert_outcome outcome =
        alert_judge(arena, &run.known.setup, &facts, &run.states, &run.owed, alerting->taken);
    *calm = !run.states.n && !run.owed.n && !outcome.put.n && !outcome.owed.n;
    e = put_states(&run, &outcome.put);
    if (!e)
        e = drop_states(&run, &outcome.gone);
    if (!e)
        e = put_owed(&run, &outcome.owed);
    if (!e)
        e = drop_owed(&run, &outcome.paid);
    if (!e)
        e = ended_alert_keep(db, arena, alerting->cluster, &run.known.setup, &outcome.gone,
                             alerting->taken);
    *kept += ended_bytes(&outcome.gone);
    return e ? e : queue(&run, &outcome, kept);
}
