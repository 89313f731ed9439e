/* pools: the programs that serve requests, and the processes of this host that do. */
#ifndef LOADLINE_BIN_ADMIN_POOLS_H
#define LOADLINE_BIN_ADMIN_POOLS_H

#include <sys/types.h>

#include "service/conf.h"

enum { POOL_MAX = 1024 };

/* A program of the table of routes, each once; NULL after the last one. */
const char *pools_program(size_t i);
/* Opens the file by which processes know of one another. False, and a sentence in problem, when it
 * is not there (then nothing runs) or may not be opened. */
bool pools_open(const struct conf *conf, char problem[CONF_ERROR_SIZE]);
/* The processes that serve requests to the program; of "notify" and "mail", those that
 * deliver alerts and letters. */
size_t pools_processes(const char *program, pid_t pids[POOL_MAX]);

#endif
