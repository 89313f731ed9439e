#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/version.h"
#include "db/db.h"
#include "service/crypt.h"
#include "service/seal.h"

enum { DATABASE_SECONDS = 5, MEMORY = 16 << 20 };

#define AS_ROOT "Run this as root, or as the user that the programs run as"

static bool can_read(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file >= 0)
        close(file);
    return file >= 0;
}

static bool check_configuration(struct findings *findings, struct conf *conf)
{
    const char *path = conf_path();
    char error[CONF_ERROR_SIZE];
    if (conf_load(conf, path, error)) {
        findings_add(findings, FINDING_OK, "configuration", "%s", path);
        return true;
    }
    bool hidden = !can_read(path) && errno == EACCES, gone = !can_read(path) && errno == ENOENT;
    findings_add(findings, FINDING_WRONG, "configuration", "%s. %s", error,
                 hidden ? AS_ROOT
                 : gone ? "LOADLINE_CONF names another file; loadline-setup makes one for a host"
                        : "Mend that line: programs do not start with it. docs/operations.md has "
                          "all keys");
    return false;
}

static void check_keys(struct findings *findings, const char *what, const char *path)
{
    struct seal_keys keys;
    char error[SEAL_ERROR_SIZE];
    if (!path[0])
        findings_add(findings, FINDING_WARN, what,
                     "loadline.conf names no file. docs/operations.md tells what it is for");
    else if (!seal_keys_load(path, &keys, error))
        findings_add(findings, FINDING_WRONG, what, "%s. %s", error,
                     can_read(path) || errno != EACCES ? "Put your copy of the keys there"
                                                       : AS_ROOT);
    else
        findings_add(findings, FINDING_OK, what, "%s", path);
    crypt_wipe(&keys, sizeof keys);
}

static const char *advice_of(enum db_reason reason)
{
    switch (reason) {
    case DB_READ_ONLY:
        return "It is a replica, or somebody has set it so: SET GLOBAL read_only = 0";
    case DB_CUT_OFF:
        return "Look at its group: SHOW STATUS LIKE 'wsrep_cluster%'";
    case DB_DISK_FULL:
        return "Make room on the disk of the database";
    case DB_TOO_MANY_CONNECTIONS:
        return "See who has them with SHOW PROCESSLIST, or raise max_connections";
    case DB_UNREACHABLE:
        break;
    }
    return "Look at: systemctl status mariadb; after a change of passwords run "
           "loadline-accounts | mariadb";
}

/* Whether the account that the option file names gets to a server that takes writes. */
static bool check_account(struct findings *findings, const char *what, const char *file,
                          struct db *db)
{
    bool readable = can_read(file);
    int problem = errno;
    enum error e = readable ? db_ping(db) : ERR_DATABASE_UNAVAILABLE;
    if (!readable)
        findings_add(findings, FINDING_WRONG, what, "%s: %s. %s", file, strerror(problem),
                     problem == EACCES ? AS_ROOT : "loadline-setup makes it anew");
    else if (e)
        findings_add(findings, FINDING_WRONG, what, "%s: %s. %s", file, db_problem(db),
                     advice_of(db_reason(db)));
    else if (!db_is_durable(db))
        findings_add(findings, FINDING_WARN, what,
                     "%s: an answered push may be lost when its host loses power. Set "
                     "innodb_flush_log_at_trx_commit and sync_binlog to 1",
                     file);
    else
        findings_add(findings, FINDING_OK, what, "%s", file);
    return !e;
}

static void check_schema(struct findings *findings, const struct server_state *state,
                         const char *problem)
{
    if (!state)
        findings_add(findings, FINDING_WRONG, "schema",
                     "%s. Run loadline-setup, or loadline-migrate",
                     problem[0] ? problem : "there is none");
    else if (state->schema < LOADLINE_SCHEMA)
        findings_add(findings, FINDING_WRONG, "schema",
                     "migration %lld, but these programs want %d: requests get 503. Run "
                     "loadline-upgrade, or loadline-migrate",
                     (long long)state->schema, LOADLINE_SCHEMA);
    else
        findings_add(findings, FINDING_OK, "schema", "migration %lld", (long long)state->schema);
}

static void check_maintenance_account(struct findings *findings, const struct conf *conf)
{
    const char *file = conf->maintain_database.s;
    struct db *db = file[0] ? db_new(file) : NULL;
    if (!db)
        return;
    db_set_limit(db, DATABASE_SECONDS);
    check_account(findings, "maintenance", file, db);
    db_free(db);
}

static void check_all(struct findings *findings, const struct conf *conf, struct arena *arena,
                      const char *certificate)
{
    struct server_state *state = NULL;
    struct db *db = db_new(conf->database.s);
    if (!db)
        return;
    db_set_limit(db, DATABASE_SECONDS);
    int64_t now = clock_now();
    if (check_account(findings, "database", conf->database.s, db)) {
        now = clock_now();
        if (server_state_fetch(db, arena, &state))
            state = NULL;
        check_schema(findings, state, db_problem(db));
    }
    check_maintenance_account(findings, conf);
    check_keys(findings, "channel_keys", conf->channel_keys.s);
    check_keys(findings, "audit_keys", conf->audit_keys.s);
    check_pools(findings, conf);
    check_jobs(findings, conf, now);
    check_certificate(findings, conf, certificate);
    check_clock(findings, state, now);
    check_disk(findings, conf, state);
    db_free(db);
}

bool admin_check(const char *certificate, bool as_json)
{
    static struct findings findings;
    static struct conf conf;
    struct arena *arena = arena_new(MEMORY);
    log_open("admin", "/dev/null", LOG_LEVEL_ERROR); /* a finding says the same */
    if (arena && check_configuration(&findings, &conf))
        check_all(&findings, &conf, arena, certificate);
    arena_free(arena);
    findings_print(&findings, as_json);
    return arena && !findings_are_wrong(&findings);
}
