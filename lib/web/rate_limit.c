#include "web/rate_limit.h"

#include <assert.h>

#include "store/rate.h"

struct conf_rate rate_limit_of(const struct conf *conf, enum rate_class class)
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
    case RATE_CHANGE:
        return conf->change_limit;
    case RATE_GATE:
        return conf->gate_limit;
    case RATE_NONE:
    case RATE_OWN:
    case RATE_SLOW:
        break;
    }
    return (struct conf_rate){0};
}

struct str rate_limit_name(enum rate_class class)
{
    static const char *const names[] = {[RATE_NONE] = "",
                                        [RATE_OWN] = "",
                                        [RATE_SLOW] = "",
                                        [RATE_LOGIN] = "login",
                                        [RATE_SIGNUP] = "signup",
                                        [RATE_KEY] = "key",
                                        [RATE_SESSION] = "session",
                                        [RATE_ADDRESS] = "address",
                                        [RATE_MANIFEST] = "manifest",
                                        [RATE_CHANGE] = "change",
                                        [RATE_GATE] = "gate"};
    return str_of(names[class]);
}

enum error rate_limit_check(struct request *r, enum rate_class class, struct str subject)
{
    struct conf_rate limit = rate_limit_of(r->conf, class);
    int64_t since, count, window = limit.seconds * 1000;
    assert(route_is_limited(r->route));
    if (limit.count == 0)
        return ERR_OK;
    enum error e = rate_fetch(r->db, r->arena, rate_limit_name(class), subject, r->now, window,
                              &since, &count);
    if (e || count < limit.count)
        return e;
    int64_t left = (since + window - r->now + 999) / 1000;
    r->retry_after = left < 1 ? 1 : left;
    return ERR_RATE_LIMITED;
}

enum error rate_limit_count(struct request *r, enum rate_class class, struct str subject)
{
    struct conf_rate limit = rate_limit_of(r->conf, class);
    if (limit.count == 0)
        return ERR_OK;
    return rate_add(r->db, rate_limit_name(class), subject, r->now, limit.seconds * 1000);
}
