/*
 * Counts the sectors, lines and wavefronts of a warp's access from the addresses of its lanes.
 *
 * Global and local memory: sectors are aligned 32-byte pieces, lines aligned 128-byte pieces. An
 * instruction costs the distinct pieces that its executing lanes touch, in any order. On an H200 these
 * equal l1tex__t_sectors and l1tex__t_set_accesses for every kernel tried; lines are what a Tesla K80
 * counted as transactions.
 *
 * Shared memory has 32 banks of 4 bytes; word w is in bank w mod 32. One wavefront delivers one word
 * from each bank to any number of lanes. Lanes are served in groups: all 32 at once for accesses up
 * to 4 bytes, half-warps for 8 bytes, quarter-warps for 16. The number of wavefronts of a group is
 * the largest number of different words in one of its banks; a group without executing lanes takes
 * none. Loads of 8 and 16 bytes take fewer wavefronts in two cases:
 *
 * - Two neighbouring groups are served as one if that takes one wavefront and each executing lane's neighbour
 *   (its number xor 1, or for all lanes xor 2) wants the same address or does not execute. Lanes 0 to 15 of a
 *   16-byte load are an exception: if lane 31 does not execute, neighbours may want different addresses; if it
 *   does, neighbours must execute, too.
 * - If all executing lanes want one address, a wavefront serves 256 bytes of the result.
 *
 * The counter of an H100 and of an H200 follows these rules for random loads by random lanes (kind 9 of
 * tests/kernels/oracle/oracle_access.cu). The groups are those of the CUDA C++ Programming Guide, "Shared
 * memory" of compute capability 5.x and later; the groups of 64-bit and 128-bit accesses come from the
 * same chapter for 3.x and from microbenchmarks (Jia et al., "Dissecting the NVIDIA Volta GPU
 * architecture", 2018).
 */
#ifndef REDSWEEP_DEVICES_SIM_COUNTS_COALESCE_H
#define REDSWEEP_DEVICES_SIM_COUNTS_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Returns the number of distinct `1 << shift`-byte pieces that [address, address + bytes) of the lanes in
 * `exec` touch.
 */
unsigned coalesce_pieces(const uint64_t *address, uint32_t exec, unsigned bytes, unsigned shift);

/* Returns the number of wavefronts of a shared-memory access of `bytes` (1 to 16) per lane. */
unsigned coalesce_wavefronts(const uint64_t *address, uint32_t exec, unsigned bytes, bool load);

/*
 * Returns the fewest wavefronts that these lanes need with any addresses; an access's other wavefronts are
 * bank conflicts. A store needs one for each group with an executing lane; a load needs only as many as its
 * words fill, at 32 words each, so that sparse lanes of several groups count as one. An H200 reports the
 * same: at 872 comparable points, counting groups alone is right for all stores, and for all loads except
 * those of 8 bytes by sparse lanes (smem_neighbored, float64).
 */
unsigned coalesce_min_wavefronts(uint32_t exec, unsigned bytes, bool load);

#endif
