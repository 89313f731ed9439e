/* http: one request and its answer, over a transport: FastCGI, plain CGI, or memory (tests).
 *
 * A request is what CGI/1.1 (RFC 3875) says of it, but for the path: it is taken from REQUEST_URI,
 * because web servers split SCRIPT_NAME and PATH_INFO differently. An answer is made in memory and
 * sent whole, or it is large and made while it is sent.
 */
#ifndef LOADLINE_SERVICE_HTTP_H
#define LOADLINE_SERVICE_HTTP_H

#include "base/buf.h"
#include "codec/source.h"
#include "base/errors.h"
#include "service/waiting.h"

enum http_method {
    HTTP_GET,
    HTTP_HEAD,
    HTTP_POST,
    HTTP_PUT,
    HTTP_PATCH,
    HTTP_DELETE,
    HTTP_OPTIONS,
    HTTP_OTHER
};

enum { HTTP_TARGET_MAX = 8192, HTTP_HEADERS_MAX = 16 * 1024, HTTP_FIELDS_MAX = 200 };

/* How requests come in and answers go out. */
struct http_transport {
    void *context;
    /* Waits for a request. False: there will be no more (asked to stop, or CGI's one is done). */
    bool (*accept)(void *context);
    /* A CGI variable of the current request, NULL when it has none, or more than one: see
     * http_find_variable(). */
    const char *(*variable)(void *context, const char *name);
    /* What http_check_variables() says of the current request's. */
    enum error (*check)(void *context);
    /* Bytes of the body: 1 to cap, 0 at the end, -1 on failure. */
    ptrdiff_t (*read)(void *context, char *dst, size_t cap);
    bool (*write)(void *context, struct str bytes);
    /* May a request of this client begin that keeps this process busy for long? False: others have
     * been waiting for so many milliseconds already, or the client has had its share while others
     * wait. At most once a request. */
    bool (*has_room)(void *context, struct str client, int64_t timeout);
    /* Of a transport that lets requests wait in a list (service/waiting.h); all three are NULL
     * where there is none. Why the current request is to be refused; has its client gone away by
     * now; it was admitted, and is this tenant's. */
    enum waiting_shed (*shed)(void *context);
    bool (*has_left)(void *context);
    void (*know)(void *context, struct str tenant);
    /* Of a transport that can have several requests open at once; all three are NULL where it
     * cannot. Takes another request that waits by now and makes it the current one; false: none
     * does. What the current one is; makes it the current one again. */
    bool (*another)(void *context);
    void *(*current)(void *context);
    void (*take_up)(void *context, void *request);
    /* Ends the current request; nothing of it may be used afterwards. */
    void (*finish)(void *context);
    /* The same for an answer that was cut: the web server is not told of an end, so that the client
     * sees that there was none. NULL where this cannot be said. */
    void (*abort)(void *context);
};

/* Where requests wait when they come faster than they are served. */
struct http_list {
    int64_t calm;  /* milliseconds for which somebody may always be found in the socket. When that
                    * has lasted longer, all wait in a list of the worker; 0: there is none. With a
                    * list, backlog_open() comes first */
    int64_t limit; /* that a request may wait in it; 0: for ever */
    const char *credential; /* the variable (HTTP_X_API_KEY) that tells whose a request is; ... */
    const char *otherwise;  /* ... or this one, of a request without it; NULL: no other does */
    const char *cluster;    /* that tells which cluster it is about; NULL: none does */
    const char *handed;     /* requests of this Content-Type are given to the worker that has served
                             * the cluster last (service/handoff.h); NULL: none are */
};

/* The transport that this process was started for: FastCGI when standard input is a listening
 * socket, else plain CGI. SIGTERM makes accept() return false, once the request in progress is
 * finished, and those that wait in its list are. */
struct http_transport http_fcgi(const struct http_list *wanted);
struct http_transport http_cgi(void);
bool http_is_cgi(void);

/* The value of NAME=VALUE in environment. NULL when there is none, and when there are two: CGI
 * makes HTTP_X_FORWARDED_FOR of X-Forwarded-For and of X.Forwarded_For, and only one of them came
 * from the proxy. */
const char *http_find_variable(char *const *environment, const char *name);

/* ERR_BAD_REQUEST when two headers have become one variable, so that nobody can tell which of them
 * came from the proxy; ERR_HEADERS_TOO_LARGE for more than HTTP_FIELDS_MAX headers. */
enum error http_check_variables(char *const *environment);

struct http_request {
    struct http_transport *transport;
    enum http_method method;
    struct str method_name; /* as the client sent it */
    struct str path, query; /* raw, not decoded */
    struct str address;     /* REMOTE_ADDR */
    bool has_length;
    uint64_t length; /* CONTENT_LENGTH; 0 without */
    struct str body; /* after http_read_body() */
};

/* Parameters are UTF-8 without NUL once they are decoded, and nothing is half an escape. Of another
 * query the head is a BAD_REQUEST. */
bool http_query_is_text(struct arena *arena, struct str query);

/* Everything but the body, in the arena. BAD_REQUEST when it makes no sense, and what
 * http_check_variables() says; when the web server hands an error of its own over for its page
 * (REDIRECT_STATUS), that error. */
enum error http_read_head(struct arena *arena, struct http_transport *transport,
                          struct http_request *request);
/* All of the body. TOO_LARGE, LENGTH_REQUIRED, SHORT_BODY (fewer bytes came than CONTENT_LENGTH).
 */
enum error http_read_body(struct arena *arena, struct http_request *request, uint64_t max);
/* A header by its name in CGI spelling without "HTTP_": http_header(r, "X_API_KEY"). Absent when it
 * is not there. */
struct str http_header(const struct http_request *request, const char *name);
/* Content-Type, which CGI does not count among the headers; absent when it is not there. */
struct str http_content_type(const struct http_request *request);

/* What the transport's list of those that wait says; WAITING_STAYS and false where it has none. */
enum waiting_shed http_shed(const struct http_request *request);
bool http_has_left(const struct http_request *request);
void http_know(const struct http_request *request, struct str tenant);

struct http_response {
    int status;
    struct buf headers; /* lines with CRLF */
    struct str body;
    /* Instead of body, for what is large: puts it into `out`, in pieces of any size. Asked again it
     * puts the same bytes. False when `out` refused, or when it cannot go on and has logged why. */
    bool (*produce)(void *producer, struct sink out);
    void *producer;
    bool gzip; /* what is produced goes out as gzip */
    bool has_cache_control;
    bool secret; /* the body shows a key or token: wiped once sent */
};

/* 200 and no body. */
void http_response_init(struct arena *arena, struct http_response *response);
/* Control characters in value (a forged header) become spaces. */
void http_add_header(struct http_response *response, struct str name, struct str value);
struct str http_reason(int status); /* "Not Found"; "Status" for one that no row has */

/* How far an answer has come. Zeroed before http_send(). */
struct http_sending {
    bool begun;     /* its head went out: no other answer can be given instead */
    bool gone;      /* the client takes nothing any more */
    uint64_t bytes; /* of body that went out */
    const struct http_request *request;
    const struct http_response *response;
    struct deflate *deflate;
    char *piece; /* of body, gathered before it goes out */
    size_t piece_n;
};

/* Sends the answer; HEAD gets no body. What is produced has a Content-Length only when it is short,
 * or when the transport cannot abort. False when producing failed: then, unless it has begun,
 * another answer can be sent. A client that has gone is no failure. Uses 64 KiB of the arena for
 * what is produced. */
bool http_send(struct arena *arena, const struct http_request *request,
               const struct http_response *response, struct http_sending *sending);
/* Releases what http_send() held, also when the arena unwound from it. */
void http_send_end(struct http_sending *sending);

#endif
