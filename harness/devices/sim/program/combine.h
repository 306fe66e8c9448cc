/*
 * Finds the shared-memory accesses that ptxas merges into wider ones.
 *
 * ptxas loads or stores neighboring words of a struct with one 8- or 16-byte access if it knows
 * that the address is a multiple of that size. nvcc only knows the struct's declared alignment, so
 * it emits several accesses. The hardware counts one request and the wavefronts of the wide access.
 * So does the simulator, but it still counts each statement as a PTX instruction.
 *
 * The rules were found with short kernels (CUDA 13.0, sm_90). ptxas combines two or four accesses
 * of the same kind and size into one of up to 16 bytes. They must be in the same basic block, use
 * the same address register or variable with constant offsets, and be neither volatile nor guarded.
 * Arithmetic, shuffles, votes, and plain loads and stores of global, local and parameter memory may
 * be between them. Other shared loads may be between loads, but no access to shared memory may be
 * between stores. Single bytes are not combined. A static array of 16 bytes or more is aligned to
 * 16 bytes, and a static array of 8 to 15 bytes is aligned to 8 bytes, whatever its declaration
 * says. test_counts.c tests these cases. The rules also explain the H100 and H200 counts for
 * configs/counts-operations.json.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_COMBINE_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_COMBINE_H

#include "devices/sim/program/graph.h"
#include "devices/sim/program/program.h"

/* Marks a function's combined instructions. code[k] is the function's statement k. */
void combine_shared(const struct ptx_module *m, const struct ptx_function *f, const struct graph *g,
                    struct instruction *code);

#endif
