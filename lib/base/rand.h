/* rand: unpredictable bytes from the kernel (getrandom). Aborts when the kernel has none. */
#ifndef LOADLINE_BASE_RAND_H
#define LOADLINE_BASE_RAND_H

#include "base/str.h"

enum { UUID_TEXT_LEN = 36 };

void rand_bytes(void *out, size_t n);
/* A random (version 4) UUID as 36 lower-case characters and a NUL. RFC 9562 section 5.4. */
void rand_uuid(char out[UUID_TEXT_LEN + 1]);

#endif
