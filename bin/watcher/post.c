#include "post.h"

#include <errno.h>
#include <stdio.h>

/* "X-API-Key: ...", with a NUL. NULL, or why there is none. */
static const char *put_key(const struct options *options, struct bytes *header)
{
    struct bytes key = {0};
    const char *problem = NULL;
    errno = 0;
    if (!options->api_key_file)
        bytes_put(&key, str_trim(str_of(options->api_key)));
    else if (!access_read_file(options->api_key_file, &key))
        problem = strerror(errno);
    if (!problem && !key.n)
        problem = "it is empty";
    else if (!problem && (memchr(key.p, '\n', key.n) || memchr(key.p, '\r', key.n)))
        problem = "it has more than one line";
    bytes_put(header, STR("X-API-Key: "));
    bytes_put(header, bytes_str(&key));
    bytes_putc(header, 0);
    bytes_free(&key);
    return problem;
}

static void tell_failure(const struct options *options, const char *problem,
                         struct transfer_result *failed)
{
    const char *from = options->api_key_file ? options->api_key_file : "LOADLINE_API_KEY";
    *failed = (struct transfer_result){.status = 0};
    snprintf(failed->error, sizeof failed->error, "the API key cannot be read: %s: %s", from,
             problem);
}

struct transfer *post_start(struct transfers *transfers, const struct options *options,
                            const struct post *post, struct transfer_result *failed)
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
    const char *problem = put_key(options, &key);
    if (problem) {
        tell_failure(options, problem, failed);
    } else {
        size_t n = 2;
        request.headers[n++] = key.p;
        for (size_t i = 0; i < POST_HEADERS_MAX && post->headers[i]; i++)
            request.headers[n++] = post->headers[i];
        transfer = transfer_start(transfers, &request);
    }
    bytes_free(&key);
    return transfer;
}
