#include "post.h"

#include <stdio.h>

/* "X-API-Key: ...", with a NUL. */
static bool put_key(const struct options *options, struct bytes *header)
{
    struct bytes key = {0};
    bool good = true;
    if (options->api_key_file)
        good = access_read_file(options->api_key_file, &key);
    else
        bytes_put(&key, str_trim(str_of(options->api_key)));
    good = good && key.n && !memchr(key.p, '\n', key.n) && !memchr(key.p, '\r', key.n);
    bytes_put(header, STR("X-API-Key: "));
    bytes_put(header, bytes_str(&key));
    bytes_putc(header, 0);
    bytes_free(&key);
    return good;
}

struct transfer *post_start(struct transfers *transfers, const struct options *options,
                            const struct post *post)
{
    char url[2048], cluster[256];
    struct bytes key = {0};
    struct transfer *transfer = NULL;
    struct transfer_request request = {.url = url,
                                       .ca_file = options->ca_file,
                                       .headers = {"Expect:", cluster},
                                       .body = post->body,
                                       .limit_ms = post->limit_ms,
                                       .take = post->take,
                                       .done = post->done,
                                       .context = post->context};
    snprintf(url, sizeof url, "%" STR_FMT "%s", STR_ARG(options->url), post->path);
    snprintf(cluster, sizeof cluster, "X-Cluster-Id: %s", options->cluster);
    if (put_key(options, &key)) {
        size_t n = 2;
        request.headers[n++] = key.p;
        for (size_t i = 0; i < POST_HEADERS_MAX && post->headers[i]; i++)
            request.headers[n++] = post->headers[i];
        transfer = transfer_start(transfers, &request);
    }
    bytes_free(&key);
    return transfer;
}
