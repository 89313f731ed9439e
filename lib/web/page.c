#include "web/page.h"

#include "base/hash.h"
#include "web/negotiate.h"
#include "web/route.h"

enum { DATABASE_RETRY_SECONDS = 2 };

void page_begin(struct request *r, struct page *page)
{
    page->buf = buf_init(r->arena, PAGE_MAX);
    jw_init(&page->jw, &page->buf);
}

enum error page_body(struct request *r, int status, struct str type, struct str body)
{
    http_add_header(&r->response, STR("Content-Type"), type);
    r->response.status = status;
    r->response.body = body;
    return ERR_OK;
}

enum error page_json(struct request *r, int status, struct page *page)
{
    if (page->buf.full)
        return ERR_OUT_OF_MEMORY;
    return page_body(r, status, STR("application/json"), buf_str(&page->buf));
}

enum error page_stream(struct request *r, struct str type, bool gzip,
                       bool (*produce)(void *producer, struct sink out), void *producer)
{
    http_add_header(&r->response, STR("Content-Type"), type);
    if (gzip)
        http_add_header(&r->response, STR("Content-Encoding"), STR("gzip"));
    r->response.gzip = gzip;
    r->response.produce = produce;
    r->response.producer = producer;
    return ERR_OK;
}

bool page_gzip(struct request *r)
{
    http_add_header(&r->response, STR("Vary"), STR("Accept-Encoding"));
    return negotiate_accepts_gzip(http_header(&r->http, "ACCEPT_ENCODING"));
}

static struct str quoted(struct request *r, struct str tag)
{
    return arena_printf(r->arena, "\"%" STR_FMT "\"", STR_ARG(tag));
}

bool page_client_has(struct request *r, struct str tag)
{
    return negotiate_etag_matches(http_header(&r->http, "IF_NONE_MATCH"), quoted(r, tag));
}

void page_tag(struct request *r, struct str tag)
{
    http_add_header(&r->response, STR("ETag"), quoted(r, tag));
    http_add_header(&r->response, STR("Cache-Control"), STR("private, no-cache"));
}

enum error page_not_modified(struct request *r, struct str tag)
{
    page_tag(r, tag);
    r->response.status = 304;
    return ERR_OK;
}

enum error page_json_tagged(struct request *r, struct page *page)
{
    if (r->http.method != HTTP_GET && r->http.method != HTTP_HEAD)
        return page_json(r, 200, page);
    if (page->buf.full)
        return ERR_OUT_OF_MEMORY;
    uint64_t hash = hash_bytes(0, buf_str(&page->buf));
    struct str tag = arena_printf(r->arena, "%016llx", (unsigned long long)hash);
    http_add_header(&r->response, STR("ETag"), quoted(r, tag));
    if (!page_client_has(r, tag))
        return page_json(r, 200, page);
    r->response.status = 304;
    return ERR_OK;
}

enum error page_csv(struct request *r, const char *file_name, const struct buf *csv)
{
    if (csv->full)
        return ERR_OUT_OF_MEMORY;
    http_add_header(&r->response, STR("Content-Disposition"),
                    arena_printf(r->arena, "attachment; filename=\"%s\"", file_name));
    return page_body(r, 200, STR("text/csv; charset=utf-8"), buf_str(csv));
}

enum error page_ok(struct request *r, int status)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "status", STR("ok"));
    jw_object_end(&page.jw);
    return page_json(r, status, &page);
}

enum error page_deleted(struct request *r, struct str id)
{
    struct page page;
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "status", STR("deleted"));
    JW_STR(&page.jw, "id", id);
    jw_object_end(&page.jw);
    return page_json(r, 200, &page);
}

void page_challenge(struct request *r, enum error e)
{
    bool key = r->route && r->route->credential == CREDENTIAL_API_KEY;
    bool wrong = e != ERR_UNAUTHORIZED;
    http_add_header(&r->response, STR("WWW-Authenticate"),
                    key     ? STR("X-API-Key realm=\"loadline\"")
                    : wrong ? STR("Bearer realm=\"loadline\", error=\"invalid_token\"")
                            : STR("Bearer realm=\"loadline\""));
}

void page_error(struct request *r, enum error e)
{
    struct page page;
    int status = error_status(e);
    page_begin(r, &page);
    jw_object(&page.jw);
    JW_STR(&page.jw, "error", r->sentence.p ? r->sentence : error_sentence(e));
    JW_STR(&page.jw, "code", error_code(e));
    if (r->field.p)
        JW_STR(&page.jw, "field", r->field);
    if (r->reason.p)
        JW_STR(&page.jw, "reason", r->reason);
    jw_object_end(&page.jw);
    if (status == 401)
        page_challenge(r, e);
    if (status == 503 && r->retry_after == 0)
        r->retry_after = DATABASE_RETRY_SECONDS;
    if (r->retry_after)
        http_add_header(&r->response, STR("Retry-After"),
                        arena_printf(r->arena, "%lld", (long long)r->retry_after));
    page_json(r, status, &page);
}
