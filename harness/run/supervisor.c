/*
 * Starting, asking and ending a worker: see supervisor.h.
 */
#include "run/supervisor.h"

#include <errno.h>
#include <fcntl.h>
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
#include "run/processes.h"

enum { QUIT_LIMIT_MS = 5000 };

static void forget(struct supervisor *s)
{
    if (s->worker == 0)
        return;
    close(s->to_worker);
    close(s->from_worker);
    incoming_free(&s->incoming);
    s->worker = 0;
}

static void describe_end(const struct supervisor *s, int status, struct worker_end *end)
{
    if (WIFSIGNALED(status))
        snprintf(end->how, sizeof end->how, "killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
        snprintf(end->how, sizeof end->how, "ended with exit code %d", WEXITSTATUS(status));
    end->out_of_memory = WIFEXITED(status) && WEXITSTATUS(status) == EXIT_OUT_OF_MEMORY;
    end->bytes = end->out_of_memory && s->shared ? s->shared->wanted_bytes : 0;
}

void supervisor_kill(struct supervisor *s, struct worker_end *end)
{
    int status = 0;
    if (end)
        memset(end, 0, sizeof *end);
    if (s->worker == 0)
        return;
    /* A worker that closed its pipe is about to end by itself: wait a little for the reason. */
    pid_t ended = 0;
    for (int tries = 0; end && tries < 50 && ended == 0; tries++) {
        ended = waitpid(s->worker, &status, WNOHANG);
        if (ended == 0)
            usleep(2000);
    }
    if (ended == s->worker && end) {
        describe_end(s, status, end);
    } else {
        kill(s->worker, SIGKILL);
        while (waitpid(s->worker, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    forget(s);
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

void supervisor_request(struct supervisor *s, enum message_type type, const void *payload,
                        size_t length)
{
    s->asked.type = type;
    s->heard_s = awake_now_s();
    (void)message_send(s->to_worker, type, payload, (uint32_t)length, NULL);
}

enum received supervisor_receive(struct supervisor *s, int timeout_ms, struct message *m)
{
    enum received received = message_receive_part(s->from_worker, timeout_ms, &s->incoming, m);
    if (received == RECEIVED_MESSAGE && !message_valid(m, &s->asked)) {
        message_free(m);
        return RECEIVED_MALFORMED;
    }
    if (received == RECEIVED_MESSAGE)
        s->heard_s = awake_now_s();
    return received;
}

bool supervisor_opened(struct supervisor *s, enum received received, const struct message *m,
                       struct error *e)
{
    struct worker_end end;
    if (received != RECEIVED_MESSAGE)
        supervisor_kill(s, &end);
    switch (received) {
    case RECEIVED_MESSAGE:
        break;
    case RECEIVED_TIMEOUT:
        return FAIL(e, ERROR_DEVICE,
                    "the device did not open: its process did not answer within two minutes");
    case RECEIVED_MALFORMED:
        return FAIL(e, ERROR_DEVICE,
                    "the device did not open: its process sent a malformed message");
    default:
        return FAIL(e, ERROR_DEVICE, "the device did not open: its process %s",
                    end.out_of_memory ? "ran out of memory"
                    : end.how[0]      ? end.how
                                      : "ended without an exit status");
    }
    bool ok = m->type == MESSAGE_HELLO;
    if (ok) {
        memcpy(&s->hello, m->payload, sizeof s->hello);
    } else {
        const struct refusal *r = (const struct refusal *)m->payload;
        FAIL_LINES(e, r->kind, "%s", r->text);
    }
    if (!ok)
        supervisor_kill(s, NULL);
    return ok;
}

bool supervisor_fork(struct supervisor *s, struct error *e)
{
    int down[2], up[2];
    if (!pipes_make(down, up, e))
        return false;
    share_memory(s);
    fflush(NULL); /* nothing that is still in a buffer may be written by both */
    pid_t parent = getpid();
    pid_t pid = fork();
    if (pid == 0) {
        /* A worker whose parent died must not hold the device. */
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) /* it died before that call */
            _exit(1);
        close(down[1]);
        close(up[0]);
        worker_main(s->setup, down[0], up[1], s->shared);
    }
    close(down[0]);
    close(up[1]);
    if (pid < 0) {
        close(down[1]);
        close(up[0]);
        return FAIL(e, ERROR_PROCESS, "cannot start a worker process: %s", strerror(errno));
    }
    (void)fcntl(down[1], F_SETFL, O_NONBLOCK); /* a worker that hangs must not hang its parent */
    s->worker = pid;
    s->quitting = false;
    s->to_worker = down[1];
    s->from_worker = up[0];
    s->asked = (struct asked){0};
    s->heard_s = awake_now_s();
    return true;
}

void supervisor_quit(struct supervisor *s)
{
    if (s->worker != 0)
        s->quitting = message_send(s->to_worker, MESSAGE_QUIT, NULL, 0, NULL);
}

void supervisor_stop(struct supervisor *s)
{
    if (s->worker == 0)
        return;
    if (!s->quitting)
        supervisor_quit(s);
    bool asked = s->quitting;
    for (int waited = 0; asked && waited < QUIT_LIMIT_MS; waited += 5) {
        if (waitpid(s->worker, NULL, WNOHANG) == s->worker) {
            forget(s);
            return;
        }
        usleep(5000);
    }
    supervisor_kill(s, NULL);
}

double supervisor_cpu_s(const struct supervisor *s)
{
    clockid_t clock;
    struct timespec used = {0};
    if (s->worker != 0 && clock_getcpuclockid(s->worker, &clock) == 0)
        (void)clock_gettime(clock, &used);
    return (double)used.tv_sec + (double)used.tv_nsec * 1e-9;
}
