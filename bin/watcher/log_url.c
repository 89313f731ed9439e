#include "log_url.h"

#include <stdio.h>

#include "agent/log_pick.h"
#include "base/clock.h"

enum { NAME_MAX_BYTES = 253 };

/* Nothing that means something in a URL. */
static bool is_name(const char *name)
{
    size_t n = strlen(name);
    return n && n <= NAME_MAX_BYTES && *name != '.' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789.-") == n;
}

static void put_option(struct bytes *url, const char *name, struct str value)
{
    bytes_put(url, str_of(name));
    bytes_put(url, value);
}

bool log_url_put(struct bytes *url, const char *server, const struct failing *one, int lines)
{
    char text[160], time[CLOCK_TEXT_SIZE];
    if (!is_name(one->namespace) || !is_name(one->pod) || !is_name(one->container))
        return false;
    bytes_put(url, str_of(server));
    put_option(url, "/api/v1/namespaces/", str_of(one->namespace));
    put_option(url, "/pods/", str_of(one->pod));
    put_option(url, "/log?container=", str_of(one->container));
    snprintf(text, sizeof text, "&timestamps=true&tailLines=%d&limitBytes=%d", lines,
             LOG_PICK_TEXT_MAX);
    bytes_put(url, str_of(text));
    if (one->previous)
        bytes_put(url, STR("&previous=true"));
    if (!one->ended && one->newest)
        put_option(url, "&sinceTime=", clock_format_short(one->newest / 1000 * 1000, time));
    bytes_putc(url, 0);
    return true;
}
