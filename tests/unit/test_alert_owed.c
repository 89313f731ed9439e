/* alert: ends about the score that a channel is owed because another alert lasted for it. */
#include "alert_story.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* The end of an alert that was over before. */
#define OWED(channel, score, threshold)                                                            \
    channel ": Cluster production CSC score recovered to " score " (threshold: " threshold         \
            ") | 5 active risks detected\n"

static const struct story_row deleted_rows[] = {
    {"the rule that outlasts the catch-all is deleted", "0; score=31; rules=r score_drop 70",
     DROP("a", "31", "70")},
    {0, "100; score=50", ""},
    {0, "170", ""},
    {0, "180; rules=", OWED("a", "50", "50")},
    {0, "190; score=84", ""},
    {0, "400", ""},
    {"deleted when all is well, within its last minute",
     "0; score=50; rules=r score_drop 70, s score_drop 90", DROP("a", "50", "70")},
    {0, "10; score=84", ""},
    {0, "70", ""},
    {0, "80; score=95", ""},
    {0, "90; rules=r score_drop 70", OWED("a", "95", "70")},
    {0, "100", ""},
    {"about another channel now", "0; score=42; rules=r score_drop 70 a; channels=a b",
     DROP("a", "42", "70") DROP("b", "42", "50")},
    {0, "10; score=60", ""},
    {0, "70", BACK("b", "60", "50", "1 min")},
    {0, "80; rules=r score_drop 70 b", OWED("a", "60", "50")},
    {0, "90; score=80", ""},
    {0, "150", BACK("b", "80", "70", "2 min")},
    {"the one that is owed an end is told, and nobody else",
     "0; score=42; rules=r score_drop 70 a; channels=a b",
     DROP("a", "42", "70") DROP("b", "42", "50")},
    {0, "10; score=60", ""},
    {0, "70", BACK("b", "60", "50", "1 min")},
    {0, "80; rules=", OWED("a", "60", "50")},
    {0, "90", ""},
    {"channel by channel", "0; score=42; rules=r score_drop 70 a, s score_drop 70 b; channels=a b",
     DROP("a", "42", "70") DROP("b", "42", "70")},
    {0, "10; score=60", ""},
    {0, "70", ""},
    {0, "80; rules=r score_drop 70 a", OWED("b", "60", "50")},
    {0, "90; rules=", OWED("a", "60", "50")},
    {0, "100", ""},
    {"two ends are one message, that of a rule",
     "0; score=42; rules=r score_drop 60, s score_drop 90", DROP("a", "42", "60")},
    {0, "10; score=55", ""},
    {0, "70; score=65", ""},
    {0, "130", ""},
    {0, "140; rules=r score_drop 60", OWED("a", "65", "60")},
    {0, "150", ""},
    {"an end of its own is for all", "0; score=42; rules=r score_drop 60, s score_drop 90",
     DROP("a", "42", "60")},
    {0, "10; score=55", ""},
    {0, "70; score=65", ""},
    {0, "120; rules=r score_drop 60", ""},
    {0, "130", BACK("a", "65", "60", "2 min")},
    {0, "140", ""},
    {"over with a snapshot that repeats the other", "0; score=42; rules=r score_drop 70",
     DROP("a", "42", "70")},
    {0, "14399; score=60", ""},
    {0, "4h+59", STILL("a", "60", "70", "4 h")},
    {0, "4h+60; rules=", OWED("a", "60", "50")},
    {0, "4h+70", ""},
};
static void a_deleted_rule_withholds_no_end(void **state)
{
    (void)state;
    story_play(deleted_rows, COUNT(deleted_rows));
}

static const struct story_row lasting_rows[] = {
    {"the end of what lasts longer pays", "0; score=42; rules=r score_drop 70",
     DROP("a", "42", "70")},
    {0, "10; score=60", ""},
    {0, "70", ""},
    {0, "80; score=80", ""},
    {0, "140", BACK("a", "80", "70", "2 min")},
    {0, "150; rules=", ""},
    {"it fires again, and is over again, once", "0; score=42; rules=r score_drop 70",
     DROP("a", "42", "70")},
    {0, "10; score=60", ""},
    {0, "70", ""},
    {0, "80; score=45", DROP("a", "45", "50")},
    {0, "90; score=60", ""},
    {0, "150", ""},
    {0, "160; rules=", OWED("a", "60", "50")},
    {0, "170", ""},
    {"it fires again, and the other is deleted", "0; score=42; rules=r score_drop 70",
     DROP("a", "42", "70")},
    {0, "10; score=60", ""},
    {0, "70", ""},
    {0, "80; score=45", DROP("a", "45", "50")},
    {0, "90; rules=", ""},
    {0, "100; score=60", ""},
    {0, "160", BACK("a", "60", "50", "1 min")},
    {0, "170", ""},
    {"disabled and enabled between snapshots", "0; score=42; rules=r score_drop 70",
     DROP("a", "42", "70")},
    {0, "10; score=60", ""},
    {0, "70; rules=; rules=r score_drop 70", ""},
    {"disabled and enabled, with a snapshot between them", "0; score=42; rules=r score_drop 70",
     DROP("a", "42", "70")},
    {0, "10; score=60", ""},
    {0, "70", ""},
    {0, "80; rules=", OWED("a", "60", "50")},
    {0, "90; rules=r score_drop 70", DROP("a", "60", "70")},
    {0, "100; score=80", ""},
    {0, "160", BACK("a", "80", "70", "1 min")},
};
static void what_lasts_withholds_it(void **state)
{
    (void)state;
    story_play(lasting_rows, COUNT(lasting_rows));
}

static const struct story_row nobody_rows[] = {
    {"both rules are deleted", "0; score=50; rules=r score_drop 60, s score_drop 90",
     DROP("a", "50", "60")},
    {0, "10; score=65", ""},
    {0, "70", ""},
    {0, "80; rules=", ""},
    {0, "90; rules=r score_drop 60", ""},
    {"the channel is disabled", "0; score=42; rules=r score_drop 70; channels=a b",
     DROP("a", "42", "70") DROP("b", "42", "70")},
    {0, "10; score=60", ""},
    {0, "70", ""},
    {0, "80; channels=b; rules=", OWED("b", "60", "50")},
    {0, "90; channels=a b", ""},
    {"the channel is the rule's no more", "0; score=50; rules=r score_drop 60 a, s score_drop 90 a",
     DROP("a", "50", "60")},
    {0, "10; score=65", ""},
    {0, "70", ""},
    {0, "80; rules=r score_drop 60 b", ""},
    {"a silence puts it off", "0; score=42; rules=r score_drop 70", DROP("a", "42", "70")},
    {0, "10; score=60", ""},
    {0, "70", ""},
    {0, "80; rules=; silence=on", ""},
    {0, "90; silence=off", OWED("a", "60", "50")},
    {0, "100", ""},
    {"what begins within the silence is told first", "0; score=42; rules=r score_drop 70",
     DROP("a", "42", "70")},
    {0, "10; score=60", ""},
    {0, "70", ""},
    {0, "80; rules=; silence=on; score=45", ""},
    {0, "90; silence=off", LATE_DROP("a", "45", "50", "10 s")},
    {0, "100; score=60", ""},
    {0, "160", BACK("a", "60", "50", "1 min")},
    {0, "170", ""},
};
static void it_is_for_who_would_be_told_now(void **state)
{
    (void)state;
    story_play(nobody_rows, COUNT(nobody_rows));
}

/* While it is owed no snapshot writes, and afterwards nothing is left. */
static void it_is_written_once(void **state)
{
    (void)state;
    struct story story = story_begin();
    story_change(&story, "0; score=42; rules=r score_drop 70; channels=a b");
    story_judge(&story, 0);
    story.facts.score = 60;
    story_judge(&story, 10);
    assert_int_equal(story_judge(&story, 70).owed.n, 2);
    for (int64_t at = 80; at < 1000; at += 10) {
        struct alert_outcome outcome = story_judge(&story, at);
        assert_int_equal(outcome.put.n + outcome.gone.n + outcome.owed.n + outcome.paid.n, 0);
        assert_int_equal(story.owed_n, 2);
    }
    story_change(&story, "0; rules=");
    assert_int_equal(story_judge(&story, 1000).paid.n, 2);
    assert_int_equal(story.owed_n + story.states_n, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deleted_rule_withholds_no_end),
        cmocka_unit_test(what_lasts_withholds_it),
        cmocka_unit_test(it_is_for_who_would_be_told_now),
        cmocka_unit_test(it_is_written_once),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
