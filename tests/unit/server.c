#include "server.h"

#include "base/log.h"

struct db *db;

bool server_is_there(const char *test)
{
    if (!getenv("LOADLINE_TEST_DB")) {
        puts("1..0 # SKIP LOADLINE_TEST_DB is not set; tests/e2e sets it");
        return false;
    }
    log_open(test, "/dev/null", LOG_LEVEL_INFO);
    return true;
}

int server_open(void **state)
{
    db = db_new(getenv("LOADLINE_TEST_DB"));
    return db ? scratch_open(state) : -1;
}

int server_close(void **state)
{
    db_free(db);
    return scratch_close(state);
}
