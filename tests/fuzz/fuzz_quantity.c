/* Quantities and IntOrStrings: any text is read or refused; what is read prints and reads again. */
#include <assert.h>

#include "kube/quantity.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { ARENA = 1 << 20 };

/* CPU prints exactly, so it must come back the same. */
static void read_again(struct arena *arena, int64_t value)
{
    int64_t again;
    bool read = quantity_parse(quantity_cpu_text(arena, value), &again);
    assert(read && again == value);
    assert(quantity_memory_text(arena, value).n > 0);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct arena *arena = arena_new(ARENA);
    int64_t value, up, down;
    if (quantity_parse(text, &value)) {
        assert(value != INT64_MIN); /* NUMBER_ABSENT */
        if (value >= 0 && value < INT64_MAX)
            read_again(arena, value);
    }
    bool is_up = int_or_percent(text, 7, true, &up),
         is_down = int_or_percent(text, 7, false, &down);
    assert(is_up == is_down);
    assert(!is_up || (up >= down && up - down <= 1));
    arena_free(arena);
    return 0;
}
