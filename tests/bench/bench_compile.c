/*
 * How long compiling takes, from nothing and from the cache. No GPU is needed: the code is made for
 * an architecture that is named.
 *
 *   bench_compile [CONFIG [VARIANTS [CC [THREADS]]]]
 *                 default: configs/bench-compile.json 500 90, one thread a core
 *
 * Prints "name value" lines: variants, threads, cold_s, cached_s.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "compile/compile.h"
#include "spec/config.h"
#include "plan/plan.h"

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* All of them, with a fresh compiler on `cache`: seconds; ends the program when one fails. */
static double compile_all(const char *cache, const struct plan *plan, uint32_t count, int cc,
                          int threads)
{
    struct error e = {0};
    struct compiler *compiler;
    struct compiled *compiled = calloc(count, sizeof *compiled);
    struct compile_target target = {IMAGE_CUBIN, cc};
    double start = now_s();
    bool ok = compiled && compiler_open(cache, "kernels", &compiler, &e);
    if (ok)
        compile_many(compiler, plan->catalogue, plan->variants, count, &target, threads, NULL, NULL,
                     compiled);
    double took = now_s() - start;
    for (uint32_t i = 0; ok && i < count; i++) {
        if (compiled[i].error) {
            e = *compiled[i].error;
            ok = false;
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

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "configs/bench-compile.json", *folder = "kernels";
    uint32_t count = argc > 2 ? (uint32_t)atoi(argv[2]) : 500;
    int cc = argc > 3 ? atoi(argv[3]) : 90;
    int threads = argc > 4 ? atoi(argv[4]) : (int)sysconf(_SC_NPROCESSORS_ONLN);
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
    double cold = compile_all(cache, plan, count, cc, threads);
    double cached = compile_all(cache, plan, count, cc, threads);
    printf("variants %u\nthreads %d\ncold_s %.3f\ncached_s %.3f\n", count, threads, cold, cached);
    snprintf(command, sizeof command, "rm -r %s", cache);
    plan_free(plan);
    catalogue_free(&kernels);
    config_free(config);
    return system(command) == 0 ? 0 : 1;
}
