/* What does not fit memory stands in a file that nobody else sees. */
#include "service/spool.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <cmocka.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "scratch.h"

static char directory[] = "/tmp/loadline-test-spool-XXXXXX";

static bool put(void *context, struct str bytes)
{
    buf_put(context, bytes);
    return true;
}

static bool refuse(void *context, struct str bytes)
{
    (void)bytes;
    return --*(int *)context > 0;
}

static struct str pattern(size_t n)
{
    char *p = arena_bytes(arena, n);
    for (size_t i = 0; i < n; i++)
        p[i] = (char)(i * 7 + i / 251);
    return (struct str){p, n};
}

static void parts_come_back(void **state)
{
    (void)state;
    enum { N = 300000 };
    static const struct {
        uint64_t offset, n;
    } parts[] = {
        {0, 0}, {0, 1}, {0, N}, {N - 1, 1}, {N, 0}, {65535, 2}, {1, N - 1}, {7, 65536}, {3, 10},
    };
    struct str bytes = pattern(N);
    struct spool *spool = spool_open(directory);
    assert_non_null(spool);
    for (size_t at = 0; at < N; at += 70001)
        assert_true(spool_put(spool, str_sub(bytes, at, 70001)));
    for (size_t i = 0; i < COUNT(parts); i++) {
        struct buf out = buf_init(arena, SIZE_MAX);
        assert_true(spool_copy(spool, parts[i].offset, parts[i].n, (struct sink){put, &out}));
        assert_true(str_eq(buf_str(&out), str_sub(bytes, parts[i].offset, parts[i].n)));
    }
    struct buf out = buf_init(arena, SIZE_MAX);
    assert_false(spool_copy(spool, N - 1, 2, (struct sink){put, &out}));
    int calls = 2;
    assert_false(spool_copy(spool, 0, N, (struct sink){refuse, &calls}));
    assert_int_equal(calls, 0);
    spool_free(spool);
}

static void a_source_starts_over(void **state)
{
    (void)state;
    struct str bytes = pattern(100000);
    struct spool *spool = spool_open(directory);
    assert_true(spool_put(spool, bytes));
    for (int round = 0; round < 2; round++) {
        struct source source = spool_source(spool);
        char *to = arena_bytes(arena, bytes.n + 1);
        size_t have = 0;
        ptrdiff_t n;
        while ((n = source.read(source.context, to + have, 30000)) > 0)
            have += (size_t)n;
        assert_int_equal(n, 0);
        assert_true(str_eq((struct str){to, have}, bytes));
    }
    spool_free(spool);
}

static void nothing_is_seen_of_it(void **state)
{
    (void)state;
    struct spool *spool = spool_open(directory);
    assert_true(spool_put(spool, STR("hidden")));
    DIR *files = opendir(directory);
    for (struct dirent *entry; (entry = readdir(files)) != NULL;)
        assert_true(entry->d_name[0] == '.');
    closedir(files);
    spool_free(spool);
    spool_free(NULL);
}

static void no_directory_no_spool(void **state)
{
    (void)state;
    assert_null(spool_open("/nonexistent"));
    assert_null(spool_open("/proc"));
}

/* What a disk does that is full. */
static void what_failed_is_told(void **state)
{
    (void)state;
    struct rlimit before, little = {4096, 4096};
    struct str bytes = pattern(4097);
    struct spool *spool = spool_open(directory);
    struct buf out = buf_init(arena, SIZE_MAX);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    little.rlim_max = before.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    assert_true(spool_put(spool, str_sub(bytes, 0, 4096)));
    assert_false(spool_failed(spool));
    assert_false(spool_put(spool, str_sub(bytes, 4096, 4097)));
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_true(spool_failed(spool));
    assert_true(spool_copy(spool, 0, 4096, (struct sink){put, &out}));
    assert_true(spool_failed(spool)); /* it stays so */
    spool_free(spool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_come_back),       cmocka_unit_test(a_source_starts_over),
        cmocka_unit_test(nothing_is_seen_of_it), cmocka_unit_test(no_directory_no_spool),
        cmocka_unit_test(what_failed_is_told),
    };
    log_open("test_spool", "/dev/null", LOG_LEVEL_INFO);
    if (!mkdtemp(directory))
        return 1;
    int failed = cmocka_run_group_tests(tests, scratch_open, scratch_close);
    rmdir(directory);
    return failed;
}
