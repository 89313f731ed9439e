/* loadline-admin: what the operator of the service does with its tenants. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "admin/audit.h"
#include "admin/check.h"
#include "admin/links.h"
#include "admin/password.h"
#include "admin/reload.h"
#include "admin/tenants.h"
#include "admin/usage.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/output.h"
#include "base/version.h"
#include "db/db.h"
#include "service/crypt.h"
#include "service/program.h"
#include "store/link.h"
#include "store/tenant_admin.h"

enum { EXIT_DONE = 0, EXIT_NOT_DONE = 1, EXIT_USAGE = 2 };
enum { LINE_MAX_BYTES = 1024, NAME_SIZE = 128 };

struct job {
    bool yes, from_stdin, json, help, version;
    const char *certificate;
    struct str arguments[3]; /* the command is the first */
    size_t argument_count;
    struct program program;
    struct tenant_admin_by by;
    char by_name[NAME_SIZE];
};

static int fail_with(const char *problem)
{
    fprintf(stderr, "loadline-admin: %s\n", problem);
    return EXIT_NOT_DONE;
}

static int finish(const struct job *job, enum error e)
{
    const char *problem = db_problem(job->program.db);
    if (e == ERR_DATABASE_UNAVAILABLE && problem[0])
        fprintf(stderr, "loadline-admin: %s. loadline-admin check tells what to do.\n", problem);
    else if (e)
        fprintf(stderr, "loadline-admin: %" STR_FMT "\n", STR_ARG(error_sentence(e)));
    return e ? EXIT_NOT_DONE : EXIT_DONE;
}

/* The next line of standard input, without its end. False when there is none. */
static bool read_line(char line[LINE_MAX_BYTES])
{
    if (!fgets(line, LINE_MAX_BYTES, stdin))
        return false;
    line[strcspn(line, "\r\n")] = '\0';
    return true;
}

/* The tenant that the first argument names; else NULL, and what is wrong has been said. */
static struct tenant_summary *enter(struct job *job)
{
    struct tenant_summary *tenant = NULL;
    if (!str_is_uuid(job->arguments[1])) {
        fail_with("TENANT is an id, as loadline-admin tenants lists it");
        return NULL;
    }
    enum error e =
        tenant_admin_enter(job->program.db, job->program.arena, job->arguments[1], &tenant);
    if (e)
        finish(job, e);
    else if (!tenant)
        fail_with("there is no such tenant");
    return tenant;
}

/* The user whose e-mail is the first argument; else NULL, and what is wrong has been said. */
static struct user *find_user(const struct job *job)
{
    struct user *user = NULL;
    enum error e = user_by_email(job->program.db, job->program.arena, job->arguments[1], &user);
    if (e)
        finish(job, e);
    else if (!user)
        fail_with("there is no user with this e-mail");
    return user;
}

/* ---- commands ---- */

static int list_tenants(struct job *job)
{
    return finish(job, admin_tenants_list(&job->program));
}

static int change_plan(struct job *job)
{
    const struct plan *plan = plan_find(job->arguments[2]);
    if (!plan)
        return fail_with("there is no such plan; there are trial, professional, enterprise "
                         "and self_hosted");
    struct tenant_summary *tenant = enter(job);
    if (!tenant)
        return EXIT_NOT_DONE;
    enum error e = tenant_admin_set_plan(job->program.db, &job->by, tenant, plan);
    if (e)
        return finish(job, e);
    printf("%s: %" STR_FMT ", %lld clusters of %lld\n", log_quote(tenant->company),
           STR_ARG(plan->name), (long long)tenant->clusters, (long long)plan->clusters);
    if (tenant->clusters > plan->clusters)
        printf("The clusters beyond the limit stay; new ones are refused.\n");
    return EXIT_DONE;
}

static int reset_password(struct job *job)
{
    struct user *user = find_user(job);
    if (!user)
        return EXIT_NOT_DONE;
    return admin_password_set(&job->program, &job->by, user, job->from_stdin) ? EXIT_DONE
                                                                              : EXIT_NOT_DONE;
}

static int make_link(struct job *job)
{
    struct user *user = find_user(job);
    return user ? finish(job, admin_links_make(&job->program, &job->by, user)) : EXIT_NOT_DONE;
}

static int end_second_factor(struct job *job)
{
    bool had;
    struct user *user = find_user(job);
    if (!user)
        return EXIT_NOT_DONE;
    enum error e =
        tenant_admin_end_second_factor(job->program.db, job->program.arena, &job->by, user, &had);
    if (!e && !had)
        return fail_with("this user has no second factor");
    if (!e)
        printf("%s signs in with the password alone now.\n", log_quote(user->email));
    return finish(job, e);
}

static int invite(struct job *job)
{
    if (strcmp(job->program.conf.signup.s, "invite") != 0)
        return fail_with("loadline.conf does not say signup = invite; the link would not work");
    return finish(job, admin_links_invite(&job->program, job->by.now));
}

static bool confirm(const struct job *job, const struct tenant_summary *tenant)
{
    char line[LINE_MAX_BYTES] = "";
    if (job->yes)
        return true;
    fputs("It cannot be undone. Type the company's name to go on: ", stderr);
    return read_line(line) && str_eq(str_of(line), tenant->company);
}

static int revoke_access(struct job *job)
{
    uint64_t keys;
    struct tenant_summary *tenant = enter(job);
    if (!tenant)
        return EXIT_NOT_DONE;
    fprintf(stderr, "This ends all sessions of %s, and its agents and pipelines get no answer.\n",
            log_quote(tenant->company));
    if (!confirm(job, tenant))
        return fail_with("that is not its name; nothing was done");
    enum error e = tenant_admin_revoke(job->program.db, job->program.arena, &job->by, &keys);
    if (!e)
        printf("%s has no session any more; %llu API keys are revoked.\n",
               log_quote(tenant->company), (unsigned long long)keys);
    return finish(job, e);
}

static void show_progress(size_t done, size_t all)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r%zu of %zu clusters removed ", done, all);
}

static int purge(struct job *job)
{
    struct tenant_summary *tenant = enter(job);
    if (!tenant)
        return EXIT_NOT_DONE;
    fprintf(stderr, "This removes %s: %lld cluster%s with all history, %lld user%s, everything.\n",
            log_quote(tenant->company), (long long)tenant->clusters,
            tenant->clusters == 1 ? "" : "s", (long long)tenant->users,
            tenant->users == 1 ? "" : "s");
    if (!confirm(job, tenant))
        return fail_with("that is not its name; nothing was done");
    const char *file = job->program.conf.maintain_database.s;
    struct db *keeper = db_new(file[0] ? file : job->program.conf.database.s);
    if (!keeper)
        return fail_with("not enough memory");
    enum error e = tenant_admin_purge(job->program.db, keeper, job->program.arena, &job->by, tenant,
                                      show_progress);
    db_free(keeper);
    if (!e)
        printf("%s is gone.\n", log_quote(tenant->company));
    return finish(job, e);
}

static int verify_audit(struct job *job)
{
    bool whole;
    enum error e = admin_audit_verify(&job->program, job->by.now, &whole);
    return e ? finish(job, e) : whole ? EXIT_DONE : EXIT_NOT_DONE;
}

static int list_refusals(struct job *job)
{
    return finish(job, admin_audit_refusals(&job->program, job->by.now));
}

static int check(struct job *job)
{
    return admin_check(job->certificate, job->json) ? EXIT_DONE : EXIT_NOT_DONE;
}

static int reload(struct job *job)
{
    /* arguments end with a NUL: they are those of main() */
    return admin_reload(job->argument_count > 1 ? job->arguments[1].p : NULL) ? EXIT_DONE
                                                                              : EXIT_NOT_DONE;
}

/* What a command has done although its output was lost. */
#define DONE    "it was done all the same"
#define UNSHOWN "was made and not shown; run it again"

static const struct command {
    const char *name;
    size_t arguments;  /* after the command */
    const char *wants; /* what they are, to say to who gives others */
    int (*run)(struct job *job);
    bool alone;       /* it opens nothing but what it has to */
    const char *lost; /* to say when its output could not be written; NULL: it changes nothing */
} commands[] = {
    {"tenants", 0, "no argument", list_tenants, false, NULL},
    {"plan", 2, "TENANT and PLAN", change_plan, false, DONE},
    {"password", 1, "EMAIL", reset_password, false, "the new password " UNSHOWN},
    {"link", 1, "EMAIL", make_link, false, "the link " UNSHOWN},
    {"second-factor-off", 1, "EMAIL", end_second_factor, false, DONE},
    {"invite", 0, "no argument", invite, false, "the link " UNSHOWN},
    {"revoke", 1, "TENANT", revoke_access, false, DONE},
    {"purge", 1, "TENANT", purge, false, DONE},
    {"audit-verify", 0, "no argument", verify_audit, false, NULL},
    {"refusals", 0, "no argument", list_refusals, false, NULL},
    {"check", 0, "no argument", check, true, NULL},
    {"reload", 0, "PROGRAM or nothing", reload, true, DONE},
    {"reload", 1, "PROGRAM or nothing", reload, true, DONE},
};

/* ---- the command line ---- */

static bool parse(int argc, char **argv, struct job *job)
{
    static const struct option longs[] = {{"yes", no_argument, NULL, 'y'},
                                          {"stdin", no_argument, NULL, 's'},
                                          {"json", no_argument, NULL, 'j'},
                                          {"certificate", required_argument, NULL, 'c'},
                                          {"help", no_argument, NULL, 'h'},
                                          {"version", no_argument, NULL, 'v'},
                                          {0}};
    int option;
    while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
        if (option == '?')
            return false;
        job->yes |= option == 'y';
        job->from_stdin |= option == 's';
        job->json |= option == 'j';
        job->certificate = option == 'c' ? optarg : job->certificate;
        job->help |= option == 'h';
        job->version |= option == 'v';
    }
    size_t n = (size_t)(argc - optind);
    for (size_t i = 0; i < n && i < sizeof job->arguments / sizeof job->arguments[0]; i++)
        job->arguments[i] = str_of(argv[(size_t)optind + i]);
    job->argument_count = n;
    return true;
}

static const struct command *find_command(const struct job *job)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (str_eq(job->arguments[0], str_of(commands[i].name)) &&
            job->argument_count == 1 + commands[i].arguments)
            return &commands[i];
    return NULL;
}

static int complain_of_command(const struct job *job)
{
    const char *wants = NULL;
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (str_eq(job->arguments[0], str_of(commands[i].name)))
            wants = commands[i].wants;
    admin_usage_complain(job->arguments[0], wants);
    return EXIT_USAGE;
}

/* An option that was given and that the command does not have, or NULL. */
static const char *misplaced(const struct job *job, const struct command *command)
{
    if (job->json && command->run != check)
        return "--json";
    if (job->certificate && command->run != check)
        return "--certificate";
    return job->from_stdin && command->run != reset_password ? "--stdin" : NULL;
}

/* A file that may not be read would else look like a database that is away. if_none: what to do
 * when there is no such file. */
static bool can_read(const char *path, const char *if_none)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        fprintf(stderr, "loadline-admin: %s: %s%s\n", path, strerror(errno),
                errno == EACCES   ? ". Run this as root, or as the user that the programs run as"
                : errno == ENOENT ? if_none
                                  : "");
    else
        close(file);
    return file >= 0;
}

static bool open_program(struct job *job)
{
    if (!can_read(conf_path(),
                  ". LOADLINE_CONF names another file; of make run it is run/loadline.conf") ||
        !program_open(&job->program, "loadline-admin", "admin"))
        return false;
    if (can_read(job->program.conf.database.s, ""))
        return true;
    program_close(&job->program);
    return false;
}

static int run(struct job *job, const struct command *command)
{
    const struct passwd *user = getpwuid(getuid());
    if (command->alone)
        return command->run(job);
    if (!open_program(job))
        return EXIT_NOT_DONE;
    snprintf(job->by_name, sizeof job->by_name, "loadline-admin (%s)", user ? user->pw_name : "?");
    job->by = (struct tenant_admin_by){str_of(job->by_name), clock_now()};
    int status = command->run(job);
    program_close(&job->program);
    return status;
}

/* What was printed may be all that there is of a new password. */
static int end(const struct command *command, int status)
{
    if (output_end("loadline-admin"))
        return status;
    if (command && command->lost && status == EXIT_DONE)
        fail_with(command->lost);
    return EXIT_NOT_DONE;
}

int main(int argc, char **argv)
{
    struct job job = {0};
    bool parsed = parse(argc, argv, &job);
    if (job.help || job.version) {
        fputs(job.help ? admin_usage : "loadline-admin " LOADLINE_VERSION "\n", stdout);
        return end(NULL, EXIT_DONE);
    }
    if (!parsed) { /* getopt has complained */
        fputs("Try loadline-admin --help.\n", stderr);
        return EXIT_USAGE;
    }
    const struct command *command = find_command(&job);
    if (!command)
        return complain_of_command(&job);
    const char *option = misplaced(&job, command);
    if (option) {
        fprintf(stderr, "loadline-admin: %s has no %s. Try loadline-admin --help.\n", command->name,
                option);
        return EXIT_USAGE;
    }
    return end(command, run(&job, command));
}
