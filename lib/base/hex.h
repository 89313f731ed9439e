/* hex: bytes as text: lower-case hexadecimal, and base64url without padding (RFC 4648 section 5).
 */
#ifndef LOADLINE_BASE_HEX_H
#define LOADLINE_BASE_HEX_H

#include <stddef.h>
#include <stdint.h>

/* The value of one hexadecimal digit of either case, -1 when it is not one. */
int hex_digit(char c);
/* Writes 2 * n digits and a NUL. */
void hex_encode(const void *bytes, size_t n, char *out);
/* Writes the 16 digits of a number, the most significant first, and a NUL. */
void hex_number(uint64_t number, char *out);

#define BASE64URL_ALPHABET "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
#define BASE64URL_LEN(n)   (((n)*4 + 2) / 3)
/* Writes BASE64URL_LEN(n) characters and a NUL. */
void base64url_encode(const void *bytes, size_t n, char *out);

#endif
