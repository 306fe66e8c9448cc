/*
 * Accesses of shared memory that ptxas combines into one.
 *
 * The assembler loads or stores neighbouring words of a struct by one access of 8 or 16 bytes if it
 * knows that the address is a multiple of that size. nvcc must assume the struct's declared alignment,
 * so it writes several accesses. The machine counts one request and the wavefronts of the wide access;
 * the statements remain PTX instructions.
 *
 * The behavior of ptxas was determined with short kernels (CUDA 13.0, sm_90): two or four accesses
 * of one kind and size in one basic block, with one address register or variable and constant
 * offsets, not volatile and without guards, become one of up to 16 bytes. Arithmetic, shuffles,
 * votes, and plain loads and stores of global, local and parameter memory may be between them. Other
 * shared loads may be between loads, but no access of shared memory between stores. Single bytes are
 * not combined. A static array of 16 bytes or more is aligned to 16, and one of 8 or more to 8,
 * whatever its declaration says. test_counts.c has these cases; the counts of
 * configs/counts-operations.json on an H100 and an H200 follow from the rules.
 */
#ifndef REDSWEEP_DEVICES_SIM_PROGRAM_COMBINE_H
#define REDSWEEP_DEVICES_SIM_PROGRAM_COMBINE_H

#include "devices/sim/program/graph.h"
#include "devices/sim/program/program.h"

/* Marks the instructions of a function that are combined; code[k] is its statement k. */
void combine_shared(const struct ptx_module *m, const struct ptx_function *f, const struct graph *g,
                    struct instruction *code);

#endif
