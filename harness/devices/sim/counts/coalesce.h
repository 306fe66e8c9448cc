/*
 * Counts a warp access's sectors, lines and wavefronts from its lanes' addresses.
 *
 * In global and local memory, sectors are aligned 32-byte segments and lines are aligned 128-byte
 * segments. If several executing lanes of an instruction access the same segment, it counts once.
 * For every kernel tried on an H200, sectors and lines matched l1tex__t_sectors and
 * l1tex__t_set_accesses. A Tesla K80 counts lines as transactions.
 *
 * Shared memory has 32 banks of 4 bytes, and the 4-byte word number w is in bank w mod 32. A
 * wavefront accesses one word in each bank, and can deliver it to any number of lanes. Lanes are
 * served in groups: all 32 lanes for accesses of up to 4 bytes, half-warps for 8 bytes, and
 * quarter-warps for 16 bytes. To find the number of wavefronts of a group, count the different
 * words that it accesses in each bank, and take the largest of these counts. Loads of 8 and 16
 * bytes take fewer wavefronts in two cases:
 *
 *   - Two neighboring groups are served together if that takes a single wavefront and if each
 *     executing lane has the same address as its neighbor, or its neighbor does not execute. The
 *     neighbor of lane k is either lane k xor 1 for all lanes, or lane k xor 2 for all lanes. Lanes
 *     0 to 15 of a 16-byte load are an exception: if lane 31 does not execute, the addresses of
 *     neighbors may be different, and if lane 31 executes, the neighbor of every executing lane
 *     must execute.
 *   - If all executing lanes load from the same address, a wavefront delivers 256 bytes, counting
 *     each lane's value.
 *
 * The counters of an H100 and an H200 agree with these rules for loads from random addresses by
 * random lanes (kind 9 of tests/kernels/oracle/oracle_access.cu). The CUDA C++ Programming Guide
 * describes the groups under "Shared memory" for compute capability 5.x and later. The groups of
 * 64-bit and 128-bit accesses come from the same chapter for 3.x and from microbenchmarks (Jia et
 * al., "Dissecting the NVIDIA Volta GPU architecture", 2018).
 */
#ifndef REDSWEEP_DEVICES_SIM_COUNTS_COALESCE_H
#define REDSWEEP_DEVICES_SIM_COUNTS_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

/* Returns how many different segments of 1 << shift bytes the lanes of `exec` access, if lane k
 * accesses `bytes` bytes at address[k]. */
unsigned coalesce_pieces(const uint64_t *address, uint32_t exec, unsigned bytes, unsigned shift);

/* Returns the number of wavefronts of a shared-memory access of `bytes` (1 to 16) per lane. */
unsigned coalesce_wavefronts(const uint64_t *address, uint32_t exec, unsigned bytes, bool load);

/*
 * Returns how many wavefronts the lanes of `exec` would need at the best possible addresses.
 * Further wavefronts are bank conflicts. A store needs at least one wavefront for each group with
 * an executing lane. A load needs at least one for every 32 words, even if they belong to lanes of
 * several groups. An H200 counts in this way. At the 872 points that were compared, counting one
 * wavefront per group would also be right for all stores and for most loads, but not for 8-byte
 * loads by few lanes of each group (`smem_neighbored` with float64).
 */
unsigned coalesce_min_wavefronts(uint32_t exec, unsigned bytes, bool load);

#endif
