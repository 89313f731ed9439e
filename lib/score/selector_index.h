/* selector_index: label selectors, filed so that those that may select an object are found by its
 * labels.
 *
 * A selector is filed under its namespace and a label that it demands: of matchLabels the one that
 * the fewest selectors demand, else each value of the first In. One that demands none (other
 * expressions only, or {}) is filed under its namespace alone. So an object is held against few
 * selectors, whatever their authors thought of.
 */
#ifndef LOADLINE_SCORE_SELECTOR_INDEX_H
#define LOADLINE_SCORE_SELECTOR_INDEX_H

#include "base/table.h"
#include "kube/meta.h"

enum selector_use { SELECTOR_OF_POLICY, SELECTOR_OF_PEER, SELECTOR_OF_BUDGET };

struct selector_entry {
    enum selector_use use;
    uint32_t ordinal; /* the caller's */
    const struct label_selector *selector;
    struct selector_entry *next; /* with the same label */
};

struct selector_index {
    struct arena *arena;
    uint64_t seed;
    struct table labelled;
};

/* n: about so many selectors are expected. seed: nobody outside may know it (base/hash.h). */
struct selector_index selector_index_init(struct arena *arena, uint64_t seed, uint32_t n);

/* First all selectors are told, and then each is added. selector may be NULL here. */
void selector_index_demand(struct selector_index *index, struct str namespace,
                           const struct label_selector *selector);
void selector_index_add(struct selector_index *index, struct str namespace,
                        struct selector_entry entry);

/* Those that are filed under the label; without a key: those that demand none. NULL: none. They are
 * candidates: hold the object's labels against each. */
const struct selector_entry *selector_index_find(const struct selector_index *index,
                                                 struct str namespace, struct pair label);

#endif
