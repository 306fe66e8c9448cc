/*
 * Runs compilations that never end, run out of memory, or crash. These compilations must not affect
 * others, and their messages must name the limit.
 */
#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "../faults/skipping_clock.h"
#include "base/clock.h"
#include "base/memory.h"
#include "compile/compile.h"
#include "compile/limited.h"
#include "fixture.h"

/* Answers a request with many bytes of the same value. */
static bool give_bytes(const char *request, char **bytes, size_t *length)
{
    *length = 300000; /* more than a socket's buffer holds */
    *bytes = malloc(*length);
    assert_non_null(*bytes);
    memset(*bytes, request[1], *length);
    return true;
}

static bool eat_memory(char **bytes, size_t *length, uint64_t mebibytes)
{
    *length = (size_t)mebibytes << 20;
    *bytes = calloc(1, *length);
    if (!*bytes)
        abort(); /* A compiler, too, aborts when memory runs out. */
    *length = 1;
    return true;
}

static char *kept;

/* A request's first letter selects the behavior, and the rest is its argument. */
static bool step(const void *context, char *request, size_t request_length, char **bytes,
                 size_t *length, struct error *e)
{
    static int turn;
    turn++;
    assert_int_equal(strlen(request), request_length);
    switch (request[0]) {
    case 'b':
        return give_bytes(request, bytes, length);
    case 'e':
        return FAIL(e, ERROR_UNSUPPORTED, "not %s, %s", request + 1, (const char *)context);
    case 'n': /* never ends */
        for (;;)
            pause();
    case 'o': /* never ends, and the parent of its process is killed */
        kill(getppid(), SIGKILL);
        for (;;)
            pause();
    case 'h': /* stops itself, and its parent ends before it continues */
        raise(SIGSTOP);
        for (;;)
            pause();
    case 'c':
        return raise(SIGKILL) == 0;
    case 'm':
        return eat_memory(bytes, length, strtoull(request + 1, NULL, 10));
    case 'k': /* leaves memory allocated in this process */
        *length = (size_t)strtoull(request + 1, NULL, 10) << 20;
        kept = malloc(*length);
        assert_non_null(kept);
        memset(kept, 1, *length);
        return give_bytes("bk", bytes, length);
    case 'z': /* all processes are stopped for a long time */
        clock_stop();
        return give_bytes("bz", bytes, length);
    case 's': /* crashes unless this is the process's first request */
        if (turn > 1)
            raise(SIGKILL);
        return give_bytes("bs", bytes, length);
    default: /* answers with the process and how many requests it has had */
        *bytes = xasprintf("%ld %d", (long)getpid(), turn);
        *length = strlen(*bytes);
        return true;
    }
}

struct outcome_of_step {
    bool ok, exceeded;
    char *bytes;
    size_t length;
    struct error e;
    double seconds;
};

static struct outcome_of_step ask(struct compile_processes *p, const char *request)
{
    struct outcome_of_step o = {0};
    double since = clock_now_s();
    o.ok = compile_limited(p, request, strlen(request), &o.bytes, &o.length, &o.exceeded, &o.e);
    o.seconds = clock_now_s() - since;
    return o;
}

static struct compile_processes *processes_of(double seconds, int mebibytes, int turns)
{
    struct compile_processes *p = compile_processes_new(step, "by the context");
    compile_processes_limit(p, &(struct compile_limits){seconds, mebibytes, turns});
    return p;
}

static void end_all(struct compile_processes *p)
{
    compile_processes_free(p);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child process is left */
    assert_int_equal(errno, ECHILD);
}

/* Sends one request to a new set of processes. */
static struct outcome_of_step try_step(const char *request, double seconds, int mebibytes)
{
    struct compile_processes *p = processes_of(seconds, mebibytes, 100);
    struct outcome_of_step o = ask(p, request);
    end_all(p);
    return o;
}

static void results_and_errors_come_back(void **state)
{
    (void)state;
    struct outcome_of_step o = try_step("bx", 60, 4096);
    assert_true(o.ok && !o.exceeded);
    assert_int_equal(o.length, 300000);
    assert_true(o.bytes[0] == 'x' && o.bytes[299999] == 'x' && o.bytes[300000] == '\0');
    free(o.bytes);
    o = try_step("ethis", 60, 4096);
    assert_false(o.ok || o.exceeded);
    assert_int_equal(o.e.kind, ERROR_UNSUPPORTED);
    assert_string_equal(o.e.text, "not this, by the context");
}

static void limits_hold(void **state)
{
    (void)state;
    struct outcome_of_step o = try_step("n", 0.3, 4096);
    assert_true(!o.ok && o.exceeded);
    assert_int_equal(o.e.kind, ERROR_COMPILE);
    texts_expect("a compilation that lasts", o.e.text);
    assert_true(o.seconds >= 0.3);
    o = try_step("z", 60, 4096); /* a stop of all processes does not count as time */
    assert_true(o.ok && !o.exceeded);
    free(o.bytes);
    o = try_step("c", 60, 4096);
    assert_true(!o.ok && o.exceeded);
    texts_expect("a compiler that is killed", o.e.text);
    o = try_step("m1024", 60, 256);
    assert_true(!o.ok && o.exceeded);
    assert_int_equal(o.e.kind, ERROR_COMPILE);
#ifdef __SANITIZE_ADDRESS__
    texts_leave_others(); /* AddressSanitizer makes the compiler end in another way. */
#else
    texts_expect("a compilation that takes much memory", o.e.text);
#endif
    o = try_step("m1024", 60, 4096);
    assert_true(o.ok);
    free(o.bytes);
}

/* Even if the parent's memory is limited, too, the compiling process has the compiler's limit
 * and no other. */
static void the_workers_limit_is_not_the_compilers(void **state)
{
    (void)state;
    memory_limit((uint64_t)64 << 20);
    struct outcome_of_step o = try_step("m256", 60, 4096);
    memory_limit_end();
    assert_true(o.ok && !o.exceeded);
    free(o.bytes);
}

/* Returns the id of the process that answers, and sets `turn` to the number of requests that this
 * process has had. */
static long who(struct compile_processes *p, int *turn)
{
    struct outcome_of_step o = ask(p, "who");
    long pid;
    assert_true(o.ok);
    assert_int_equal(sscanf(o.bytes, "%ld %d", &pid, turn), 2);
    free(o.bytes);
    return pid;
}

static void a_process_serves_in_turn(void **state)
{
    (void)state;
    struct compile_processes *p = processes_of(60, 4096, 3);
    int turn;
    compile_processes_start(p, 1);
    long first = who(p, &turn);
    assert_int_equal(turn, 1);
    struct outcome_of_step o = ask(p, "ethis"); /* An error is an answer like any other. */
    assert_false(o.ok);
    assert_true(who(p, &turn) == first && turn == 3);
    assert_true(who(p, &turn) != first && turn == 1); /* a process serves three requests */
    end_all(p);
}

static void what_came_before_costs_nobody(void **state)
{
    (void)state;
    struct compile_processes *p = processes_of(60, 1024, 100);
    int turn;
    struct outcome_of_step o = ask(p, "k100");
    assert_true(o.ok);
    free(o.bytes);
    /* This is too much together with the memory that the process keeps, but not for a new process. */
    o = ask(p, "m950");
    assert_true(o.ok && !o.exceeded);
    free(o.bytes);
    (void)who(p, &turn);
    o = ask(p, "s");
    assert_true(o.ok && !o.exceeded);
    free(o.bytes);
    o = ask(p, "m2048"); /* too much for any process */
    assert_true(!o.ok && o.exceeded);
    o = ask(p, "c");
    assert_true(!o.ok && o.exceeded);
    long before = who(p, &turn);
    o = ask(p, "k300");
    assert_true(o.ok);
    free(o.bytes);
    assert_true(who(p, &turn) != before); /* a process that keeps this much memory is replaced */
    end_all(p);
}

static void processes_that_died_waiting_are_replaced(void **state)
{
    (void)state;
    struct compile_processes *p = processes_of(60, 4096, 100);
    int turn;
    long first = who(p, &turn);
    assert_int_equal(kill((pid_t)first, SIGKILL), 0);
    assert_true(who(p, &turn) != first && turn == 1);
    end_all(p);
}

static void a_fork_has_processes_of_its_own(void **state)
{
    (void)state;
    struct compile_processes *p = processes_of(60, 4096, 100);
    int turn, status;
    long mine = who(p, &turn);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        bool other = who(p, &turn) != mine && turn == 1;
        compile_processes_free(p);
        _exit(other ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(who(p, &turn) == mine && turn == 2);
    end_all(p);
}

static void wait_until_stopped(long pid)
{
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    while (state != 'T') {
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
            state = 0;
        fclose(f);
    }
}

/* A compiling process ends when its parent ends, whether it waits for a request, serves an endless
 * one, or is stopped. */
static void processes_end_with_those_who_ask(void **state)
{
    (void)state;
    /* Orphaned processes become children of this process. */
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    enum { WAITING, SERVING, STOPPED_WAITING, STOPPED_SERVING, STATES };
    for (int how = 0; how < STATES; how++) {
        int ends[2], turn, status;
        assert_int_equal(pipe(ends), 0);
        pid_t asks = fork();
        assert_true(asks >= 0);
        if (asks == 0) {
            struct compile_processes *p = processes_of(600, 4096, 100);
            long serves = who(p, &turn);
            if (write(ends[1], &serves, sizeof serves) != sizeof serves)
                _exit(1);
            if (how == SERVING || how == STOPPED_SERVING)
                (void)ask(p, how == SERVING ? "o" : "h");
            for (;;)
                pause();
        }
        long serves;
        close(ends[1]);
        assert_int_equal(read(ends[0], &serves, sizeof serves), sizeof serves);
        if (how == STOPPED_WAITING)
            assert_int_equal(kill((pid_t)serves, SIGSTOP), 0);
        if (how == STOPPED_WAITING || how == STOPPED_SERVING)
            wait_until_stopped(serves);
        if (how != SERVING)
            assert_int_equal(kill(asks, SIGKILL), 0);
        assert_int_equal(waitpid(asks, &status, 0), asks);
        assert_int_equal(waitpid((pid_t)serves, &status, 0), serves);
        assert_true(WIFEXITED(status)); /* The process exited by itself. */
        close(ends[0]);
    }
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
}

/* This constant is a sum of 10^12 terms, which would take NVRTC hours and gigabytes. */
static const char endless[] =
    "#define A0 1\n"
    "#define T(x) x+x+x+x+x+x+x+x+x+x\n"
    "#define A1 T(A0)\n#define A2 T(A1)\n#define A3 A2+A2+A2+A2+A2+A2+A2+A2+A2+A2\n"
    "#define A4 A3+A3+A3+A3+A3+A3+A3+A3+A3+A3\n#define A5 A4+A4+A4+A4+A4+A4+A4+A4+A4+A4\n"
    "#define A6 A5+A5+A5+A5+A5+A5+A5+A5+A5+A5\n#define A7 A6+A6+A6+A6+A6+A6+A6+A6+A6+A6\n"
    "#define A8 A7+A7+A7+A7+A7+A7+A7+A7+A7+A7\n#define A9 A8+A8+A8+A8+A8+A8+A8+A8+A8+A8\n"
    "extern \"C\" __global__ void probe(int *out)\n{\n    *out = A9;\n}\n";

static void an_endless_compilation_costs_itself(void **state)
{
    struct place *p = *state;
    struct kernel spins = p->kernel, *kernels[] = {&spins, &p->kernel};
    struct catalogue catalogue = {kernels, 2};
    struct variant variants[] = {plain, plain};
    struct compiled out[2];
    spins.code = (char *)endless;
    spins.code_length = strlen(endless);
    variants[1].kernel = 1;
    /* Limits memory and not time, to leave the other kernel enough time; limits_hold tests the time
     * limit. With AddressSanitizer, which reserves its heap in advance, limits time instead. */
#ifdef __SANITIZE_ADDRESS__
    compiler_limit(p->compiler, 20, 4096);
#else
    compiler_limit(p->compiler, 600, 400);
#endif
    compile_many(p->compiler, &catalogue, variants, 2, &ptx90, 2, NULL, NULL, out);
    assert_non_null(out[0].error);
    assert_true(out[0].exceeded);
    assert_int_equal(out[0].error->kind, ERROR_COMPILE);
    assert_holds(out[0].error->text, "kernel probe (int32 sum, compute_90): ");
    assert_null(out[1].error);
    assert_false(out[1].exceeded);
    for (int i = 0; i < 2; i++)
        compiled_free(&out[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_and_errors_come_back),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(the_workers_limit_is_not_the_compilers),
        cmocka_unit_test(a_process_serves_in_turn),
        cmocka_unit_test(what_came_before_costs_nobody),
        cmocka_unit_test(processes_that_died_waiting_are_replaced),
        cmocka_unit_test(a_fork_has_processes_of_its_own),
        cmocka_unit_test(processes_end_with_those_who_ask),
        TEST(an_endless_compilation_costs_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
