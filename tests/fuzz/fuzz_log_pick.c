/* The log of a container, as an API server tells it: what is picked is a push that the server
 * takes, line by line, and redacting it again changes nothing but for marks and cuts.
 */
#include <assert.h>

#include "agent/log_pick.h"
#include "reader/log_push.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { ARENA = 64 << 20 };

#define NOW INT64_C(1774000000000)

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    if (size < 1)
        return 0;
    struct arena *arena = arena_new(ARENA);
    struct str text = {(const char *)data + 1, size - 1};
    struct log_picked picked =
        log_pick(arena, STR("shop"), STR("cart-1"), STR("main"), data[0] & 1, text, NOW);
    assert(!picked.document.p == !picked.lines && picked.lines <= LOG_PICK_LINES_MAX);
    if (picked.document.p) {
        struct log_push_error error;
        struct str document = picked.document;
        struct log_push *push = log_push_read(arena, source_of(&document), NOW, 0, &error);
        const struct log_line *line;
        assert(push && push->lines.n == picked.lines && !push->skipped);
        assert(push->lines.items[push->lines.n - 1].time <= picked.newest);
        LIST_EACH (line, push->lines)
            assert(line->message.n <= LOG_MESSAGE_MAX);
    }
    arena_free(arena);
    return 0;
}
