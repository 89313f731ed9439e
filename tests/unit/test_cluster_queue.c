/* cluster_queue: seats are left however the wait for a cluster ends. The database is played here.
 */
#include "store/cluster_queue.h"
#include "base/seats.h"
#include "scratch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include <stdlib.h>

static char path[] = "/tmp/loadline-seats-XXXXXX";
static struct cluster_row found;

/* ---- the database ---- */

static enum { GIVES, FAILS, EXHAUSTS } played;

enum error cluster_lock(struct db *db, struct arena *of, struct str name, struct cluster_row **row)
{
    (void)db;
    (void)name;
    *row = played == GIVES ? &found : NULL;
    if (played == EXHAUSTS)
        arena_exhaust(of);
    return played == FAILS ? ERR_DATABASE_BUSY : ERR_OK;
}

/* Somebody has it locked. */
enum error cluster_lock_free(struct db *db, struct arena *of, struct str name,
                             struct cluster_row **row)
{
    (void)db;
    (void)of;
    (void)name;
    *row = NULL;
    return ERR_OK;
}

/* ---- waiting ---- */

static enum error error;

static void wait_for_it(void *context)
{
    static const struct cluster_queue queue = {STR("tenant"), 1, 1};
    struct cluster_row *row;
    (void)context;
    error = cluster_queue_lock(NULL, arena, &queue, STR("production"), &row);
}

/* What another worker meets that waits for the same cluster. */
static enum error elsewhere(void)
{
    int status;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        played = GIVES;
        wait_for_it(NULL);
        _exit((int)error);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return (enum error)WEXITSTATUS(status);
}

static void seats_are_left(void **state)
{
    (void)state;
    for (played = GIVES; played <= EXHAUSTS; played++) {
        assert_int_equal(arena_guard(arena, wait_for_it, NULL), played != EXHAUSTS);
        assert_int_equal(error, played == FAILS ? ERR_DATABASE_BUSY : ERR_OK);
        if (elsewhere() != ERR_OK)
            fail_msg("way %d: the seat is still taken", (int)played);
        error = ERR_OK;
    }
}

static int open_seats(void **state)
{
    int fd = mkstemp(path);
    return fd < 0 || close(fd) || !seats_open(path) || unlink(path) ? 1 : scratch_open(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seats_are_left),
    };
    return cmocka_run_group_tests(tests, open_seats, scratch_close);
}
