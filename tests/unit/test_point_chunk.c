/* An hour's points as bytes and back: of pushes as they come, of awkward values, and bytes that are
 * none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "codec/point_chunk.h"

#include <cmocka.h>

static const int64_t HOUR = INT64_C(1773748800000);
enum { LAST_MS = POINT_CHUNK_MS - 1 };

static struct arena *arena;
static struct chunk_point points[POINT_CHUNK_MAX + 1], read[POINT_CHUNK_MAX];
static uint64_t seed;

static uint32_t pick(uint32_t below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % below;
}

static int set_up(void **state)
{
    (void)state;
    arena = arena_new(SIZE_MAX / 2);
    seed = 1;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

/* A point as most are: its score is the exact one, rounded down. */
static struct chunk_point point(int64_t after, uint32_t exact)
{
    return (struct chunk_point){.time = HOUR + after,
                                .nodes = 34,
                                .pods = 1000,
                                .risks = 40,
                                .score_exact = (uint16_t)exact,
                                .score = (uint8_t)(exact / 100),
                                .formula = 2};
}

static void assert_reads_back(size_t n)
{
    size_t m;
    struct str bytes = point_chunk_encode(arena, HOUR, points, n);
    assert_true(point_chunk_decode(bytes, HOUR, read, &m));
    assert_int_equal(m, n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(read[i].time, points[i].time);
        assert_int_equal(read[i].score, points[i].score);
        assert_int_equal(read[i].score_exact, points[i].score_exact);
        assert_int_equal(read[i].nodes, points[i].nodes);
        assert_int_equal(read[i].pods, points[i].pods);
        assert_int_equal(read[i].risks, points[i].risks);
        assert_int_equal(read[i].formula, points[i].formula);
    }
}

static void awkward_points_are_read_back(void **state)
{
    (void)state;
    points[0] = point(0, 0);
    assert_reads_back(1);
    points[0] = point(LAST_MS, 10000);
    assert_reads_back(1);
    points[0] = (struct chunk_point){HOUR, 0, 0, 0, 0, 0, 0};
    points[1] = (struct chunk_point){HOUR,       UINT32_MAX, UINT32_MAX, UINT32_MAX,
                                     UINT16_MAX, UINT8_MAX,  UINT8_MAX};
    points[2] = points[0];
    points[2].time = HOUR + LAST_MS;
    points[3] = points[1];
    points[3].time = HOUR + LAST_MS;
    assert_reads_back(4);
    points[0] = point(10, 6950);
    points[0].score = 70; /* the first formula rounded to the nearest */
    points[0].formula = 1;
    points[1] = point(11, 6950);
    points[1].score = 0;
    assert_reads_back(2);
}

static void random_points_are_read_back(void **state)
{
    (void)state;
    for (int round = 0; round < 300; round++) {
        size_t n = 1 + pick(pick(10) ? 400 : POINT_CHUNK_MAX);
        uint32_t change = 1 + pick(8), gap = (uint32_t)(POINT_CHUNK_MS / n);
        int64_t time = 0;
        points[0] = point(0, pick(10001));
        for (size_t i = 1; i < n; i++) {
            time += pick(gap);
            points[i] = points[i - 1];
            points[i].time = HOUR + time;
            if (pick(change) == 0) {
                points[i] = point(time, pick(10001));
                points[i].risks = pick(pick(2) ? 90 : UINT32_MAX);
                points[i].pods = pick(pick(2) ? 2000 : UINT32_MAX);
                points[i].nodes = pick(40);
                points[i].formula = (uint8_t)(1 + pick(3));
                points[i].score = (uint8_t)pick(101);
            }
        }
        assert_reads_back(n);
    }
}

static void an_hour_of_pushes_is_small(void **state)
{
    (void)state;
    for (size_t i = 0; i < 360; i++)
        points[i] = point((int64_t)i * 10000, 8000);
    assert_in_range(point_chunk_encode(arena, HOUR, points, 360).n, 1, 40);
    for (size_t i = 0; i < 360; i++) {
        points[i] = point((int64_t)i * 10000 + pick(200), 8000 + pick(40));
        points[i].risks = 40 + pick(3);
        points[i].pods = 1000 + pick(3);
    }
    assert_in_range(point_chunk_encode(arena, HOUR, points, 360).n, 360, 360 * 7);
}

static void as_many_points_as_there_may_be(void **state)
{
    (void)state;
    for (size_t i = 0; i < POINT_CHUNK_MAX; i++)
        points[i] = point((int64_t)i / 10, pick(10001));
    assert_reads_back(POINT_CHUNK_MAX);
}

static bool is_read(struct str bytes)
{
    size_t n;
    return point_chunk_decode(bytes, HOUR, read, &n);
}

static void what_is_cut_or_longer_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < 50; i++)
        points[i] = point((int64_t)i * 10000 + pick(200), 8000 + pick(40));
    struct str bytes = point_chunk_encode(arena, HOUR, points, 50);
    assert_true(is_read(bytes));
    for (size_t n = 0; n < bytes.n; n++)
        assert_false(is_read(str_sub(bytes, 0, n)));
    char *longer = arena_bytes(arena, bytes.n + 1);
    memcpy(longer, bytes.p, bytes.n);
    longer[bytes.n] = 0;
    assert_false(is_read((struct str){longer, bytes.n + 1}));
}

/* Columns: times, exact scores, scores, nodes, pods, risks, formulas. Even tokens are zeros, odd
 * ones values. */
#define REST "\0\0\0\0\0\0"

static void bytes_that_are_none_are_refused(void **state)
{
    (void)state;
    assert_true(is_read(STR("\1\1\0" REST)));
    assert_false(is_read(STR("")));
    assert_false(is_read(STR("\0\1\0" REST))); /* of another version */
    assert_false(is_read(STR("\2\1\0" REST)));
    assert_false(is_read(STR("\1\0")));             /* no point */
    assert_false(is_read(STR("\1\1\0\0\0\0\0\0"))); /* a column too few */
    assert_false(is_read(STR("\1\1\0" REST "\0"))); /* one too many */
    assert_false(is_read(STR("\1\1\2" REST)));      /* more zeros than points */
    assert_false(is_read(STR("\1\2\5\5" REST)));
    assert_false(is_read(STR("\1\1\3" REST)));          /* -1 ms */
    assert_false(is_read(STR("\1\1\200\0" REST)));      /* longer than it has to be */
    assert_true(is_read(STR("\1\2\5\3\2\2\2\2\2\2")));  /* 1 ms, and 1 ms more: a step of 0 */
    assert_false(is_read(STR("\1\2\5\7\2\2\2\2\2\2"))); /* that goes back */
    assert_false(is_read(STR("\1\1\0\3\0\0\0\0\0")));   /* an exact score of -1 */
    assert_true(is_read(STR("\1\1\0\375\377\17\273\24\0\0\0\0")));
    assert_false(is_read(STR("\1\1\0\201\200\20\273\24\0\0\0\0"))); /* of 65536 */
    assert_true(is_read(STR("\1\1\0\0\0\0\0\0\375\7")));
    assert_false(is_read(STR("\1\1\0\0\0\0\0\0\201\10"))); /* a formula of 256 */
    assert_false(is_read(STR("\1\1\377\377\377\377\377\377\377\377\377" REST)));
    assert_false(is_read(
        STR("\1\240\234\1\276\270\2" REST))); /* POINT_CHUNK_MAX, and too few zeros behind */
    assert_false(is_read(STR("\1\241\234\1\300\270\2" REST))); /* one more */
}

static void hostile_bytes_end_well(void **state)
{
    (void)state;
    for (size_t i = 0; i < 100; i++)
        points[i] = point((int64_t)i * 10000 + pick(200), 8000 + pick(40));
    struct str bytes = point_chunk_encode(arena, HOUR, points, 100);
    char *changed = arena_bytes(arena, bytes.n);
    for (int round = 0; round < 20000; round++) {
        size_t n;
        memcpy(changed, bytes.p, bytes.n);
        for (uint32_t k = 1 + pick(3); k > 0; k--)
            changed[pick((uint32_t)bytes.n)] = (char)pick(256);
        if (!point_chunk_decode((struct str){changed, bytes.n}, HOUR, read, &n))
            continue;
        for (size_t i = 0; i < n; i++) {
            assert_in_range(read[i].time, HOUR, HOUR + LAST_MS);
            assert_true(i == 0 || read[i].time >= read[i - 1].time);
        }
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(awkward_points_are_read_back),     TEST(random_points_are_read_back),
        TEST(an_hour_of_pushes_is_small),       TEST(as_many_points_as_there_may_be),
        TEST(what_is_cut_or_longer_is_refused), TEST(bytes_that_are_none_are_refused),
        TEST(hostile_bytes_end_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
