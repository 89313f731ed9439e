/* routes: the table of routes.def. Each program has all rows, and the handlers that it links; the
 * others are weak and NULL, so that a path is known everywhere and answered by one program.
 */
#ifndef LOADLINE_CGI_ROUTES_H
#define LOADLINE_CGI_ROUTES_H

#include "web/route.h"

#define KIB 1024
#define MIB (1024 * 1024)

#define ROUTE(program, method, path, credential, need, rate, body, handler)                        \
    enum error handler(struct request *r) __attribute__((weak));
#include "routes.def"
#undef ROUTE

static const struct route routes_rows[] = {
#define ROUTE(program, method, path, credential, need, rate, body, handler)                        \
    {#program,    HTTP_##method, path, CREDENTIAL_##credential,                                    \
     NEED_##need, RATE_##rate,   body, handler},
#include "routes.def"
#undef ROUTE
};

static inline struct route_table routes(void)
{
    return (struct route_table){routes_rows, sizeof routes_rows / sizeof routes_rows[0]};
}

#endif
