/* anchors: what the anchors of a YAML document stand for, as JSON. */
#ifndef LOADLINE_OFFLINE_ANCHORS_H
#define LOADLINE_OFFLINE_ANCHORS_H

#include "base/table.h"

enum {
    ANCHORS_MAX = 10000,                  /* of a document */
    ANCHORS_BYTES_MAX = 16 * 1024 * 1024, /* of what they stand for, all together */
    ALIASES_BYTES_MAX = 64 * 1024 * 1024  /* of what the aliases of a file become */
};

struct anchor;

struct anchors {
    struct arena *arena; /* of the document */
    struct table names;
    uint32_t n;
    size_t bytes;
};

/* Nothing is known any more; the arena may have been reset before. */
void anchors_init(struct anchors *anchors, struct arena *arena);
/* An anchor begins: what it stands for is not known yet. False when there are too many. */
bool anchors_begin(struct anchors *anchors, struct str name, struct anchor **anchor);
/* Takes n bytes of what the document may use. False when that is too much. */
bool anchors_afford(struct anchors *anchors, size_t n);
/* It ends; copies. False when that is too much. */
bool anchors_end(struct anchors *anchors, struct anchor *anchor, struct str json);
/* What an alias stands for. An absent slice: there is no such anchor, or it is not at its end, as
 * when the alias is inside of it. */
struct str anchors_find(const struct anchors *anchors, struct str name);

#endif
