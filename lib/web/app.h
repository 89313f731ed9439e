/* app: the one loop. */
#ifndef LOADLINE_WEB_APP_H
#define LOADLINE_WEB_APP_H

#include "web/app_state.h"

/* Loads the configuration, opens log, arena and database, and serves until asked to stop. With
 * --help or --version, and no request that a web server has given, it prints that instead. The exit
 * status of the program: 0, or 1 when it could not start. A request never ends it. */
int app_run(int argc, char **argv, const char *name, struct route_table routes);

/* What the workers of a program have seats of (base/seats.h). */
uint64_t app_pool(struct str program);

/* Serves the request that the transport has accepted, and finishes it. For app_run and tests. */
void app_serve(struct app *app, struct http_transport *transport);

#endif
