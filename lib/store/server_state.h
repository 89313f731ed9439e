/* server_state: what the server of the database says of itself, for who runs the service. */
#ifndef LOADLINE_STORE_SERVER_STATE_H
#define LOADLINE_STORE_SERVER_STATE_H

#include "db/db.h"

struct server_state {
    int64_t now;     /* by its clock */
    struct str data; /* the directory of its data, on its host */
    int64_t schema;  /* the newest migration */
};

/* INTERNAL when there is no such schema. state is in the arena. */
enum error server_state_fetch(struct db *db, struct arena *arena, struct server_state **state);

#endif
