/* url: request targets. Percent-decoding and query parameters, WHATWG "application/x-www-form-
 * urlencoded" rules for the query ('+' is a space there, not in the path). */
#ifndef LOADLINE_BASE_URL_H
#define LOADLINE_BASE_URL_H

#include "base/arena.h"

enum { URL_PARAMS_MAX = 64 };

/* Splits "/path?query#x" at the first '?'; a fragment is dropped. */
void url_split(struct str target, struct str *path, struct str *query);
/* Decodes %XX (and '+' when plus). False on a cut or wrong escape or a decoded NUL. */
bool url_decode(struct arena *arena, struct str s, bool plus, struct str *out);
/* Letters, digits and -._~ as they are, the rest as %XX (RFC 3986), with a NUL that is not counted.
 */
struct str url_encode(struct arena *arena, struct str s);
/* Can the byte not stand in a URI as it is? Blanks, controls, <, >, " and what is not ASCII. */
bool url_must_encode(unsigned char c);
/* How long it is when these bytes are %XX. */
size_t url_encoded_length(struct str s);
/* The decoded value of the first parameter of that name. False when it is not there or not
 * decodable; parameters beyond URL_PARAMS_MAX are not looked at. */
bool url_param(struct arena *arena, struct str query, struct str name, struct str *out);

#endif
