/*
 * Counts the sectors, lines and wavefronts of a warp's access from the addresses of its lanes.
 *
 * In global and local memory, sectors are aligned 32-byte pieces, and lines are aligned 128-byte
 * pieces. For each instruction, the distinct pieces that its executing lanes touch are counted. On
 * an H200, the counts of sectors and lines were equal to l1tex__t_sectors and l1tex__t_set_accesses
 * for every kernel that was tried. Lines are what a Tesla K80 counted as transactions.
 *
 * Shared memory has 32 banks of 4 bytes, and word w is in bank w mod 32. One wavefront delivers one
 * word from each bank to any number of lanes. Lanes are served in groups: all 32 lanes for accesses
 * of up to 4 bytes, half-warps for 8 bytes, and quarter-warps for 16 bytes. The number of
 * wavefronts of a group is the largest number of different words that it accesses in one bank. A
 * group without executing lanes takes no wavefront. Loads of 8 and 16 bytes take fewer wavefronts
 * in two cases:
 *
 * - Two neighboring groups are served as one group if this takes one wavefront, and if each
 * executing lane's neighbor accesses the same address or does not execute. Either the neighbor of
 * each lane k is lane k xor 1, or the neighbor of each lane k is lane k xor 2. Lanes 0 to 15 of a
 * 16-byte load are an exception. If lane 31 does not execute, their neighbors may access different
 * addresses. If lane 31 executes, their neighbors must execute, too. - If all executing lanes
 * access the same address, a wavefront delivers 256 bytes of the result.
 *
 * The counters of an H100 and an H200 follow these rules for random loads by random lanes (kind 9
 * of tests/kernels/oracle/oracle_access.cu). The groups are described in the CUDA C++ Programming
 * Guide, "Shared memory" for compute capability 5.x and later. The groups of 64-bit and 128-bit
 * accesses come from the same chapter for 3.x and from microbenchmarks (Jia et al., "Dissecting the
 * NVIDIA Volta GPU architecture", 2018).
 */
#ifndef REDSWEEP_DEVICES_SIM_COUNTS_COALESCE_H
#define REDSWEEP_DEVICES_SIM_COUNTS_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

/* Divides memory into pieces of 1 << shift bytes. Returns the number of distinct pieces that the
 * accesses [address, address + bytes) of the lanes in `exec` touch. */
unsigned coalesce_pieces(const uint64_t *address, uint32_t exec, unsigned bytes, unsigned shift);

/* Returns the number of wavefronts of a shared-memory access of `bytes` (1 to 16) per lane. */
unsigned coalesce_wavefronts(const uint64_t *address, uint32_t exec, unsigned bytes, bool load);

/*
 * Returns the number of wavefronts that these lanes need with the most favorable addresses. All
 * other wavefronts of an access are bank conflicts. A store needs one wavefront for each group with
 * an executing lane. A load needs one wavefront for each 32 words, so sparse lanes of several
 * groups may share a wavefront. An H200 counts in this way. At 872 comparable points, one wavefront
 * per group is the correct minimum for all stores, and for all loads except 8-byte loads by sparse
 * lanes (`smem_neighbored`, float64).
 */
unsigned coalesce_min_wavefronts(uint32_t exec, unsigned bytes, bool load);

#endif
