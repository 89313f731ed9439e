#include "kube/pod_requests.h"

int64_t quantity_sum(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

struct resource_list resource_sum(struct resource_list a, struct resource_list b)
{
    return (struct resource_list){.cpu = quantity_sum(a.cpu, b.cpu),
                                  .memory = quantity_sum(a.memory, b.memory)};
}

static int64_t first_given(int64_t a, int64_t b)
{
    int64_t given = a != NUMBER_ABSENT ? a : b;
    return given == NUMBER_ABSENT || given < 0 ? 0 : given;
}

static struct resource_list container_requests(const struct container *container)
{
    const struct resource_requirements *own = container->resources;
    if (!own)
        return (struct resource_list){0};
    return (struct resource_list){.cpu = first_given(own->requests.cpu, own->limits.cpu),
                                  .memory = first_given(own->requests.memory, own->limits.memory)};
}

static void raise_to(struct resource_list *total, struct resource_list other)
{
    if (other.cpu > total->cpu)
        total->cpu = other.cpu;
    if (other.memory > total->memory)
        total->memory = other.memory;
}

static struct resource_list containers_requests(const struct pod_spec *spec)
{
    struct resource_list running = {0}, sidecars = {0}, starting = {0};
    const struct container *container;
    LIST_EACH (container, spec->containers) {
        struct resource_list own = container_requests(container);
        if (container->role == CONTAINER_MAIN)
            running = resource_sum(running, own);
        else if (container->role == CONTAINER_SIDECAR)
            sidecars = resource_sum(sidecars, own);
        else if (container->role == CONTAINER_INIT)
            raise_to(&starting, resource_sum(sidecars, own));
    }
    running = resource_sum(running, sidecars);
    raise_to(&running, starting);
    return running;
}

/* What the pod as a whole requests; where it says only its limit, what its containers request, and
 * its limit when they request nothing (k8s.io/kubernetes/pkg/apis/core/v1, "defaultPodRequests").
 */
static int64_t whole_request(int64_t request, int64_t limit, int64_t containers)
{
    return first_given(request, containers > 0 ? containers : first_given(limit, 0));
}

struct resource_list pod_requests(const struct pod_spec *spec)
{
    struct resource_list total = {0};
    if (!spec)
        return total;
    total = containers_requests(spec);
    if (spec->resources) {
        const struct resource_requirements *own = spec->resources;
        total.cpu = whole_request(own->requests.cpu, own->limits.cpu, total.cpu);
        total.memory = whole_request(own->requests.memory, own->limits.memory, total.memory);
    }
    if (spec->overhead)
        total = resource_sum(
            total, (struct resource_list){.cpu = first_given(spec->overhead->cpu, 0),
                                          .memory = first_given(spec->overhead->memory, 0)});
    return total;
}

struct resource_list pod_limits(const struct pod_spec *spec)
{
    struct resource_list total = {0};
    const struct container *container;
    if (!spec)
        return total;
    LIST_EACH (container, spec->containers) {
        const struct resource_requirements *own = container->resources;
        if (own && (container->role == CONTAINER_MAIN || container->role == CONTAINER_SIDECAR))
            total = resource_sum(
                total, (struct resource_list){.cpu = first_given(own->limits.cpu, 0),
                                              .memory = first_given(own->limits.memory, 0)});
    }
    if (spec->resources) {
        total.cpu = first_given(spec->resources->limits.cpu, total.cpu);
        total.memory = first_given(spec->resources->limits.memory, total.memory);
    }
    return total;
}

int64_t pod_memory_limit(const struct pod_spec *spec)
{
    return pod_limits(spec).memory;
}
