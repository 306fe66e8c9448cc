/* Implements limited.h. */
#include "compile/limited.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/awake.h"
#include "base/memory.h"
#include "base/transfer.h"
#include "base/vec.h"

#define LARGEST_RESULT ((uint64_t)1 << 30)
/* How many seconds the machine may refuse to start processes before requests fail. */
#define REFUSAL_LIMIT_S 5.0
enum { ASK_AGAIN_US = 100 * 1000 };
/*
 * How much memory a compiling process may keep after a request. A process that keeps more is
 * replaced.
 */
#define KEPT_BYTES ((uint64_t)256 << 20)

/* A compiling process, and the parent's end of the socket to it. */
struct compile_process {
    pid_t pid;
    int fd;
    int served; /* how many requests it has handled */
};

struct compile_processes {
    compile_step *step;
    const void *context;
    struct compile_limits limits;
    /* The process that started the compiling processes. A fork of it must not use them. */
    pid_t owner;
    pthread_mutex_t lock;
    VEC(struct compile_process) waiting;
    /* Since when the machine has refused to start processes; 0 if the latest start succeeded. */
    double refused_since_s;
};

/*
 * What a compiling process sends as a result, followed by `length` bytes: the image or the error
 * message.
 */
struct result_header {
    bool ok;
    bool last; /* true if the process ends after this result */
    enum error_kind kind;
    uint64_t length;
};

/* ---- The compiling process ------------------------------------------------------------------- */

/*
 * Measures how large the address space of this process is, and how much memory it uses, in bytes.
 * Sets both to 0 if /proc is not available.
 */
static void measure_memory(uint64_t *address_space, uint64_t *resident)
{
    unsigned long long pages[2] = {0, 0};
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%llu %llu", &pages[0], &pages[1]) != 2)
        pages[0] = pages[1] = 0;
    if (f)
        fclose(f);
    *address_space = pages[0] * (uint64_t)sysconf(_SC_PAGESIZE);
    *resident = pages[1] * (uint64_t)sysconf(_SC_PAGESIZE);
}

/*
 * The hook for running out of memory (base/memory.h). It prints nothing, because the parent reports
 * the failure.
 */
static void end_silently(size_t bytes)
{
    (void)bytes;
}

static volatile pid_t forked_by;

static void end_with_parent(int number)
{
    (void)number;
    if (getppid() != forked_by)
        _exit(1);
}

/*
 * Makes sure that this process ends if its parent dies. While a request is handled, a timer signal
 * checks every second whether the parent still exists. A process that has been stopped receives no
 * timer signals, so prctl() requests a SIGCONT for the time when the parent dies. The handler of
 * SIGCONT makes the same check and does not simply end the process, because SIGCONT also arrives
 * when only the parent's thread ends that called fork().
 */
static void watch_for_end(pid_t parent)
{
    forked_by = parent;
    struct sigaction watch;
    memset(&watch, 0, sizeof watch);
    watch.sa_handler = end_with_parent;
    watch.sa_flags = SA_RESTART;
    (void)sigaction(SIGALRM, &watch, NULL);
    (void)sigaction(SIGCONT, &watch, NULL);
    (void)prctl(PR_SET_PDEATHSIG, SIGCONT);
    end_with_parent(0); /* the parent may have died before this point */
}

/*
 * Makes the timer check every `seconds` seconds whether the parent still exists. 0 stops the timer.
 */
static void watch_parent(int seconds)
{
    struct itimerval every = {{seconds, 0}, {seconds, 0}};
    (void)setitimer(ITIMER_REAL, &every, NULL);
}

static void set_limits(const struct compile_limits *limits)
{
    uint64_t has, resident, more = (uint64_t)limits->mebibytes << 20;
    memory_limit_end();
    measure_memory(&has, &resident);
    struct rlimit room = {has + more, has + more};
    if (has)
        (void)setrlimit(RLIMIT_AS, &room);
    struct rlimit no_core = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &no_core);
}

/*
 * Makes malloc() keep the memory that a compilation frees, so that it need not be mapped and
 * cleared again for the next one.
 */
static void keep_memory(void)
{
    (void)mallopt(M_TRIM_THRESHOLD, (int)KEPT_BYTES);
    (void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
    (void)mallopt(M_TOP_PAD, 4 << 20);
}

/*
 * Returns the bytes of the next request, which the caller frees. Ends the process if the parent has
 * closed the socket.
 */
static char *next_request(int fd, uint64_t *length)
{
    if (!read_exactly(fd, length, sizeof *length, NO_DEADLINE))
        _exit(0);
    char *request = xmalloc((size_t)*length + 1);
    if (!read_exactly(fd, request, (size_t)*length, NO_DEADLINE))
        _exit(0);
    request[*length] = '\0';
    return request;
}

_Noreturn static void serve(const struct compile_processes *p, int fd)
{
    uint64_t space, resident_first, resident;
    measure_memory(&space, &resident_first);
    for (int turn = 1;; turn++) {
        struct error e = {0};
        char *bytes = NULL;
        uint64_t request_length;
        size_t length = 0;
        char *request = next_request(fd, &request_length);
        watch_parent(1);
        bool ok = p->step(p->context, request, (size_t)request_length, &bytes, &length, &e);
        watch_parent(0);
        measure_memory(&space, &resident);
        struct result_header h;
        memset(&h, 0, sizeof h);
        h.ok = ok;
        h.last = turn >= p->limits.turns || resident > resident_first + KEPT_BYTES ||
                 (!ok && e.kind == ERROR_MEMORY);
        h.kind = e.kind;
        h.length = ok ? length : strlen(e.text);
        if (!write_exactly(fd, &h, sizeof h, NO_DEADLINE) ||
            !write_exactly(fd, ok ? bytes : e.text, (size_t)h.length, NO_DEADLINE))
            _exit(1);
        if (h.last)
            _exit(0);
        free(request);
        if (ok)
            free(bytes);
    }
}

/* Closes all descriptors from `first` to `last`. close_range() needs glibc 2.34 and Linux 5.9. */
static void close_descriptors(unsigned first, unsigned last)
{
#ifdef SYS_close_range
    if (first > last || syscall(SYS_close_range, first, last, 0) == 0)
        return;
#endif
    struct rlimit most = {.rlim_cur = 1u << 20};
    getrlimit(RLIMIT_NOFILE, &most);
    for (unsigned fd = first; fd <= last && fd < most.rlim_cur && fd < 1u << 20; fd++)
        close((int)fd);
}

_Noreturn static void run_process(const struct compile_processes *p, pid_t parent, int fd)
{
    memory_set_hook(end_silently);
    watch_for_end(parent);
    (void)signal(SIGPIPE, SIG_IGN);
    /*
     * This process has inherited the parent's descriptors. If it kept the socket of another
     * compiling process open, readers of that socket would never see the end of the data.
     */
    close_descriptors(3, (unsigned)fd - 1);
    close_descriptors((unsigned)fd + 1, ~0u);
    set_limits(&p->limits);
    keep_memory();
    serve(p, fd);
}

/* ---- The requesting threads ------------------------------------------------------------------ */

/*
 * Makes two connected sockets. Their descriptors are above 2, even if a standard descriptor is
 * closed and its number is free.
 */
static bool make_sockets(int ends[2], struct error *e)
{
    int made[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, made) != 0)
        return FAIL(e, ERROR_PROCESS, "cannot create a socket: %s", strerror(errno));
    for (int i = 0; i < 2; i++) {
        ends[i] = fcntl(made[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(made[i]);
    }
    if (ends[0] >= 0 && ends[1] >= 0)
        return true;
    FAIL(e, ERROR_PROCESS, "cannot create a socket, because too many files are open");
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            close(ends[i]);
    return false;
}

static bool start_process(const struct compile_processes *p, struct compile_process *out,
                          struct error *e)
{
    int ends[2] = {-1, -1};
    if (!make_sockets(ends, e))
        return false;
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        run_process(p, parent, ends[1]);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return FAIL(e, ERROR_PROCESS,
                    "the compiler process cannot be started: %s; resume the run when this machine "
                    "can start processes again",
                    strerror(errno));
    }
    *out = (struct compile_process){.pid = pid, .fd = ends[0]};
    return true;
}

/*
 * Kills a process or, if `by_itself` is true, waits until it has ended by itself. Returns its exit
 * status.
 */
static int end_process(const struct compile_process *process, bool by_itself)
{
    int status = 0;
    close(process->fd);
    if (!by_itself)
        kill(process->pid, SIGKILL);
    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

static void end_waiting(struct compile_processes *p)
{
    for (size_t i = 0; i < p->waiting.count; i++)
        if (p->owner == getpid())
            end_process(&p->waiting.items[i], false);
        else
            close(p->waiting.items[i].fd);
    p->waiting.count = 0;
    p->owner = getpid();
}

/*
 * Notes whether the machine has just refused to start a process. Returns whether to try again: only
 * after a refusal, and only until refusals have lasted for REFUSAL_LIMIT_S seconds.
 */
static bool may_ask_again(struct compile_processes *p, bool refused)
{
    double now = awake_now_s();
    pthread_mutex_lock(&p->lock);
    if (!refused || p->refused_since_s == 0)
        p->refused_since_s = refused ? now : 0;
    bool may = refused && now - p->refused_since_s < REFUSAL_LIMIT_S;
    pthread_mutex_unlock(&p->lock);
    return may;
}

/*
 * Starts a process. If the machine refuses, tries again, because it may be able to start one a
 * moment later.
 */
static bool await_process(struct compile_processes *p, struct compile_process *out, struct error *e)
{
    bool started = start_process(p, out, e);
    while (may_ask_again(p, !started)) {
        usleep(ASK_AGAIN_US);
        started = start_process(p, out, e);
    }
    return started;
}

/* Takes a waiting process if there is one and `fresh` is false. Otherwise starts a new one. */
static bool take_process(struct compile_processes *p, bool fresh, struct compile_process *out,
                         struct error *e)
{
    pthread_mutex_lock(&p->lock);
    if (p->owner != getpid())
        end_waiting(p);
    bool found = p->waiting.count > 0 && !fresh;
    if (found)
        *out = p->waiting.items[--p->waiting.count];
    pthread_mutex_unlock(&p->lock);
    return found || await_process(p, out, e);
}

static void give_back(struct compile_processes *p, const struct compile_process *process)
{
    pthread_mutex_lock(&p->lock);
    vec_push(&p->waiting, *process);
    pthread_mutex_unlock(&p->lock);
}

/*
 * Receives the result of a compiling process. Returns NULL if it does not arrive before the
 * deadline, or if the process has ended.
 */
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

/*
 * Fails with an error that says why no result came. A compiler whose allocation fails exits or
 * crashes, so the error names the memory limit, too.
 */
static bool explain(const struct compile_limits *limits, bool in_time, int status, bool *exceeded,
                    struct error *e)
{
    *exceeded = true;
    if (!in_time)
        return FAIL(e, ERROR_COMPILE,
                    "the kernel did not compile within %g s (timing.compile_limit_s of the config)",
                    limits->seconds);
    if (WIFSIGNALED(status))
        return FAIL(e, ERROR_COMPILE,
                    "the compiler's process was killed by signal %d (%s); its memory limit is %d "
                    "MiB (timing.compile_memory_mib of the config)",
                    WTERMSIG(status), strsignal(WTERMSIG(status)), limits->mebibytes);
    return FAIL(e, ERROR_COMPILE,
                "the compiler's process ended with exit code %d; its memory limit is %d MiB "
                "(timing.compile_memory_mib of the config)",
                WEXITSTATUS(status), limits->mebibytes);
}

/* Fails with the error that the process has sent, and frees its text. */
static bool fail_as_step(const struct compile_limits *limits, const struct result_header *h,
                         char *sent, bool *exceeded, struct error *e)
{
    *exceeded = h->kind == ERROR_MEMORY;
    if (*exceeded)
        FAIL_LINES(
            e, ERROR_COMPILE,
            "%s\n"
            "The compiler's memory limit is %d MiB (timing.compile_memory_mib of the config)",
            sent, limits->mebibytes);
    else
        FAIL_LINES(e, h->kind, "%s", sent);
    free(sent);
    return false;
}

/*
 * Tries once to handle a request, in a new process if `*again` is true. Then sets `*again` to
 * whether to try again: true if the process broke and had handled earlier requests, which may be
 * the cause. It is false if the time limit was exceeded.
 */
static bool try_once(struct compile_processes *p, const char *request, uint64_t request_length,
                     bool *again, char **bytes, size_t *length, bool *exceeded, struct error *e)
{
    struct compile_process process;
    bool fresh = *again;
    *again = false;
    if (!take_process(p, fresh, &process, e))
        return false;
    double deadline_s = awake_now_s() + p->limits.seconds;
    struct result_header h = {0};
    bool asked = send_exactly(process.fd, &request_length, sizeof request_length, NO_DEADLINE) &&
                 send_exactly(process.fd, request, (size_t)request_length, NO_DEADLINE);
    char *sent = asked ? receive(process.fd, deadline_s, &h) : NULL;
    bool in_time = awake_now_s() < deadline_s;
    if (!sent) {
        int status = end_process(&process, in_time);
        *again = in_time && (process.served > 0 || !asked);
        return explain(&p->limits, in_time, status, exceeded, e);
    }
    *again = !h.ok && h.kind == ERROR_MEMORY && process.served > 0;
    process.served++;
    if (h.last)
        end_process(&process, true);
    else
        give_back(p, &process);
    if (!h.ok)
        return fail_as_step(&p->limits, &h, sent, exceeded, e);
    *bytes = sent;
    *length = (size_t)h.length;
    return true;
}

bool compile_limited(struct compile_processes *p, const char *request, size_t request_length,
                     char **bytes, size_t *length, bool *exceeded, struct error *e)
{
    bool again = false;
    *exceeded = false;
    bool ok = try_once(p, request, request_length, &again, bytes, length, exceeded, e);
    if (!again)
        return ok;
    *exceeded = false;
    return try_once(p, request, request_length, &again, bytes, length, exceeded, e);
}

/* ---- All processes --------------------------------------------------------------------------- */

struct compile_processes *compile_processes_new(compile_step *step, const void *context)
{
    struct compile_processes *p = xcalloc(1, sizeof *p);
    p->step = step;
    p->context = context;
    p->owner = getpid();
    pthread_mutex_init(&p->lock, NULL);
    return p;
}

void compile_processes_free(struct compile_processes *p)
{
    if (!p)
        return;
    end_waiting(p);
    vec_free(&p->waiting);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

void compile_processes_limit(struct compile_processes *p, const struct compile_limits *limits)
{
    end_waiting(p);
    p->limits = *limits;
}

void compile_processes_start(struct compile_processes *p, int count)
{
    struct compile_process process;
    if (p->owner != getpid())
        end_waiting(p);
    while (p->waiting.count < (size_t)count && start_process(p, &process, NULL))
        give_back(p, &process);
}
