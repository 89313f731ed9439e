#include "web/guess.h"

#include "store/known_address.h"
#include "store/rate.h"
#include "web/rate_limit.h"

enum { FIRST_WAIT = 1000, DOUBLINGS_MAX = 20 };

int64_t guess_wait(int64_t wrong, int64_t limit)
{
    if (limit == 0 || wrong < limit)
        return 0;
    int64_t doublings = wrong - limit < DOUBLINGS_MAX ? wrong - limit : DOUBLINGS_MAX;
    int64_t wait = (int64_t)FIRST_WAIT << doublings;
    return wait < GUESS_WAIT_MAX ? wait : GUESS_WAIT_MAX;
}

/* What is asked for in a session does not count where people sign in, nor in other sessions, nor
 * the other way round. */
static struct str pair(struct request *r, const struct guess *guess)
{
    bool in_session = guess->session.n > 0;
    return arena_printf(r->arena, "%s%" STR_FMT " %" STR_FMT, in_session ? "session " : "",
                        STR_ARG(r->client_range),
                        STR_ARG(in_session ? guess->session : guess->email));
}

static enum error check_account(struct request *r, struct str class, struct str subject)
{
    int64_t last, wrong;
    enum error e =
        rate_fetch(r->db, r->arena, class, subject, r->now, GUESS_FORGOTTEN, &last, &wrong);
    int64_t left = last + guess_wait(wrong, r->conf->login_fail_limit.count) - r->now;
    if (e || left <= 0)
        return e;
    r->retry_after = (left + 999) / 1000;
    return ERR_RATE_LIMITED;
}

enum error guess_admit(struct request *r, struct guess *guess)
{
    guess->known = guess->session.n > 0;
    enum error e = rate_limit_check(r, RATE_LOGIN, pair(r, guess));
    if (!e && !guess->known)
        e = known_address_has(r->db, r->arena, guess->user, r->client_range, r->now, &guess->known);
    if (!e && !guess->known)
        e = rate_limit_check(r, RATE_LOGIN, r->client_range);
    if (!e && !guess->known)
        e = check_account(r, STR("account"), guess->email);
    if (!e && guess->session.n)
        e = check_account(r, STR("session"), guess->session);
    return e;
}

enum error guess_wrong(struct request *r, const struct guess *guess)
{
    enum error e = rate_limit_count(r, RATE_LOGIN, pair(r, guess));
    if (!e && !guess->session.n)
        e = rate_limit_count(r, RATE_LOGIN, r->client_range);
    if (!e && !guess->known && r->conf->login_fail_limit.count)
        e = rate_postpone(r->db, STR("account"), guess->email, r->now, GUESS_FORGOTTEN);
    if (!e && guess->session.n && r->conf->login_fail_limit.count)
        e = rate_postpone(r->db, STR("session"), guess->session, r->now, GUESS_FORGOTTEN);
    if (!e && guess->right && r->conf->login_fail_limit.count)
        e = rate_postpone(r->db, STR("code"), guess->user, r->now, GUESS_FORGOTTEN);
    return e;
}

enum error guess_admit_code(struct request *r, struct str user)
{
    return check_account(r, STR("code"), user);
}
