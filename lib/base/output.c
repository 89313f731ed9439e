#include "base/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Why something was not taken before, or 0. */
static int problem;

bool output_put(struct str bytes)
{
    errno = 0;
    if (fwrite(bytes.p, 1, bytes.n, stdout) == bytes.n)
        return true;
    problem = problem ? problem : errno;
    return false;
}

bool output_end(const char *program)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    problem = problem ? problem : errno;
    fprintf(stderr, "%s: cannot write: %s\n", program,
            problem ? strerror(problem) : "not all of it was taken");
    return false;
}
