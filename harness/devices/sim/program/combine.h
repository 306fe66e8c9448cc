/*
 * Finds the accesses to shared memory that ptxas combines into one.
 *
 * The assembler loads or stores neighboring words of a struct with one access of 8 or 16 bytes if
 * it knows that the address is a multiple of that size. nvcc knows only the struct's declared
 * alignment, so it writes several accesses. The hardware counts one request and the wavefronts of
 * the wide access. The simulator does the same, but still counts each statement as a PTX
 * instruction.
 *
 * The behavior of ptxas was determined with short kernels (CUDA 13.0, sm_90). ptxas combines two or
 * four accesses of one kind and size into one access of up to 16 bytes. The accesses must be in one
 * basic block, use the same address register or variable with constant offsets, and be neither
 * volatile nor guarded. Arithmetic, shuffles, votes, and plain loads and stores of global, local
 * and parameter memory may be between them. Other shared loads may be between loads, but no access
 * to shared memory may be between stores. Single bytes are not combined. A static array of 16 bytes
 * or more is aligned to 16 bytes, and a static array of 8 to 15 bytes is aligned to 8 bytes,
 * whatever its declaration says. test_counts.c tests these cases. The rules also explain the counts
 * of configs/counts-operations.json on an H100 and an H200.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_COMBINE_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_COMBINE_H

#include "devices/sim/program/graph.h"
#include "devices/sim/program/program.h"

/* Marks the instructions of a function that are combined. code[k] is the function's statement k. */
void combine_shared(const struct ptx_module *m, const struct ptx_function *f, const struct graph *g,
                    struct instruction *code);

#endif
