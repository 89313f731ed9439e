#include "kube/credential_cut.h"

#include "kube/credential_rules.h"

/* ---- marks ---- */

/* Three bytes each. They are chosen so that what clusters are full of has few of them: not the
 * first letters of "credential", which "creationTimestamp" has, too. */
static const struct {
    const char *words;
    enum credential_mark mark;
} MARKS[] = {
    {"pas pwd ecr tok ede eds key sig", CREDENTIAL_MARK_NAME},
    {"://", CREDENTIAL_MARK_ADDRESS},
    {"@tc @un", CREDENTIAL_MARK_AT},
    {"---", CREDENTIAL_MARK_DASHES},
    {"tho", CREDENTIAL_MARK_HEADER},
    {"bea", CREDENTIAL_MARK_BEARER},
    {"sic", CREDENTIAL_MARK_BASIC},
    {"cur mys mar edi mon ogi hpa", CREDENTIAL_MARK_TOOL},
    {"piV", CREDENTIAL_MARK_MANIFEST},
    {"\\u0 :\\/", CREDENTIAL_MARK_ESCAPE},
};

static const struct triplets *marks(void)
{
    static struct triplets all;
    static bool made;
    struct triplet words[TRIPLETS_MAX];
    size_t n = 0;
    if (made)
        return &all;
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++)
        for (const char *word = MARKS[i].words; word; word = word[3] ? word + 4 : NULL)
            words[n++] = (struct triplet){word, (uint8_t)MARKS[i].mark};
    for (const struct credential_shape *shape = credential_shapes; shape->prefix; shape++)
        words[n++] = (struct triplet){shape->prefix + shape->mark, CREDENTIAL_MARK_SHAPE};
    triplets_init(&all, words, n);
    made = true;
    return &all;
}

size_t credential_mark(struct triplets_search *search, enum credential_mark *mark)
{
    uint8_t tag = 0;
    size_t at = triplets_next(marks(), search, &tag);
    *mark = (enum credential_mark)tag;
    return at;
}

/* ---- searching ---- */

typedef bool rule(struct str text, size_t at, struct credential_range *found);

static rule *const RULES[] = {
    [CREDENTIAL_MARK_NAME] = credential_rule_name,
    [CREDENTIAL_MARK_SHAPE] = credential_rule_shape,
    [CREDENTIAL_MARK_ADDRESS] = credential_rule_address,
    [CREDENTIAL_MARK_AT] = credential_rule_at,
    [CREDENTIAL_MARK_DASHES] = credential_rule_private_key,
    [CREDENTIAL_MARK_HEADER] = credential_rule_header,
    [CREDENTIAL_MARK_BEARER] = credential_rule_bearer,
    [CREDENTIAL_MARK_BASIC] = credential_rule_basic,
    [CREDENTIAL_MARK_TOOL] = credential_rule_tool,
    [CREDENTIAL_MARK_MANIFEST] = NULL,
    [CREDENTIAL_MARK_ESCAPE] = NULL,
};

struct credential_search credential_search(struct str text)
{
    return (struct credential_search){.marks = triplets_search(text)};
}

static bool is_cut(struct str text, struct credential_range range)
{
    return str_has_prefix(str_sub(text, range.from, text.n), STR(CREDENTIAL_CUT));
}

/* What was found ends a stretch of the search. */
static bool take(struct credential_search *search, struct credential_range range,
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

bool credential_search_next(struct credential_search *search, struct credential_range *found)
{
    struct str text = search->marks.text;
    for (;;) {
        enum credential_mark mark;
        struct credential_range range;
        size_t at = credential_mark(&search->marks, &mark);
        if (search->later.to && at >= search->later.from)
            return take(search, search->later, found);
        if (at >= text.n)
            break;
        if (!RULES[mark] || !RULES[mark](text, at, &range) || range.from < search->done ||
            is_cut(text, range))
            continue;
        if (mark != CREDENTIAL_MARK_TOOL)
            return take(search, range, found);
        search->later = range; /* there may be others before it */
    }
    if (search->later.to)
        return take(search, search->later, found);
    return false;
}

struct str credential_cut(struct arena *arena, struct str text)
{
    struct credential_search search = credential_search(text);
    struct credential_range range;
    size_t done = 0, n = 0;
    char *copy = NULL;
    while (credential_search_next(&search, &range)) {
        struct str cut = STR(CREDENTIAL_CUT);
        if (!copy)
            copy = arena_bytes(arena, text.n + (CREDENTIAL_CUTS_MAX + 1) * cut.n);
        memcpy(copy + n, text.p + done, range.from - done);
        n += range.from - done;
        memcpy(copy + n, cut.p, cut.n);
        n += cut.n;
        done = range.to;
    }
    if (!copy)
        return text;
    memcpy(copy + n, text.p + done, text.n - done);
    return (struct str){copy, n + text.n - done};
}
