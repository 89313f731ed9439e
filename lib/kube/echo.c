#include "kube/echo.h"

#include "base/buf.h"
#include "base/hash.h"
#include "kube/decode.h"

enum {
    PAGES = 256, /* of the table of texts; a power of two, like the next */
    PAGE_SIZE = 32,
    START_MIN = 16, /* see lengths */
    START_MAX = 255,
    LENGTHS = 256,        /* as many as eight bits tell apart */
    TEXT_MIN = 40,        /* shorter ones are as quickly read as recalled */
    ECHO_MAX = 16 * 1024, /* of one text and all that is kept with it */
    SEGMENTS = 64,        /* of the ring, made when they are needed */
    SEGMENT_SIZE = 64 * 1024,
    RING_SIZE = SEGMENTS * SEGMENT_SIZE,
    RING_ALIGN = 8,
    SPOTS_AT_FIRST = 128,
    UNREAD_MAX = 256, /* of a string, to be a hole */
    NUMBER_MAX = 16,  /* digits of a number */
};

enum spot_type {
    SPOT_EDIT,   /* the tap saw something else */
    SPOT_HOLE,   /* in a string: other bytes may stand there */
    SPOT_TIME,   /* a hole, and what stands there is a time */
    SPOT_NUMBER, /* digits: others may stand there */
};

/* Bytes of a text that are not like the rest. `at` is their offset in the text, of a text that is
 * being read in the input. */
struct spot {
    uint64_t at;
    uint32_t n;
    enum spot_type type;
    union {
        struct str instead; /* EDIT */
        size_t to;          /* TIME, NUMBER: its place in the items of the list */
    };
};

/* A text: kept in the ring are its spots, the text and what became of it. */
struct echo {
    const void *what;
    unsigned depth;
    bool edited; /* there are such spots ... */
    bool valued; /* ... and ones with a value */
    uint32_t spots_n, text_n, own_n;
    uint64_t place; /* 0: nothing was kept yet */
};

struct echoes {
    struct arena *arena;
    struct echo *pages[PAGES]; /* of the table of texts; made when they are needed */
    uint8_t lengths[LENGTHS];  /* of the starts by which the texts of a field are looked up */
    char *ring[SEGMENTS];      /* the oldest makes room */
    uint64_t end;              /* the place behind the newest; places are counted on and on */
    struct spot *spots;        /* of the object being read, in order */
    uint32_t spots_n, spots_room;
    uint64_t forgotten; /* texts that begin before this offset are not kept */
    struct buf seen;
};

struct echoes *echoes_new(struct arena *arena)
{
    struct echoes *echoes = ARENA_NEW(arena, struct echoes);
    echoes->arena = arena;
    echoes->end = RING_SIZE;
    echoes->spots_room = SPOTS_AT_FIRST;
    echoes->spots = ARENA_ARRAY(arena, SPOTS_AT_FIRST, struct spot);
    echoes->seen = buf_init(arena, SIZE_MAX);
    memset(echoes->lengths, START_MIN, sizeof echoes->lengths);
    return echoes;
}

/* ---- spots ---- */

void echo_begin(struct decoder *decoder)
{
    decoder->echoes->spots_n = 0;
    decoder->echoes->forgotten = 0;
}

void echo_forget(struct decoder *decoder)
{
    decoder->echoes->forgotten = jr_offset(decoder->jr);
}

static void add_spot(struct echoes *echoes, struct spot spot)
{
    if (echoes->spots_n == echoes->spots_room) {
        struct spot *spots = ARENA_ARRAY(echoes->arena, 2 * echoes->spots_room, struct spot);
        echoes->spots = memcpy(spots, echoes->spots, echoes->spots_n * sizeof *spots);
        echoes->spots_room *= 2;
    }
    echoes->spots[echoes->spots_n++] = spot;
}

/* How many of the spots, the last ones, are behind an offset. */
static uint32_t spots_since(const struct echoes *echoes, uint64_t from)
{
    uint32_t n = 0;
    while (n < echoes->spots_n && echoes->spots[echoes->spots_n - n - 1].at >= from)
        n++;
    return n;
}

void echo_note_edit(struct decoder *decoder, uint64_t from, uint64_t to, struct str instead)
{
    struct echoes *echoes = decoder->echoes;
    echoes->spots_n -= spots_since(echoes, from);
    add_spot(echoes, (struct spot){.at = from, .n = (uint32_t)(to - from), .instead = instead});
}

void echo_note_hole(struct decoder *decoder, uint64_t from, uint64_t to)
{
    add_spot(decoder->echoes,
             (struct spot){.at = from, .n = (uint32_t)(to - from), .type = SPOT_HOLE});
}

/* Its text is not asked for: that would limit its length. */
void echo_note_unread(struct decoder *decoder)
{
    struct str ahead = str_sub(jr_ahead(decoder->jr, 0), 1, UNREAD_MAX);
    const char *end = ahead.n ? memchr(ahead.p, '"', ahead.n) : NULL;
    uint64_t from = jr_offset(decoder->jr) + 1;
    if (end && !memchr(ahead.p, '\\', (size_t)(end - ahead.p)))
        echo_note_hole(decoder, from, from + (uint64_t)(end - ahead.p));
}

void echo_note_time(struct decoder *decoder, struct str text, size_t to)
{
    uint64_t from = jr_offset(decoder->jr) + 1;
    if (jr_ahead(decoder->jr, 0).p + 1 == text.p) /* no escapes */
        add_spot(decoder->echoes,
                 (struct spot){.at = from, .n = (uint32_t)text.n, .type = SPOT_TIME, .to = to});
}

/* A whole number as JSON has it. */
static bool is_number(const char *p, size_t n)
{
    bool digits = n == 1 || (n > 0 && n < NUMBER_MAX && *p != '0');
    for (size_t i = 0; i < n; i++)
        digits &= p[i] >= '0' && p[i] <= '9';
    return digits;
}

void echo_note_number(struct decoder *decoder, struct str text, size_t to)
{
    uint64_t from = jr_offset(decoder->jr);
    if (is_number(text.p, text.n))
        add_spot(decoder->echoes,
                 (struct spot){.at = from, .n = (uint32_t)text.n, .type = SPOT_NUMBER, .to = to});
}

/* ---- what is kept ---- */

static bool is_kept(const struct echoes *echoes, const struct echo *echo)
{
    return echo->place && echo->place + RING_SIZE >= echoes->end;
}

static struct spot *spots_of(const struct echoes *echoes, const struct echo *echo)
{
    char *segment = echoes->ring[echo->place / SEGMENT_SIZE % SEGMENTS];
    return (struct spot *)(void *)(segment + echo->place % SEGMENT_SIZE);
}

static char *text_of(const struct echoes *echoes, const struct echo *echo)
{
    return (char *)(spots_of(echoes, echo) + echo->spots_n);
}

static char *result_of(const struct echoes *echoes, const struct echo *echo)
{
    return text_of(echoes, echo) + echo->text_n;
}

/* A place for n bytes, which overwrite the oldest. */
static uint64_t make_room(struct echoes *echoes, size_t n)
{
    size_t gap = (size_t)(-echoes->end % RING_ALIGN);
    size_t left = SEGMENT_SIZE - echoes->end % SEGMENT_SIZE;
    uint64_t place = echoes->end + (gap + n <= left ? gap : left);
    char **segment = &echoes->ring[place / SEGMENT_SIZE % SEGMENTS];
    if (!*segment)
        *segment = arena_raw(echoes->arena, SEGMENT_SIZE);
    echoes->end = place + n;
    return place;
}

/* ---- recalling ---- */

static uint8_t *length_for(struct echoes *echoes, const void *what)
{
    return &echoes->lengths[(uintptr_t)what * 0x9e3779b97f4a7c15u >> 56];
}

static struct echo *find(struct echoes *echoes, const void *what, struct str ahead)
{
    uint64_t hash = hash_bytes((uintptr_t)what, str_sub(ahead, 0, *length_for(echoes, what)));
    struct echo **page = &echoes->pages[hash / PAGE_SIZE % PAGES];
    if (!*page)
        *page = ARENA_ARRAY(echoes->arena, PAGE_SIZE, struct echo);
    return &(*page)[hash % PAGE_SIZE];
}

/* Part of a string, without anything that would end it or mean something else: all ASCII. In the
 * top bit of each byte of `odd` is whether there was one of those, or what it borrowed from one. */
static bool is_plain(const char *p, size_t n)
{
    const uint64_t ones = UINT64_MAX / 255;
    uint64_t odd = 0;
    for (; n >= sizeof odd; p += sizeof odd, n -= sizeof odd) {
        uint64_t word, quote, backslash;
        memcpy(&word, p, sizeof word);
        quote = word ^ ones * '"';
        backslash = word ^ ones * '\\';
        odd |= word | (word - ones * ' ') | (quote - ones) | (backslash - ones);
    }
    for (; n > 0; p++, n--)
        odd |= *p < ' ' || *p == '"' || *p == '\\' ? ones << 7 : 0;
    return (odd & ones << 7) == 0;
}

static bool fits(const struct spot *spot, const char *p)
{
    return spot->type == SPOT_NUMBER ? is_number(p, spot->n) : is_plain(p, spot->n);
}

/* Does its text stand there again? */
static bool stands_at(const struct echoes *echoes, const struct echo *echo, struct str ahead)
{
    const struct spot *spot = spots_of(echoes, echo);
    const char *text = text_of(echoes, echo);
    size_t at = 0;
    if (echo->text_n > ahead.n)
        return false;
    for (uint32_t i = 0; i < echo->spots_n; i++, spot++) {
        if (spot->type == SPOT_EDIT)
            continue;
        if (memcmp(text + at, ahead.p + at, spot->at - at) != 0 || !fits(spot, ahead.p + spot->at))
            return false;
        at = spot->at + spot->n;
    }
    return memcmp(text + at, ahead.p + at, echo->text_n - at) == 0;
}

/* Another text begins like this one: when a longer start, without holes, tells them apart, they are
 * looked up by that from now on. */
static void tell_apart(struct echoes *echoes, const struct echo *echo, struct str ahead)
{
    uint8_t *length = length_for(echoes, echo->what);
    const struct spot *spot = spots_of(echoes, echo);
    const char *text = text_of(echoes, echo);
    size_t same = 0, max = echo->text_n < START_MAX ? echo->text_n : START_MAX;
    for (uint32_t i = 0; i < echo->spots_n && spot[i].at < max; i++)
        if (spot[i].type != SPOT_EDIT)
            max = spot[i].at;
    while (same < max && same < ahead.n && text[same] == ahead.p[same])
        same++;
    if (same >= *length && same < max)
        *length = (uint8_t)max;
}

/* Notes the spots of a text that stands there again. What the tap is to see of it. */
static struct str repeat_spots(struct echoes *echoes, const struct echo *echo, uint64_t from,
                               const char *now)
{
    const struct spot *spots = spots_of(echoes, echo);
    struct buf *seen = &echoes->seen;
    uint64_t at = 0;
    seen->n = 0;
    for (uint32_t i = 0; i < echo->spots_n; i++) {
        struct spot spot = spots[i];
        if (spot.type == SPOT_EDIT) {
            buf_put(seen, (struct str){now + at, spot.at - at});
            buf_put(seen, spot.instead);
            at = spot.at + spot.n;
        }
        spot.at += from;
        add_spot(echoes, spot);
    }
    if (echo->edited)
        buf_put(seen, (struct str){now + at, echo->text_n - at});
    return buf_str(seen);
}

/* A list that is not shared, with the values that stand there now. */
static void renew_values(struct decoder *decoder, const struct echo *echo, void *result,
                         const char *now)
{
    const struct spot *spot = spots_of(decoder->echoes, echo);
    char *items;
    memcpy(&items, result, sizeof items); /* a LIST() begins with them */
    items = arena_copy(decoder->arena, items, echo->own_n);
    for (uint32_t i = 0; i < echo->spots_n; i++, spot++) {
        struct str text = {now + spot->at, spot->n};
        int64_t value;
        if (spot->type == SPOT_TIME)
            value = decode_time_text(decoder, text);
        else if (spot->type != SPOT_NUMBER || !str_to_i64(text, &value))
            continue;
        memcpy(items + spot->to, &value, sizeof value);
    }
    memcpy(result, &items, sizeof items);
}

bool echo_recall(struct decoder *decoder, const void *what, void *result, size_t n,
                 struct echo_place *place)
{
    struct echoes *echoes = decoder->echoes;
    uint64_t from = jr_offset(decoder->jr);
    struct str ahead = jr_ahead(decoder->jr, START_MAX);
    struct echo *echo = find(echoes, what, ahead);
    if (echo->what == what && is_kept(echoes, echo)) {
        ahead = jr_ahead(decoder->jr, echo->text_n);
        if (echo->depth >= jr_depth(decoder->jr) && stands_at(echoes, echo, ahead)) {
            memcpy(result, result_of(echoes, echo), n);
            if (echo->valued)
                renew_values(decoder, echo, result, ahead.p);
            struct str seen = repeat_spots(echoes, echo, from, ahead.p);
            jr_jump(decoder->jr, echo->text_n, echo->edited ? &seen : NULL);
            return true;
        }
        tell_apart(echoes, echo, ahead);
    }
    *place = (struct echo_place){echo, what, from};
    return false;
}

/* ---- keeping ---- */

void echo_keep(struct decoder *decoder, struct echo_place place, const void *result, size_t n,
               size_t own_n)
{
    struct echoes *echoes = decoder->echoes;
    if (!place.echo || decoder->stopped || place.from < echoes->forgotten)
        return;
    struct str text = jr_behind(decoder->jr, place.from);
    struct echo echo = {.what = place.what,
                        .depth = jr_depth(decoder->jr),
                        .spots_n = spots_since(echoes, place.from),
                        .text_n = (uint32_t)text.n,
                        .own_n = (uint32_t)own_n};
    size_t all = echo.spots_n * sizeof(struct spot) + text.n + n;
    const struct spot *from = echoes->spots + echoes->spots_n - echo.spots_n;
    for (uint32_t i = 0; i < echo.spots_n; i++) {
        echo.edited |= from[i].type == SPOT_EDIT;
        echo.valued |= from[i].type == SPOT_TIME || from[i].type == SPOT_NUMBER;
    }
    if (text.n < TEXT_MIN || all > ECHO_MAX || own_n > ECHO_MAX || (echo.valued && !own_n))
        return;
    echo.place = make_room(echoes, all);
    struct spot *spot = memcpy(spots_of(echoes, &echo), from, echo.spots_n * sizeof *spot);
    for (uint32_t i = 0; i < echo.spots_n; i++)
        spot[i].at -= place.from;
    memcpy(text_of(echoes, &echo), text.p, text.n);
    memcpy(result_of(echoes, &echo), result, n);
    *place.echo = echo;
}
