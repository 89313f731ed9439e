#include "web/route.h"

static struct str method_text(enum http_method method)
{
    static const char *const texts[] = {[HTTP_GET] = "GET, HEAD",
                                        [HTTP_POST] = "POST",
                                        [HTTP_PUT] = "PUT",
                                        [HTTP_PATCH] = "PATCH",
                                        [HTTP_DELETE] = "DELETE"};
    return str_of(texts[method]);
}

enum error route_find(struct route_table table, struct str path, enum http_method method,
                      const struct route **route)
{
    enum error e = ERR_NOT_FOUND;
    if (method == HTTP_HEAD)
        method = HTTP_GET;
    for (size_t i = 0; i < table.n; i++) {
        const struct route *row = &table.rows[i];
        if (!row->handler || !str_eq(str_of(row->path), path))
            continue;
        e = ERR_METHOD_NOT_ALLOWED;
        if (row->method != method)
            continue;
        *route = row;
        return ERR_OK;
    }
    return e;
}

bool route_is_limited(const struct route *route)
{
    return route->rate != RATE_NONE || route->credential == CREDENTIAL_API_KEY;
}

struct str route_allow(struct arena *arena, struct route_table table, struct str path)
{
    struct buf methods = buf_init(arena, 256);
    for (size_t i = 0; i < table.n; i++) {
        if (!str_eq(str_of(table.rows[i].path), path))
            continue;
        buf_put(&methods, methods.n ? STR(", ") : STR(""));
        buf_put(&methods, method_text(table.rows[i].method));
    }
    return buf_str(&methods);
}
