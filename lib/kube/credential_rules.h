/* credential_rules: how a secret is found from a mark (credential_cut.h). Nobody but
 * credential_cut.c includes it.
 *
 * Each looks at no more than some hundred bytes around the mark unless it finds a secret.
 */
#ifndef LOADLINE_KUBE_CREDENTIAL_RULES_H
#define LOADLINE_KUBE_CREDENTIAL_RULES_H

#include "kube/credential.h"

enum { CREDENTIAL_LOOK = 512 }; /* bytes that decide whether it is one */

bool credential_rule_name(struct str text, size_t at, struct credential_range *found);
bool credential_rule_shape(struct str text, size_t at, struct credential_range *found);
bool credential_rule_address(struct str text, size_t at, struct credential_range *found);
bool credential_rule_at(struct str text, size_t at, struct credential_range *found);
bool credential_rule_private_key(struct str text, size_t at, struct credential_range *found);
bool credential_rule_header(struct str text, size_t at, struct credential_range *found);
bool credential_rule_bearer(struct str text, size_t at, struct credential_range *found);
bool credential_rule_basic(struct str text, size_t at, struct credential_range *found);
bool credential_rule_tool(struct str text, size_t at, struct credential_range *found);

/* Of the value of an Authorization header: where the secret begins in it. False: none. */
bool credential_in_header(struct str value, size_t *from);

static inline bool credential_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool credential_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool credential_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline bool credential_is_quote(char c)
{
    return c == '"' || c == '\'' || c == '`';
}

/* Could it be the name of an object: lower-case letters, digits, '-' and '.'? */
bool credential_is_object_name(struct str text);

/* Where the word that begins at `from` ends: before a blank, a control character or a quote, or at
 * `most`. */
size_t credential_word_end(struct str text, size_t from, size_t most);

#endif
