#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum { INTERVAL_LEAST = 1, INTERVAL_MOST = 60, INTERVAL_USUAL = 10 };

/* ---- a value each ---- */

static bool take_url(struct options *options, const char *value)
{
    struct str url = str_of(value);
    while (str_has_suffix(url, STR("/")))
        url.n--;
    options->url = url;
    return str_has_prefix(url, STR("http://")) || str_has_prefix(url, STR("https://"));
}

/* As the server takes them. */
static bool take_cluster(struct options *options, const char *value)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/-";
    size_t n = strlen(value);
    options->cluster = value;
    return n > 0 && n <= 128 && strspn(value, letters) == n;
}

static bool take_interval(struct options *options, const char *value)
{
    char *end;
    long seconds = strtol(value, &end, 10);
    options->interval = (int)seconds;
    return end > value && !*end && seconds >= INTERVAL_LEAST && seconds <= INTERVAL_MOST;
}

#define TEXT(name)                                                                                 \
    static bool take_##name(struct options *options, const char *value)                            \
    {                                                                                              \
        options->name = value;                                                                     \
        return *value != 0;                                                                        \
    }
TEXT(api_key_file)
TEXT(ca_file)
TEXT(kubeconfig)
TEXT(context)
TEXT(listen)
#undef TEXT

#define SWITCH(name)                                                                               \
    static bool take_##name(struct options *options, const char *value)                            \
    {                                                                                              \
        (void)value;                                                                               \
        return options->name = true;                                                               \
    }
SWITCH(allow_insecure)
SWITCH(once)
SWITCH(dry_run)
SWITCH(verbose)
SWITCH(help)
SWITCH(version)
#undef SWITCH

/* ---- all of them ---- */

static const struct row {
    const char *name, *argument, *variable;
    bool (*take)(struct options *options, const char *value);
    const char *help, *heading; /* heading: of those that follow; the row is then nothing else */
} rows[] = {
#define HEADING(text) {.heading = text},
#define OPTION(name, argument, variable, take, help)                                               \
    {name, argument, variable, take_##take, help, NULL},
#include "options.def"
#undef HEADING
#undef OPTION
};

enum { ROWS = sizeof rows / sizeof *rows, FIRST_LETTER = 256, HELP_LETTER = 'h' };

static void make_long_options(struct option *long_options)
{
    size_t n = 0;
    for (size_t i = 0; i < ROWS; i++)
        if (!rows[i].heading)
            long_options[n++] = (struct option){rows[i].name, *rows[i].argument ? 1 : 0, NULL,
                                                FIRST_LETTER + (int)i};
    long_options[n] = (struct option){0};
}

static bool complain(const char *format, const char *name, const char *value)
{
    fputs("loadline-agent: ", stderr);
    fprintf(stderr, format, name, value);
    fputs("\n", stderr);
    return false;
}

static bool take_environment(struct options *options)
{
    for (size_t i = 0; i < ROWS; i++) {
        const char *variable = rows[i].heading ? "" : rows[i].variable;
        const char *value = *variable ? getenv(variable) : NULL;
        if (value && *value && !rows[i].take(options, value))
            return complain("no valid value in %s: %s", variable, value);
    }
    options->api_key = getenv("LOADLINE_API_KEY");
    return true;
}

/* What is wanted for a push. */
static bool is_complete(const struct options *options)
{
    if (options->help || options->version || options->dry_run)
        return true;
    if (!options->cluster)
        return complain("what is the cluster called? --cluster ID, or LOADLINE_CLUSTER%s%s", "",
                        "");
    if (!options->api_key_file && (!options->api_key || !*options->api_key))
        return complain("an API key is wanted: --api-key-file FILE, LOADLINE_API_KEY_FILE or "
                        "LOADLINE_API_KEY%s%s",
                        "", "");
    return true;
}

static bool take_letter(struct options *options, int letter)
{
    if (letter == HELP_LETTER)
        return options->help = true;
    if (letter == '?') { /* getopt has complained */
        fputs("Try loadline-agent --help.\n", stderr);
        return false;
    }
    const struct row *row = &rows[letter - FIRST_LETTER];
    return row->take(options, optarg) ||
           complain("no valid value for --%s: %s", row->name, optarg ? optarg : "");
}

bool options_parse(struct options *options, int argc, char **argv)
{
    struct option long_options[ROWS + 1];
    int letter;
    make_long_options(long_options);
    *options = (struct options){.url = STR("http://127.0.0.1:8080"), .interval = INTERVAL_USUAL};
    if (!take_environment(options))
        return false;
    while ((letter = getopt_long(argc, argv, "h", long_options, NULL)) != -1)
        if (!take_letter(options, letter))
            return false;
    if (optind < argc)
        return complain("%s is no option; --help tells them%s", argv[optind], "");
    return is_complete(options);
}

/* ---- help ---- */

static void help_row(struct buf *out, const struct row *row)
{
    enum { COLUMN = 25 };
    struct str line, rest = str_of(row->help);
    size_t from = out->n;
    bool more = true;
    buf_printf(out, "  --%s%s%s", row->name, *row->argument ? " " : "", row->argument);
    while (more) {
        more = str_cut(rest, '\n', &line, &rest);
        while (out->n - from < COLUMN)
            buf_putc(out, ' ');
        buf_put(out, line);
        buf_putc(out, '\n');
        from = out->n;
    }
    if (*row->variable)
        buf_printf(out, "%*s(%s)\n", COLUMN, "", row->variable);
}

void options_help(struct buf *out)
{
    buf_put(out, STR("Usage: loadline-agent [OPTION]...\n"
                     "Watches a cluster and pushes what it has to Loadline: ten seconds after a "
                     "change, and once a\nminute. What Loadline does not keep does not leave the "
                     "cluster. The proxy is that of the\nenvironment: https_proxy, no_proxy.\n"));
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].heading)
            buf_printf(out, "\n%s:\n", rows[i].heading);
        else
            help_row(out, &rows[i]);
    buf_put(out, STR("\nExit status: 0 ended as told, 1 --once was not taken, or out of memory, 2 "
                     "bad usage.\n"));
}
