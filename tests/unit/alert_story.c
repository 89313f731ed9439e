#include "alert_story.h"
#include "base/buf.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h> /* after check.h: both have a fail() */

enum { HOUR_S = 3600, REPEAT_S = 4 * HOUR_S, CLEAR_S = 60 };

static str_list words(const char *text)
{
    struct str rest = str_of(text), word;
    str_list words = {.n = 8};
    LIST_ROOM(arena, words);
    while (str_next_word(&rest, &word))
        LIST_PUT(words, word);
    return words;
}

static void set_rules(struct story *story, const char *text)
{
    struct str rest = str_of(text), one, word;
    story->setup.rules.n = 8;
    LIST_ROOM(arena, story->setup.rules);
    while (rest.n) {
        struct alert_rule rule = {0};
        int64_t threshold = 0;
        str_cut(rest, ',', &one, &rest);
        assert_true(str_next_word(&one, &rule.id) && str_next_word(&one, &word));
        assert_true(alert_kind_find(word, &rule.kind));
        assert_true(str_next_word(&one, &word) && str_to_i64(word, &threshold));
        rule.threshold = (int)threshold;
        one = str_trim(one);
        if (one.n)
            rule.channels = str_eq(one, STR("-")) ? STR("") : one;
        LIST_PUT(story->setup.rules, rule);
    }
}

static int by_subject(const void *a, const void *b)
{
    const struct alert_app *x = a, *y = b;
    return str_cmp(x->subject, y->subject);
}

static void set_apps(struct story *story, const char *text)
{
    struct str rest = str_of(text), one, replicas, available, desired;
    story->facts.apps_known = strcmp(text, "?") != 0;
    story->facts.apps.n = 16;
    LIST_ROOM(arena, story->facts.apps);
    while (story->facts.apps_known && rest.n) {
        struct alert_app app = {0};
        str_cut(rest, ',', &one, &rest);
        assert_true(str_next_word(&one, &app.subject) && str_next_word(&one, &replicas));
        app.known = str_cut(replicas, '/', &available, &desired);
        if (app.known)
            assert_true(str_to_i64(available, &app.available) && str_to_i64(desired, &app.desired));
        LIST_PUT(story->facts.apps, app);
    }
    if (story->facts.apps.n)
        qsort(story->facts.apps.items, story->facts.apps.n, sizeof(struct alert_app), by_subject);
}

static void set(struct story *story, struct str key, const char *value)
{
    int64_t score;
    if (str_eq(key, STR("rules")))
        set_rules(story, value);
    else if (str_eq(key, STR("channels")))
        story->setup.channels = words(value);
    else if (str_eq(key, STR("apps")))
        set_apps(story, value);
    else if (str_eq(key, STR("silence")))
        story->setup.silenced = strcmp(value, "on") == 0;
    else if (str_eq(key, STR("scope")))
        story->facts.partial = strcmp(value, "namespaces") == 0;
    else if (str_eq(key, STR("score")) && str_to_i64(str_of(value), &score))
        story->facts.score = (int)score;
    else
        fail_msg("%" STR_FMT "=%s", STR_ARG(key), value);
}

static int64_t seconds(struct str text)
{
    struct str hours, rest;
    int64_t h = 0, s = 0;
    if (str_cut(text, 'h', &hours, &rest))
        assert_true(str_to_i64(hours, &h));
    else
        rest = text;
    rest = str_sub(rest, rest.n && rest.p[0] == '+', rest.n);
    assert_true(rest.n == 0 || str_to_i64(rest, &s));
    return h * HOUR_S + s;
}

int64_t story_change(struct story *story, const char *what)
{
    struct str time, rest, one, key, value;
    str_cut(str_of(what), ';', &time, &rest);
    while (rest.n) {
        str_cut(rest, ';', &one, &rest);
        assert_true(str_cut(str_trim(one), '=', &key, &value));
        set(story, key, arena_str(arena, value).p);
    }
    return seconds(time);
}

/* As the database would. */
static void keep_states(struct story *story, const struct alert_outcome *outcome)
{
    const struct alert_state *state;
    for (int put = 0; put < 2; put++) {
        alert_state_list list = put ? outcome->put : outcome->gone;
        LIST_EACH (state, list) {
            uint32_t i = 0;
            while (i < story->states_n && !(str_eq(story->states[i].rule, state->rule) &&
                                            str_eq(story->states[i].subject, state->subject)))
                i++;
            if (put) {
                story->states[i] = *state;
                story->states_n += i == story->states_n;
            } else {
                assert_true(i < story->states_n);
                story->states[i] = story->states[--story->states_n];
            }
        }
    }
}

/* The same; nothing is known twice. */
static void keep_owed(struct story *story, const struct alert_outcome *outcome)
{
    const struct alert_owed *end;
    for (int put = 0; put < 2; put++) {
        alert_owed_list list = put ? outcome->owed : outcome->paid;
        LIST_EACH (end, list) {
            uint32_t i = 0;
            while (i < story->owed_n && !(str_eq(story->owed[i].rule, end->rule) &&
                                          str_eq(story->owed[i].channel, end->channel)))
                i++;
            if (put) {
                story->owed[i] = *end;
                story->owed_n += i == story->owed_n;
            } else {
                assert_true(i < story->owed_n);
                story->owed[i] = story->owed[--story->owed_n];
            }
        }
    }
}

struct alert_outcome story_judge(struct story *story, int64_t at)
{
    alert_state_list states = LIST_SLICE(story->states, story->states_n);
    alert_owed_list owed = LIST_SLICE(story->owed, story->owed_n);
    struct alert_outcome outcome =
        alert_judge(arena, &story->setup, &story->facts, &states, &owed, at * 1000);
    keep_states(story, &outcome);
    keep_owed(story, &outcome);
    return outcome;
}

static struct str text_of(const struct alert_outcome *outcome)
{
    struct buf out = buf_init(arena, 64 * 1024);
    const struct alert_message *message;
    LIST_EACH (message, outcome->messages) {
        bool is_app = message->event == ALERT_EVENT_DEGRADED_APP ||
                      message->event == ALERT_EVENT_APP_RECOVERED;
        bool is_of_many = str_has(message->title, STR(" deployments in cluster "));
        assert_true(str_eq(message->cluster_name, STR("production")));
        assert_int_equal(message->subject.n > 0, is_app && !is_of_many);
        buf_printf(&out, "%" STR_FMT ": %" STR_FMT " | %" STR_FMT "\n", STR_ARG(message->channel),
                   STR_ARG(message->title), STR_ARG(message->detail));
    }
    return out.n ? buf_str(&out) : STR("");
}

struct story story_begin(void)
{
    return (struct story){
        .setup = {.channels = words("a"), .repeat_ms = REPEAT_S * 1000, .clear_ms = CLEAR_S * 1000},
        .facts = {.cluster_name = STR("production"), .score = 90, .risks = 5}};
}

void story_play(const struct story_row *rows, size_t n)
{
    struct story story = story_begin();
    for (size_t i = 0; i < n; i++) {
        if (rows[i].name)
            story = story_begin();
        int64_t time = story_change(&story, rows[i].what);
        struct alert_outcome outcome = story_judge(&story, time);
        struct str got = text_of(&outcome), want = str_of(rows[i].want);
        if (!str_eq(got, want))
            fail_msg("row %zu, %s:\n%" STR_FMT "instead of\n%" STR_FMT, i, rows[i].what,
                     STR_ARG(got), STR_ARG(want));
    }
}
