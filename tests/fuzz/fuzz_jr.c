/* jr: whatever the window, the pieces and the vector code, the same comes out; and what comes out
 * reads as itself. The first three bytes choose. */
#include <stdlib.h>

#include "../unit/jr_dump.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void must(bool same)
{
    if (!same)
        abort();
}

static void compare(struct arena *arena, struct str text, struct jr_setting s)
{
    struct jr_setting plain = {JR_WAY_WALK, JR_KERNEL_PORTABLE, 8 * 1024, SIZE_MAX, s.limits};
    struct jr_dump want = jr_dump(arena, text, plain), got = jr_dump(arena, text, s);
    must(got.error.code == want.error.code && got.error.offset == want.error.offset);
    bool whole = s.way == JR_WAY_REWIND || s.way == JR_WAY_JUMP || s.way == JR_WAY_UNREAD;
    if (s.way == JR_WAY_WALK || (whole && want.error.code == JR_OK))
        must(str_eq(got.json, want.json));
    if (want.error.code != JR_OK)
        return;
    if (s.way != JR_WAY_REPLACE) {
        must(str_eq(got.tapped, text));
    } else {
        struct jr_dump again = jr_dump(arena, got.tapped, plain);
        must(again.error.code == JR_OK && str_eq(again.json, got.json));
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static struct arena *arena;
    if (size < 3)
        return 0;
    if (!arena)
        arena = arena_new((size_t)512 << 20);
    struct str text = {(const char *)data + 3, size - 3};
    enum jr_kernel kernel = (enum jr_kernel)(data[0] % (jr_kernel_best() + 1));
    struct jr_setting s = {JR_WAY_WALK, kernel, JR_WINDOW_MIN + data[1], 1 + data[2], JR_WIDE};
    for (s.way = 0; s.way < JR_WAYS; s.way++)
        compare(arena, text, s);
    s.way = JR_WAY_WALK;
    s.limits = (struct jr_limits){
        .depth = data[0] / 4, .key = data[1], .string = data[2], .total = data[0] * 16u};
    compare(arena, text, s);
    arena_reset(arena);
    return 0;
}
