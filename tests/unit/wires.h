/* wires: several requests at once through the loop, by a transport that has them all (wire.h), and
 * what happens to them in its order. */
#ifndef LOADLINE_TESTS_WIRES_H
#define LOADLINE_TESTS_WIRES_H

#include "web/together.h"
#include "wire.h"

enum { WIRES_MAX = 2 * TOGETHER_MAX + 2 };

extern struct wire wires[WIRES_MAX];
extern size_t wires_rounds; /* of the loop */

/* Adds an event, a letter, to those of this run. */
void wires_note(char event);

/* Serves requests of these paths, which come at once, to the last one, which is NULL. Returns the
 * events: those noted, and of each request its number when its answer is finished. A path may be
 * "PATH KEY CLUSTER": who asks names both. A key is one of the environment's, by its number. One
 * with "+" before it comes late: two looks for it find nobody. */
const char *wires_serve(struct together *together, const char *const *paths);

#endif
