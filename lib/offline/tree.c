#include "offline/tree.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>

struct tree {
    FTS *fts;
};

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

struct tree *tree_open(const char *path)
{
    struct tree *tree = calloc(1, sizeof *tree);
    char *paths[] = {(char *)path, NULL};
    if (tree)
        tree->fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_COMFOLLOW, by_name);
    if (tree && !tree->fts) {
        free(tree);
        return NULL;
    }
    return tree;
}

void tree_close(struct tree *tree)
{
    if (!tree)
        return;
    fts_close(tree->fts);
    free(tree);
}

bool tree_next(struct tree *tree, struct tree_file *file)
{
    FTSENT *entry;
    errno = 0;
    while ((entry = fts_read(tree->fts)) != NULL) {
        switch (entry->fts_info) {
        case FTS_D:
            if (entry->fts_level > FTS_ROOTLEVEL && entry->fts_name[0] == '.')
                fts_set(tree->fts, entry, FTS_SKIP);
            break;
        case FTS_DP:
            break;
        case FTS_DNR:
        case FTS_ERR:
        case FTS_NS:
            errno = entry->fts_errno;
            return false;
        default:
            *file = (struct tree_file){entry->fts_path, entry->fts_info == FTS_F};
            return true;
        }
        errno = 0;
    }
    return false;
}
