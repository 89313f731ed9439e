#include "deliver/mail.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MESSAGE_MAX = 8192, TIMEOUT_MS = 10000, POLL_MS = 20 };

/* A pipe takes a message of this size whole, so that nobody waits who writes. */
static int message_in_pipe(const struct mail *mail)
{
    char message[MESSAGE_MAX];
    int ends[2];
    int n = snprintf(message, sizeof message,
                     "From: %s\nTo: %s\nSubject: %s\nAuto-Submitted: auto-generated\n"
                     "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
                     "Content-Transfer-Encoding: 8bit\n\n%s",
                     mail->from, mail->to, mail->subject, mail->text);
    if (n < 0 || n >= MESSAGE_MAX || pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    bool whole = write(ends[1], message, (size_t)n) == n;
    close(ends[1]);
    if (whole)
        return ends[0];
    close(ends[0]);
    return -1;
}

static pid_t start(const char *program, const struct mail *mail, int input)
{
    char *argv[] = {(char *)program, "-i", "-f", (char *)mail->from, "--", (char *)mail->to, NULL};
    char *environment[] = {"PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL};
    posix_spawn_file_actions_t files;
    pid_t pid = -1;
    if (posix_spawn_file_actions_init(&files) != 0)
        return -1;
    bool good =
        posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO) == 0 &&
        posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
        posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO) == 0 &&
        posix_spawn(&pid, program, &files, NULL, argv, environment) == 0;
    posix_spawn_file_actions_destroy(&files);
    return good ? pid : -1;
}

static bool ended_well(pid_t pid)
{
    int status = 1;
    for (int waited = 0; waited < TIMEOUT_MS; waited += POLL_MS) {
        if (waitpid(pid, &status, WNOHANG) == pid)
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        usleep(POLL_MS * 1000);
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    return false;
}

bool mail_send(const char *program, const struct mail *mail)
{
    int input = message_in_pipe(mail);
    if (input < 0)
        return false;
    pid_t pid = start(program, mail, input);
    close(input);
    return pid > 0 && ended_well(pid);
}
