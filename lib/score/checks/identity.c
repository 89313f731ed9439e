/* Service accounts: which one a pod runs under, and whether its token is handed to the pod. */
#include "score/completeness.h"
#include "kube/manifest.h"
#include "kube/status.h"
#include "score/around.h"
#include "score/checks.h"
#include "score/index.h"
#include "score/view.h"
#include "score/walk.h"

static const struct service_account *account_of(const struct check_context *context,
                                                const struct workload *workload)
{
    return (const struct service_account *)index_object(context->index, KIND_SERVICEACCOUNT,
                                                        workload->object.meta.namespace,
                                                        service_account_of(workload->spec));
}

/* Admission mounts the token as a projected volume of this name; before 1.22 as a secret. */
static bool is_admission_token(const struct volume *volume)
{
    if (volume->source == VOLUME_PROJECTED)
        return str_has_prefix(volume->name, STR("kube-api-access-"));
    return volume->source == VOLUME_SECRET && str_has(volume->name, STR("-token-"));
}

static const struct str token_path = STR("/var/run/secrets/kubernetes.io/serviceaccount");

/* Who asks for a token of a certain audience and lifetime has thought of tokens. */
static bool declares_own_token(const struct pod_spec *spec)
{
    const struct volume *volume;
    LIST_EACH (volume, spec->volumes)
        if (volume->service_account_token && !is_admission_token(volume))
            return true;
    return false;
}

static bool has_admission_token(const struct pod_spec *spec)
{
    const struct volume *volume;
    const struct container *container;
    const struct volume_mount *mount;
    LIST_EACH (volume, spec->volumes)
        if (is_admission_token(volume))
            return true;
    LIST_EACH (container, spec->containers)
        LIST_EACH (mount, container->mounts)
            if (str_eq(mount->mount_path, token_path))
                return true;
    return false;
}

/* Has it live pods, and none of them the token? Pods that have ended, and manifests, do not tell.
 */
static bool live_pods_lack_token(const struct workload *workload)
{
    bool any = false;
    struct pod **pod;
    LIST_EACH (pod, workload->pods) {
        if (pod_has_ended(*pod) || is_manifest(&(*pod)->object))
            continue;
        if ((*pod)->spec && has_admission_token((*pod)->spec))
            return false;
        any = true;
    }
    return any;
}

/* The pod's word, else its account's. False: neither is there; TRI_ABSENT: it does not say. */
static bool says_automount(const struct check_context *context, const struct workload *workload,
                           enum tri *word)
{
    *word = workload->spec->automount_service_account_token;
    if (!*word)
        *word = context->around->automount;
    return *word || context->around->has_account;
}

/* Where the account is not in the snapshot, live pods show it: admission has given them the token,
 * or not. */
enum verdict check_service_account_token_mounted(struct check_context *context,
                                                 const struct workload *workload)
{
    const struct pod_spec *spec = template_of(workload);
    enum tri word;
    if (!spec)
        return NOT_EVALUATED;
    bool is_said = says_automount(context, workload, &word);
    if (declares_own_token(spec) || word == TRI_FALSE)
        return PASSED;
    bool lacks = live_pods_lack_token(workload);
    if (lacks && !is_said)
        return PASSED;
    if (lacks)
        return fail(context, NO_CONTAINER,
                    "Nothing refuses the token of service account %" STR_FMT
                    ": the pods that run have none, but new ones may get it.",
                    STR_ARG(service_account_of(spec)));
    return fail(context, NO_CONTAINER,
                "The token of service account %" STR_FMT " is mounted into every container.",
                STR_ARG(service_account_of(spec)));
}

enum verdict check_service_account_automount_enabled(struct check_context *context,
                                                     const struct service_account *account)
{
    bool is_default = str_eq(account->object.meta.name, STR("default"));
    if (account->object.summary)
        return NOT_EVALUATED;
    if (account->automount_token == TRI_FALSE)
        return PASSED;
    if (account->automount_token == TRI_ABSENT && !is_default &&
        !service_account_is_used(context, account))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Pods that run as %" STR_FMT " get its token unless they refuse it "
                "(automountServiceAccountToken is %s).",
                STR_ARG(account->object.meta.name),
                account->automount_token == TRI_TRUE ? "true" : "not set");
}

enum verdict check_default_service_account(struct check_context *context,
                                           const struct workload *workload)
{
    const struct pod_spec *spec = template_of(workload);
    if (!spec)
        return NOT_EVALUATED;
    if (!str_eq(service_account_of(spec), STR("default")))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "The pod runs as service account default, like every other pod of its namespace "
                "that names none.");
}

/* A Pod that no cluster has seen yet: live ones, however much of them was left out, have a phase or
 * a node. */
static bool is_new_pod(const struct workload *workload)
{
    return workload->object.kind == KIND_POD && workload->pods.n &&
           !workload->pods.items[0]->phase.n && !workload->pods.items[0]->node_name.n;
}

/* Every live namespace shows its account "default", or its accounts were not collected. Manifests
 * show what they bring along. */
static bool accounts_are_known(const struct check_context *context, const struct workload *workload)
{
    if (is_manifest(&workload->object) && !workload->synthesized &&
        (workload->object.kind == KIND_POD || !workload->pods.n))
        return completeness_covers(context, KIND_SERVICEACCOUNT) || is_new_pod(workload);
    return context->around->has_default_account;
}

enum verdict check_service_account_missing(struct check_context *context,
                                           const struct workload *workload)
{
    const struct pod_spec *spec = template_of(workload);
    if (!spec || !accounts_are_known(context, workload))
        return NOT_EVALUATED;
    if (str_eq(service_account_of(spec), STR("default")) || context->around->has_account)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "Service account %" STR_FMT " does not exist in the namespace: pods are refused.",
                STR_ARG(service_account_of(spec)));
}

/* Live objects carry both fields, because the API server copies one into the other: only what the
 * author wrote tells. */
enum verdict check_service_account_field_deprecated(struct check_context *context,
                                                    const struct workload *workload)
{
    const struct object_meta *meta = &workload->object.meta;
    struct str alias, name;
    if (meta->applied) {
        alias = meta->applied->service_account;
        name = meta->applied->service_account_name;
    } else if (!workload->synthesized && template_of(workload) && is_manifest(&workload->object)) {
        alias = workload->spec->service_account;
        name = workload->spec->service_account_name;
    } else {
        return NOT_EVALUATED;
    }
    if (!alias.n || name.n)
        return PASSED;
    return fail(context, NO_CONTAINER,
                "The manifest names its service account %" STR_FMT
                " in the deprecated field serviceAccount.",
                STR_ARG(alias));
}

/* ---- secrets for pulling images ---- */

static enum verdict test_pull_secrets(struct check_context *context, struct str namespace,
                                      str_list names, const char *whose)
{
    const struct str *name;
    enum verdict verdict = PASSED;
    LIST_EACH (name, names)
        if (name->n && !index_object(context->index, KIND_SECRET, namespace, *name))
            verdict = fail(context, NO_CONTAINER,
                           "imagePullSecrets%s names secret %" STR_FMT
                           ", which does not exist in the namespace.",
                           whose, STR_ARG(*name));
    return verdict;
}

enum { STEPS_A_SECRET = 16 };

/* A pod that names none gets those of its account. */
static enum verdict test_pod_pull_secrets(struct check_context *context,
                                          const struct workload *workload)
{
    const struct pod_spec *spec = template_of(workload);
    struct str namespace = workload->object.meta.namespace;
    if (!spec)
        return NOT_EVALUATED;
    if (spec->image_pull_secrets.n)
        return test_pull_secrets(context, namespace, spec->image_pull_secrets, "");
    const struct service_account *account = account_of(context, workload);
    if (!account)
        return PASSED;
    str_list names = account->image_pull_secrets;
    names.n = names.n < SEARCHED_MAX ? names.n : SEARCHED_MAX;
    check_spend(context, EFFORT_search, names.n * (uint64_t)STEPS_A_SECRET);
    return test_pull_secrets(context, namespace, names, " of its service account");
}

enum verdict check_image_pull_secret_missing(struct check_context *context,
                                             const struct object *object)
{
    if (object->summary)
        return NOT_EVALUATED;
    if (object->kind == KIND_SERVICEACCOUNT)
        return test_pull_secrets(context, object->meta.namespace,
                                 ((const struct service_account *)object)->image_pull_secrets, "");
    return test_pod_pull_secrets(context, (const struct workload *)object);
}
