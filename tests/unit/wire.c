#include "wire.h"

static bool accept_never(void *context)
{
    (void)context;
    return false;
}

static const char *variable(void *context, const char *name)
{
    const struct wire *wire = context;
    for (size_t i = wire->count; i-- > 0;)
        if (strcmp(wire->variables[i].name, name) == 0)
            return wire->variables[i].value;
    return NULL;
}

static enum error check_none(void *context)
{
    (void)context;
    return ERR_OK;
}

static ptrdiff_t read_body(void *context, char *dst, size_t cap)
{
    struct wire *wire = context;
    size_t n = wire->piece && wire->piece < cap ? wire->piece : cap;
    struct str piece = str_sub(wire->body, 0, n);
    if (piece.n)
        memcpy(dst, piece.p, piece.n);
    wire->body = str_sub(wire->body, piece.n, wire->body.n);
    return (ptrdiff_t)piece.n;
}

static bool write_answer(void *context, struct str bytes)
{
    struct wire *wire = context;
    size_t room = wire->takes ? wire->takes : sizeof wire->output - 1;
    if (bytes.n > room - wire->written)
        return false;
    memcpy(wire->output + wire->written, bytes.p, bytes.n);
    wire->written += bytes.n;
    return true;
}

static bool has_room(void *context, struct str client, int64_t timeout)
{
    (void)client;
    (void)timeout;
    return !((struct wire *)context)->crowded;
}

static enum waiting_shed shed(void *context)
{
    return ((struct wire *)context)->shed;
}

static void finish(void *context)
{
    ((struct wire *)context)->finished = true;
}

static void give_up(void *context)
{
    ((struct wire *)context)->finished = ((struct wire *)context)->aborted = true;
}

void wire_start(struct wire *wire, const char *method, const char *target)
{
    memset(wire, 0, sizeof *wire);
    wire_set(wire, "REQUEST_METHOD", method);
    wire_set(wire, "REQUEST_URI", target);
    wire_set(wire, "REMOTE_ADDR", "192.0.2.1");
}

void wire_set(struct wire *wire, const char *name, const char *value)
{
    if (wire->count == WIRE_VARIABLES)
        abort();
    wire->variables[wire->count].name = name;
    wire->variables[wire->count++].value = value;
}

void wire_body(struct wire *wire, const char *body)
{
    static char length[32];
    wire->body = str_of(body);
    snprintf(length, sizeof length, "%zu", wire->body.n);
    wire_set(wire, "CONTENT_LENGTH", length);
    wire_set(wire, "CONTENT_TYPE", "application/json");
}

struct http_transport wire_transport(struct wire *wire)
{
    return (struct http_transport){.context = wire,
                                   .accept = accept_never,
                                   .variable = variable,
                                   .check = check_none,
                                   .read = read_body,
                                   .write = write_answer,
                                   .has_room = has_room,
                                   .shed = shed,
                                   .finish = finish,
                                   .abort = give_up};
}

int wire_status(const struct wire *wire)
{
    uint64_t status = 0;
    str_to_u64(str_sub(wire_header(wire, "Status"), 0, 3), &status);
    return (int)status;
}

struct str wire_header(const struct wire *wire, const char *name)
{
    struct str rest = {wire->output, wire->written}, line, key, value;
    while (str_cut(rest, '\n', &line, &rest) && str_trim(line).n)
        if (str_cut(line, ':', &key, &value) && str_eq(key, str_of(name)))
            return str_trim(value);
    return (struct str){0};
}

struct str wire_answer(const struct wire *wire)
{
    const char *end = strstr(wire->output, "\r\n\r\n");
    return end ? str_of(end + 4) : (struct str){0};
}
