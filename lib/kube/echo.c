#include "kube/echo.h"

#include "kube/decode.h"

enum {
    START = 32,            /* bytes by which a text is looked up */
    SLOTS = 1024,          /* a power of two */
    TEXT_MAX = 16 * 1024,  /* of one text */
    ALL_MAX = 2048 * 1024, /* of all texts */
    EDITS_AT_FIRST = 128,
    EDIT_GROWS = 4, /* "null" in the place of nothing */
    PATIENCE = 3,   /* misses in a row, after which only one text of 8 is kept */
};

struct echo {
    const void *what;
    size_t at;
    unsigned depth, misses;
    bool edited; /* the tap saw another text */
    char *bytes; /* the text, what became of it and, when edited, what the tap saw */
    uint32_t room;
    uint32_t n, result_n, edited_n;
};

/* What the tap saw in the place of the text between two offsets; instead.p is NULL when that is not
 * known any more. */
struct edit {
    uint64_t from, to;
    struct str instead;
};

struct echoes {
    struct echo slots[SLOTS];
    size_t used;
    struct edit *edits; /* of the object being read */
    uint32_t edits_n, edits_room;
};

struct echoes *echoes_new(struct arena *arena)
{
    struct echoes *echoes = ARENA_NEW(arena, struct echoes);
    echoes->edits_room = EDITS_AT_FIRST;
    echoes->edits = ARENA_ARRAY(arena, EDITS_AT_FIRST, struct edit);
    return echoes;
}

static struct echo *slot_of(struct echoes *echoes, const char *start, const void *what, size_t at)
{
    uint64_t words[START / 8], hash = (uintptr_t)what + at;
    memcpy(words, start, sizeof words);
    for (size_t i = 0; i < START / 8; i++)
        hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
    return &echoes->slots[(hash >> 32) % SLOTS];
}

bool echo_recall(struct decoder *decoder, const void *what, size_t at, void *result, size_t n,
                 struct echo_place *place)
{
    struct jr *jr = decoder->jr;
    struct str ahead = jr_ahead(jr);
    *place = (struct echo_place){.echo = NULL};
    if (ahead.n < START)
        return false;
    struct echo *echo = slot_of(decoder->echoes, ahead.p, what, at);
    bool same = echo->what == what && echo->at == at && echo->depth == jr_depth(jr);
    if (same && echo->n && echo->n <= ahead.n && memcmp(echo->bytes, ahead.p, echo->n) == 0) {
        struct str edited = {echo->bytes + echo->n + echo->result_n, echo->edited_n};
        memcpy(result, echo->bytes + echo->n, n);
        if (echo->edited)
            echo_note_edit(decoder, jr_offset(jr), jr_offset(jr) + echo->n, (struct str){NULL, 0});
        jr_jump(jr, echo->n, echo->edited ? &edited : NULL);
        echo->misses = 0;
        return true;
    }
    echo->misses = same ? echo->misses + 1 : 0;
    if (echo->misses <= PATIENCE || echo->misses % 8 == 0)
        *place = (struct echo_place){echo, what, at, jr_offset(jr)};
    return false;
}

/* The edits since an offset, oldest first. False when one of them is not known any more. */
static bool edits_since(const struct echoes *echoes, uint64_t from, const struct edit **first,
                        uint32_t *n)
{
    bool known = true;
    uint32_t i = echoes->edits_n;
    while (i > 0 && echoes->edits[i - 1].from >= from)
        known &= echoes->edits[--i].instead.p != NULL;
    *first = echoes->edits + i;
    *n = echoes->edits_n - i;
    return known;
}

/* Room in the echo for so many bytes, as long as all echoes together keep below their limit. */
static bool make_room(struct decoder *decoder, struct echo *echo, size_t n)
{
    struct echoes *echoes = decoder->echoes;
    size_t room = n + n / 2;
    if (echo->room >= n)
        return true;
    if (echoes->used + room > ALL_MAX)
        return false;
    echoes->used += room;
    echo->room = (uint32_t)room;
    echo->bytes = arena_bytes(decoder->arena, room);
    return true;
}

/* What the tap saw of the text. */
static size_t put_edited(char *to, struct str text, uint64_t from, const struct edit *edit,
                         uint32_t n)
{
    size_t put = 0, at = 0;
    for (; n > 0; n--, edit++) {
        size_t until = (size_t)(edit->from - from);
        memcpy(to + put, text.p + at, until - at);
        put += until - at;
        memcpy(to + put, edit->instead.p, edit->instead.n);
        put += edit->instead.n;
        at = (size_t)(edit->to - from);
    }
    memcpy(to + put, text.p + at, text.n - at);
    return put + text.n - at;
}

void echo_keep(struct decoder *decoder, struct echo_place place, const void *result, size_t n)
{
    struct echo *echo = place.echo;
    const struct edit *edits;
    uint32_t edits_n;
    if (!echo || decoder->stopped)
        return;
    struct str text = jr_behind(decoder->jr, place.from);
    if (!text.n || text.n > TEXT_MAX ||
        !edits_since(decoder->echoes, place.from, &edits, &edits_n) ||
        !make_room(decoder, echo, text.n + n + (edits_n ? text.n + edits_n * EDIT_GROWS : 0)))
        return;
    echo->what = place.what;
    echo->at = place.at;
    echo->depth = jr_depth(decoder->jr);
    echo->n = (uint32_t)text.n;
    echo->result_n = (uint32_t)n;
    echo->edited = edits_n > 0;
    echo->edited_n = 0;
    memcpy(echo->bytes, text.p, text.n);
    memcpy(echo->bytes + text.n, result, n);
    if (echo->edited)
        echo->edited_n =
            (uint32_t)put_edited(echo->bytes + text.n + n, text, place.from, edits, edits_n);
}

void echo_begin(struct decoder *decoder)
{
    decoder->echoes->edits_n = 0;
}

void echo_note_edit(struct decoder *decoder, uint64_t from, uint64_t to, struct str instead)
{
    struct echoes *echoes = decoder->echoes;
    if (echoes->edits_n == echoes->edits_room) {
        struct edit *edits = ARENA_ARRAY(decoder->arena, 2 * echoes->edits_room, struct edit);
        echoes->edits = memcpy(edits, echoes->edits, echoes->edits_n * sizeof *edits);
        echoes->edits_room *= 2;
    }
    echoes->edits[echoes->edits_n++] = (struct edit){from, to, instead};
}
