#include "score/selector_index.h"

#include "base/hash.h"

struct labelled {
    struct str namespace;
    struct pair label; /* no key: none */
    uint32_t demanded; /* by so many selectors, in matchLabels */
    struct selector_entry *first;
};

struct selector_index selector_index_init(struct arena *arena, uint64_t seed, uint32_t n)
{
    return (struct selector_index){arena, seed, table_init(arena, n)};
}

static uint64_t hash_label(const struct selector_index *index, struct str namespace,
                           struct pair label)
{
    return hash_bytes(hash_bytes(hash_bytes(index->seed, namespace), label.key), label.value);
}

static struct labelled *find(const struct selector_index *index, struct str namespace,
                             struct pair label)
{
    struct labelled *one;
    TABLE_EACH (one, &index->labelled, hash_label(index, namespace, label))
        if (str_eq(one->label.key, label.key) && str_eq(one->label.value, label.value) &&
            str_eq(one->namespace, namespace))
            return one;
    return NULL;
}

static struct labelled *find_or_add(struct selector_index *index, struct str namespace,
                                    struct pair label)
{
    struct labelled *labelled = find(index, namespace, label);
    if (labelled)
        return labelled;
    labelled = ARENA_NEW(index->arena, struct labelled);
    *labelled = (struct labelled){.namespace = namespace, .label = label};
    table_add(&index->labelled, hash_label(index, namespace, label), labelled);
    return labelled;
}

static void file_under(struct selector_index *index, struct selector_entry entry,
                       struct str namespace, struct pair label)
{
    struct labelled *labelled = find_or_add(index, namespace, label);
    entry.next = labelled->first;
    labelled->first = arena_copy(index->arena, &entry, sizeof entry);
}

static const struct selector_requirement *first_in(const struct label_selector *selector)
{
    const struct selector_requirement *requirement;
    LIST_EACH (requirement, selector->match_expressions)
        if (str_eq(requirement->operator, STR("In")))
            return requirement;
    return NULL;
}

void selector_index_demand(struct selector_index *index, struct str namespace,
                           const struct label_selector *selector)
{
    const struct pair *label;
    if (selector)
        LIST_EACH (label, selector->match_labels)
            find_or_add(index, namespace, *label)->demanded++;
}

static struct pair rarest(const struct selector_index *index, struct str namespace,
                          pair_list labels)
{
    struct pair found = labels.items[0];
    const struct pair *label;
    uint32_t least = UINT32_MAX;
    LIST_EACH (label, labels) {
        uint32_t demanded = find(index, namespace, *label)->demanded;
        if (demanded < least)
            found = *label;
        least = demanded < least ? demanded : least;
    }
    return found;
}

void selector_index_add(struct selector_index *index, struct str namespace,
                        struct selector_entry entry)
{
    const struct label_selector *selector = entry.selector;
    const struct selector_requirement *in = first_in(selector);
    const struct str *value;
    if (selector->match_labels.n) {
        file_under(index, entry, namespace, rarest(index, namespace, selector->match_labels));
    } else if (in) {
        LIST_EACH (value, in->values)
            file_under(index, entry, namespace, (struct pair){in->key, *value});
    } else {
        file_under(index, entry, namespace, (struct pair){0});
    }
}

const struct selector_entry *selector_index_find(const struct selector_index *index,
                                                 struct str namespace, struct pair label)
{
    const struct labelled *labelled = find(index, namespace, label);
    return labelled ? labelled->first : NULL;
}
