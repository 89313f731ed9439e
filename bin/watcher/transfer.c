#include "transfer.h"

#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/log.h"
#include "base/version.h"

/* Whose other end is gone without a word is noticed after this long. */
enum {
    KEEP_IDLE_S = 10,
    KEEP_EACH_S = 10,
    KEEP_TIMES = 3,
    CONNECT_MS = 10000,
    FILES_MAX = 16,
    RETRY_MOST_S = 600
};

struct transfer {
    struct transfer *next, **link;
    CURL *easy;
    struct curl_slist *headers;
    bool (*take)(void *context, int status, struct str bytes);
    void (*done)(void *context, const struct transfer_result *result);
    void *context;
    char error[CURL_ERROR_SIZE];
};

struct transfers {
    CURLM *multi;
    struct transfer *all;
};

struct transfers *transfers_new(void)
{
    struct transfers *transfers = MEMORY_NEW(struct transfers);
    if (curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK)
        transfers->multi = curl_multi_init();
    if (transfers->multi)
        return transfers;
    free(transfers);
    return NULL;
}

void transfer_stop(struct transfers *transfers, struct transfer *t)
{
    if (!t)
        return;
    *t->link = t->next;
    if (t->next)
        t->next->link = t->link;
    curl_multi_remove_handle(transfers->multi, t->easy);
    curl_easy_cleanup(t->easy);
    curl_slist_free_all(t->headers);
    free(t);
}

void transfers_free(struct transfers *transfers)
{
    if (!transfers)
        return;
    while (transfers->all)
        transfer_stop(transfers, transfers->all);
    curl_multi_cleanup(transfers->multi);
    curl_global_cleanup();
    free(transfers);
}

enum { SHOWN_MAX = 300 };

/* The URL without the user and the password that may stand in it, cut to what fits. */
static struct str without_user(struct str url, char text[SHOWN_MAX])
{
    const char *slashes = memmem(url.p, url.n, "://", 3);
    size_t from = slashes ? (size_t)(slashes - url.p) + 3 : 0, to = from;
    while (to < url.n && !strchr("/?#", url.p[to]))
        to++;
    const char *sign = memrchr(url.p + from, '@', to - from);
    struct str scheme = str_sub(url, 0, from),
               rest = str_sub(url, sign ? (size_t)(sign - url.p) + 1 : from, url.n);
    int n = snprintf(text, SHOWN_MAX, "%" STR_FMT "%" STR_FMT, STR_ARG(scheme), STR_ARG(rest));
    return (struct str){text, n < SHOWN_MAX ? (size_t)n : SHOWN_MAX - 1};
}

const char *transfer_shown(struct str url)
{
    char text[SHOWN_MAX];
    return log_quote(without_user(url, text));
}

/* ---- what libcurl asks ---- */

static size_t take_bytes(char *bytes, size_t size, size_t n, void *context)
{
    struct transfer *t = context;
    long status = 0;
    curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    return t->take(t->context, (int)status, (struct str){bytes, size * n}) ? size * n : 0;
}

/* The end of the header of an answer that is not a proxy's: its body may be long in coming. */
static size_t take_header(char *bytes, size_t size, size_t n, void *context)
{
    struct transfer *t = context;
    long status = 0;
    curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    bool last = str_eq((struct str){bytes, size * n}, STR("\r\n"));
    return !last || status < 200 || t->take(t->context, (int)status, STR("")) ? size * n : 0;
}

static int prepare_socket(void *context, curl_socket_t file, curlsocktype purpose)
{
    static const struct {
        int option, value;
    } options[] = {{TCP_KEEPIDLE, KEEP_IDLE_S},
                   {TCP_KEEPINTVL, KEEP_EACH_S},
                   {TCP_KEEPCNT, KEEP_TIMES},
                   {TCP_USER_TIMEOUT, (KEEP_IDLE_S + KEEP_EACH_S * KEEP_TIMES) * 1000}};
    int yes = 1;
    (void)context;
    (void)purpose;
    setsockopt(file, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        setsockopt(file, IPPROTO_TCP, options[i].option, &options[i].value,
                   sizeof options[i].value);
    return CURL_SOCKOPT_OK;
}

/* ---- a request ---- */

/* From a file, or from a text. */
static void set_either(CURL *easy, const char *file, CURLoption file_option, struct str text,
                       CURLoption text_option)
{
    struct curl_blob blob = {(void *)(uintptr_t)text.p, text.n, CURL_BLOB_COPY};
    if (file)
        curl_easy_setopt(easy, file_option, file);
    else if (text.n)
        curl_easy_setopt(easy, text_option, &blob);
}

static bool add_header(struct transfer *t, const char *header)
{
    struct curl_slist *longer =
        header && *header ? curl_slist_append(t->headers, header) : t->headers;
    if (longer)
        t->headers = longer;
    return longer || !header || !*header;
}

static bool set_access(struct transfer *t, const struct access *access)
{
    struct bytes authorization = {0};
    bool good = access_authorization(access, &authorization) && add_header(t, authorization.p);
    bytes_free(&authorization);
    set_either(t->easy, access->ca_file, CURLOPT_CAINFO, bytes_str(&access->ca),
               CURLOPT_CAINFO_BLOB);
    set_either(t->easy, access->certificate_file, CURLOPT_SSLCERT, bytes_str(&access->certificate),
               CURLOPT_SSLCERT_BLOB);
    set_either(t->easy, access->key_file, CURLOPT_SSLKEY, bytes_str(&access->key),
               CURLOPT_SSLKEY_BLOB);
    curl_easy_setopt(t->easy, CURLOPT_SSL_VERIFYPEER, access->insecure ? 0L : 1L);
    curl_easy_setopt(t->easy, CURLOPT_SSL_VERIFYHOST, access->insecure ? 0L : 2L);
    /* A new authority is taken up with the next connection. */
    curl_easy_setopt(t->easy, CURLOPT_CA_CACHE_TIMEOUT, 0L);
    return good;
}

static void set_body(CURL *easy, const struct str *body)
{
    if (!body)
        return;
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body->p);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body->n);
}

static void set_limits(CURL *easy, const struct transfer_request *request)
{
    curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, request->limit_ms);
    if (!request->silence_s)
        return;
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(easy, CURLOPT_LOW_SPEED_TIME, request->silence_s);
}

static bool prepare(struct transfer *t, const struct transfer_request *request)
{
    CURL *easy = t->easy;
    bool good = true;
    if (request->access)
        good = set_access(t, request->access);
    else if (request->ca_file && *request->ca_file)
        curl_easy_setopt(easy, CURLOPT_CAINFO, request->ca_file);
    for (size_t i = 0; good && i < TRANSFER_HEADERS_MAX && request->headers[i]; i++)
        good = add_header(t, request->headers[i]);
    curl_easy_setopt(easy, CURLOPT_URL, request->url);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    /* Who gives up on a name waits for no thread that still looks it up. */
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "loadline-agent/" LOADLINE_VERSION);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, t->headers);
    curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, prepare_socket);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_bytes);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
    curl_easy_setopt(easy, CURLOPT_HEADERDATA, t);
    curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, t->error);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, t);
    set_limits(easy, request);
    set_body(easy, request->body);
    return good;
}

struct transfer *transfer_start(struct transfers *transfers, const struct transfer_request *request)
{
    struct transfer *t = MEMORY_NEW(struct transfer);
    t->take = request->take;
    t->done = request->done;
    t->context = request->context;
    t->next = transfers->all;
    t->link = &transfers->all;
    if (t->next)
        t->next->link = &t->next;
    transfers->all = t;
    t->easy = curl_easy_init();
    if (!t->easy)
        memory_exhausted();
    if (prepare(t, request) && curl_multi_add_handle(transfers->multi, t->easy) == CURLM_OK)
        return t;
    transfer_stop(transfers, t);
    return NULL;
}

/* ---- its end ---- */

/* What stands behind a question mark may be a secret. A redirect that names no host has the user
 * and the password of the request's URL. */
static void tell_redirect(CURL *easy, struct transfer_result *result)
{
    char *to = NULL, text[SHOWN_MAX];
    curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &to);
    if (!to)
        return;
    struct str shown = without_user((struct str){to, strcspn(to, "?#")}, text);
    snprintf(result->error, sizeof result->error,
             "it redirects to %" STR_FMT ", which is not followed: is the URL right?",
             STR_ARG(shown));
}

static void end(struct transfers *transfers, CURL *easy, CURLcode code)
{
    struct transfer *t = NULL;
    struct transfer_result result = {.whole = code == CURLE_OK,
                                     .untrusted = code == CURLE_PEER_FAILED_VERIFICATION};
    long status = 0;
    curl_off_t retry_after = 0;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&t);
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &retry_after);
    result.status = (int)status;
    if (retry_after > RETRY_MOST_S)
        retry_after = RETRY_MOST_S;
    result.retry_after_ms = retry_after > 0 ? retry_after * 1000 : 0;
    if (code != CURLE_OK)
        snprintf(result.error, sizeof result.error, "%s",
                 *t->error ? t->error : curl_easy_strerror(code));
    else
        tell_redirect(easy, &result);
    void (*done)(void *, const struct transfer_result *) = t->done;
    void *context = t->context;
    transfer_stop(transfers, t);
    done(context, &result);
}

static void wait_for(struct transfers *transfers, int wait_ms, struct pollfd *files, unsigned n)
{
    struct curl_waitfd waits[FILES_MAX];
    for (unsigned i = 0; i < n && i < FILES_MAX; i++)
        waits[i] =
            (struct curl_waitfd){files[i].fd,
                                 (short)((files[i].events & POLLIN ? CURL_WAIT_POLLIN : 0) |
                                         (files[i].events & POLLOUT ? CURL_WAIT_POLLOUT : 0)),
                                 0};
    curl_multi_poll(transfers->multi, waits, n < FILES_MAX ? n : FILES_MAX, wait_ms, NULL);
    for (unsigned i = 0; i < n && i < FILES_MAX; i++)
        files[i].revents = (short)((waits[i].revents & CURL_WAIT_POLLIN ? POLLIN : 0) |
                                   (waits[i].revents & CURL_WAIT_POLLOUT ? POLLOUT : 0));
}

void transfers_run(struct transfers *transfers, int wait_ms, struct pollfd *files, unsigned n)
{
    int running, left;
    CURLMsg *message;
    curl_multi_perform(transfers->multi, &running);
    message = curl_multi_info_read(transfers->multi, &left);
    if (!message) {
        wait_for(transfers, wait_ms, files, n);
        curl_multi_perform(transfers->multi, &running);
        message = curl_multi_info_read(transfers->multi, &left);
    }
    for (; message; message = curl_multi_info_read(transfers->multi, &left))
        if (message->msg == CURLMSG_DONE)
            end(transfers, message->easy_handle, message->data.result);
}
