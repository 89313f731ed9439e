/* Labels that pods get beyond those of their template. */
#include "kube/selector.h"
#include "reader/linker.h"

static void add_label(struct arena *arena, pair_list *labels, struct str key, struct str value)
{
    if (!pair_has(*labels, key))
        LIST_ADD(arena, *labels, ((struct pair){key, value}));
}

/* The API server writes the Job's name into the labels of its template, and a selector beside it,
 * unless the Job brings a selector of its own (pkg/registry/batch/job/strategy.go,
 * "generateSelector"). */
static void name_job(struct arena *arena, struct workload *job)
{
    pair_list labels = {0};
    const struct pair *label;
    LIST_RESERVE(arena, labels, job->template_labels.n + 2);
    LIST_EACH (label, job->template_labels)
        LIST_PUT(labels, *label);
    add_label(arena, &labels, STR("batch.kubernetes.io/job-name"), job->object.meta.name);
    add_label(arena, &labels, STR("job-name"), job->object.meta.name);
    job->template_labels = labels;
}

void link_labels(struct linker *linker)
{
    struct workload **workload;
    LIST_EACH (workload, linker->cluster->workloads)
        if ((*workload)->object.kind == KIND_JOB && (*workload)->spec && !(*workload)->selector &&
            !(*workload)->synthesized && (*workload)->object.meta.name.n)
            name_job(linker->arena, *workload);
}
