/* Bindings: what they put in force, and for whom. */
#include "kube/rbac_default.h"
#include "kube/selector.h"
#include "kube/manifest.h"
#include "score/checks.h"
#include "score/grants.h"
#include "score/index.h"
#include "score/state.h"
#include "score/view.h"

/* ---- which bindings are asked ---- */

static bool is_asked(const struct role_binding *binding)
{
    return !binding->object.summary && !rbac_default_binding(binding);
}

static bool is_named(const struct role_binding *binding, const char *name)
{
    return str_eq(binding->object.meta.name, str_of(name));
}

static bool is_group(const struct rbac_subject *subject, struct str name)
{
    return str_eq(subject->kind, STR("Group")) && str_eq(subject->name, name);
}

/* ---- what is bound ---- */

static bool refers_to_admin(struct check_context *context, const struct role_binding *binding)
{
    const struct role *role = grants_role(context, binding);
    bool is_local = str_eq(binding->role_kind, STR("Role"));
    if (str_eq(binding->role_name, STR("cluster-admin")) && !(is_local && role))
        return true;
    return role && grants_everything(context, role);
}

/* Bound in one namespace, cluster-admin is that namespace's administrator. */
enum verdict check_rbac_cluster_admin(struct check_context *context,
                                      const struct role_binding *binding)
{
    bool wide = binding->object.kind == KIND_CLUSTERROLEBINDING;
    if (!is_asked(binding) || !binding->subjects.n)
        return NOT_EVALUATED;
    if (!refers_to_admin(context, binding))
        return PASSED;
    const struct rbac_subject *subject;
    LIST_EACH (subject, binding->subjects) {
        struct str text = subject_text(context->arena, binding, subject);
        fail_as(context, wide ? context->check->severity : SEVERITY_HIGH, NO_CONTAINER,
                "%" STR_FMT " may do everything %s, by %" STR_FMT " %" STR_FMT ".", STR_ARG(text),
                wide ? "in the cluster" : "in this namespace", STR_ARG(binding->role_kind),
                STR_ARG(binding->role_name));
    }
    return FAILED;
}

/* ---- who is bound ---- */

typedef bool subject_test(const struct rbac_subject *subject);

/* Tells of each subject that the test picks what is wrong with it. */
static enum verdict pick_subjects(struct check_context *context, const struct role_binding *binding,
                                  subject_test *test, const char *wrong)
{
    const struct rbac_subject *subject;
    enum verdict verdict = PASSED;
    if (!is_asked(binding) || !binding->subjects.n)
        return NOT_EVALUATED;
    LIST_EACH (subject, binding->subjects) {
        if (!test(subject))
            continue;
        struct str text = subject_text(context->arena, binding, subject);
        verdict =
            fail(context, NO_CONTAINER, "It gives %" STR_FMT " %" STR_FMT " to %" STR_FMT ", %s.",
                 STR_ARG(binding->role_kind), STR_ARG(binding->role_name), STR_ARG(text), wrong);
    }
    return verdict;
}

static bool is_anybody(const struct rbac_subject *subject)
{
    return (str_eq(subject->kind, STR("User")) && str_eq(subject->name, STR("system:anonymous"))) ||
           is_group(subject, STR("system:unauthenticated")) ||
           is_group(subject, STR("system:authenticated"));
}

enum verdict check_rbac_anonymous_binding(struct check_context *context,
                                          const struct role_binding *binding)
{
    return pick_subjects(context, binding, is_anybody,
                         "so to everybody who can reach the API server, or has any account there");
}

static bool is_masters(const struct rbac_subject *subject)
{
    return is_group(subject, STR("system:masters"));
}

enum verdict check_rbac_system_masters(struct check_context *context,
                                       const struct role_binding *binding)
{
    if (binding->object.kind == KIND_CLUSTERROLEBINDING && is_named(binding, "cluster-admin"))
        return NOT_EVALUATED;
    return pick_subjects(context, binding, is_masters, "a group that no rule can restrict");
}

/* To the API server an account is a user: "system:serviceaccount:NAMESPACE:NAME". */
static bool is_default_account(const struct rbac_subject *subject)
{
    if (str_eq(subject->kind, STR("User")))
        return str_has_prefix(subject->name, STR("system:serviceaccount:")) &&
               str_has_suffix(subject->name, STR(":default"));
    return str_eq(subject->kind, STR("ServiceAccount")) && str_eq(subject->name, STR("default"));
}

enum verdict check_rbac_default_sa_bound(struct check_context *context,
                                         const struct role_binding *binding)
{
    return pick_subjects(context, binding, is_default_account,
                         "so to every pod of that namespace that names no account");
}

static bool is_every_account(const struct rbac_subject *subject)
{
    return is_group(subject, STR("system:serviceaccounts"));
}

enum verdict check_rbac_all_accounts_bound(struct check_context *context,
                                           const struct role_binding *binding)
{
    return pick_subjects(context, binding, is_every_account,
                         "so to every pod of the cluster that has a token");
}

/* ---- what does not exist ---- */

/* Roles that Kubernetes brings along: no manifest needs to hold them. */
static bool is_brought_along(struct str role)
{
    static const char *const names[] = {"cluster-admin",
                                        "admin",
                                        "edit",
                                        "view",
                                        "extension-apiserver-authentication-reader",
                                        NULL};
    return str_has_prefix(role, STR("system:")) || str_in(role, names);
}

/* Where one Role of the namespace is, all are; roles are all there with cluster-admin, and with the
 * manifest that binds one. */
static bool roles_known(struct check_context *context, const struct role_binding *binding)
{
    struct role **role;
    bool brings_them = is_manifest(&binding->object) && !is_brought_along(binding->role_name);
    bool all_shown = grants_roles_complete(context) || brings_them;
    if (!str_eq(binding->role_kind, STR("Role")))
        return grants_roles_complete(context) ||
               (brings_them && cluster_has(context->cluster, KIND_CLUSTERROLE));
    LIST_EACH (role, view_namespace(context, binding->object.meta.namespace)->roles) {
        check_spend(context, EFFORT_accounts, 1);
        if ((*role)->object.kind == KIND_ROLE)
            return true;
    }
    return all_shown && cluster_has(context->cluster, KIND_ROLE);
}

enum verdict check_rbac_dangling_role(struct check_context *context,
                                      const struct role_binding *binding)
{
    if (!is_asked(binding) || !binding->role_name.n || !roles_known(context, binding))
        return NOT_EVALUATED;
    if (grants_role(context, binding))
        return PASSED;
    return fail(context, NO_CONTAINER,
                "It refers to %" STR_FMT " \"%" STR_FMT "\", which does not exist.",
                STR_ARG(binding->role_kind), STR_ARG(binding->role_name));
}

/* Manifests bring along the accounts that they bind, but for those that every cluster has. */
static bool brings_account(const struct role_binding *binding, struct str namespace,
                           struct str account)
{
    return is_manifest(&binding->object) && !str_eq(account, STR("default")) &&
           !str_eq(namespace, STR("kube-system"));
}

/* Every namespace has the account "default", so accounts of a namespace that shows none were left
 * out; unless there is no such namespace. */
static bool accounts_known(struct check_context *context, const struct role_binding *binding,
                           struct str namespace, struct str account)
{
    if (index_object(context->index, KIND_SERVICEACCOUNT, namespace, STR("default")))
        return true;
    if (!cluster_has(context->cluster, KIND_SERVICEACCOUNT))
        return false;
    return brings_account(binding, namespace, account) ||
           (cluster_has(context->cluster, KIND_NAMESPACE) &&
            !view_namespace(context, namespace)->object);
}

enum verdict check_rbac_dangling_subject(struct check_context *context,
                                         const struct role_binding *binding)
{
    const struct rbac_subject *subject;
    enum verdict verdict = NOT_EVALUATED;
    if (!is_asked(binding))
        return NOT_EVALUATED;
    LIST_EACH (subject, binding->subjects) {
        struct str namespace =
            subject->namespace.n ? subject->namespace : binding->object.meta.namespace;
        if (!str_eq(subject->kind, STR("ServiceAccount")) ||
            !accounts_known(context, binding, namespace, subject->name))
            continue;
        if (index_object(context->index, KIND_SERVICEACCOUNT, namespace, subject->name)) {
            verdict = verdict == NOT_EVALUATED ? PASSED : verdict;
            continue;
        }
        struct str text = subject_text(context->arena, binding, subject);
        verdict =
            fail(context, NO_CONTAINER, "Its subject %" STR_FMT " does not exist.", STR_ARG(text));
    }
    return verdict;
}
