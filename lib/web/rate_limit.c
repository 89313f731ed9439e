#include "web/rate_limit.h"

#include "store/rate.h"

static struct conf_rate limit_of(const struct conf *conf, enum rate_class class)
{
    switch (class) {
    case RATE_LOGIN:
        return conf->login_fail_limit;
    case RATE_SIGNUP:
        return conf->signup_limit;
    case RATE_KEY:
        return conf->key_fail_limit;
    case RATE_SESSION:
        return conf->login_limit;
    case RATE_ADDRESS:
        return conf->address_limit;
    case RATE_MANIFEST:
        return conf->manifest_limit;
    case RATE_NONE:
    case RATE_SLOW:
        break;
    }
    return (struct conf_rate){0};
}

static struct str class_name(enum rate_class class)
{
    static const char *const names[] = {[RATE_NONE] = "",           [RATE_SLOW] = "",
                                        [RATE_LOGIN] = "login",     [RATE_SIGNUP] = "signup",
                                        [RATE_KEY] = "key",         [RATE_SESSION] = "session",
                                        [RATE_ADDRESS] = "address", [RATE_MANIFEST] = "manifest"};
    return str_of(names[class]);
}

enum error rate_limit_check(struct request *r, enum rate_class class, struct str subject)
{
    struct conf_rate limit = limit_of(r->conf, class);
    int64_t since, count, window = limit.seconds * 1000;
    if (limit.count == 0)
        return ERR_OK;
    enum error e =
        rate_fetch(r->db, r->arena, class_name(class), subject, r->now, window, &since, &count);
    if (e || count < limit.count)
        return e;
    int64_t left = (since + window - r->now + 999) / 1000;
    r->retry_after = left < 1 ? 1 : left;
    return ERR_RATE_LIMITED;
}

enum error rate_limit_count(struct request *r, enum rate_class class, struct str subject)
{
    struct conf_rate limit = limit_of(r->conf, class);
    if (limit.count == 0)
        return ERR_OK;
    return rate_add(r->db, class_name(class), subject, r->now, limit.seconds * 1000);
}
