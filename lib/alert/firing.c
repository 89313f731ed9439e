/* Which alerts start, go on and end with a snapshot. */
#include "alert/signal.h"

static const struct alert_rule catch_all = {
    .id = {ALERT_CATCH_ALL_ID, sizeof ALERT_CATCH_ALL_ID - 1},
    .kind = ALERT_SCORE_DROP,
    .threshold = ALERT_CATCH_ALL};

/* ---- one alert ---- */

struct judging {
    const struct alert_setup *setup;
    const struct alert_facts *facts;
    alert_state_list states; /* by rule and subject */
    uint32_t next;           /* the first of them that no rule has looked at yet */
    uint32_t part;           /* alerts about apps that a rule may have */
    bool has_channel;        /* the rule at hand; one that is enabled */
    int64_t time;
    struct alert_outcome outcome;
    signal_list signals;
};

enum holding { HOLDS, HOLDS_NOT, UNKNOWN /* the snapshot does not tell: all stays as it is */ };

static bool has_channel(const struct alert_setup *setup, const struct alert_rule *rule)
{
    const struct str *channel;
    LIST_EACH (channel, setup->channels)
        if (alert_rule_has_channel(rule, *channel))
            return true;
    return false;
}

static enum alert_change change_while_holding(const struct judging *j,
                                              const struct alert_state *state)
{
    if (state->sent == TIME_NONE)
        return CHANGE_START;
    return j->time - state->sent >= j->setup->repeat_ms ? CHANGE_REPEAT : CHANGE_NONE;
}

/* Moves state on. *lasts: it goes on firing. */
static enum alert_change advance(const struct judging *j, struct alert_state *state,
                                 enum holding holding, bool *lasts)
{
    *lasts = true;
    if (holding == UNKNOWN)
        return CHANGE_NONE;
    if (holding == HOLDS) {
        state->clear_since = TIME_NONE;
        return change_while_holding(j, state);
    }
    if (state->clear_since == TIME_NONE)
        state->clear_since = j->time;
    *lasts = j->time - state->clear_since < j->setup->clear_ms;
    return *lasts || state->sent == TIME_NONE ? CHANGE_NONE : CHANGE_OVER;
}

/* Nobody can be told: a start or a repeat waits, and so does an end while the cluster is silenced.
 */
static enum alert_change hold_back(const struct judging *j, enum alert_change change, bool *lasts)
{
    if (change == CHANGE_NONE || (!j->setup->silenced && j->has_channel))
        return change;
    if (change == CHANGE_OVER && j->setup->silenced)
        *lasts = true;
    return CHANGE_NONE;
}

/* A time that has not come is of a clock that was set back since: nothing waits for it. */
static struct alert_state as_of(const struct alert_state *old, int64_t time)
{
    struct alert_state state = *old;
    if (state.since > time)
        state.since = time;
    if (state.sent > time)
        state.sent = time;
    if (state.clear_since > time)
        state.clear_since = time;
    return state;
}

static bool is_same(const struct alert_state *a, const struct alert_state *b)
{
    return a->since == b->since && a->sent == b->sent && a->clear_since == b->clear_since;
}

/* old: NULL when it was not firing. app: the subject, when that is one and the snapshot has it. */
static void judge_alert(struct judging *j, const struct alert_rule *rule,
                        const struct alert_state *old, struct str subject, enum holding holding,
                        const struct alert_app *app)
{
    bool lasts;
    struct alert_state state = {rule->id, subject, j->time, TIME_NONE, TIME_NONE};
    if (!old && holding != HOLDS)
        return;
    if (old)
        state = as_of(old, j->time);
    enum alert_change change = advance(j, &state, holding, &lasts);
    change = hold_back(j, change, &lasts);
    if (change == CHANGE_START || change == CHANGE_REPEAT)
        state.sent = j->time;
    if (!lasts)
        LIST_PUT(j->outcome.gone, state);
    else if (!old || !is_same(old, &state))
        LIST_PUT(j->outcome.put, state);
    LIST_PUT(j->signals, ((struct signal){.rule = rule,
                                          .subject = subject,
                                          .app = app,
                                          .change = change,
                                          .lasts = lasts && state.sent != TIME_NONE,
                                          .since = state.since}));
}

/* ---- all of a rule ---- */

static void judge_score(struct judging *j, const struct alert_rule *rule,
                        const alert_state_list *states)
{
    judge_alert(j, rule, states->n ? states->items : NULL, STR(""),
                j->facts->score < rule->threshold ? HOLDS : HOLDS_NOT, NULL);
}

static enum holding holding_of(const struct alert_app *app)
{
    if (!app->known)
        return UNKNOWN;
    return app->desired > 0 && app->available == 0 ? HOLDS : HOLDS_NOT;
}

static void judge_new_app(struct judging *j, const struct alert_rule *rule,
                          const struct alert_app *app, uint32_t *room)
{
    if (holding_of(app) != HOLDS || *room == 0)
        return;
    --*room;
    judge_alert(j, rule, NULL, app->subject, HOLDS, app);
}

/* Both lists are in the order of subjects. */
static void judge_apps(struct judging *j, const struct alert_rule *rule,
                       const alert_state_list *states)
{
    enum holding missing = j->facts->apps_known ? HOLDS_NOT : UNKNOWN;
    uint32_t a = 0, s = 0, room = j->part > states->n ? j->part - states->n : 0;
    while (a < j->facts->apps.n || s < states->n) {
        const struct alert_app *app = a < j->facts->apps.n ? &j->facts->apps.items[a] : NULL;
        const struct alert_state *state = s < states->n ? &states->items[s] : NULL;
        int order = !app ? 1 : !state ? -1 : str_cmp(app->subject, state->subject);
        if (order > 0)
            judge_alert(j, rule, state, state->subject, missing, NULL);
        else if (order < 0)
            judge_new_app(j, rule, app, &room);
        else
            judge_alert(j, rule, state, app->subject, holding_of(app), app);
        a += order <= 0;
        s += order >= 0;
    }
}

static int by_rule_and_subject(const void *a, const void *b)
{
    const struct alert_state *x = a, *y = b;
    int order = str_cmp(x->rule, y->rule);
    return order ? order : str_cmp(x->subject, y->subject);
}

static int by_id(const void *a, const void *b)
{
    const struct alert_rule *const *x = a, *const *y = b;
    return str_cmp((*x)->id, (*y)->id);
}

/* The next states, up to those of `rule`, belong to no rule: it was deleted or switched off, or is
 * about other clusters now. Nobody is told. NULL: all that are left. */
static void drop_orphans(struct judging *j, const struct alert_rule *rule)
{
    while (j->next < j->states.n && (!rule || str_cmp(j->states.items[j->next].rule, rule->id) < 0))
        LIST_PUT(j->outcome.gone, j->states.items[j->next++]);
}

static alert_state_list take_states(struct judging *j, const struct alert_rule *rule)
{
    alert_state_list taken = {0};
    drop_orphans(j, rule);
    if (j->next < j->states.n)
        taken.items = &j->states.items[j->next];
    while (j->next < j->states.n && str_eq(j->states.items[j->next].rule, rule->id)) {
        taken.n++;
        j->next++;
    }
    return taken;
}

static void judge_rule(struct judging *j, const struct alert_rule *rule)
{
    alert_state_list states = take_states(j, rule);
    j->has_channel = has_channel(j->setup, rule);
    if (rule->kind == ALERT_SCORE_DROP)
        judge_score(j, rule, &states);
    else
        judge_apps(j, rule, &states);
}

/* ---- what is owed ---- */

static const struct alert_rule *rule_of(const struct alert_setup *setup, struct str id)
{
    const struct alert_rule *rule;
    if (str_eq(id, catch_all.id))
        return &catch_all;
    LIST_EACH (rule, setup->rules)
        if (str_eq(rule->id, id))
            return rule;
    return NULL;
}

static bool is_enabled(const struct alert_setup *setup, struct str id)
{
    const struct str *channel;
    LIST_EACH (channel, setup->channels)
        if (str_eq(*channel, id))
            return true;
    return false;
}

/* As any other end, it is for who is a channel of the rule now. No duration: when the score was
 * good again is not known. */
static void judge_owed(struct judging *j, const alert_owed_list *owed)
{
    const struct alert_owed *end;
    LIST_EACH (end, *owed) {
        const struct alert_rule *rule = rule_of(j->setup, end->rule);
        if (!rule || !alert_rule_has_channel(rule, end->channel) ||
            !is_enabled(j->setup, end->channel))
            LIST_PUT(j->outcome.paid, *end);
        else if (!j->setup->silenced)
            LIST_PUT(j->signals, ((struct signal){.rule = rule,
                                                  .subject = STR(""),
                                                  .change = CHANGE_OWED,
                                                  .channel = end->channel,
                                                  .since = j->time}));
    }
}

/* ---- all ---- */

static void make_room(struct arena *arena, struct judging *j, const alert_state_list *states,
                      const alert_owed_list *owed)
{
    uint32_t degraded = 0, rules = 0, most = states->n + 1;
    const struct alert_app *app;
    const struct alert_rule *rule;
    LIST_EACH (app, j->facts->apps)
        degraded += holding_of(app) == HOLDS;
    LIST_EACH (rule, j->setup->rules)
        rules += rule->kind == ALERT_DEGRADED_APP;
    j->part = ALERT_FIRING_MAX / (rules ? rules : 1);
    degraded = degraded < j->part ? degraded : j->part;
    most += j->setup->rules.n - rules + rules * degraded;
    LIST_RESERVE(arena, j->outcome.put, most);
    LIST_RESERVE(arena, j->outcome.gone, most);
    LIST_RESERVE(arena, j->outcome.paid, owed->n);
    LIST_RESERVE(arena, j->signals, most + owed->n);
    LIST_RESERVE(arena, j->states, states->n);
    for (uint32_t i = 0; i < states->n; i++)
        LIST_PUT(j->states, states->items[i]);
    LIST_SORT(j->states, by_rule_and_subject);
}

struct alert_outcome alert_judge(struct arena *arena, const struct alert_setup *setup,
                                 const struct alert_facts *facts, const alert_state_list *states,
                                 const alert_owed_list *owed, int64_t time)
{
    struct judging j = {.setup = setup, .facts = facts, .time = time};
    size_t n = setup->rules.n + 1;
    const struct alert_rule **rules = ARENA_ARRAY(arena, n, const struct alert_rule *);
    make_room(arena, &j, states, owed);
    rules[0] = &catch_all;
    for (size_t i = 1; i < n; i++)
        rules[i] = &setup->rules.items[i - 1];
    qsort(rules, n, sizeof *rules, by_id);
    for (size_t i = 0; i < n; i++)
        judge_rule(&j, rules[i]);
    drop_orphans(&j, NULL);
    judge_owed(&j, owed);
    alert_messages_of(arena, setup, facts, &j.signals, time, &j.outcome);
    return j.outcome;
}
