/* confine: what a worker cannot do any more once it is confined, and what it still can. Each row is
 * a child process of its own, because there is no way back. */
#include "service/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "scratch.h"

static int run_program(void)
{
    char *const arguments[] = {"true", NULL};
    return execve("/bin/true", arguments, environ);
}

static int listen_somewhere(void)
{
    return listen(socket(AF_INET, SOCK_STREAM, 0), 1);
}

static int bind_somewhere(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    return bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&address, sizeof address);
}

static int make_process(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    return (int)child;
}

static int write_and_execute(void)
{
    void *memory =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? -1 : 0;
}

static int make_executable(void)
{
    void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return mprotect(memory, 4096, PROT_READ | PROT_EXEC);
}

static int raw_socket(void)
{
    return socket(AF_PACKET, SOCK_RAW, 0);
}

static int new_namespace(void)
{
    return unshare(CLONE_NEWUSER);
}

static int signal_others(void)
{
    return kill(getppid(), 0);
}

static int trace(void)
{
    return (int)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static int read_file(void)
{
    return open("/etc/passwd", O_RDONLY | O_CLOEXEC);
}

static int connect_somewhere(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/nonexistent"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    return connect(fd, (struct sockaddr *)&address, sizeof address) == 0 || errno == ENOENT ? 0
                                                                                            : -1;
}

static int resolve(void)
{
    struct addrinfo *found = NULL;
    return getaddrinfo("localhost", "80", NULL, &found) == 0 ? 0 : -1;
}

static void *nothing(void *argument)
{
    return argument;
}

static int make_thread(void)
{
    pthread_t thread;
    int code = pthread_create(&thread, NULL, nothing, NULL);
    return code ? -1 : pthread_join(thread, NULL);
}

static int allocate(void)
{
    char *memory = malloc(64 << 20);
    memset(memory, 1, 64 << 20);
    int sum = memory[12345];
    free(memory);
    return sum == 1 ? 0 : -1;
}

static int abort_itself(void)
{
    signal(SIGABRT, SIG_DFL);
    abort();
}

enum { WORKS, FAILS, ABORTS };

static const struct {
    const char *what;
    int (*attempt)(void);
    int expected;
} rows[] = {
    {"another program", run_program, FAILS},
    {"a socket that listens", listen_somewhere, FAILS},
    {"a socket with a name", bind_somewhere, FAILS},
    {"another process", make_process, FAILS},
    {"memory to write and execute", write_and_execute, FAILS},
    {"memory that becomes executable", make_executable, FAILS},
    {"a raw socket", raw_socket, FAILS},
    {"a namespace", new_namespace, FAILS},
    {"a signal to others", signal_others, FAILS},
    {"tracing", trace, FAILS},
    {"a file", read_file, WORKS},
    {"a connection", connect_somewhere, WORKS},
    {"a name", resolve, WORKS},
    {"a thread", make_thread, WORKS},
    {"memory", allocate, WORKS},
    {"an assertion that fails", abort_itself, ABORTS},
};

/* 0: it worked, 1: it did not, 2: it was the end, 77: this kernel or this build cannot confine. */
static int outcome_of(int (*attempt)(void))
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        if (!confine())
            _exit(77);
        _exit(attempt() < 0 ? FAILS : WORKS);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : ABORTS;
}

static void what_a_worker_can(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        int outcome = outcome_of(rows[i].attempt);
        if (outcome != rows[i].expected)
            fail_msg("%s: %d, not %d", rows[i].what, outcome, rows[i].expected);
    }
}

int main(void)
{
    if (outcome_of(allocate) == 77) {
        puts("1..0 # SKIP workers are not confined in this build, or by this kernel");
        return 0;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_worker_can)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
