/* scalar: what a plain scalar of YAML means, as Kubernetes reads it: by the rules of YAML 1.1, as
 * kubectl's library (sigs.k8s.io/yaml) applies them.
 *
 *     yes, No, on, off, y, n   true and false    0o17, 017, 0x1F, 0b11, 1_000   whole numbers
 *     ~, null, Null, nothing   null              1.5, .5, 1e3                   other numbers
 */
#ifndef LOADLINE_OFFLINE_SCALAR_H
#define LOADLINE_OFFLINE_SCALAR_H

#include "base/str.h"

enum { SCALAR_JSON_MAX = 40 }; /* bytes of JSON that a scalar other than a string takes */

/* The JSON of a plain scalar that is not a string: put at `json`, whose length is returned. 0: it
 * is a string, as are infinities and what is no number, which JSON does not have. */
size_t scalar_json(struct str text, char json[SCALAR_JSON_MAX]);

#endif
