#include "web/paging.h"

#include "base/hex.h"
#include "base/url.h"
#include "web/param.h"

/* A cursor is "TIME.ID", the time in milliseconds since 1970. */
static bool read_cursor(struct str cursor, struct keyset *page)
{
    struct str time;
    struct clock_parts parts;
    return str_cut(cursor, '.', &time, &page->before_id) && str_to_i64(time, &page->before) &&
           clock_split(page->before, &parts) && str_is_uuid(page->before_id);
}

enum error paging_read(struct request *r, struct keyset *page)
{
    struct str cursor = request_param(r, "cursor");
    *page = (struct keyset){.before = PARAM_TIME_MAX,
                            .before_id = STR("ffffffff-ffff-ffff-ffff-ffffffffffff")};
    if (cursor.p && !read_cursor(cursor, page))
        return refuse_field(r, ERR_INVALID_FIELD, "cursor", "is not one of a Link header.");
    enum error e = param_int(r, "limit", 1, PAGING_MAX, PAGING_DEFAULT, &page->limit);
    page->limit++;
    return e;
}

bool paging_has_more(const struct keyset *page, size_t *n)
{
    bool more = *n == (size_t)page->limit;
    *n -= more;
    return more;
}

/* As the client wrote it, but for what cannot stand in a URI. */
static void put_uri(struct buf *out, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (url_must_encode(c))
            buf_printf(out, "%%%02X", c);
        else
            buf_putc(out, (char)c);
    }
}

void paging_next(struct request *r, int64_t time, struct str id)
{
    paging_link(r, arena_printf(r->arena, "%lld.%" STR_FMT, (long long)time, STR_ARG(id)));
}

void paging_link(struct request *r, struct str cursor)
{
    struct buf link = buf_init(r->arena, 2 * HTTP_TARGET_MAX);
    struct str rest = r->http.query, pair;
    buf_putc(&link, '<');
    put_uri(&link, r->http.path);
    buf_putc(&link, '?');
    while (rest.n) {
        str_cut(rest, '&', &pair, &rest);
        if (pair.n == 0 || str_has_prefix(pair, STR("cursor=")))
            continue;
        put_uri(&link, pair);
        buf_putc(&link, '&');
    }
    buf_printf(&link, "cursor=%" STR_FMT ">; rel=\"next\"", STR_ARG(cursor));
    if (!link.full)
        http_add_header(&r->response, STR("Link"), buf_str(&link));
}
