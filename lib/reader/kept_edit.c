#include "reader/kept_edit.h"

#include "base/asserts.h"
#include "kube/credential.h"

enum { EDIT_MAX = 1 << 24 /* of what 24 bits hold */ };

/* What stands in the place of what is redacted (redact.c). */
static const struct str insteads[] = {STR("\"" CREDENTIAL_CUT "\""),
                                      STR("\"" CREDENTIAL_CUT_SECRET "\""),
                                      STR("\"" CREDENTIAL_CUT_WAIVED "\""),
                                      STR("null"),
                                      STR("{}"),
                                      STR("[]")};
enum {
    INSTEADS = sizeof insteads / sizeof *insteads,
    INSTEAD_MAX = sizeof "\"" CREDENTIAL_CUT_SECRET "\"" - 1
};

/* False when it is none that can be kept. from: the object's offset. */
static bool compact(const struct repeat_edit *edit, uint64_t from, struct kept_edit *kept)
{
    uint16_t instead = 0;
    while (instead < INSTEADS && !str_eq(insteads[instead], edit->instead))
        instead++;
    *kept = (struct kept_edit){
        .at = (edit->at - from) % EDIT_MAX, .n = edit->n % EDIT_MAX, .instead = instead};
    return instead < INSTEADS && kept->at == edit->at - from && kept->n == edit->n;
}

uint32_t kept_edits(const struct repeat_cache *repeats, uint64_t from,
                    struct kept_edit kept[KEPT_EDITS_MAX])
{
    struct repeat_edit edits[KEPT_EDITS_MAX];
    uint32_t n = repeat_cache_edits(repeats, edits, KEPT_EDITS_MAX);
    for (uint32_t i = 0; i < n && n <= KEPT_EDITS_MAX; i++)
        if (!compact(&edits[i], from, &kept[i]))
            return KEPT_EDITS_MAX + 1;
    return n;
}

struct str kept_edits_apply(const struct kept_edit *edits, uint32_t n, struct str text,
                            struct buf *room)
{
    size_t done = 0, all = text.n + n * INSTEAD_MAX;
    if (!n)
        return text;
    room->n = 0;
    char *start = buf_reserve(room, all), *to = start;
    for (uint32_t i = 0; i < n; i++) {
        struct str instead = insteads[edits[i].instead];
        ASSERT_SLOW(edits[i].at >= done && edits[i].at + edits[i].n <= text.n);
        memcpy(to, text.p + done, edits[i].at - done);
        to += edits[i].at - done;
        memcpy(to, instead.p, instead.n);
        to += instead.n;
        done = edits[i].at + edits[i].n;
    }
    memcpy(to, text.p + done, text.n - done);
    buf_commit(room, (size_t)(to - start) + text.n - done);
    return buf_str(room);
}
