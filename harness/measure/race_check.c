/* Looks for data races in a kernel. race_check.h explains the method. */
#include "measure/race_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "plan/arguments.h"
#include "plan/shape.h"
#include "measure/modules.h"

enum {
    BLOCK_CHOICES = 3,
    ELEMENT_SEED = 1,
    MANY_BLOCKS = 3,
    ODD_COUNT = 1001,
    ODD_REST = 37,
    ROW_LENGTHS = 4,
    /* If a kernel allows none of the usual row lengths, all lengths up to this one are tried. */
    NEAR_LENGTHS = 1024,
    MAX_ELEMENTS = 65537,
    NEAR_BLOCKS =
        64, /* how many larger multiples of a block are tried if the wanted count cannot run */
    NEAR_COUNTS = 1024, /* how many counts are tried on each side of the wanted count */
    LARGEST_POWER = 1 << 24
};

/* An operation with accumulators of several words. Kernels often have separate code that exchanges
 * such accumulators between threads. */
static const enum element_type wide_type = TYPE_FLOAT32;
static const enum operation wide_op = OP_MEAN_VAR;

/* A kernel that is being checked, with one combination of its compile-time values. */
struct checked {
    const struct bench *c;
    const struct kernel *k;
    struct race_check *out;
    struct combination at;
    int32_t tunables[KERNEL_MAX_TUNABLES];
    struct point point; /* has the values of the run-time axes */
};

void race_check_elements(const struct kernel *k, enum element_type *type, enum operation *op)
{
    int pair = 0; /* both enums begin with the preferred value */
    while (pair < TYPE_COUNT * OP_COUNT - 1 &&
           !kernel_supports(k, (enum element_type)(pair / OP_COUNT),
                            (enum operation)(pair % OP_COUNT)))
        pair++;
    *type = (enum element_type)(pair / OP_COUNT);
    *op = (enum operation)(pair % OP_COUNT);
}

static void describe_shape(const struct checked *x, char *out, size_t size)
{
    int used = snprintf(out, size, "%s %s n=%" PRIu64 " block=%d", element_type_name(x->at.type),
                        operation_name(x->at.op), x->at.n, x->at.block);
    if (x->point.row_length)
        used +=
            snprintf(out + used, size - (size_t)used, " row_length=%" PRIu64, x->point.row_length);
    if (x->point.inner > 1)
        used += snprintf(out + used, size - (size_t)used, " inner=%" PRIu64, x->point.inner);
    if (x->k->unrolls.count)
        used += snprintf(out + used, size - (size_t)used, " unroll=%d", x->at.unroll);
    for (int i = 0; i < x->k->tunable_count && (size_t)used < size; i++)
        used += snprintf(out + used, size - (size_t)used, " %s=%d", x->k->tunables[i].name,
                         (int)x->tunables[i]);
}

/* Stores a launch's races. If a race between the same source lines is already stored, only
 * increases its count. */
static void keep(struct checked *x, const struct race_report *report)
{
    struct race_check *out = x->out;
    out->more = out->more || report->more;
    for (int i = 0; i < report->count; i++) {
        const struct race *r = &report->races[i];
        bool known = false;
        for (int j = 0; j < out->count && !known; j++) {
            struct race *o = &out->found[j].race;
            known = o->first_line == r->first_line && o->second_line == r->second_line &&
                    o->scope == r->scope && o->shared == r->shared &&
                    (r->first_line || strcmp(o->first, r->first) == 0);
            if (known)
                o->times += r->times;
        }
        if (known)
            continue;
        if (out->count == MOST_RACES) {
            out->more = true;
            return;
        }
        out->found[out->count].race = *r;
        describe_shape(x, out->found[out->count].shape, sizeof out->found[0].shape);
        out->count++;
    }
}

struct check_buffers {
    struct buffer input, output, workspace;
};

static bool allocate(const struct checked *x, uint64_t bytes, struct buffer *out, struct error *e)
{
    return bytes == 0 || x->c->driver->alloc(x->c->device, bytes, out, e);
}

/* Launches the kernel once in a shape that is known to be allowed. */
static bool run_shape(struct checked *x, struct module *m, const struct shape *shape,
                      struct check_buffers *b, struct error *e)
{
    static struct race_report report; /* too large for the stack */
    const struct workload *w = x->k->workload;
    struct input input = workload_input(w, x->at.type, x->at.op, x->at.n);
    input.seed = ELEMENT_SEED;
    struct work work = {.input = &input,
                        .n = x->at.n,
                        .row_length = x->point.row_length,
                        .inner = x->point.inner,
                        .grid = shape->grid,
                        .block = x->at.block,
                        .complete = x->k->complete,
                        .depth = shape->depth,
                        .kernel = x->k,
                        .tunables = x->tunables};
    uint64_t size = element_size(x->at.type);
    if (!allocate(x, input.n * size, &b->input, e) ||
        !allocate(x, w->output_elements(&work) * workload_output_size(w, &work), &b->output, e) ||
        !allocate(x, shape->workspace, &b->workspace, e))
        return false;
    struct launch l =
        kernel_launch(m, x->k, shape,
                      &(struct kernel_arguments){.input = b->input.address,
                                                 .second = b->input.address + input.second * size,
                                                 .output = b->output.address,
                                                 .workspace = b->workspace.address,
                                                 .n = x->at.n,
                                                 .type = x->at.type});
    struct trial t = {.restore = input.n ? &input : NULL,
                      .input = b->input,
                      .zero = b->workspace,
                      .zero_output = x->k->output_zeroed ? b->output : (struct buffer){0},
                      .cache = CACHE_WARM,
                      .launches = &l,
                      .launch_count = 1};
    if (!x->c->driver->check(x->c->device, &t, &report, e))
        return false;
    keep(x, &report);
    x->out->shapes++;
    return true;
}

static bool check_shape(struct checked *x, struct module *m, struct error *e)
{
    struct shape shape;
    if (!shape_evaluate(&x->at, &shape, NULL, e))
        return false;
    struct check_buffers b = {0};
    bool ok = run_shape(x, m, &shape, &b, e);
    const struct buffer *all[] = {&b.input, &b.output, &b.workspace};
    for (int i = 0; i < 3; i++)
        if (all[i]->address && (ok || !e->device_lost))
            x->c->driver->free(x->c->device, *all[i]);
    if (ok)
        return true;
    char where[160];
    describe_shape(x, where, sizeof where);
    return error_prefix(e, "%s", where);
}

/* Sets *may to whether the combination can run on this device. Stores the reason of the first
 * combination that cannot run, which is reported if no combination can. */
static bool may_run(struct checked *x, bool *may, struct error *e)
{
    struct text reason = {0};
    bool ok = shape_skip_reason(&x->at, &x->c->info.limits, &reason, e);
    *may = ok && reason.length == 0;
    if (ok && !*may && !x->out->skipped[0])
        snprintf(x->out->skipped, sizeof x->out->skipped, "%s", text_shown(&reason));
    text_free(&reason);
    return ok;
}

static bool load(const struct checked *x, struct module **m, struct error *e)
{
    struct variant v = {.block = (uint16_t)(x->k->block_constant ? x->at.block : 0),
                        .unroll = (uint16_t)x->at.unroll,
                        .type = (uint8_t)x->at.type,
                        .op = (uint8_t)x->at.op};
    memcpy(v.tunables, x->tunables, sizeof v.tunables);
    return module_load(x->c, x->k, &v, m, NULL, e);
}

/* Checks whether this number of elements is allowed, with a grid small enough to check. */
static bool count_allowed(struct checked *x, uint64_t n, bool *allowed, struct error *e)
{
    struct shape shape = {0};
    *allowed = false;
    x->at.n = n;
    if (!may_run(x, allowed, e))
        return false;
    if (*allowed && !shape_evaluate(&x->at, &shape, NULL, e))
        return false;
    *allowed = *allowed && shape.grid <= MAX_RACE_BLOCKS;
    return true;
}

/*
 * Finds a count near `wanted` that the kernel's `requires` facts allow, and stores it in x->at.n.
 * Tries the count itself, then whole blocks and powers of two above it, and then the counts around
 * it. `covers` is 0 until a count has been found. *found is false if no count is allowed.
 */
static bool find_count(struct checked *x, uint64_t wanted, uint64_t covers, bool *found,
                       struct error *e)
{
    bool ok = count_allowed(x, wanted, found, e);
    uint64_t step = covers ? covers : (uint64_t)x->at.block;
    uint64_t whole = (wanted + step - 1) / step * step;
    uint64_t low = wanted > NEAR_COUNTS ? wanted - NEAR_COUNTS : 1;
    for (uint64_t k = 0; ok && !*found && k < NEAR_BLOCKS; k++)
        ok = count_allowed(x, whole + k * step, found, e);
    for (uint64_t n = 1; ok && !*found && n <= LARGEST_POWER; n *= 2)
        ok = n <= wanted || count_allowed(x, n, found, e);
    for (uint64_t n = low; ok && !*found && n < wanted + NEAR_COUNTS; n++)
        ok = count_allowed(x, n, found, e);
    return ok;
}

/*
 * Checks the kernel with one element, with an odd number of elements, and with several blocks and
 * an odd remainder. Where `requires` forbids a count, uses the nearest allowed one. For example, a
 * kernel that requires whole blocks is checked with whole blocks.
 */
static bool check_counts(struct checked *x, struct error *e)
{
    struct module *m = NULL;
    struct shape shape;
    bool found, ok = true;
    if (!find_count(x, ODD_COUNT, 0, &found, e))
        return false;
    if (!found)
        return true;
    if (!shape_evaluate(&x->at, &shape, NULL, e) || !load(x, &m, e))
        return false;
    uint64_t many = MANY_BLOCKS * shape.covers + ODD_REST;
    const uint64_t counts[] = {1, ODD_COUNT, many > MAX_ELEMENTS ? MAX_ELEMENTS : many};
    uint64_t done[3] = {0};
    for (int i = 0; ok && i < 3; i++) {
        ok = find_count(x, counts[i], shape.covers, &found, e);
        done[i] = x->at.n;
        bool again = (i > 0 && done[i] == done[0]) || (i > 1 && done[i] == done[1]);
        ok = ok && (!found || again || check_shape(x, m, e));
    }
    x->c->driver->unload(x->c->device, m);
    return ok;
}

/* Looks for a row length that the kernel's `requires` facts allow: powers of two, then all lengths
 * from 3 on. Stops after the first length for which a shape was run. */
static bool check_allowed_length(struct checked *x, struct error *e)
{
    int before = x->out->shapes;
    bool ok = true;
    for (uint64_t n = 2; ok && x->out->shapes == before && n <= MAX_ELEMENTS; n *= 2) {
        x->point.row_length = n;
        ok = check_counts(x, e);
    }
    for (uint64_t n = 3; ok && x->out->shapes == before && n <= NEAR_LENGTHS; n++) {
        x->point.row_length = n;
        ok = check_counts(x, e);
    }
    return ok;
}

/*
 * Checks several row lengths of a row-wise kernel: one element, lengths with and without whole
 * packs of 16 bytes, and a large length. A kernel that reduces along any axis is also checked with
 * several inner sizes.
 */
static bool check_row_lengths(struct checked *x, struct error *e)
{
    static const uint64_t lengths[ROW_LENGTHS] = {1, 48, 77, 8192},
                          inners[ROW_LENGTHS] = {64, 1, 3, 8};
    if (!x->k->workload->by_rows)
        return check_counts(x, e);
    int before = x->out->shapes;
    bool ok = true;
    for (int i = 0; ok && i < ROW_LENGTHS; i++) {
        x->point.row_length = lengths[i];
        x->point.inner = x->k->workload->any_axis ? inners[i] : 1;
        ok = check_counts(x, e);
    }
    return ok && (x->out->shapes > before || check_allowed_length(x, e));
}

/* Returns a list's first or last value, or `otherwise` if the list is empty. */
static int end_of(const struct int_list *l, bool last, int otherwise)
{
    return l->count == 0 ? otherwise : l->values[last ? l->count - 1 : 0];
}

/* Checks all shapes for one type and operation. */
static bool check_shapes(struct checked *x, struct error *e)
{
    static const int usual_blocks[BLOCK_CHOICES] = {64, 256, 1024};
    const struct kernel *k = x->k;
    bool listed = k->block_rule == BLOCKS_LISTED, ok = true;
    int blocks = listed && k->blocks.count < BLOCK_CHOICES ? k->blocks.count : BLOCK_CHOICES;
    for (int block = 0; ok && block < blocks; block++)
        for (int unroll = 0; ok && unroll < (k->unrolls.count > 1 ? 2 : 1); unroll++)
            for (int tuned = 0; ok && tuned < (k->tunable_count ? 2 : 1); tuned++) {
                x->at.block = listed ? k->blocks.values[block] : usual_blocks[block];
                x->at.unroll = end_of(&k->unrolls, unroll, 1);
                for (int i = 0; i < k->tunable_count; i++)
                    x->tunables[i] = end_of(&k->tunables[i].allowed, tuned, 0);
                ok = check_row_lengths(x, e);
            }
    return ok;
}

bool race_check_kernel(const struct bench *c, const struct kernel *k, struct race_check *out,
                       struct error *e)
{
    struct checked x = {.c = c, .k = k, .out = out, .at = {.kernel = k, .sms = c->info.limits.sms}};
    memset(out, 0, sizeof *out);
    race_check_elements(k, &x.at.type, &x.at.op);
    x.at.tunables = x.tunables;
    x.at.point = &x.point;
    bool ok = check_shapes(&x, e);
    if (ok && kernel_supports(k, wide_type, wide_op)) {
        x.at.type = wide_type;
        x.at.op = wide_op;
        ok = check_shapes(&x, e);
    }
    if (out->shapes)
        out->skipped[0] = '\0';
    if (ok || e->kind != ERROR_UNSUPPORTED || out->shapes)
        return ok;
    snprintf(out->skipped, sizeof out->skipped, "%.511s", e->text);
    error_clear(e);
    return true;
}
