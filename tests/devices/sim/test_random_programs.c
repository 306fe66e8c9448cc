/*
 * Runs random programs in plain CUDA C on the simulator (compiled with NVRTC) and on the host, and
 * compares the results. The programs contain integers, floats, conversions, control flow,
 * functions, and exchanges between lanes and threads. On the simulator and on the host, every
 * thread must end up in the same state. The simulator must accept all PTX that NVRTC emits.
 *
 * REDSWEEP_RANDOM_SEED sets the seed, and REDSWEEP_RANDOM_BATCHES the number of batches. If a batch
 * fails, its source is kept and the message names the file.
 */
#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda_text.h"
#include "random_text.h"

enum { PROGRAMS = 10, THREADS = 128, INPUTS = 4096 };

/* This struct must equal struct state in random_program.h. */
struct state {
    uint64_t U[4];
    int64_t I[4];
    double d[3];
    uint32_t u[6];
    int32_t i[4];
    float f[4];
    uint16_t h[2];
    int8_t b[4];
};

/*
 * Two paths to this test's headers. The relative one is quoted in a shell command, so it must not
 * include the project folder's name. The absolute one is for NVRTC, which does not escape quotation
 * marks in relative names in PTX.
 */
static char relative_folder[PATH_MAX], folder[PATH_MAX];

static const struct {
    int cc;
    const char *option;
} targets[] = {{90, "-DX"}, {86, "-DX"},  {100, "-DX"},      {90, "-G"},
               {80, "-DX"}, {120, "-DX"}, {90, "-ftz=false"}};

static char *write_batch(uint64_t seed, const char *file)
{
    char *text = NULL;
    size_t length = 0;
    struct random_text x = {.random = seed * 0x9e3779b97f4a7c15ull + 1,
                            .to = open_memstream(&text, &length)};
    assert_non_null(x.to);
    fputs("#include \"random_program.h\"\n", x.to);
    for (int k = 0; k < PROGRAMS; k++) {
        char name[16];
        snprintf(name, sizeof name, "k%d", k);
        write_program(&x, name);
    }
    fclose(x.to);
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return text;
}

static void *compile_for_host(const char *file)
{
    char command[3 * PATH_MAX + 400], library[PATH_MAX + 4];
    snprintf(library, sizeof library, "%s.so", file);
    snprintf(command, sizeof command,
             "gcc -std=gnu11 -w -O0 -shared -fPIC -fwrapv -ffp-contract=off -frounding-math "
             "-fno-strict-aliasing -I'%s' -o '%s' '%s' -lm",
             relative_folder, library, file);
    if (system(command) != 0)
        fail_msg("%s", command);
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        fail_msg("%s", dlerror());
    unlink(library);
    return handle;
}

static bool same_f32(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static bool same_f64(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

#define DIFFERS(MEMBER, SAME, FORMAT, CAST)                                                        \
    for (unsigned k = 0; k < sizeof a->MEMBER / sizeof *a->MEMBER; k++)                            \
        if (!(SAME(a->MEMBER[k], b->MEMBER[k]))) {                                                 \
            snprintf(what, size, #MEMBER "[%u]: " FORMAT " instead of " FORMAT, k,                 \
                     (CAST)a->MEMBER[k], (CAST)b->MEMBER[k]);                                      \
            return true;                                                                           \
        }
#define EQUAL(x, y) ((x) == (y))

static bool differ(const struct state *a, const struct state *b, char *what, size_t size)
{
    DIFFERS(U, EQUAL, "%llx", unsigned long long)
    DIFFERS(I, EQUAL, "%llx", unsigned long long)
    DIFFERS(d, same_f64, "%a", double)
    DIFFERS(u, EQUAL, "%x", unsigned)
    DIFFERS(i, EQUAL, "%x", unsigned)
    DIFFERS(f, same_f32, "%a", double)
    DIFFERS(h, EQUAL, "%x", unsigned)
    DIFFERS(b, EQUAL, "%x", unsigned)
    return false;
}

static void run_program(struct fixture *f, const char *ptx, void *host, int k, const uint32_t *in,
                        const char *file, int cc)
{
    static struct state found[THREADS], expected[THREADS];
    char name[16], what[200];
    struct error e = {0};
    struct module *m;
    snprintf(name, sizeof name, "k%d", k);
    if (!load_text(f, ptx, name, &m, &e))
        fail_msg("%s, %s for compute_%d: %s", file, name, cc, e.text);
    struct buffer out = allocate(f, sizeof found), from = allocate(f, INPUTS * sizeof *in);
    must(sim_write(f->device, from, 0, in, INPUTS * sizeof *in, &e), &e);
    struct launch l = make_launch(m, 1, THREADS);
    add_argument(&l, out.address, 8);
    add_argument(&l, from.address, 8);
    if (!launch(f, &l, &e))
        fail_msg("%s, %s for compute_%d: %s", file, name, cc, e.text);
    must(sim_driver.read(f->device, out, 0, found, sizeof found, &e), &e);
    sim_driver.unload(f->device, m);
    sim_driver.free(f->device, out);
    sim_driver.free(f->device, from);
    union {
        void *object;
        void (*run)(struct state *, const uint32_t *);
    } u = {.object = dlsym(host, name)};
    assert_non_null(u.object);
    memset(expected, 0, sizeof expected);
    u.run(expected, in);
    for (int t = 0; t < THREADS; t++)
        if (differ(&found[t], &expected[t], what, sizeof what))
            fail_msg("%s, %s for compute_%d, thread %d: %s", file, name, cc, t, what);
}

static unsigned setting(const char *name, unsigned otherwise)
{
    const char *text = getenv(name);
    return text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

static void random_programs_compute_what_the_host_computes(void **state)
{
    unsigned seed = setting("REDSWEEP_RANDOM_SEED", 1),
             batches = setting("REDSWEEP_RANDOM_BATCHES", 7);
    static uint32_t in[INPUTS];
    char scratch[] = "/tmp/redsweep-random-XXXXXX", file[PATH_MAX], include[PATH_MAX + 8];
    assert_non_null(mkdtemp(scratch));
    snprintf(include, sizeof include, "-I%s", folder);
    for (unsigned batch = 0; batch < batches; batch++) {
        const unsigned target = batch % (sizeof targets / sizeof *targets);
        snprintf(file, sizeof file, "%s/seed_%u.c", scratch, seed + batch);
        char *source = write_batch(seed + batch, file);
        void *host = compile_for_host(file);
        const char *options[] = {include, "-fmad=false", "-w", targets[target].option};
        char *ptx = compile_cuda_with(source, targets[target].cc, options, 4);
        uint32_t random = seed + batch;
        for (int k = 0; k < INPUTS; k++)
            random = random * 1664525 + 1013904223, in[k] = random ^ random >> 15;
        for (int k = 0; k < PROGRAMS; k++)
            run_program(*state, ptx, host, k, in, file, targets[target].cc);
        free(ptx);
        free(source);
        dlclose(host);
        unlink(file);
    }
    rmdir(scratch);
}

int main(void)
{
    snprintf(relative_folder, sizeof relative_folder, "%s", __FILE__);
    *strrchr(relative_folder, '/') = '\0';
    if (!realpath(relative_folder, folder))
        return fprintf(stderr, "%s: run it from the project's root\n", relative_folder), 2;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(random_programs_compute_what_the_host_computes, open_device,
                                        close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
