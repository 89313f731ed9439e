#include "pools.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../cgi-bin/routes.h"
#include "base/seats.h"
#include "web/app.h"

static bool is_first(const struct route *rows, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(rows[i].program, rows[at].program) == 0)
            return false;
    return true;
}

const char *pools_program(size_t i)
{
    struct route_table table = routes();
    for (size_t row = 0; row < table.n; row++)
        if (is_first(table.rows, row) && i-- == 0)
            return table.rows[row].program;
    return NULL;
}

/* It is not made here: workers could not open a file of root's. */
bool pools_open(const struct conf *conf, char problem[CONF_ERROR_SIZE])
{
    const char *file = conf->waiting_file.s;
    if (access(file, F_OK) == 0 && seats_open(file))
        return true;
    snprintf(problem, CONF_ERROR_SIZE, "%s: %s. %s", file, strerror(errno),
             errno == EACCES ? "Run this as root, or as the user that the programs run as"
                             : "No program runs that was started with this configuration");
    return false;
}

size_t pools_processes(const char *program, pid_t pids[POOL_MAX])
{
    size_t n = 0, found = seats_holders(app_pool(str_of(program)), pids, POOL_MAX);
    for (size_t i = 0; i < found; i++) /* 0: of another container */
        if (pids[i] > 0)
            pids[n++] = pids[i];
    return n;
}
