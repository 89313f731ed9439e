/* role_rights: the checks about roles ask here whether one gives a right, and report it with who
 * holds the role. */
#ifndef LOADLINE_SCORE_ROLE_RIGHTS_H
#define LOADLINE_SCORE_ROLE_RIGHTS_H

#include "score/check.h"

/* Any of the verbs on any of the resources of an API group; lists are separated by blanks. named:
 * how severe it is where resourceNames restrict the rule to some objects. */
struct role_right {
    const char *group, *resources, *verbs;
    enum severity named;
};

/* Those of Kubernetes itself are not, as long as only its own bindings put them in force, nor those
 * of which only a summary is there. */
bool role_is_asked(struct check_context *context, const struct role *role);

/* True with what the rule allows first, "get secrets". */
bool role_rule_gives(struct check_context *context, const struct policy_rule *rule,
                     const struct role_right *right, struct str *what);

/* What a finding says of the role, whichever of its rules is at fault. A zeroed one is found out
 * with the first finding. */
struct role_standing {
    bool told, idle; /* idle: nobody holds it, so findings are LOW */
    struct str holders;
};
struct role_standing role_standing_not_in_force(void);
/* What is in no namespace is asked for without one, so no RoleBinding puts a right to it in force
 * (docs/reference/access-authn-authz/rbac.md, "RoleBinding and ClusterRoleBinding"). */
struct role_standing role_standing_beyond_namespaces(struct check_context *context,
                                                     const struct role *role);

/* Fails the role: it may do `what`, by this rule. */
void role_report_rule(struct check_context *context, const struct role *role,
                      struct role_standing *standing, const struct policy_rule *rule,
                      enum severity severity, struct str what);

/* Of each rule the first right counts that it gives. */
enum verdict role_ask(struct check_context *context, const struct role *role,
                      const struct role_right *rights, size_t n, struct role_standing standing);

#define ASK_ROLE(context, role, rights)                                                            \
    role_ask((context), (role), (rights), sizeof(rights) / sizeof *(rights),                       \
             (struct role_standing){0})

/* The same of rights to what is in no namespace. */
#define ASK_WIDE_ROLE(context, role, rights)                                                       \
    role_ask((context), (role), (rights), sizeof(rights) / sizeof *(rights),                       \
             role_standing_beyond_namespaces((context), (role)))

#endif
