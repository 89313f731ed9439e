/* qr: a text as a QR code, for a camera. */
#ifndef LOADLINE_SERVICE_QR_H
#define LOADLINE_SERVICE_QR_H

#include "base/arena.h"

/* Its rows from above, one after another, *side modules each: '1' is dark, '0' is light. Absent
 * when the text is longer than such a code holds (2,953 bytes), or holds a NUL. */
struct str qr_modules(struct arena *arena, struct str text, size_t *side);

#endif
