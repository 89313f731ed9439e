#include "alert/alert.h"

static const struct str kinds[] = {
    [ALERT_SCORE_DROP] = STR("score_drop"), [ALERT_DEGRADED_APP] = STR("degraded_app")};

struct str alert_kind_name(enum alert_kind kind)
{
    assert(kind <= ALERT_DEGRADED_APP);
    return kinds[kind];
}

bool alert_kind_find(struct str name, enum alert_kind *kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_eq(kinds[i], name)) {
            *kind = (enum alert_kind)i;
            return true;
        }
    return false;
}

struct str alert_event_name(enum alert_event event)
{
    static const char *const names[] = {[ALERT_EVENT_SCORE_DROP] = "Score Drop",
                                        [ALERT_EVENT_DEGRADED_APP] = "Degraded App",
                                        [ALERT_EVENT_SCORE_RECOVERED] = "Score Recovered",
                                        [ALERT_EVENT_APP_RECOVERED] = "App Recovered",
                                        [ALERT_EVENT_TEST] = "Test"};
    assert(event <= ALERT_EVENT_TEST);
    return str_of(names[event]);
}
