/* credential_rules: how a secret is found from a mark (credential_cut.h). Nobody but credential*.c
 * includes it.
 *
 * Each looks at no more than some hundred bytes around the mark unless it finds a secret, and not
 * again at what was looked at from the mark before.
 */
#ifndef LOADLINE_KUBE_CREDENTIAL_RULES_H
#define LOADLINE_KUBE_CREDENTIAL_RULES_H

#include "kube/credential_look.h"

typedef bool credential_rule(struct credential_look *look, size_t at,
                             struct credential_range *found);
credential_rule credential_rule_name, credential_rule_shape, credential_rule_address,
    credential_rule_at, credential_rule_private_key, credential_rule_header, credential_rule_bearer,
    credential_rule_basic, credential_rule_tool, credential_rule_identified;

/* Of the value of an Authorization header: where the secret begins in it. False: none. */
bool credential_in_header(struct str value, size_t *from);

/* Base64 of a user, a colon and a password? */
bool credential_is_user_and_password(struct str token);

/* Could it be the name of an object: lower-case letters, digits, '-' and '.'? */
bool credential_is_object_name(struct str text);

#endif
