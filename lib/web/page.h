/* page: answers that every handler uses. */
#ifndef LOADLINE_WEB_PAGE_H
#define LOADLINE_WEB_PAGE_H

#include "codec/jw.h"
#include "web/request.h"

enum { PAGE_MAX = 64 * 1024 * 1024 };

/* A writer of a JSON answer, in the request's arena, of at most PAGE_MAX bytes. */
struct page {
    struct buf buf;
    struct jw jw;
};
void page_begin(struct request *r, struct page *page);
/* The answer is what was written. */
enum error page_json(struct request *r, int status, struct page *page);
/* 200 with what was written and a tag of it, or 304 when the client has that already. Clients keep
 * the answer themselves (caches may not) and ask again with If-None-Match: for what is polled. Of a
 * request that changes something it is what was written, without a tag. */
enum error page_json_tagged(struct request *r, struct page *page);
/* {"status": "ok"} */
enum error page_ok(struct request *r, int status);
/* 200 {"status": "deleted", "id"} */
enum error page_deleted(struct request *r, struct str id);
/* The answer is this body of this type; it must live until the request is over. */
enum error page_body(struct request *r, int status, struct str type, struct str body);
/* The answer is CSV, which a browser saves under that name. */
enum error page_csv(struct request *r, const char *file_name, const struct buf *csv);
/* The answer is made while it is sent, when the handler has returned and the database is let go:
 * see struct http_response. gzip: see page_gzip(). */
enum error page_stream(struct request *r, struct str type, bool gzip,
                       bool (*produce)(void *producer, struct sink out), void *producer);
/* Does the client accept gzip? For answers that can be both: says so (Vary). */
bool page_gzip(struct request *r);
/* Has the client the answer with this tag (without quotes) already? Says so in If-None-Match. */
bool page_client_has(struct request *r, struct str tag);
/* The answer may be kept by the client under this tag; it asks again each time. */
void page_tag(struct request *r, struct str tag);
/* The answer is that the client has it: 304. */
enum error page_not_modified(struct request *r, struct str tag);

/* The answer is the error: status, {"error", "code", "field"?}, Retry-After, WWW-Authenticate. */
void page_error(struct request *r, enum error e);
/* Its WWW-Authenticate alone, for a 401 with a body of its own. */
void page_challenge(struct request *r, enum error e);

#endif
