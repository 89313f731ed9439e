/* together: several requests at once through the loop: who waits for whom, and that everybody gets
 * an answer. Without a database nothing can be stored; with the one that LOADLINE_TEST_DB names
 * (tests/e2e/10-together.t) it is tried who fails because of whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <unistd.h>

#include "base/log.h"
#include "web/ahead.h"
#include "web/page.h"
#include "wires.h"

static struct conf conf;
static struct app app;
static struct together *together;

/* A machine that is busy must not end the first's patience; where its end is tried, it is short. */
enum { LONG_MS = 600 * 1000, SHORT_MS = 300 };

/* ---- handlers ---- */

static enum error keep_nothing(struct db *database, struct arena *arena,
                               struct request *const *requests, size_t n)
{
    (void)database, (void)arena, (void)requests, (void)n;
    return ERR_OK;
}

static enum error keep_too_much(struct db *database, struct arena *arena,
                                struct request *const *requests, size_t n)
{
    (void)database, (void)requests, (void)n;
    arena_bytes(arena, 1 << 30);
    return ERR_OK;
}

static enum error refuse_to_keep(struct db *database, struct arena *arena,
                                 struct request *const *requests, size_t n)
{
    (void)database, (void)arena, (void)requests, (void)n;
    return ERR_INTERNAL;
}

static void note_kept(void *what)
{
    (void)what;
    wires_note('k');
}

static enum error leave_to(struct request *r, request_keep *keep)
{
    wires_note('l');
    r->left.keep = keep;
    r->left.kept = note_kept;
    return page_ok(r, 200);
}

static enum error leave(struct request *r)
{
    return leave_to(r, keep_nothing);
}

static enum error leave_too_much(struct request *r)
{
    return leave_to(r, keep_too_much);
}

static enum error leave_refused(struct request *r)
{
    return leave_to(r, refuse_to_keep);
}

static enum error leave_large(struct request *r)
{
    arena_bytes(r->arena, 5 << 20);
    return leave(r);
}

static enum error leave_and_exhaust(struct request *r)
{
    leave(r);
    arena_bytes(r->arena, 1 << 30);
    return ERR_OK;
}

static enum error take_long(struct request *r)
{
    together_settle(r);
    wires_note('s');
    return page_ok(r, 200);
}

static enum error leave_long(struct request *r)
{
    together_settle(r);
    wires_note('s');
    return leave(r);
}

static enum error answer(struct request *r)
{
    wires_note('a');
    return page_ok(r, 200);
}

/* What a pipeline asks: it names its cluster in the header, and both were read ahead or not. */
static enum error ask(struct request *r)
{
    const struct cluster_row *cluster = ahead_cluster(r, http_header(&r->http, "X_CLUSTER_ID"));
    wires_note(cluster && ahead_key(r) && r->identity.key.n ? 'r' : 'n');
    if (ahead_cluster(r, STR("another")))
        wires_note('!');
    r->left.keep = keep_nothing;
    return page_ok(r, 200);
}

static enum error ask_large(struct request *r)
{
    arena_bytes(r->arena, 5 << 20);
    return ask(r);
}

static enum error ask_slowly(struct request *r)
{
    usleep(1500 * SHORT_MS);
    return ask(r);
}

static enum error ask_long(struct request *r)
{
    together_settle(r);
    wires_note('s');
    return ask(r);
}

/* What is known of a push's cluster is for the first who asks about this push. */
static enum error push(struct request *r)
{
    struct str name = http_header(&r->http, "X_CLUSTER_ID"), key = STR("a key that it has not got");
    const struct push_id id = {0}, other = {.by_key = key};
    bool is_other = str_eq(name, STR("two"));
    const struct push_before *before = ahead_push(r, name, is_other ? &other : &id);
    wires_note(before && before->cluster.n && r->identity.key.n ? 'p' : 'n');
    if (ahead_push(r, name, &id))
        wires_note('!');
    return page_ok(r, 200);
}

static const struct route rows[] = {
    {"ingest", HTTP_GET, "/push", CREDENTIAL_API_KEY, NEED_AGENT, RATE_NONE, 0, push},
    {"t", HTTP_GET, "/ask", CREDENTIAL_API_KEY, NEED_CICD, RATE_NONE, 0, ask},
    {"t", HTTP_GET, "/asklong", CREDENTIAL_API_KEY, NEED_CICD, RATE_NONE, 0, ask_long},
    {"t", HTTP_GET, "/asklarge", CREDENTIAL_API_KEY, NEED_CICD, RATE_NONE, 0, ask_large},
    {"t", HTTP_GET, "/askslowly", CREDENTIAL_API_KEY, NEED_CICD, RATE_NONE, 0, ask_slowly},
    {"t", HTTP_GET, "/agent", CREDENTIAL_API_KEY, NEED_AGENT, RATE_NONE, 0, ask},
    {"t", HTTP_GET, "/leave", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, leave},
    {"t", HTTP_GET, "/much", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, leave_too_much},
    {"t", HTTP_GET, "/refused", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, leave_refused},
    {"t", HTTP_GET, "/large", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, leave_large},
    {"t", HTTP_GET, "/exhaust", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, leave_and_exhaust},
    {"t", HTTP_GET, "/long", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, leave_long},
    {"t", HTTP_GET, "/slow", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, take_long},
    {"t", HTTP_GET, "/answer", CREDENTIAL_NONE, NEED_ANY, RATE_NONE, 0, answer},
};

#define SERVE(...) wires_serve(together, (const char *const[]){__VA_ARGS__, NULL})

/* ---- tests ---- */

static void alone_it_waits_for_nobody(void **state)
{
    (void)state;
    assert_string_equal(SERVE("/leave"), "l0");
    assert_int_equal(wire_status(&wires[0]), 503); /* there is no database */
    assert_true(wire_header(&wires[0], "Retry-After").n > 0);
    assert_int_equal(wire_header(&wires[0], "Content-Type").n, 16);
}

static void those_that_wait_are_served_first(void **state)
{
    (void)state;
    assert_string_equal(SERVE("/leave", "/leave", "/leave"), "lll012");
}

static void who_leaves_nothing_is_answered_at_once(void **state)
{
    (void)state;
    assert_string_equal(SERVE("/leave", "/answer", "/nowhere", "/leave"), "la12l03");
    assert_int_equal(wire_status(&wires[1]), 200);
    assert_int_equal(wire_status(&wires[2]), 404);
    assert_string_equal(SERVE("/answer", "/leave"), "a0l1");
}

static void nobody_waits_for_what_takes_long(void **state)
{
    (void)state;
    assert_string_equal(SERVE("/leave", "/leave", "/slow", "/leave"), "ll01s2l3");
    assert_int_equal(wire_status(&wires[2]), 200);
    assert_string_equal(SERVE("/slow"), "s0");
    assert_string_equal(SERVE("/leave", "/slow", "/slow"), "l0s1s2");
}

/* Between rounds the loop looks after what else there is to do, such as a log to be opened anew. */
static void there_is_an_end_to_those_that_take_long(void **state)
{
    (void)state;
    assert_string_equal(SERVE("/long", "/long", "/long", "/long"), "sl0sl1sl2sl3");
    assert_int_equal(wires_rounds, 2);
}

static void there_is_a_most(void **state)
{
    (void)state;
    const char *paths[TOGETHER_MAX + 2] = {0};
    for (size_t i = 0; i < TOGETHER_MAX + 1; i++)
        paths[i] = "/leave";
    assert_string_equal(wires_serve(together, paths), "llllllll01234567l8");
}

static void who_has_much_memory_is_the_last(void **state)
{
    (void)state;
    assert_string_equal(SERVE("/leave", "/large", "/leave"), "ll01l2");
}

static void who_has_no_memory_harms_nobody(void **state)
{
    (void)state;
    assert_string_equal(SERVE("/leave", "/exhaust", "/leave"), "ll1l02");
    assert_int_equal(wire_status(&wires[1]), 500);
    assert_int_equal(wire_status(&wires[2]), 503);
}

/* ---- with a database ---- */

static void assert_statuses(const int *statuses, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_int_equal(wire_status(&wires[i]), statuses[i]);
}

static void all_are_stored_then_answered(void **state)
{
    (void)state;
    assert_string_equal(SERVE("/leave", "/leave", "/leave"), "lllk0k1k2");
    assert_statuses((const int[]){200, 200, 200}, 3);
}

static void nobody_fails_because_of_another(void **state)
{
    (void)state;
    assert_string_equal(SERVE("/leave", "/refused", "/leave"), "lllk01k2");
    assert_statuses((const int[]){200, 500, 200}, 3);
    assert_string_equal(SERVE("/much", "/leave"), "ll0k1");
    assert_statuses((const int[]){500, 200}, 2);
    assert_string_equal(SERVE("/leave", "/leave", "/much", "/refused", "/leave"), "lllllk0k123k4");
    assert_statuses((const int[]){200, 200, 500, 500, 200}, 5);
}

/* Keys 0 and 1 are of two tenants, of which each has a cluster "one"; key 2 was revoked. */
static void keys_and_clusters_are_read_ahead(void **state)
{
    (void)state;
    assert_string_equal(SERVE("/ask 0 one"), "r0");
    assert_string_equal(SERVE("/ask 0 one", "/ask 0 two", "/ask 0 one"), "rrr012");
    assert_statuses((const int[]){200, 200, 200}, 3);
    assert_string_equal(SERVE("/ask 0 one", "/ask 1 one", "/ask 1 two", "/ask 0 two"), "rrnr0123");
}

static void who_is_not_found_ahead_asks_as_before(void **state)
{
    (void)state;
    assert_string_equal(SERVE("/ask 0 none", "/ask 0 one"), "nr01");
    assert_string_equal(SERVE("/ask 2 one", "/ask 0 one", "/ask 2 two"), "0r21");
    assert_statuses((const int[]){401, 200, 401}, 3);
    assert_string_equal(SERVE("/ask 0 o n e", "/ask 0 one"), "nr01");
    assert_string_equal(SERVE("/agent 0 one"), "n0");
}

static void what_is_known_of_a_push_is_read_with_its_key(void **state)
{
    (void)state;
    assert_string_equal(SERVE("/push 0 one", "/push 1 one"), "p0p1");
    assert_string_equal(SERVE("/push 0 two", "/push 0 none", "/push 1 two"), "n0n1n2");
    assert_statuses((const int[]){200, 200, 200}, 3);
    assert_string_equal(SERVE("/push 2 one"), "0");
    assert_statuses((const int[]){401}, 1);
}

static void all_that_were_taken_are_served(void **state)
{
    (void)state;
    assert_string_equal(SERVE("/ask 0 one", "/asklong 0 one", "/ask 0 one"), "rr02sr1");
    assert_string_equal(SERVE("/asklong 0 one", "/asklong 0 one", "/ask 0 one"), "r2sr1sr0");
    assert_string_equal(SERVE("/asklong 0 one", "/ask 2 one", "/answer"), "1a2sr0");
    assert_statuses((const int[]){200, 401, 200}, 3);
    const char *paths[TOGETHER_MAX + 2] = {0};
    for (size_t i = 0; i < TOGETHER_MAX + 1; i++)
        paths[i] = "/ask 0 one";
    assert_string_equal(wires_serve(together, paths), "rrrrrrrr01234567r8");
}

static void who_has_waited_long_is_not_kept_waiting(void **state)
{
    (void)state;
    struct together *hurried = together_new(&app, SHORT_MS);
    const char *const paths[] = {"/ask 0 one", "/askslowly 0 one", "/ask 0 one", NULL};
    assert_string_equal(wires_serve(hurried, paths), "rr01r2");
    together_free(hurried);
}

/* What holds for those that are taken one by one. */
static void nobody_waits_longer_because_others_were_taken(void **state)
{
    (void)state;
    assert_string_equal(SERVE("/asklarge 0 one", "/asklarge 0 one", "/ask 0 one"), "r0r1r2");
    assert_string_equal(SERVE("/asklong 0 one", "/asklarge 0 one", "/ask 0 one"), "r1r2sr0");
}

/* Keys and clusters of a batch are read at once, so it is worth a moment where many ask. */
static void where_many_ask_a_moment_is_waited_for_more(void **state)
{
    (void)state;
    assert_string_equal(SERVE("/ask 0 one", "+/ask 0 one"), "r0r1");
    const char *paths[TOGETHER_MAX + 3] = {0};
    for (size_t i = 0; i < TOGETHER_MAX + 1; i++)
        paths[i] = "/ask 0 one";
    paths[TOGETHER_MAX + 1] = "+/ask 0 one";
    assert_string_equal(wires_serve(together, paths), "rrrrrrrr01234567rr89");
    assert_string_equal(SERVE("/ask 0 one", "+/ask 0 one"), "r0r1");
}

static int run_with_database(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_and_clusters_are_read_ahead),
        cmocka_unit_test(who_is_not_found_ahead_asks_as_before),
        cmocka_unit_test(what_is_known_of_a_push_is_read_with_its_key),
        cmocka_unit_test(all_that_were_taken_are_served),
        cmocka_unit_test(who_has_waited_long_is_not_kept_waiting),
        cmocka_unit_test(nobody_waits_longer_because_others_were_taken),
        cmocka_unit_test(where_many_ask_a_moment_is_waited_for_more),
        cmocka_unit_test(all_are_stored_then_answered),
        cmocka_unit_test(nobody_fails_because_of_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

static int run_without_database(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_it_waits_for_nobody),
        cmocka_unit_test(those_that_wait_are_served_first),
        cmocka_unit_test(who_leaves_nothing_is_answered_at_once),
        cmocka_unit_test(nobody_waits_for_what_takes_long),
        cmocka_unit_test(there_is_an_end_to_those_that_take_long),
        cmocka_unit_test(there_is_a_most),
        cmocka_unit_test(who_has_much_memory_is_the_last),
        cmocka_unit_test(who_has_no_memory_harms_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    const char *server = getenv("LOADLINE_TEST_DB");
    char options[] = "/tmp/loadline-test-together-XXXXXX";
    int file = mkstemp(options);
    if (file < 0 || dprintf(file, "[loadline]\nsocket=/nonexistent/sock\n") < 0)
        return 1;
    conf_defaults(&conf);
    log_open("test_together", "/dev/null", LOG_LEVEL_INFO);
    app = (struct app){.conf = &conf,
                       .arena = arena_new((size_t)conf.memory_limit_mib << 20),
                       .db = db_new(server ? server : options),
                       .routes = {rows, sizeof rows / sizeof rows[0]}};
    together = together_new(&app, LONG_MS);
    int failed = server ? run_with_database() : run_without_database();
    together_free(together);
    db_free(app.db);
    arena_free(app.arena);
    close(file);
    unlink(options);
    return failed;
}
