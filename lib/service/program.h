/* program: what every program that works with the database has open: its configuration, its log,
 * its memory and its connection. */
#ifndef LOADLINE_SERVICE_PROGRAM_H
#define LOADLINE_SERVICE_PROGRAM_H

#include "service/conf.h"
#include "db/db.h"

struct program {
    const char *name; /* on every line of the log */
    struct conf conf;
    struct arena *arena; /* of memory_limit_mib */
    struct db *db;       /* not connected yet */
};

/* Forbids core files, loads the configuration and opens the rest. False, with a sentence on
 * standard error that begins with the name of the program's file, when that cannot be done. */
bool program_open(struct program *program, const char *file, const char *name);
void program_close(struct program *program);

#endif
