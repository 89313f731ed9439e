/* credential: does this look like a secret that stands in plain text? Looked at in passing, never
 * kept. */
#ifndef LOADLINE_KUBE_CREDENTIAL_H
#define LOADLINE_KUBE_CREDENTIAL_H

#include "base/str.h"

/* A name such as DB_PASSWORD, api-token, clientSecret; but not PASSWORD_FILE, SECRET_NAME,
 * TOKEN_URL and the like, which name a place. */
bool credential_name(struct str name);
/* A value of a known shape: PEM private keys, AKIA..., ghp_..., AIza..., xox?-..., eyJhbGciO...,
 * scheme://user:password@host. */
bool credential_value(struct str value);
/* Either of the two, where the value is what such a name promises: not "true", a path, an address
 * or "$(REFERENCE)". An empty value is none. */
bool credential_pair(struct str name, struct str value);

#endif
