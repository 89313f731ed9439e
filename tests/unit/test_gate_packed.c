/* gate_summary: what is kept of it is packed, and unpacked by whoever asks the gate. */
#include "base/buf.h"
#include "base/rand.h"
#include "codec/zstd.h"
#include "store/gate_summary.h"
#include "scratch.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* What is packed is read back; what is cut or longer is not. */
static void packed(void **state)
{
    (void)state;
    static const struct gate_summary rows[] = {
        {STR("one\ntwo\n"), STR("{}\n"), 0, false, 0, STR("Deployment\tshop\tapi\t3\t1\t-\n"),
         STR("1.34"), STR("")},
        {STR(""), STR(""), 0, false, 0, STR(""), STR(""), STR("")},
        {STR("12 34\n"), STR(""), 0, false, 0, STR("\n\n"), STR(" "), STR("")},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str bytes = gate_summary_pack(arena, &rows[i]);
        struct gate_summary read = {0};
        assert_true(gate_summary_unpack(arena, bytes, &read));
        assert_true(str_eq(read.reasons, rows[i].reasons) && str_eq(read.risks, rows[i].risks));
        assert_true(str_eq(read.workloads, rows[i].workloads));
        assert_true(read.api_use.p && str_eq(read.api_use, rows[i].api_use));
        for (size_t n = 0; n < bytes.n; n++)
            assert_false(gate_summary_unpack(arena, str_sub(bytes, 0, n), &read));
    }
    arena_reset(arena);
}

static bool put(void *context, struct str bytes)
{
    buf_put(context, bytes);
    return true;
}

static void not_packed(void **state)
{
    (void)state;
    static const struct str texts[] = {STR(""),
                                       STR("0 0 0 0"),
                                       STR("0 0 0\n"),
                                       STR("0 0 0 0\nx"),
                                       STR("1 0 0 0\n"),
                                       STR("-1 0 0 1\n"),
                                       STR("0 0 0 x\n"),
                                       STR("2 0 0 0\nx"),
                                       STR("9223372036854775807 1 0 0\nx"),
                                       STR("0 0 0 99999999999999999999\n")};
    struct gate_summary read;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct buf out = buf_init(arena, SIZE_MAX);
        struct zstd_writer *zstd = zstd_writer_open((struct sink){put, &out}, 1);
        assert_true(zstd_writer_put(zstd, texts[i]) && zstd_writer_finish(zstd));
        zstd_writer_free(zstd);
        assert_false(gate_summary_unpack(arena, buf_str(&out), &read));
        assert_false(gate_summary_unpack(arena, texts[i], &read));
    }
    arena_reset(arena);
}

/* ---- an arena that is exhausted ---- */

struct fitting {
    struct arena *arena;
    struct gate_summary summary;
    struct str packed;
};

static void pack_it(void *context)
{
    struct fitting *fitting = context;
    gate_summary_pack(fitting->arena, &fitting->summary);
}

static void unpack_it(void *context)
{
    struct fitting *fitting = context;
    struct gate_summary read;
    gate_summary_unpack(fitting->arena, fitting->packed, &read);
}

static size_t heap_in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* Whoever is unwound frees nothing: what packs and unpacks must not be lost then. */
static void an_exhausted_arena_leaves_nothing(void **state)
{
    (void)state;
    enum { TOO_MUCH = 4 << 20, LITTLE = 1 << 20, TIMES = 20, KEPT_MAX = 64 * 1024 };
    static void (*const works[])(void *) = {pack_it, unpack_it};
    char *noise = arena_bytes(arena, TOO_MUCH);
    struct fitting fitting = {.summary = {.risks = {noise, TOO_MUCH}}};
    rand_bytes(noise, TOO_MUCH);
    fitting.packed = gate_summary_pack(arena, &fitting.summary);
    assert_true(fitting.packed.n > TOO_MUCH);
    for (size_t i = 0; i < COUNT(works); i++) {
        size_t before = 0;
        for (unsigned n = 0; n < TIMES; n++) {
            fitting.arena = arena_new(LITTLE);
            assert_false(arena_guard(fitting.arena, works[i], &fitting));
            arena_free(fitting.arena);
            before = n ? before : heap_in_use();
        }
        assert_in_range(heap_in_use(), 0, before + KEPT_MAX);
    }
    struct gate_summary read;
    assert_true(gate_summary_unpack(arena, fitting.packed, &read));
    assert_true(str_eq(read.risks, fitting.summary.risks));
    arena_reset(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed),
        cmocka_unit_test(not_packed),
        cmocka_unit_test(an_exhausted_arena_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
