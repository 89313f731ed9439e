#include "store/alerting.h"

#include "alert/render.h"
#include "store/outbox.h"

enum { PUT_ARGS = 6, DROP_ARGS = 3 };

struct running {
    struct db *db;
    struct arena *arena;
    const struct alerting *a;
    struct alert_setup setup;
    enum alert_format *formats; /* one a channel of the setup */
    alert_state_list states;
};

/* ---- what is there ---- */

static void take_rule(struct running *run, const struct db_value *v)
{
    struct alert_rule rule = {
        .id = v[1].s, .threshold = (int)v[3].i, .channels = v[4].null ? (struct str){0} : v[4].s};
    if (alert_kind_find(v[2].s, &rule.kind))
        LIST_PUT(run->setup.rules, rule);
}

static void take_channel(struct running *run, const struct db_value *v)
{
    enum alert_format format;
    if (!alert_format_find(v[2].s, &format))
        return;
    run->formats[run->setup.channels.n] = format;
    LIST_PUT(run->setup.channels, v[1].s);
}

static enum error read_setup(struct running *run)
{
    struct db_rows rows;
    struct db_value name = db_text(run->a->cluster_name);
    enum error e = db_rows(run->db, run->arena, STMT_alert_setup,
                           DB_ARGS(name, db_time(run->a->taken), name), &rows);
    if (e)
        return e;
    run->setup.repeat_ms = run->a->repeat_ms;
    run->setup.clear_ms = run->a->clear_ms;
    run->setup.rules.n = run->setup.channels.n = (uint32_t)rows.n;
    LIST_ROOM(run->arena, run->setup.rules);
    LIST_ROOM(run->arena, run->setup.channels);
    run->formats = ARENA_ARRAY(run->arena, rows.n, enum alert_format);
    for (size_t i = 0; i < rows.n; i++) {
        const struct db_value *v = rows.items[i];
        if (str_eq(v[0].s, STR("rule")))
            take_rule(run, v);
        else if (str_eq(v[0].s, STR("channel")))
            take_channel(run, v);
        else
            run->setup.silenced = true;
    }
    return ERR_OK;
}

static enum error read_states(struct running *run)
{
    struct db_rows rows;
    enum error e =
        db_rows(run->db, run->arena, STMT_alert_states, DB_ARGS(db_uuid(run->a->cluster)), &rows);
    if (e)
        return e;
    run->states.n = (uint32_t)rows.n;
    LIST_ROOM(run->arena, run->states);
    for (size_t i = 0; i < rows.n; i++) {
        const struct db_value *v = rows.items[i];
        LIST_PUT(run->states, ((struct alert_state){v[0].s, v[1].s, v[2].i, v[3].i, v[4].i}));
    }
    return ERR_OK;
}

/* ---- what comes of it ---- */

static enum error put_states(struct running *run, const alert_state_list *states)
{
    struct db_value *args = ARENA_ARRAY(run->arena, states->n * PUT_ARGS, struct db_value);
    struct db_value *next = args;
    const struct alert_state *state;
    LIST_EACH (state, *states) {
        *next++ = db_uuid(run->a->cluster);
        *next++ = db_uuid(state->rule);
        *next++ = db_bytes(state->subject);
        *next++ = db_time(state->since);
        *next++ = db_time(state->sent);
        *next++ = db_time(state->clear_since);
    }
    return db_run_many(run->db, run->arena, STMT_alert_state_put, args, states->n);
}

static enum error drop_states(struct running *run, const alert_state_list *states)
{
    struct db_value *args = ARENA_ARRAY(run->arena, states->n * DROP_ARGS, struct db_value);
    struct db_value *next = args;
    const struct alert_state *state;
    LIST_EACH (state, *states) {
        *next++ = db_uuid(run->a->cluster);
        *next++ = db_uuid(state->rule);
        *next++ = db_bytes(state->subject);
    }
    return db_run_many(run->db, run->arena, STMT_alert_state_drop, args, states->n);
}

static enum alert_format format_of(const struct running *run, struct str channel)
{
    uint32_t i = 0;
    while (!str_eq(run->setup.channels.items[i], channel))
        i++;
    return run->formats[i];
}

static enum error queue(struct running *run, const struct alert_outcome *outcome)
{
    size_t n = outcome->messages.n;
    struct outbox_message *queued = ARENA_ARRAY(run->arena, n, struct outbox_message);
    for (size_t i = 0; i < n; i++) {
        const struct alert_message *message = &outcome->messages.items[i];
        queued[i] = (struct outbox_message){
            .channel = message->channel,
            .cluster_name = run->a->cluster_name,
            .event = alert_event_name(message->event),
            .title = message->title,
            .body = alert_render(run->arena, format_of(run, message->channel), message)};
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

enum error alerting_run(struct db *db, struct arena *arena, const struct alerting *alerting,
                        const struct cluster *cluster, const struct ledger *ledger)
{
    struct running run = {.db = db, .arena = arena, .a = alerting};
    enum error e = read_setup(&run);
    if (!e)
        e = read_states(&run);
    if (e)
        return e;
    struct alert_facts facts =
        alert_facts(arena, alerting->cluster_name, cluster, ledger, asks_for_apps(&run.setup));
    facts.partial = alerting->partial;
    struct alert_outcome outcome =
        alert_judge(arena, &run.setup, &facts, &run.states, alerting->taken);
    e = put_states(&run, &outcome.put);
    if (!e)
        e = drop_states(&run, &outcome.gone);
    return e ? e : queue(&run, &outcome);
}
