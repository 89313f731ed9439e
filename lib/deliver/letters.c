#include "deliver/letters.h"

#include <unistd.h>

#include "base/log.h"
#include "deliver/mail.h"
#include "store/link.h"

enum { AT_ONCE = 5, TRIES_MAX = 5, MINUTE = 60 * 1000, POLL_SECONDS = 1 };

int64_t letters_again(int64_t tries, int64_t now)
{
    return tries >= TRIES_MAX ? TIME_NONE : now + MINUTE * tries * tries;
}

/* Nothing in them was written by other users: whoever may sign up could send their words to
 * anybody. */
static const struct {
    enum link_kind kind;
    const char *subject, *before, *after;
} letters[] = {
    {LINK_INVITATION, "You are invited to Loadline",
     "You are invited to Loadline, where your organisation sees whether its clusters are safe to\n"
     "deploy to. Choose a password here:",
     "The link is good for 7 days and works once. If you did not expect it, do nothing."},
    {LINK_PASSWORD, "A new password for Loadline",
     "Somebody, probably you, wants a new password for your account at Loadline. Choose one here:",
     "The link is good for an hour and works once. If it was not you, do nothing: your password\n"
     "stays what it is."},
    {LINK_EMAIL, "Is this your address?",
     "Somebody, probably you, has signed up at Loadline with this address. Say that it is yours:",
     "The link is good for 7 days and works once. If it was not you, do nothing."},
};

static bool send(const struct conf *conf, const struct link *link, const struct crypt_secret *token,
                 struct arena *arena)
{
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (!link_is(link, letters[i].kind) || !link->email.n)
            continue;
        struct str text = arena_printf(arena, "%s\n\n%s/#/link/%s\n\n%s\n", letters[i].before,
                                       conf->public_url.s, token->text, letters[i].after);
        struct mail mail = {.from = conf->mail_from.s,
                            .to = arena_str(arena, link->email).p,
                            .subject = letters[i].subject,
                            .text = text.p};
        bool sent = mail_send(conf->mail_program.s, &mail);
        crypt_wipe((char *)text.p, text.n);
        return sent;
    }
    return true; /* nobody is there any more */
}

/* *found: whether there was one that is due. */
static enum error send_next(const struct conf *conf, struct db *db, struct arena *arena,
                            bool *found)
{
    struct crypt_secret token;
    struct link *link;
    arena_reset(arena);
    enum error e = link_claim(db, arena, clock_now(), letters_again, &token, &link);
    *found = !e && link;
    if (*found) {
        bool sent = send(conf, link, &token, arena);
        log_info("link=%" STR_FMT " kind=%" STR_FMT " try=%lld result=%s", STR_ARG(link->id),
                 STR_ARG(link->kind), (long long)link->tries, sent ? "mailed" : "failed");
        if (sent)
            link_mailed(db, link, &token); /* else, or without the database, it is mailed again */
    }
    crypt_wipe(&token, sizeof token);
    db_reset(db);
    return e;
}

static enum error send_some(const struct conf *conf, struct db *db, struct arena *arena)
{
    enum error e = ERR_OK;
    bool found = conf->mail_program.s[0] != '\0';
    for (int i = 0; i < AT_ONCE && found; i++)
        e = send_next(conf, db, arena, &found);
    arena_reset(arena);
    return e;
}

bool letters_run(struct program *program, int64_t until, const volatile sig_atomic_t *stop)
{
    for (;;) {
        enum error e = send_some(&program->conf, program->db, program->arena);
        if (*stop || clock_monotonic() >= until)
            return !e;
        sleep(POLL_SECONDS); /* a signal ends it */
    }
}
