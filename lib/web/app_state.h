/* app_state: what a program serves its requests with. */
#ifndef LOADLINE_WEB_APP_STATE_H
#define LOADLINE_WEB_APP_STATE_H

#include "web/route.h"

/* All of it belongs to app_run(), and outlives every request. */
struct app {
    const struct conf *conf;
    struct arena *arena;
    struct db *db;
    struct route_table routes;
};

#endif
