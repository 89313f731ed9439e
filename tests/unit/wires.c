#include "wires.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

struct wire wires[WIRES_MAX];
size_t wires_rounds;

enum { LATE = 2 };           /* looks for one that comes late, before it is there */
static size_t coming, taken; /* how many, and how many of them have been taken */
static int away[WIRES_MAX];  /* so many looks for it find nobody */
static struct wire *current;
static char events[256];

void wires_note(char event)
{
    size_t n = strlen(events);
    assert_true(n + 1 < sizeof events);
    events[n] = event;
    events[n + 1] = '\0';
}

static struct http_transport of_current(void)
{
    return wire_transport(current);
}

static const char *variable(void *context, const char *name)
{
    (void)context;
    return of_current().variable(current, name);
}

static enum error check(void *context)
{
    (void)context;
    return ERR_OK;
}

static bool write_answer(void *context, struct str bytes)
{
    (void)context;
    return of_current().write(current, bytes);
}

static bool another(void *context)
{
    (void)context;
    if (taken == coming || away[taken]-- > 0)
        return false;
    current = &wires[taken++];
    return true;
}

static void *get_current(void *context)
{
    (void)context;
    return current;
}

static void take_up(void *context, void *request)
{
    (void)context;
    current = request;
}

static void finish(void *context)
{
    (void)context;
    wires_note((char)('0' + (current - wires)));
    of_current().finish(current);
}

static struct http_transport transport = {.variable = variable,
                                          .check = check,
                                          .write = write_answer,
                                          .another = another,
                                          .current = get_current,
                                          .take_up = take_up,
                                          .finish = finish};

static void start(struct wire *wire, const char *path)
{
    static char texts[WIRES_MAX][64];
    static const char *const keys[] = {"LOADLINE_TEST_KEY", "LOADLINE_TEST_KEY_OTHER",
                                       "LOADLINE_TEST_KEY_REVOKED"};
    char *text = texts[wire - wires], *key, *cluster;
    snprintf(text, sizeof texts[0], "%s", path);
    wire_start(wire, "GET", text);
    if (!(key = strchr(text, ' ')) || !(cluster = strchr(key + 1, ' ')))
        return;
    *key = *cluster = '\0';
    wire_set(wire, "HTTP_X_API_KEY", getenv(keys[key[1] - '0']));
    wire_set(wire, "HTTP_X_CLUSTER_ID", cluster + 1);
    wire_body(wire, "{}");
}

const char *wires_serve(struct together *together, const char *const *paths)
{
    events[0] = '\0';
    for (coming = 0; paths[coming]; coming++) {
        bool late = paths[coming][0] == '+';
        away[coming] = late ? LATE : 0;
        start(&wires[coming], paths[coming] + late);
    }
    taken = 0;
    for (wires_rounds = 0; taken < coming; wires_rounds++)
        if (another(NULL))
            together_serve(together, &transport);
    for (size_t i = 0; i < coming; i++) {
        assert_true(wires[i].finished);
        wires[i].output[wires[i].written] = '\0';
    }
    return events;
}
