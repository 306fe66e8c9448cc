/*
 * Computes a grid's counts from those of some of its blocks, the sample.
 *
 * A count of the grid is the sum of the counts of its blocks, because how an access is counted does
 * not depend on other accesses. Blocks that do the same work form a class and have the same counts.
 * A class therefore contributes the counts of one of its blocks, multiplied by the number of its
 * blocks. That the blocks of a class do the same work follows from the kernel's fact `uniform: yes`
 * and from how the plan forms classes (sample.h). This file checks it for the blocks that were
 * executed.
 */
#include "devices/sim/sim_device.h"

#include <stdio.h>
#include <string.h>

/* Describes one difference between a and b for the error message. */
static void describe_difference(const struct counts *a, const struct counts *b, char out[160])
{
    const struct access_counts *x = &a->global[ACCESS_LOAD], *y = &b->global[ACCESS_LOAD];
    if (a->instructions != b->instructions)
        snprintf(out, 160, "%llu and %llu warp instructions", (unsigned long long)a->instructions,
                 (unsigned long long)b->instructions);
    else if (x->sectors != y->sectors)
        snprintf(out, 160, "%llu and %llu sectors loaded", (unsigned long long)x->sectors,
                 (unsigned long long)y->sectors);
    else
        snprintf(out, 160, "different accesses or branches");
}

/* Copies `kept` of the `count` blocks at `from`, which are all of one class, to `to`. The copied
 * blocks are evenly spaced. */
static void keep_some(struct sampled_block *to, const struct sampled_block *from, uint64_t count,
                      uint64_t kept)
{
    for (uint64_t k = 0; k < kept; k++)
        to[k] = from[kept == 1 ? 0 : k * (count - 1) / (kept - 1)];
}

void sim_thin_sample(struct block_sample *s, uint64_t instructions)
{
    uint64_t wanted = instructions ? SAMPLE_WORK / instructions : s->count, kept = 0, next;
    if (s->count <= wanted)
        return;
    for (uint64_t k = 0; k < s->count; k = next) {
        for (next = k; next < s->count && s->blocks[next].class == s->blocks[k].class;)
            next++;
        uint64_t count = next - k, share = count * wanted / s->count;
        share = share > 2 ? share : count < 2 ? count : 2;
        keep_some(&s->blocks[kept], &s->blocks[k], count, share);
        kept += share;
    }
    s->count = kept;
}

bool sim_scale_sample(const char *kernel, const struct block_sample *sample,
                      const struct counts *blocks, struct counts *counts, struct error *e)
{
    for (uint32_t c = 0; c < sample->classes; c++) {
        uint64_t first = UINT64_MAX;
        for (uint64_t k = 0; k < sample->count; k++) {
            if (sample->blocks[k].class != c)
                continue;
            if (first == UINT64_MAX)
                first = k;
            char difference[160];
            if (memcmp(&blocks[k], &blocks[first], sizeof *blocks) == 0)
                continue;
            describe_difference(&blocks[first], &blocks[k], difference);
            return FAIL(
                e, ERROR_UNSUPPORTED,
                "the facts of the kernel %s say \"uniform: yes\", but blocks %llu and %llu do "
                "different work (%s); write \"uniform: no\", or run the kernel without sample=",
                kernel, (unsigned long long)sample->blocks[first].block,
                (unsigned long long)sample->blocks[k].block, difference);
        }
        if (first == UINT64_MAX)
            return FAIL(e, ERROR_INTERNAL,
                        "in the sample of the kernel %s, one class of blocks has no block", kernel);
        counts_add_times(counts, &blocks[first], sample->class_blocks[c]);
    }
    return true;
}
