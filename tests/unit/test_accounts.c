/* What maintenance forgets, and the audit trail, against a real server. */
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include "server.h"
#include "store/audit.h"
#include "store/rate.h"
#include "store/session.h"
#include "store/user.h"

#define LONG_AGO INT64_C(1000000000000) /* 2001: nobody else's rows are that old */

static char tenant[UUID_TEXT_LEN + 1], user[UUID_TEXT_LEN + 1];

typedef enum error purge_call(struct db *, int64_t before, int64_t limit, uint64_t *purged);

/* Five are old enough, a sixth is a millisecond too young; two at a time. */
static void purges_in_batches(purge_call *purge, int64_t last)
{
    static const uint64_t expected[] = {2, 2, 1, 0};
    uint64_t purged;
    db_reset(db); /* maintenance has no tenant */
    for (size_t i = 0; i < COUNT(expected); i++) {
        assert_int_equal(purge(db, last, 2, &purged), ERR_OK);
        assert_int_equal(purged, expected[i]);
    }
    assert_int_equal(purge(db, last + 1, 2, &purged), ERR_OK);
    assert_int_equal(purged, 1);
}

static void expired_sessions_are_forgotten(void **state)
{
    (void)state;
    db_set_tenant(db, str_of(tenant));
    for (int64_t i = 0; i < 6; i++) {
        struct crypt_secret token;
        crypt_secret_new(CRYPT_TOKEN_PREFIX, &token);
        struct session_start start = {
            .began = LONG_AGO, .now = LONG_AGO, .expires = LONG_AGO + 1000 + i};
        assert_int_equal(session_create(db, str_of(user), &token, &start), ERR_OK);
    }
    purges_in_batches(session_purge, LONG_AGO + 1000 + 4);
}

static void old_windows_are_forgotten(void **state)
{
    (void)state;
    for (int64_t i = 0; i < 6; i++) {
        struct str subject = arena_printf(arena, "%s %lld", tenant, (long long)i);
        assert_int_equal(rate_add(db, STR("login"), subject, LONG_AGO + i, 1000), ERR_OK);
    }
    purges_in_batches(rate_purge, LONG_AGO + 4);
}

static void subjects_of_limits_compare_in_lower_case(void **state)
{
    (void)state;
    int64_t since, attempts;
    uint64_t purged;
    const char *subjects[] = {"email:JÖRG@x.example", "email:jörg@X.example",
                              "EMAIL:Jörg@x.example"};
    for (size_t i = 0; i < COUNT(subjects); i++)
        rate_add(db, STR("login"), str_of(subjects[i]), LONG_AGO, 1000);
    assert_int_equal(rate_fetch(db, arena, STR("login"), STR("email:jÖrg@x.example"), LONG_AGO,
                                1000, &since, &attempts),
                     ERR_OK);
    assert_int_equal(attempts, 3);
    assert_int_equal(rate_purge(db, LONG_AGO, 10, &purged), ERR_OK);
    assert_int_equal(purged, 1);
}

/* Five attempts at one moment; the sixth at another. */
static void windows_open_and_close(void **state)
{
    enum { WINDOW = 1000 };
    static const struct {
        const char *what;
        int64_t later, before, after; /* attempts that count before and after the sixth */
    } rows[] = {
        {"at once", 0, 5, 6},
        {"its last millisecond", WINDOW - 1, 5, 6},
        {"it is over", WINDOW, 0, 1},
        {"another host's clock is a little behind", -5, 5, 6},
        {"the clock was set back by less than the window", 1 - WINDOW, 5, 6},
        {"by the window", -WINDOW, 0, 1},
        {"by a day", -86400000, 0, 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int64_t since, attempts, now = LONG_AGO + rows[i].later;
        uint64_t purged;
        struct str subject = arena_printf(arena, "%s", rows[i].what);
        for (int k = 0; k < 5; k++)
            rate_add(db, STR("login"), subject, LONG_AGO, WINDOW);
        rate_fetch(db, arena, STR("login"), subject, now, WINDOW, &since, &attempts);
        if (attempts != rows[i].before)
            fail_msg("%s: %lld attempts", rows[i].what, (long long)attempts);
        rate_add(db, STR("login"), subject, now, WINDOW);
        rate_fetch(db, arena, STR("login"), subject, now, WINDOW, &since, &attempts);
        if (attempts != rows[i].after || since != (rows[i].before ? LONG_AGO : now))
            fail_msg("%s: then %lld attempts since %lld", rows[i].what, (long long)attempts,
                     (long long)since);
        rate_purge(db, LONG_AGO + WINDOW, 10, &purged);
    }
}

static struct audit_row *only_entry(int64_t time)
{
    struct audit_rows rows;
    struct audit_filter filter = {.from = time, .to = time, .page = {10, time + 1, str_of(user)}};
    assert_int_equal(audit_list(db, arena, &filter, &rows), ERR_OK);
    assert_int_equal(rows.n, 1);
    return rows.items;
}

static void entries_of_the_trail(void **state)
{
    (void)state;
    char text[2000];
    memset(text, 'a', sizeof text);
    memcpy(text + AUDIT_SUBJECT_MAX - 1, "\xC3\xA4", 2);
    struct str large = {text, sizeof text};
    struct audit_entry entry = {.time = LONG_AGO,
                                .actor = STR("loadline-admin"),
                                .action = AUDIT_PLAN_CHANGED,
                                .subject = large,
                                .result = ERR_BAD_LOGIN};
    db_set_tenant(db, str_of(tenant));
    assert_int_equal(audit_add(db, &entry), ERR_OK);
    struct audit_row *row = only_entry(LONG_AGO);
    assert_null(row->actor_id.p);
    assert_int_equal(row->address.n, 0);
    assert_true(str_eq(row->action, STR("plan_changed")));
    assert_true(str_eq(row->result, STR("bad_login")));
    assert_int_equal(row->subject.n, AUDIT_SUBJECT_MAX - 1); /* not half a character */

    entry = (struct audit_entry){.time = LONG_AGO + 1,
                                 .actor_id = str_of(user),
                                 .actor = large,
                                 .address = large,
                                 .action = AUDIT_SIGN_IN};
    assert_int_equal(audit_add(db, &entry), ERR_OK);
    row = only_entry(LONG_AGO + 1);
    assert_true(str_eq(row->actor_id, str_of(user)));
    assert_int_equal(row->actor.n, AUDIT_ACTOR_MAX);
    assert_int_equal(row->address.n, AUDIT_ADDRESS_MAX);
    assert_true(str_eq(row->result, STR("ok")));
    assert_int_equal(row->subject.n, 0);
}

/* Every name is known, short enough for its column, and there once. */
static void actions_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < AUDIT_ACTIONS; i++) {
        enum audit_action found;
        struct str name = audit_action_name((enum audit_action)i);
        assert_true(name.n > 0 && name.n <= 32);
        assert_true(audit_action_find(name, &found));
        assert_int_equal(found, i);
    }
    enum audit_action none;
    assert_false(audit_action_find(STR(""), &none));
    assert_false(audit_action_find(STR("SIGN_IN"), &none));
}

static int open_db(void **state)
{
    rand_uuid(tenant);
    rand_uuid(user);
    return server_open(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actions_have_names),
        cmocka_unit_test(entries_of_the_trail),
        cmocka_unit_test(expired_sessions_are_forgotten),
        cmocka_unit_test(old_windows_are_forgotten),
        cmocka_unit_test(windows_open_and_close),
        cmocka_unit_test(subjects_of_limits_compare_in_lower_case),
    };
    return server_is_there("test_accounts") ? cmocka_run_group_tests(tests, open_db, server_close)
                                            : 0;
}
