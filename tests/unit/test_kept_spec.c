/* The spec of a pod that changes is taken over, and that changes nothing but time (warm.h). */
#include "objects.h"
#include "pods.h"
#include "reader/remembered.h"
#include "warm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

enum { MAX = 64 << 20, PLAIN = 0, EDITED = 1, EDITED_TOO = 2, CUT = 4, STATES = 10 };

static void same(struct warm *warm, struct str document, enum warm_mode mode, size_t piece)
{
    const char *what = warm_push(warm, document, mode, piece);
    if (what)
        fail_msg("%s, in pieces of %zu, in mode %d:\n%" STR_FMT, what, piece, (int)mode,
                 STR_ARG(str_sub(document, 0, 2000)));
}

/* How many pods of the list were read but for their specs. */
static uint64_t specs_of(struct warm *warm, struct arena *arena, const struct pod_parts *pods,
                         unsigned n, enum warm_mode mode)
{
    struct objects list = {0};
    for (unsigned i = 0; i < n; i++)
        objects_add(arena, &list, pods_text(arena, pods[i]));
    same(warm, objects_list(arena, &list), mode, 0);
    return warm_use(warm).specs;
}

struct fixture {
    struct arena *arena;
    struct warm *warm;
};

static struct fixture begin(void)
{
    return (struct fixture){arena_new(MAX), warm_new(MAX)};
}

static void end(struct fixture *it)
{
    warm_free(it->warm);
    arena_free(it->arena);
}

static void one_that_had_stayed(void **state)
{
    (void)state;
    for (unsigned spec = 0; spec <= EDITED; spec++) {
        struct fixture it = begin();
        struct pod_parts pod = {.spec = spec};
        for (int i = 0; i < 3; i++)
            assert_int_equal(specs_of(it.warm, it.arena, &pod, 1, WARM_REDACT), 0);
        for (pod.state = 1; pod.state < STATES; pod.state++)
            assert_int_equal(specs_of(it.warm, it.arena, &pod, 1, WARM_REDACT), 1);
        /* kept with a spec that was taken over */
        specs_of(it.warm, it.arena, &pod, 1, WARM_REDACT);
        specs_of(it.warm, it.arena, &pod, 1, WARM_REDACT);
        specs_of(it.warm, it.arena, &pod, 1, WARM_REDACT);
        assert_int_equal(warm_use(it.warm).known, 1);
        pod.state++;
        assert_int_equal(specs_of(it.warm, it.arena, &pod, 1, WARM_REDACT), 1);
        end(&it);
    }
}

static void one_that_always_changes(void **state)
{
    struct fixture it = begin();
    struct pod_parts pod = {.spec = PLAIN};
    (void)state;
    for (; pod.state < STATES; pod.state++) /* read, noted, kept, and from then on taken over */
        assert_int_equal(specs_of(it.warm, it.arena, &pod, 1, WARM_PARTS), pod.state >= 3);
    pod.spec = EDITED;
    for (pod.state = 0; pod.state < STATES; pod.state++)
        assert_int_equal(specs_of(it.warm, it.arena, &pod, 1, WARM_PARTS), pod.state >= 2);
    pod.spec = CUT;
    for (pod.state = 0; pod.state < STATES; pod.state++)
        assert_int_equal(specs_of(it.warm, it.arena, &pod, 1, WARM_PARTS), 0);
    end(&it);
}

/* Wherever it stands in the object, and whosever it was; but of two in one object neither. */
static void where_it_stands(void **state)
{
    static const struct {
        struct pod_parts then;
        uint64_t specs;
    } cases[] = {
        {{.form = 0, .state = 1}, 1},
        {{.form = 1, .state = 1}, 1},
        {{.form = 2, .state = 1}, 1},
        {{.form = 3, .state = 1}, 1},
        {{.form = 5}, 1},
        {{.form = 8}, 1},
        {{.name = 1}, 1},
        {{.spec = EDITED}, 0},
        {{.form = 7}, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fixture it = begin();
        struct pod_parts pod = {.name = 0};
        for (int n = 0; n < 3; n++)
            specs_of(it.warm, it.arena, &pod, 1, WARM_REDACT);
        assert_int_equal(specs_of(it.warm, it.arena, &cases[i].then, 1, WARM_REDACT),
                         cases[i].specs);
        end(&it);
    }
    struct fixture it = begin();
    struct pod_parts twice = {.form = 3, .other = EDITED};
    for (; twice.state < STATES; twice.state++)
        assert_int_equal(specs_of(it.warm, it.arena, &twice, 1, WARM_REDACT), 0);
    end(&it);
}

/* Of values that redaction cuts nothing is kept with a spec, nor of what the filter cuts. */
static void no_secret_is_kept(void **state)
{
    struct fixture it = begin();
    struct pod_parts pods[] = {{.name = 0, .spec = EDITED}, {.name = 1, .spec = CUT}};
    (void)state;
    for (unsigned push = 0; push < STATES; push++) {
        pods[0].state = pods[1].state = push;
        specs_of(it.warm, it.arena, pods, 2, WARM_REDACT);
    }
    assert_int_equal(warm_use(it.warm).specs, 1);
    const struct arena *kept = warm_memory(it.warm)->arena;
    assert_true(arena_holds(kept, STR("LEVEL")));
    assert_false(arena_holds(kept, STR("hush-hush")));
    assert_false(arena_holds(kept, STR("correct-horse")));
    end(&it);
}

/* A pod that changes for ever leaves no more behind than it takes. */
static void garbage(void **state)
{
    struct fixture it = begin();
    size_t first = 0;
    (void)state;
    for (unsigned push = 0; push < 400; push++) {
        struct pod_parts pods[2 * PODS_NAMES];
        for (unsigned i = 0; i < 2 * PODS_NAMES; i++)
            pods[i] = (struct pod_parts){
                .name = i, .state = push / 2, .spec = push / 100 % 2 ? EDITED : EDITED_TOO};
        specs_of(it.warm, it.arena, pods, 2 * PODS_NAMES, WARM_REDACT);
        if (push == 10)
            first = object_memory_bytes(warm_memory(it.warm));
    }
    assert_true(first && object_memory_bytes(warm_memory(it.warm)) < first + (1 << 20));
    end(&it);
}

static uint64_t push_any(uint64_t seed, struct warm *warm, enum warm_mode mode, size_t piece)
{
    struct pod_parts pods[2 * PODS_NAMES] = {{.name = 0}};
    struct arena *arena = arena_new(MAX);
    uint64_t specs = 0;
    for (unsigned push = 0; push < 60; push++) {
        struct objects list = {0};
        for (uint32_t n = objects_throw(&seed, 3); n > 0; n--) {
            struct pod_parts *pod = &pods[objects_throw(&seed, 2 * PODS_NAMES)];
            *pod = (struct pod_parts){.name = objects_throw(&seed, PODS_NAMES),
                                      .spec = objects_throw(&seed, PODS_SPECS),
                                      .other = objects_throw(&seed, PODS_SPECS),
                                      .form = objects_throw(&seed, PODS_FORMS)};
        }
        for (unsigned i = 0; i < 2 * PODS_NAMES; i++) {
            pods[i].state += objects_throw(&seed, 2);
            pods[i].form = objects_throw(&seed, 8) ? pods[i].form : 0;
            objects_add(arena, &list, pods_text(arena, pods[i]));
        }
        if (!objects_throw(&seed, 8))
            objects_shuffle(&list, seed);
        same(warm, objects_list(arena, &list), mode, piece);
        specs += warm_use(warm).specs;
    }
    arena_free(arena);
    return specs;
}

static void warm_equals_cold(void **state)
{
    static const size_t pieces[] = {0, 1, 7, 64, 1000};
    uint64_t specs = 0;
    (void)state;
    for (uint64_t seed = 1; seed < 80; seed++) {
        struct warm *warm = warm_new(seed % 4 ? MAX : 96 << 10);
        enum warm_mode mode = (enum warm_mode)(seed % WARM_MODES);
        specs += push_any(seed, warm, mode, pieces[seed % 5]);
        warm_free(warm);
    }
    assert_true(specs > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_secret_is_kept), /* first: memory that was freed may hold anything */
        cmocka_unit_test(one_that_had_stayed), cmocka_unit_test(one_that_always_changes),
        cmocka_unit_test(where_it_stands),     cmocka_unit_test(garbage),
        cmocka_unit_test(warm_equals_cold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
