/*
 * Compiles every kernel for each architecture that NVRTC supports, to PTX, and for the element
 * types and operations that the kernel's facts allow. Needs no GPU.
 *
 * All combinations would take an hour, so only two subsets are compiled. The first has every kernel
 * for every architecture; the type, operation, unroll factor, block and tunables change from one
 * variant to the next. The second has every kernel for one architecture, with half of the pairs of
 * a common type and a common operation, and an eighth of the other pairs; all other axes change
 * from one variant to the next. The cache is not used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../texts/expected.h"
#include "compile/compile.h"
#include "spec/kernel_facts.h"
#include "plan/plan.h"

enum { THREADS = 2, MOST_VARIANTS = 4096, MOST_ARCHITECTURES = 64 };

static struct compiler *compiler;
static struct catalogue catalogue;
static struct variant variants[MOST_VARIANTS];
static struct compiled results[MOST_VARIANTS];
static uint32_t count;
/* Increases with each variant and selects the values of the axes. */
static unsigned turn;

static int open_all(void **state)
{
    (void)state;
    static const char *const folders[] = {"kernels", "kernels/support"};
    struct error e = {0};
    if (!compiler_open(NULL, "kernels", &compiler, &e) ||
        !catalogue_read(folders, 2, &catalogue, &e)) {
        fprintf(stderr, "%s\n", e.text);
        return -1;
    }
    return catalogue.count > 0 ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    catalogue_free(&catalogue);
    compiler_close(compiler);
    return 0;
}

struct choice {
    const struct kernel *kernel;
    const struct variant *variant;
    double n, row_length, covers;
};

static bool look_up(void *context, const char *name, struct expr_value *value)
{
    const struct choice *c = context;
    value->text = NULL;
    for (int i = 0; i < c->kernel->tunable_count; i++)
        if (strcmp(c->kernel->tunables[i].name, name) == 0) {
            value->number = c->variant->tunables[i];
            return true;
        }
    const struct {
        const char *name;
        double value;
    } known[] = {{"BLOCK", c->variant->block},
                 {"UNROLL", c->variant->unroll},
                 {"SIZEOF", (double)element_size((enum element_type)c->variant->type)},
                 {"N", c->n},
                 {"ROW_LENGTH", c->row_length},
                 {"INNER", 16},
                 {"ACCUMULATOR", (double)accumulator_size((enum operation)c->variant->op,
                                                          (enum element_type)c->variant->type)},
                 {"SMS", 132},
                 {"COVERS", c->covers},
                 {"GRID", 1024},
                 {"OFFSET", 0}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0) {
            value->number = known[i].value;
            return true;
        }
    return false;
}

static bool allowed_at(struct choice *choice)
{
    const struct kernel *k = choice->kernel;
    struct error e = {0};
    choice->covers = choice->variant->block * choice->variant->unroll;
    if (k->covers && !expr_number(k->covers, look_up, choice, &choice->covers, &e))
        fail_msg("%s: %s", k->path, e.text);
    for (int i = 0; i < k->requires_count; i++) {
        double holds = 0;
        if (!expr_number(k->requires[i], look_up, choice, &holds, &e))
            fail_msg("%s: %s", k->path, e.text);
        if (holds == 0)
            return false;
    }
    return true;
}

/* Returns whether the facts allow this variant for a large or a small n. For row-wise kernels,
 * tries several row lengths. */
static bool allowed(const struct kernel *k, const struct variant *v)
{
    bool fits = false;
    double length = k->workload->by_rows ? 1024 : 0;
    /* A kernel may require certain row lengths, so this tries 1024, 256, 64, and 16 down to 2
     * elements. */
    do
        fits = allowed_at(&(struct choice){k, v, 1 << 24, length, 0}) ||
               allowed_at(&(struct choice){k, v, 1 << 14, length, 0});
    while (!fits && (length = length > 16 ? length / 4 : length - 1) >= 2);
    return fits;
}

static int pick(const struct int_list *list, unsigned which)
{
    return list->values[which % (unsigned)list->count];
}

static int pick_block(const struct kernel *k, unsigned which)
{
    static const int any[] = {32, 96, 128, 256, 512, 992, 1024};
    if (k->block_rule == BLOCKS_LISTED)
        return pick(&k->blocks, which);
    if (k->block_rule == BLOCKS_POWER_OF_TWO)
        return 32 << which % 6;
    return any[which % 7];
}

/* Picks the next allowed combination of all axes except the type and the operation. */
static void turn_axes(uint32_t kernel, int type, int op, struct variant *v)
{
    const struct kernel *k = catalogue.kernels[kernel];
    for (int tries = 0; tries < 1000; tries++) {
        unsigned t = turn++;
        *v = (struct variant){.kernel = kernel, .type = (uint8_t)type, .op = (uint8_t)op};
        v->wide = t % 5 == 0;
        v->block = (uint16_t)pick_block(k, t);
        v->unroll = k->unrolls.count ? (uint16_t)pick(&k->unrolls, t / 2) : 1;
        for (int i = 0; i < k->tunable_count; i++)
            v->tunables[i] = pick(&k->tunables[i].allowed, t / (unsigned)(2 + i));
        if (allowed(k, v))
            return;
    }
    fail_msg("%s: no combination of its axes is allowed", k->path);
}

/* Picks the pair of type and operation with the number `which` among those that the facts allow. */
static void pick_type_and_op(const struct kernel *k, unsigned which, int *type, int *op)
{
    int list[TYPE_COUNT * OP_COUNT], length = 0;
    for (int t = 0; t < TYPE_COUNT; t++)
        for (int o = 0; o < OP_COUNT; o++)
            if (kernel_supports(k, (enum element_type)t, (enum operation)o))
                list[length++] = t * OP_COUNT + o;
    assert_true(length > 0);
    *type = list[which % (unsigned)length] / OP_COUNT;
    *op = list[which % (unsigned)length] % OP_COUNT;
}

/* Returns whether the kernel needs the device runtime on a Tegra chip. The libcudadevrt.a for
 * desktops and servers has no code for these chips. */
static bool no_device_runtime(const struct kernel *k, const struct compile_target *target)
{
    return k->device_runtime && target->kind == IMAGE_CUBIN &&
           (target->cc == 62 || target->cc == 72 || target->cc == 87 || target->cc == 88);
}

static void compile_all(const struct compile_target *target)
{
    unsigned failed = 0, unlinked = 0;
    compile_many(compiler, &catalogue, variants, count, target, THREADS, NULL, NULL, results);
    for (uint32_t i = 0; i < count; i++) {
        const struct kernel *k = catalogue.kernels[variants[i].kernel];
        const struct error *why = results[i].error;
        const char *linker = why ? strstr(why->text, "libcudadevrt.a: ") : NULL;
        if (linker && no_device_runtime(k, target)) {
            texts_expect_until(" (error ", "a device runtime without this architecture", linker);
            unlinked++;
        } else if (why) {
            print_error("%s\n", why->text);
            failed++;
        } else if (!why && results[i].image.length == 0) {
            print_error("%s: an image without bytes\n", k->name);
            failed++;
        }
        compiled_free(&results[i]);
    }
    print_message("%s_%d: %u kernels compiled", target->kind == IMAGE_CUBIN ? "sm" : "compute",
                  target->cc, count - failed - unlinked);
    if (unlinked)
        print_message(", %u launch kernels and have no device runtime there", unlinked);
    print_message("\n");
    assert_int_equal(failed, 0);
}

/*
 * Returns whether NVRTC compiles the kernel for this architecture. nvcc compiles kernels of
 * libraries, and the C compiler compiles host functions.
 */
static bool is_compiled(const struct kernel *k, int cc)
{
    return cc >= k->min_cc && !k->library && k->backend == BACKEND_GPU;
}

static void choose_every_kernel(int cc)
{
    count = 0;
    for (uint32_t i = 0; i < (uint32_t)catalogue.count; i++) {
        const struct kernel *k = catalogue.kernels[i];
        int type, op;
        if (!is_compiled(k, cc))
            continue;
        pick_type_and_op(k, turn, &type, &op);
        turn_axes(i, type, op, &variants[count++]);
    }
}

static void every_kernel_on_every_architecture(void **state)
{
    (void)state;
    int architectures[MOST_ARCHITECTURES];
    int known = compiler_architectures(compiler, architectures, MOST_ARCHITECTURES);
    assert_true(known > 0);
    for (int i = 0; i < known; i++) {
        if (architectures[i] < 60) /* NVRTC 12 supports Maxwell, too */
            continue;
        choose_every_kernel(architectures[i]);
        compile_all(&(struct compile_target){IMAGE_CUBIN, architectures[i]});
    }
}

static void every_kernel_as_ptx(void **state)
{
    (void)state;
    static const int architectures[] = {90, 100};
    for (int i = 0; i < 2; i++) {
        choose_every_kernel(architectures[i]);
        compile_all(&(struct compile_target){IMAGE_PTX, architectures[i]});
    }
}

static void every_type_and_operation(void **state)
{
    (void)state;
    struct compile_target target = {IMAGE_CUBIN, 90};
    count = 0;
    for (uint32_t i = 0; i < (uint32_t)catalogue.count; i++)
        for (int type = 0; type < TYPE_COUNT; type++)
            for (int op = 0; op < OP_COUNT; op++) {
                const struct kernel *k = catalogue.kernels[i];
                bool first_ones = type <= TYPE_FLOAT64 && op <= OP_PROD;
                assert_true(count < MOST_VARIANTS);
                /* The simulator's tests compile all pairs of type and operation to PTX. This test
                 * compiles some of these pairs to machine code. */
                if ((i + (unsigned)(type + op)) % (first_ones ? 2 : 8) != 0)
                    continue;
                if (kernel_supports(k, (enum element_type)type, (enum operation)op) &&
                    is_compiled(k, target.cc))
                    turn_axes(i, type, op, &variants[count++]);
            }
    compile_all(&target);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_on_every_architecture),
        cmocka_unit_test(every_kernel_as_ptx),
        cmocka_unit_test(every_type_and_operation),
    };
    return cmocka_run_group_tests_name("architectures", tests, open_all, close_all);
}
