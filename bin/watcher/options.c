#include "options.h"

#include <getopt.h>
#include <stdlib.h>

#include "base/command_line.h"

enum { INTERVAL_LEAST = 1, INTERVAL_MOST = 60, INTERVAL_USUAL = 10, PORT_MOST = 65535 };

/* ---- a value each ---- */

static bool take_url(struct options *options, struct str value)
{
    while (str_has_suffix(value, STR("/")))
        value.n--;
    options->url = value;
    return str_has_prefix(value, STR("http://")) || str_has_prefix(value, STR("https://"));
}

/* As the server takes them. */
static bool take_cluster(struct options *options, struct str value)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/-";
    options->cluster = value.p;
    return value.n > 0 && value.n <= 128 && strspn(value.p, letters) == value.n;
}

static bool take_interval(struct options *options, struct str value)
{
    uint64_t seconds;
    if (!str_to_u64(value, &seconds) || seconds < INTERVAL_LEAST || seconds > INTERVAL_MOST)
        return false;
    options->interval = (int)seconds;
    return true;
}

/* The system would take a larger port for another one. */
static bool take_listen(struct options *options, struct str value)
{
    struct str port;
    uint64_t number;
    options->listen = value.p;
    return str_cut_last(value, ':', NULL, &port) && str_to_u64(port, &number) &&
           number <= PORT_MOST;
}

#define TEXT(name)                                                                                 \
    static bool take_##name(struct options *options, struct str value)                             \
    {                                                                                              \
        options->name = value.p;                                                                   \
        return value.n > 0;                                                                        \
    }
TEXT(api_key_file)
TEXT(ca_file)
TEXT(kubeconfig)
TEXT(context)
#undef TEXT

#define SWITCH(name)                                                                               \
    static bool take_##name(struct options *options, struct str value)                             \
    {                                                                                              \
        (void)value;                                                                               \
        return options->name = true;                                                               \
    }
SWITCH(allow_insecure)
SWITCH(changes)
SWITCH(logs)
SWITCH(once)
SWITCH(dry_run)
SWITCH(verbose)
SWITCH(help)
SWITCH(version)
#undef SWITCH

/* ---- all of them ---- */

static const struct command_option rows[] = {
#define HEADING(text) {.heading = text},
#define OPTION(name, argument, variable, take, wanted, help)                                       \
    {NULL, name, argument, variable, wanted, help},
#include "options.def"
#undef HEADING
#undef OPTION
};

static bool (*const takes[])(struct options *options, struct str value) = {
#define HEADING(text)                                        NULL,
#define OPTION(name, argument, variable, take, wanted, help) take_##take,
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
    return (struct command_line){"loadline-agent", rows, sizeof rows / sizeof *rows, take, options};
}

/* What is wanted for a push. */
static bool is_complete(const struct command_line *line, const struct options *options)
{
    if (options->help || options->version)
        return true;
    if (options->once && options->logs)
        return command_line_complain(line, "--logs is for an agent that goes on: not with --once");
    if (options->dry_run)
        return true;
    if (!options->cluster)
        return command_line_complain(
            line, "what is the cluster called? --cluster ID, or LOADLINE_CLUSTER");
    if (!options->api_key_file && (!options->api_key || !*options->api_key))
        return command_line_complain(line, "an API key is wanted: --api-key-file FILE, "
                                           "LOADLINE_API_KEY_FILE or LOADLINE_API_KEY");
    return true;
}

bool options_parse(struct options *options, int argc, char **argv)
{
    struct command_line line = line_of(options);
    *options = (struct options){.url = STR("http://127.0.0.1:8080"),
                                .interval = INTERVAL_USUAL,
                                .api_key = getenv("LOADLINE_API_KEY")};
    if (!command_line_environment(&line) || !command_line_parse(&line, argc, argv))
        return false;
    if (optind < argc)
        return command_line_complain(&line, "%s is no option; --help tells them", argv[optind]);
    return is_complete(&line, options);
}

/* ---- help ---- */

void options_help(struct buf *out)
{
    buf_put(out, STR("Usage: loadline-agent [OPTION]...\n"
                     "Watches a cluster and pushes what it has to Loadline: ten seconds after a "
                     "change, and once a\nminute. What Loadline does not keep does not leave the "
                     "cluster. The proxy is that of the\nenvironment: https_proxy, no_proxy.\n"));
    struct command_line line = line_of(NULL);
    command_line_help(&line, 25, out);
    buf_put(out, STR("\nExit status: 0 ended as told, 1 --once was not taken, or out of memory, 2 "
                     "bad usage.\n"));
}
