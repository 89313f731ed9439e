/* intake: the answer of an API server, as it comes in pieces, goes to the store: the objects of a
 * list, or the events of a watch.
 */
#ifndef LOADLINE_BIN_WATCHER_INTAKE_H
#define LOADLINE_BIN_WATCHER_INTAKE_H

#include "agent/listing.h"
#include "agent/split.h"
#include "source.h"
#include "watched.h"

struct intake {
    struct api_source *source;
    const struct watched *kind;
    struct store_list *list;
    struct listing listing; /* of the list that is under way */
    struct bytes version;   /* of what has come: where a watch goes on */
    bool broken;            /* the answer is not what it should be: only a new list helps */
    bool failed;            /* it told of an error, and not only that its version is too old */
    /* the rest is private */
    struct split split;
};

/* All three stay for as long as the intake does. Nothing of it moves. */
void intake_init(struct intake *intake, struct api_source *source, const struct watched *kind,
                 struct store_list *list);
void intake_free(struct intake *intake);

/* A new answer comes. SPLIT_ITEMS: a page of a list; SPLIT_VALUES: a watch. */
void intake_begin(struct intake *intake, enum split_form form);
/* Takes a piece of it. False: more of it is not wanted. */
bool intake_put(struct intake *intake, struct str bytes);
/* The page has come to its end, and listing.next is the one after it. False when it is no page. */
bool intake_end_page(struct intake *intake);
/* Has it been what it should be until now? */
bool intake_is_sound(const struct intake *intake);

#endif
