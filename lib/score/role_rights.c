#include "score/role_rights.h"

#include "kube/rbac_default.h"
#include "kube/selector.h"
#include "score/grants.h"
#include "score/model_text.h"

/* ---- which roles are asked ---- */

static bool is_built_in(const struct role *role)
{
    static const char *const names[] = {"cluster-admin", "admin", "edit", "view"};
    if (role->object.kind == KIND_CLUSTERROLE)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (str_eq(role->object.meta.name, str_of(names[i])))
                return true;
    return false;
}

/* The prefix and the label are reserved for the control plane, but anybody can write them: they
 * excuse a role only as long as nothing but the control plane's own bindings puts it in force. */
static bool is_system(struct check_context *context, const struct role *role)
{
    struct binding_list bindings = grants_bindings(context, role);
    if (!str_has_prefix(role->object.meta.name, STR("system:")) &&
        !rbac_default_label(&role->object))
        return false;
    for (uint32_t i = 0; i < bindings.n; i++)
        if (!rbac_default_binding(bindings.items[i]))
            return false;
    return true;
}

bool role_is_asked(struct check_context *context, const struct role *role)
{
    return !role->object.summary && !rbac_default_role(role) && !is_built_in(role) &&
           !is_system(context, role);
}

/* ---- who holds it ---- */

/* A role that nobody holds does no harm yet. */
static bool is_idle(struct check_context *context, const struct role *role)
{
    return !grants_bindings(context, role).n && grants_bindings_complete(context, role) &&
           !grants_built_in_part(role);
}

/* "; ClusterRoleBinding x gives it to Group dev and 2 more subjects", or what it is a part of. */
static struct str holders_text(struct check_context *context, const struct role *role)
{
    struct binding_list bindings = grants_bindings(context, role);
    uint32_t subjects = 0;
    if (!bindings.n)
        return is_idle(context, role) ? STR("; no binding puts it in force") : STR("");
    const struct role_binding *first = bindings.items[0];
    for (uint32_t i = 0; i < bindings.n; i++)
        subjects += bindings.items[i]->subjects.n;
    struct str subject = subject_text(context->arena, first, &first->subjects.items[0]);
    struct str given = STR("it");
    if (!str_eq(first->role_name, role->object.meta.name))
        given = arena_printf(context->arena, "%" STR_FMT ", which it is a part of,",
                             STR_ARG(first->role_name));
    struct str text =
        arena_printf(context->arena, "; %" STR_FMT " %" STR_FMT " gives %" STR_FMT " to %" STR_FMT,
                     STR_ARG(first->object.kind_name), STR_ARG(first->object.meta.name),
                     STR_ARG(given), STR_ARG(subject));
    if (subjects == 1)
        return text;
    return arena_printf(context->arena, "%" STR_FMT " and %u more", STR_ARG(text), subjects - 1);
}

/* ---- asking ---- */

bool role_rule_gives(struct check_context *context, const struct policy_rule *rule,
                     const struct role_right *right, struct str *what)
{
    struct str resources = str_of(right->resources), resource, verb;
    while (str_next_word(&resources, &resource)) {
        struct str verbs = str_of(right->verbs);
        while (str_next_word(&verbs, &verb)) {
            if (!rule_allows(rule, verb, str_of(right->group), resource))
                continue;
            *what = arena_printf(context->arena, "%" STR_FMT " %" STR_FMT, STR_ARG(verb),
                                 STR_ARG(resource));
            return true;
        }
    }
    return false;
}

/* " of API groups apps, batch"; nothing for the group without a name. */
static struct str groups_text(struct check_context *context, const struct policy_rule *rule)
{
    if (rule->api_groups.n == 0 || (rule->api_groups.n == 1 && !rule->api_groups.items[0].n))
        return STR("");
    struct str groups = list_text(context->arena, rule->api_groups);
    return arena_printf(context->arena, " of API group%s %" STR_FMT,
                        rule->api_groups.n == 1 ? "" : "s", STR_ARG(groups));
}

void role_report_rule(struct check_context *context, const struct role *role,
                      struct role_standing *standing, const struct policy_rule *rule,
                      enum severity severity, struct str what)
{
    if (!standing->told)
        *standing =
            (struct role_standing){true, is_idle(context, role), holders_text(context, role)};
    struct str verbs = list_text(context->arena, rule->verbs);
    struct str resources = list_text(context->arena, rule->resources);
    struct str groups = groups_text(context, rule);
    fail_as(context, standing->idle ? SEVERITY_LOW : severity, NO_CONTAINER,
            "It may %" STR_FMT ": a rule allows %" STR_FMT " on %" STR_FMT "%" STR_FMT "%s%" STR_FMT
            ".",
            STR_ARG(what), STR_ARG(verbs), STR_ARG(resources), STR_ARG(groups),
            rule->resource_names.n ? ", certain names" : "", STR_ARG(standing->holders));
}

/* What a right means in a namespace, and how severe it is at most. */
static const struct {
    const char *what, *means;
    enum severity at_most;
} local_meanings[] = {
    {"impersonate serviceaccounts", "impersonate service accounts of", SEVERITY_HIGH},
    {"delete namespaces", "delete", SEVERITY_CRITICAL},
};

static void report_right(struct check_context *context, const struct role *role,
                         struct role_standing *standing, const struct policy_rule *rule,
                         enum severity severity, struct str what)
{
    size_t i = 0, n = sizeof local_meanings / sizeof *local_meanings;
    while (i < n && !str_eq(what, str_of(local_meanings[i].what)))
        i++;
    if (i < n && grants_are_local(context, role)) {
        struct str scope = grants_scope_text(context, role);
        what =
            arena_printf(context->arena, "%s %" STR_FMT, local_meanings[i].means, STR_ARG(scope));
        if (severity < local_meanings[i].at_most)
            severity = local_meanings[i].at_most;
    }
    role_report_rule(context, role, standing, rule, severity, what);
}

enum verdict role_ask(struct check_context *context, const struct role *role,
                      const struct role_right *rights, size_t n, struct role_standing standing)
{
    enum verdict verdict = PASSED;
    const struct policy_rule *rule;
    struct str what;
    if (!role_is_asked(context, role))
        return NOT_EVALUATED;
    LIST_EACH (rule, role->rules)
        for (size_t i = 0; i < n; i++) {
            if (!role_rule_gives(context, rule, &rights[i], &what))
                continue;
            verdict = FAILED;
            report_right(context, role, &standing, rule,
                         rule->resource_names.n ? rights[i].named : context->check->severity, what);
            break;
        }
    return verdict;
}

struct role_standing role_standing_not_in_force(void)
{
    return (struct role_standing){true, true, STR("; a RoleBinding does not put that in force")};
}

struct role_standing role_standing_beyond_namespaces(struct check_context *context,
                                                     const struct role *role)
{
    if (role->object.kind != KIND_CLUSTERROLE || !grants_are_local(context, role))
        return (struct role_standing){0};
    return role_standing_not_in_force();
}
