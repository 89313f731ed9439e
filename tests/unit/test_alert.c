/* alert: when it fires, when it repeats, when it is over, and who is told what. */
#include "alert_story.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h> /* after check.h: both have a fail() */

static const struct story_row score_rows[] = {
    {"a score at the threshold is good", "0; score=70; rules=r score_drop 70", ""},
    {0, "10; score=71", ""},
    {"the first snapshot is below", "0; score=69; rules=r score_drop 70", DROP("a", "69", "70")},
    {0, "10", ""},
    {0, "20; score=55", ""},
    {"nothing at all", "0; score=0; rules=r score_drop 1", DROP("a", "0", "1")},
    {0, "10; score=1", ""},
    {"all of 100", "0; score=99; rules=r score_drop 100", DROP("a", "99", "100")},
    {"over after a minute, not before", "0; score=60; rules=r score_drop 70",
     DROP("a", "60", "70")},
    {0, "100; score=75", ""},
    {0, "159", ""},
    {0, "160", BACK("a", "75", "70", "2 min")},
    {0, "170", ""},
    {0, "180; score=60", DROP("a", "60", "70")},
    {"the minute starts anew", "0; score=60; rules=r score_drop 70", DROP("a", "60", "70")},
    {0, "10; score=75", ""},
    {0, "60; score=60", ""},
    {0, "70; score=75", ""},
    {0, "129", ""},
    {0, "130", BACK("a", "75", "70", "2 min")},
    {"no snapshot for hours: good ones count from the first", "0; score=60; rules=r score_drop 70",
     DROP("a", "60", "70")},
    {0, "2h; score=75", ""},
    {0, "3h", BACK("a", "75", "70", "3 h")},
    {"repeats every four hours, and not while it is above", "0; score=60; rules=r score_drop 70",
     DROP("a", "60", "70")},
    {0, "14399", ""},
    {0, "4h; score=61", STILL("a", "61", "70", "4 h")},
    {0, "28799", ""},
    {0, "8h; score=80", ""},
    {0, "8h+10; score=60", STILL("a", "60", "70", "8 h")},
    {0, "12h", ""},
    {0, "12h+10", STILL("a", "60", "70", "12 h")},
    {"a part of a cluster is called one", "0; score=60; scope=namespaces; rules=r score_drop 70",
     "a: Cluster production CSC score dropped to 60 (threshold: 70) | 5 active risks detected; "
     "namespaces shown only\n"},
    {0, "10; score=75", ""},
    {0, "70",
     "a: Cluster production CSC score recovered to 75 (threshold: 70) | 5 active risks detected; "
     "it was below the threshold for 1 min; namespaces shown only\n"},
    {"the catch-all needs no rule", "0; score=50", ""},
    {0, "10; score=49", DROP("a", "49", "50")},
    {0, "20; score=50", ""},
    {0, "80", BACK("a", "50", "50", "1 min")},
};
static void the_score_fires_once_repeats_and_is_over(void **state)
{
    (void)state;
    story_play(score_rows, COUNT(score_rows));
}

static const struct story_row channel_rows[] = {
    {"a rule comes before the catch-all, and one end for both",
     "0; score=42; rules=r score_drop 70; channels=a b",
     DROP("a", "42", "70") DROP("b", "42", "70")},
    {0, "10; score=90", ""},
    {0, "70", BACK("a", "90", "70", "1 min") BACK("b", "90", "70", "1 min")},
    {"falling on is told, rising half way is not", "0; score=65; rules=r score_drop 70",
     DROP("a", "65", "70")},
    {0, "10; score=42", DROP("a", "42", "50")},
    {0, "20; score=60", ""},
    {0, "80", ""},
    {0, "90; score=80", ""},
    {0, "150", BACK("a", "80", "70", "2 min")},
    {"of several rules the lowest threshold",
     "0; score=55; rules=r score_drop 90, s score_drop 60, t score_drop 70", DROP("a", "55", "60")},
    {0, "10; score=95", ""},
    {0, "70", BACK("a", "95", "60", "1 min")},
    {"each channel by its own rules",
     "0; score=55; rules=r score_drop 90 a, s score_drop 60 b; channels=a b c",
     DROP("a", "55", "90") DROP("b", "55", "60")},
    {0, "10; score=61", ""},
    {0, "70", BACK("b", "61", "60", "1 min")},
    {0, "80; score=49", DROP("a", "49", "50") DROP("b", "49", "60") DROP("c", "49", "50")},
    {"a start comes before a repeat", "0; score=65; rules=r score_drop 70", DROP("a", "65", "70")},
    {0, "4h; score=42", DROP("a", "42", "50")},
    {0, "8h", STILL("a", "42", "70", "8 h")},
    {"two rules alike are one", "0; score=65; rules=r score_drop 70, s score_drop 70",
     DROP("a", "65", "70")},
    {0, "10; score=75", ""},
    {0, "70", BACK("a", "75", "70", "1 min")},
};
static void a_channel_gets_one_message_a_snapshot(void **state)
{
    (void)state;
    story_play(channel_rows, COUNT(channel_rows));
}

static const struct story_row change_rows[] = {
    {"a rule made while the score is below", "0; score=65", ""},
    {0, "10; rules=r score_drop 70", DROP("a", "65", "70")},
    {"a rule deleted ends nothing that it started", "0; score=65; rules=r score_drop 70",
     DROP("a", "65", "70")},
    {0, "10; rules=", ""},
    {0, "20; score=90", ""},
    {0, "100", ""},
    {0, "110; score=65; rules=r score_drop 70", DROP("a", "65", "70")},
    {"a threshold below the score", "0; score=65; rules=r score_drop 70", DROP("a", "65", "70")},
    {0, "10; rules=r score_drop 60", ""},
    {0, "70", BACK("a", "65", "60", "1 min")},
    {"a threshold further above it", "0; score=65; rules=r score_drop 70", DROP("a", "65", "70")},
    {0, "10; rules=r score_drop 90", ""},
    {0, "20; score=80", ""},
    {0, "100", ""},
    {"a threshold raised above a good score", "0; score=75; rules=r score_drop 70", ""},
    {0, "10; rules=r score_drop 80", DROP("a", "75", "80")},
    {"a channel more hears of it with the next repeat", "0; score=65; rules=r score_drop 70",
     DROP("a", "65", "70")},
    {0, "10; channels=a b", ""},
    {0, "4h", STILL("a", "65", "70", "4 h") STILL("b", "65", "70", "4 h")},
    {"the first channel hears of it at once", "0; score=65; rules=r score_drop 70; channels=", ""},
    {0, "10", ""},
    {0, "300; channels=a", LATE_DROP("a", "65", "70", "5 min")},
    {0, "310", ""},
    {"a rule without channels that are there tells nobody",
     "0; score=65; rules=r score_drop 70 gone", ""},
    {0, "10; rules=r score_drop 70 -", ""},
    {0, "300; rules=r score_drop 70 a", LATE_DROP("a", "65", "70", "5 min")},
    {"what nobody heard of ends unheard", "0; score=42; rules=r score_drop 70; channels=", ""},
    {0, "10; score=90", ""},
    {0, "70; channels=a", ""},
    {0, "80", ""},
    {"nobody is left to hear the end", "0; score=65; rules=r score_drop 70", DROP("a", "65", "70")},
    {0, "10; score=90", ""},
    {0, "70; channels=", ""},
    {0, "80; channels=a", ""},
};
static void rules_and_channels_change_while_it_fires(void **state)
{
    (void)state;
    story_play(change_rows, COUNT(change_rows));
}

static const struct story_row silence_rows[] = {
    {"it fires after the silence when it lasts", "0; score=42; silence=on", ""},
    {0, "600", ""},
    {0, "1200; silence=off", LATE_DROP("a", "42", "50", "20 min")},
    {0, "1210", ""},
    {"it does not when it is over", "0; score=42; silence=on", ""},
    {0, "600; score=90", ""},
    {0, "700", ""},
    {0, "1200; silence=off", ""},
    {"an end within the silence is told after it", "0; score=42", DROP("a", "42", "50")},
    {0, "60; silence=on", ""},
    {0, "600; score=90", ""},
    {0, "700", ""},
    {0, "1200; silence=off", BACK("a", "90", "50", "20 min")},
    {0, "1210", ""},
    {"a drop within it that began before is no new one", "0; score=42", DROP("a", "42", "50")},
    {0, "60; score=90; silence=on", ""},
    {0, "200; score=42", ""},
    {0, "600; silence=off", ""},
    {0, "4h; silence=on", ""},
    {0, "4h+60; silence=off", STILL("a", "42", "50", "4 h")},
    {"an end waits for no other that nobody was told of", "0; score=42", DROP("a", "42", "50")},
    {0, "10; silence=on; rules=r score_drop 70", ""},
    {0, "20; score=60", ""},
    {0, "90; score=80", ""},
    {0, "100; silence=off", BACK("a", "80", "50", "1 min")},
    {0, "110; score=65", LATE_DROP("a", "65", "70", "1 min")},
    {0, "120; score=80", ""},
    {0, "180", BACK("a", "80", "70", "2 min")},
};
static void a_silence_puts_off(void **state)
{
    (void)state;
    story_play(silence_rows, COUNT(silence_rows));
}

#define DOWN(channel, app)                                                                         \
    channel ": Deployment " app " in cluster production has no available replicas | "              \
            "0 of 3 replicas available\n"
#define UP(channel, app, lasted)                                                                   \
    channel ": Deployment " app " in cluster production is available again | "                     \
            "1 of 3 replicas available; it had none for " lasted "\n"

static const struct story_row app_rows[] = {
    {"one goes down and comes back", "0; apps=shop/api 3/3; rules=r degraded_app 0", ""},
    {0, "10; apps=shop/api 1/3", ""},
    {0, "20; apps=shop/api 0/3", DOWN("a", "shop/api")},
    {0, "30", ""},
    {0, "40; apps=shop/api 1/3", ""},
    {0, "100", UP("a", "shop/api", "1 min")},
    {"scaled to zero is not degraded", "0; apps=shop/api 0/0; rules=r degraded_app 0", ""},
    {"without a rule nothing is said", "0; apps=shop/api 0/3", ""},
    {"it lasts", "0; apps=shop/api 0/3; rules=r degraded_app 0", DOWN("a", "shop/api")},
    {0, "4h",
     "a: Deployment shop/api in cluster production still has no available replicas | "
     "0 of 3 replicas available for 4 h\n"},
    {"deleted while it was down", "0; apps=shop/api 0/3; rules=r degraded_app 0",
     DOWN("a", "shop/api")},
    {0, "10; apps=shop/web 3/3", ""},
    {0, "70",
     "a: Deployment shop/api is gone from cluster production | "
     "It had no available replicas for 1 min\n"},
    {"scaled to zero while it was down", "0; apps=shop/api 0/3; rules=r degraded_app 0",
     DOWN("a", "shop/api")},
    {0, "10; apps=shop/api 0/0", ""},
    {0, "70",
     "a: Deployment shop/api in cluster production was scaled to zero | "
     "It had no available replicas for 1 min\n"},
    {"a snapshot without deployments says nothing of them",
     "0; apps=shop/api 0/3; rules=r degraded_app 0", DOWN("a", "shop/api")},
    {0, "10; apps=?", ""},
    {0, "100", ""},
    {0, "4h", ""},
    {0, "4h+10; apps=shop/api ?", ""},
    {0, "4h+100; apps=shop/api 1/3", ""},
    {0, "4h+160", UP("a", "shop/api", "4 h")},
    {"two at once, in the order of their names, on all channels of the rule",
     "0; apps=shop/web 0/3, shop/api 0/3, a-b/c 3/3; rules=r degraded_app 0 a b; channels=a b c",
     DOWN("a", "shop/api") DOWN("a", "shop/web") DOWN("b", "shop/api") DOWN("b", "shop/web")},
    {"the same app for two rules is one message",
     "0; apps=shop/api 0/3; rules=r degraded_app 0 a, s degraded_app 0; channels=a b",
     DOWN("a", "shop/api") DOWN("b", "shop/api")},
    {"the score and an app are two messages",
     "0; score=42; apps=shop/api 0/3; rules=r degraded_app 0",
     DROP("a", "42", "50") DOWN("a", "shop/api")},
    {"five are told each, six as one",
     "0; apps=n/a 0/3, n/b 0/3, n/c 0/3, n/d 0/3, n/e 0/3; rules=r degraded_app 0",
     DOWN("a", "n/a") DOWN("a", "n/b") DOWN("a", "n/c") DOWN("a", "n/d") DOWN("a", "n/e")},
    {0, "10; apps=n/a 1/3", ""},
    {0, "70",
     UP("a", "n/a", "1 min") "a: Deployment n/b is gone from cluster production | It "
                             "had no available replicas for 1 min\n"
                             "a: Deployment n/c is gone from cluster production | It "
                             "had no available replicas for 1 min\n"
                             "a: Deployment n/d is gone from cluster production | It "
                             "had no available replicas for 1 min\n"
                             "a: Deployment n/e is gone from cluster production | It "
                             "had no available replicas for 1 min\n"},
    {0, "80; apps=n/a 0/3, n/b 0/3, n/c 0/3, n/d 0/3, n/e 0/3, n/f 0/3",
     "a: 6 deployments in cluster production have no available replicas | "
     "n/a, n/b, n/c, n/d, n/e, n/f\n"},
    {0, "90; apps=n/a 1/3, n/b 1/3, n/c 1/3, n/d 1/3, n/e 1/3, n/f 1/3", ""},
    {0, "150",
     "a: 6 deployments in cluster production have recovered or are gone | "
     "n/a, n/b, n/c, n/d, n/e, n/f\n"},
    {"eleven name ten",
     "0; apps=n/a 0/3, n/b 0/3, n/c 0/3, n/d 0/3, n/e 0/3, n/f 0/3, n/g 0/3, n/h 0/3, n/i 0/3, n/j "
     "0/3, n/k 0/3; rules=r degraded_app 0",
     "a: 11 deployments in cluster production have no available replicas | "
     "n/a, n/b, n/c, n/d, n/e, n/f, n/g, n/h, n/i, n/j and 1 more\n"},
    {"a name turns no line and no direction, and hides nothing",
     "0; "
     "apps=shop/"
     "a\n\x7f\xC2\x85\xE2\x80\xAE\xE2\x80\xA9\xD8\x9C\xE2\x80\x8B\xC3\xA4\xE2\x80\x9C\xD8\x9Bz "
     "0/3; "
     "rules=r degraded_app 0",
     DOWN("a", "shop/a???????\xC3\xA4\xE2\x80\x9C\xD8\x9Bz")},
};
static void apps_fire_each_for_itself(void **state)
{
    (void)state;
    story_play(app_rows, COUNT(app_rows));
}

/* An hour of a bad score, every ten seconds; then a good one. */
static void an_hour_of_bad_snapshots_is_one_alert(void **state)
{
    (void)state;
    struct story story = story_begin();
    uint32_t messages = 0, writes = 0;
    story_change(&story, "0; score=42; rules=r score_drop 70, s degraded_app 0");
    for (int64_t i = 0; i < 360; i++) {
        struct alert_outcome outcome = story_judge(&story, i * 10);
        messages += outcome.messages.n;
        writes += outcome.put.n + outcome.gone.n;
    }
    assert_int_equal(messages, 1);
    assert_int_equal(writes, 2); /* the rule and the catch-all */
    story.facts.score = 90;
    for (int64_t i = 360; i < 720; i++)
        messages += story_judge(&story, i * 10).messages.n;
    assert_int_equal(messages, 2);
    assert_int_equal(story.states_n, 0);
}

/* Above for `above` snapshots, below for one, for an hour: at most a pair a minute, and none while
 * it is never above for a minute. */
static void a_flapping_score_is_quiet(void **state)
{
    (void)state;
    static const struct {
        int above;
        uint32_t messages;
    } rows[] = {{1, 1}, {2, 1}, {5, 1}, {6, 1}, {7, 2 * 45}, {11, 2 * 30}, {35, 2 * 10}};
    for (size_t r = 0; r < COUNT(rows); r++) {
        struct story story = story_begin();
        uint32_t messages = 0;
        story_change(&story, "0; rules=r score_drop 70");
        for (int i = 0; i < 360; i++) {
            story.facts.score = i % (rows[r].above + 1) ? 71 : 69;
            messages += story_judge(&story, i * 10).messages.n;
        }
        assert_int_equal(messages, rows[r].messages);
    }
}

static const struct story_row clock_rows[] = {
    {"everything at one time", "1000; score=42", DROP("a", "42", "50")},
    {0, "1000; score=90", ""},
    {0, "1000", ""},
    {0, "900", ""},
    {0, "1060", BACK("a", "90", "50", "2 min")},
    {"what ends ends a minute later, by the new time", "9h; score=42", DROP("a", "42", "50")},
    {0, "9h+10; score=90", ""},
    {0, "1000", ""},
    {0, "1059", ""},
    {0, "1060", BACK("a", "90", "50", "1 min")},
    {"what lasts is repeated by the new time", "9h; score=42", DROP("a", "42", "50")},
    {0, "1000", ""},
    {0, "4h+999", ""},
    {0, "4h+1000", STILL("a", "42", "50", "4 h")},
    {"so does an app", "9h; apps=shop/api 0/3; rules=r degraded_app 0",
     "a: Deployment shop/api in cluster production has no available replicas | 0 of 3 replicas "
     "available\n"},
    {0, "1000", ""},
    {0, "1060; apps=shop/api 3/3", ""},
    {0, "1120",
     "a: Deployment shop/api in cluster production is available again | 3 of 3 replicas available; "
     "it had none for 2 min\n"},
};
static void a_clock_that_goes_back_does_no_harm(void **state)
{
    (void)state;
    story_play(clock_rows, COUNT(clock_rows));
    struct story story = story_begin();
    story_change(&story, "0; score=42");
    story_judge(&story, 9000);
    story_judge(&story, 1000);
    assert_int_equal(story.states[0].since, 1000 * 1000); /* and not in the future */
}

/* Nothing held back: with no time to wait an end is told at once, a repeat each time. */
static void the_times_are_those_of_the_setup(void **state)
{
    (void)state;
    struct story story = story_begin();
    story_change(&story, "0; score=42");
    story.setup.clear_ms = 0;
    story.setup.repeat_ms = 10 * 1000;
    assert_int_equal(story_judge(&story, 0).messages.n, 1);
    assert_int_equal(story_judge(&story, 9).messages.n, 0);
    assert_int_equal(story_judge(&story, 10).messages.n, 1);
    story.facts.score = 50;
    assert_int_equal(story_judge(&story, 11).messages.n, 1);
    assert_int_equal(story.states_n, 0);
}

static void messages_carry_their_event_and_time(void **state)
{
    (void)state;
    static const enum alert_event events[] = {ALERT_EVENT_SCORE_DROP, ALERT_EVENT_DEGRADED_APP,
                                              ALERT_EVENT_SCORE_RECOVERED,
                                              ALERT_EVENT_APP_RECOVERED};
    static const char *const names[] = {"Score Drop", "Degraded App", "Score Recovered",
                                        "App Recovered"};
    struct story story = story_begin();
    story_change(&story, "0; score=42; rules=r degraded_app 0; apps=n/a 0/1");
    struct alert_outcome first = story_judge(&story, 7);
    story_change(&story, "0; score=90; apps=n/a 1/1");
    story_judge(&story, 17);
    struct alert_outcome last = story_judge(&story, 77);
    for (size_t i = 0; i < 4; i++) {
        const struct alert_outcome *outcome = i < 2 ? &first : &last;
        assert_int_equal(outcome->messages.n, 2);
        const struct alert_message *message = &outcome->messages.items[i % 2];
        assert_int_equal(message->event, events[i]);
        assert_string_equal(alert_event_name(message->event).p, names[i]);
        assert_int_equal(message->time, i < 2 ? 7000 : 77000);
    }
    assert_string_equal(alert_event_name(ALERT_EVENT_TEST).p, "Test");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_score_fires_once_repeats_and_is_over),
        cmocka_unit_test(a_channel_gets_one_message_a_snapshot),
        cmocka_unit_test(rules_and_channels_change_while_it_fires),
        cmocka_unit_test(a_silence_puts_off),
        cmocka_unit_test(apps_fire_each_for_itself),
        cmocka_unit_test(an_hour_of_bad_snapshots_is_one_alert),
        cmocka_unit_test(a_flapping_score_is_quiet),
        cmocka_unit_test(a_clock_that_goes_back_does_no_harm),
        cmocka_unit_test(the_times_are_those_of_the_setup),
        cmocka_unit_test(messages_carry_their_event_and_time),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
