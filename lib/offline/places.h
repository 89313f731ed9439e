/* places: the files that a stream was made of, and where in them a byte of it stands. */
#ifndef LOADLINE_OFFLINE_PLACES_H
#define LOADLINE_OFFLINE_PLACES_H

#include "base/list.h"
#include "offline/lines.h"

/* A file that was met. */
struct place_file {
    struct str name;
    const char *passed; /* why it was passed over, or NULL */
    bool found;         /* in a directory or an archive: not named */
    bool converted;     /* its columns are not those of the stream */
    uint32_t objects;   /* of Kubernetes */
    uint64_t from, to;  /* bytes of the stream */
    uint64_t line;      /* of the stream where it begins, from 0 */
};

struct places {
    struct arena *arena;
    struct lines lines;
    LIST(struct place_file) files;
    LIST(uint32_t) read; /* which of them were, in order */
};

struct place {
    struct str file;
    uint64_t line, column; /* from 1; column 0: not known */
    bool behind;           /* it is not in the file but behind its end */
};

void places_init(struct places *places, struct arena *arena);
/* One more; the name is copied. Valid until the next one. */
struct place_file *places_add(struct places *places, struct str name);
/* The last one that was added begins at the end of the stream so far, and ends there. */
void places_begin(struct places *places);
void places_end(struct places *places);
/* Of the last file that begins at or before the byte, NULL without one. */
struct place_file *places_file(const struct places *places, uint64_t offset);
/* Where the stream went wrong: at the first byte of a file only what came before it can be. */
struct place places_find(const struct places *places, uint64_t offset);
/* Where an object stands that begins at this byte. */
struct place places_find_object(const struct places *places, uint64_t from);

#endif
