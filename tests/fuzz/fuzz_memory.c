/* Any sequence of pushes of one cluster, read with what is remembered of the ones before and
 * without: nothing may tell the two apart (tests/unit/warm.h).
 *
 * The first byte says how the rest is meant. Even: documents, with a NUL between them, each pushed
 * up to three times. Odd: bytes that say what becomes of a list of objects between two pushes; what
 * comes of any bytes is nearly always a snapshot.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/clock.h"
#include "../unit/objects.h"
#include "../unit/pods.h"
#include "../unit/warm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY_MAX = 1 << 20, SMALL_MAX = 96 << 10, PUSHES_MAX = 24, OBJECTS_MAX = 24 };

struct input {
    const uint8_t *at, *end;
};

static unsigned take(struct input *input)
{
    return input->at < input->end ? *input->at++ : 0;
}

static void push(struct warm *warm, struct str document, enum warm_mode mode, size_t piece)
{
    const char *what = warm_push(warm, document, mode, piece);
    if (!what)
        return;
    fprintf(stderr, "fuzz_memory: %s\n%" STR_FMT "\n", what, STR_ARG(document));
    abort();
}

/* ---- documents as they are ---- */

static void push_documents(struct warm *warm, struct str rest, unsigned how)
{
    static const size_t pieces[] = {0, 1, 5, 100};
    enum warm_mode mode = how & 2 ? WARM_FIND : how & 64 ? WARM_RUNS : WARM_REDACT;
    for (unsigned pushes = 0; rest.n && pushes < PUSHES_MAX; pushes++) {
        struct str document;
        str_cut(rest, '\0', &document, &rest);
        for (unsigned times = 0; times < 1 + how / 4 % 3; times++)
            push(warm, document, mode, pieces[how / 16 % 4]);
    }
}

/* ---- a list that changes ---- */

static const char *const objects[] = {
    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"namespace\":\"s\","
    "\"labels\":{\"app\":\"a\"},\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":"
    "\"ReplicaSet\",\"name\":\"r\",\"controller\":true}]},\"spec\":{\"containers\":[{\"name\":"
    "\"c\","
    "\"image\":\"i:1\",\"env\":[{\"name\":\"A\",\"value\":\"0\"},{\"name\":\"A\",\"value\":\"x\"}]}"
    "]},"
    "\"status\":{\"phase\":\"Running\",\"containerStatuses\":[{\"name\":\"c\",\"restartCount\":0}]}"
    "}",
    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"b\",\"namespace\":\"s\","
    "\"labels\":{\"app\":\"a\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i:0\","
    "\"args\":[\"--password=correct-horse-0\"]}]}}",
    "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"a\",\"namespace\":\"s\"},"
    "\"data\":{\"k\":\"aHVzaA==\"}}",
    "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"a\",\"namespace\":\"s\","
    "\"resourceVersion\":\"10\"},\"spec\":{\"selector\":{\"app\":\"a\"},\"ports\":[{\"port\":80}]}"
    "}",
    "{\"apiVersion\":\"apps/"
    "v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"a\",\"namespace\":"
    "\"s\",\"managedFields\":[{\"f\":0}],\"annotations\":{\"kubectl.kubernetes.io/"
    "last-applied-configuration\":\"{}\"}},\"spec\":{\"replicas\":0,\"template\":{\"spec\":{"
    "\"containers\":[]}}}}",
    "{\"apiVersion\":\"x/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"a\"},\"token\":\"0\"}",
    "{\"apiVersion\":\"policy/v1beta1\",\"kind\":\"PodDisruptionBudget\",\"metadata\":{\"name\":"
    "\"a\",\"namespace\":\"s\"},\"spec\":{\"minAvailable\":0}}",
    "{\"metadata\":{\"name\":\"a\",\"namespace\":\"s\"},\"data\":{\"k\":\"v0\"}}",
    "{\"metadata\":{\"name\":\"b\",\"namespace\":\"s\"},\"kind\":\"Pod\",\"apiVersion\":\"v1\"}",
    "{\"name\":\"a\",\"status\":\"Running\",\"restarts\":0}",
    "{\"kind\":\"List\",\"items\":[{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":"
    "\"in\"}}]}",
    "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"t\"},\"kind\":\"Node\",\"apiVersion\":\"v1\"}",
    /* a workload, and what is around it: not a byte of it changes, and its verdicts do */
    "{\"apiVersion\":\"apps/"
    "v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"w\",\"namespace\":"
    "\"s\",\"uid\":\"u\",\"generation\":1},\"spec\":{\"replicas\":0,\"strategy\":{\"type\":"
    "\"Recreate\"},\"template\":{\"metadata\":{\"labels\":{\"app\":\"a\"}},\"spec\":{"
    "\"serviceAccountName\":\"a\",\"affinity\":{\"podAntiAffinity\":{"
    "\"requiredDuringSchedulingIgnoredDuringExecution\":[{\"topologyKey\":"
    "\"kubernetes.io/hostname\",\"labelSelector\":{\"matchLabels\":{\"app\":\"a\"}},"
    "\"namespaceSelector\":{\"matchLabels\":{\"team\":\"1\"}}}]}},\"containers\":[{\"name\":\"c\","
    "\"image\":\"i:1\"}]}}},\"status\":{\"replicas\":3,\"availableReplicas\":1,"
    "\"observedGeneration\":1,\"conditions\":[{\"type\":\"Available\",\"status\":\"False\","
    "\"lastTransitionTime\":\"2026-03-17T11:59:30Z\"}]}}",
    "{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"a\",\"namespace\":"
    "\"s\",\"resourceVersion\":\"0\"},\"automountServiceAccountToken\":false}",
    "{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"a\",\"namespace\":"
    "\"s\"}}",
    "{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"default\","
    "\"namespace\":\"s\"}}",
    "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"s\",\"labels\":{"
    "\"team\":"
    "\"0\"}}}",
    "{\"apiVersion\":\"networking.k8s.io/"
    "v1\",\"kind\":\"NetworkPolicy\",\"metadata\":{\"name\":\"p0\","
    "\"namespace\":\"s\"},\"spec\":{\"podSelector\":{\"matchLabels\":{\"app\":\"a\"}}}}",
    "{\"apiVersion\":\"policy/v1\",\"kind\":\"PodDisruptionBudget\",\"metadata\":{\"name\":\"w\","
    "\"namespace\":\"s\"},\"spec\":{\"minAvailable\":0,\"selector\":{\"matchLabels\":{\"app\":"
    "\"a\"}}}}",
    "{\"apiVersion\":\"autoscaling/"
    "v2\",\"kind\":\"HorizontalPodAutoscaler\",\"metadata\":{\"name\":"
    "\"w\",\"namespace\":\"s\"},\"spec\":{\"minReplicas\":0,\"maxReplicas\":9,\"scaleTargetRef\":{"
    "\"kind\":\"Deployment\",\"name\":\"w\"}}}",
    "{\"apiVersion\":\"scheduling.k8s.io/"
    "v1\",\"kind\":\"PriorityClass\",\"metadata\":{\"name\":\"p0\"},"
    "\"globalDefault\":true}",
    "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"},\"status\":{"
    "\"nodeInfo\":{"
    "\"kubeletVersion\":\"v1.30.1\"},\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}",
    "{}",
    "null",
    "{\"a\":0}x",
    "0",
};

/* Nothing is cut of these, and they are long enough to pass by themselves: a list of them is told
 * in runs. */
static const char *const clean[] = {
    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p0\",\"namespace\":\"s\","
    "\"labels\":{\"app\":\"a\"}},\"spec\":{\"nodeName\":\"n\",\"containers\":[{\"name\":\"c\","
    "\"image\":\"i:1\"}]},\"status\":{\"phase\":\"Running\"}}",
    "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"q\",\"namespace\":\"s\","
    "\"labels\":{\"app\":\"a\"}},\"spec\":{\"nodeName\":\"n\",\"containers\":[{\"name\":\"c\","
    "\"image\":\"i:1\"}]},\"status\":{\"phase\":\"Running\",\"reason\":\"0\"}}",
    "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"n0\",\"labels\":{\"zone\":"
    "\"in-the-cellar\"}},\"spec\":{},\"status\":{\"capacity\":{\"cpu\":\"4\",\"pods\":\"110\"}}}",
    "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"a\",\"namespace\":\"s\","
    "\"resourceVersion\":\"10\"},\"spec\":{\"selector\":{\"app\":\"a\"},\"ports\":[{\"port\":80}]}"
    "}",
};

/* What a push is made of, around the objects. */
static const char *const forms[][2] = {
    {"{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[", "]}"},
    {"{\"apiVersion\":\"v1\",\"kind\":\"PodList\",\"items\":[", "]}"},
    {"{\"apiVersion\":\"v1\",\"kind\":\"SecretList\",\"items\":[", "]}"},
    {"{\"items\":[", "],\"kind\":\"PodList\",\"apiVersion\":\"v1\"}"},
    {"{\"pods\":[", "]}"},
    {"{\"configmaps\":{\"items\":[", "]}}"},
    {"[", "]"},
    {"[[", "]]"},
};

/* Those of pods whose parts change by themselves. */
enum { PODS_FROM = 54 };

static struct str pod(struct arena *arena, unsigned form, unsigned digit, unsigned spec)
{
    struct pod_parts parts = {
        .name = spec / 64, .state = digit, .spec = spec, .other = digit / 10, .form = form};
    return pods_text(arena, parts);
}

static struct str object(struct arena *arena, unsigned number, struct input *input, bool is_clean)
{
    unsigned digit = take(input);
    if (number >= PODS_FROM)
        return pod(arena, number - PODS_FROM, digit, take(input));
    const char *any = objects[number % (sizeof objects / sizeof *objects)];
    struct str text =
        arena_str(arena, str_of(is_clean ? clean[number % (sizeof clean / sizeof *clean)] : any));
    char *zero = memchr(text.p, '0', text.n);
    if (zero)
        *zero = (char)('0' + digit % 10);
    return text;
}

static void change(struct arena *arena, struct objects *list, struct input *input, bool is_clean)
{
    unsigned what = take(input), at = list->n ? take(input) % list->n : 0;
    if (what % 4 == 0 && list->n < OBJECTS_MAX)
        objects_add(arena, list, object(arena, what / 4, input, is_clean));
    else if (!list->n)
        return;
    else if (what % 4 == 1)
        list->items[at] = list->items[--list->n];
    else if (what % 4 == 2)
        list->items[at] = object(arena, what / 4, input, is_clean);
    else
        objects_shuffle(list, what);
}

/* Around the moments at which something else is said of the workload above. */
static int64_t moment(struct input *input)
{
    static const int64_t steps[] = {
        0,          CLOCK_SECOND, 29 * CLOCK_SECOND, 30 * CLOCK_SECOND, CLOCK_MINUTE,
        CLOCK_HOUR, CLOCK_DAY,    100 * CLOCK_DAY,   -CLOCK_MINUTE,     -100 * CLOCK_DAY};
    return clock_parse(STR("2026-03-17T12:00:00Z")) +
           steps[take(input) % (sizeof steps / sizeof *steps)];
}

static struct str document(struct arena *arena, const struct objects *list, struct input *input)
{
    static const char *const between[] = {",", " ,\n  ", ",,", ""};
    struct buf text = buf_init(arena, SIZE_MAX);
    unsigned how = take(input), odd = take(input);
    buf_put(&text, str_of(forms[how % 8][0]));
    for (uint32_t i = 0; i < list->n; i++) {
        if (i)
            buf_put(&text, str_of(between[odd == i ? how / 8 % 4 : how / 64 % 2]));
        buf_put(&text, list->items[i]);
    }
    buf_put(&text, str_of(forms[how % 8][1]));
    return buf_str(&text);
}

static void push_changes(struct warm *warm, struct input input, enum warm_mode mode, bool is_clean)
{
    struct arena *arena = arena_new(64 << 20);
    struct objects list = {0};
    for (unsigned pushes = 0; input.at < input.end && pushes < PUSHES_MAX; pushes++) {
        unsigned how = take(&input);
        for (unsigned n = how % 4; n > 0; n--)
            change(arena, &list, &input, is_clean);
        if (how % 64 == 63)
            mode = (enum warm_mode)((mode + 1) % WARM_MODES);
        if (how % 32 == 30)
            warm_at(warm, moment(&input));
        struct str text = document(arena, &list, &input);
        for (unsigned times = 0; times < 1 + how / 4 % 3; times++)
            push(warm, text, mode, how / 128 ? 40 : 0);
    }
    arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    struct warm *warm = warm_new(*data & 128 ? SMALL_MAX : MEMORY_MAX);
    if (*data & 1)
        push_changes(warm, (struct input){data + 1, data + size},
                     *data & 64 ? *data & 32 ? WARM_PARTS : WARM_RUNS : WARM_REDACT, *data & 16);
    else
        push_documents(warm, (struct str){(const char *)data + 1, size - 1}, *data);
    warm_free(warm);
    return 0;
}
