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
enum { INSTEADS = sizeof insteads / sizeof *insteads };

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

uint32_t kept_edits_within(const struct kept_edit *edits, uint32_t edits_n, uint64_t from, size_t n,
                           struct kept_edit *to)
{
    uint32_t within = 0;
    for (uint32_t i = 0; i < edits_n; i++) {
        if (edits[i].at < from || edits[i].at >= from + n)
            continue;
        to[within] = edits[i];
        to[within++].at = (edits[i].at - from) % EDIT_MAX;
    }
    return within;
}

void kept_edits_note(struct repeat_cache *repeats, uint64_t from, const struct kept_edit *edits,
                     uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t at = from + edits[i].at;
        repeat_cache_note_edit(repeats, at, at + edits[i].n, insteads[edits[i].instead]);
    }
}

static size_t redacted_length(const struct kept_text *text)
{
    size_t n = text->raw.n;
    for (uint32_t i = 0; i < text->edits_n; i++)
        n += insteads[text->edits[i].instead].n - text->edits[i].n;
    return n;
}

/* How many bytes, the last ones, are as they are. */
static size_t behind_edits(const struct kept_text *text)
{
    const struct kept_edit *last = text->edits_n ? &text->edits[text->edits_n - 1] : NULL;
    return last ? text->raw.n - (last->at + last->n) : text->raw.n;
}

/* What of a piece that stands at `at` of the redacted text is asked for. */
static struct str asked(struct str piece, size_t at, size_t from, size_t to)
{
    size_t begin = from > at ? from - at : 0;
    size_t end = to > at ? to - at : 0;
    return end > begin ? str_sub(piece, begin, end - begin) : (struct str){piece.p, 0};
}

static struct str redacted_bytes(void *context, size_t from, size_t n)
{
    const struct kept_text *text = context;
    size_t at = 0, done = 0, to = from + n, left = text->n - from;
    if (left <= behind_edits(text))
        return text_view_bytes(&text->raw, text->raw.n - left, n);
    struct str raw = text_view_all(&text->raw);
    text->room->n = 0;
    for (uint32_t i = 0; i <= text->edits_n && at < to; i++) {
        bool last = i == text->edits_n;
        size_t end = last ? raw.n : text->edits[i].at;
        struct str piece = {raw.p + done, end - done};
        ASSERT_SLOW(end >= done && end <= raw.n);
        if (at <= from && to <= at + piece.n)
            return str_sub(piece, from - at, n);
        if (at + piece.n > from)
            buf_put(text->room, asked(piece, at, from, to));
        at += piece.n;
        if (last)
            break;
        piece = insteads[text->edits[i].instead];
        if (at + piece.n > from)
            buf_put(text->room, asked(piece, at, from, to));
        at += piece.n;
        done = end + text->edits[i].n;
    }
    return buf_str(text->room);
}

struct text_view kept_text_view(struct kept_text *text)
{
    text->n = redacted_length(text);
    return (struct text_view){text->n, text->raw.lasts, redacted_bytes, text};
}
