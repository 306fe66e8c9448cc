/*
 * Checks every kernel's result for every n, on a GPU or on the simulator.
 *
 *   kernels DEVICE [--sizes all|edges|awkward|tiny] [--seconds S] [--kernel-folder DIR]
 *           [--skip GLOB] [KERNEL …]
 *
 * all      every n from 1 to 5000, for a few blocks; then edges
 * edges    around every power of two up to 2^20 and around multiples of block · unroll, for every
 *          block and unroll
 * awkward  a short list with every type and operation, for machines without a GPU
 * tiny     one block and sizes around its multiples, for tools that slow a kernel down a hundred
 *          times
 *
 * Kernels that the device cannot run (because the simulator does not support an instruction) are
 * reported and counted separately. Racy kernels are left out unless they are named. The program
 * prints a line per kernel and, at the end, how many checks passed and failed. It exits with 1 if a
 * check failed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "spec/folders.h"
#include "devices/device.h"
#include "plan/arguments.h"
#include "plan/shape.h"
#include "compile/compile.h"
#include "measure/race_check.h"
#include "plan/plan.h"
#include "workloads/workload.h"
#include "../pair_turns.h"

/* The largest n is 2^20 + 1. For this n, nested_hello_blocks writes up to three times as many
 * elements. */
enum { MOST_N = (3 << 20) + 4096, GUARD = 4096 };

struct checker {
    const struct device_driver *driver;
    struct device *device;
    struct device_info info;
    struct compiler *compiler;
    struct buffer input, output, workspace;
    uint64_t passed, failed, unsupported;
    uint64_t kernel_checks;
    const char *sizes, *folder, *skip; /* `folder` and `skip` may be NULL. */
    double deadline_s;
};

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void report_failure(struct checker *c, const struct combination *at, enum operation op,
                           const char *why)
{
    if (++c->failed <= 50)
        printf("FAILED %s %s %s n=%" PRIu64 " block=%d unroll=%d: %s\n", at->kernel->name,
               element_type_name(at->type), operation_name(op), at->n, at->block, at->unroll, why);
}

static bool launch_once(struct checker *c, const struct combination *at, struct module *module,
                        const struct shape *shape, const struct input *input, struct error *e)
{
    struct launch l =
        kernel_launch(module, at->kernel, shape,
                      &(struct kernel_arguments){.input = c->input.address,
                                                 .second = c->input.address +
                                                           input->second * element_size(at->type),
                                                 .output = c->output.address,
                                                 .workspace = c->workspace.address,
                                                 .n = at->n,
                                                 .type = at->type});
    struct trial t = {.restore = input->n ? input : NULL,
                      .input = c->input,
                      .cache = CACHE_WARM,
                      .launches = &l,
                      .launch_count = 1};
    t.input.bytes = input->n * element_size(at->type);
    if (shape->workspace)
        t.zero = (struct buffer){c->workspace.address, shape->workspace};
    return c->driver->run(c->device, &t, e);
}

/* Checks one n: generates the input, fills the output and its guard with a poison value,
 * launches once, and judges the result. */
static void check_n(struct checker *c, const struct combination *at, enum operation op,
                    struct module *module)
{
    struct error e = {0};
    struct shape shape;
    const struct workload *w = at->kernel->workload;
    struct input input = workload_input(w, at->type, op, at->n);
    input.seed = at->n * 2654435761u + (uint64_t)at->block;
    size_t size = element_size(at->type);
    const uint8_t poison = input_poison(at->type, op);
    struct reference reference = {0};
    struct buffer guard = {c->input.address + input.n * size, GUARD};
    static unsigned char host[(size_t)MOST_N * 8 + 2 * GUARD];
    bool ok = shape_evaluate(at, &shape, NULL, &e);
    struct work work = {.input = &input,
                        .n = at->n,
                        .row_length = at->point ? at->point->row_length : 0,
                        .inner = at->point ? at->point->inner : 1,
                        .grid = shape.grid,
                        .block = at->block,
                        .complete = at->kernel->complete,
                        .depth = shape.depth,
                        .kernel = at->kernel,
                        .tunables = at->tunables};
    uint64_t bytes = ok ? w->output_elements(&work) * workload_output_size(w, &work) : 0;
    struct buffer output = {c->output.address, bytes + GUARD};
    ok = ok && (!w->reference || w->reference(&input, 1, &reference, &e)) &&
         (!w->rows_reference ||
          w->rows_reference(&input, work.row_length, work.inner, 1, &reference, &e)) &&
         c->driver->fill(c->device, guard, poison, &e) &&
         c->driver->fill(c->device, output, poison, &e) &&
         launch_once(c, at, module, &shape, &input, &e) &&
         c->driver->read(c->device, output, 0, host, output.bytes, &e) &&
         c->driver->read(c->device, guard, 0, host + output.bytes, GUARD, &e);
    if (!ok) {
        free(reference.rows);
        report_failure(c, at, op, e.text);
        if (e.device_lost) {
            printf("the device is lost; stopping\n");
            exit(1);
        }
        return;
    }
    char result[RESULT_TEXT], why[256];
    double rel_error;
    bool right =
        w->check(&work, &reference, host, w->output_elements(&work), result, &rel_error, why);
    free(reference.rows);
    if (!right) {
        report_failure(c, at, op, why);
        return;
    }
    for (size_t i = 0; i < GUARD; i++)
        if (host[bytes + i] != poison || host[output.bytes + i] != poison) {
            report_failure(c, at, op, "wrote past the end of its output or input");
            return;
        }
    c->passed++;
    c->kernel_checks++;
}

/* Checks this n if the kernel's facts allow it. */
static void check_allowed(struct checker *c, struct combination *at, enum operation op,
                          struct module *module)
{
    struct text reason = {0};
    struct error e = {0};
    if (!shape_skip_reason(at, &c->info.limits, &reason, &e))
        report_failure(c, at, op, e.text);
    else if (reason.length == 0)
        check_n(c, at, op, module);
    text_free(&reason);
}

/* Checks row lengths near those of whole packs and tiles, each with few and with many rows. If
 * `sampled`, checks only a third of these shapes, a different one for each pair of type and
 * operation. */
static void check_rows(struct checker *c, struct combination *at, enum operation op,
                       struct module *module, bool thorough, bool sampled)
{
    static const uint64_t lengths[] = {1,   2,    3,    4,    8,    16,    31,    48,     64,
                                       100, 1000, 1024, 4096, 8200, 32768, 65536, 1 << 20};
    static const uint64_t rows[] = {1, 2, 3, 33, 1000, 4099}, inners[] = {1, 4, 33, 1000, 1};
    const uint64_t most = thorough ? 1 << 20 : 1 << 14;
    const bool any_axis = at->kernel->workload->any_axis;
    struct point point = {.inner = 1};
    at->point = &point;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t j = 0; j < sizeof rows / sizeof *rows; j++) {
            point.row_length = lengths[i];
            point.inner = any_axis ? inners[(i + j) % 5] : 1;
            at->n = lengths[i] * rows[j] * point.inner;
            bool left_out = sampled && (i + j + (size_t)at->type + (size_t)op) % 3 != 0;
            if (at->n <= most && !left_out)
                check_allowed(c, at, op, module);
        }
    at->point = NULL;
}

static void check_sizes(struct checker *c, struct combination *at, enum operation op,
                        struct module *module, bool thorough)
{
    static const uint64_t awkward[] = {1, 2, 31, 32, 33, 1000, 4099, 65537, 1000003};
    uint64_t block = (uint64_t)at->block, span = block * (uint64_t)at->unroll;
    uint64_t edges[] = {block - 1, block,        block + 1, span - 1,    span,
                        span + 1,  3 * span - 1, 3 * span,  3 * span + 1};
    bool few = strcmp(c->sizes, "awkward") == 0, tiny = strcmp(c->sizes, "tiny") == 0;
    /* Kernels without an input do a lot of work per thread. */
    bool without_input = at->kernel->workload->input_elements(1) == 0;
    if (at->kernel->workload->by_rows) {
        check_rows(c, at, op, module, thorough && !few && !tiny, few && !thorough);
        return;
    }
    if (thorough && !few && !tiny)
        for (at->n = 1; at->n <= 5000; at->n++)
            check_allowed(c, at, op, module);
    const size_t step =
        /* There are many pairs of block and unroll factor, so half of the edges will do. */
        few && !operation_is_plain(op, at->type) ? 2 : 1;
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i += step)
        if ((at->n = edges[i]) >= 1 && (i == 0 || edges[i] > edges[i - 1]))
            check_allowed(c, at, op, module);
    for (size_t i = 0; i < sizeof awkward / sizeof awkward[0] && few; i += step) {
        at->n = awkward[i];
        if (at->n <= (without_input ? 1000 : thorough ? 1000003 : 65537))
            check_allowed(c, at, op, module);
    }
    if (few || tiny)
        return;
    for (uint64_t power = 2; power <= 1 << 20; power *= 2)
        for (at->n = power - 1; at->n <= power + 1; at->n++)
            check_allowed(c, at, op, module);
}

/* Picks values of the kernel's tunables that its facts allow together, different ones for each
 * variant. If there are none, `reason` says why. */
static bool choose_tunables(const struct checker *c, struct combination *at, int32_t *tunables,
                            struct text *reason, struct error *e)
{
    enum { TRIES = 200 };
    const struct kernel *k = at->kernel;
    uint64_t random = hash_bytes(HASH_START, &at->block, sizeof at->block);
    random = hash_bytes(random ^ (uint64_t)at->type, &at->unroll, sizeof at->unroll);
    for (int t = 0; t < TRIES; t++) {
        for (int i = 0; i < k->tunable_count; i++) {
            const struct int_list *allowed = &k->tunables[i].allowed;
            random = random * 6364136223846793005u + 1442695040888963407u;
            tunables[i] = allowed->values[(random >> 33) % (uint64_t)allowed->count];
        }
        text_free(reason);
        if (!shape_skip_reason(at, &c->info.limits, reason, e))
            return false;
        if (reason->length == 0)
            return true;
        if (k->tunable_count == 0)
            return false;
    }
    return false;
}

static void check_variant(struct checker *c, const struct kernel *k, enum element_type type,
                          enum operation op, int block, int unroll, bool thorough)
{
    struct variant v = {.block = (uint16_t)(k->block_constant ? block : 0),
                        .unroll = (uint16_t)unroll,
                        .type = (uint8_t)type,
                        .op = (uint8_t)op};
    const struct point rows = {.row_length = k->workload->by_rows ? 64 : 0, .inner = 1};
    struct combination at = {.kernel = k,
                             .type = type,
                             .op = op,
                             .n = 1024,
                             .point = &rows, /* used only while tunables are being picked */
                             .block = block,
                             .unroll = unroll,
                             .tunables = v.tunables,
                             .sms = c->info.limits.sms};
    struct error e = {0};
    struct text reason = {0};
    if (!choose_tunables(c, &at, v.tunables, &reason, &e)) {
        if (e.kind)
            report_failure(c, &at, op, e.text);
        text_free(&reason);
        return;
    }
    struct image image = {0};
    struct module *module = NULL;
    struct module_info info;
    if (compile_variant(c->compiler, k, &v, &c->info.target, &image, &e) &&
        c->driver->load(c->device, &image, &module, &info, &e)) {
        check_sizes(c, &at, op, module, thorough);
        c->driver->unload(c->device, module);
    } else if (e.kind == ERROR_UNSUPPORTED) {
        if (c->unsupported++ < 10)
            printf("not on this device: %s\n", e.text);
    } else {
        report_failure(c, &at, op, e.text);
    }
    image_free(&image);
}

/* Checks all blocks and unroll factors for one type and operation, and all types and operations
 * for one block. With the awkward sizes, leaves out the pairs that only test_kernels checks
 * (pair_turns.h). `i` is the kernel's number in the catalogue. */
static void check_kernel(struct checker *c, const struct kernel *k, int i)
{
    static const int blocks[] = {32, 64, 96, 128, 224, 256, 512, 1000, 1024};
    struct int_list unrolls = k->unrolls;
    if (unrolls.count == 0)
        unrolls = (struct int_list){{1}, 1};
    double start = now_s();
    c->kernel_checks = 0;
    bool all = strcmp(c->sizes, "all") == 0, awkward = strcmp(c->sizes, "awkward") == 0;
    bool tiny = strcmp(c->sizes, "tiny") == 0;
    enum element_type first_type = TYPE_INT32;
    enum operation first_op = OP_SUM;
    race_check_elements(k, &first_type, &first_op);
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++)
        for (int u = 0; u < unrolls.count && now_s() < c->deadline_s; u++)
            if (tiny ? blocks[b] == 128 && u == 0 : !awkward || (b + (size_t)u) % 3 == 0)
                check_variant(c, k, first_type, first_op, blocks[b], unrolls.values[u],
                              u == 0 && ((all && blocks[b] == 96) || blocks[b] == 512));
    for (int type = 0; type < TYPE_COUNT && !tiny; type++)
        for (int op = 0; op < OP_COUNT && now_s() < c->deadline_s; op++)
            if (kernel_supports(k, (enum element_type)type, (enum operation)op) &&
                !(awkward && pair_is_test_kernels(k, i, type, op)))
                check_variant(c, k, (enum element_type)type, (enum operation)op, 128,
                              unrolls.values[unrolls.count - 1], false);
    printf("%-32s %8" PRIu64 " checks passed, %.1f s%s\n", k->name, c->kernel_checks,
           now_s() - start, now_s() < c->deadline_s ? "" : " (out of time)");
    fflush(stdout);
}

static bool open_checker(struct checker *c, const char *device_name, struct catalogue *kernels,
                         struct catalogue *support, struct error *e)
{
    static char folder[4096], cache[4096];
    if (!find_kernel_folder(folder, sizeof folder, e) ||
        !read_catalogues(folder, &c->folder, c->folder ? 1 : 0, kernels, support, e))
        return false;
    find_cache_folder(cache, sizeof cache);
    if (!compiler_open(cache, folder, &c->compiler, e))
        return false;
    struct device_setup setup = {.compiler = c->compiler, .support = support};
    if (!device_open(device_name, &setup, &c->driver, &c->device, NULL, e))
        return false;
    c->driver->describe(c->device, &c->info);
    return c->driver->alloc(c->device, (size_t)MOST_N * 8 + GUARD, &c->input, e) &&
           c->driver->alloc(c->device, (size_t)MOST_N * 8 + GUARD, &c->output, e) &&
           c->driver->alloc(c->device, (size_t)MOST_N * 8 + GUARD, &c->workspace, e);
}

static bool is_named(int argc, char **argv, const char *name)
{
    for (int i = 2; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    struct checker c = {.sizes = "all", .deadline_s = now_s() + 300};
    struct catalogue kernels, support;
    static struct error e;
    int named = argc - 2;
    for (int i = 2; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--sizes") == 0)
            c.sizes = argv[i + 1];
        else if (strcmp(argv[i], "--kernel-folder") == 0)
            c.folder = argv[i + 1];
        else if (strcmp(argv[i], "--skip") == 0)
            c.skip = argv[i + 1];
        else if (strcmp(argv[i], "--seconds") == 0)
            c.deadline_s = now_s() + atof(argv[i + 1]);
        else
            continue;
        named -= 2;
    }
    if (argc < 2 || !open_checker(&c, argv[1], &kernels, &support, &e)) {
        fprintf(stderr, "%s\n", argc < 2 ? "usage: kernels DEVICE [--sizes …] [KERNEL …]" : e.text);
        return 2;
    }
    for (int i = 0; i < kernels.count; i++) {
        const struct kernel *k = kernels.kernels[i];
        bool wanted = named > 0 ? is_named(argc, argv, k->name) : !k->racy;
        if (c.skip && text_glob_match(c.skip, k->name))
            continue;
        if (wanted && k->backend == BACKEND_GPU)
            check_kernel(&c, k, i);
    }
    printf("%" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " variants not on this device\n",
           c.passed, c.failed, c.unsupported);
    c.driver->close(c.device);
    compiler_close(c.compiler);
    catalogue_free(&kernels);
    catalogue_free(&support);
    return c.failed != 0;
}
