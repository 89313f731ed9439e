/* selector: label selectors as the API server matches them (k8s.io/apimachinery labels). */
#ifndef LOADLINE_KUBE_SELECTOR_H
#define LOADLINE_KUBE_SELECTOR_H

#include "kube/meta.h"

/* matchLabels and matchExpressions (In, NotIn, Exists, DoesNotExist) must all hold; an unknown
 * operator matches nothing. A NULL selector matches nothing, an empty one everything. */
bool selector_matches(const struct label_selector *selector, pair_list labels);
bool selector_is_empty(const struct label_selector *selector);
/* The steps (effort.h) that holding the labels against them takes, at most. */
uint64_t selector_steps(const struct label_selector *selector, pair_list labels);
uint64_t selector_map_steps(pair_list selector, pair_list labels);
/* Do labels hold every pair? An empty map does NOT match here: the rule of Service.spec.selector.
 */
bool selector_map_matches(pair_list selector, pair_list labels);
/* The value of a label or annotation; absent when it is not there. */
struct str pair_value(pair_list pairs, struct str key);
bool pair_has(pair_list pairs, struct str key);
bool str_list_has(str_list list, struct str one);
/* The same pairs, in whatever order. */
bool pairs_equal(pair_list a, pair_list b);
/* The same labels and the same expressions in the same order; NULL equals NULL only. */
bool selector_equals(const struct label_selector *a, const struct label_selector *b);

#endif
