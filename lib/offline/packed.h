/* packed: the files of a tar or a zip, read as a stream. Nothing is put on the disk. */
#ifndef LOADLINE_OFFLINE_PACKED_H
#define LOADLINE_OFFLINE_PACKED_H

#include "codec/source.h"

struct packed;

struct packed_file {
    struct str name;      /* until the next file */
    bool regular;         /* no directory, link or device */
    struct source source; /* its bytes, until the next file */
};

/* from: the archive, not compressed as a whole. NULL without memory. */
struct packed *packed_open(struct source from);
void packed_close(struct packed *packed);
/* The next file. False at the end and on error: a name that cannot be read is one. */
bool packed_next(struct packed *packed, struct packed_file *file);
/* What is wrong with the archive, in the library's words; NULL: nothing is. */
const char *packed_error(const struct packed *packed);

#endif
