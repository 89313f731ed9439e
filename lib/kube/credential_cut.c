#include "kube/credential_cut.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "kube/credential_rules.h"

/* ---- marks ---- */

/* Three bytes each, or four. They are chosen so that what clusters are full of has few of them: not
 * the first letters of "credential", which "creationTimestamp" has, too. */
static const struct {
    const char *words;
    enum credential_mark mark;
} MARKS[] = {
    {"pass pwd ecre toke eden eds key sig raut uth\" uth\\ uth: uth=", CREDENTIAL_MARK_NAME},
    {"://", CREDENTIAL_MARK_ADDRESS},
    {"@tcp @uni", CREDENTIAL_MARK_AT},
    {"----", CREDENTIAL_MARK_DASHES},
    {"thor", CREDENTIAL_MARK_HEADER},
    {"bear", CREDENTIAL_MARK_BEARER},
    {"sic", CREDENTIAL_MARK_BASIC},
    {"curl mysq mari edis mong ogin hpas", CREDENTIAL_MARK_TOOL},
    {"by\t' by\t\" by\t\\", CREDENTIAL_MARK_IDENTIFIED},
    {"piVe", CREDENTIAL_MARK_MANIFEST},
    {"\\u0 :\\/", CREDENTIAL_MARK_ESCAPE},
};

static const struct triplets *make_marks(struct triplets *all)
{
    static char texts[TRIPLETS_MAX][5];
    struct triplet words[TRIPLETS_MAX];
    size_t n = 0;
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++)
        for (const char *word = MARKS[i].words; *word; n++) {
            size_t length = strcspn(word, " ");
            memcpy(texts[n], word, length);
            if (texts[n][2] == '\t') /* stands for a blank here */
                texts[n][2] = ' ';
            words[n] = (struct triplet){.word = texts[n],
                                        .tag = (uint8_t)MARKS[i].mark,
                                        .exact = MARKS[i].mark == CREDENTIAL_MARK_AT};
            word += length + (word[length] == ' ');
        }
    for (const struct credential_shape *shape = credential_shapes; shape->prefix; shape++)
        words[n++] = (struct triplet){
            .word = shape->prefix + shape->mark, .tag = CREDENTIAL_MARK_SHAPE, .exact = true};
    triplets_init(all, words, n);
    return all;
}

static const struct triplets *marks(void)
{
    static struct triplets all;
    static const struct triplets *made;
    return made ? made : (made = make_marks(&all));
}

size_t credential_mark(struct triplets_search *search, enum credential_mark *mark)
{
    uint8_t tag = 0;
    size_t at = triplets_next(marks(), search, &tag);
    *mark = (enum credential_mark)tag;
    return at;
}

/* ---- searching ---- */

static credential_rule *const RULES[] = {
    [CREDENTIAL_MARK_NAME] = credential_rule_name,
    [CREDENTIAL_MARK_SHAPE] = credential_rule_shape,
    [CREDENTIAL_MARK_ADDRESS] = credential_rule_address,
    [CREDENTIAL_MARK_AT] = credential_rule_at,
    [CREDENTIAL_MARK_DASHES] = credential_rule_private_key,
    [CREDENTIAL_MARK_HEADER] = credential_rule_header,
    [CREDENTIAL_MARK_BEARER] = credential_rule_bearer,
    [CREDENTIAL_MARK_BASIC] = credential_rule_basic,
    [CREDENTIAL_MARK_TOOL] = credential_rule_tool,
    [CREDENTIAL_MARK_IDENTIFIED] = credential_rule_identified,
    [CREDENTIAL_MARK_MANIFEST] = NULL,
    [CREDENTIAL_MARK_ESCAPE] = NULL,
};

/* Goes through the secrets of a text, in their order. */
struct search {
    struct triplets_search marks;
    struct credential_look look;
    size_t done; /* the last one ends there */
    unsigned cuts;
    struct credential_range later; /* found beforehand; to == 0: none */
};

static void search_init(struct search *search, struct triplets_search marks)
{
    search->marks = marks;
    search->done = search->cuts = 0;
    search->later = (struct credential_range){0, 0};
    credential_look_init(&search->look, marks.text);
}

static bool is_cut(struct str text, struct credential_range range)
{
    return str_has_prefix(str_sub(text, range.from, text.n), STR(CREDENTIAL_CUT));
}

/* What was found ends a stretch of the search. */
static bool take(struct search *search, struct credential_range range,
                 struct credential_range *found)
{
    if (++search->cuts > CREDENTIAL_CUTS_MAX)
        range.to = search->marks.text.n;
    search->marks.from = search->done = range.to;
    if (search->later.from < range.to)
        search->later.to = 0;
    *found = range;
    return true;
}

static bool next(struct search *search, size_t at, enum credential_mark mark,
                 struct credential_range *found)
{
    struct str text = search->marks.text;
    for (; at < text.n; at = credential_mark(&search->marks, &mark)) {
        struct credential_range range;
        search->look.steps++;
        if (search->later.to && at >= search->later.from)
            return take(search, search->later, found);
        if (!RULES[mark] || !RULES[mark](&search->look, at, &range) || range.from < search->done ||
            is_cut(text, range))
            continue;
        if (mark != CREDENTIAL_MARK_TOOL)
            return take(search, range, found);
        search->later = range; /* there may be others before it */
    }
    return search->later.to && take(search, search->later, found);
}

/* Is it the name of an object, or several with '/' between? They are never taken for a secret, and
 * most short texts are some. */
static bool is_path_of_names(struct str text)
{
    size_t at = 0;
#if defined(__SSE2__)
    for (; at + 16 <= text.n; at += 16) {
        __m128i x = _mm_loadu_si128((const void *)(text.p + at));
        __m128i letters = _mm_sub_epi8(x, _mm_set1_epi8('a'));
        __m128i others = _mm_sub_epi8(x, _mm_set1_epi8('-')); /* "-./0123456789" */
        letters = _mm_cmpeq_epi8(_mm_min_epu8(letters, _mm_set1_epi8('z' - 'a')), letters);
        others = _mm_cmpeq_epi8(_mm_min_epu8(others, _mm_set1_epi8('9' - '-')), others);
        if (_mm_movemask_epi8(_mm_or_si128(letters, others)) != 0xffff)
            return false;
    }
#endif
    for (; at < text.n; at++)
        if (!((text.p[at] >= 'a' && text.p[at] <= 'z') || (text.p[at] >= '-' && text.p[at] <= '9')))
            return false;
    return true;
}

/* One secret behind another, as far as one look tells. */
static void find_once(struct arena *arena, struct str text, credential_ranges *found)
{
    struct triplets_search marks = triplets_search(text);
    enum credential_mark mark;
    struct credential_range range;
    found->n = 0;
    if (is_path_of_names(text))
        return;
    size_t at = credential_mark(&marks, &mark);
    if (at >= text.n)
        return; /* ordinary text is not held up by what follows */
    struct search search;
    search_init(&search, marks);
    while (next(&search, at, mark, &range)) {
        LIST_ADD(arena, *found, range);
        at = credential_mark(&search.marks, &mark);
    }
}

bool credential_holds(struct str text)
{
    struct triplets_search marks = triplets_search(text);
    enum credential_mark mark;
    struct credential_range range;
    if (is_path_of_names(text))
        return false;
    size_t at = credential_mark(&marks, &mark);
    if (at >= text.n)
        return false;
    struct search search;
    search_init(&search, marks);
    return next(&search, at, mark, &range);
}

uint64_t credential_steps(struct str text)
{
    struct search search;
    enum credential_mark mark;
    struct credential_range range;
    search_init(&search, triplets_search(text));
    size_t at = credential_mark(&search.marks, &mark);
    while (next(&search, at, mark, &range))
        at = credential_mark(&search.marks, &mark);
    return search.look.steps;
}

/* ---- until nothing is left to cut ---- */

enum { LOOKS_MAX = 3 }; /* what goes on changing is cut whole */

static struct str cut_ranges(struct arena *arena, struct str text, const credential_ranges *ranges)
{
    struct str cut = STR(CREDENTIAL_CUT);
    char *copy = arena_bytes(arena, text.n + ranges->n * cut.n);
    const struct credential_range *range;
    size_t done = 0, n = 0;
    LIST_EACH (range, *ranges) {
        memcpy(copy + n, text.p + done, range->from - done);
        n += range->from - done;
        memcpy(copy + n, cut.p, cut.n);
        n += cut.n;
        done = range->to;
    }
    memcpy(copy + n, text.p + done, text.n - done);
    return (struct str){copy, n + text.n - done};
}

/* An offset of the text that was cut is one of the text itself; of what stands for a secret, where
 * that begins or ends. */
static size_t place_before(const credential_ranges *ranges, size_t offset, bool ends)
{
    const struct credential_range *range;
    size_t at = 0, done = 0, n = sizeof CREDENTIAL_CUT - 1;
    LIST_EACH (range, *ranges) {
        size_t plain = range->from - done;
        if (offset <= at + plain)
            break;
        at += plain;
        if (offset < at + n)
            return ends ? range->to : range->from;
        at += n;
        done = range->to;
    }
    return done + (offset - at);
}

static void add_range(struct arena *arena, credential_ranges *ranges, struct credential_range range)
{
    struct credential_range *last = ranges->n ? &ranges->items[ranges->n - 1] : NULL;
    if (last && range.from < last->to)
        last->to = range.to > last->to ? range.to : last->to;
    else
        LIST_ADD(arena, *ranges, range);
}

/* What was found in the text that was cut is cut as well. */
static void add_found(struct arena *arena, struct str text, credential_ranges *ranges,
                      const credential_ranges *more)
{
    credential_ranges all = {0};
    for (uint32_t i = 0, j = 0; i < ranges->n || j < more->n;) {
        struct credential_range old = {SIZE_MAX, 0}, new = {SIZE_MAX, 0};
        if (i < ranges->n)
            old = ranges->items[i];
        if (j < more->n)
            new = (struct credential_range){place_before(ranges, more->items[j].from, false),
                                            place_before(ranges, more->items[j].to, true)};
        bool is_old = old.from <= new.from;
        add_range(arena, &all, is_old ? old : new);
        i += is_old;
        j += !is_old;
    }
    if (all.n > CREDENTIAL_CUTS_MAX + 1) {
        all.n = CREDENTIAL_CUTS_MAX + 1;
        all.items[CREDENTIAL_CUTS_MAX].to = text.n;
    }
    *ranges = all;
}

/* The text without its secrets, when it has any. */
static struct str find_all(struct arena *arena, struct str text, credential_ranges *found)
{
    credential_ranges more = {0};
    struct str cut = text;
    find_once(arena, text, found);
    for (int looks = 1; found->n; looks++) {
        cut = cut_ranges(arena, text, found);
        find_once(arena, cut, &more);
        if (!more.n)
            break;
        add_found(arena, text, found, &more);
        if (looks == LOOKS_MAX) {
            found->n = 0;
            add_range(arena, found, (struct credential_range){0, text.n});
        }
    }
    return cut;
}

void credential_find(struct arena *arena, struct str text, credential_ranges *found)
{
    find_all(arena, text, found);
}

struct str credential_cut(struct arena *arena, struct str text)
{
    credential_ranges found = {0};
    return text.n ? find_all(arena, text, &found) : text;
}
