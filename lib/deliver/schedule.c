#include "deliver/schedule.h"

#define SECONDS 1000
#define MINUTES (60 * SECONDS)
#define HOURS   (60 * MINUTES)

static const int64_t steps[SCHEDULE_ATTEMPTS - 1] = {
    5 * SECONDS,  30 * SECONDS, 2 * MINUTES, 10 * MINUTES,
    30 * MINUTES, 2 * HOURS,    6 * HOURS,   12 * HOURS,
};
static const int64_t retry_after_max = 24 * HOURS;

int64_t schedule_delay_ms(int64_t attempts, int64_t retry_after_ms, uint32_t random)
{
    if (attempts >= SCHEDULE_ATTEMPTS)
        return SCHEDULE_GIVE_UP;
    int64_t step = steps[attempts > 0 ? attempts - 1 : 0];
    int64_t delay = step + (int64_t)random * (step / 10) / UINT32_MAX;
    if (retry_after_ms > retry_after_max)
        retry_after_ms = retry_after_max;
    return delay > retry_after_ms ? delay : retry_after_ms;
}
