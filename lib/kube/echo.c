#include "kube/echo.h"

#include "kube/decode.h"

enum {
    START = 32,           /* bytes by which a text is looked up */
    SLOTS = 1024,         /* a power of two */
    TEXT_MAX = 16 * 1024, /* of one text */
    PATIENCE = 3,         /* misses in a row, after which only one text of 8 is kept */
};

/* The text is followed by what became of it. */
struct echo {
    const void *what;
    size_t at;
    char *text;
    uint32_t n, room;
    unsigned depth, misses;
};

struct echoes {
    struct echo slots[SLOTS];
};

struct echoes *echoes_new(struct arena *arena)
{
    return ARENA_NEW(arena, struct echoes);
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
    *place = (struct echo_place){.echo = NULL};
    if (decoder->redaction == REDACT_REPLACE)
        return false;
    struct str ahead = jr_ahead(jr);
    if (ahead.n < START)
        return false;
    struct echo *echo = slot_of(decoder->echoes, ahead.p, what, at);
    bool same = echo->what == what && echo->at == at && echo->depth == jr_depth(jr);
    if (same && echo->n <= ahead.n && memcmp(echo->text, ahead.p, echo->n) == 0) {
        memcpy(result, echo->text + echo->n, n);
        jr_jump(jr, echo->n);
        echo->misses = 0;
        return true;
    }
    echo->misses = same ? echo->misses + 1 : 0;
    if (echo->misses <= PATIENCE || echo->misses % 8 == 0) {
        echo->what = what;
        echo->at = at;
        echo->depth = jr_depth(jr);
        echo->n = UINT32_MAX; /* equal to nothing until it is kept */
        *place = (struct echo_place){echo, jr_offset(jr)};
    }
    return false;
}

void echo_keep(struct decoder *decoder, struct echo_place place, const void *result, size_t n)
{
    struct echo *echo = place.echo;
    struct str text = echo ? jr_behind(decoder->jr, place.from) : (struct str){NULL, 0};
    if (!text.n || text.n > TEXT_MAX)
        return;
    if (echo->room < text.n + n) {
        echo->room = (uint32_t)(text.n + text.n / 2 + n);
        echo->text = arena_bytes(decoder->arena, echo->room);
    }
    memcpy(echo->text, text.p, text.n);
    memcpy(echo->text + text.n, result, n);
    echo->n = (uint32_t)text.n;
}
