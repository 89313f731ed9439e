/* A ledger's kept bytes: what is read adds up, and is written and read again as the same list. */
#include <stdlib.h>

#include "score/impacts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct impacts none;
    struct arena *arena = arena_new((size_t)64 << 20);
    struct str bytes = {(const char *)data, size};
    struct impacts list, again;
    const struct impacts *base = impacts_decode(arena, bytes, NULL, &list) ? NULL : &none;
    if (impacts_decode(arena, bytes, base, &list)) {
        struct str written = impacts_encode(arena, &list, base);
        if (!impacts_decode(arena, written, base, &again) || again.items.n != list.items.n ||
            impacts_score(&again) != impacts_score(&list))
            abort();
    }
    arena_free(arena);
    return 0;
}
