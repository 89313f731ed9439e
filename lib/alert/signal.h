/* signal: for the files of alert: where an alert stands after a snapshot, and what is to be said
 * of it. */
#ifndef LOADLINE_ALERT_SIGNAL_H
#define LOADLINE_ALERT_SIGNAL_H

#include "alert/alert.h"

/* What is worth saying more comes first. */
enum alert_change {
    CHANGE_START,
    CHANGE_REPEAT,
    CHANGE_OVER,
    CHANGE_OWED, /* it was over with an earlier snapshot, and one channel has not been told */
    CHANGE_NONE
};

struct signal {
    const struct alert_rule *rule;
    struct str subject;
    const struct alert_app *app; /* of a subject that is one; NULL: the snapshot does not have it */
    enum alert_change change;
    struct str channel; /* of CHANGE_OWED; absent: those of the rule */
    bool lasts;         /* it goes on firing, and its end will be told: somebody was told of it */
    int64_t since;
};
typedef LIST(struct signal) signal_list;

/* Does the rule go to this channel? */
bool alert_rule_has_channel(const struct alert_rule *rule, struct str channel);

/* The messages, and the ends that are owed and paid: of several signals about one subject a channel
 * gets the one that says most. Sorts the signals. */
void alert_messages_of(struct arena *arena, const struct alert_setup *setup,
                       const struct alert_facts *facts, signal_list *signals, int64_t time,
                       struct alert_outcome *outcome);

/* Event, title and detail of a signal, and of several (n > 1) about apps that changed alike. */
void alert_wording_of(struct arena *arena, const struct alert_facts *facts,
                      const struct signal *signal, int64_t time, struct alert_message *message);
void alert_wording_of_many(struct arena *arena, const struct alert_facts *facts,
                           const struct signal *const *signals, size_t n,
                           struct alert_message *message);

#endif
