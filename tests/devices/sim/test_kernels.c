/*
 * Runs all of the catalogue's kernels on the simulator, with every type and operation, both
 * dialects of PTX, and sizes from 1 to 10007. The check of the kernel's workload judges the output.
 */
#include "fixture.h"

#include "plan/arguments.h"

#include "../../pair_turns.h"

static const uint64_t sizes[] = {1, 2, 31, 32, 33, 127, 128, 129, 1023, 1025, 4099, 10007};

static void check_n(struct fixture *f, struct module *m, struct combination *at, int op)
{
    struct error e = {0};
    struct shape shape;
    const struct kernel *k = at->kernel;
    must(shape_evaluate(at, &shape, NULL, &e), &e);
    const struct workload *w = k->workload;
    struct input input = workload_input(w, at->type, (enum operation)op, at->n);
    input.seed = at->n * 7 + 3;
    struct work work = {.input = &input,
                        .n = at->n,
                        .row_length = at->point ? at->point->row_length : 0,
                        .inner = at->point ? at->point->inner : 1,
                        .grid = shape.grid,
                        .block = at->block,
                        .complete = k->complete,
                        .depth = shape.depth,
                        .kernel = k,
                        .tunables = at->tunables};
    const size_t size = element_size(at->type), bytes = workload_output_size(w, &work);
    uint64_t elements = w->output_elements(&work);
    struct buffer in = allocate(f, input.n * size), out = allocate(f, elements * bytes);
    struct buffer workspace = allocate(f, shape.workspace);
    struct launch l =
        kernel_launch(m, k, &shape,
                      &(struct kernel_arguments){.input = in.address,
                                                 .second = in.address + input.second * size,
                                                 .output = out.address,
                                                 .workspace = workspace.address,
                                                 .n = at->n,
                                                 .type = at->type});
    struct trial t = {.restore = input.n ? &input : NULL,
                      .input = in,
                      .zero = workspace,
                      .launches = &l,
                      .launch_count = 1};
    if (!sim_driver.run(f->device, &t, &e))
        fail_msg("%s n=%llu: %s", k->name, (unsigned long long)at->n, e.text);
    struct reference reference = {0};
    must(!w->reference || w->reference(&input, 1, &reference, &e), &e);
    must(!w->by_rows || !w->rows_reference ||
             w->rows_reference(&input, work.row_length, work.inner, 1, &reference, &e),
         &e);
    void *host = malloc(elements * bytes);
    assert_non_null(host);
    must(sim_driver.read(f->device, out, 0, host, elements * bytes, &e), &e);
    char result[RESULT_TEXT], why[256];
    double rel_error;
    if (!w->check(&work, &reference, host, elements, result, &rel_error, why))
        fail_msg("%s %s %s n=%llu row_length=%llu block=%d: %s", k->name,
                 element_type_name(at->type), operation_name((enum operation)op),
                 (unsigned long long)at->n, (unsigned long long)work.row_length, at->block, why);
    free(host);
    free(reference.rows);
    sim_driver.free(f->device, in);
    sim_driver.free(f->device, out);
    sim_driver.free(f->device, workspace);
}

/* Returns whether the kernel is compiled for a single row length, which is 2 by default. */
static bool takes_one_length(const struct kernel *k)
{
    for (int i = 0; i < k->tunable_count; i++)
        if (strcmp(k->tunables[i].name, "LENGTH") == 0)
            return true;
    return false;
}

/*
 * Checks rows of one element, rows that are and are not a whole number of packs of 16 bytes, and
 * rows of one tile and of several tiles. The lengths from 8 to 48 are defaults of kernels that hold
 * a whole row in registers.
 */
static void check_rows(struct fixture *f, struct module *m, struct combination *at, int op)
{
    static const uint64_t lengths[] = {1, 3, 16, 48, 1000, 4096, 8, 32, 2}, rows[] = {1, 5, 67};
    /* These values of `inner` are for kernels that can reduce over any axis. */
    static const uint64_t inners[] = {16, 64, 3, 48, 32};
    const bool plain = operation_is_plain((enum operation)op, at->type);
    struct point point = {.inner = 1};
    int checked = 0;
    at->point = &point;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t j = 0; j < sizeof rows / sizeof *rows; j++) {
            struct text reason = {0};
            struct error e = {0};
            point.row_length = lengths[i];
            point.inner = at->kernel->workload->any_axis ? inners[(i + 2 * j) % 5] : 1;
            at->n = lengths[i] * rows[j] * point.inner;
            if (at->n > 20000 || (!plain && (i + j) % 2))
                /*
                 * Many pairs of a type and an operation are not plain. For these, half of the
                 * shapes are enough.
                 */
                continue;
            must(shape_skip_reason(at, NULL, &reason, &e), &e);
            if (reason.length == 0)
                check_n(f, m, at, op);
            checked += reason.length == 0;
            text_free(&reason);
        }
    assert_true(checked >= (takes_one_length(at->kernel) ? 1 : plain ? 7 : 2));
}

static void check_variant(struct fixture *f, const struct kernel *k, int cc, int type, int op,
                          int block)
{
    int32_t tunables[KERNEL_MAX_TUNABLES];
    struct combination at = {.kernel = k,
                             .type = (enum element_type)type,
                             .op = (enum operation)op,
                             .n = 1024,
                             .block = block,
                             .unroll = k->unrolls.count ? k->unrolls.values[0] : 1,
                             .tunables = tunables,
                             .sms = 4};
    for (int i = 0; i < k->tunable_count; i++)
        tunables[i] = k->tunables[i].allowed.values[0];
    struct module *m = load_kernel(f, k->name, cc, type, op, block, at.unroll);
    if (k->workload->by_rows)
        check_rows(f, m, &at, op);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && !k->workload->by_rows; i++) {
        at.n = sizes[i];
        if (!operation_is_plain((enum operation)op, at.type) && i % 3 != 0)
            continue; /* For pairs that are not plain, a third of the sizes is enough. */
        if (!k->workload->reduces && at.n > 129)
            break; /* the divergence kernels store 10 000 times per thread */
        check_n(f, m, &at, op);
    }
    sim_driver.unload(f->device, m);
}

static int check_all(struct fixture *f, int cc, bool all_types)
{
    int checked = 0;
    for (int i = 0; i < f->kernels.count; i++) {
        const struct kernel *k = f->kernels.kernels[i];
        /*
         * If a racy kernel launches another one, its result is wrong here, because the child runs
         * immediately.
         */
        if (!runs_here(k) || (k->racy && k->device_runtime))
            continue;
        for (int type = 0; type < TYPE_COUNT; type++) {
            for (int op = 0; op < OP_COUNT; op++) {
                if (!kernel_supports(k, (enum element_type)type, (enum operation)op) ||
                    (!all_types && op != type % OP_COUNT) ||
                    (type == TYPE_UINT64 && op <= OP_PROD && op != i % 4) ||
                    ((all_types || k->workload->by_rows) && pair_is_awkward(k, i, type, op)))
                    continue;
                check_variant(f, k, cc, type, op, 128);
                checked++;
            }
        }
    }
    return checked;
}

static void test_every_type_and_operation(void **state)
{
    assert_true(check_all(*state, 90, true) >= 300);
}

static void test_other_dialect(void **state)
{
    assert_true(check_all(*state, 100, false) >= 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_type_and_operation, open_compiler, close_all),
        cmocka_unit_test_setup_teardown(test_other_dialect, open_compiler, close_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
