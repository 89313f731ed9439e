#include "base/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool output_end(const char *program)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    fprintf(stderr, "%s: cannot write: %s\n", program,
            errno ? strerror(errno) : "not all of it was taken");
    return false;
}
