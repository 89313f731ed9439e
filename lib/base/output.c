#include "base/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

/* What printf() has lost has no reason any more: one end of a line more tells, and harms nothing.
 */
static int ask_again(void)
{
    return write(STDOUT_FILENO, "\n", 1) < 0 ? errno : 0;
}

bool output_end(const char *program)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    problem = problem ? problem : errno;
    problem = problem ? problem : ask_again();
    fprintf(stderr, "%s: cannot write: %s\n", program,
            problem ? strerror(problem) : "not all of it was taken");
    return false;
}
