/* Answers on their way out. */
#include "codec/deflate.h"
#include "service/http.h"

/* Less than a piece is gathered before anything goes out: what fails that early can still become an
 * error, and what ends that early has a Content-Length. */
enum { PIECE = 64 * 1024, DEFLATE_LEVEL = 1 };

static const struct {
    int status;
    struct str reason;
} reasons[] = {
    {200, STR("OK")},
    {201, STR("Created")},
    {202, STR("Accepted")},
    {304, STR("Not Modified")},
    {400, STR("Bad Request")},
    {401, STR("Unauthorized")},
    {403, STR("Forbidden")},
    {404, STR("Not Found")},
    {405, STR("Method Not Allowed")},
    {408, STR("Request Timeout")},
    {409, STR("Conflict")},
    {411, STR("Length Required")},
    {413, STR("Content Too Large")},
    {414, STR("URI Too Long")},
    {415, STR("Unsupported Media Type")},
    {417, STR("Expectation Failed")},
    {422, STR("Unprocessable Content")},
    {429, STR("Too Many Requests")},
    {431, STR("Request Header Fields Too Large")},
    {500, STR("Internal Server Error")},
    {501, STR("Not Implemented")},
    {502, STR("Bad Gateway")},
    {503, STR("Service Unavailable")},
    {504, STR("Gateway Timeout")},
    {505, STR("HTTP Version Not Supported")},
};

struct str http_reason(int status)
{
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].status == status)
            return reasons[i].reason;
    return STR("Status");
}

static bool put(struct http_sending *s, struct str bytes)
{
    const struct http_transport *transport = s->request->transport;
    s->gone = s->gone || (bytes.n && !transport->write(transport->context, bytes));
    return !s->gone;
}

enum { LENGTH_UNKNOWN = -1 };

static bool put_head(struct http_sending *s, int64_t length)
{
    const struct http_response *response = s->response;
    struct str reason = http_reason(response->status);
    char start[128], end[64] = "\r\n";
    int n = snprintf(start, sizeof start, "Status: %d %" STR_FMT "\r\n", response->status,
                     STR_ARG(reason));
    if (length != LENGTH_UNKNOWN)
        snprintf(end, sizeof end, "Content-Length: %lld\r\n\r\n", (long long)length);
    s->begun = true;
    return put(s, (struct str){start, (size_t)n}) && put(s, buf_str(&response->headers)) &&
           put(s, str_of(end));
}

static bool put_body(struct http_sending *s, struct str bytes)
{
    bool taken = put(s, bytes);
    s->bytes += taken ? bytes.n : 0;
    return taken;
}

/* ---- what is produced ---- */

static bool flush(struct http_sending *s)
{
    struct str piece = {s->piece, s->piece_n};
    s->piece_n = 0;
    return (s->begun || put_head(s, LENGTH_UNKNOWN)) && put_body(s, piece);
}

static bool gather(void *context, struct str bytes)
{
    struct http_sending *s = context;
    while (bytes.n) {
        struct str part = str_sub(bytes, 0, PIECE - s->piece_n);
        memcpy(s->piece + s->piece_n, part.p, part.n);
        s->piece_n += part.n;
        bytes = str_sub(bytes, part.n, bytes.n);
        if (s->piece_n == PIECE && !flush(s))
            return false;
    }
    return true;
}

static bool count(void *context, struct str bytes)
{
    *(int64_t *)context += (int64_t)bytes.n;
    return true;
}

static bool put_deflated(void *context, struct str bytes)
{
    return deflate_put(context, bytes);
}

static bool produce(struct http_sending *s, struct sink out)
{
    const struct http_response *response = s->response;
    if (!response->gzip)
        return response->produce(response->producer, out);
    http_send_end(s);
    s->deflate = deflate_open(out, DEFLATE_LEVEL);
    return s->deflate &&
           response->produce(response->producer, (struct sink){put_deflated, s->deflate}) &&
           deflate_finish(s->deflate);
}

/* A client of a web server to which an abort cannot be told sees by the length alone that something
 * is missing. */
static bool put_counted_head(struct http_sending *s)
{
    int64_t length = 0;
    if (!produce(s, (struct sink){count, &length}))
        return false;
    put_head(s, length);
    return true;
}

static bool send_produced(struct arena *arena, struct http_sending *s)
{
    s->piece = arena_bytes(arena, PIECE);
    if (!s->request->transport->abort && !put_counted_head(s))
        return false;
    if (!produce(s, (struct sink){gather, s}))
        return s->gone;
    if (!s->begun)
        put_head(s, (int64_t)s->piece_n);
    put_body(s, (struct str){s->piece, s->piece_n});
    return true;
}

bool http_send(struct arena *arena, const struct http_request *request,
               const struct http_response *response, struct http_sending *s)
{
    s->request = request;
    s->response = response;
    bool head_only = request->method == HTTP_HEAD || response->status == 304;
    if (response->produce && !head_only)
        return send_produced(arena, s);
    bool unknown = response->produce || response->status == 304;
    if (put_head(s, unknown ? LENGTH_UNKNOWN : (int64_t)response->body.n) && !head_only)
        put_body(s, response->body);
    return true;
}

void http_send_end(struct http_sending *s)
{
    deflate_free(s->deflate);
    s->deflate = NULL;
}
