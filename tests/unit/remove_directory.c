#include "remove_directory.h"

#include <dirent.h>
#include <unistd.h>

void remove_directory(const char *path)
{
    DIR *files = opendir(path);
    for (struct dirent *entry; files && (entry = readdir(files)) != NULL;)
        unlinkat(dirfd(files), entry->d_name, 0);
    if (files)
        closedir(files);
    rmdir(path);
}
