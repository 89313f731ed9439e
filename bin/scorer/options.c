#include "options.h"

#include <getopt.h>
#include <stdio.h>

#include "base/clock.h"
#include "kube/release.h"
#include "score/component.h"

/* ---- a value each ---- */

/* Puts the number of the word into *place. */
static bool find_word(struct str value, const char *const *words, int *place)
{
    for (*place = 0; words[*place]; ++*place)
        if (str_eq(value, str_of(words[*place])))
            return true;
    return false;
}

static bool take_config(struct options *options, struct str value)
{
    return options_read(options, value.p);
}

static bool take_time(struct options *options, struct str value)
{
    options->time = clock_parse(value);
    return options->time != TIME_NONE;
}

static bool take_target(struct options *options, struct str value)
{
    return release_choose(value, &options->policy.target);
}

static bool take_registry(struct options *options, struct str value)
{
    LIST_ADD(options->arena, options->policy.trusted_registries, value);
    return value.n > 0;
}

static bool take_component(struct options *options, struct str value)
{
    LIST_ADD(options->arena, options->policy.components, value);
    return component_word_is_valid(value);
}

static bool take_exemption_file(struct options *options, struct str value)
{
    options->exemption_file = value.p;
    return value.n > 0;
}

static bool take_format(struct options *options, struct str value)
{
    static const char *const words[] = {"text", "json", "sarif", "junit", "html", NULL};
    int place;
    bool found = find_word(value, words, &place);
    options->format = (enum format)place;
    return found;
}

static bool take_top(struct options *options, struct str value)
{
    return str_to_u64(value, &options->top) && options->top <= UINT32_MAX;
}

static bool take_filter(struct options *options, struct str value, bool exclude)
{
    static const char *const words[] = {"check", "namespace", "owner", NULL};
    struct str what, pattern;
    int place;
    if (!str_cut(value, '=', &what, &pattern) || !find_word(what, words, &place))
        return false;
    struct filter filter = {(enum filter_of)place, exclude, pattern.p};
    LIST_ADD(options->arena, options->filters, filter);
    return true;
}

static bool take_include(struct options *options, struct str value)
{
    return take_filter(options, value, false);
}

static bool take_exclude(struct options *options, struct str value)
{
    return take_filter(options, value, true);
}

static bool take_owner_label(struct options *options, struct str value)
{
    options->owner_label = value;
    return value.n > 0;
}

static bool take_summary(struct options *options, struct str value)
{
    bool owner = str_eq(value, STR("owner")), namespace = str_eq(value, STR("namespace"));
    options->by_owner |= owner;
    options->by_namespace |= namespace;
    return owner || namespace;
}

static bool take_baseline(struct options *options, struct str value)
{
    options->baseline = value.p;
    return value.n > 0;
}

static bool take_fail_below(struct options *options, struct str value)
{
    return str_to_u64(value, &options->fail_below) && options->fail_below <= 100;
}

static bool take_fail_on(struct options *options, struct str value)
{
    static const char *const words[] = {"critical", "high", "medium", "low", NULL};
    int place;
    bool found = find_word(value, words, &place);
    options->fail_on = (enum severity)place;
    return found;
}

static bool take_explain(struct options *options, struct str value)
{
    options->explain = value.p;
    return check_find(value) != NULL;
}

#define SWITCH(name, member)                                                                       \
    static bool take_##name(struct options *options, struct str value)                             \
    {                                                                                              \
        options->member = !str_eq(value, STR("no"));                                               \
        return value.n == 0 || str_eq(value, STR("yes")) || str_eq(value, STR("no"));              \
    }
SWITCH(all_namespaces, policy.all_namespaces)
SWITCH(partial, policy.partial)
SWITCH(exemptions, policy.allow_exemptions)
SWITCH(verbose, verbose)
SWITCH(list_checks, list_checks)
SWITCH(help, help)
SWITCH(version, version)
#undef SWITCH

/* ---- all of them ---- */

static const struct row {
    const char *name, *argument;
    bool (*take)(struct options *options, struct str value);
    const char *wanted, *help;
    const char *heading; /* of those that follow; the row is then nothing else */
} rows[] = {
#define HEADING(text) {.heading = text},
#define OPTION(name, argument, take, wanted, help)                                                 \
    {name, argument, take_##take, wanted, help, NULL},
#include "options.def"
#undef HEADING
#undef OPTION
};

enum { ROWS = sizeof rows / sizeof *rows, FIRST_LETTER = 256 };

static const struct row *find_row(const char *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (!rows[i].heading && strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

const char *options_take(struct options *options, const char *name, const char *value)
{
    const struct row *row = find_row(name);
    if (!row)
        return "there is no such option";
    if ((*row->argument || *value) && row->take(options, str_of(value)))
        return NULL;
    return !*row->wanted ? ""
                         : arena_printf(options->arena, "\"%s\" is not %s", value, row->wanted).p;
}

static void make_long_options(struct option *long_options)
{
    size_t n = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (!rows[i].heading)
            long_options[n++] = (struct option){rows[i].name, *rows[i].argument ? 1 : 0, NULL,
                                                FIRST_LETTER + (int)i};
    long_options[n] = (struct option){0};
}

static bool complain(const char *text)
{
    fprintf(stderr, "loadline-score: %s\n", text);
    return false;
}

static bool take_letter(struct options *options, int letter)
{
    const struct row *row = letter == 'h' ? find_row("help") : &rows[letter - FIRST_LETTER];
    if (row->take(options, optarg ? str_of(optarg) : STR("")))
        return true;
    if (*row->wanted)
        fprintf(stderr, "loadline-score: --%s: \"%s\" is not %s\n", row->name, optarg, row->wanted);
    return false;
}

static bool take_files(struct options *options, int n, char **names)
{
    bool scores = !options->list_checks && !options->explain;
    options->files = (const char *const *)names;
    options->files_n = (size_t)n;
    if (options->help || options->version || scores == (n > 0))
        return true;
    return complain(scores ? "a FILE or directory is wanted, or - for standard input; --help "
                             "tells more"
                           : "no FILE is wanted with --list-checks and --explain");
}

bool options_parse(struct options *options, struct arena *arena, int argc, char **argv)
{
    struct option long_options[ROWS + 1];
    int letter;
    make_long_options(long_options);
    *options = (struct options){.arena = arena,
                                .top = 10,
                                .fail_on = SEVERITY_COUNT,
                                .time = TIME_NONE,
                                .owner_label = STR("team"),
                                .policy = score_policy_default()};
    while ((letter = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
        if (letter == '?') { /* getopt has complained */
            fputs("Try loadline-score --help.\n", stderr);
            return false;
        }
        if (!take_letter(options, letter))
            return false;
    }
    if (options->baseline && options->fail_on == SEVERITY_COUNT && !options->fail_below)
        options->fail_on = SEVERITY_LOW;
    return take_files(options, argc - optind, argv + optind);
}

/* ---- help ---- */

static void help_row(struct buf *out, const struct row *row)
{
    enum { COLUMN = 21 };
    struct str line, rest = str_of(row->help);
    size_t from = out->n;
    bool more = true;
    buf_printf(out, "  --%s%s%s", row->name, *row->argument ? " " : "", row->argument);
    if (out->n - from >= COLUMN - 1) {
        buf_putc(out, '\n');
        from = out->n;
    }
    while (more) {
        more = str_cut(rest, '\n', &line, &rest);
        while (out->n - from < COLUMN)
            buf_putc(out, ' ');
        buf_put(out, line);
        buf_putc(out, '\n');
        from = out->n;
    }
}

void options_help(struct buf *out)
{
    buf_put(out, STR("Usage: loadline-score [OPTION]... FILE...\n"
                     "Scores the Kubernetes objects in files, directories and archives; - reads "
                     "standard input:\n"
                     "  kubectl get all,nodes,events -A -o json | loadline-score -\n"
                     "  helm template CHART | loadline-score -\n"
                     "  loadline-score manifests/ must-gather.tar.gz\n\n"
                     "JSON and YAML are read, gzip of them, and tar and zip of such files.\n"));
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].heading)
            buf_printf(out, "\n%s:\n", rows[i].heading);
        else
            help_row(out, &rows[i]);
    buf_put(out, STR("\nExit status: 0 scored, 1 below --fail-below or a risk as of --fail-on, "
                     "2 bad input or usage.\n"));
}
