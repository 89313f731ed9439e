/* wire: the transport of tests: a request from memory, its answer into memory. */
#ifndef LOADLINE_TESTS_UNIT_WIRE_H
#define LOADLINE_TESTS_UNIT_WIRE_H

#include "service/http.h"

enum { WIRE_VARIABLES = 32 };

struct wire {
    struct {
        const char *name, *value;
    } variables[WIRE_VARIABLES];
    size_t count;
    struct str body; /* what is left of it */
    size_t piece;    /* bytes a read; 0: all that is asked for */
    char output[1 << 18];
    size_t written;
    size_t takes; /* bytes of output until the client hangs up; 0: never */
    bool crowded; /* too many wait */
    enum waiting_shed shed;
    bool finished, aborted;
};

/* A request with that method and target. */
void wire_start(struct wire *wire, const char *method, const char *target);
void wire_set(struct wire *wire, const char *name, const char *value);
/* A body, with its CONTENT_LENGTH and type. */
void wire_body(struct wire *wire, const char *body);
/* May abort; set .abort to NULL for one that may not. */
struct http_transport wire_transport(struct wire *wire);

/* Of the answer: the status, a header's value (absent without), the body. */
int wire_status(const struct wire *wire);
struct str wire_header(const struct wire *wire, const char *name);
struct str wire_answer(const struct wire *wire);

#endif
