/* Implements pager.h. */
#include "base/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { COMMAND_NOT_FOUND = 127 }; /* sh's exit code */

static pid_t pager;
static int terminal;
static struct sigaction before;

/* Starts the pager with `from` as its standard input. Returns an error number. */
static int spawn(int from)
{
    const char *given = getenv("PAGER");
    char *const less[] = {(char[]){"less"}, (char[]){"-FRSX"}, NULL};
    char *const shell[] = {(char[]){"sh"}, (char[]){"-c"}, (char *)given, NULL};
    posix_spawn_file_actions_t actions;
    int why = posix_spawn_file_actions_init(&actions);
    if (why != 0)
        return why;
    why = posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
    if (why == 0)
        why = given ? posix_spawnp(&pager, "sh", &actions, NULL, shell, environ)
                    : posix_spawnp(&pager, "less", &actions, NULL, less, environ);
    posix_spawn_file_actions_destroy(&actions);
    return why;
}

bool pager_begin(struct error *e)
{
    const char *given = getenv("PAGER");
    int ends[2];
    if (isatty(STDOUT_FILENO) != 1 ||
        (given && (strcmp(given, "") == 0 || strcmp(given, "cat") == 0)))
        return true;
    fflush(stdout);
    terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (terminal < 0 || pipe2(ends, O_CLOEXEC) != 0)
        return FAIL(e, ERROR_SYSTEM, "cannot create a pipe: %s", strerror(errno));
    int why = spawn(ends[0]);
    close(ends[0]);
    bool ok = why == 0 || why == ENOENT ||
              FAIL(e, ERROR_SYSTEM, "cannot start the pager: %s", strerror(why));
    if (why != 0)
        pager = 0;
    else if (dup2(ends[1], STDOUT_FILENO) < 0)
        ok = FAIL(e, ERROR_SYSTEM, "cannot write to the pager: %s", strerror(errno));
    close(ends[1]);
    if (pager == 0) {
        close(terminal);
        return ok;
    }
    /* If the user leaves the pager early, writing to it must not end redsweep. */
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, &before);
    return ok;
}

bool pager_end(struct error *e)
{
    int status = 0;
    if (pager == 0)
        return true;
    fflush(stdout);
    clearerr(stdout); /* an error only means that the user left the pager early */
    (void)dup2(terminal, STDOUT_FILENO);
    close(terminal);
    while (waitpid(pager, &status, 0) < 0 && errno == EINTR)
        continue;
    sigaction(SIGPIPE, &before, NULL);
    pager = 0;
    return !WIFEXITED(status) || WEXITSTATUS(status) != COMMAND_NOT_FOUND ||
           FAIL(e, ERROR_SYSTEM, "PAGER=%s cannot be run; use --no-pager to print without a pager",
                getenv("PAGER"));
}
