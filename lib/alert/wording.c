/* What messages say. */
#include "alert/signal.h"
#include "base/buf.h"

enum { LISTED_MAX = 10, LISTED_NAME_MAX = 120 };

/* With "?" for what would break a line, or let a name look like another. */
static struct str printable(struct arena *arena, struct str s)
{
    struct buf out = buf_init(arena, s.n);
    while (s.n) {
        size_t n = str_utf8_length(s);
        if (str_visible_length(s))
            buf_put(&out, str_sub(s, 0, n));
        else
            buf_putc(&out, '?');
        s = str_sub(s, n ? n : 1, s.n);
    }
    return buf_str(&out);
}

static struct str duration(struct arena *arena, int64_t ms)
{
    char text[CLOCK_TEXT_SIZE];
    return arena_str(arena, clock_format_age(ms, text));
}

/* ---- the score ---- */

static void word_score(struct arena *arena, const struct alert_facts *facts,
                       const struct signal *signal, int64_t time, struct alert_message *message)
{
    static const char *const verbs[] = {[CHANGE_START] = "dropped to",
                                        [CHANGE_REPEAT] = "is still at",
                                        [CHANGE_OVER] = "recovered to",
                                        [CHANGE_OWED] = "recovered to"};
    bool over = signal->change >= CHANGE_OVER;
    message->event = over ? ALERT_EVENT_SCORE_RECOVERED : ALERT_EVENT_SCORE_DROP;
    message->title = arena_printf(arena, "Cluster %" STR_FMT " CSC score %s %d (threshold: %d)",
                                  STR_ARG(facts->cluster_name), verbs[signal->change], facts->score,
                                  signal->rule->threshold);
    message->detail = arena_printf(arena, "%zu active risk%s detected", facts->risks,
                                   facts->risks == 1 ? "" : "s");
    if (time > signal->since)
        message->detail = arena_printf(arena, "%" STR_FMT "; %sbelow the threshold for %" STR_FMT,
                                       STR_ARG(message->detail), over ? "it was " : "",
                                       STR_ARG(duration(arena, time - signal->since)));
    if (facts->verdict.n)
        message->detail = arena_printf(arena, "%" STR_FMT ". %" STR_FMT, STR_ARG(message->detail),
                                       STR_ARG(printable(arena, facts->verdict)));
    else if (facts->partial)
        message->detail =
            arena_printf(arena, "%" STR_FMT "; namespaces shown only", STR_ARG(message->detail));
}

/* ---- apps ---- */

/* What follows "Deployment shop/api ". */
static struct str app_predicate(struct arena *arena, const struct signal *signal,
                                struct str cluster_name)
{
    const struct alert_app *app = signal->app;
    const char *predicate = "has no available replicas";
    if (signal->change == CHANGE_OVER && !app)
        return arena_printf(arena, "is gone from cluster %" STR_FMT, STR_ARG(cluster_name));
    if (signal->change == CHANGE_REPEAT)
        predicate = "still has no available replicas";
    else if (signal->change == CHANGE_OVER)
        predicate = app->desired > 0 ? "is available again" : "was scaled to zero";
    return arena_printf(arena, "in cluster %" STR_FMT " %s", STR_ARG(cluster_name), predicate);
}

static struct str app_detail(struct arena *arena, const struct signal *signal, int64_t time)
{
    const struct alert_app *app = signal->app;
    struct str lasted = duration(arena, time - signal->since), replicas = {0};
    if (app && app->desired > 0)
        replicas = arena_printf(arena, "%lld of %lld replicas available", (long long)app->available,
                                (long long)app->desired);
    if (signal->change == CHANGE_OVER && !replicas.p)
        return arena_printf(arena, "It had no available replicas for %" STR_FMT, STR_ARG(lasted));
    if (signal->change == CHANGE_OVER)
        return arena_printf(arena, "%" STR_FMT "; it had none for %" STR_FMT, STR_ARG(replicas),
                            STR_ARG(lasted));
    if (time > signal->since)
        return arena_printf(arena, "%" STR_FMT " for %" STR_FMT, STR_ARG(replicas),
                            STR_ARG(lasted));
    return replicas;
}

static enum alert_event app_event(const struct signal *signal)
{
    return signal->change == CHANGE_OVER ? ALERT_EVENT_APP_RECOVERED : ALERT_EVENT_DEGRADED_APP;
}

static void word_app(struct arena *arena, const struct alert_facts *facts,
                     const struct signal *signal, int64_t time, struct alert_message *message)
{
    struct str name = printable(arena, signal->subject);
    struct str predicate = app_predicate(arena, signal, facts->cluster_name);
    message->event = app_event(signal);
    message->title =
        arena_printf(arena, "Deployment %" STR_FMT " %" STR_FMT, STR_ARG(name), STR_ARG(predicate));
    message->detail = app_detail(arena, signal, time);
}

void alert_wording_of(struct arena *arena, const struct alert_facts *facts,
                      const struct signal *signal, int64_t time, struct alert_message *message)
{
    if (signal->subject.n)
        word_app(arena, facts, signal, time, message);
    else
        word_score(arena, facts, signal, time, message);
}

void alert_wording_of_many(struct arena *arena, const struct alert_facts *facts,
                           const struct signal *const *signals, size_t n,
                           struct alert_message *message)
{
    static const char *const verbs[] = {[CHANGE_START] = "have no available replicas",
                                        [CHANGE_REPEAT] = "still have no available replicas",
                                        [CHANGE_OVER] = "have recovered or are gone"};
    struct buf detail = buf_init(arena, (LISTED_MAX + 1) * (LISTED_NAME_MAX + 8));
    message->event = app_event(signals[0]);
    message->title = arena_printf(arena, "%zu deployments in cluster %" STR_FMT " %s", n,
                                  STR_ARG(facts->cluster_name), verbs[signals[0]->change]);
    for (size_t i = 0; i < n && i < LISTED_MAX; i++) {
        struct str name = str_utf8_prefix(signals[i]->subject, LISTED_NAME_MAX);
        buf_put(&detail, i ? STR(", ") : STR(""));
        buf_put(&detail, printable(arena, name));
    }
    if (n > LISTED_MAX)
        buf_printf(&detail, " and %zu more", n - LISTED_MAX);
    message->detail = buf_str(&detail);
}

struct alert_message alert_test(struct arena *arena, struct str channel, struct str channel_name,
                                int64_t time)
{
    struct str name = printable(arena, channel_name);
    return (struct alert_message){
        .channel = channel,
        .event = ALERT_EVENT_TEST,
        .title = STR("Test message from Loadline"),
        .detail = arena_printf(
            arena, "Channel %" STR_FMT " works: alerts will arrive like this one", STR_ARG(name)),
        .time = time};
}
