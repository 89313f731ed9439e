/* credential_value: what stands behind a name that promises a secret. Nobody but credential*.c
 * includes it.
 */
#ifndef LOADLINE_KUBE_CREDENTIAL_VALUE_H
#define LOADLINE_KUBE_CREDENTIAL_VALUE_H

#include "kube/credential_look.h"

/* A value as it stands behind a name. */
struct credential_value {
    size_t from;
    char quote;       /* that ends it, or 0 */
    unsigned slashes; /* before that quote: of strings in strings */
    bool loose;       /* it may as well be prose: "token: expired" */
};

/* Where the value of a name begins, if one follows: behind a sign, as the argument of an option, in
 * an element of XML, as the "value" of a "name". */
bool credential_find_value(struct str text, struct credential_range name,
                           struct credential_value *value);
/* Where it ends; `most` bytes behind its beginning at most. */
size_t credential_value_end(struct credential_look *look, const struct credential_value *value,
                            size_t most);

/* Behind some blanks. */
size_t credential_skip_blanks(struct str text, size_t at);
/* Behind a quote, escaped or not; `at` when there is none. */
size_t credential_skip_quote(struct str text, size_t at, char *quote, unsigned *slashes);

#endif
