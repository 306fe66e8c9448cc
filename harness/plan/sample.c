/* Chooses the blocks that a simulator executes. sample.h explains the method. */
#include "plan/sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "workloads/workload.h"

enum {
    LINE_BYTES = 128,
    MOST_SINGLE = 4096 /* at most this many blocks represent only themselves */
};

/*
 * Returns after how many steps of `bytes` bytes an address is at the same position in a line again.
 */
static uint64_t period(uint64_t bytes)
{
    uint64_t step = bytes % LINE_BYTES, a = LINE_BYTES;
    while (step) {
        uint64_t rest = a % step;
        a = step;
        step = rest;
    }
    return LINE_BYTES / a;
}

/* Adds a block to the class that was added last. */
static void add_block(struct block_sample *s, uint64_t block)
{
    array_push(s->blocks, s->count, (struct sampled_block){block, s->classes - 1});
}

static void add_class(struct block_sample *s, uint64_t blocks)
{
    array_push(s->class_blocks, s->classes, blocks);
}

static void add_single(struct block_sample *s, uint64_t block)
{
    add_class(s, 1);
    add_block(s, block);
}

/* The `count` numbers first, first + step and so on. */
struct numbers {
    uint64_t first, step, count;
};

static struct numbers every(uint64_t first, uint64_t step, uint64_t end)
{
    return (struct numbers){first, step, first < end ? (end - first - 1) / step + 1 : 0};
}

/* Adds a class that consists of the blocks in columns `x` of rows `y`, in a grid of `width`
 * columns. Adds `wanted` of these blocks. */
static void add_grid_class(struct block_sample *s, struct numbers x, struct numbers y,
                           uint64_t width, uint64_t wanted)
{
    uint64_t all = x.count * y.count;
    if (all == 0)
        return;
    if (wanted < 1)
        wanted = 1;
    if (wanted > all)
        wanted = all;
    add_class(s, all);
    for (uint64_t k = 0; k < wanted; k++) {
        /* Spreads the blocks evenly from the first to the last. */
        uint64_t i =
            wanted == 1 ? all / 2 : (uint64_t)((unsigned __int128)k * (all - 1) / (wanted - 1));
        add_block(s, (y.first + i / x.count * y.step) * width + x.first + i % x.count * x.step);
    }
}

/*
 * Chooses blocks in a grid of one row. Block 0 and the blocks at the end are classes of their own;
 * the full blocks in between are sampled.
 */
static bool choose_row(uint64_t grid, uint64_t full, uint64_t covers_bytes, uint64_t wanted,
                       struct block_sample *out)
{
    /* where the full blocks that can be sampled end */
    uint64_t end = full < grid - 1 ? full : grid - 1;
    if (full < 1 || end < 1 || grid - end > MOST_SINGLE || end - 1 <= wanted)
        return false;
    uint64_t classes = period(covers_bytes);
    add_single(out, 0);
    for (uint64_t c = 0; c < classes; c++) {
        struct numbers blocks = every(1 + c, classes, end);
        uint64_t share = (wanted * (c + 1)) / classes - wanted * c / classes;
        add_grid_class(out, blocks, (struct numbers){0, 1, 1}, grid, share);
    }
    for (uint64_t b = end; b < grid; b++)
        add_single(out, b);
    return true;
}

/*
 * Chooses blocks in a grid of several rows. Each block of the last row is a class of its own. In
 * the other rows, the first column, the last column and the columns between them are sampled
 * separately.
 */
static bool choose_rows(const struct shape *shape, size_t size, uint64_t wanted,
                        struct block_sample *out)
{
    uint64_t width = shape->grid_size[0], rows = shape->grid_size[1];
    uint64_t step_x = shape->block_size[0] * size;
    uint64_t step_y = width * step_x * shape->block_size[1];
    uint64_t classes_x = period(step_x), classes_y = period(step_y);
    uint64_t inner = width > 2 ? width - 2 : 0;
    if (width > MOST_SINGLE || rows < 2 || width * (rows - 1) <= wanted)
        return false;
    add_single(out, 0);
    for (uint64_t cy = 0; cy < classes_y; cy++) {
        struct numbers y = every(cy, classes_y, rows - 1),
                       below = every(cy ? cy : classes_y, classes_y, rows - 1);
        uint64_t share = wanted / classes_y / (classes_x + 2);
        add_grid_class(out, (struct numbers){0, 1, 1}, below, width, share); /* excludes block 0 */
        for (uint64_t cx = 0; cx < classes_x && inner; cx++)
            add_grid_class(out, every(1 + cx, classes_x, width - 1), y, width, share);
        if (width > 1)
            add_grid_class(out, (struct numbers){width - 1, 1, 1}, y, width, share);
    }
    for (uint64_t x = 0; x < width; x++)
        add_single(out, (rows - 1) * width + x);
    return true;
}

bool sample_choose(const struct kernel *k, enum element_type type, uint64_t n,
                   const struct shape *shape, uint64_t wanted, struct block_sample *out)
{
    size_t size = element_size(type);
    *out = (struct block_sample){0};
    bool sums = k->workload->reduces && k->complete;
    if (!k->uniform || !(k->workload->reference_of || k->workload->row_elements) || k->library ||
        k->device_runtime || k->backend == BACKEND_CPU ||
        (k->launch != LAUNCH_PLAIN && k->launch != LAUNCH_DEPENDENT) ||
        (sums && !k->output_zeroed) || shape->grid_size[2] > 1 ||
        shape->covers > UINT64_MAX / shape->grid || shape->grid * shape->covers < n)
        return false;
    if (shape->grid_size[1] > 1)
        return choose_rows(shape, size, wanted, out);
    return choose_row(shape->grid, n / shape->covers, shape->covers * size, wanted, out);
}

void sample_free(struct block_sample *s)
{
    free(s->blocks);
    free(s->class_blocks);
    *s = (struct block_sample){0};
}
