#include "service/fetch.h"

#include <curl/curl.h>

#include "base/version.h"

struct taking {
    char *bytes; /* FETCH_MAX */
    size_t n;
};

static size_t take(char *bytes, size_t size, size_t n, void *context)
{
    struct taking *t = context;
    if (size * n > FETCH_MAX - t->n)
        return 0;
    memcpy(t->bytes + t->n, bytes, size * n);
    t->n += size * n;
    return size * n;
}

static void prepare(CURL *easy, const struct fetch *fetch, struct taking *t)
{
    curl_easy_setopt(easy, CURLOPT_URL, fetch->url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https");
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
    curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)FETCH_MS);
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L); /* else its end waits for the name's servers */
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    if (*fetch->ca_file)
        curl_easy_setopt(easy, CURLOPT_CAINFO, fetch->ca_file);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "loadline/" LOADLINE_VERSION);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, t);
    if (fetch->form)
        curl_easy_setopt(easy, CURLOPT_POSTFIELDS, fetch->form);
    if (fetch->form && fetch->user) {
        curl_easy_setopt(easy, CURLOPT_HTTPAUTH, CURLAUTH_BASIC);
        curl_easy_setopt(easy, CURLOPT_USERNAME, fetch->user);
        curl_easy_setopt(easy, CURLOPT_PASSWORD, fetch->password);
    }
}

bool fetch_run(struct arena *arena, const struct fetch *fetch, long *status, struct str *body,
               char error[FETCH_ERROR_SIZE])
{
    struct taking t = {.bytes = arena_bytes(arena, FETCH_MAX)};
    char text[CURL_ERROR_SIZE] = "";
    CURL *easy = curl_easy_init();
    if (!easy) {
        snprintf(error, FETCH_ERROR_SIZE, "out of memory");
        return false;
    }
    prepare(easy, fetch, &t);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, text);
    CURLcode code = curl_easy_perform(easy);
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, status);
    curl_easy_cleanup(easy);
    *body = (struct str){t.bytes, t.n};
    if (code != CURLE_OK)
        snprintf(error, FETCH_ERROR_SIZE, "%s", *text ? text : curl_easy_strerror(code));
    return code == CURLE_OK;
}
