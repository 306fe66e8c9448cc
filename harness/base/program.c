/* Implements program.h. */
#include "base/program.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

const char *program_name = "redsweep";

static bool read_all(int from, struct text *printed)
{
    char bytes[4096];
    for (;;) {
        ssize_t count = read(from, bytes, sizeof bytes);
        if (count == 0)
            return true;
        if (count > 0)
            text_append_bytes(printed, bytes, (size_t)count);
        else if (errno != EINTR)
            return false;
    }
}

/* Starts the program. What it prints to stdout can be read from the descriptor *from. */
static bool start(const char *const *arguments, pid_t *pid, int *from, struct error *e)
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return FAIL(e, ERROR_SYSTEM, "cannot create a pipe: %s", strerror(errno));
    int why = posix_spawn_file_actions_init(&actions);
    if (why == 0) {
        why = posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        if (why == 0)
            why =
                posix_spawnp(pid, arguments[0], &actions, NULL, (char *const *)arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    close(ends[1]);
    *from = ends[0];
    if (why == 0)
        return true;
    close(ends[0]);
    return FAIL(e, ERROR_SYSTEM, "cannot start %s: %s", arguments[0], strerror(why));
}

bool program_run(const char *const *arguments, struct text *printed, struct error *e)
{
    pid_t pid;
    int from = -1, status;
    if (!start(arguments, &pid, &from, e))
        return false;
    bool read = read_all(from, printed);
    int why = errno;
    close(from);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return FAIL(e, ERROR_SYSTEM, "cannot wait for %s: %s", arguments[0], strerror(errno));
    if (!read)
        return FAIL(e, ERROR_SYSTEM, "cannot read the output of %s: %s", arguments[0],
                    strerror(why));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    return WIFEXITED(status) ? FAIL(e, ERROR_SYSTEM, "%s ended with exit code %d", arguments[0],
                                    WEXITSTATUS(status))
                             : FAIL(e, ERROR_SYSTEM, "%s was killed by signal %d", arguments[0],
                                    WTERMSIG(status));
}

void shell_quote(struct text *t, const char *word)
{
    text_append(t, "'");
    for (; *word; word++)
        if (*word == '\'')
            text_append(t, "'\\''");
        else
            text_append_bytes(t, word, 1);
    text_append(t, "'");
}

void shell_word(struct text *t, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=+,-";
    if (*word && !word[strspn(word, plain)])
        text_append_bytes(t, word, strlen(word));
    else
        shell_quote(t, word);
}

void shell_append(struct text *t, const char *commands, const char *const *words)
{
    for (const char *at = commands; *at;) {
        size_t plain = strcspn(at, "@");
        text_append_bytes(t, at, plain);
        at += plain;
        if (*at++ == '@')
            shell_quote(t, *words++);
        else
            break;
    }
}
