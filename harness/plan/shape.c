/*
 * Evaluates a kernel's facts, for its launch shape and for reasons to skip a point.
 *
 * The defaults (kernel.h) are grid = ceil_div(N, COVERS), threads = BLOCK, shared = workspace = 0,
 * and depth = ceil(log2(BLOCK)) + ceil(COVERS / BLOCK), which adds the levels of the tree and the
 * elements of one thread.
 */
#include "plan/shape.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/library.h"

/* These limits are the same for every compute capability (CUDA C++ Programming Guide, Technical
 * Specifications). */
enum { MAX_GRID_YZ = 65535, MAX_BLOCK_Z = 64 };

/* The values of names in expressions. `covers` and `grid` are 0 until they are known. */
struct names {
    const struct combination *combination;
    uint64_t covers, grid;
    double wheres[KERNEL_MAX_WHERES]; /* the names that `where` facts define */
    int where_count;                  /* how many of `wheres` are known */
    /* An expression needed the number of multiprocessors, which is unknown. */
    bool sms_missing;
    bool covers_needs_sms; /* `covers` is unknown for this reason */
};

static bool look_up_fact(void *context, const char *name, struct expr_value *value)
{
    struct names *v = context;
    const struct combination *c = v->combination;
    value->text = NULL;
    if (strcmp(name, "BLOCK") == 0)
        value->number = c->block;
    else if (strcmp(name, "UNROLL") == 0)
        value->number = c->unroll;
    else if (strcmp(name, "N") == 0)
        value->number = (double)c->n;
    else if (strcmp(name, "COVERS") == 0) {
        value->number = v->covers ? (double)v->covers : NAN;
        v->sms_missing = v->sms_missing || v->covers_needs_sms;
    } else if (strcmp(name, "GRID") == 0)
        value->number = (double)v->grid;
    else if (strcmp(name, "SIZEOF") == 0)
        value->number = (double)element_size(c->type);
    else if (strcmp(name, "ACCUMULATOR") == 0)
        value->number = (double)accumulator_size(c->op, c->type);
    else if (strcmp(name, "SMS") == 0) {
        value->number = c->sms > 0 ? c->sms : NAN;
        v->sms_missing = v->sms_missing || c->sms <= 0;
    } else {
        int i = 0;
        while (i < c->kernel->tunable_count && strcmp(c->kernel->tunables[i].name, name) != 0)
            i++;
        if (i < c->kernel->tunable_count) {
            value->number = c->tunables[i];
            return true;
        }
        for (i = 0; i < v->where_count; i++)
            if (strcmp(c->kernel->wheres[i].name, name) == 0) {
                value->number = v->wheres[i];
                return true;
            }
        enum axis_index axis = axis_find_fact(name);
        if (axis != AXIS_COUNT)
            value->number =
                c->point ? (double)point_value(c->point, axis) : axis_table[axis].fallback_value;
        else
            return false;
    }
    return true;
}

/* Prefixes the error message with the combination at which a kernel's expression failed. */
static bool blame(const struct combination *c, const char *key, struct error *e)
{
    struct text at = {0};
    text_append(&at, "N = %" PRIu64 ", BLOCK = %d, UNROLL = %d, SIZEOF = %zu", c->n, c->block,
                c->unroll, element_size(c->type));
    for (int i = 0; i < c->kernel->tunable_count; i++)
        text_append(&at, ", %s = %d", c->kernel->tunables[i].name, (int)c->tunables[i]);
    error_prefix(e, "%s, fact \"%s\", at %s (a fact \"requires\" can rule this combination out)",
                 c->kernel->path, key, at.bytes);
    text_free(&at);
    return false;
}

/* Evaluates an expression as an integer of at least `min`. If `x` is NULL, the result is
 * `otherwise`. */
static bool count_of(const struct expr *x, const char *key, struct names *names, uint64_t min,
                     uint64_t otherwise, uint64_t *out, struct error *e)
{
    *out = otherwise;
    if (!x)
        return true;
    unsigned long long value;
    if (!expr_count(x, look_up_fact, names, &value, e))
        return blame(names->combination, key, e);
    *out = value;
    if (value < min) {
        FAIL(e, ERROR_CONFIG, "\"%s\" is %llu, but must be at least %" PRIu64, expr_source(x),
             value, min);
        return blame(names->combination, key, e);
    }
    return true;
}

static double default_depth(uint64_t covers, int block)
{
    int steps = 0;
    while ((1 << steps) < block)
        steps++;
    return steps + ceil((double)covers / block);
}

static bool depth_of(struct names *names, double *out, struct error *e)
{
    const struct combination *c = names->combination;
    *out = default_depth(names->covers, c->block);
    if (!c->kernel->depth)
        return true;
    if (!expr_number(c->kernel->depth, look_up_fact, names, out, e))
        return blame(c, "depth", e);
    if (*out >= 0 || names->sms_missing)
        return true;
    FAIL(e, ERROR_CONFIG, "\"%s\" is %g, but must be at least 0", expr_source(c->kernel->depth),
         *out);
    return blame(c, "depth", e);
}

/* Evaluates the sizes in x, y and z, and their product. If `sources` has no expression for x, the
 * size in x is `first`. */
static bool dimensions_of(struct expr *const sources[KERNEL_DIMENSIONS], const char *key,
                          struct names *names, uint64_t first, uint64_t sizes[KERNEL_DIMENSIONS],
                          uint64_t *product, struct error *e)
{
    *product = 1;
    for (int i = 0; i < KERNEL_DIMENSIONS; i++) {
        if (!count_of(sources[i], key, names, 1, i == 0 ? first : 1, &sizes[i], e))
            return false;
        if (__builtin_mul_overflow(*product, sizes[i], product)) {
            FAIL(e, ERROR_CONFIG, "the product of the dimensions is greater than 2^64");
            return blame(names->combination, key, e);
        }
    }
    return true;
}

static bool threads_of(struct names *names, unsigned block_size[KERNEL_DIMENSIONS], struct error *e)
{
    const struct combination *c = names->combination;
    uint64_t sizes[KERNEL_DIMENSIONS], product;
    if (!dimensions_of(c->kernel->threads, "threads", names, (uint64_t)c->block, sizes, &product,
                       e))
        return false;
    for (int i = 0; i < KERNEL_DIMENSIONS; i++)
        block_size[i] = (unsigned)sizes[i];
    if (product == (uint64_t)c->block || names->sms_missing)
        return true;
    FAIL(e, ERROR_CONFIG,
         "a block of %" PRIu64 " by %" PRIu64 " by %" PRIu64
         " threads does not have BLOCK = %d threads",
         sizes[0], sizes[1], sizes[2], c->block);
    return blame(c, "threads", e);
}

/* Evaluates the scalars in the fact `parameters`. Each must be in its type's range. */
static bool scalars_of(struct names *names, double out[KERNEL_MAX_PARAMETERS], struct error *e)
{
    static const struct {
        double min, max; /* the range of integers; 0 and 0 for floating-point types */
    } ranges[PARAMETER_KINDS] = {[PARAMETER_INT] = {-0x1p31, 0x1p31 - 1},
                                 [PARAMETER_UNSIGNED] = {0, 0x1p32 - 1},
                                 [PARAMETER_LONG] = {-0x1p53, 0x1p53},
                                 [PARAMETER_SIZE_T] = {0, 0x1p53}};
    const struct combination *c = names->combination;
    memset(out, 0, KERNEL_MAX_PARAMETERS * sizeof *out);
    for (int i = 0; i < c->kernel->parameter_count; i++) {
        const struct kernel_parameter *p = &c->kernel->parameters[i];
        double min = ranges[p->kind].min, max = ranges[p->kind].max;
        if (!p->value)
            continue;
        if (!expr_number(p->value, look_up_fact, names, &out[i], e))
            return blame(c, "parameters", e);
        if (names->sms_missing || max == 0 ||
            (out[i] >= min && out[i] <= max && out[i] == floor(out[i])))
            continue;
        FAIL(e, ERROR_CONFIG,
             "parameter %d, \"%s\", is %.17g, but must be an integer from %.0f to %.0f", i + 1,
             expr_source(p->value), out[i], min, max);
        return blame(c, "parameters", e);
    }
    return true;
}

static bool evaluate_shape(struct names *names, struct shape *out, struct error *e)
{
    const struct combination *c = names->combination;
    const struct kernel *k = c->kernel;
    uint64_t cluster;
    if (!count_of(k->covers, "covers", names, 1, 0, &names->covers, e))
        return false;
    uint64_t grid = names->covers ? (c->n - 1) / names->covers + 1 : 1;
    if (!dimensions_of(k->grid, "grid", names, grid, out->grid_size, &names->grid, e) ||
        !threads_of(names, out->block_size, e) ||
        !count_of(k->shared, "shared", names, 0, 0, &out->dynamic_smem, e) ||
        !count_of(k->workspace, "workspace", names, 0, 0, &out->workspace, e) ||
        !count_of(k->cluster, "launch", names, 1, 1, &cluster, e) ||
        !depth_of(names, &out->depth, e) || !scalars_of(names, out->scalars, e))
        return false;
    out->covers = names->covers;
    out->grid = names->grid;
    out->cluster = cluster > 1024 ? 1024 : (unsigned)cluster;
    return true;
}

bool shape_evaluate(const struct combination *c, struct shape *out, bool *known, struct error *e)
{
    struct names names = {.combination = c};
    bool ok = evaluate_shape(&names, out, e);
    if (known)
        *known = !names.sms_missing;
    if (!names.sms_missing)
        return ok;
    if (known)
        error_clear(e);
    return known || FAIL(e, ERROR_UNSUPPORTED,
                         "%s: the kernel's launch depends on the number of multiprocessors (SMS), "
                         "but no device is known; name one with --device",
                         c->kernel->path);
}

bool shape_costs(const struct combination *c, double out[KERNEL_MAX_COSTS], struct error *e)
{
    struct names names = {.combination = c};
    struct shape shape;
    if (!evaluate_shape(&names, &shape, e))
        return false;
    for (int i = 0; i < c->kernel->where_count; i++, names.where_count++)
        if (!expr_estimate(c->kernel->wheres[i].value, look_up_fact, &names, &names.wheres[i], e))
            return blame(c, "where", e);
    for (int i = 0; i < c->kernel->cost_count; i++)
        if (!expr_estimate(c->kernel->costs[i].value, look_up_fact, &names, &out[i], e))
            return blame(c, c->kernel->costs[i].overlaps ? "overlap" : "cost", e);
    return !names.sms_missing || FAIL(e, ERROR_UNSUPPORTED,
                                      "%s: the kernel's costs depend on the number of "
                                      "multiprocessors (SMS), but no device is known",
                                      c->kernel->path);
}

struct value_list {
    struct names *names;
    struct text *text;
    int count;
};

static void append_fact(void *context, const char *name)
{
    struct value_list *list = context;
    struct expr_value value;
    if (look_up_fact(list->names, name, &value))
        text_append(list->text, "%s%s = %.15g", list->count++ ? ", " : "", name, value.number);
}

/* Finds the first condition `requires` that is false, and appends it as the reason. */
static bool check_requires(struct names *names, struct text *reason, struct error *e)
{
    const struct kernel *k = names->combination->kernel;
    for (int i = 0; i < k->requires_count; i++) {
        double holds;
        names->sms_missing = false;
        if (!expr_number(k->requires[i], look_up_fact, names, &holds, e))
            return blame(names->combination, "requires", e);
        if (names->sms_missing || (holds != 0 && !isnan(holds)))
            continue;
        text_append(reason, "the kernel requires %s, but ", expr_source(k->requires[i]));
        struct value_list list = {names, reason, 0};
        if (!names->combination->brief)
            expr_names(k->requires[i], append_fact, &list);
        return true;
    }
    return true;
}

/* Checks that a row-wise kernel's input consists of whole rows. */
static void check_rows(const struct combination *c, struct text *reason)
{
    uint64_t length = c->point ? c->point->row_length : 0, inner = c->point ? c->point->inner : 1;
    if (!c->kernel->workload->by_rows)
        return;
    if (length == 0)
        text_append(reason, "the kernel reduces rows, but row_length is 0");
    else if (c->n % length != 0)
        text_append(reason, "n = %" PRIu64 " is not a multiple of row_length = %" PRIu64, c->n,
                    length);
    else if (inner > 1 && c->n / length % inner != 0)
        text_append(reason,
                    "n = %" PRIu64 " is not a multiple of row_length = %" PRIu64
                    " times inner = %" PRIu64,
                    c->n, length, inner);
}

/* Rejects a kind of input for which the result cannot be checked. Sums and extremes can be checked
 * for every kind, other results only for some. */
static void check_inputs(const struct combination *c, struct text *reason)
{
    const struct workload *w = c->kernel->workload;
    enum input_kind kind = c->point ? (enum input_kind)c->point->inputs : INPUT_KIND_UNIFORM;
    if (kind == INPUT_KIND_UNIFORM)
        return;
    if ((!w->reference && !w->rows_reference) || !element_is_float(c->type)) {
        text_append(reason, "the inputs \"%s\" are defined only for reductions of floats",
                    input_kind_names[kind]);
        return;
    }
    if (input_kind_allows(kind, c->type, c->op))
        return;
    text_append(reason, "%s cannot be checked with the inputs \"%s\", but only with",
                operation_name(c->op), input_kind_names[kind]);
    for (int i = 0; i < INPUT_KINDS; i++)
        if (input_kind_allows((enum input_kind)i, c->type, c->op))
            text_append(reason, "%s %s", i ? "," : "", input_kind_names[i]);
}

static void check_block(const struct kernel *k, int block, struct text *reason)
{
    bool listed = false;
    switch (k->block_rule) {
    case BLOCKS_POWER_OF_TWO:
        if ((block & (block - 1)) != 0)
            text_append(reason, "the kernel needs a block size that is a power of two, not %d",
                        block);
        break;
    case BLOCKS_MULTIPLE_OF_32:
        if (block % 32 != 0)
            text_append(reason, "the kernel needs a block size that is a multiple of 32, not %d",
                        block);
        break;
    case BLOCKS_LISTED:
        for (int i = 0; i < k->blocks.count; i++)
            listed = listed || k->blocks.values[i] == block;
        if (listed)
            break;
        text_append(reason, "the kernel needs a block size of");
        for (int i = 0; i < k->blocks.count; i++)
            text_append(reason, " %d", k->blocks.values[i]);
        text_append(reason, ", not %d", block);
        break;
    }
}

/* Appends what the device lacks for all points with this kernel and block size. */
static void check_device(const struct kernel *k, int block, const struct device_limits *limits,
                         struct text *reason)
{
    if (limits->cc == 0)
        text_append(reason, "this device is not a GPU");
    else if (limits->cc < k->min_cc)
        text_append(reason, "the kernel needs compute capability %d.%d, but this device has %d.%d",
                    k->min_cc / 10, k->min_cc % 10, limits->cc / 10, limits->cc % 10);
    else if (k->launch == LAUNCH_COOPERATIVE && !limits->cooperative)
        text_append(reason, "this device does not support cooperative launches");
    else if (k->launch == LAUNCH_CLUSTER && !limits->cluster)
        text_append(reason, "this device does not support thread-block clusters");
    else if (k->library && !limits->host_launches)
        text_append(reason,
                    "the kernel is host code that launches its own kernels, which needs a GPU");
    else if (k->library && !library_beside_program(k->library, NULL))
        text_append(reason,
                    "%s is missing beside the program; build it with `make %s`, which needs nvcc",
                    k->library, k->name);
    else if (k->device_runtime && !limits->device_runtime)
        text_append(reason, "this device does not support kernels that launch kernels");
    else if (block > limits->max_block)
        text_append(reason, "this device allows blocks of at most %d threads, not %d",
                    limits->max_block, block);
}

/* Checks that the input fits into memory, including its copy if the kernel overwrites it. */
static void check_memory(const struct combination *c, const struct device_limits *limits,
                         struct text *reason)
{
    static const double MIB = 1 << 20;
    double bytes = (double)c->n * (double)element_size(c->type) * (c->kernel->in_place ? 2 : 1);
    if (limits->memory_bytes && bytes > (double)limits->memory_bytes)
        text_append(reason, "the input %s %.0f MiB, but this device has %.0f MiB of memory",
                    c->kernel->in_place ? "and a copy of it need" : "needs", bytes / MIB,
                    (double)limits->memory_bytes / MIB);
}

static void check_shape(const struct shape *s, const struct device_limits *limits,
                        struct text *reason)
{
    if (s->dynamic_smem > limits->max_dynamic_smem)
        text_append(reason,
                    "the kernel needs %" PRIu64
                    " bytes of dynamic shared memory per block, but this device has %" PRIu64,
                    s->dynamic_smem, limits->max_dynamic_smem);
    else if (s->grid_size[0] > limits->max_grid_x)
        text_append(reason,
                    "the kernel needs a grid of %" PRIu64
                    " blocks, but this device allows %" PRIu64,
                    s->grid_size[0], limits->max_grid_x);
    else if (s->grid_size[1] > MAX_GRID_YZ || s->grid_size[2] > MAX_GRID_YZ)
        text_append(reason,
                    "the kernel needs a grid of %" PRIu64 " by %" PRIu64 " by %" PRIu64
                    " blocks, but a GPU allows %d in y and z",
                    s->grid_size[0], s->grid_size[1], s->grid_size[2], MAX_GRID_YZ);
    else if (s->block_size[2] > MAX_BLOCK_Z)
        text_append(reason, "the kernel needs a block of %u threads in z, but a GPU allows %d",
                    s->block_size[2], MAX_BLOCK_Z);
}

bool shape_skip_reason(const struct combination *c, const struct device_limits *limits,
                       struct text *reason, struct error *e)
{
    struct names names = {.combination = c};
    check_block(c->kernel, c->block, reason);
    if (!reason->length)
        check_rows(c, reason);
    if (!reason->length)
        check_inputs(c, reason);
    if (reason->length)
        return true;
    /* An error in `covers` is not reported here, because a `requires` may rule out the point. */
    if (!count_of(c->kernel->covers, "covers", &names, 1, 0, &names.covers, NULL))
        names.covers = 0;
    names.covers_needs_sms = names.sms_missing;
    if (!check_requires(&names, reason, e))
        return false;
    if (reason->length)
        return true;
    if (c->kernel->backend == BACKEND_CPU)
        return true; /* a CPU runs this kernel, but the limits are a GPU's */
    if (limits)
        check_device(c->kernel, c->block, limits, reason);
    if (limits && !reason->length)
        check_memory(c, limits, reason);
    if (reason->length)
        return true;
    struct shape shape;
    bool known;
    if (!shape_evaluate(c, &shape, &known, e))
        return false;
    if (limits && known)
        check_shape(&shape, limits, reason);
    return true;
}
