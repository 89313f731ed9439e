#include "web/meter.h"

#include <time.h>

#include "base/clock.h"

static int64_t cpu_of_thread(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void meter_init(struct meter *meter, struct source packed, int64_t deadline, int64_t (*clock)(void))
{
    *meter = (struct meter){.packed = packed,
                            .clock = clock ? clock : cpu_of_thread,
                            .deadline = deadline,
                            .since = TIME_NONE};
}

/* Takes the time since it was last asked for. */
static void take_time(struct meter *meter)
{
    int64_t now = meter->clock();
    if (meter->since != TIME_NONE)
        meter->spent += now - meter->since;
    meter->since = now;
}

static void judge(struct meter *meter)
{
    uint64_t bytes = meter->in > meter->out ? meter->in : meter->out;
    if (meter->spent > METER_NANOS_FREE + (int64_t)bytes * METER_NANOS_A_BYTE)
        meter->end = METER_TOO_MUCH;
    else if (clock_monotonic() > meter->deadline)
        meter->end = METER_LATE;
}

static ptrdiff_t read_packed(void *context, char *dst, size_t cap)
{
    struct meter *meter = context;
    take_time(meter);
    if (meter->end == METER_FINE)
        judge(meter);
    if (meter->end != METER_FINE)
        return -1;
    ptrdiff_t n = meter->packed.read(meter->packed.context, dst, cap);
    meter->in += n > 0 ? (uint64_t)n : 0;
    return n;
}

static ptrdiff_t read_plain(void *context, char *dst, size_t cap)
{
    struct meter *meter = context;
    meter->since = meter->clock();
    ptrdiff_t n = meter->plain.read(meter->plain.context, dst, cap);
    take_time(meter);
    meter->since = TIME_NONE;
    meter->out += n > 0 ? (uint64_t)n : 0;
    return n;
}

struct source meter_packed(struct meter *meter)
{
    return (struct source){read_packed, meter};
}

struct source meter_plain(struct meter *meter, struct source plain)
{
    meter->plain = plain;
    return (struct source){read_plain, meter};
}
