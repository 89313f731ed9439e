#include "options.h"

#include <getopt.h>

#include "base/clock.h"
#include "base/command_line.h"
#include "kube/image_ref.h"
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
    return image_place_is_valid(value);
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

static bool take_deploys(struct options *options, struct str value)
{
    options->deploys = value.p;
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

/* A check that is misspelt would leave nothing shown, or nothing out, and nobody would know. */
static bool is_check(struct str pattern)
{
    return strpbrk(pattern.p, "*?[") || check_find(pattern);
}

static bool take_filter(struct options *options, struct str value, bool exclude)
{
    static const char *const words[] = {"check", "namespace", "owner", NULL};
    struct str what, pattern;
    int place;
    if (!str_cut(value, '=', &what, &pattern) || !find_word(what, words, &place))
        return false;
    if (place == FILTER_CHECK && !is_check(pattern))
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

static const struct command_option rows[] = {
#define HEADING(text)                              {.heading = text},
#define OPTION(name, argument, take, wanted, help) {NULL, name, argument, "", wanted, help},
#include "options.def"
#undef HEADING
#undef OPTION
};

static bool (*const takes[])(struct options *options, struct str value) = {
#define HEADING(text)                              NULL,
#define OPTION(name, argument, take, wanted, help) take_##take,
#include "options.def"
#undef HEADING
#undef OPTION
};

static bool take(void *to, size_t option, struct str value)
{
    return takes[option](to, value);
}

static struct command_line line_of(struct options *options)
{
    return (struct command_line){"loadline-score", rows, sizeof rows / sizeof *rows, take, options};
}

const char *options_take(struct options *options, const char *name, const char *value)
{
    struct command_line line = line_of(options);
    size_t option = command_line_find(&line, name);
    if (option == line.n)
        return "there is no such option";
    if ((*rows[option].argument || *value) && takes[option](options, str_of(value)))
        return NULL;
    return !*rows[option].wanted
               ? ""
               : arena_printf(options->arena, "\"%s\" is not %s", value, rows[option].wanted).p;
}

static bool take_files(struct options *options, int n, char **names)
{
    bool scores = !options->list_checks && !options->explain;
    options->files = (const char *const *)names;
    options->files_n = (size_t)n;
    if (options->help || options->version || scores == (n > 0))
        return true;
    struct command_line line = line_of(options);
    return command_line_complain(&line, "%s",
                                 scores ? "a FILE or directory is wanted, or - for standard input; "
                                          "--help tells more"
                                        : "no FILE is wanted with --list-checks and --explain");
}

bool options_parse(struct options *options, struct arena *arena, int argc, char **argv)
{
    *options = (struct options){.arena = arena,
                                .top = 10,
                                .fail_on = SEVERITY_COUNT,
                                .time = TIME_NONE,
                                .owner_label = STR("team"),
                                .policy = score_policy_default()};
    struct command_line line = line_of(options);
    if (!command_line_parse(&line, argc, argv))
        return false;
    if (options->baseline && options->fail_on == SEVERITY_COUNT && !options->fail_below)
        options->fail_on = SEVERITY_LOW;
    return take_files(options, argc - optind, argv + optind);
}

/* ---- help ---- */

void options_help(struct buf *out)
{
    buf_put(out, STR("Usage: loadline-score [OPTION]... FILE...\n"
                     "Scores the Kubernetes objects in files, directories and archives; - reads "
                     "standard input:\n"
                     "  kubectl get all,nodes,events -A -o json | loadline-score -\n"
                     "  helm template CHART | loadline-score -\n"
                     "  loadline-score manifests/ must-gather.tar.gz\n\n"
                     "JSON and YAML are read, gzip of them, and tar and zip of such files.\n"));
    struct command_line line = line_of(NULL);
    command_line_help(&line, 21, out);
    buf_put(out, STR("\nExit status: 0 scored, 1 below --fail-below or a risk as of --fail-on, "
                     "2 bad input or usage.\n"));
}
