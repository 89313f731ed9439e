#include "proof.h"

#include "service/crypt.h"
#include "web/audit_trail.h"
#include "web/rate_limit.h"

struct failure {
    struct request *r;
    struct str tenant;
    const struct guess *guess;
    enum audit_action action;
    enum error why;
};

static enum error store_failure(struct db *db, void *arg)
{
    const struct failure *s = arg;
    struct str email = s->guess->user.n ? s->guess->email : STR("an e-mail that nobody has");
    (void)db;
    enum error e = guess_wrong(s->r, s->guess);
    return e ? e : audit_refusal(s->r, s->tenant, s->action, email, s->why);
}

enum error proof_refuse(struct request *r, struct str tenant, const struct guess *guess,
                        enum audit_action action, enum error why)
{
    struct failure failure = {r, tenant, guess, action, why};
    enum error e = db_transact(r->db, store_failure, &failure);
    return e ? e : why;
}

static struct guess of_session(const struct request *r)
{
    return (struct guess){.email = r->identity.email,
                          .user = r->identity.user,
                          .session = r->identity.session_id,
                          .known = true};
}

enum error proof_password(struct request *r, struct str password, enum audit_action action,
                          struct user **user)
{
    struct guess guess = of_session(r);
    struct str subject = arena_printf(r->arena, "proof:%" STR_FMT, STR_ARG(r->identity.user));
    enum error e = guess_admit(r, &guess);
    if (!e)
        e = rate_limit_check(r, RATE_SESSION, subject);
    if (!e)
        e = user_by_id(r->db, r->arena, r->identity.user, user);
    if (e)
        return e;
    if (*user && crypt_password_verify(password, (*user)->password, r->conf->password_cost))
        return rate_limit_count(r, RATE_SESSION, subject);
    e = proof_refuse(r, r->identity.tenant, &guess, action, ERR_BAD_LOGIN);
    return e == ERR_BAD_LOGIN ? refuse(r, e, "The current password is wrong.") : e;
}

enum error proof_lock(struct request *r, const struct user *checked)
{
    struct user *user;
    enum error e = user_lock(r->db, r->arena, checked->id, &user);
    if (!e && (!user || !str_eq(user->password, checked->password)))
        return ERR_BAD_LOGIN;
    return e;
}

enum error proof_code(struct second_step *step, struct str email)
{
    struct request *r = step->r;
    enum error e = second_step_take(step);
    if (e || step->recovery_left < 0)
        return e;
    return audit_done(r, AUDIT_RECOVERY_CODE_USED,
                      arena_printf(r->arena, "%" STR_FMT " (%lld left)", STR_ARG(email),
                                   (long long)step->recovery_left));
}

enum error proof_admit_code(struct request *r)
{
    struct guess guess = of_session(r);
    return guess_admit(r, &guess);
}

enum error proof_refuse_code(struct request *r, enum audit_action action, bool right)
{
    struct guess guess = of_session(r);
    guess.right = right;
    return proof_refuse(r, r->identity.tenant, &guess, action, ERR_BAD_CODE);
}
