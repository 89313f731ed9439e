/* Addresses of channels: what is taken for good, libcurl (which will post to it) reads alike, and
 * when it reads an address in it, that may be posted to. */
#include <assert.h>
#include <curl/curl.h>

#include "base/ip.h"
#include "service/webhook_url.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

#define ALLOWED "127.0.0.0/8 10.1.0.0/16"

static void check_host(const char *host)
{
    struct str name = str_of(host);
    struct ip ip;
    if (name.n && name.p[0] == '[')
        name = str_sub(name, 1, name.n - 2);
    assert(name.n > 0);
    if (ip_parse(name, &ip))
        assert(ip_is_public(&ip) || ip_in_ranges(&ip, STR(ALLOWED)));
}

static void check_as_libcurl_reads_it(const char *url, bool allow_http)
{
    CURLU *parsed = curl_url();
    char *scheme = NULL, *host = NULL, *user = NULL;
    assert(parsed && curl_url_set(parsed, CURLUPART_URL, url, 0) == CURLUE_OK);
    assert(curl_url_get(parsed, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK);
    assert(strcmp(scheme, "https") == 0 || (allow_http && strcmp(scheme, "http") == 0));
    assert(curl_url_get(parsed, CURLUPART_HOST, &host, 0) == CURLUE_OK);
    assert(curl_url_get(parsed, CURLUPART_USER, &user, 0) == CURLUE_NO_USER);
    check_host(host);
    curl_free(scheme);
    curl_free(host);
    curl_url_cleanup(parsed);
}

static void check_masked(struct arena *arena, struct str url)
{
    struct str masked = webhook_url_masked(arena, url);
    assert(masked.n <= url.n + sizeof "/...");
    assert(str_has_prefix(masked, STR("http")) && str_has_suffix(masked, STR("/...")));
    assert(!memchr(masked.p, '@', masked.n) && !memchr(masked.p, '?', masked.n));
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct arena *arena = arena_new(1 << 20);
    struct str url = arena_str(arena, (struct str){(const char *)data, size});
    for (int allow_http = 0; allow_http < 2; allow_http++) {
        struct webhook_policy policy = {allow_http, STR(ALLOWED)};
        if (webhook_url_problem(url, &policy))
            continue;
        check_as_libcurl_reads_it(url.p, allow_http);
        check_masked(arena, url);
    }
    arena_free(arena);
    return 0;
}
