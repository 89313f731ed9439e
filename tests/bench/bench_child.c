/* bench_child PROGRAM [ARGUMENT]...: runs it, without its output, and prints what it took:
 * "status=0 cpu_ms=17.2 peak_kib=20340". Small itself, because a child's peak begins with ours.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void become(char **argv)
{
    int null = open("/dev/null", O_WRONLY);
    if (null >= 0)
        dup2(null, STDOUT_FILENO);
    execvp(argv[0], argv);
    perror(argv[0]);
    _exit(127);
}

static double milliseconds(struct timeval t)
{
    return (double)t.tv_sec * 1e3 + (double)t.tv_usec / 1e3;
}

static int measure(int argc, char **argv)
{
    struct rusage used;
    int status;
    if (argc < 2)
        return 2;
    pid_t pid = fork();
    if (pid == 0)
        become(argv + 1);
    if (pid < 0 || wait4(pid, &status, 0, &used) != pid)
        return 1;
    printf("status=%d cpu_ms=%.3f peak_kib=%ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1,
           milliseconds(used.ru_utime) + milliseconds(used.ru_stime), used.ru_maxrss);
    return 0;
}

int main(int argc, char **argv)
{
    return measure(argc, argv);
}
