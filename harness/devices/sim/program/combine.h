/*
 * Finds accesses to shared memory that ptxas combines into wider ones.
 *
 * ptxas loads or stores neighboring words of a struct with one 8- or 16-byte access if it knows
 * that the address is a multiple of that size. nvcc, which only knows the struct's declared
 * alignment, writes several accesses to the PTX. For the combined access, the hardware counts one
 * request and the wavefronts of the wide access, and so does the simulator. It still counts each of
 * the statements as an instruction.
 *
 * The rules were found with short kernels (CUDA 13.0, sm_90). ptxas combines two or four accesses
 * of the same kind and size into one of up to 16 bytes. They must be in the same basic block, use
 * the same address register or variable with constant offsets, and be neither volatile nor guarded.
 * Between them, there may be arithmetic, shuffles, votes, and plain loads and stores of global,
 * local and parameter memory. Between combined loads, there may also be other loads from shared
 * memory. Between combined stores, no access to shared memory is allowed. Single bytes are not
 * combined. A static array of 16 bytes or more is aligned to 16 bytes, and a static array of 8 to
 * 15 bytes is aligned to 8 bytes, whatever its declaration says. test_counts.c tests these cases.
 * With these rules, the simulator's counts for configs/counts-operations.json agree with those of
 * an H100 and an H200.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_COMBINE_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_COMBINE_H

#include "devices/sim/program/graph.h"
#include "devices/sim/program/program.h"

/* Sets whole_bytes and counted_before of a function's instructions that are combined. code[k] is
 * the instruction of the function's statement k. */
void combine_shared(const struct ptx_module *m, const struct ptx_function *f, const struct graph *g,
                    struct instruction *code);

#endif
