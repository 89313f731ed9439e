#include "kube/selector.h"

static const struct pair *find(pair_list pairs, struct str key)
{
    const struct pair *pair;
    LIST_EACH (pair, pairs)
        if (str_eq(pair->key, key))
            return pair;
    return NULL;
}

struct str pair_value(pair_list pairs, struct str key)
{
    const struct pair *pair = find(pairs, key);
    return pair ? pair->value : (struct str){NULL, 0};
}

bool pair_has(pair_list pairs, struct str key)
{
    return find(pairs, key) != NULL;
}

bool str_list_has(str_list list, struct str one)
{
    const struct str *item;
    LIST_EACH (item, list)
        if (str_eq(*item, one))
            return true;
    return false;
}

static bool holds_all(pair_list wanted, pair_list labels)
{
    const struct pair *pair;
    LIST_EACH (pair, wanted) {
        const struct pair *label = find(labels, pair->key);
        if (!label || !str_eq(label->value, pair->value))
            return false;
    }
    return true;
}

bool selector_map_matches(pair_list selector, pair_list labels)
{
    return selector.n && holds_all(selector, labels);
}

/* In and NotIn need values, Exists and DoesNotExist must have none: anything else is a selector
 * that the API server refuses, and it selects nothing. */
static bool requirement_matches(const struct selector_requirement *requirement, pair_list labels)
{
    const struct pair *label = find(labels, requirement->key);
    bool has_values = requirement->values.n > 0;
    bool in = label && str_list_has(requirement->values, label->value);
    if (str_eq(requirement->operator, STR("In")))
        return has_values && in;
    if (str_eq(requirement->operator, STR("NotIn")))
        return has_values && !in;
    if (str_eq(requirement->operator, STR("Exists")))
        return !has_values && label;
    if (str_eq(requirement->operator, STR("DoesNotExist")))
        return !has_values && !label;
    return false;
}

bool selector_matches(const struct label_selector *selector, pair_list labels)
{
    if (!selector || !holds_all(selector->match_labels, labels))
        return false;
    const struct selector_requirement *requirement;
    LIST_EACH (requirement, selector->match_expressions)
        if (!requirement_matches(requirement, labels))
            return false;
    return true;
}

/* Most labels differ in their lengths already: several are compared in a step. */
static uint64_t steps_of(uint64_t comparisons)
{
    return 4 + comparisons / 2;
}

uint64_t selector_map_steps(pair_list selector, pair_list labels)
{
    return steps_of((uint64_t)selector.n * labels.n);
}

uint64_t selector_steps(const struct label_selector *selector, pair_list labels)
{
    const struct selector_requirement *requirement;
    uint64_t comparisons = selector ? (uint64_t)selector->match_labels.n * labels.n : 0;
    if (selector)
        LIST_EACH (requirement, selector->match_expressions)
            comparisons += (uint64_t)labels.n + requirement->values.n;
    return steps_of(comparisons);
}

bool selector_is_empty(const struct label_selector *selector)
{
    return selector && !selector->match_labels.n && !selector->match_expressions.n;
}

bool pairs_equal(pair_list a, pair_list b)
{
    const struct pair *pair;
    if (a.n != b.n)
        return false;
    LIST_EACH (pair, a)
        if (!pair_has(b, pair->key) || !str_eq(pair_value(b, pair->key), pair->value))
            return false;
    return true;
}

bool selector_equals(const struct label_selector *a, const struct label_selector *b)
{
    if (!a || !b)
        return a == b;
    if (!pairs_equal(a->match_labels, b->match_labels) ||
        a->match_expressions.n != b->match_expressions.n)
        return false;
    for (uint32_t i = 0; i < a->match_expressions.n; i++) {
        const struct selector_requirement *x = &a->match_expressions.items[i];
        const struct selector_requirement *y = &b->match_expressions.items[i];
        bool same = str_eq(x->key, y->key) && str_eq(x->operator, y->operator) &&
                    x->values.n == y->values.n;
        for (uint32_t v = 0; same && v < x->values.n; v++)
            same = str_eq(x->values.items[v], y->values.items[v]);
        if (!same)
            return false;
    }
    return true;
}
