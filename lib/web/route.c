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

enum error route_find(struct arena *arena, struct route_table table, struct str path,
                      enum http_method method, const struct route **route, struct str *allow)
{
    struct buf methods = buf_init(arena, 256);
    if (method == HTTP_HEAD)
        method = HTTP_GET;
    for (size_t i = 0; i < table.n; i++) {
        const struct route *row = &table.rows[i];
        if (!row->handler || !str_eq(str_of(row->path), path))
            continue;
        if (row->method == method) {
            *route = row;
            return ERR_OK;
        }
        buf_put(&methods, methods.n ? STR(", ") : STR(""));
        buf_put(&methods, method_text(row->method));
    }
    *allow = buf_str(&methods);
    return methods.n ? ERR_METHOD_NOT_ALLOWED : ERR_NOT_FOUND;
}
