/* grants: what a role allows, and which bindings put it in force. */
#ifndef LOADLINE_SCORE_GRANTS_H
#define LOADLINE_SCORE_GRANTS_H

#include "score/check.h"

/* Made by judge_prepare(). */
struct grants *grants_build(struct arena *arena, const struct cluster *cluster);

/* ---- rules ---- */

/* As the API server's RBAC authorizer reads them: a star stands for every verb, group or resource
 * (subresources too), a star before "/scale" for that subresource of every resource, a star after
 * "pods/" for nothing. A resource asked for may end in such a star: any subresource will do. */
bool rule_allows(const struct policy_rule *rule, struct str verb, struct str group,
                 struct str resource);

/* ---- roles and bindings ---- */

struct binding_list {
    const struct role_binding *const *items; /* ClusterRoleBindings first */
    uint32_t n;
};

/* The bindings that name a subject and refer to the role, or to one that it is aggregated into
 * (aggregationRule; but for admin, edit and view). */
struct binding_list grants_bindings(const struct check_context *context, const struct role *role);
/* Is it a part of admin, edit or view, by its labels? Who holds those holds it. */
bool grants_built_in_part(const struct role *role);
/* Is the role in force in namespaces only? Not a ClusterRole of which no binding is shown, or not
 * every one (a manifest's are all there), nor a part of a built-in role. */
bool grants_are_local(const struct check_context *context, const struct role *role);
/* "namespace shop": where a role is in force that is local. */
struct str grants_scope_text(const struct check_context *context, const struct role *role);
/* Does the snapshot hold every binding that could refer to it? A cluster cannot lack the
 * ClusterRoleBinding cluster-admin, nor Kubernetes' own RoleBindings in kube-system. */
bool grants_bindings_complete(const struct check_context *context, const struct role *role);

/* The role a binding refers to; NULL: not in the snapshot. */
const struct role *grants_role(const struct check_context *context,
                               const struct role_binding *binding);
/* Does one of its rules, or of the roles that it aggregates, allow every verb on everything? */
bool grants_everything(const struct check_context *context, const struct role *role);
/* Does the snapshot hold every role of the cluster? A cluster cannot lack the ClusterRole
 * cluster-admin, so a snapshot without it holds a part only. */
bool grants_roles_complete(const struct check_context *context);

/* "ServiceAccount shop/api". */
struct str subject_text(struct arena *arena, const struct role_binding *binding,
                        const struct rbac_subject *subject);

#endif
