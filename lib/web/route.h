/* route: which handler answers a path, and what a client needs for it. The rows are
 * cgi-bin/routes.def.
 */
#ifndef LOADLINE_WEB_ROUTE_H
#define LOADLINE_WEB_ROUTE_H

#include "web/request.h"

enum credential { CREDENTIAL_NONE, CREDENTIAL_BEARER, CREDENTIAL_API_KEY };

/* What a route needs beyond its credential: the lowest role of a session, or a scope of a key.
 * SETUP: the lowest role, also while the user has a second factor to set up. */
enum need { NEED_ANY, NEED_SETUP, NEED_MEMBER, NEED_OPERATOR, NEED_ADMIN, NEED_AGENT, NEED_CICD };

/* Which attempts are counted: see rate.h. Wrong API keys are counted on every API_KEY route. SLOW
 * and SIGNUP as the rate of a route say that it takes long, and SLOW says nothing else. SESSION
 * counts logins that succeed by e-mail, refreshes and right passwords in a session by user, ADDRESS
 * logins by address, MANIFEST questions to the gate by tenant. CHANGE and GATE are what leaves
 * something behind: see allowance.h. OWN is the rate of a route whose handler asks for a limit. */
enum rate_class {
    RATE_NONE,
    RATE_OWN,
    RATE_SLOW,
    RATE_LOGIN,
    RATE_SIGNUP,
    RATE_KEY,
    RATE_SESSION,
    RATE_ADDRESS,
    RATE_MANIFEST,
    RATE_CHANGE,
    RATE_GATE
};

struct route {
    const char *program;
    enum http_method method; /* GET answers HEAD too */
    const char *path;
    enum credential credential;
    enum need need;
    enum rate_class rate;
    uint64_t body_max;                        /* 0: the body is not read */
    enum error (*handler)(struct request *r); /* NULL: another program's */
};

struct route_table {
    const struct route *rows;
    size_t n;
};

/* May it answer 429? What asks for a limit insists on it, so a row that does not say so is found as
 * soon as the route is used. */
bool route_is_limited(const struct route *route);
/* NOT_FOUND, METHOD_NOT_ALLOWED; else *route, which is this program's. */
enum error route_find(struct route_table table, struct str path, enum http_method method,
                      const struct route **route);
/* The value of Allow: the methods of the path, whichever program has it, in the arena. */
struct str route_allow(struct arena *arena, struct route_table table, struct str path);

#endif
