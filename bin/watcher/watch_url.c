#include "watch_url.h"

#include <stdio.h>

/* What stands in a query as it is; all else is escaped. */
static void put_escaped(struct bytes *out, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i], escape[4];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '-' || c == '_' || c == '.' || c == '~';
        snprintf(escape, sizeof escape, "%%%02X", (unsigned char)c);
        bytes_put(out, plain ? (struct str){&c, 1} : STR(""));
        bytes_put(out, plain ? STR("") : str_of(escape));
    }
}

void watch_url_put_path(struct bytes *url, const char *server, const char *api_version,
                        const struct watched *kind)
{
    bool core = !strchr(api_version, '/');
    bytes_put(url, str_of(server));
    bytes_put(url, core ? STR("/api/") : STR("/apis/"));
    bytes_put(url, str_of(api_version));
    if (kind->namespace.n) {
        bytes_put(url, STR("/namespaces/"));
        bytes_put(url, kind->namespace);
    }
    bytes_putc(url, '/');
    bytes_put(url, kind->resource);
}

void watch_url_put_watch(struct bytes *url, struct str version, int64_t seconds)
{
    char text[128];
    snprintf(text, sizeof text, "?watch=true&allowWatchBookmarks=true&timeoutSeconds=%lld",
             (long long)seconds);
    bytes_put(url, str_of(text));
    bytes_put(url, STR("&resourceVersion="));
    put_escaped(url, version);
}

void watch_url_put_page(struct bytes *url, struct str next, int limit)
{
    char text[128];
    snprintf(text, sizeof text, "?limit=%d%s", limit, next.n ? "&continue=" : "");
    bytes_put(url, str_of(text));
    put_escaped(url, next);
}
