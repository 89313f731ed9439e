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
        fail_with("the tenant is not an id");
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

/* Where public_url is not set, what follows the address of the dashboard. */
static void print_link(const struct job *job, const char *path, struct crypt_secret *token)
{
    printf("%s/#/%s%s\n", job->program.conf.public_url.s, path, token->text);
    crypt_wipe(token, sizeof *token);
}

static int make_link(struct job *job)
{
    struct crypt_secret token;
    struct user *user = find_user(job);
    if (!user)
        return EXIT_NOT_DONE;
    crypt_secret_new(CRYPT_LINK_PREFIX, &token);
    enum error e = tenant_admin_make_link(job->program.db, &job->by, user, &token);
    if (!e)
        print_link(job, "link/", &token);
    return finish(job, e);
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
    struct crypt_secret token;
    int64_t expires;
    if (strcmp(job->program.conf.signup.s, "invite") != 0)
        return fail_with("loadline.conf does not say signup = invite; the link would not work");
    crypt_secret_new(CRYPT_LINK_PREFIX, &token);
    enum error e = link_create_signup(job->program.db, &token, job->by.now, &expires);
    if (!e)
        print_link(job, "signup?invitation=", &token);
    return finish(job, e);
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
    fprintf(stderr,
            "This removes %s: %lld clusters with all their history, %lld users, everything.\n",
            log_quote(tenant->company), (long long)tenant->clusters, (long long)tenant->users);
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
    size_t arguments; /* after the command */
    int (*run)(struct job *job);
    bool alone;       /* it opens nothing but what it has to */
    const char *lost; /* to say when its output could not be written; NULL: it changes nothing */
} commands[] = {
    {"tenants", 0, list_tenants, false, NULL},
    {"plan", 2, change_plan, false, DONE},
    {"password", 1, reset_password, false, "the new password " UNSHOWN},
    {"link", 1, make_link, false, "the link " UNSHOWN},
    {"second-factor-off", 1, end_second_factor, false, DONE},
    {"invite", 0, invite, false, "the link " UNSHOWN},
    {"revoke", 1, revoke_access, false, DONE},
    {"purge", 1, purge, false, DONE},
    {"audit-verify", 0, verify_audit, false, NULL},
    {"refusals", 0, list_refusals, false, NULL},
    {"check", 0, check, true, NULL},
    {"reload", 0, reload, true, DONE},
    {"reload", 1, reload, true, DONE},
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
    if (n > sizeof job->arguments / sizeof job->arguments[0])
        return false;
    for (size_t i = 0; i < n; i++)
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

/* An option that was given and that the command does not have, or NULL. */
static const char *misplaced(const struct job *job, const struct command *command)
{
    if (job->json && command->run != check)
        return "--json";
    if (job->certificate && command->run != check)
        return "--certificate";
    return job->from_stdin && command->run != reset_password ? "--stdin" : NULL;
}

/* A file that may not be read would else look like a database that is away. */
static bool can_read(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        fprintf(stderr, "loadline-admin: %s: %s%s\n", path, strerror(errno),
                errno == EACCES ? ". Run this as root, or as the user that the programs run as"
                                : "");
    else
        close(file);
    return file >= 0;
}

static bool open_program(struct job *job)
{
    if (!can_read(conf_path()) || !program_open(&job->program, "loadline-admin", "admin"))
        return false;
    if (can_read(job->program.conf.database.s))
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
    const struct command *command = NULL;
    if (parse(argc, argv, &job))
        command = find_command(&job);
    if (job.help || job.version) {
        fputs(job.help ? admin_usage : "loadline-admin " LOADLINE_VERSION "\n", stdout);
        return end(NULL, EXIT_DONE);
    }
    if (!command) {
        fputs("loadline-admin: that is no command with its arguments. Try loadline-admin --help.\n",
              stderr);
        return EXIT_USAGE;
    }
    const char *option = misplaced(&job, command);
    if (option) {
        fprintf(stderr, "loadline-admin: %s has no %s. Try loadline-admin --help.\n", command->name,
                option);
        return EXIT_USAGE;
    }
    return end(command, run(&job, command));
}
