/*
 * Counts a warp access's sectors, lines and wavefronts from its lanes' addresses.
 *
 * In global and local memory, sectors are aligned 32-byte segments and lines are aligned 128-byte
 * segments. An instruction counts each segment that its executing lanes touch once. For every
 * kernel tried on an H200, sectors and lines matched l1tex__t_sectors and l1tex__t_set_accesses. A
 * Tesla K80 counts lines as transactions.
 *
 * Shared memory has 32 banks of 4 bytes, and word w is in bank w mod 32. One wavefront delivers one
 * word from each bank to any number of lanes. Lanes are served in groups: all 32 lanes for accesses
 * of up to 4 bytes, half-warps for 8 bytes, and quarter-warps for 16 bytes. A group takes as many
 * wavefronts as the most distinct words that it accesses in any one bank, and none if no lane
 * executes. Loads of 8 and 16 bytes take fewer wavefronts in two cases:
 *
 *   - Two neighboring groups are served as one if that takes a single wavefront and if the neighbor
 *     of each executing lane accesses the same address or does not execute. The neighbor of lane k
 *     is lane k xor 1 for all lanes, or lane k xor 2 for all lanes. Lanes 0 to 15 of a 16-byte load
 *     are an exception. If lane 31 does not execute, their neighbors may have different addresses.
 *     If lane 31 executes, their neighbors must execute, too.
 *   - If all executing lanes access the same address, a wavefront delivers 256 bytes of the result.
 *
 * H100 and H200 counters follow these rules for random loads by random lanes (kind 9 of
 * tests/kernels/oracle/oracle_access.cu). The CUDA C++ Programming Guide describes the groups under
 * "Shared memory" for compute capability 5.x and later. The groups of 64-bit and 128-bit accesses
 * come from the same chapter for 3.x and from microbenchmarks (Jia et al., "Dissecting the NVIDIA
 * Volta GPU architecture", 2018).
 */
#ifndef REDSWEEP_DEVICES_SIM_COUNTS_COALESCE_H
#define REDSWEEP_DEVICES_SIM_COUNTS_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

/* Returns how many distinct segments of 1 << shift bytes the lanes in `exec` touch with accesses to
 * [address, address + bytes). */
unsigned coalesce_pieces(const uint64_t *address, uint32_t exec, unsigned bytes, unsigned shift);

/* Returns the number of wavefronts of a shared-memory access of `bytes` (1 to 16) per lane. */
unsigned coalesce_wavefronts(const uint64_t *address, uint32_t exec, unsigned bytes, bool load);

/*
 * Returns how many wavefronts these lanes need at the best possible addresses. Any more are bank
 * conflicts. A store needs one wavefront for each group with an executing lane. A load needs one
 * for every 32 words, so sparse lanes of several groups may share a wavefront. This is how an H200
 * counts: at 872 comparable points, one wavefront per group is the right minimum for all stores,
 * and for all loads except 8-byte loads by sparse lanes (`smem_neighbored`, float64).
 */
unsigned coalesce_min_wavefronts(uint32_t exec, unsigned bytes, bool load);

#endif
