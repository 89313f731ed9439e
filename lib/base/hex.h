/* hex: bytes as text: lower-case hexadecimal, and base64url without padding (RFC 4648 section 5).
 */
#ifndef LOADLINE_BASE_HEX_H
#define LOADLINE_BASE_HEX_H

#include "base/arena.h"

/* The value of one hexadecimal digit of either case, -1 when it is not one. */
int hex_digit(char c);
struct str hex_encode(struct arena *arena, const void *bytes, size_t n);
/* False when text is not exactly 2*n hexadecimal digits of either case. */
bool hex_decode(struct str text, void *out, size_t n);
struct str base64url_encode(struct arena *arena, const void *bytes, size_t n);

#endif
