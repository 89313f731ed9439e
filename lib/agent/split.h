/* split: cuts JSON that arrives in pieces of any size into its objects, and holds one of them at a
 * time.
 *
 * It knows brackets and strings, and nothing else of JSON: who is given an object reads it
 * strictly. For well-formed JSON the cuts are right; for anything else they are somewhere, and one
 * of the pieces is not well formed.
 */
#ifndef LOADLINE_AGENT_SPLIT_H
#define LOADLINE_AGENT_SPLIT_H

#include "agent/memory.h"

enum {
    SPLIT_OBJECT_MAX = 8 * 1024 * 1024, /* as the server takes them */
    SPLIT_HEAD_MAX = 256 * 1024
};

enum split_form {
    SPLIT_VALUES, /* objects one after another, as in the answer to a watch */
    SPLIT_ITEMS   /* the items of one list; what stands around them is its head */
};

enum split_result {
    SPLIT_FINE,
    SPLIT_WRONG,    /* where an object belongs stands something else */
    SPLIT_TOO_LARGE /* an object of a watch or the head of a list is */
};

struct split {
    /* Is told of each object; the text is valid until it returns. */
    void (*object)(void *context, struct str text);
    /* Is told instead of an item of a list that is too large, with what it begins with. NULL: the
     * list is SPLIT_TOO_LARGE. */
    void (*large)(void *context, struct str beginning);
    void *context;
    /* the rest is private */
    enum split_form form;
    unsigned depth; /* brackets that are open */
    bool in_string, escaped, in_items;
    bool overflows; /* the item is too large: the rest of it is not kept */
    enum split_result result;
    struct bytes text, head;
};

/* Begins anew, and keeps what memory it has. */
void split_begin(struct split *split, enum split_form form);
/* Once it is not SPLIT_FINE it stays so until split_begin(). */
enum split_result split_put(struct split *split, struct str bytes);
/* Did the bytes end where nothing is open, and was there a list when there had to be one? */
bool split_is_whole(const struct split *split);
/* The list without its items: "items":[]. Valid until the next call. */
struct str split_head(const struct split *split);
void split_free(struct split *split);

#endif
