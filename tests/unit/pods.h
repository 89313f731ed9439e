/* pods: texts of pods that repeat each other's specs, in all places where a spec may stand. */
#ifndef LOADLINE_TESTS_PODS_H
#define LOADLINE_TESTS_PODS_H

#include "base/arena.h"

/* Any numbers are good. */
struct pod_parts {
    unsigned name, state; /* state: what its status and its version tell */
    unsigned spec, other; /* other: of a second member of that name, where the form has one */
    unsigned form;
};
enum { PODS_NAMES = 4, PODS_SPECS = 11, PODS_FORMS = 9 };

struct str pods_text(struct arena *arena, struct pod_parts parts);

#endif
