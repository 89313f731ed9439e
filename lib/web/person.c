#include "web/person.h"

#include "service/crypt.h"
#include "service/guessable.h"
#include "store/user.h"

/* One '@' with something on both sides; no blank, nothing that is not seen, and nothing that sets
 * addresses apart in a list of them. Whether mail arrives is not for us to say. */
bool person_is_email(struct str text)
{
    static const char apart[] = " <>()[],;:\\\"";
    struct str local, domain;
    if (!str_cut(text, '@', &local, &domain) || local.n == 0 || domain.n == 0)
        return false;
    for (size_t n; text.n; text = str_sub(text, n, text.n)) {
        n = str_visible_length(text);
        if (n == 0 || strchr(apart, text.p[0]))
            return false;
    }
    return !memchr(domain.p, '@', domain.n) && domain.p[0] != '.' && domain.p[domain.n - 1] != '.';
}

enum error person_email(struct request *r, struct json_object *body, struct str *email)
{
    enum error e = body_text(r, body, "email", BODY_REQUIRED, USER_EMAIL_MAX, email);
    if (!e && !person_is_email(*email))
        return refuse_field(r, ERR_INVALID_FIELD, "email", "is not an e-mail address.");
    return e;
}

enum error person_new_password(struct request *r, struct json_object *body, const char *name,
                               struct str email, struct str *password)
{
    enum error e = body_secret(r, body, name, CRYPT_PASSWORD_MAX, password);
    if (!e && str_utf8_count(*password) < CRYPT_PASSWORD_MIN)
        return refuse_field(r, ERR_INVALID_FIELD, name, "must have at least %d characters.",
                            CRYPT_PASSWORD_MIN);
    if (!e && guessable(*password, email, r->conf->password_guesses))
        return refuse_field(r, ERR_INVALID_FIELD, name,
                            "is too easy to guess: it is a common one, or made of words, rows of "
                            "keys or your e-mail address.");
    return e;
}
