/*
 * Compilations with limits: see limited.h.
 */
#include "compile/limited.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/transfer.h"

#define LARGEST_RESULT ((uint64_t)1 << 30)

/* What the process sends: this, then `length` bytes: the image, or the text of its error. */
struct result_header {
    bool ok;
    enum error_kind kind;
    uint64_t length;
};

/* Bytes of address space that this process has; 0 when /proc is not there. */
static uint64_t address_space(void)
{
    unsigned long long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%llu", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* The one who forked says what it means. */
static void end_silently(size_t bytes)
{
    (void)bytes;
}

_Noreturn static void run_step(const struct compile_limits *limits, compile_step *step,
                               void *context, pid_t parent, int out)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    memory_set_hook(end_silently);
    if (getppid() != parent)
        _exit(1);
    /* Not only tidiness: a pipe that stays open here never ends for the one who reads it. */
    if (out > 3)
        close_range(3, (unsigned)out - 1, 0);
    close_range((unsigned)out + 1, ~0u, 0);
    uint64_t has = address_space(), more = (uint64_t)limits->mebibytes << 20;
    struct rlimit room = {has + more, has + more};
    if (has)
        (void)setrlimit(RLIMIT_AS, &room);
    struct rlimit no_core = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &no_core);
    struct error e = {0};
    char *bytes = NULL;
    size_t length = 0;
    bool ok = step(context, &bytes, &length, &e);
    struct result_header h = {ok, e.kind, ok ? length : strlen(e.text)};
    bool sent = write_exactly(out, &h, sizeof h, NO_DEADLINE) &&
                write_exactly(out, ok ? bytes : e.text, (size_t)h.length, NO_DEADLINE);
    _exit(sent ? 0 : 1);
}

/* Receives what the process sends; NULL when it does not, or not in time. */
static char *receive(int fd, double deadline_s, struct result_header *h)
{
    if (!read_exactly(fd, h, sizeof *h, deadline_s) || h->length > LARGEST_RESULT)
        return NULL;
    char *bytes = xmalloc((size_t)h->length + 1);
    if (!read_exactly(fd, bytes, (size_t)h->length, deadline_s)) {
        free(bytes);
        return NULL;
    }
    bytes[h->length] = '\0';
    return bytes;
}

static int end_process(pid_t pid, bool in_time)
{
    int status = 0;
    if (!in_time)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

/* Why nothing came. Compilers do not survive a failed allocation: some end, some crash. */
static bool explain(const struct compile_limits *limits, bool in_time, int status, bool *exceeded,
                    struct error *e)
{
    *exceeded = true;
    if (!in_time)
        return FAIL(e, ERROR_COMPILE,
                    "did not compile within %g s (timing.compile_limit_s of the config)",
                    limits->seconds);
    if (WIFSIGNALED(status))
        return FAIL(e, ERROR_COMPILE,
                    "the compiler's process was killed by signal %d (%s); it may use %d MiB "
                    "(timing.compile_memory_mib of the config)",
                    WTERMSIG(status), strsignal(WTERMSIG(status)), limits->mebibytes);
    return FAIL(e, ERROR_COMPILE,
                "the compiler's process ended with exit code %d; it may use %d MiB "
                "(timing.compile_memory_mib of the config)",
                WEXITSTATUS(status), limits->mebibytes);
}

bool compile_limited(const struct compile_limits *limits, compile_step *step, void *context,
                     char **bytes, size_t *length, bool *exceeded, struct error *e)
{
    int ends[2];
    double deadline_s = clock_now_s() + limits->seconds;
    *exceeded = false;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return FAIL(e, ERROR_SYSTEM, "cannot make a pipe: %s", strerror(errno));
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        run_step(limits, step, context, parent, ends[1]);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return FAIL(e, ERROR_SYSTEM, "cannot start a process to compile in: %s", strerror(errno));
    }
    struct result_header h = {0};
    char *sent = receive(ends[0], deadline_s, &h);
    bool in_time = clock_now_s() < deadline_s;
    close(ends[0]);
    int status = end_process(pid, sent || in_time);
    if (!sent)
        return explain(limits, in_time, status, exceeded, e);
    if (!h.ok) {
        *exceeded = h.kind == ERROR_MEMORY;
        if (*exceeded)
            FAIL(e, ERROR_COMPILE,
                 "%s\nIt may use %d MiB (timing.compile_memory_mib of the config)", sent,
                 limits->mebibytes);
        else
            FAIL(e, h.kind, "%s", sent);
        free(sent);
        return false;
    }
    *bytes = sent;
    *length = (size_t)h.length;
    return true;
}
