/* loadline-score: scores Kubernetes objects in files, directories and archives, with no server and
 * no database. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/output.h"
#include "base/version.h"
#include "kube/cluster_time.h"
#include "report/report.h"
#include "scorer/known.h"
#include "scorer/notes.h"
#include "scorer/options.h"
#include "scorer/reading.h"

enum { EXIT_SCORED = 0, EXIT_FAILED = 1, EXIT_BAD = 2 };

/* One piece of work and what it holds open. */
struct job {
    int argc;
    char **argv;
    struct options options;
    struct arena *arena;
    int status;
    struct reading reading;
};

static int complain(const char *what, const char *which)
{
    fprintf(stderr, "loadline-score: %s%s%s\n", what, *which ? ": " : "", which);
    return EXIT_BAD;
}

static bool write_out(void *context, struct str bytes)
{
    (void)context;
    return output_put(bytes);
}

/* A file is as old as what is in it tells, by a clock that may have been ahead of ours. */
static struct report_terms terms_of(const struct options *options, const struct cluster_look *look)
{
    int64_t now = clock_now(), time = look->at.time;
    struct report_terms terms = {options->policy.partial, options->time, "option", false};
    if (terms.time == TIME_NONE && time != TIME_NONE && time <= now)
        terms = (struct report_terms){options->policy.partial, time, "snapshot",
                                      look->newest.time > time};
    else if (terms.time == TIME_NONE)
        terms = (struct report_terms){options->policy.partial, now, "clock", false};
    return terms;
}

static bool wants_color(void)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && !(no_color && *no_color) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}

static bool print_ledger(struct job *job, const struct ledger *ledger, struct report_terms terms,
                         const struct report_extras *extras)
{
    struct sink out = {write_out, NULL};
    const struct options *options = &job->options;
    struct report_style style = {
        .top = (uint32_t)options->top, .color = wants_color(), .terms = terms, .extras = extras};
    switch (options->format) {
    case FORMAT_JSON:
        return report_json(job->arena, ledger, terms, extras, out);
    case FORMAT_SARIF:
        return report_sarif(job->arena, ledger, str_of(options->files[0]), extras, out);
    case FORMAT_JUNIT:
        return report_junit(job->arena, ledger, extras, out);
    case FORMAT_HTML:
        return report_html(job->arena, ledger, terms, extras, out);
    default:
        return report_text(job->arena, ledger, style, out);
    }
}

static void score_files(struct job *job)
{
    struct options *options = &job->options;
    id_list baseline = {0};
    deployed_list deploys = {0};
    job->status = EXIT_BAD;
    if (options->baseline && !known_baseline(job->arena, options->baseline, &baseline))
        return;
    if (options->exemption_file &&
        !known_exemptions(job->arena, options->exemption_file, &options->policy.exemptions))
        return;
    if (options->deploys && !known_deploys(job->arena, options->deploys, &deploys))
        return;
    options->policy.deploys = options->deploys ? &deploys : NULL;
    if (!reading_run(&job->reading, job->arena, options->files, options->files_n))
        return;
    struct cluster_look look = cluster_look_of(job->reading.cluster);
    struct report_terms terms = terms_of(options, &look);
    struct ledger *ledger = score(job->arena, job->reading.cluster, &options->policy, terms.time);
    struct report_extras extras =
        notes_make(&job->reading, options, ledger, options->baseline ? &baseline : NULL);
    bool whole = print_ledger(job, ledger, terms, &extras);
    if (!output_end("loadline-score"))
        return;
    if (!whole) {
        complain("the report is cut: what it says of one risk is longer than 1 MiB", "");
        return;
    }
    reading_tell(&job->reading, options->verbose);
    if (options->verbose) {
        notes_tell_time(job->arena, terms, &look);
        notes_tell_unused(options, ledger);
    }
    bool failed =
        ledger->csc_score < (int)options->fail_below ||
        (options->fail_on != SEVERITY_COUNT && notes_fail(&job->reading, options, ledger, &extras));
    job->status = failed ? EXIT_FAILED : EXIT_SCORED;
}

static void print_about(struct job *job)
{
    struct buf out = buf_init(job->arena, 1024 * 1024);
    if (job->options.help)
        options_help(&out);
    else if (job->options.version)
        buf_put(&out, STR("loadline-score " LOADLINE_VERSION "\n"));
    else if (job->options.list_checks)
        report_checks(&out);
    else
        report_check(&out, check_find(str_of(job->options.explain)));
    write_out(NULL, buf_str(&out));
    if (!output_end("loadline-score"))
        job->status = EXIT_BAD;
}

static void work(void *context)
{
    struct job *job = context;
    const struct options *options = &job->options;
    if (!options_parse(&job->options, job->arena, job->argc, job->argv))
        job->status = EXIT_BAD;
    else if (options->help || options->version || !options->files_n)
        print_about(job);
    else
        score_files(job);
}

static int complain_of_exhaustion(struct job *job)
{
    struct effort *effort = job->reading.effort;
    if (!effort || effort->end == EFFORT_FINE)
        return complain("more memory than there is", "");
    struct str text = effort_text(job->arena, effort);
    return complain("too complex", report_plain(job->arena, text).p);
}

static int run(int argc, char **argv)
{
    struct job job = {.argc = argc, .argv = argv, .status = EXIT_SCORED};
    job.arena = arena_new(SIZE_MAX / 2);
    if (!job.arena || !arena_guard(job.arena, work, &job))
        job.status = complain_of_exhaustion(&job);
    input_close(job.reading.input);
    arena_free(job.arena);
    return job.status;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
