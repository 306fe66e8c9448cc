/*
 * Chooses which blocks of a uniform kernel a simulator executes, and how many blocks each executed
 * block represents.
 *
 * The fact `uniform: yes` promises that block b executes the same instructions as block 0, on
 * elements that are b * COVERS elements further on. All its addresses differ from those of block 0
 * by the same constant. Which sectors and lines of memory it touches then depends only on this
 * constant modulo 128, the bytes in a line. So two blocks are in the same class, and do the same
 * number of transactions, if
 *
 *   - they are full, that is, all of their COVERS elements exist, and
 *   - b * COVERS * SIZEOF modulo 128 is the same for both. If COVERS elements are a whole number of
 *     lines, all full blocks are in one class.
 *
 * The first block, the last block and each partial block are classes of their own, so they are
 * always executed. In a grid with rows of blocks (X by Y), the first and the last block of a row
 * are not in the classes of the blocks between them, and the whole last row is executed.
 *
 * All of a kernel's blocks are executed if
 *
 *   - GRID * COVERS < N, that is, each block loops over several parts of the input,
 *   - the kernel launches kernels, is cooperative or uses clusters,
 *   - its result is complete, but its facts do not state `output: zeroed`, or
 *   - the grid is hardly larger than the sample.
 */
#ifndef REDSWEEP_PLAN_SAMPLE_H
#define REDSWEEP_PLAN_SAMPLE_H

#include "devices/device.h"
#include "plan/plan.h"

/*
 * Chooses about `wanted` blocks (at least 1) between this launch's first and last block, or more if
 * there are more than `wanted` classes. Returns false and leaves `out` empty if all blocks must be
 * executed. The caller frees `out` with sample_free().
 */
bool sample_choose(const struct kernel *k, enum element_type type, uint64_t n,
                   const struct shape *shape, uint64_t wanted, struct block_sample *out);
void sample_free(struct block_sample *s);

#endif
