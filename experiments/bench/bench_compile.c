/*
 * Measures how long compiling takes, with an empty cache and with a full one. It needs
 * no GPU, because the code is compiled for the named architecture.
 *
 *   bench_compile [CONFIG [VARIANTS [CC [THREADS [TURNS [KIND]]]]]]
 *                 The defaults are configs/bench-compile.json, 500, 90 and one thread per core.
 *                 TURNS is the number of variants per process; with 0, the compiler chooses it.
 *                 KIND is cubin (the default, as for GPUs), ptx, or both (the two in one call,
 *                 as for the simulator).
 *
 * The program compiles VARIANTS of the config's variants, at equal distances in their order. It
 * prints "name value" lines: variants, threads, cold_s, cpu_ms (the CPU time per variant of the
 * processes that compile), system_ms (the part of this time in the operating system's kernel),
 * page_faults (per variant), code (a hash of all images), and cached_s.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "compile/compile.h"
#include "spec/config.h"
#include "plan/plan.h"

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/*
 * Compiles all variants with a new compiler that uses `cache`, and returns how many seconds it
 * took. Exits if a variant fails. Sets `code` to a hash of the images.
 */
static double compile_all(const char *cache, const struct plan *plan, uint32_t count,
                          const struct compile_target *target, int threads, int turns,
                          uint64_t *code)
{
    struct error e = {0};
    struct compiler *compiler;
    struct compiled *compiled = calloc(count, sizeof *compiled);
    double start = now_s();
    bool ok = compiled && compiler_open(cache, "kernels", &compiler, &e);
    if (ok && turns > 0)
        compiler_turns(compiler, turns);
    if (ok)
        compile_many(compiler, plan->catalogue, plan->variants, count, target, threads, NULL, NULL,
                     compiled);
    double took = now_s() - start;
    *code = HASH_START;
    for (uint32_t i = 0; ok && i < count; i++) {
        if (compiled[i].error) {
            e = *compiled[i].error;
            ok = false;
        } else {
            *code = hash_bytes(*code, compiled[i].image.bytes, compiled[i].image.length);
        }
        compiled_free(&compiled[i]);
    }
    if (!ok) {
        fprintf(stderr, "bench_compile: %s\n", e.text);
        exit(1);
    }
    compiler_close(compiler);
    free(compiled);
    return took;
}

static double seconds(const struct timeval *t)
{
    return (double)t->tv_sec + (double)t->tv_usec * 1e-6;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "configs/bench-compile.json", *folder = "kernels";
    uint32_t count = argc > 2 ? (uint32_t)atoi(argv[2]) : 500;
    const char *kind = argc > 6 ? argv[6] : "cubin";
    struct compile_target target = {strcmp(kind, "ptx") == 0    ? IMAGE_PTX
                                    : strcmp(kind, "both") == 0 ? IMAGE_PTX_AND_CUBIN
                                                                : IMAGE_CUBIN,
                                    argc > 3 ? atoi(argv[3]) : 90};
    int threads = argc > 4 ? atoi(argv[4]) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    int turns = argc > 5 ? atoi(argv[5]) : 0;
    struct error e = {0};
    struct config *config;
    struct catalogue kernels;
    struct plan *plan;
    if (!config_read(path, &config, &e) || !catalogue_read(&folder, 1, &kernels, &e) ||
        !plan_build(config, &kernels, NULL, &plan, &e)) {
        fprintf(stderr, "bench_compile: %s\n", e.text);
        return 1;
    }
    char cache[] = "/tmp/redsweep-bench-XXXXXX", command[64];
    if (!mkdtemp(cache)) {
        perror("bench_compile: a folder in /tmp");
        return 1;
    }
    if (count > plan->variant_count)
        count = plan->variant_count;
    /* The loop reads only elements that it has not overwritten yet. */
    for (uint32_t i = 0; i < count; i++)
        plan->variants[i] = plan->variants[(uint64_t)i * plan->variant_count / count];
    uint64_t code, cached_code;
    double cold = compile_all(cache, plan, count, &target, threads, turns, &code);
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    double cached = compile_all(cache, plan, count, &target, threads, turns, &cached_code);
    double user = seconds(&used.ru_utime), system_s = seconds(&used.ru_stime);
    printf("variants %u\nthreads %d\ncold_s %.3f\ncpu_ms %.1f\nsystem_ms %.1f\npage_faults %.0f\n"
           "code %016" PRIx64 "\ncached_s %.3f\n",
           count, threads, cold, (user + system_s) / count * 1e3, system_s / count * 1e3,
           (double)used.ru_minflt / count, code, cached);
    snprintf(command, sizeof command, "rm -r %s", cache);
    plan_free(plan);
    catalogue_free(&kernels);
    config_free(config);
    return system(command) == 0 && code == cached_code ? 0 : 1;
}
