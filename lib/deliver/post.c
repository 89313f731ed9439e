#include "deliver/post.h"

#include <curl/curl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/ip.h"
#include "base/version.h"

/* So much of an answer's body is read, to use the connection again; a longer one is cut off. */
enum { ANSWER_MAX = 64 * 1024, CONNECTIONS_MAX = 256 };

struct transfer {
    struct transfer *next, **link; /* the list of those under way */
    const struct post_policy *policy;
    void *context;
    CURL *easy;
    struct curl_slist *headers;
    int64_t began, deadline; /* as clock_monotonic() */
    int64_t begin_by;        /* the same; 0: whenever */
    size_t answered;         /* bytes of the answer's body */
    bool refused;            /* an address was, by the policy */
    bool asked;              /* the request has begun */
    bool late;               /* it has not, and begin_by was over */
    char error[CURL_ERROR_SIZE];
};

struct poster {
    const struct post_policy *policy;
    CURLM *multi;
    struct transfer *transfers;
    size_t busy;
    int64_t left; /* when nobody looked after them any more */
};

struct poster *poster_new(const struct post_policy *policy)
{
    struct poster *poster = calloc(1, sizeof *poster);
    if (!poster || curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        free(poster);
        return NULL;
    }
    poster->policy = policy;
    poster->multi = curl_multi_init();
    if (!poster->multi) {
        poster_free(poster);
        return NULL;
    }
    curl_multi_setopt(poster->multi, CURLMOPT_MAXCONNECTS, (long)CONNECTIONS_MAX);
    return poster;
}

static void end_transfer(struct poster *poster, struct transfer *t)
{
    *t->link = t->next;
    if (t->next)
        t->next->link = t->link;
    poster->busy--;
    curl_multi_remove_handle(poster->multi, t->easy);
    curl_easy_cleanup(t->easy);
    curl_slist_free_all(t->headers);
    free(t);
}

void poster_free(struct poster *poster)
{
    if (!poster)
        return;
    while (poster->transfers)
        end_transfer(poster, poster->transfers);
    curl_multi_cleanup(poster->multi);
    curl_global_cleanup();
    free(poster);
}

/* ---- what libcurl asks ---- */

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct transfer *t = context;
    struct ip ip;
    (void)purpose;
    if (!ip_of_sockaddr(&address->addr, &ip) ||
        (!ip_is_public(&ip) && !ip_in_ranges(&ip, t->policy->allow))) {
        t->refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* The last moment before the first byte of a request leaves. When a connection of before is cut,
 * libcurl takes it for one that had ended, and would ask again on a new one: but who cut it may
 * have read the request. */
static int may_begin(void *context, char *to, char *from, int to_port, int from_port)
{
    struct transfer *t = context;
    (void)to, (void)from, (void)to_port, (void)from_port;
    t->late = !t->asked && t->begin_by && clock_monotonic() > t->begin_by;
    bool may = !t->asked && !t->late;
    t->asked |= may;
    return may ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

static size_t take_answer(char *bytes, size_t size, size_t n, void *context)
{
    struct transfer *t = context;
    (void)bytes;
    t->answered += size * n;
    return t->answered <= ANSWER_MAX ? size * n : 0;
}

/* ---- a post ---- */

static bool add_headers(struct transfer *t, const struct post *post)
{
    for (size_t i = 0; i < POST_HEADERS_MAX && post->headers[i]; i++) {
        struct curl_slist *longer = curl_slist_append(t->headers, post->headers[i]);
        if (!longer)
            return false;
        t->headers = longer;
    }
    return true;
}

static void prepare(struct transfer *t, const struct post *post)
{
    const struct post_policy *policy = t->policy;
    CURL *easy = t->easy;
    curl_easy_setopt(easy, CURLOPT_URL, post->url);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, policy->allow_http ? "http,https" : "https");
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, t);
    curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, may_begin);
    curl_easy_setopt(easy, CURLOPT_PREREQDATA, t);
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L); /* else its end waits for the name's servers */
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    if (*policy->ca_file)
        curl_easy_setopt(easy, CURLOPT_CAINFO, policy->ca_file);
    curl_easy_setopt(easy, CURLOPT_HTTPHEADER, t->headers);
    curl_easy_setopt(easy, CURLOPT_USERAGENT, "Loadline/" LOADLINE_VERSION);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, post->body.p);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)post->body.n);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_answer);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, t->error);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, t);
}

/* libcurl's own limit is of no use: it comes before what has arrived is read, so who comes back
 * late hears that it is over although the answer is there. Here the answer comes first, and the
 * time in which nobody looked is given back, until a post has had twice its time. */
static void give_back(struct poster *poster)
{
    int64_t now = clock_monotonic(), away = now - poster->left;
    for (struct transfer *t = poster->transfers; t; t = t->next) {
        int64_t last = t->began + 2 * t->policy->timeout_ms;
        t->deadline = t->deadline + away < last ? t->deadline + away : last;
    }
    poster->left = now;
}

bool poster_add(struct poster *poster, const struct post *post)
{
    struct transfer *t = calloc(1, sizeof *t);
    if (!t)
        return false;
    give_back(poster);
    t->policy = poster->policy;
    t->context = post->context;
    t->began = poster->left;
    t->deadline = t->began + t->policy->timeout_ms;
    t->begin_by = post->begin_by;
    t->next = poster->transfers;
    t->link = &poster->transfers;
    if (t->next)
        t->next->link = &t->next;
    poster->transfers = t;
    poster->busy++;
    t->easy = curl_easy_init();
    if (!t->easy || !add_headers(t, post)) {
        end_transfer(poster, t);
        return false;
    }
    prepare(t, post);
    if (curl_multi_add_handle(poster->multi, t->easy) == CURLM_OK)
        return true;
    end_transfer(poster, t);
    return false;
}

size_t poster_busy(const struct poster *poster)
{
    return poster->busy;
}

/* ---- its outcome ---- */

static int64_t retry_after_ms(const struct transfer *t)
{
    curl_off_t seconds = 0;
    curl_easy_getinfo(t->easy, CURLINFO_RETRY_AFTER, &seconds);
    if (seconds <= 0)
        return 0;
    return seconds <= INT64_MAX / 1000 ? seconds * 1000 : INT64_MAX;
}

/* The status line is the answer: what goes wrong after it (a body without end, a cut connection)
 * does not make the receiver's word undone. */
static void answered(const struct transfer *t, long status, struct post_result *result)
{
    result->outcome = POST_ANSWERED;
    result->status = (int)status;
    result->retry_after_ms = retry_after_ms(t);
    if (status >= 300 && status < 400)
        snprintf(result->error, sizeof result->error,
                 "The receiver answered %ld; redirects are not followed.", status);
    else if (status < 200 || status >= 300)
        snprintf(result->error, sizeof result->error, "The receiver answered %ld.", status);
}

/* Why the policy did not let it connect; NULL when that is not what failed. */
static const char *refusal(const struct transfer *t, CURLcode code)
{
    long connections = 0, asked = 0; /* bytes; on a connection that was there already, too */
    curl_easy_getinfo(t->easy, CURLINFO_NUM_CONNECTS, &connections);
    curl_easy_getinfo(t->easy, CURLINFO_REQUEST_SIZE, &asked);
    if (connections > 0 || asked > 0)
        return NULL;
    if (t->refused && code == CURLE_COULDNT_CONNECT)
        return "The address is not public and not in webhook_allow";
    if (code == CURLE_UNSUPPORTED_PROTOCOL)
        return t->policy->allow_http ? "The URL is neither https nor http"
                                     : "The URL is not https, and webhook_allow_http is not set";
    return code == CURLE_URL_MALFORMAT ? "The URL is malformed" : NULL;
}

static bool found_no_address(const struct transfer *t, CURLcode code)
{
    double looked_up = 0;
    curl_easy_getinfo(t->easy, CURLINFO_NAMELOOKUP_TIME, &looked_up);
    return code == CURLE_COULDNT_RESOLVE_HOST ||
           (code == CURLE_OPERATION_TIMEDOUT && looked_up <= 0);
}

/* What libcurl says may have words of the receiver in it, such as the name in its certificate, and
 * be cut anywhere. */
static void make_readable(char *text)
{
    for (size_t n; *text; text += n) {
        n = str_visible_length(str_of(text));
        if (n == 0) {
            *text = '?';
            n = 1;
        }
    }
}

static void failed(const struct transfer *t, CURLcode code, struct post_result *result)
{
    const char *why = refusal(t, code), *curl = *t->error ? t->error : curl_easy_strerror(code);
    if (code == CURLE_ABORTED_BY_CALLBACK)
        curl = "Empty reply from server"; /* see may_begin() */
    bool secret = (t->refused && why) || found_no_address(t, code);
    result->outcome = why ? POST_REFUSED : POST_FAILED;
    if (secret)
        snprintf(result->cause, sizeof result->cause, "%s.", why ? why : curl);
    why = secret ? "The receiver's name is not known, or its address is not public and not in "
                   "webhook_allow"
          : why  ? why
                 : curl;
    snprintf(result->error, sizeof result->error, "%s.", why);
    make_readable(result->error);
    make_readable(result->cause);
}

static void report(struct poster *poster, struct transfer *t, CURLcode code, post_done *done)
{
    struct post_result result = {.error = ""};
    long status = 0;
    curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
    if (status >= 200)
        answered(t, status, &result);
    else if (t->late)
        result = (struct post_result){POST_LATE, .error = "It was not sent in time."};
    else
        failed(t, code, &result);
    void *context = t->context;
    end_transfer(poster, t);
    done(context, &result);
}

/* ---- time ---- */

/* The one that is over first; NULL: none is under way. */
static struct transfer *first_over(const struct poster *poster)
{
    struct transfer *first = poster->transfers;
    for (struct transfer *t = first; t; t = t->next)
        if (t->deadline < first->deadline)
            first = t;
    return first;
}

/* At most wait_ms. */
static int until_over(const struct poster *poster, int wait_ms)
{
    const struct transfer *first = first_over(poster);
    int64_t left = first ? first->deadline - clock_monotonic() : wait_ms;
    return left < 0 ? 0 : left < wait_ms ? (int)left : wait_ms;
}

static struct transfer *next_ended(struct poster *poster, CURLcode *code)
{
    int left;
    CURLMsg *message;
    struct transfer *t = NULL;
    while ((message = curl_multi_info_read(poster->multi, &left)))
        if (message->msg == CURLMSG_DONE) {
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&t);
            *code = message->data.result;
            return t;
        }
    t = first_over(poster);
    int64_t now = clock_monotonic();
    if (!t || now < t->deadline)
        return NULL;
    snprintf(t->error, sizeof t->error, "Operation timed out after %lld milliseconds",
             (long long)(now - t->began));
    *code = CURLE_OPERATION_TIMEDOUT;
    return t;
}

void poster_run(struct poster *poster, int wait_ms, post_done *done)
{
    int running;
    CURLcode code;
    struct transfer *t;
    give_back(poster);
    curl_multi_perform(poster->multi, &running);
    if ((size_t)running == poster->busy) {
        curl_multi_poll(poster->multi, NULL, 0, until_over(poster, wait_ms), NULL);
        curl_multi_perform(poster->multi, &running);
    }
    while ((t = next_ended(poster, &code))) {
        poster->left = clock_monotonic();
        report(poster, t, code, done);
        give_back(poster);
        curl_multi_perform(poster->multi, &running); /* who has answered meanwhile is heard */
    }
    poster->left = clock_monotonic();
}
