/* loadline-score: scores a snapshot from a file or standard input, with no server and no database.
 */
#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

#include "base/version.h"
#include "kube/cluster_time.h"
#include "report/report.h"
#include "score/component.h"
#include "scorer/reading.h"

enum { EXIT_SCORED = 0, EXIT_BELOW = 1, EXIT_BAD = 2 };
enum { REGISTRIES_MAX = 64, COMPONENTS_MAX = 64 };
enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_SARIF, FORMAT_COUNT };

static const char usage[] =
    "Usage: loadline-score [OPTION]... FILE...\n"
    "Scores the Kubernetes objects in files, directories and archives; - reads standard input:\n"
    "  kubectl get all,nodes,events -A -o json | loadline-score -\n"
    "  helm template CHART | loadline-score -\n"
    "  loadline-score manifests/ must-gather.tar.gz\n\n"
    "JSON and YAML are read, gzip of them, and tar and zip of such files.\n\n"
    "  --format FORMAT    text (default), json or sarif\n"
    "  --top N            checks shown by text, costliest first (default 10)\n"
    "  --fail-below N     exit 1 when the score is below N (0 to 100)\n"
    "  --time ISO         the time of the snapshot, RFC 3339 (default: the newest time in\n"
    "                     it; now, when it tells none)\n"
    "  --kubernetes-version VERSION\n"
    "                     the release that has to serve what is in the file, as 1.34\n"
    "                     (default: what the nodes run and the next one; without nodes the\n"
    "                     oldest release that is supported)\n"
    "  --all-namespaces   judge kube-system and friends by policy and history too\n"
    "  --partial          the snapshot shows some namespaces only: no Nodes are asked for\n"
    "  --exemptions       honour the annotation loadline.io/exempt\n"
    "  --trusted-registry REGISTRY\n"
    "                     images from elsewhere are a risk; may be repeated\n"
    "  --component ROLE:NAMESPACE/NAME\n"
    "                     a workload that the cluster runs on, beside the well-known\n"
    "                     ones: dns, network or ingress; may be repeated\n"
    "  --verbose          name the files that were passed over\n"
    "  --explain CHECK    tell what a check means and costs\n"
    "  --list-checks      list all checks\n"
    "  --help             this text\n"
    "  --version          the version\n\n"
    "Exit status: 0 scored, 1 below --fail-below, 2 bad input or usage.\n";

struct options {
    enum format format;
    uint64_t top, fail_below;
    int64_t time;
    struct score_policy policy;
    struct str registries[REGISTRIES_MAX], components[COMPONENTS_MAX];
    const char *explain;
    const char *const *files;
    size_t files_n;
    bool list_checks, verbose, help, version;
};

/* One piece of work and what it holds open. */
struct job {
    struct options options;
    struct arena *arena;
    int status;
    struct reading reading;
    struct report_terms terms;
};

static int complain(const char *what, const char *which)
{
    fprintf(stderr, "loadline-score: %s%s%s\n", what, *which ? ": " : "", which);
    return EXIT_BAD;
}

/* ---- options ---- */

static bool parse_format(const char *text, enum format *format)
{
    static const char *const names[FORMAT_COUNT] = {"text", "json", "sarif"};
    for (*format = 0; *format < FORMAT_COUNT; ++*format)
        if (strcmp(text, names[*format]) == 0)
            return true;
    return false;
}

static bool trust(struct options *options, struct str registry)
{
    str_list *trusted = &options->policy.trusted_registries;
    if (trusted->n == REGISTRIES_MAX)
        return false;
    trusted->items = options->registries;
    trusted->items[trusted->n++] = registry;
    return registry.n > 0;
}

static bool add_component(struct options *options, struct str word)
{
    str_list *components = &options->policy.components;
    if (components->n == COMPONENTS_MAX)
        return false;
    components->items = options->components;
    components->items[components->n++] = word;
    return component_word_is_valid(word);
}

static bool parse_option(struct options *options, int letter)
{
    struct str value = str_of(optarg);
    switch (letter) {
    case 'f':
        return parse_format(optarg, &options->format);
    case 't':
        return str_to_u64(value, &options->top) && options->top <= UINT32_MAX;
    case 'b':
        return str_to_u64(value, &options->fail_below) && options->fail_below <= 100;
    case 'i':
        options->time = clock_parse(value);
        return options->time != TIME_NONE;
    case 'e':
        options->explain = optarg;
        return check_find(value) != NULL;
    case 'k':
        return release_parse(value, &options->policy.target) && options->policy.target.major > 0;
    case 'a':
        options->policy.all_namespaces = true;
        return true;
    case 'p':
        options->policy.partial = true;
        return true;
    case 'x':
        options->policy.allow_exemptions = true;
        return true;
    case 'r':
        return trust(options, value);
    case 'c':
        return add_component(options, value);
    case 'l':
        options->list_checks = true;
        return true;
    case 'V':
        options->verbose = true;
        return true;
    case 'v':
        options->version = true;
        return true;
    default:
        options->help = true;
        return true;
    }
}

static const struct option long_options[] = {{"format", required_argument, NULL, 'f'},
                                             {"top", required_argument, NULL, 't'},
                                             {"fail-below", required_argument, NULL, 'b'},
                                             {"time", required_argument, NULL, 'i'},
                                             {"explain", required_argument, NULL, 'e'},
                                             {"kubernetes-version", required_argument, NULL, 'k'},
                                             {"all-namespaces", no_argument, NULL, 'a'},
                                             {"partial", no_argument, NULL, 'p'},
                                             {"exemptions", no_argument, NULL, 'x'},
                                             {"trusted-registry", required_argument, NULL, 'r'},
                                             {"component", required_argument, NULL, 'c'},
                                             {"list-checks", no_argument, NULL, 'l'},
                                             {"verbose", no_argument, NULL, 'V'},
                                             {"help", no_argument, NULL, 'h'},
                                             {"version", no_argument, NULL, 'v'},
                                             {NULL, 0, NULL, 0}};

static bool parse_options(struct options *options, int argc, char **argv)
{
    int letter, at = 0;
    *options = (struct options){.top = 10, .time = TIME_NONE, .policy = score_policy_default()};
    while ((letter = getopt_long(argc, argv, "h", long_options, &at)) != -1) {
        if (letter == '?') { /* getopt has complained */
            fputs("Try loadline-score --help.\n", stderr);
            return false;
        }
        if (!parse_option(options, letter)) {
            fprintf(stderr, "loadline-score: no valid value for --%s: %s\n", long_options[at].name,
                    optarg);
            return false;
        }
    }
    if (options->help || options->version)
        return true;
    bool scores = !options->list_checks && !options->explain;
    options->files = (const char *const *)&argv[optind];
    options->files_n = (size_t)(argc - optind);
    if (scores == (options->files_n > 0))
        return true;
    complain(scores ? "a FILE or directory is wanted, or - for standard input; --help tells more"
                    : "no FILE is wanted with --list-checks and --explain",
             "");
    return false;
}

/* ---- output ---- */

static bool write_out(void *context, struct str bytes)
{
    (void)context;
    return fwrite(bytes.p, 1, bytes.n, stdout) == bytes.n;
}

/* ---- work ---- */

static bool print_ledger(struct job *job, const struct ledger *ledger)
{
    struct sink out = {write_out, NULL};
    const char *no_color = getenv("NO_COLOR");
    const struct report_terms terms = job->terms;
    struct report_style style = {.top = (uint32_t)job->options.top,
                                 .color = isatty(STDOUT_FILENO) && !(no_color && *no_color),
                                 .terms = terms};
    switch (job->options.format) {
    case FORMAT_JSON:
        return report_json(job->arena, ledger, terms, out);
    case FORMAT_SARIF:
        return report_sarif(job->arena, ledger, str_of(job->options.files[0]), out);
    default:
        return report_text(job->arena, ledger, style, out);
    }
}

/* A file is as old as its newest time, which a clock that is off may have put ahead of ours. */
static struct report_terms terms_of(const struct options *options, const struct cluster *cluster)
{
    int64_t now = clock_now(), newest = cluster_newest_time(cluster);
    struct report_terms terms = {options->policy.partial, options->time, "option"};
    if (terms.time == TIME_NONE && newest != TIME_NONE && newest <= now)
        terms = (struct report_terms){options->policy.partial, newest, "snapshot"};
    else if (terms.time == TIME_NONE)
        terms = (struct report_terms){options->policy.partial, now, "clock"};
    return terms;
}

static void score_files(void *context)
{
    struct job *job = context;
    const struct options *options = &job->options;
    if (!reading_run(&job->reading, job->arena, options->files, options->files_n)) {
        job->status = EXIT_BAD;
        return;
    }
    job->terms = terms_of(options, job->reading.cluster);
    struct ledger *ledger =
        score(job->arena, job->reading.cluster, &options->policy, job->terms.time);
    bool printed = print_ledger(job, ledger) && fflush(stdout) == 0;
    reading_tell(&job->reading, options->verbose);
    if (!printed)
        job->status = complain("cannot write", strerror(errno));
    else if (ledger->csc_score < (int)options->fail_below)
        job->status = EXIT_BELOW;
}

static void print_about(void *context)
{
    struct job *job = context;
    struct buf out = buf_init(job->arena, 1024 * 1024);
    if (job->options.help)
        buf_put(&out, str_of(usage));
    else if (job->options.version)
        buf_put(&out, STR("loadline-score " LOADLINE_VERSION "\n"));
    else if (job->options.list_checks)
        report_checks(&out);
    else
        report_check(&out, check_find(str_of(job->options.explain)));
    if (!write_out(NULL, buf_str(&out)) || fflush(stdout) != 0)
        job->status = complain("cannot write", strerror(errno));
}

static int run(int argc, char **argv)
{
    struct job job = {.status = EXIT_SCORED};
    if (!parse_options(&job.options, argc, argv))
        return EXIT_BAD;
    job.arena = arena_new(SIZE_MAX / 2);
    if (!job.arena ||
        !arena_guard(job.arena, job.options.files_n ? score_files : print_about, &job))
        job.status = complain("more memory or more work than one snapshot may take", "");
    input_close(job.reading.input);
    arena_free(job.arena);
    return job.status;
}

int main(int argc, char **argv)
{
    return run(argc, argv);
}
