#include "service/http.h"

#include "base/url.h"

static const struct {
    struct str name;
    enum http_method method;
} methods[] = {
    {STR("GET"), HTTP_GET},         {STR("HEAD"), HTTP_HEAD},   {STR("POST"), HTTP_POST},
    {STR("PUT"), HTTP_PUT},         {STR("PATCH"), HTTP_PATCH}, {STR("DELETE"), HTTP_DELETE},
    {STR("OPTIONS"), HTTP_OPTIONS},
};

const char *http_find_variable(char *const *environment, const char *name)
{
    size_t n = strlen(name);
    const char *value = NULL;
    for (; *environment; environment++) {
        if (strncmp(*environment, name, n) != 0 || (*environment)[n] != '=')
            continue;
        if (value)
            return NULL;
        value = *environment + n + 1;
    }
    return value;
}

static bool has_name_of(const char *variable, const char *other)
{
    size_t n = strcspn(other, "=");
    return strncmp(variable, other, n) == 0 && variable[n] == '=';
}

enum error http_check_variables(char *const *environment)
{
    const char *headers[HTTP_FIELDS_MAX];
    size_t count = 0;
    for (; *environment; environment++) {
        if (strncmp(*environment, "HTTP_", 5) != 0)
            continue;
        if (count == HTTP_FIELDS_MAX)
            return ERR_HEADERS_TOO_LARGE;
        for (size_t i = 0; i < count; i++)
            if (has_name_of(headers[i], *environment))
                return ERR_BAD_REQUEST;
        headers[count++] = *environment;
    }
    return ERR_OK;
}

static struct str variable(const struct http_request *request, const char *name)
{
    return str_of(request->transport->variable(request->transport->context, name));
}

static enum http_method method_of(struct str name)
{
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (str_eq(methods[i].name, name))
            return methods[i].method;
    return HTTP_OTHER;
}

/* "http://host/path" (RFC 9112 absolute-form) becomes "/path". */
static struct str origin_form(struct str target)
{
    if (!str_has_prefix(target, STR("http://")) && !str_has_prefix(target, STR("https://")))
        return target;
    struct str rest = str_sub(target, sizeof "https://" - 2, target.n);
    const char *slash = rest.n ? memchr(rest.p, '/', rest.n) : NULL;
    return slash ? (struct str){slash, rest.n - (size_t)(slash - rest.p)} : STR("/");
}

bool http_query_is_text(struct arena *arena, struct str query)
{
    struct str text;
    return url_decode(arena, query, true, &text) && str_is_utf8(text);
}

enum error http_read_head(struct arena *arena, struct http_transport *transport,
                          struct http_request *request)
{
    *request = (struct http_request){.transport = transport};
    struct str target = variable(request, "REQUEST_URI");
    struct str length = variable(request, "CONTENT_LENGTH");
    request->method_name = arena_str(arena, str_sub(variable(request, "REQUEST_METHOD"), 0, 32));
    request->method = method_of(request->method_name);
    request->address = arena_str(arena, str_sub(variable(request, "REMOTE_ADDR"), 0, 64));
    request->has_length = length.n > 0;
    uint64_t redirected = 0;
    str_to_u64(str_sub(variable(request, "REDIRECT_STATUS"), 0, 3), &redirected);
    target = arena_str(arena, str_sub(target, 0, HTTP_TARGET_MAX + 1));
    url_split(origin_form(target), &request->path, &request->query);
    if (request->has_length && !str_to_u64(length, &request->length))
        return ERR_BAD_REQUEST;
    if (redirected == 500) /* of its own making: a worker died over the request */
        return ERR_BAD_GATEWAY;
    if (redirected >= 400)
        return error_of_status((int)redirected);
    if (target.n == 0 || url_encoded_length(target) > HTTP_TARGET_MAX ||
        !http_query_is_text(arena, request->query))
        return ERR_BAD_REQUEST;
    return transport->check(transport->context);
}

enum error http_read_body(struct arena *arena, struct http_request *request, uint64_t max)
{
    struct http_transport *transport = request->transport;
    if (!request->has_length)
        return ERR_LENGTH_REQUIRED;
    if (request->length > max)
        return ERR_TOO_LARGE;
    char *body = arena_bytes(arena, request->length);
    size_t have = 0;
    while (have < request->length) {
        ptrdiff_t n = transport->read(transport->context, body + have, request->length - have);
        if (n <= 0)
            return ERR_SHORT_BODY;
        have += (size_t)n;
    }
    request->body = (struct str){body, have};
    return ERR_OK;
}

struct str http_header(const struct http_request *request, const char *name)
{
    char full[64];
    snprintf(full, sizeof full, "HTTP_%s", name);
    return variable(request, full);
}

struct str http_content_type(const struct http_request *request)
{
    return variable(request, "CONTENT_TYPE");
}

void http_response_init(struct arena *arena, struct http_response *response)
{
    *response = (struct http_response){.status = 200, .headers = buf_init(arena, HTTP_HEADERS_MAX)};
}

void http_add_header(struct http_response *response, struct str name, struct str value)
{
    struct buf *out = &response->headers;
    if (out->n + name.n + value.n + sizeof ": \r\n" > out->max)
        return; /* half a line would take the next one with it */
    if (str_eq_nocase(name, STR("Cache-Control")))
        response->has_cache_control = true;
    buf_put(out, name);
    buf_put(out, STR(": "));
    for (size_t i = 0; i < value.n; i++)
        buf_putc(out, (unsigned char)value.p[i] < 0x20 || value.p[i] == 0x7f ? ' ' : value.p[i]);
    buf_put(out, STR("\r\n"));
}

enum waiting_shed http_shed(const struct http_request *request)
{
    const struct http_transport *transport = request->transport;
    return transport->shed ? transport->shed(transport->context) : WAITING_STAYS;
}

bool http_has_left(const struct http_request *request)
{
    const struct http_transport *transport = request->transport;
    return transport->has_left && transport->has_left(transport->context);
}

void http_know(const struct http_request *request, struct str tenant)
{
    const struct http_transport *transport = request->transport;
    if (transport->know)
        transport->know(transport->context, tenant);
}
