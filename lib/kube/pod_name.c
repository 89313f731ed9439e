#include "kube/pod_name.h"

/* k8s.io/apimachinery/pkg/util/rand: no vowels and nothing that looks like one. A hash is the
 * decimal number of a template, each digit replaced by one of ten of these. */
#define RANDOM_ALPHABET "bcdfghjklmnpqrstvwxz2456789"
#define HASH_ALPHABET   "456789bcdf"
#define DIGITS          "0123456789"

enum { RANDOM_LENGTH = 5, HASH_MIN = 6, HASH_MAX = 10, ORDINAL_MAX = 6, MINUTES_MIN = 8 };

static bool is_of(struct str s, const char *alphabet, size_t min, size_t max)
{
    for (size_t i = 0; i < s.n; i++)
        if (!s.p[i] || !strchr(alphabet, s.p[i]))
            return false;
    return s.n >= min && s.n <= max;
}

/* What stands before the random end of a name tells who made it up. */
static struct pod_family family_before_random(struct str name)
{
    struct str head, tail;
    if (!str_cut_last(name, '-', &head, &tail) || !head.n)
        return (struct pod_family){name, POD_SHAPE_RANDOM};
    if (is_of(tail, HASH_ALPHABET, HASH_MIN, HASH_MAX))
        return (struct pod_family){head, POD_SHAPE_DEPLOYMENT};
    if (is_of(tail, DIGITS, MINUTES_MIN, HASH_MAX))
        return (struct pod_family){head, POD_SHAPE_SCHEDULED};
    return (struct pod_family){name, POD_SHAPE_RANDOM};
}

struct pod_family pod_family_of(struct str pod)
{
    struct str head, tail;
    if (!str_cut_last(pod, '-', &head, &tail) || !head.n)
        return (struct pod_family){pod, POD_SHAPE_ALONE};
    if (is_of(tail, RANDOM_ALPHABET, RANDOM_LENGTH, RANDOM_LENGTH))
        return family_before_random(head);
    if (is_of(tail, DIGITS, 1, ORDINAL_MAX))
        return (struct pod_family){head, POD_SHAPE_ORDINAL};
    return (struct pod_family){pod, POD_SHAPE_ALONE};
}

unsigned pod_shapes_of(enum kind kind)
{
    switch (kind) {
    case KIND_NONE:
        return (1u << POD_SHAPE_COUNT) - 1;
    case KIND_DEPLOYMENT:
    case KIND_ROLLOUT:
        return 1u << POD_SHAPE_DEPLOYMENT;
    case KIND_STATEFULSET:
        return 1u << POD_SHAPE_ORDINAL;
    case KIND_DAEMONSET:
    case KIND_REPLICASET:
    case KIND_REPLICATIONCONTROLLER:
    case KIND_JOB:
        return 1u << POD_SHAPE_RANDOM;
    case KIND_CRONJOB:
        return 1u << POD_SHAPE_SCHEDULED;
    default:
        return 1u << POD_SHAPE_ALONE;
    }
}
