#include "kube/pod_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void families(void **state)
{
    static const struct {
        const char *pod, *base;
        enum pod_shape shape;
    } rows[] = {
        {"api-7d9f8b6c5-x2k4p", "api", POD_SHAPE_DEPLOYMENT},
        {"shop-front-end-5d69c7bf8c-bcdfg", "shop-front-end", POD_SHAPE_DEPLOYMENT},
        {"api-456789-bcdfg", "api", POD_SHAPE_DEPLOYMENT},
        {"api-45678-bcdfg", "api-45678", POD_SHAPE_RANDOM},
        {"api-456789bcdff-bcdfg", "api-456789bcdff", POD_SHAPE_RANDOM},
        {"api-7d9f8b6c5-x2k4", "api-7d9f8b6c5-x2k4", POD_SHAPE_ALONE},
        {"api-7d9f8b6c5-x2k4pp", "api-7d9f8b6c5-x2k4pp", POD_SHAPE_ALONE},
        {"api-7d9f8b6c5-x2k4a", "api-7d9f8b6c5-x2k4a", POD_SHAPE_ALONE},
        {"api-7d9f8b6c5-X2K4P", "api-7d9f8b6c5-X2K4P", POD_SHAPE_ALONE},
        {"my-redis", "my-redis", POD_SHAPE_ALONE},
        {"node-exporter-x2k4p", "node-exporter", POD_SHAPE_RANDOM},
        {"agent-1-x2k4p", "agent-1", POD_SHAPE_RANDOM},
        {"db-0", "db", POD_SHAPE_ORDINAL},
        {"db-12", "db", POD_SHAPE_ORDINAL},
        {"db-1234567", "db-1234567", POD_SHAPE_ALONE},
        {"db-primary-0", "db-primary", POD_SHAPE_ORDINAL},
        {"backup-29472159-pvnhf", "backup", POD_SHAPE_SCHEDULED},
        {"backup-1668470400-pvnhf", "backup", POD_SHAPE_SCHEDULED},
        {"backup-2947215-pvnhf", "backup-2947215", POD_SHAPE_RANDOM},
        {"x2k4p", "x2k4p", POD_SHAPE_ALONE},
        {"-x2k4p", "-x2k4p", POD_SHAPE_ALONE},
        {"-456789-x2k4p", "-456789", POD_SHAPE_RANDOM},
        {"a--0", "a-", POD_SHAPE_ORDINAL},
        {"a-", "a-", POD_SHAPE_ALONE},
        {"0", "0", POD_SHAPE_ALONE},
        {"", "", POD_SHAPE_ALONE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct pod_family family = pod_family_of(str_of(rows[i].pod));
        if (!str_eq(family.base, str_of(rows[i].base)) || family.shape != rows[i].shape)
            fail_msg("%s is %" STR_FMT " of shape %d", rows[i].pod, STR_ARG(family.base),
                     (int)family.shape);
    }
    const char with_nul[] = "api-7d9f8b6c5-x2\0004p";
    assert_int_equal(pod_family_of((struct str){with_nul, sizeof with_nul - 1}).shape,
                     POD_SHAPE_ALONE);
}

static void kinds(void **state)
{
    static const struct {
        enum kind kind;
        const char *pod;
        bool fits;
    } rows[] = {
        {KIND_DEPLOYMENT, "api-7d9f8b6c5-x2k4p", true},
        {KIND_DEPLOYMENT, "api-x2k4p", false},
        {KIND_STATEFULSET, "api-0", true},
        {KIND_STATEFULSET, "api-x2k4p", false},
        {KIND_DAEMONSET, "api-x2k4p", true},
        {KIND_REPLICASET, "api-x2k4p", true},
        {KIND_JOB, "api-x2k4p", true},
        {KIND_CRONJOB, "api-29472159-x2k4p", true},
        {KIND_CRONJOB, "api-x2k4p", false},
        {KIND_POD, "api", true},
        {KIND_POD, "api-0", false},
        {KIND_NONE, "api", true},
        {KIND_NONE, "api-29472159-x2k4p", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool fits = pod_shapes_of(rows[i].kind) >> pod_family_of(str_of(rows[i].pod)).shape & 1;
        if (fits != rows[i].fits)
            fail_msg("kind %d and %s", (int)rows[i].kind, rows[i].pod);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(families), cmocka_unit_test(kinds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
