#include "kube/revision.h"

#include "kube/selector.h"
#include "kube/status.h"

static const struct str number_key = STR("deployment.kubernetes.io/revision");
static const struct str former_key = STR("deployment.kubernetes.io/revision-history");

static void add(struct revision_history *history, struct revision revision, int64_t *latest_below)
{
    struct revision lower = revision;
    if (history->n++ == 0 || revision.number > history->newest.number) {
        lower = history->newest;
        history->previous = history->newest;
        history->newest = revision;
    } else if (history->n == 2 || revision.number > history->previous.number) {
        history->previous = revision;
    }
    if (history->n > 1 && lower.created > *latest_below)
        *latest_below = lower.created;
}

uint32_t revision_former_numbers(const struct workload *replica_set)
{
    struct str rest = pair_value(replica_set->object.meta.annotations, former_key), part;
    uint32_t n = 0;
    while (rest.n) {
        str_cut(rest, ',', &part, &rest);
        n += str_trim(part).n > 0;
    }
    return n;
}

static void add_replica_sets(struct revision_history *history, const struct workload *workload,
                             int64_t *latest_below)
{
    struct workload **child;
    LIST_EACH (child, workload->children) {
        struct revision revision = {.created = (*child)->object.meta.created,
                                    .replica_set = *child};
        if (str_to_i64_saturated(pair_value((*child)->object.meta.annotations, number_key),
                                 &revision.number))
            add(history, revision, latest_below);
    }
}

struct revision_history revision_history_of(const struct workload *workload)
{
    struct revision_history history = {0};
    int64_t latest_below = TIME_NONE;
    struct controller_revision **item;
    if (workload->object.kind == KIND_DEPLOYMENT)
        add_replica_sets(&history, workload, &latest_below);
    LIST_EACH (item, workload->revisions)
        add(&history,
            (struct revision){.number = (*item)->revision,
                              .created = (*item)->object.meta.created,
                              .controller = *item},
            &latest_below);
    if (!history.n)
        return history;
    const struct workload *newest = history.newest.replica_set;
    history.reused = history.newest.created != TIME_NONE && history.newest.created < latest_below;
    if (newest && revision_former_numbers(newest) > 0)
        history.reused = true;
    return history;
}

int64_t revision_time(const struct workload *workload, const struct revision_history *history)
{
    const struct condition *progressing = condition_find(workload->conditions, STR("Progressing"));
    if (history->n && !history->reused)
        return history->newest.created;
    return progressing ? progressing->last_update : TIME_NONE;
}

static struct str image_in(const struct revision *revision, struct str name)
{
    const struct container_image *image;
    const struct container *container;
    if (revision->controller) {
        LIST_EACH (image, revision->controller->images)
            if (str_eq(image->name, name))
                return image->image;
        LIST_EACH (image, revision->controller->init_images)
            if (str_eq(image->name, name))
                return image->image;
    } else if (revision->replica_set->spec) {
        LIST_EACH (container, revision->replica_set->spec->containers)
            if (str_eq(container->name, name))
                return container->image;
    }
    return (struct str){0};
}

static bool differs(const struct revision *previous, struct str name, struct str image,
                    struct container_image *before, struct container_image *after)
{
    struct str old = image_in(previous, name);
    if (!old.n || str_eq(old, image))
        return false;
    *before = (struct container_image){name, old};
    *after = (struct container_image){name, image};
    return true;
}

bool revision_image_change(const struct revision_history *history, struct container_image *before,
                           struct container_image *after)
{
    const struct revision *newest = &history->newest, *previous = &history->previous;
    const struct container_image *image;
    const struct container *container;
    if (history->n < 2)
        return false;
    if (newest->controller) {
        LIST_EACH (image, newest->controller->images)
            if (differs(previous, image->name, image->image, before, after))
                return true;
        LIST_EACH (image, newest->controller->init_images)
            if (differs(previous, image->name, image->image, before, after))
                return true;
    } else if (newest->replica_set->spec) {
        LIST_EACH (container, newest->replica_set->spec->containers)
            if (differs(previous, container->name, container->image, before, after))
                return true;
    }
    return false;
}
