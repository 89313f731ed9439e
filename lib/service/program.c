#include "service/program.h"

#include <sys/resource.h>

#include "base/log.h"
#include "base/version.h"
#include "service/metrics.h"

static enum log_level level_of(const struct conf *conf)
{
    switch (conf->log_level.s[0]) {
    case 'e':
        return LOG_LEVEL_ERROR;
    case 'w':
        return LOG_LEVEL_WARN;
    case 'd':
        return LOG_LEVEL_DEBUG;
    default:
        return LOG_LEVEL_INFO;
    }
}

/* Passwords and keys in memory stay out of core files. A limit of 1 also keeps the kernel from
 * feeding a dump to a program (core_pattern "|..."), which a limit of 0 does not. PR_SET_DUMPABLE
 * would do the same, but hides the process from its own user as well: scripts/down finds what it
 * started in /proc. */
static void forbid_core(void)
{
    if (setrlimit(RLIMIT_CORE, &(struct rlimit){1, 1}) != 0)
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* none was allowed anyway */
}

static void count_database_error(enum error e)
{
    metrics_add(e == ERR_DATABASE_UNAVAILABLE ? METRIC_DATABASE_UNAVAILABLE
                : e == ERR_DATABASE_BUSY      ? METRIC_DATABASE_BUSY
                : e == ERR_COMMIT_UNKNOWN     ? METRIC_DATABASE_COMMIT
                                              : METRIC_DATABASE_OTHER,
                1);
}

bool program_open(struct program *program, const char *file, const char *name)
{
    struct conf *conf = &program->conf;
    char error[CONF_ERROR_SIZE];
    *program = (struct program){.name = name};
    forbid_core();
    if (!conf_load(conf, conf_path(), error)) {
        fprintf(stderr, "%s: %s\n", file, error);
        return false;
    }
    if (!log_open(name, conf->log_path.s, level_of(conf)))
        fprintf(stderr, "%s: cannot open %s\n", file, conf->log_path.s);
    if (conf_has_metrics(conf))
        metrics_open(conf->metrics_file.s);
    db_count_errors(count_database_error);
    program->arena = arena_new((size_t)conf->memory_limit_mib << 20);
    program->db = db_new(conf->database.s);
    if (program->db)
        db_need_schema(program->db, LOADLINE_SCHEMA);
    if (program->arena && program->db)
        return true;
    fprintf(stderr, "%s: not enough memory\n", file);
    program_close(program);
    return false;
}

void program_close(struct program *program)
{
    db_free(program->db);
    arena_free(program->arena);
}
