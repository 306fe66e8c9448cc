/*
 * Which blocks of a uniform kernel a simulator executes, and how many each represents.
 *
 * `uniform: yes` promises that block b does what block 0 does, `b * COVERS` elements further on:
 * the same instructions, and accesses at addresses that differ by a constant. Sectors and lines
 * then depend on the block only by where that constant lies within a line of 128 bytes. So blocks
 * are of the same class when
 *
 *   - they are full: all of their COVERS elements exist;
 *   - b * COVERS * SIZEOF is the same modulo 128 (one class, when COVERS elements are whole lines).
 *
 * The first block, the last one, and all that are not full are classes of their own: all of them
 * are executed. In a grid of rows of blocks (X by Y) blocks differ also by being first or last of a
 * row, and all of the last row are executed. A kernel is executed whole where this does not hold
 * or does not pay: its blocks walk on over the input (GRID * COVERS < N), it launches kernels, is
 * cooperative or in clusters, its result is complete without `output: zeroed`, or the grid is
 * hardly larger than the sample.
 */
#ifndef REDSWEEP_PLAN_SAMPLE_H
#define REDSWEEP_PLAN_SAMPLE_H

#include "devices/device.h"
#include "plan/plan.h"

/*
 * About `wanted` (≥ 1) blocks between the first and the last one of this launch; more where there
 * are more classes. False: all blocks are to be executed, and `out` is empty. Free with
 * sample_free().
 */
bool sample_choose(const struct kernel *k, enum element_type type, uint64_t n,
                   const struct shape *shape, uint64_t wanted, struct block_sample *out);
void sample_free(struct block_sample *s);

#endif
