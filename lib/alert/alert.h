/* alert: what is told to whom once a cluster has been judged. Pure: what was firing, the rules, the
 * facts and the time give what is firing now, and messages.
 *
 * An alert is a rule and a subject: the score of the cluster, or a deployment. It starts with the
 * first snapshot in which its condition holds, is told then and again every repeat_ms while it
 * lasts, and is over when the condition has not held for clear_ms; the end is told too. What nobody
 * could be told of (the cluster is silenced, the rule has no channel that is enabled) is told as
 * soon as somebody can be and it still lasts; an end during a silence is told after the silence. An
 * end that a channel does not get because another alert about the score lasts for it is owed: it is
 * told once nothing lasts there, also when that is because the other one's rule was deleted.
 *
 * Each rule about apps has an alert for each app that is degraded. Of ALERT_FIRING_MAX each rule
 * has an equal part; an app beyond it waits until another one's alert is over.
 *
 * docs/alerts.md has the cases.
 */
#ifndef LOADLINE_ALERT_ALERT_H
#define LOADLINE_ALERT_ALERT_H

#include "score/score.h"

enum {
    ALERT_SUBJECT_MAX = 512,
    ALERT_CATCH_ALL = SCORE_WARN, /* threshold of the rule that everybody has */
    ALERT_APPS_MAX = 5,           /* messages about apps for a channel; more become one */
    ALERT_FIRING_MAX = 5000       /* about apps of a cluster, of all its rules */
};

/* ---- what is asked ---- */

enum alert_kind { ALERT_SCORE_DROP, ALERT_DEGRADED_APP };
/* "score_drop", "degraded_app" */
struct str alert_kind_name(enum alert_kind kind);
bool alert_kind_find(struct str name, enum alert_kind *kind);

struct alert_rule {
    struct str id;
    enum alert_kind kind;
    int threshold;       /* of ALERT_SCORE_DROP: a score below it is too low */
    struct str channels; /* ids, separated by blanks; absent: all */
};

/* Only what is enabled and concerns this cluster. */
struct alert_setup {
    LIST(struct alert_rule) rules; /* the catch-all is not among them: it is always there */
    str_list channels;             /* ids */
    bool silenced;
    int64_t repeat_ms, clear_ms;
};

/* ---- what is ---- */

struct alert_app {
    struct str subject; /* NAMESPACE/NAME */
    bool known;         /* the snapshot tells its replicas */
    int64_t desired, available;
};

struct alert_facts {
    struct str cluster_name;
    int score;
    size_t risks;
    struct str verdict;          /* of the ledger; absent: not told */
    bool partial;                /* the score is of some namespaces only */
    bool apps_known;             /* a deployment that is not in apps does not exist */
    LIST(struct alert_app) apps; /* by subject, each once */
};

/* The facts of a judged cluster, as if it were shown whole; its apps only when some rule asks for
 * them. */
struct alert_facts alert_facts(struct arena *arena, struct str cluster_name,
                               const struct cluster *cluster, const struct ledger *ledger,
                               bool with_apps);

/* ---- what is firing ---- */

struct alert_state {
    struct str rule;     /* ALERT_CATCH_ALL_ID for the catch-all */
    struct str subject;  /* empty: the score */
    int64_t since;       /* when it started */
    int64_t sent;        /* the last message; TIME_NONE: nobody has been told */
    int64_t clear_since; /* since when the condition does not hold; TIME_NONE: it does */
};
typedef LIST(struct alert_state) alert_state_list;
#define ALERT_CATCH_ALL_ID UUID_NIL

/* An alert about the score that is over, and a channel that has not been told. */
struct alert_owed {
    struct str rule, channel; /* ids */
};
typedef LIST(struct alert_owed) alert_owed_list;

/* ---- what comes of it ---- */

enum alert_event {
    ALERT_EVENT_SCORE_DROP,
    ALERT_EVENT_DEGRADED_APP,
    ALERT_EVENT_SCORE_RECOVERED,
    ALERT_EVENT_APP_RECOVERED,
    ALERT_EVENT_TEST
};
struct str alert_event_name(enum alert_event event); /* "Score Drop" */

struct alert_message {
    struct str channel;      /* id */
    struct str cluster_name; /* absent: about no cluster (a test) */
    struct str subject; /* NAMESPACE/NAME of a deployment; empty: the score, or several of them */
    enum alert_event event;
    struct str title, detail;
    int64_t time;
};

struct alert_outcome {
    alert_state_list put, gone; /* states to write, and to forget */
    alert_owed_list owed, paid; /* ends to write, some of which may be known; and to forget */
    LIST(struct alert_message) messages;
};

/* states, owed: of this cluster, in any order. time: the snapshot's. Everything returned is in the
 * arena and may point into what was given. */
struct alert_outcome alert_judge(struct arena *arena, const struct alert_setup *setup,
                                 const struct alert_facts *facts, const alert_state_list *states,
                                 const alert_owed_list *owed, int64_t time);

/* What a test of a channel says. */
struct alert_message alert_test(struct arena *arena, struct str channel, struct str channel_name,
                                int64_t time);

#endif
