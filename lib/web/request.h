/* request: all that a handler gets, and how it refuses.
 *
 * A handler returns ERR_OK after page_json() or the like, or an error, which becomes the JSON error
 * answer. Memory is the request's arena; what must be released otherwise is noted with
 * request_defer(), which holds on every path out, exhaustion of the arena included.
 */
#ifndef LOADLINE_WEB_REQUEST_H
#define LOADLINE_WEB_REQUEST_H

#include "service/conf.h"
#include "db/db.h"
#include "codec/decompress.h"
#include "service/crypt.h"
#include "service/http.h"
#include "service/spool.h"

struct route;
struct together;
struct keyed_cluster;
struct keyed_push;
struct request;

/* Stores what these requests have left to be stored, in a transaction that is open; there is one at
 * least, and all are of one tenant, which is set, and have left it to this function. Memory is that
 * of the given arena: theirs are not guarded. */
typedef enum error request_keep(struct db *db, struct arena *arena, struct request *const *requests,
                                size_t n);

enum user_role { ROLE_NONE, ROLE_MEMBER, ROLE_OPERATOR, ROLE_ADMIN };
enum { SCOPE_AGENT = 1, SCOPE_CICD = 2, SCOPE_FULL = SCOPE_AGENT | SCOPE_CICD };

/* The role or scope of that name; ROLE_NONE or 0 when there is none. */
enum user_role request_role(struct str name);
unsigned request_scopes(struct str name);

/* Whom the credential stands for; set by the gate. */
struct identity {
    struct str tenant; /* absent: nobody */
    struct str user, email;
    enum user_role role;      /* of a session */
    bool setup;               /* it may only set up a second factor */
    struct str key, key_name; /* id and name of the API key */
    unsigned scopes;          /* of an API key */
    struct str clusters;      /* that the API key is bound to; absent: to none */
    struct str session;       /* hash of the session's token, CRYPT_DIGEST bytes */
    struct str session_id;    /* stays when the token is exchanged */
    int64_t expires;          /* of the session */
};

enum { REQUEST_DEFERRED_MAX = 16, REQUEST_LOG_PATH = 256 };

struct request {
    struct arena *arena;
    struct db *db;
    const struct conf *conf;
    const struct route *route; /* NULL until matched */
    struct http_request http;
    struct http_response response;
    struct identity identity;
    int64_t now; /* arrival */
    char id[UUID_TEXT_LEN + 1];
    struct str client;       /* address, behind trusted proxies */
    struct str client_range; /* what limits count: the address, of IPv6 its /64 */

    /* of a refusal */
    struct str sentence; /* absent: the one of errors.def */
    struct str field;
    struct str reason;   /* of several that the code may have */
    int64_t retry_after; /* seconds; 0: none */

    /* What a handler that has made its answer leaves to be stored before it goes out, together with
     * what others leave (web/together.h). */
    struct {
        request_keep *keep; /* NULL: nothing */
        void *what;
        void (*kept)(void *what); /* it is stored */
    } left;
    /* What was read for it before it was served (web/ahead.h). */
    struct {
        bool noted;   /* it is yet to be read */
        bool is_push; /* of a snapshot */
        unsigned char key_hash[CRYPT_DIGEST];
        struct str cluster;               /* by its name */
        struct str push_key;              /* of a push: push_key_hash() */
        const struct keyed_cluster *read; /* NULL: nothing was */
        struct keyed_push *push;          /* likewise */
        int64_t push_read;                /* when; on clock_monotonic() */
        enum error error;                 /* why not; ERR_OK: there is nothing, or nobody asked */
    } ahead;
    struct together *together; /* those that wait to be stored; NULL: nobody can */

    char log_path[REQUEST_LOG_PATH];
    struct {
        void (*release)(void *p);
        void *p;
    } deferred[REQUEST_DEFERRED_MAX];
    size_t deferred_count;
};

/* release(p) is called when the request is over, the last noted first. More than
 * REQUEST_DEFERRED_MAX abort: a mistake in a handler. */
void request_defer(struct request *r, void (*release)(void *p), void *p);
void request_release(struct request *r);
/* An empty spool, released with the request. NULL when it cannot be had: the log says why. */
struct spool *request_spool(struct request *r);
/* in is released with the request. */
void request_defer_packed(struct request *r, struct decompress *in);
/* These bytes are zeroed when the request is over. */
void request_wipe_later(struct request *r, struct str secret);

/* A new key or token (prefix: as of crypt_secret_new()) to be shown in the answer. It and the
 * answer are wiped when the request is over. */
struct crypt_secret *request_new_secret(struct request *r, const char *prefix);

/* Refuses with a sentence of its own (printf, in the arena). Returns e. */
enum error refuse(struct request *r, enum error e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same about a field of the request; the sentence follows its name: "email must be a string".
 */
enum error refuse_field(struct request *r, enum error e, const char *field, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A query parameter; absent when it is not there. */
struct str request_param(struct request *r, const char *name);

#endif
