/*
 * Prints the simulator's speed in millions of warp instructions per second, on one thread and with
 * counting.
 *
 *   bench_sim [KERNEL [BLOCK [LOG2_N [THREADS]]]]     default: interleaved 256 22 1
 *
 * Reports the fastest of five launches. The second line is for comparison with simulators that have
 * no warps. This program is not a test, because tests must not depend on how fast a machine is.
 */
#define WITHOUT_CMOCKA
#include <time.h>

#include "fixture.h"

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "interleaved";
    int block = argc > 2 ? atoi(argv[2]) : 256;
    uint64_t n = 1ull << (argc > 3 ? atoi(argv[3]) : 22);
    int threads = argc > 4 ? atoi(argv[4]) : 1, unroll = 1;
    void *state;
    open_compiler(&state);
    struct fixture *f = state;
    sim_set_threads(f->device, threads);
    const struct kernel *k = catalogue_find(&f->kernels, name);
    if (!k) {
        fprintf(stderr, "there is no kernel named %s\n", name);
        return 2;
    }
    if (k->unrolls.count)
        unroll = k->unrolls.values[k->unrolls.count - 1];
    struct module *m = load_kernel(f, name, 90, TYPE_INT32, OP_SUM, block, unroll);
    struct buffer input = allocate(f, k->workload->input_elements(n) * 4),
                  output = allocate(f, n * 4);
    struct combination at = {
        .kernel = k, .type = TYPE_INT32, .n = n, .block = block, .unroll = unroll, .sms = 16};
    int32_t tunables[KERNEL_MAX_TUNABLES];
    for (int i = 0; i < k->tunable_count; i++)
        tunables[i] = k->tunables[i].allowed.values[0];
    at.tunables = tunables;
    struct shape shape;
    struct error e = {0};
    must(shape_evaluate(&at, &shape, NULL, &e), &e);
    struct launch l = shaped_launch(m, k, &shape);
    add_argument(&l, input.address, 8);
    add_argument(&l, output.address, 8);
    add_argument(&l, n, 4);
    struct buffer workspace = allocate(f, shape.workspace ? shape.workspace : 1);
    add_argument(&l, workspace.address, 8);
    double best = 1e30;
    struct counts c = {0};
    for (int i = 0; i < 5; i++) {
        double start = now_s();
        c = count_launch(f, &l);
        double took = now_s() - start;
        best = took < best ? took : best;
    }
    printf("%s, block %d, n = %llu, %d thread%s: %llu warp instructions in %.1f ms: %.1f million a "
           "second\n",
           name, block, (unsigned long long)n, threads, threads == 1 ? "" : "s",
           (unsigned long long)c.instructions, best * 1e3, (double)c.instructions / best / 1e6);
    printf("of threads: %llu instructions, %llu bytes loaded, %.6f s\n",
           (unsigned long long)c.thread_instructions,
           (unsigned long long)c.global[ACCESS_LOAD].bytes, best);
    sim_driver.unload(f->device, m);
    close_all(&state);
    return 0;
}
