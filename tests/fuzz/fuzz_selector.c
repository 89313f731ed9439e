/* Label selectors: the input makes a selector and labels; the operators must agree with each other.
 *
 * Lines "k=v" are labels; "+k=v" is matchLabels; "?<operator> k v v v" is an expression. */
#include <assert.h>

#include "base/arena.h"
#include "kube/selector.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { LINES_MAX = 64, VALUES_MAX = 8, ARENA = 1 << 20 };

struct parsed {
    struct arena *arena;
    struct pair labels[LINES_MAX], wanted[LINES_MAX];
    struct selector_requirement expressions[LINES_MAX];
    uint32_t labels_n, wanted_n, expressions_n;
};

static struct pair parse_pair(struct str line)
{
    struct pair pair;
    str_cut(line, '=', &pair.key, &pair.value);
    return pair;
}

static struct selector_requirement parse_expression(struct arena *arena, struct str line)
{
    struct selector_requirement r = {0};
    r.values.items = ARENA_ARRAY(arena, VALUES_MAX, struct str);
    str_cut(line, ' ', &r.operator, & line);
    str_cut(line, ' ', &r.key, &line);
    while (line.n && r.values.n < VALUES_MAX)
        str_cut(line, ' ', &r.values.items[r.values.n++], &line);
    return r;
}

static void parse(struct parsed *p, struct str text)
{
    struct str line;
    for (int i = 0; i < LINES_MAX && text.n; i++) {
        str_cut(text, '\n', &line, &text);
        if (str_has_prefix(line, STR("+")))
            p->wanted[p->wanted_n++] = parse_pair(str_sub(line, 1, line.n));
        else if (str_has_prefix(line, STR("?")))
            p->expressions[p->expressions_n++] =
                parse_expression(p->arena, str_sub(line, 1, line.n));
        else
            p->labels[p->labels_n++] = parse_pair(line);
    }
}

/* Does one expression alone match? */
static bool holds(struct selector_requirement r, struct str operator, pair_list labels)
{
    r.operator= operator;
    struct label_selector one = {.match_expressions = LIST_SLICE(&r, 1)};
    return selector_matches(&one, labels);
}

/* Exists and DoesNotExist take no values, In and NotIn need some; otherwise nothing is selected. */
static void check_operators(struct selector_requirement r, pair_list labels)
{
    bool in = holds(r, STR("In"), labels), not_in = holds(r, STR("NotIn"), labels);
    assert(r.values.n ? in != not_in : !in && !not_in);
    assert(!in || pair_has(labels, r.key));
    assert(!holds(r, STR("Near"), labels));
    r.values.n = 0;
    assert(holds(r, STR("Exists"), labels) == pair_has(labels, r.key));
    assert(holds(r, STR("DoesNotExist"), labels) == !pair_has(labels, r.key));
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct arena *arena = arena_new(ARENA);
    struct parsed *p = ARENA_NEW(arena, struct parsed);
    p->arena = arena;
    parse(p, (struct str){(const char *)data, size});
    pair_list labels = LIST_SLICE(p->labels, p->labels_n),
              wanted = LIST_SLICE(p->wanted, p->wanted_n);
    struct label_selector selector = {
        .match_labels = wanted, .match_expressions = LIST_SLICE(p->expressions, p->expressions_n)};
    bool all = wanted.n == 0 || selector_map_matches(wanted, labels);
    for (uint32_t i = 0; i < p->expressions_n; i++) {
        check_operators(p->expressions[i], labels);
        all = all && holds(p->expressions[i], p->expressions[i].operator, labels);
    }
    assert(selector_matches(&selector, labels) == all);
    assert(!selector_matches(NULL, labels));
    arena_free(arena);
    return 0;
}
