/* Where a string begins shows without reading what comes before it: a mark is never outside of a
 * string, so the quote before it opens that string. Only at the end of a piece, without a mark, it
 * is not certain whether the last quote opens or closes one. It counts as opening then when what
 * stands before it allows that; what is held back too much comes with the next piece. */
#include "reader/scrub.h"

#include "reader/scrub_string.h"

enum { PASS_MIN = 128 };
_Static_assert((int)PASS_MIN >= (int)SCRUB_BEFORE,
               "what is passed has all that must be known of it");

/* From this place of what was taken on, `put` bytes stand before what were `taken` ones. */
struct shift {
    uint64_t taken, put;
};

struct scrub {
    struct sink out;
    struct part_sink parts;
    struct scrub_text in;
    struct scrub_cuts cuts;
    struct buf held;
    size_t piece_min;
    size_t waiting; /* bytes of it that cannot be put before more comes */
    bool found, failed;
    bool cutting;       /* inside of a string that is too long */
    uint64_t base, put; /* bytes taken before in.text, and put */
    LIST(struct shift) shifts;
};

struct scrub *scrub_new(struct arena *arena, struct sink out)
{
    struct scrub *scrub = ARENA_NEW(arena, struct scrub);
    scrub->out = out;
    scrub->cuts = (struct scrub_cuts){
        .arena = arena, .decoded = buf_init(arena, SIZE_MAX), .more = buf_init(arena, SIZE_MAX)};
    scrub->cuts.string_max = SCRUB_HELD_MAX;
    scrub->held = buf_init(arena, SIZE_MAX);
    scrub->piece_min = SCRUB_PIECE_MIN;
    memset(scrub->in.before, ' ', sizeof scrub->in.before);
    return scrub;
}

void scrub_set_parts(struct scrub *scrub, struct part_sink parts)
{
    scrub->parts = parts;
}

void scrub_set_piece_min(struct scrub *scrub, size_t n)
{
    scrub->piece_min = n;
}

bool scrub_found(const struct scrub *scrub)
{
    return scrub->found;
}

/* ---- putting ---- */

static void put(struct scrub *scrub, struct str bytes)
{
    if (bytes.n && !scrub->failed && scrub->out.put)
        scrub->failed = !scrub->out.put(scrub->out.context, bytes);
    scrub->put += bytes.n;
}

/* What is taken from here on is put behind what was put until now. */
static void note_shift(struct scrub *scrub, size_t from)
{
    struct shift now = {scrub->base + from, scrub->put};
    const struct shift *last =
        scrub->shifts.n ? &scrub->shifts.items[scrub->shifts.n - 1] : &(struct shift){0, 0};
    if (now.taken - last->taken != now.put - last->put)
        LIST_ADD(scrub->cuts.arena, scrub->shifts, now);
}

/* Passes a part of the text on as it is. */
static void put_text(struct scrub *scrub, size_t from, size_t to)
{
    if (to > from)
        note_shift(scrub, from);
    put(scrub, str_sub(scrub->in.text, from, to - from));
}

static void put_cut(struct scrub *scrub)
{
    scrub->found = true;
    scrub->failed |= !scrub->out.put;
    put(scrub, STR(CREDENTIAL_CUT));
}

/* What was cut of the text, and what stands between. Where that ends. */
static size_t put_cuts(struct scrub *scrub, size_t done)
{
    const struct credential_range *range;
    LIST_EACH (range, scrub->cuts.ranges) {
        put_text(scrub, done, range->from);
        put_cut(scrub);
        done = range->to;
    }
    return done;
}

/* ---- a piece ---- */

/* The rest of a string that is too long: at its closing quote or, when it goes on, where a
 * backslash may be half of an escape. */
static size_t end_cutting(struct scrub *scrub)
{
    struct str text = scrub->in.text;
    size_t at = 0;
    for (; at < text.n && text.p[at] != '"'; at++)
        if (text.p[at] == '\\' && ++at >= text.n)
            return at - 1;
    scrub->cutting = at >= text.n;
    return at;
}

/* Begins to cut a string of which the end is not in sight. */
static size_t begin_cutting(struct scrub *scrub, size_t done, size_t open)
{
    struct str text = scrub->in.text;
    size_t slashes = 0;
    put_text(scrub, done, open + 1);
    put_cut(scrub);
    scrub->cutting = true;
    while (text.n - slashes > open + 1 && text.p[text.n - slashes - 1] == '\\')
        slashes++;
    return text.n - slashes % 2;
}

/* What cannot be decided yet is held, from the quote of a string on. */
static size_t wait(struct scrub *scrub, size_t done, size_t open)
{
    put_text(scrub, done, open);
    return open;
}

static bool is_one_of(char c, const char *set)
{
    return c && strchr(set, c);
}

/* Where the string begins that is not whole at the end of the text; SIZE_MAX: there is none. No
 * string has begun before `from`. */
static size_t open_at_end(const struct scrub_text *in, size_t from)
{
    struct str text = in->text;
    size_t open = text.n > from ? json_text_open(text, text.n - 1, from) : SIZE_MAX;
    if (open == SIZE_MAX)
        return SIZE_MAX;
    ptrdiff_t at = (ptrdiff_t)open - 1;
    while (at >= -SCRUB_BEFORE && is_one_of(scrub_byte(in, at), " \t\r\n"))
        at--;
    if (at >= -SCRUB_BEFORE && !is_one_of(scrub_byte(in, at), "{[,:"))
        return SIZE_MAX; /* a closing one */
    size_t next = json_text_skip(text, open + 1);
    if (next < text.n && !is_one_of(text.p[next], ",:]}"))
        return open;
    /* It may be either: '"a,":' or '":'. All of them are counted. */
    for (open = from; open < text.n;) {
        const char *quote = memchr(text.p + open, '"', text.n - open);
        if (!quote)
            return SIZE_MAX;
        open = (size_t)(quote - text.p);
        size_t close = json_text_close(text, open);
        if (close >= text.n)
            return open;
        open = close + 1;
    }
    return SIZE_MAX;
}

/* A string with a mark in it, or one without that is not whole. False: all from it on must wait. */
static bool look_at(struct scrub *scrub, size_t open, size_t max, size_t *done, size_t *next)
{
    struct scrub_text *in = &scrub->in;
    bool whole = in->whole, late = in->text.n - open > max + 2;
    if (!scrub_string(in, open, &scrub->cuts, next)) {
        if (!late)
            return false;
        if (json_text_close(in->text, open) >= in->text.n) {
            *done = *next = begin_cutting(scrub, *done, open);
            return true;
        }
        in->whole = true; /* what belongs to it does not come */
        scrub_string(in, open, &scrub->cuts, next);
        in->whole = whole;
    }
    *done = put_cuts(scrub, *done);
    return true;
}

/* Puts what can be put of the text. Where what is held begins. */
static size_t scan(struct scrub *scrub)
{
    struct scrub_text *in = &scrub->in;
    struct triplets_search marks = triplets_search(in->text);
    bool was_cutting = scrub->cutting;
    size_t done = was_cutting ? end_cutting(scrub) : 0, open;
    size_t least = marks.from = was_cutting ? done + 1 : 0; /* outside of strings */
    enum credential_mark mark;
    while (!scrub->failed && !scrub->cutting) {
        size_t place = credential_mark(&marks, &mark);
        if (place >= in->text.n)
            break;
        if (!scrub_is_worth(in, place, mark))
            continue;
        open = json_text_open(in->text, place, least);
        if (open == SIZE_MAX)
            continue;
        if (!look_at(scrub, open, SCRUB_HELD_MAX, &done, &least))
            return wait(scrub, done, open);
        marks.from = least;
    }
    open = in->whole || scrub->cutting ? SIZE_MAX : open_at_end(in, least);
    if (open != SIZE_MAX && !look_at(scrub, open, SCRUB_PLAIN_MAX, &done, &least))
        return wait(scrub, done, open);
    if (!scrub->cutting)
        put_text(scrub, done, in->text.n);
    return scrub->cutting ? done : in->text.n;
}

/* ---- all of it ---- */

/* What came before the text that is held now. */
static void note_before(struct scrub_text *in, size_t kept)
{
    if (kept >= SCRUB_BEFORE) {
        memcpy(in->before, in->text.p + kept - SCRUB_BEFORE, SCRUB_BEFORE);
    } else {
        memmove(in->before, in->before + kept, SCRUB_BEFORE - kept);
        memcpy(in->before + SCRUB_BEFORE - kept, in->text.p, kept);
    }
}

/* Puts what can be put of what is held and these bytes, and holds the rest. */
static void filter(struct scrub *scrub, struct str bytes)
{
    struct scrub_text *in = &scrub->in;
    bool was_held = scrub->held.n > 0;
    if (was_held)
        buf_put(&scrub->held, bytes);
    in->text = was_held ? buf_str(&scrub->held) : bytes;
    size_t kept = scan(scrub);
    note_before(in, kept);
    scrub->base += kept;
    struct str rest = str_sub(in->text, kept, in->text.n);
    if (was_held)
        memmove(scrub->held.p, rest.p, rest.n);
    scrub->held.n = was_held ? rest.n : 0;
    if (!was_held && rest.n)
        buf_put(&scrub->held, rest);
    scrub->waiting = scrub->held.n;
}

/* Small pieces wait for one another; those of a long string until there is half as much more. */
static bool take(void *context, struct str bytes)
{
    struct scrub *scrub = context;
    if (!bytes.n || scrub->failed)
        return !scrub->failed;
    size_t least = scrub->waiting > SCRUB_HELD_MAX ? scrub->waiting / 2 : scrub->piece_min;
    if (scrub->held.n - scrub->waiting + bytes.n < least)
        buf_put(&scrub->held, bytes);
    else
        filter(scrub, bytes);
    return !scrub->failed;
}

struct sink scrub_sink(struct scrub *scrub)
{
    return (struct sink){take, scrub};
}

enum scrub_known scrub_look(struct scrub *scrub, struct str text)
{
    struct scrub_text in = {.text = text, .whole = true};
    struct triplets_search marks = triplets_search(text);
    enum scrub_known known = SCRUB_MARKLESS;
    enum credential_mark mark;
    size_t place, least = 0;
    memset(in.before, ' ', sizeof in.before);
    while ((place = credential_mark(&marks, &mark)) < text.n) {
        if (!scrub_is_worth(&in, place, mark))
            continue;
        size_t open = json_text_open(text, place, least);
        if (open == SIZE_MAX || !scrub_string(&in, open, &scrub->cuts, &least) ||
            scrub->cuts.ranges.n)
            return SCRUB_HAS_SECRETS;
        known = SCRUB_CLEAN;
        marks.from = least;
    }
    return known;
}

static void put_part(struct scrub *scrub, const struct text_view *text, uint64_t content,
                     uint64_t lead)
{
    if (!content || !scrub->parts.put || scrub->failed) {
        scrub->in.text = text_view_all(text);
        put_text(scrub, 0, text->n);
        return;
    }
    note_shift(scrub, 0);
    scrub->failed = !scrub->parts.put(scrub->parts.context, text, content, lead);
    scrub->put += text->n;
}

/* Is what is held nothing but what stands between two objects? There is no secret in it then, and
 * nothing has to wait for what comes. */
static bool holds_separator(const struct scrub *scrub)
{
    if (scrub->waiting || scrub->cutting || scrub->held.n > TEXT_LEAD_MAX)
        return false;
    for (size_t i = 0; i < scrub->held.n; i++)
        if (!is_one_of(scrub->held.p[i], ", \t\r\n"))
            return false;
    return true;
}

static void pass_held(struct scrub *scrub)
{
    scrub->in.text = buf_str(&scrub->held);
    put_text(scrub, 0, scrub->held.n);
    note_before(&scrub->in, scrub->held.n);
    scrub->base += scrub->held.n;
    scrub->held.n = 0;
}

void scrub_pass_part(struct scrub *scrub, const struct text_view *text, uint64_t content,
                     uint64_t lead)
{
    if (text->n < PASS_MIN) { /* it costs less to look at it than at what waits */
        take(scrub, text_view_all(text));
        return;
    }
    if (scrub->held.n && holds_separator(scrub))
        pass_held(scrub);
    else if (scrub->held.n > scrub->waiting)
        filter(scrub, STR(""));
    if (scrub->held.n || scrub->cutting) {
        filter(scrub, text_view_all(text));
        return;
    }
    put_part(scrub, text, content, lead);
    scrub->in.text = text_view_bytes(text, text->n - SCRUB_BEFORE, SCRUB_BEFORE);
    note_before(&scrub->in, SCRUB_BEFORE);
    scrub->base += text->n;
}

bool scrub_may_pass_run(const struct scrub *scrub)
{
    return scrub->parts.put_run && !scrub->held.n && !scrub->cutting && !scrub->failed;
}

void scrub_pass_run(struct scrub *scrub, const struct text_run *run)
{
    size_t n = run->text.n, last = n < SCRUB_BEFORE ? n : SCRUB_BEFORE;
    ASSERT_SLOW(scrub_may_pass_run(scrub));
    note_shift(scrub, 0);
    scrub->failed = !scrub->parts.put_run(scrub->parts.context, run);
    scrub->put += n;
    scrub->in.text = text_view_bytes(&run->text, n - last, last);
    note_before(&scrub->in, last);
    scrub->base += n;
}

void scrub_pass(struct scrub *scrub, struct str text)
{
    struct text_view view = text_view_of(&text);
    scrub_pass_part(scrub, &view, 0, 0);
}

uint64_t scrub_taken(const struct scrub *scrub)
{
    return scrub->base + scrub->held.n;
}

uint64_t scrub_place(const struct scrub *scrub, uint64_t taken, uint32_t *from)
{
    struct shift shift = {0, 0};
    while (*from < scrub->shifts.n && scrub->shifts.items[*from].taken <= taken)
        ++*from;
    if (*from)
        shift = scrub->shifts.items[*from - 1];
    return shift.put + (taken - shift.taken);
}

bool scrub_end(struct scrub *scrub)
{
    scrub->in.whole = true;
    scrub->in.text = buf_str(&scrub->held);
    if (!scrub->failed && scrub->held.n && scan(scrub) < scrub->held.n)
        scrub->failed = true; /* a string without an end */
    scrub->held.n = 0;
    return !scrub->failed;
}
