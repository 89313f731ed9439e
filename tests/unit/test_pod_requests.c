#include "kube/pod_requests.h"
#include "kube/release.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define NONE         NUMBER_ABSENT

/* CPU requests and limits; memory is the same times ten. */
struct size {
    enum container_role role;
    int64_t request, limit;
};

struct pod_row {
    const char *name;
    struct size sizes[6];
    size_t n;
    int64_t pod_request, pod_limit, overhead;
    int64_t expected;
};

static int64_t tenfold(int64_t n)
{
    return n == NONE || n == INT64_MAX ? n : 10 * n;
}

static struct resource_list list_of(int64_t n)
{
    return (struct resource_list){.cpu = n, .memory = tenfold(n)};
}

static void reserve(const struct pod_row *row)
{
    struct container containers[6] = {0};
    struct resource_requirements needs[6];
    struct resource_requirements pod = {list_of(row->pod_request), list_of(row->pod_limit)};
    struct resource_list overhead = list_of(row->overhead);
    struct pod_spec spec = {.containers = LIST_SLICE(containers, (uint32_t)row->n),
                            .resources = &pod,
                            .overhead = row->overhead == NONE ? NULL : &overhead};
    for (size_t i = 0; i < row->n; i++) {
        needs[i] = (struct resource_requirements){list_of(row->sizes[i].request),
                                                  list_of(row->sizes[i].limit)};
        containers[i].role = row->sizes[i].role;
        containers[i].resources = &needs[i];
    }
    struct resource_list got = pod_requests(&spec);
    if (got.cpu != row->expected || got.memory != tenfold(row->expected))
        fail_msg("%s: %lld and %lld, expected %lld", row->name, (long long)got.cpu,
                 (long long)got.memory, (long long)row->expected);
}

static void pods_reserve(void **state)
{
    static const enum container_role C = CONTAINER_MAIN, I = CONTAINER_INIT, S = CONTAINER_SIDECAR,
                                     E = CONTAINER_EPHEMERAL;
    const struct pod_row rows[] = {
        {"nothing", {{C, NONE, NONE}}, 1, NONE, NONE, NONE, 0},
        {"the sum of main containers", {{C, 100, NONE}, {C, 50, 500}}, 2, NONE, NONE, NONE, 150},
        {"a limit alone is the request", {{C, NONE, 300}}, 1, NONE, NONE, NONE, 300},
        {"an explicit zero stays", {{C, 0, 300}}, 1, NONE, NONE, NONE, 0},
        {"small init containers do not add",
         {{C, 100, NONE}, {I, 80, NONE}, {I, 90, NONE}},
         3,
         NONE,
         NONE,
         NONE,
         100},
        {"a large one raises", {{C, 100, NONE}, {I, 400, NONE}}, 2, NONE, NONE, NONE, 400},
        {"sidecars add to main", {{C, 100, NONE}, {S, 50, NONE}}, 2, NONE, NONE, NONE, 150},
        {"init after a sidecar",
         {{C, 100, NONE}, {S, 50, NONE}, {I, 200, NONE}},
         3,
         NONE,
         NONE,
         NONE,
         250},
        {"init before a sidecar",
         {{C, 100, NONE}, {I, 200, NONE}, {S, 50, NONE}},
         3,
         NONE,
         NONE,
         NONE,
         200},
        {"init between two sidecars",
         {{C, 10, NONE}, {S, 50, NONE}, {I, 200, NONE}, {S, 70, NONE}},
         4,
         NONE,
         NONE,
         NONE,
         250},
        {"ephemeral containers reserve nothing",
         {{C, 100, NONE}, {E, 900, NONE}},
         2,
         NONE,
         NONE,
         NONE,
         100},
        {"overhead", {{C, 100, NONE}, {I, 400, NONE}}, 2, NONE, NONE, 25, 425},
        {"the pod level takes the place of the sum",
         {{C, 100, NONE}, {C, 100, NONE}},
         2,
         150,
         NONE,
         NONE,
         150},
        {"a limit of the pod level, where the containers request nothing",
         {{C, NONE, NONE}, {C, 0, NONE}},
         2,
         NONE,
         700,
         5,
         705},
        {"what the containers request goes before it",
         {{C, 100, NONE}, {S, NONE, 30}},
         2,
         NONE,
         700,
         5,
         135},
        {"and the pod level's own request before both", {{C, 100, NONE}}, 1, 0, 700, NONE, 0},
        {"the end of numbers",
         {{C, INT64_MAX, NONE}, {C, INT64_MAX, NONE}},
         2,
         NONE,
         NONE,
         NONE,
         INT64_MAX},
        {"a negative request is none", {{C, -5, NONE}, {C, 7, NONE}}, 2, NONE, NONE, NONE, 7},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        reserve(&rows[i]);
    assert_int_equal(pod_requests(NULL).cpu, 0);
}

static void releases(void **state)
{
    static const struct {
        const char *version;
        bool good;
        int64_t minor;
        const char *end; /* NULL: not known */
    } rows[] = {
        {"v1.33.2", true, 33, "2026-06-28T23:59:59Z"},
        {"v1.14.10-gke.27", true, 14, "2019-12-11T23:59:59Z"},
        {"1.21+", true, 21, "2022-06-28T23:59:59Z"},
        {"v1.21.1+38b3ecc", true, 21, "2022-06-28T23:59:59Z"},
        {"v1.5.2", true, 5, "2019-10-15T23:59:59Z"},
        {"v1.99.0", true, 99, NULL},
        {"v2.0.0", true, 0, NULL},
        {"", false, 0, NULL},
        {"v1", false, 0, NULL},
        {"v1.", false, 0, NULL},
        {"v1.x", false, 0, NULL},
        {"v-1.3", false, 0, NULL},
        {"1.99999999999", false, 0, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct release release = {0};
        if (release_parse(str_of(rows[i].version), &release) != rows[i].good ||
            release.minor != rows[i].minor)
            fail_msg("%s: read as %lld", rows[i].version, (long long)release.minor);
        int64_t end = rows[i].end ? clock_parse(str_of(rows[i].end)) : TIME_NONE;
        if (rows[i].good && release_end_of_life(release) != end)
            fail_msg("%s: another end", rows[i].version);
    }
}

static void releases_that_people_choose(void **state)
{
    (void)state;
    struct release release;
    static const char *const good[] = {"1.34", "v1.25.3", "1.21+", "v1.14.10-gke.27"};
    static const char *const bad[] = {"",           "1",      "0.9",    "2.1",
                                      "1.29, 1.30", "1.30 x", "1.30;x", "1.30\n"};
    for (size_t i = 0; i < COUNT(good); i++)
        assert_true(release_choose(str_of(good[i]), &release));
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(release_choose(str_of(bad[i]), &release));
    assert_false(release_choose(STR("1.30\0"), &release));
    for (int64_t minor = 0; minor < 200; minor++)
        assert_int_equal(release_is_known((struct release){1, minor}),
                         minor >= release_oldest_known() && minor <= release_newest_known());
    assert_false(release_is_known((struct release){2, release_oldest_known()}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pods_reserve), cmocka_unit_test(releases),
                                       cmocka_unit_test(releases_that_people_choose)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
