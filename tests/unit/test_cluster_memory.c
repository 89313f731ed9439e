/* What a worker remembers of many clusters stays within its limit, and is of the right one. */
#include "web/cluster_memory.h"
#include "reader/snapshot_reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { MAX = 64 << 20 };

#define LIST_OF_ONE                                                                                \
    "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[{\"apiVersion\":\"v1\",\"kind\":\"Pod\"," \
    "\"metadata\":{\"name\":\"a\",\"namespace\":\"shop\"},\"spec\":{\"nodeName\":\"n\"}}]}"

static uint64_t known(const struct known_cluster *cluster)
{
    return object_memory_use(cluster->objects).known;
}

static void read_into(const struct known_cluster *known, struct str document)
{
    struct arena *arena = arena_new(MAX);
    struct snapshot_error error;
    struct snapshot_options options = {.stop_at_sensitive = true, .memory = known->objects};
    for (int i = 0; i < 3; i++)
        assert_non_null(snapshot_read(arena, source_of(&(struct str){document.p, document.n}),
                                      &options, &error));
    arena_free(arena);
}

static void clusters_by_their_last_use(void **state)
{
    struct arena *arena = arena_new(MAX);
    struct cluster_memory *clusters = cluster_memory_new(1 << 20);
    struct str document = STR(LIST_OF_ONE);
    (void)state;
    assert_null(cluster_memory_new(0));
    assert_null(cluster_memory_of(NULL, STR("t"), STR("c")));
    const struct known_cluster *first = cluster_memory_of(clusters, STR("t"), STR("c"));
    read_into(first, document);
    assert_ptr_equal(cluster_memory_of(clusters, STR("t"), STR("c")), first);
    assert_int_equal(known(first), 1);
    /* other tenants, and names that only look the same when they are put together */
    assert_int_equal(known(cluster_memory_of(clusters, STR("u"), STR("c"))), 0);
    assert_int_equal(known(cluster_memory_of(clusters, STR("tc"), STR(""))), 0);
    for (unsigned i = 0; i < 100; i++) {
        struct str name = arena_printf(arena, "c%u", i);
        read_into(cluster_memory_of(clusters, STR("t"), name), document);
        if (i % 4 == 0) /* is asked for, and stays */
            assert_int_equal(known(cluster_memory_of(clusters, STR("t"), STR("c"))), 1);
        assert_true(cluster_memory_bytes(clusters) <= (1 << 20) + 256 * 1024);
    }
    assert_int_equal(known(cluster_memory_of(clusters, STR("t"), STR("c0"))), 0);
    assert_int_equal(known(cluster_memory_of(clusters, STR("t"), STR("c99"))), 1);
    cluster_memory_free(clusters);
    cluster_memory_free(NULL);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_by_their_last_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
