#include "score/state.h"

#include "score/index.h"

enum { MESSAGE_MAX = 200 };

/* ---- time ---- */

/* Ends at the ends of time. */
static int64_t later(int64_t time, int64_t ms)
{
    int64_t sum;
    if (!__builtin_add_overflow(time, ms, &sum))
        return sum;
    return ms < 0 ? INT64_MIN : INT64_MAX;
}

/* What was told is the same from then on. */
static void note_from(const struct check_context *context, int64_t from)
{
    if (context->valid && context->valid->from < from)
        context->valid->from = from;
}

static void note_until(const struct check_context *context, int64_t until)
{
    if (context->valid && context->valid->until > until)
        context->valid->until = until;
}

bool age_exceeds(const struct check_context *context, int64_t since, int64_t ms)
{
    if (since == TIME_NONE)
        return false;
    int64_t last = later(since, ms);
    if (context->now <= last)
        note_until(context, last);
    else
        note_from(context, last + 1);
    return context->now > last;
}

bool age_within(const struct check_context *context, int64_t since, int64_t ms)
{
    return since != TIME_NONE && !age_exceeds(context, since, ms);
}

bool age_below(const struct check_context *context, int64_t since, int64_t ms)
{
    return age_within(context, since, ms - 1);
}

int64_t age_in(const struct check_context *context, int64_t since, int64_t unit)
{
    int64_t age = context->now - since, whole = age < 0 ? 0 : age / unit;
    if (whole > 0)
        note_from(context, since + whole * unit);
    note_until(context, later(since, (whole + 1) * unit - 1));
    return whole;
}

struct str age_text(const struct check_context *context, int64_t since)
{
    char age[CLOCK_TEXT_SIZE];
    if (since == TIME_NONE)
        return STR("some time");
    age_in(context, since, clock_age_unit(context->now - since));
    return arena_str(context->arena, clock_format_age(context->now - since, age));
}

struct str for_time(const struct check_context *context, int64_t since)
{
    return arena_printf(context->arena, "for %" STR_FMT, STR_ARG(age_text(context, since)));
}

struct str time_ago(const struct check_context *context, int64_t since)
{
    if (since == TIME_NONE)
        return STR("at an unknown time");
    return arena_printf(context->arena, "%" STR_FMT " ago", STR_ARG(age_text(context, since)));
}

/* ---- conditions, annotations and events ---- */

struct str message_text(struct str message)
{
    str_cut(message, '\n', &message, NULL);
    message = str_trim(str_utf8_prefix(message, MESSAGE_MAX));
    while (str_has_suffix(message, STR(".")) || str_has_suffix(message, STR(",")))
        message.n--;
    return message;
}

struct str message_cause(struct str message)
{
    struct str rest;
    while (message.n > MESSAGE_MAX && str_cut(message, ':', NULL, &rest) && rest.n)
        message = str_trim(rest);
    return message_text(message);
}

const struct event *latest_event(const struct check_context *context, const struct object *object,
                                 struct str reason)
{
    const struct event **event, *latest = NULL;
    event_list events =
        index_events(context->index, object->kind_name, object->meta.namespace, object->meta.name);
    LIST_EACH (event, events)
        if (str_eq((*event)->reason, reason) && age_within(context, (*event)->last, CLOCK_HOUR) &&
            (!latest || (*event)->last > latest->last))
            latest = *event;
    return latest;
}

int64_t event_count_last_hour(const struct check_context *context, const struct event *event)
{
    if (!age_within(context, event->last, CLOCK_HOUR))
        return 0;
    int64_t span = event->first == TIME_NONE ? 0 : event->last - event->first;
    if (span <= CLOCK_HOUR || age_within(context, event->first, CLOCK_HOUR))
        return event->count;
    return 1 + (int64_t)((double)(event->count - 1) * ((double)CLOCK_HOUR / (double)span));
}

/* ---- pods ---- */

struct str container_of_pod(const struct check_context *context, const struct pod *pod,
                            struct str name)
{
    if (!name.n)
        return arena_printf(context->arena, "Pod %" STR_FMT, STR_ARG(pod->object.meta.name));
    return arena_printf(context->arena, "Container %" STR_FMT " of pod %" STR_FMT, STR_ARG(name),
                        STR_ARG(pod->object.meta.name));
}

enum verdict each_pod(struct check_context *context, const struct workload *workload,
                      enum verdict (*ask)(struct check_context *, const struct pod *))
{
    enum verdict verdict = NOT_EVALUATED;
    struct pod **pod;
    LIST_EACH (pod, workload->pods) {
        enum verdict one = ask(context, *pod);
        if (one == FAILED || verdict == NOT_EVALUATED)
            verdict = one;
    }
    return verdict;
}

int64_t pod_deletion_grace(const struct pod *pod)
{
    const int64_t otherwise = 30, most = CLOCK_DAY / CLOCK_SECOND;
    int64_t grace = pod->object.meta.deletion_grace;
    return grace < 0 ? otherwise : grace > most ? most : grace;
}

bool pod_is_overdue(const struct check_context *context, const struct pod *pod)
{
    int64_t grace = pod_deletion_grace(pod) * CLOCK_SECOND;
    return age_exceeds(context, pod->object.meta.deleted, 5 * CLOCK_MINUTE + grace);
}

/* ---- workloads and nodes ---- */

bool pods_are_starting(const struct check_context *context, const struct workload *workload,
                       int64_t ms)
{
    bool starting = false;
    struct pod **pod;
    LIST_EACH (pod, workload->pods) {
        if (pod_is_ready(*pod) || !pod_is_active(*pod))
            continue;
        if (!age_within(context, (*pod)->object.meta.created, ms))
            return false;
        starting = true;
    }
    return starting;
}
