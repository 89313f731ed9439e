/* tree: the files below a directory, in the order of their names' bytes. */
#ifndef LOADLINE_OFFLINE_TREE_H
#define LOADLINE_OFFLINE_TREE_H

#include "base/str.h"

struct tree;

struct tree_file {
    const char *path;  /* until the next file, as the next one */
    const char *below; /* the same without the directory's own */
    bool regular;      /* links, devices and the like are not */
};

/* NULL without memory. A link that leads to the directory itself is followed, others are not. */
struct tree *tree_open(const char *path);
void tree_close(struct tree *tree);
/* The next file; hidden directories are left out. False at the end, and on error with errno
 * set and the path of what could not be read, NULL when that is not known. */
bool tree_next(struct tree *tree, struct tree_file *file);

#endif
