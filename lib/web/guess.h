/* guess: how often the password of an account may be tried. Wrong ones are counted three ways, in
 * the database, so by all workers:
 *
 *   of the account at an address   login_fail_limit; holds for everybody; in a session it is of
 *                                  that session at the address
 *   of an address                  login_fail_limit, whatever the account; holds for who has not
 *                                  signed in there lately
 *   of the account                 beyond login_fail_limit each further one has to wait, longer and
 *                                  longer; holds for who has not signed in there lately
 *
 * In a session, where a password is asked for again, a fourth count takes the place of those of the
 * address and of the account: of the session, wherever it is used from, with the same growing
 * waits. Who has stolen a session cannot try on from other addresses, and other sessions of the
 * account go on.
 *
 * So nobody is kept out of an account by what others do elsewhere: not where its owner signs in
 * usually, and not in a session of their own.
 *
 * Wrong codes of a second factor count as wrong passwords do. Of the account they count a second
 * time, and that holds for everybody and everywhere: who tries codes has the password already.
 */
#ifndef LOADLINE_WEB_GUESS_H
#define LOADLINE_WEB_GUESS_H

#include "web/request.h"

enum {
    GUESS_WAIT_MAX = 15 * 60 * 1000, /* ms */
    GUESS_FORGOTTEN = 86400 * 1000   /* ms without a wrong one, and the account has none any more */
};

struct guess {
    struct str email;
    struct str user; /* its id, and the db is bound to the tenant; absent: there is no such user */
    struct str session; /* the id of the user's session in which the password is asked for; absent:
                           it is a sign-in */
    bool known;         /* the user has signed in from there lately; guess_admit() sets it */
    bool right;         /* the password was right; a code of the second factor is what was wrong */
};

/* Milliseconds after the last of so many wrong passwords until another one may be tried. */
int64_t guess_wait(int64_t wrong, int64_t limit);

/* RATE_LIMITED, with Retry-After, when no password may be tried now. It takes the same ways whether
 * or not there is such a user. */
enum error guess_admit(struct request *r, struct guess *guess);
/* Inside a transaction: it was wrong, the password or the code. */
enum error guess_wrong(struct request *r, const struct guess *guess);

/* The same of a code of the user's second factor. */
enum error guess_admit_code(struct request *r, struct str user);

#endif
