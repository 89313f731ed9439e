#include "store/server_state.h"

#define STATEMENTS "store/server_state.def"
#include "db/statements.inc"

enum error server_state_fetch(struct db *db, struct arena *arena, struct server_state **state)
{
    return DB_ROW(db, arena, state, server_state);
}
