/*
 * The blocks of a uniform kernel that a simulator executes, and how many blocks each represents.
 *
 * `uniform: yes` promises that block b does the same as block 0, `b * COVERS` elements further on:
 * the same instructions, and accesses at addresses that differ by a constant. Sectors and lines
 * then depend on the block only through the position of that constant within a line of 128 bytes.
 * Blocks are therefore in the same class if
 *
 *   - they are full: all of their COVERS elements exist;
 *   - b * COVERS * SIZEOF is the same modulo 128 (one class, when COVERS elements are whole lines).
 *
 * The first block, the last one, and all partial ones are classes of their own: all of them are
 * executed. In a grid of rows of blocks (X by Y), the first and the last block of a row are in
 * other classes, and the whole last row is executed. A kernel is executed completely if this does
 * not hold or does not pay: its blocks continue over the input (GRID * COVERS < N), it launches
 * kernels, is cooperative or in clusters, its result is complete without `output: zeroed`, or the
 * grid is hardly larger than the sample.
 */
#ifndef REDSWEEP_PLAN_SAMPLE_H
#define REDSWEEP_PLAN_SAMPLE_H

#include "devices/device.h"
#include "plan/plan.h"

/*
 * About `wanted` (≥ 1) blocks between the first and the last one of this launch, or more if there
 * are more classes. Returns false if all blocks must be executed; `out` is then empty. Free with
 * sample_free().
 */
bool sample_choose(const struct kernel *k, enum element_type type, uint64_t n,
                   const struct shape *shape, uint64_t wanted, struct block_sample *out);
void sample_free(struct block_sample *s);

#endif
