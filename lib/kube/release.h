/* release: Kubernetes versions, as kubelets and API servers print them. */
#ifndef LOADLINE_KUBE_RELEASE_H
#define LOADLINE_KUBE_RELEASE_H

#include "base/clock.h"

struct release {
    int64_t major, minor;
};

/* "v1.33.2", "v1.14.10-gke.27", "1.21+". False when it is no such version. */
bool release_parse(struct str version, struct release *out);
/* The same of what a person has written: nothing but letters, digits, '.', '+' and '-', and major
 * 1, as Kubernetes has no other. */
bool release_choose(struct str text, struct release *out);
/* Is it one whose API versions are known (api_removal.def)? From the first that served one no more
 * to the newest of which this program was told: their minors. */
bool release_is_known(struct release release);
int64_t release_oldest_known(void);
int64_t release_newest_known(void);
/* The day on which the project stopped, or will stop, mending that minor. Older minors than the
 * table knows: its oldest day; newer ones: TIME_NONE. */
int64_t release_end_of_life(struct release release);
/* The oldest minor that the project still mended at that time; the newest one that the table knows
 * when it is over with all of them. */
struct release release_oldest_supported(int64_t time);

#endif
