/* Unpacking is measured while it unpacks, and only then; it ends when it was too much or too late.
 */
#include "web/meter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/clock.h"

enum { PIECE = 1000 };
static const int64_t NEVER = INT64_MAX;
static int64_t cpu;

static int64_t fake_cpu(void)
{
    return cpu;
}

/* An unpacker that reads a piece, takes a while and gives some bytes. */
struct unpacker {
    struct source packed;
    int64_t takes;
    ptrdiff_t gives;
};

static ptrdiff_t unpack(void *context, char *dst, size_t cap)
{
    const struct unpacker *u = context;
    char piece[PIECE];
    (void)dst;
    (void)cap;
    if (u->packed.read(u->packed.context, piece, sizeof piece) < 0)
        return -1;
    cpu += u->takes;
    return u->gives;
}

static ptrdiff_t read_piece(void *context, char *dst, size_t cap)
{
    (void)context;
    memset(dst, 'x', cap);
    return (ptrdiff_t)cap;
}

/* How many pieces are read before it ends, at most 1,000; others: what the reader takes between. */
static int pieces(struct meter *meter, int64_t takes, ptrdiff_t gives, int64_t others,
                  int64_t deadline)
{
    char plain[PIECE];
    meter_init(meter, (struct source){read_piece, NULL}, deadline, fake_cpu);
    struct unpacker unpacker = {meter_packed(meter), takes, gives};
    struct source source = meter_plain(meter, (struct source){unpack, &unpacker});
    for (int n = 0; n < 1000; n++) {
        if (source.read(source.context, plain, sizeof plain) < 0)
            return n;
        cpu += others;
    }
    return 1000;
}

static void the_limit_is_exact(void **state)
{
    struct meter meter;
    int64_t share = (int64_t)PIECE * METER_NANOS_A_BYTE;
    (void)state;
    assert_int_equal(pieces(&meter, share, 1, 0, NEVER), 1000);
    assert_int_equal(meter.end, METER_FINE);
    assert_int_equal(pieces(&meter, METER_NANOS_FREE + share, 1, 0, NEVER), 2);
    assert_int_equal(pieces(&meter, METER_NANOS_FREE + share + 1, 1, 0, NEVER), 1);
    assert_int_equal(meter.end, METER_TOO_MUCH);
    assert_int_equal(pieces(&meter, METER_NANOS_FREE / 999 + share, 1, 0, NEVER), 1000);
    assert_int_equal(pieces(&meter, METER_NANOS_FREE / 900 + share, 1, 0, NEVER), 901);
}

static void what_comes_out_counts_too(void **state)
{
    struct meter meter;
    (void)state;
    assert_int_equal(pieces(&meter, 20 * (int64_t)PIECE * METER_NANOS_A_BYTE, 20 * PIECE, 0, NEVER),
                     1000);
    assert_in_range(pieces(&meter, 20 * (int64_t)PIECE * METER_NANOS_A_BYTE, 10 * PIECE, 0, NEVER),
                    100, 200);
}

static void what_others_take_does_not(void **state)
{
    struct meter meter;
    (void)state;
    assert_int_equal(pieces(&meter, 1, 1, METER_NANOS_FREE, NEVER), 1000);
    assert_int_equal(meter.spent, 1000);
}

static void it_ends_for_good(void **state)
{
    struct meter meter;
    char piece[PIECE];
    (void)state;
    pieces(&meter, METER_NANOS_FREE, 1, 0, NEVER);
    struct source packed = meter_packed(&meter);
    assert_int_equal(packed.read(packed.context, piece, sizeof piece), -1);
    assert_int_equal(packed.read(packed.context, piece, sizeof piece), -1);
}

static void a_deadline_ends_it(void **state)
{
    struct meter meter;
    (void)state;
    assert_int_equal(pieces(&meter, 1, 1, 0, clock_monotonic() - 1), 0);
    assert_int_equal(meter.end, METER_LATE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_is_exact),        cmocka_unit_test(what_comes_out_counts_too),
        cmocka_unit_test(what_others_take_does_not), cmocka_unit_test(it_ends_for_good),
        cmocka_unit_test(a_deadline_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
