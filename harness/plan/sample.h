/*
 * Chooses which blocks of a uniform kernel a simulator executes, and determines how many blocks
 * each of these represents.
 *
 * `uniform: yes` promises that block b does the same as block 0 with elements that are b * COVERS
 * elements further on. It executes the same instructions, and each address that it accesses differs
 * from that of block 0 by the same constant. The block's sectors and lines then depend only on this
 * constant modulo 128, the number of bytes in a line. Two blocks are therefore in the same class if
 *
 *   - they are full, that is, all of their COVERS elements exist, and
 *   - b * COVERS * SIZEOF is the same modulo 128. If COVERS elements are a whole number of lines,
 *     there is only one such class.
 *
 * The first block, the last block and each partial block are classes of their own, so these are
 * always executed. A grid may have rows of blocks (X by Y). The first and the last block of a row
 * then do not belong to the same classes as the blocks between them, and the whole last row is
 * executed.
 *
 * In the following cases all blocks of a kernel are executed:
 *
 *   - its blocks cover only a part of the input and loop over the rest (GRID * COVERS < N); - it
 *   launches kernels, is cooperative or uses clusters; - its result is complete, but its facts do
 *   not state `output: zeroed`; - the grid is hardly larger than the sample.
 */
#ifndef REDSWEEP_PLAN_SAMPLE_H
#define REDSWEEP_PLAN_SAMPLE_H

#include "devices/device.h"
#include "plan/plan.h"

/*
 * Chooses about `wanted` (at least 1) blocks between the first and the last block of this launch,
 * or more if there are more classes. Returns false, with an empty `out`, if all blocks must be
 * executed. The caller frees `out` with sample_free().
 */
bool sample_choose(const struct kernel *k, enum element_type type, uint64_t n,
                   const struct shape *shape, uint64_t wanted, struct block_sample *out);
void sample_free(struct block_sample *s);

#endif
