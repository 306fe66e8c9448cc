/* Starts a worker, sends it requests and ends it; see supervisor.h. */
#include "run/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/awake.h"
#include "base/memory.h"

/* A worker that closed its pipe must end by itself within this time. */
#define END_LIMIT_S 0.1
enum { QUIT_LIMIT_MS = 5000 };

static void forget(struct supervisor *s)
{
    close(s->to_worker);
    close(s->from_worker);
    incoming_free(&s->incoming);
    text_free(&s->outgoing);
    s->sent = 0;
    s->worker = 0;
}

static void describe_end(const struct supervisor *s, int status, struct worker_end *end)
{
    if (WIFSIGNALED(status))
        snprintf(end->how, sizeof end->how, "it was killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
        snprintf(end->how, sizeof end->how, "it ended with exit code %d", WEXITSTATUS(status));
    end->out_of_memory = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_OUT_OF_MEMORY;
    end->bytes = end->out_of_memory && s->shared ? s->shared->wanted_bytes : 0;
}

void supervisor_kill(struct supervisor *s)
{
    if (s->worker == 0)
        return;
    if (!s->reaped && kill(s->worker, SIGKILL) == 0)
        s->dying = s->worker;
    forget(s);
}

bool supervisor_gone(struct supervisor *s)
{
    if (s->dying != 0 && waitpid(s->dying, NULL, WNOHANG) == 0)
        return false;
    s->dying = 0;
    return true;
}

static void share_memory(struct supervisor *s)
{
    if (!s->shared) {
        s->shared = mmap(NULL, sizeof *s->shared, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (s->shared == MAP_FAILED)
            s->shared = NULL;
    }
    if (s->shared)
        memset(s->shared, 0, sizeof *s->shared);
}

/*
 * Sends as much of the request as the worker accepts now. If the worker has died, the rest of the
 * request is discarded, and supervisor_receive() will notice.
 */
static void send_more(struct supervisor *s)
{
    while (s->sent < s->outgoing.length) {
        ssize_t put =
            write(s->to_worker, s->outgoing.bytes + s->sent, s->outgoing.length - s->sent);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0 && errno == EAGAIN)
            return;
        s->sent = put < 0 ? s->outgoing.length : s->sent + (size_t)put;
    }
    text_free(&s->outgoing);
    s->sent = 0;
}

void supervisor_request(struct supervisor *s, enum message_type type, const void *payload,
                        size_t length)
{
    s->asked.type = type;
    s->heard_s = awake_now_s();
    message_append(&s->outgoing, type, payload, (uint32_t)length);
    send_more(s);
}

/*
 * Handles a worker that closed its pipe. The worker is about to end, and its exit status will show
 * why.
 */
static enum received hear_end(struct supervisor *s)
{
    int status;
    if (s->closed_s == 0)
        s->closed_s = awake_now_s();
    s->reaped = waitpid(s->worker, &status, WNOHANG) == s->worker;
    if (s->reaped)
        describe_end(s, status, &s->end);
    return s->reaped || awake_now_s() - s->closed_s >= END_LIMIT_S ? RECEIVED_END
                                                                   : RECEIVED_INTERRUPT;
}

enum received supervisor_receive(struct supervisor *s, struct message *m)
{
    send_more(s);
    enum received received =
        s->closed_s > 0 ? RECEIVED_END : message_receive_part(s->from_worker, 0, &s->incoming, m);
    if (received == RECEIVED_END)
        return hear_end(s);
    if (received == RECEIVED_MESSAGE && !message_valid(m, &s->asked)) {
        message_free(m);
        return RECEIVED_MALFORMED;
    }
    if (received == RECEIVED_MESSAGE)
        s->heard_s = awake_now_s();
    return received;
}

double supervisor_waits(const struct supervisor *s, struct pollfd fds[2])
{
    bool listens = s->worker != 0 && s->closed_s == 0;
    fds[0] = (struct pollfd){.fd = listens ? s->from_worker : -1, .events = POLLIN};
    fds[1] =
        (struct pollfd){.fd = listens && s->outgoing.length ? s->to_worker : -1, .events = POLLOUT};
    return s->worker != 0 && s->closed_s > 0 ? SUPERVISOR_STEP_S : HUGE_VAL;
}

bool supervisor_opened(struct supervisor *s, enum received received, const struct message *m,
                       struct error *e)
{
    if (received != RECEIVED_MESSAGE)
        supervisor_kill(s);
    switch (received) {
    case RECEIVED_MESSAGE:
        break;
    case RECEIVED_TIMEOUT:
        return FAIL(e, ERROR_DEVICE,
                    "the device cannot be opened, because its process did not answer within two "
                    "minutes; redsweep doctor examines the device");
    case RECEIVED_MALFORMED:
        return FAIL(e, ERROR_DEVICE,
                    "the device cannot be opened, because its process sent a malformed message");
    default:
        return FAIL(e, ERROR_DEVICE,
                    "the device cannot be opened, because its process ended too early: %s",
                    s->end.out_of_memory ? "it ran out of memory"
                    : s->end.how[0]      ? s->end.how
                                         : "it left no exit status");
    }
    bool ok = m->type == MESSAGE_HELLO;
    if (ok) {
        memcpy(&s->hello, m->payload, sizeof s->hello);
    } else {
        const struct refusal *r = (const struct refusal *)m->payload;
        FAIL_LINES(e, r->kind, "%s", r->text);
    }
    if (!ok)
        supervisor_kill(s);
    return ok;
}

bool supervisor_fork(struct supervisor *s, struct error *e)
{
    int down[2] = {-1, -1}, up[2] = {-1, -1};
    share_memory(s);
    fflush(NULL); /* otherwise, both processes would write the buffered output */
    pid_t parent = getpid();
    pid_t pid = pipe(down) == 0 && pipe(up) == 0 ? fork() : -1;
    if (pid == 0) {
        /* the worker must not keep the device when the parent has died */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) /* the parent died before the prctl() */
            _exit(1);
        close(down[1]);
        close(up[0]);
        worker_main(s->setup, down[0], up[1], s->shared);
    }
    if (pid < 0)
        FAIL(e, ERROR_PROCESS, "cannot start a process for the device: %s", strerror(errno));
    int unused[] = {down[0], up[1], pid < 0 ? down[1] : -1, pid < 0 ? up[0] : -1};
    for (int i = 0; i < 4; i++)
        if (unused[i] >= 0)
            close(unused[i]);
    if (pid < 0)
        return false;
    (void)fcntl(down[1], F_SETFL, O_NONBLOCK); /* a hung worker must not hang its parent */
    s->worker = pid;
    s->quitting = s->reaped = false;
    s->to_worker = down[1];
    s->from_worker = up[0];
    s->asked = (struct asked){0};
    s->end = (struct worker_end){.bytes = 0};
    s->closed_s = 0;
    s->heard_s = awake_now_s();
    return true;
}

void supervisor_quit(struct supervisor *s)
{
    if (s->worker == 0 || s->outgoing.length > 0)
        return;
    supervisor_request(s, MESSAGE_QUIT, NULL, 0);
    s->quitting = s->outgoing.length == 0;
}

/* Waits until a process has ended. Returns false if it has not ended after QUIT_LIMIT_MS. */
static bool await_end(pid_t process)
{
    for (int waited = 0; waited < QUIT_LIMIT_MS; waited += 5) {
        if (waitpid(process, NULL, WNOHANG) != 0)
            return true;
        usleep(5000);
    }
    return false;
}

void supervisor_stop(struct supervisor *s)
{
    if (!s->quitting)
        supervisor_quit(s);
    if (s->worker != 0 && s->quitting)
        s->reaped = await_end(s->worker);
    supervisor_kill(s);
    if (s->dying != 0)
        (void)await_end(s->dying);
}

double supervisor_cpu_s(const struct supervisor *s)
{
    clockid_t clock;
    struct timespec used = {0};
    if (s->worker != 0 && clock_getcpuclockid(s->worker, &clock) == 0)
        (void)clock_gettime(clock, &used);
    return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}
