/*
 * Compilations that do not end, eat memory or crash: each costs itself, and says what the limit is.
 */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "compile/compile.h"
#include "compile/limited.h"
#include "fixture.h"

static bool give_bytes(void *context, char **bytes, size_t *length, struct error *e)
{
    (void)e;
    *length = 300000; /* more than a pipe holds */
    *bytes = malloc(*length);
    assert_non_null(*bytes);
    memset(*bytes, *(const char *)context, *length);
    return true;
}

static bool give_error(void *context, char **bytes, size_t *length, struct error *e)
{
    (void)bytes, (void)length;
    return FAIL(e, ERROR_UNSUPPORTED, "not %s", (const char *)context);
}

static bool never_end(void *context, char **bytes, size_t *length, struct error *e)
{
    (void)context, (void)bytes, (void)length, (void)e;
    while (pause() == -1)
        continue;
    return false;
}

static bool crash(void *context, char **bytes, size_t *length, struct error *e)
{
    (void)context, (void)bytes, (void)length, (void)e;
    raise(SIGKILL);
    return true;
}

static bool eat_memory(void *context, char **bytes, size_t *length, struct error *e)
{
    (void)context, (void)e;
    *length = (size_t)1 << 30;
    *bytes = calloc(1, *length);
    if (!*bytes)
        abort(); /* as a compiler does */
    *length = 1;
    return true;
}

struct outcome_of_step {
    bool ok, exceeded;
    char *bytes;
    size_t length;
    struct error e;
    double seconds;
};

static struct outcome_of_step try_step(compile_step *step, void *context, double seconds,
                                       int mebibytes)
{
    struct outcome_of_step o = {0};
    struct compile_limits limits = {seconds, mebibytes};
    double since = clock_now_s();
    o.ok = compile_limited(&limits, step, context, &o.bytes, &o.length, &o.exceeded, &o.e);
    o.seconds = clock_now_s() - since;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no process is left */
    assert_int_equal(errno, ECHILD);
    return o;
}

static void results_and_errors_come_back(void **state)
{
    (void)state;
    struct outcome_of_step o = try_step(give_bytes, "x", 60, 4096);
    assert_true(o.ok && !o.exceeded);
    assert_int_equal(o.length, 300000);
    assert_true(o.bytes[0] == 'x' && o.bytes[299999] == 'x' && o.bytes[300000] == '\0');
    free(o.bytes);
    o = try_step(give_error, "this", 60, 4096);
    assert_false(o.ok || o.exceeded);
    assert_int_equal(o.e.kind, ERROR_UNSUPPORTED);
    assert_string_equal(o.e.text, "not this");
}

static void limits_hold(void **state)
{
    (void)state;
    struct outcome_of_step o = try_step(never_end, NULL, 0.3, 4096);
    assert_true(!o.ok && o.exceeded);
    assert_int_equal(o.e.kind, ERROR_COMPILE);
    assert_holds(o.e.text, "did not compile within 0.3 s (timing.compile_limit_s");
    assert_true(o.seconds >= 0.3);
    o = try_step(crash, NULL, 60, 4096);
    assert_true(!o.ok && o.exceeded);
    assert_holds(o.e.text, "killed by signal 9");
    o = try_step(eat_memory, NULL, 60, 256);
    assert_true(!o.ok && o.exceeded);
    assert_int_equal(o.e.kind, ERROR_COMPILE);
    assert_holds(o.e.text, "it may use 256 MiB (timing.compile_memory_mib");
    o = try_step(eat_memory, NULL, 60, 4096);
    assert_true(o.ok);
    free(o.bytes);
}

/* A constant of 10^12 terms keeps NVRTC busy for hours, and takes gigabytes. */
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
    /* By memory, so that the other one has all the time that it needs; of time: limits_hold. */
    compiler_limit(p->compiler, 600, 400);
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
        TEST(an_endless_compilation_costs_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
