/*
 * Chooses which blocks of a uniform kernel a simulator executes, and how many blocks each of these
 * represents.
 *
 * `uniform: yes` promises that block b does the same as block 0 with elements that are b * COVERS
 * elements further on. It executes the same instructions, and all its addresses differ from those
 * of block 0 by the same constant. Its sectors and lines then depend only on this constant modulo
 * 128, the bytes in a line. So two blocks are in the same class if
 *
 *   - they are full, that is, all of their COVERS elements exist, and
 *   - b * COVERS * SIZEOF is the same modulo 128. If COVERS elements are a whole number of lines,
 *     there is only one such class.
 *
 * The first block, the last block and each partial block are classes of their own, so they are
 * always executed. In a grid with rows of blocks (X by Y), the first and the last block of a row
 * are not in the classes of the blocks between them, and the whole last row is executed.
 *
 * All of a kernel's blocks are executed if
 *
 *   - they cover only a part of the input and loop over the rest (GRID * COVERS < N),
 *   - the kernel launches kernels, is cooperative or uses clusters,
 *   - its result is complete, but its facts do not state `output: zeroed`, or
 *   - the grid is hardly larger than the sample.
 */
#ifndef REDSWEEP_PLAN_SAMPLE_H
#define REDSWEEP_PLAN_SAMPLE_H

#include "devices/device.h"
#include "plan/plan.h"

/*
 * Chooses about `wanted` (at least 1) blocks between this launch's first and last one, or more if
 * there are more classes. Returns false and leaves `out` empty if all blocks must be executed. The
 * caller frees `out` with sample_free().
 */
bool sample_choose(const struct kernel *k, enum element_type type, uint64_t n,
                   const struct shape *shape, uint64_t wanted, struct block_sample *out);
void sample_free(struct block_sample *s);

#endif
