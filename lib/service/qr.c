#include "service/qr.h"

#include <qrencode.h>

#include "service/crypt.h"

struct str qr_modules(struct arena *arena, struct str text, size_t *side)
{
    *side = 0;
    if (text.n == 0 || memchr(text.p, '\0', text.n))
        return (struct str){0};
    struct str copy = arena_str(arena, text); /* with a NUL behind it */
    QRcode *code = QRcode_encodeString8bit(copy.p, 0, QR_ECLEVEL_L);
    crypt_wipe((char *)copy.p, copy.n);
    if (!code)
        return (struct str){0};
    size_t n = (size_t)code->width * (size_t)code->width;
    unsigned char *dark = code->data;
    char *modules = memcpy(arena_bytes(arena, n), dark, n);
    for (size_t i = 0; i < n; i++)
        modules[i] = modules[i] & 1 ? '1' : '0';
    *side = (size_t)code->width;
    crypt_wipe(dark, n);
    QRcode_free(code);
    return (struct str){modules, n};
}
