#include "offline/tree.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>

struct tree {
    FTS *fts;
    size_t own_n; /* bytes of the directory's own path */
};

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

struct tree *tree_open(const char *path)
{
    struct tree *tree = calloc(1, sizeof *tree);
    char *paths[] = {(char *)path, NULL};
    if (!tree)
        return NULL;
    tree->own_n = strlen(path);
    tree->fts = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_COMFOLLOW, by_name);
    if (tree->fts)
        return tree;
    free(tree);
    return NULL;
}

void tree_close(struct tree *tree)
{
    if (!tree)
        return;
    fts_close(tree->fts);
    free(tree);
}

static const char *below(const struct tree *tree, const char *path)
{
    path += tree->own_n;
    return path + strspn(path, "/");
}

bool tree_next(struct tree *tree, struct tree_file *file)
{
    FTSENT *entry;
    *file = (struct tree_file){0};
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
            *file = (struct tree_file){.path = entry->fts_path};
            errno = entry->fts_errno;
            return false;
        default:
            *file = (struct tree_file){entry->fts_path, below(tree, entry->fts_path),
                                       entry->fts_info == FTS_F};
            return true;
        }
        errno = 0;
    }
    return false;
}
