#include "deliver/schedule.h"

#include "base/clock.h"

static const int64_t steps[SCHEDULE_ATTEMPTS - 1] = {
    5 * CLOCK_SECOND,  30 * CLOCK_SECOND, 2 * CLOCK_MINUTE, 10 * CLOCK_MINUTE,
    30 * CLOCK_MINUTE, 2 * CLOCK_HOUR,    6 * CLOCK_HOUR,   12 * CLOCK_HOUR,
};
static const int64_t retry_after_max = 24 * CLOCK_HOUR;

static const int64_t unmade_step = 30 * CLOCK_SECOND, unmade_max = 24 * CLOCK_HOUR;

static bool is_refusal(int status)
{
    return status >= 400 && status < 500 && status != 408 && status != 425 && status != 429;
}

int64_t schedule_unmade_delay_ms(int64_t waited_ms)
{
    return waited_ms < unmade_max ? unmade_step : SCHEDULE_GIVE_UP;
}

int64_t schedule_delay_ms(int64_t attempts, int status, int64_t retry_after_ms, uint32_t random)
{
    if (attempts >= (is_refusal(status) ? SCHEDULE_REFUSED_ATTEMPTS : SCHEDULE_ATTEMPTS))
        return SCHEDULE_GIVE_UP;
    int64_t step = steps[attempts > 0 ? attempts - 1 : 0];
    int64_t delay = step + (int64_t)random * (step / 10) / UINT32_MAX;
    if (retry_after_ms > retry_after_max)
        retry_after_ms = retry_after_max;
    return delay > retry_after_ms ? delay : retry_after_ms;
}
