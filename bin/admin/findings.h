/* findings: what loadline-admin check has looked at, in the order of looking. */
#ifndef LOADLINE_BIN_ADMIN_FINDINGS_H
#define LOADLINE_BIN_ADMIN_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

/* NONE: there is no such thing on this host, or it cannot be seen from here. */
enum finding_state { FINDING_OK, FINDING_NONE, FINDING_WARN, FINDING_WRONG };

enum { FINDINGS_MAX = 64, FINDING_TEXT = 512 };

struct finding {
    const char *what;
    enum finding_state state;
    char text[FINDING_TEXT]; /* what is so, where; when it is wrong, what to do */
};

struct findings {
    size_t n;
    struct finding items[FINDINGS_MAX];
};

/* what: a literal. What does not fit is cut. */
void findings_add(struct findings *findings, enum finding_state state, const char *what,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));
/* Has something of this name been found to be wrong, or worth a warning? */
bool findings_complain(const struct findings *findings, const char *what);
bool findings_are_wrong(const struct findings *findings);
/* On standard output: a line each, or one array. */
void findings_print(const struct findings *findings, bool as_json);

#endif
