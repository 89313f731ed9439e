/* Which signals become messages. */
#include "alert/signal.h"

enum { CHANGES = CHANGE_OWED /* of an app: only ends about the score are owed */ };

bool alert_rule_has_channel(const struct alert_rule *rule, struct str channel)
{
    struct str rest = rule->channels, word;
    if (!rule->channels.p)
        return true;
    while (str_next_word(&rest, &word))
        if (str_eq(word, channel))
            return true;
    return false;
}

/* By subject; of one subject what says most comes first: a start before a repeat before an end, a
 * rule that somebody made before the catch-all, the lowest threshold. */
static int by_subject_and_weight(const void *a, const void *b)
{
    const struct signal *x = a, *y = b;
    bool x_catches = str_eq(x->rule->id, STR(ALERT_CATCH_ALL_ID));
    bool y_catches = str_eq(y->rule->id, STR(ALERT_CATCH_ALL_ID));
    int order = str_cmp(x->subject, y->subject);
    if (order)
        return order;
    if (x->change != y->change)
        return x->change < y->change ? -1 : 1;
    if (x_catches != y_catches)
        return x_catches ? 1 : -1;
    if (x->rule->threshold != y->rule->threshold)
        return x->rule->threshold < y->rule->threshold ? -1 : 1;
    return str_cmp(x->rule->id, y->rule->id);
}

struct writing {
    struct arena *arena;
    const struct alert_setup *setup;
    const struct alert_facts *facts;
    int64_t time;
    struct str channel;
    bool *has; /* of each rule of the setup: the channel */
    struct alert_outcome *outcome;
    LIST(const struct signal *) apps[CHANGES]; /* chosen for this channel */
};

static bool is_for(const struct writing *w, const struct signal *signal)
{
    const struct alert_rule *rule = signal->rule;
    if (signal->channel.p)
        return str_eq(signal->channel, w->channel);
    return !rule->channels.p || w->has[rule - w->setup->rules.items];
}

/* Of signals about one subject the one that the channel gets; NULL: none. An end counts once
 * nothing about the subject lasts for this channel. */
static const struct signal *choose(const struct writing *w, const struct signal *signals, size_t n,
                                   bool *lasts)
{
    const struct signal *best = NULL;
    *lasts = false;
    for (size_t i = 0; i < n; i++) {
        if (!is_for(w, &signals[i]))
            continue;
        if (!best)
            best = &signals[i];
        *lasts |= signals[i].lasts;
    }
    if (!best || best->change == CHANGE_NONE || (best->change >= CHANGE_OVER && *lasts))
        return NULL;
    return best;
}

static struct alert_message *add_message(struct writing *w, struct str subject)
{
    LIST_PUT(w->outcome->messages, ((struct alert_message){.channel = w->channel,
                                                           .cluster_name = w->facts->cluster_name,
                                                           .subject = subject,
                                                           .time = w->time}));
    return &w->outcome->messages.items[w->outcome->messages.n - 1];
}

static void write_apps(struct writing *w, enum alert_change change)
{
    const struct signal *const *signals = w->apps[change].items;
    uint32_t n = w->apps[change].n;
    if (n > ALERT_APPS_MAX)
        alert_wording_of_many(w->arena, w->facts, signals, n, add_message(w, STR("")));
    for (uint32_t i = 0; n <= ALERT_APPS_MAX && i < n; i++)
        alert_wording_of(w->arena, w->facts, signals[i], w->time,
                         add_message(w, signals[i]->subject));
    w->apps[change].n = 0;
}

/* While something about the score lasts for the channel, the ends of the rest are owed to it. Once
 * nothing does, the one end that it gets now pays for all. Apps owe nothing: all rules about one
 * find the same. */
static void settle(struct writing *w, const struct signal *signals, size_t n, bool lasts)
{
    for (size_t i = 0; i < n; i++) {
        struct alert_owed end = {signals[i].rule->id, w->channel};
        if (signals[i].subject.n || !is_for(w, &signals[i]))
            continue;
        if (signals[i].change == CHANGE_OVER && lasts)
            LIST_PUT(w->outcome->owed, end);
        else if (signals[i].change == CHANGE_OWED && !lasts)
            LIST_PUT(w->outcome->paid, end);
    }
}

static void write_channel(struct writing *w, const signal_list *signals)
{
    bool lasts;
    for (uint32_t i = 0; i < w->setup->rules.n; i++)
        w->has[i] = alert_rule_has_channel(&w->setup->rules.items[i], w->channel);
    for (uint32_t first = 0, n; first < signals->n; first += n) {
        const struct signal *run = &signals->items[first];
        for (n = 1; first + n < signals->n && str_eq(run[n].subject, run->subject);)
            n++;
        const struct signal *chosen = choose(w, run, n, &lasts);
        settle(w, run, n, lasts);
        if (chosen && chosen->subject.n)
            LIST_PUT(w->apps[chosen->change], chosen);
        else if (chosen)
            alert_wording_of(w->arena, w->facts, chosen, w->time, add_message(w, chosen->subject));
    }
    for (int change = 0; change < CHANGES; change++)
        write_apps(w, (enum alert_change)change);
}

void alert_messages_of(struct arena *arena, const struct alert_setup *setup,
                       const struct alert_facts *facts, signal_list *signals, int64_t time,
                       struct alert_outcome *outcome)
{
    struct writing w = {
        .arena = arena, .setup = setup, .facts = facts, .time = time, .outcome = outcome};
    const struct signal *signal;
    uint32_t said = 0, over = 0;
    LIST_EACH (signal, *signals) {
        said += signal->change != CHANGE_NONE;
        over += signal->change == CHANGE_OVER && !signal->subject.n;
    }
    if (said == 0)
        return;
    LIST_SORT(*signals, by_subject_and_weight);
    for (int change = 0; change < CHANGES; change++)
        LIST_RESERVE(arena, w.apps[change], said);
    LIST_RESERVE(arena, outcome->owed, over * setup->channels.n);
    LIST_RESERVE(arena, outcome->messages, setup->channels.n * (1 + CHANGES * ALERT_APPS_MAX));
    w.has = ARENA_ARRAY(arena, setup->rules.n, bool);
    const struct str *channel;
    LIST_EACH (channel, setup->channels) {
        w.channel = *channel;
        write_channel(&w, signals);
    }
}
