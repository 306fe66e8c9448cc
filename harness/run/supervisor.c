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
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLICE_MS = 200 };
enum { HELLO_LIMIT_MS = 120 * 1000, ANSWER_LIMIT_MS = 120 * 1000, QUIT_LIMIT_MS = 5000 };

static void forget(struct supervisor *s)
{
    if (s->worker == 0)
        return;
    close(s->to_worker);
    close(s->from_worker);
    s->worker = 0;
}

static void describe_end(int status, char how[128])
{
    how[0] = '\0';
    if (WIFSIGNALED(status))
        snprintf(how, 128, "killed by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
        snprintf(how, 128, "ended with exit code %d", WEXITSTATUS(status));
}

void supervisor_kill(struct supervisor *s, char how[128])
{
    int status = 0;
    if (how)
        how[0] = '\0';
    if (s->worker == 0)
        return;
    /* A worker that closed its pipe is about to end by itself: wait a little for the reason. */
    pid_t ended = 0;
    for (int tries = 0; how && tries < 50 && ended == 0; tries++) {
        ended = waitpid(s->worker, &status, WNOHANG);
        if (ended == 0)
            usleep(2000);
    }
    if (ended == s->worker && how) {
        describe_end(status, how);
    } else {
        kill(s->worker, SIGKILL);
        while (waitpid(s->worker, &status, 0) < 0 && errno == EINTR)
            continue;
    }
    forget(s);
}

static bool make_pipes(int down[2], int up[2], struct error *e)
{
    if (pipe(down) != 0)
        return FAIL(e, ERROR_SYSTEM, "cannot make a pipe: %s", strerror(errno));
    if (pipe(up) != 0) {
        close(down[0]);
        close(down[1]);
        return FAIL(e, ERROR_SYSTEM, "cannot make a pipe: %s", strerror(errno));
    }
    return true;
}

static bool asked_to_stop(const struct supervisor *s)
{
    return s->stop && *s->stop;
}

enum received supervisor_await(struct supervisor *s, int limit_ms, struct message *m)
{
    enum received received = RECEIVED_TIMEOUT;
    for (int waited = 0; waited < limit_ms && !asked_to_stop(s); waited += SLICE_MS) {
        received = message_receive(s->from_worker, SLICE_MS, m);
        if (received == RECEIVED_MESSAGE || received == RECEIVED_END)
            return received;
    }
    return asked_to_stop(s) ? RECEIVED_INTERRUPT : RECEIVED_TIMEOUT;
}

static bool await_hello(struct supervisor *s, struct error *e)
{
    struct message m;
    enum received received = supervisor_await(s, HELLO_LIMIT_MS, &m);
    if (received == RECEIVED_INTERRUPT) {
        supervisor_kill(s, NULL);
        return FAIL(e, ERROR_SYSTEM, "stopped by a signal while the device was being opened");
    }
    if (received != RECEIVED_MESSAGE) {
        char how[128];
        supervisor_kill(s, how);
        return FAIL(e, ERROR_DEVICE, "the device did not open: its process %s",
                    received == RECEIVED_TIMEOUT ? "did not answer within two minutes"
                    : how[0]                     ? how
                                                 : "ended without a word");
    }
    bool ok = m.type == MESSAGE_HELLO && m.length == sizeof s->hello;
    if (ok) {
        memcpy(&s->hello, m.payload, sizeof s->hello);
    } else if (m.type == MESSAGE_REFUSED && m.length == sizeof(struct refusal)) {
        const struct refusal *r = (const struct refusal *)m.payload;
        FAIL(e, r->kind, "%s", r->text);
    } else {
        FAIL(e, ERROR_INTERNAL, "the worker began with a message of type %d", (int)m.type);
    }
    message_free(&m);
    if (!ok)
        supervisor_kill(s, NULL);
    return ok;
}

bool supervisor_start(struct supervisor *s, struct error *e)
{
    int down[2], up[2];
    if (!make_pipes(down, up, e))
        return false;
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
        worker_main(s->setup, down[0], up[1]);
    }
    close(down[0]);
    close(up[1]);
    if (pid < 0) {
        close(down[1]);
        close(up[0]);
        return FAIL(e, ERROR_SYSTEM, "cannot start a worker process: %s", strerror(errno));
    }
    (void)fcntl(down[1], F_SETFL, O_NONBLOCK); /* a worker that hangs must not hang its parent */
    s->worker = pid;
    s->to_worker = down[1];
    s->from_worker = up[0];
    return await_hello(s, e);
}

void supervisor_stop(struct supervisor *s)
{
    if (s->worker == 0)
        return;
    bool asked = message_send(s->to_worker, MESSAGE_QUIT, NULL, 0, NULL);
    for (int waited = 0; asked && waited < QUIT_LIMIT_MS; waited += 5) {
        if (waitpid(s->worker, NULL, WNOHANG) == s->worker) {
            forget(s);
            return;
        }
        usleep(5000);
    }
    supervisor_kill(s, NULL);
}

/* Sends a question and waits for its answer; false when the worker is gone. */
static bool ask(struct supervisor *s, enum message_type type, const char *text,
                struct answer *answer)
{
    struct message m;
    if (!message_send(s->to_worker, type, text, text ? (uint32_t)strlen(text) : 0, NULL))
        return false;
    if (supervisor_await(s, ANSWER_LIMIT_MS, &m) != RECEIVED_MESSAGE)
        return false;
    bool ok = m.type == MESSAGE_ANSWER && m.length == sizeof *answer;
    if (ok)
        memcpy(answer, m.payload, sizeof *answer);
    message_free(&m);
    return ok;
}

bool supervisor_has_counter(void *supervisor, const char *counter, char why[256])
{
    struct supervisor *s = supervisor;
    struct answer answer;
    if (s->lost || !ask(s, MESSAGE_ASK_COUNTER, counter, &answer)) {
        snprintf(why, 256, "the device's process ended while it was asked for %.100s", counter);
        s->lost = true;
        return false;
    }
    memcpy(why, answer.why, 256);
    return answer.value != 0;
}

int supervisor_passes(struct supervisor *s)
{
    struct answer answer;
    return ask(s, MESSAGE_ASK_PASSES, NULL, &answer) ? (int)answer.value : 0;
}
